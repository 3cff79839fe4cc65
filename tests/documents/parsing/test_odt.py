"""ODT: lists, headings, notes and text boxes are read, hidden text is not."""

from __future__ import annotations

import pytest

from apps.documents.parsing.odt import parse_odt
from apps.documents.parsing.types import Block, BlockKind
from tests.documents.parsing.office_files import odf

STYLES = """
<style:style style:name="weg"><style:text-properties text:display="none"/></style:style>
<style:style style:name="weiss"><style:text-properties fo:color="#ffffff"/></style:style>
<style:style style:name="winzig"><style:text-properties fo:font-size="1pt"/></style:style>
<style:style style:name="kopf"><style:table-cell-properties fo:background-color="#203040"/></style:style>
<text:list-style style:name="L1">
<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
<text:list-level-style-bullet text:level="2"/></text:list-style>
"""


def texts(body: str) -> list[str]:
    return [block.text for block in parse_odt(odf("text", body, styles=STYLES)).blocks]


def test_headings_lists_and_inline_parts():
    body = (
        "<text:h text:outline-level='2'>Rente</text:h>"
        "<text:p>Eins<text:s/>zwei<text:line-break/><text:span>drei</text:span></text:p>"
        "<text:list text:style-name='L1'><text:list-item><text:p>a</text:p>"
        "<text:list><text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>c</text:p></text:list-item></text:list>"
    )
    assert parse_odt(odf("text", body, styles=STYLES)).blocks == (
        Block(BlockKind.HEADING, "Rente", level=2),
        Block(BlockKind.PARAGRAPH, "Eins zwei\ndrei"),
        Block(BlockKind.LIST_ITEM, "1. a"),
        Block(BlockKind.LIST_ITEM, "• b"),
        Block(BlockKind.LIST_ITEM, "2. c"),
    )


def test_notes_and_text_boxes_follow_their_paragraph():
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Quelle</text:p></text:note-body>"
    )
    frame = "<draw:frame><draw:text-box><text:p>Kasten</text:p></draw:text-box></draw:frame>"
    assert texts(f"<text:p>Satz.{note}</text:note>{frame}</text:p>") == ["Satz.", "Quelle", "Kasten"]


HIDDEN = {
    "hidden": "<text:p>davor<text:span text:style-name='weg'>Nein</text:span></text:p>",
    "white": "<text:p>davor<text:span text:style-name='weiss'>Nein</text:span></text:p>",
    "tiny": "<text:p>davor<text:span text:style-name='winzig'>Nein</text:span></text:p>",
    "comment": "<text:p>davor<office:annotation><text:p>Nein</text:p></office:annotation></text:p>",
    "deleted": "<text:tracked-changes><text:p>Nein</text:p></text:tracked-changes><text:p>davor</text:p>",
    "hidden paragraph": "<text:p>davor</text:p><text:p text:style-name='weg'>Nein</text:p>",
}


@pytest.mark.parametrize("case", HIDDEN)
def test_what_nobody_sees_is_left_out(case: str):
    assert texts(HIDDEN[case]) == ["davor"]


def test_white_text_on_a_dark_cell_is_kept():
    head = "<table:table-cell table:style-name='kopf'><text:p text:style-name='weiss'>{}</text:p></table:table-cell>"
    row = f"<table:table-row>{head.format('Land')}{head.format('Wert')}</table:table-row>"
    data = "<table:table-row><table:table-cell table:number-columns-spanned='2'><text:p>x</text:p></table:table-cell>"
    body = (
        f"<table:table><table:table-header-rows>{row}</table:table-header-rows>{data}</table:table-row></table:table>"
    )
    assert texts(body) == ["Land | Wert\nx |"]
