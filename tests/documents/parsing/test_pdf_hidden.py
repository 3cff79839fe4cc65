"""What nobody can see on the page is not read; light text on dark ground is."""

from __future__ import annotations

import pytest

from apps.documents.parsing.pdf import parse_pdf
from apps.documents.suites.hidden_pdfs import HONEST, SECRET, Case, hidden_cases
from apps.documents.suites.honest_pdfs import honest_cases
from apps.documents.suites.raw_pdf import RawPdf

NOT_IN_THE_TEXT_LAYER = {"hidden note", "document title", "bookmark"}


@pytest.mark.parametrize("case", hidden_cases(), ids=lambda case: case.name)
def test_a_hidden_sentence_is_kept_out_and_told(case: Case) -> None:
    document = parse_pdf(case.data)
    text = " ".join([document.title, *(block.text for block in document.blocks)])
    assert case.honest in text
    assert not [word for word in SECRET.split() if len(word) > 4 and word in text]
    if case.name not in NOT_IN_THE_TEXT_LAYER:
        assert document.hidden
        assert "hidden passage" in document.warnings[0]


@pytest.mark.parametrize("case", honest_cases(), ids=lambda case: case.name)
def test_an_honest_sentence_stays(case: Case) -> None:
    document = parse_pdf(case.data)
    assert case.honest in " ".join(block.text for block in document.blocks)
    assert document.hidden == ()
    assert document.warnings == ()


def test_a_hidden_half_of_a_line_leaves_the_other_half() -> None:
    pdf = RawPdf()
    pdf.text(HONEST, 60, 700)
    shown = "(Die Sitzung endete ) Tj 1 g (mit einem Geheimnis ) Tj 0 g (am Abend.) Tj"
    pdf.draw(f"BT /F1 12 Tf 1 0 0 1 60 650 Tm {shown} ET")
    document = parse_pdf(pdf.finished())
    assert document.blocks[-1].text.split() == ["Die", "Sitzung", "endete", "am", "Abend."]
    assert document.hidden == ("mit einem Geheimnis",)


def test_a_short_replacement_text_is_believed() -> None:
    pdf = RawPdf()
    shown = "(Die ) Tj /Span << /ActualText (fi) >> BDC (f) Tj EMC (nanzen sind solide.) Tj"
    pdf.draw(f"BT /F1 12 Tf 1 0 0 1 60 700 Tm {shown} ET")
    document = parse_pdf(pdf.finished())
    assert document.blocks[0].text == "Die finanzen sind solide."
    assert document.hidden == ()


def test_zero_width_characters_between_letters_vanish() -> None:
    from apps.documents.parsing.pdf.paragraphs import clean

    assert clean("I\u200bg\u200cn\u200do\u2060r\ufeffi\u00ade\u200br\u200be") == "Ignoriere"


def test_every_trick_is_one_of_its_kind() -> None:
    cases = hidden_cases()
    assert len(cases) >= 20
    assert len({case.name for case in cases}) == len({case.data for case in cases}) == len(cases)
    assert len(honest_cases()) >= 10
