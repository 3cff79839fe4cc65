"""Hyphens at line ends: joined, kept, or kept with a blank, as a German reader would."""

from __future__ import annotations

import pytest

from apps.documents.parsing.pdf import parse_pdf
from apps.documents.parsing.pdf.hyphenation import Join, Lexicon, join_hyphen
from tests.documents.parsing.pdf_files import Paper, filler

NOTHING = Lexicon.of([])
KNOWN = Lexicon.of(
    [
        ("öffentlich-rechtlich und öffentlich-rechtlich", False, False),
        ("Start-ups gründen; das Ende naht, ideologisch", False, False),
        ("bisher galt", False, False),
    ]
)

CASES = [
    ("Weiterbildungs", "förderung hilft", Join.WORD),
    ("Kranken", "pflege", Join.WORD),
    ("CO₂", "Preis", Join.KEEP),
    ("CO2", "Preis", Join.KEEP),
    ("EU", "Kommission", Join.KEEP),
    ("Corona", "19", Join.KEEP),
    ("Planungs", "und Bauzeit", Join.KEEP_BLANK),
    ("Ein", "oder Ausfuhr", Join.KEEP_BLANK),
    ("haus", "und fachärztlich", Join.KEEP_BLANK),
    ("Bonus", "bzw. Malus", Join.KEEP_BLANK),
    ("Drei", "bis Vierjährige", Join.KEEP_BLANK),
    ("US", "amerikanisch", Join.KEEP),
    ("KI", "gestützt", Join.KEEP),
    ("SELBSTBESTIMMUNGS", "GESETZ", Join.WORD),
    ("deutsch", "britischen", Join.KEEP),
    ("deutsch", "französische", Join.KEEP),
    ("deut", "schen", Join.WORD),
    ("fran", "zösische", Join.WORD),
    ("(Re", ")Kommunalisierung", Join.KEEP),
    ("Resource (OER)", "Plattformen", Join.KEEP),
]


@pytest.mark.parametrize(("left", "right", "expected"), CASES, ids=[f"{left}|{right}" for left, right, _ in CASES])
def test_a_hyphen_at_a_line_end(left: str, right: str, expected: Join) -> None:
    assert join_hyphen(left, right, NOTHING) is expected


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("öffentlich", "rechtlich", Join.KEEP),
        ("Start", "ups", Join.KEEP),
        ("Ende", "zu", Join.KEEP),
        ("bis", "her", Join.WORD),
    ],
)
def test_the_documents_own_words_decide(left: str, right: str, expected: Join) -> None:
    assert join_hyphen(left, right, KNOWN) is expected


def test_a_soft_hyphen_joins_lower_case() -> None:
    assert join_hyphen("deutsch", "britischen", NOTHING, soft=True) is Join.WORD


def test_words_cut_at_line_ends_do_not_enter_the_lexicon() -> None:
    lexicon = Lexicon.of([("das ist wich", False, True), ("tigen Leuten klar", True, False)])
    assert lexicon.words["wich"] == lexicon.words["tigen"] == 0
    assert lexicon.words["leuten"] == 1


def test_hyphens_of_a_printed_page_and_their_boxes() -> None:
    paper = Paper()
    y = filler(paper, 60, 80)
    printed = [
        "Ein- und Ausfuhr sind frei. Die Alten- und Kranken-",
        "pflege wird besser bezahlt, der CO2-",
        "Preis steigt, und die Weiterbildungs-",
        "förderung gilt für alle, die sie wollen.",
    ]
    paper.lines(printed, 60, y)
    block = parse_pdf(paper.finished()).blocks[-1]
    assert block.text == (
        "Ein- und Ausfuhr sind frei. Die Alten- und Krankenpflege wird besser bezahlt, der CO2-Preis steigt, "
        "und die Weiterbildungsförderung gilt für alle, die sie wollen."
    )
    assert [block.text[line.start : line.end] for line in block.lines] == [
        "Ein- und Ausfuhr sind frei. Die Alten- und Kranken",
        "pflege wird besser bezahlt, der CO2-",
        "Preis steigt, und die Weiterbildungs",
        "förderung gilt für alle, die sie wollen.",
    ]


def test_a_soft_hyphen_at_a_line_end_vanishes() -> None:
    paper = Paper()
    paper.lines(["Die Grundsicherung wird erhöht, sagt der Aus\u00ad", "schuss am Ende."], 60, 80)
    (block,) = parse_pdf(paper.finished()).blocks
    assert block.text == "Die Grundsicherung wird erhöht, sagt der Ausschuss am Ende."
