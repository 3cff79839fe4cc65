"""Reading order, headings, paragraphs, furniture and boxes of PDF pages drawn for the purpose."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from apps.documents.parsing.pdf import parse_pdf
from apps.documents.parsing.types import BlockKind, ParsedDocument
from apps.documents.suites.raw_pdf import RawPdf
from tests.documents.parsing.pdf_files import FILLER, HEIGHT, WIDTH, Paper, filler

BODY = " ".join(FILLER)


def texts(document: ParsedDocument) -> list[str]:
    return [block.text for block in document.blocks]


def headings(document: ParsedDocument) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in document.blocks if block.kind is BlockKind.HEADING]


def column(word: str, count: int = 8) -> list[str]:
    return [f"{word} Zeile {number} hat einen Satz mit Worten" for number in range(1, count)] + [f"{word} ist nun aus."]


def test_two_columns_are_read_one_after_the_other() -> None:
    paper = Paper()
    paper.lines(column("Links"), 50, 100)
    paper.lines(column("Rechts"), 310, 100)
    assert [block.text.split()[0] for block in parse_pdf(paper.finished()).blocks] == ["Links", "Rechts"]


def test_a_heading_across_both_columns_parts_the_page() -> None:
    paper = Paper()
    paper.lines(column("Eins"), 50, 100)
    paper.lines(column("Zwei"), 310, 100)
    paper.line("Eine Zwischenzeile, die über beide Spalten läuft und trennt", 60, 240, 16, "Helvetica-Bold")
    paper.lines(column("Drei"), 50, 280)
    paper.lines(column("Vier"), 310, 280)
    assert [text.split()[0] for text in texts(parse_pdf(paper.finished()))] == ["Eins", "Zwei", "Eine", "Drei", "Vier"]


def test_a_page_with_few_lines_uses_the_usual_gutter() -> None:
    paper = Paper()
    for _ in range(3):
        paper.lines(column("Links"), 50, 100)
        paper.lines(column("Rechts"), 310, 100)
        paper.next_page()
    paper.lines(["Hier steht links der Rest", "von einem kurzen Text."], 50, 100)
    paper.lines(["Und rechts steht der Schluss", "von dem ganzen Heft."], 310, 100)
    assert texts(parse_pdf(paper.finished()))[-2:] == [
        "Hier steht links der Rest von einem kurzen Text.",
        "Und rechts steht der Schluss von dem ganzen Heft.",
    ]


def test_a_sentence_runs_over_a_column_and_a_page() -> None:
    paper = Paper()
    left = [*column("Links")[:-1], "und sie geht weiter in der nächsten"]
    right = ["spalte, wo sie ein Ende hat.", *column("Rechts")[:-1], "und auch dies läuft über die Seiten"]
    paper.lines(left, 50, 100)
    paper.lines(right, 310, 100)
    paper.next_page()
    paper.lines(["hinweg bis hier.", *column("Neu")], 50, 100)
    blocks = parse_pdf(paper.finished()).blocks
    assert any("in der nächsten spalte, wo sie ein Ende hat." in block.text for block in blocks)
    crossing = next(block for block in blocks if "über die Seiten hinweg bis hier." in block.text)
    assert (crossing.page_from, crossing.page_to) == (1, 2)
    assert [line.page for line in crossing.lines][-1] == 2


def test_a_noun_s_capital_does_not_end_a_sentence_at_a_column() -> None:
    paper = Paper()
    paper.lines([*column("Links")[:-1], "und wir zahlen der Gemeinde je Kopf und"], 50, 100)
    paper.lines(["Jahr einen Betrag.", *column("Rechts")], 310, 100)
    assert any("je Kopf und Jahr einen Betrag." in text for text in texts(parse_pdf(paper.finished())))


def test_a_number_in_a_wide_set_line_at_the_edge_is_no_page_number() -> None:
    paper = Paper()
    paper.line("Das Geld wird ausgezahlt ab", 60, 60)
    paper.line("2028.", 60 + stringWidth("Das Geld wird ausgezahlt ab", "Helvetica", 10) + 20, 60)
    paper.lines(column("Danach"), 60, 72)
    paper.line("7", WIDTH / 2, HEIGHT - 30)
    text = " ".join(texts(parse_pdf(paper.finished())))
    assert "ausgezahlt ab 2028." in text
    assert not text.endswith("7")


def test_larger_and_bolder_lines_are_headings_with_levels() -> None:
    paper = Paper()
    y = 60.0
    for chapter in ("Wohnen in der Stadt", "Arbeit auf dem Land"):
        paper.line(chapter, 60, y, 18, "Helvetica-Bold")
        for part in ("Mieten", "Bauen"):
            paper.line(part, 60, y + 30, 13, "Helvetica-Bold")
            y = filler(paper, 60, y + 50, 1)
        paper.line("Was wir tun werden:", 60, y + 8, 10, "Helvetica-Bold")
        y = filler(paper, 60, y + 21, 1) + 20
    document = parse_pdf(paper.finished())
    assert headings(document) == [
        (1, "Wohnen in der Stadt"),
        (2, "Mieten"),
        (2, "Bauen"),
        (3, "Was wir tun werden:"),
        (1, "Arbeit auf dem Land"),
        (2, "Mieten"),
        (2, "Bauen"),
        (3, "Was wir tun werden:"),
    ]
    assert document.title == "Wohnen in der Stadt"


def test_a_bold_beginning_of_a_sentence_is_no_heading() -> None:
    paper = Paper()
    y = filler(paper, 60, 80)
    paper.line("Ein ganz fett gedruckter Anfang von einem Satz, der", 60, y, 10, "Helvetica-Bold")
    paper.lines(["danach mager weitergeht und erst hier endet."], 60, y + 13)
    assert headings(parse_pdf(paper.finished())) == []


def test_bookmarks_name_and_rank_headings() -> None:
    paper = Paper()
    for number in (1, 2):
        for level, title in enumerate((f"Kapitel {number}", "Ziele im Einzelnen")):
            paper.canvas.bookmarkPage(f"k{number}{level}")
            paper.canvas.addOutlineEntry(title, f"k{number}{level}", level=level)
        paper.line(f"Kapitel {number}", 60, 60, 16, "Helvetica-Bold")
        paper.line("Ziele im Einzelnen", 60, 100)
        filler(paper, 60, 130)
        paper.next_page()
    assert headings(parse_pdf(paper.finished())) == [
        (1, "Kapitel 1"),
        (2, "Ziele im Einzelnen"),
        (1, "Kapitel 2"),
        (2, "Ziele im Einzelnen"),
    ]


def test_a_gap_or_an_indent_opens_a_paragraph() -> None:
    paper = Paper()
    y = filler(paper, 60, 80, 2)
    y = paper.lines(
        ["Dies ist ein Absatz mit zwei Zeilen, von denen die", "zweite gefüllt ist bis an den Rand der Seite."],
        60,
        y,
    )
    paper.lines(["Eingerückt beginnt der nächste Absatz mit Text"], 75, y)
    paper.lines(["und er läuft hier noch ein Stück weiter bis hierher."], 60, y + 13)
    found = texts(parse_pdf(paper.finished()))
    assert found[:2] == [BODY, BODY]
    assert found[-1].startswith("Eingerückt")
    assert found[-1].endswith("bis hierher.")


def test_list_items_keep_their_marks() -> None:
    paper = Paper()
    y = filler(paper, 60, 80)
    for text in ("Erstens wird die Miete gesenkt", "Zweitens wird mehr gebaut"):
        paper.line("•", 66, y)
        paper.line(text, 80, y)
        paper.line("und das geschieht schon bald.", 80, y + 13)
        y += 26
    items = [block for block in parse_pdf(paper.finished()).blocks if block.kind is BlockKind.LIST_ITEM]
    assert [item.text for item in items] == [
        "• Erstens wird die Miete gesenkt und das geschieht schon bald.",
        "• Zweitens wird mehr gebaut und das geschieht schon bald.",
    ]
    assert all(len(item.lines) == 2 for item in items)


def test_a_dash_at_a_line_start_opens_an_item_only_after_an_end() -> None:
    paper = Paper()
    y = filler(paper, 60, 80)
    y = paper.lines(
        ["Alle Kinder sollen diese Hilfe in gleicher Höhe erhalten", "– egal wie viel ihre Eltern verdienen."], 60, y
    )
    paper.lines(["– Erstens gilt das ab sofort.", "– Zweitens gilt das für alle."], 60, y)
    assert texts(parse_pdf(paper.finished()))[-3:] == [
        "Alle Kinder sollen diese Hilfe in gleicher Höhe erhalten – egal wie viel ihre Eltern verdienen.",
        "– Erstens gilt das ab sofort.",
        "– Zweitens gilt das für alle.",
    ]


def test_line_numbers_are_not_text() -> None:
    paper = Paper()
    y, number = 80.0, 998
    for _ in range(4):
        for text in FILLER:
            paper.line(str(number), 30, y)
            paper.line(text, 60, y)
            y, number = y + 13, number + 1
        y += 8
    assert texts(parse_pdf(paper.finished())) == [BODY] * 4


def test_a_column_of_figures_without_order_is_text() -> None:
    paper = Paper()
    for row, number in enumerate((40, 7, 88, 3, 61, 25, 90, 14, 52, 9)):
        paper.line(str(number), 30, 80 + 13 * row)
        paper.line("Prozent der Befragten stimmen dem zu", 60, 80 + 13 * row)
    assert "88 Prozent der Befragten" in " ".join(texts(parse_pdf(paper.finished())))


def test_running_heads_and_page_numbers_are_left_out() -> None:
    paper = Paper()
    for number in range(7):
        paper.line("Wahlprogramm der Gelben Liste", 60, 30, 8)
        paper.line(f"Seite {number + 1} von 7", 280, 820, 8)
        paper.line(f"{'ABCDEFG'[number]} ist der Buchstabe von diesem Blatt.", 60, 300 + 20 * number)
        paper.next_page()
    found = texts(parse_pdf(paper.finished()))
    assert not any("Gelben Liste" in text or "von 7" in text for text in found)
    assert found == [f"{letter} ist der Buchstabe von diesem Blatt." for letter in "ABCDEFG"]


def test_a_footnote_does_not_tear_a_sentence() -> None:
    paper = Paper()
    filler(paper, 60, 80)
    paper.lines(["Dieser Satz steht am Ende der ersten Seite und er"], 60, 700)
    paper.line("1 Eine Anmerkung in kleiner Schrift.", 60, 760, 7)
    paper.next_page()
    paper.lines(["hört erst auf der zweiten Seite auf."], 60, 80)
    filler(paper, 60, 120)
    found = texts(parse_pdf(paper.finished()))
    assert "Dieser Satz steht am Ende der ersten Seite und er hört erst auf der zweiten Seite auf." in found
    assert "1 Eine Anmerkung in kleiner Schrift." in found


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_stand_where_a_turned_page_shows_the_line(rotation: int) -> None:
    pdf = RawPdf()
    pdf.page_entries.append(f"/Rotate {rotation}")
    pdf.text("Eine einzige Zeile steht auf diesem Blatt.", 100, 642, size=12)
    document = parse_pdf(pdf.finished())
    (block,) = document.blocks
    (line,) = block.lines
    middle = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    across = 100 + (max(line.x1 - line.x0, line.y1 - line.y0)) / 2
    expected = {
        0: (across, 197),
        90: (HEIGHT - 197, across),
        180: (WIDTH - across, HEIGHT - 197),
        270: (197, WIDTH - across),
    }[rotation]
    assert middle == pytest.approx(expected, abs=4)
    assert block.text == "Eine einzige Zeile steht auf diesem Blatt."
    assert document.pages[0].width == pytest.approx(HEIGHT if rotation in (90, 270) else WIDTH, abs=1)


def test_text_set_upright_on_a_turned_page_is_read_in_order() -> None:
    paper = Paper()
    paper.canvas.setPageRotation(90)
    paper.canvas.translate(WIDTH, 0)
    paper.canvas.rotate(90)
    for row, text in enumerate(FILLER):
        paper.canvas.drawString(80, 400 - 13 * row, text)
    assert texts(parse_pdf(paper.finished())) == [BODY]


def test_every_line_box_covers_its_slice_of_the_text() -> None:
    paper = Paper()
    paper.lines(column("Links"), 50, 100)
    paper.lines(column("Rechts"), 310, 100)
    for block in parse_pdf(paper.finished()).blocks:
        assert block.lines[0].start == 0
        assert block.lines[-1].end == len(block.text)
        for line in block.lines:
            assert block.text[line.start : line.end].strip()
            assert 0 <= line.x0 < line.x1 <= WIDTH
            assert 0 <= line.y0 < line.y1 <= HEIGHT
        for line, following in zip(block.lines, block.lines[1:], strict=False):
            assert 0 <= following.start - line.end <= 1
            assert following.y0 > line.y0


def test_ligatures_and_invisible_characters_are_cleaned() -> None:
    from apps.documents.parsing.pdf.paragraphs import clean

    assert clean("Die Schi\ufb00ahrt i\u200bs\u2060t ein\ufb01nanziert\U000e0041") == "Die Schiffahrt ist einfinanziert"
