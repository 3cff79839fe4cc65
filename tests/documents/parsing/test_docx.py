"""Everything that Word prints is read, nothing that it hides."""

from __future__ import annotations

import pytest

from apps.documents.parsing.docx import parse_docx
from apps.documents.parsing.types import Block, BlockKind
from tests.documents.parsing.office_files import STRICT, docx, paragraph

WHITE = "<w:color w:val='FFFFFF'/>"


def texts(data: bytes) -> list[str]:
    return [block.text for block in parse_docx(data).blocks]


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def box(text: str, fill: str = "") -> str:
    return f"<w:drawing><wps:wsp><wps:spPr>{fill}</wps:spPr><w:txbxContent>{text}</w:txbxContent></wps:wsp></w:drawing>"


PRINTED = {
    "content control": f"<w:sdt><w:sdtContent>{paragraph('Ja')}</w:sdtContent></w:sdt>",
    "inline content control": "<w:p><w:sdt><w:sdtContent><w:r><w:t>Ja</w:t></w:r></w:sdtContent></w:sdt></w:p>",
    "hyperlink": "<w:p><w:hyperlink><w:r><w:t>Ja</w:t></w:r></w:hyperlink></w:p>",
    "inserted text": "<w:p><w:ins><w:r><w:t>Ja</w:t></w:r></w:ins></w:p>",
    "field result": "<w:p><w:r><w:instrText>REF x</w:instrText></w:r><w:r><w:t>Ja</w:t></w:r></w:p>",
    "text box": f"<w:p><w:r>{box(paragraph('Ja'))}</w:r></w:p>",
    "choice, not its fallback": (
        f"<w:p><w:r><mc:AlternateContent><mc:Choice>{box(paragraph('Ja'))}</mc:Choice><mc:Fallback><w:pict>"
        f"<w:txbxContent>{paragraph('Nein')}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    ),
    "one-cell frame": f"<w:tbl>{row(cell('Ja'))}</w:tbl>",
    "white on a dark cell": (
        "<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill='1F3864'/></w:tcPr>"
        f"{paragraph('Ja', run=WHITE)}</w:tc></w:tr></w:tbl>"
    ),
    "white on a dark line": paragraph("Ja", properties="<w:shd w:fill='000000'/>", run=WHITE),
    "white in a filled shape": (f"<w:p><w:r>{box(paragraph('Ja', run=WHITE), '<solidFill/>')}</w:r></w:p>"),
    "hiding switched off": paragraph("Ja", run='<w:vanish w:val="0"/>'),
    "invisible letters": paragraph("J\u200ba\u00ad"),
}
HIDDEN = {
    "hidden run": paragraph("Nein", run="<w:vanish/>"),
    "white on white": paragraph("Nein", run=WHITE),
    "nearly white": paragraph("Nein", run='<w:color w:val="FEFEFE"/>'),
    "white on a light line": paragraph("Nein", properties="<w:shd w:fill='FFFFFF'/>", run=WHITE),
    "one point high": paragraph("Nein", run='<w:sz w:val="2"/>'),
    "hidden by its style": paragraph("Nein", properties='<w:pStyle w:val="Geheim"/>'),
    "deleted in tracked changes": "<w:p><w:del><w:r><w:delText>Nein</w:delText></w:r></w:del></w:p>",
    "moved away": "<w:p><w:moveFrom><w:r><w:t>Nein</w:t></w:r></w:moveFrom></w:p>",
    "field code": "<w:p><w:r><w:instrText>Nein</w:instrText></w:r></w:p>",
}
GEHEIM = (
    "<w:style w:type='paragraph' w:styleId='Basis'><w:rPr><w:vanish/></w:rPr></w:style>"
    "<w:style w:type='paragraph' w:styleId='Geheim'><w:basedOn w:val='Basis'/></w:style>"
)


@pytest.mark.parametrize("case", PRINTED)
def test_what_word_prints_is_read(case: str):
    assert texts(docx(PRINTED[case])) == ["Ja"]


@pytest.mark.parametrize("case", HIDDEN)
def test_what_word_hides_is_left_out(case: str):
    assert texts(docx(paragraph("davor") + HIDDEN[case], styles=GEHEIM)) == ["davor"]


def test_hidden_text_is_reported_to_the_editor():
    document = parse_docx(docx(paragraph("Sichtbar") + HIDDEN["white on white"]))
    assert document.hidden == ("Nein",)
    assert document.warnings == ("1 hidden passage was left out.",)


HEADING_STYLES = """
<w:style w:type='paragraph' w:styleId='berschrift1'><w:name w:val='heading 1'/></w:style>
<w:style w:type='paragraph' w:styleId='U2'><w:name w:val='Überschrift 2'/></w:style>
<w:style w:type='paragraph' w:styleId='Eigene'><w:name w:val='Kapitel'/>
<w:pPr><w:outlineLvl w:val='2'/></w:pPr></w:style>
<w:style w:type='paragraph' w:styleId='Erbe'><w:name w:val='Kapitel neu'/><w:basedOn w:val='U2'/></w:style>
<w:style w:type='paragraph' w:styleId='Titel'><w:name w:val='Title'/></w:style>
<w:style w:type='paragraph' w:styleId='Kreis'><w:name w:val='Kreis'/><w:basedOn w:val='Kreis'/></w:style>
"""
HEADINGS = {
    "built-in name": ("<w:pStyle w:val='berschrift1'/>", 1),
    "German name": ("<w:pStyle w:val='U2'/>", 2),
    "outline level of the style": ("<w:pStyle w:val='Eigene'/>", 3),
    "inherited": ("<w:pStyle w:val='Erbe'/>", 2),
    "outline level of the paragraph": ("<w:outlineLvl w:val='3'/>", 4),
    "title": ("<w:pStyle w:val='Titel'/>", 1),
    "body text by its own level": ("<w:pStyle w:val='Eigene'/><w:outlineLvl w:val='9'/>", 0),
    "style that inherits from itself": ("<w:pStyle w:val='Kreis'/>", 0),
    "no style": ("", 0),
}


@pytest.mark.parametrize("case", HEADINGS)
def test_headings_are_found_in_any_language(case: str):
    properties, level = HEADINGS[case]
    document = parse_docx(docx(paragraph("Rente", properties=properties), styles=HEADING_STYLES))
    assert [block.level for block in document.blocks] == [level]


def test_the_title_style_names_the_document():
    body = paragraph("Programm", properties="<w:pStyle w:val='Titel'/>") + paragraph("Text")
    assert parse_docx(docx(body, styles=HEADING_STYLES)).title == "Programm"


def level_xml(place: int, style: str, text: str, extra: str = "") -> str:
    form = f"<w:start w:val='1'/><w:numFmt w:val='{style}'/>{extra}<w:lvlText w:val='{text}'/>"
    return f"<w:lvl w:ilvl='{place}'>{form}</w:lvl>"


NUMBERING = (
    "<w:abstractNum w:abstractNumId='0'>"
    + level_xml(0, "decimal", "%1.")
    + level_xml(1, "decimal", "%1.%2")
    + level_xml(2, "lowerLetter", "%3)")
    + "</w:abstractNum><w:abstractNum w:abstractNumId='1'>"
    + level_xml(0, "bullet", "\uf0b7")
    + "</w:abstractNum><w:abstractNum w:abstractNumId='2'>"
    + level_xml(0, "upperRoman", "%1.", "<w:pStyle w:val='berschrift1'/>")
    + "</w:abstractNum>"
    "<w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num><w:num w:numId='2'><w:abstractNumId w:val='1'/></w:num>"
    "<w:num w:numId='3'><w:abstractNumId w:val='0'/><w:lvlOverride w:ilvl='0'><w:startOverride w:val='1'/>"
    "</w:lvlOverride></w:num><w:num w:numId='4'><w:abstractNumId w:val='2'/></w:num>"
)


def item(text: str, number: int, place: int = 0) -> str:
    return paragraph(text, properties=f"<w:numPr><w:ilvl w:val='{place}'/><w:numId w:val='{number}'/></w:numPr>")


def test_list_numbers_appear_as_printed():
    body = (
        item("a", 1)
        + item("b", 1, 1)
        + item("c", 1, 1)
        + item("d", 1, 2)
        + item("x", 2)
        + item("e", 1)
        + item("f", 1, 1)
    )
    expected = ["1. a", "1.1 b", "1.2 c", "a) d", "• x", "2. e", "2.1 f"]
    assert texts(docx(body, numbering=NUMBERING)) == expected


def test_a_new_list_starts_again():
    assert texts(docx(item("a", 1) + item("b", 1) + item("c", 3), numbering=NUMBERING)) == ["1. a", "2. b", "1. c"]


def test_heading_numbers_come_from_the_style():
    styles = (
        "<w:style w:type='paragraph' w:styleId='berschrift1'><w:name w:val='heading 1'/>"
        "<w:pPr><w:numPr><w:numId w:val='4'/></w:numPr></w:pPr></w:style>"
    )
    heading = "<w:pStyle w:val='berschrift1'/>"
    body = paragraph("Rente", properties=heading) + paragraph("Pflege", properties=heading)
    assert parse_docx(docx(body, styles=styles, numbering=NUMBERING)).blocks == (
        Block(BlockKind.HEADING, "I. Rente", level=1),
        Block(BlockKind.HEADING, "II. Pflege", level=1),
    )


def test_merged_cells_make_every_row_complete():
    table = (
        "<w:tbl>"
        + row(cell("Land"), cell("Jahr"), cell("Wert"), properties="<w:tblHeader/>")
        + row(cell("Bayern", "<w:vMerge w:val='restart'/>"), cell("2021"), cell("7"))
        + row(cell("", "<w:vMerge/>"), cell("2025"), cell("8"))
        + row(cell("Hessen"), cell("offen", "<w:gridSpan w:val='2'/>"))
        + "</w:tbl>"
    )
    (block,) = parse_docx(docx(table)).blocks
    assert block.kind is BlockKind.TABLE
    assert block.header_rows == 1
    assert block.text.split("\n") == [
        "Land | Jahr | Wert",
        "Bayern | 2021 | 7",
        "Bayern | 2025 | 8",
        "Hessen | offen | offen",
    ]


def test_a_nested_table_keeps_its_words():
    inner = f"<w:tbl>{row(cell('x'), cell('y'))}</w:tbl>"
    around = f"<w:tc>{inner}{paragraph('z')}</w:tc>"
    table = f"<w:tbl>{row(cell('A'), cell('B'))}{row(around, cell('C'))}</w:tbl>"
    assert texts(docx(table)) == ["A | B\nx, y z | C"]


def test_a_footnote_follows_its_paragraph_once():
    notes = "<w:footnote w:id='2'><w:p><w:r><w:t>Quelle: Amt</w:t></w:r></w:p></w:footnote>"
    reference = "<w:r><w:footnoteReference w:id='2'/></w:r>"
    body = f"<w:p><w:r><w:t>Satz.</w:t></w:r>{reference}</w:p><w:p><w:r><w:t>Nächster.</w:t></w:r>{reference}</w:p>"
    assert texts(docx(body, footnotes=notes)) == ["Satz.", "Quelle: Amt", "Nächster."]


def test_the_strict_namespace_reads_alike():
    assert texts(docx(paragraph("Ja"), namespace=STRICT)) == ["Ja"]


def test_white_text_on_a_dark_page_is_kept():
    background = "<w:background w:color='101820'/>"
    data = docx(paragraph("Ja", run=WHITE), before=background)
    assert texts(data) == ["Ja"]
