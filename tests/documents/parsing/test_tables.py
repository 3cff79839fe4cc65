"""CSV, XLSX and ODS: rows stay records with their header."""

from __future__ import annotations

import io
from datetime import datetime

import openpyxl
import pytest

from apps.documents.parsing.delimited import choose_delimiter, parse_csv
from apps.documents.parsing.grid import Cell, lay_out
from apps.documents.parsing.ods import parse_ods
from apps.documents.parsing.tables import is_number, sheet_blocks
from apps.documents.parsing.types import Block, BlockKind
from apps.documents.parsing.workbook import parse_xlsx
from tests.documents.parsing.office_files import odf

DELIMITERS = {
    "semicolon": ("a;b,c;d\n1;2,5;3", ";"),
    "comma": ("a,b;c,d\n1,2,3", ","),
    "tab": ("a\tb, c\n1\t2", "\t"),
    "pipe": ("a|b\n1|2", "|"),
    "comma in quotes": ('a;b\n"1,2,3,4";2', ";"),
    "ragged header": ("a;b\n1;2;3\n4;5;6", ";"),
}


@pytest.mark.parametrize("case", DELIMITERS)
def test_the_delimiter_is_found(case: str):
    text, expected = DELIMITERS[case]
    assert choose_delimiter(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1.234,5", True), ("-3 %", True), ("12 €", True), ("2025", True), ("3b", False), ("", False), ("Jahr", False)],
)
def test_what_a_figure_is(text: str, expected: bool):
    assert is_number(text) is expected


def test_a_csv_is_a_table_with_its_header():
    document = parse_csv("Land;Jahr\nBayern;2025\n\nHessen;2021\n".encode("utf-8-sig"))
    assert document.blocks == (Block(BlockKind.TABLE, "Land | Jahr\nBayern | 2025\nHessen | 2021", header_rows=1),)


def test_titles_above_and_notes_below_leave_the_table():
    note = "Vorläufige Zahlen, Stand vom Tag nach der Wahl."
    document = parse_csv(f"Ergebnis 2025;\nLand;Wert\nBayern;3\n{note};\n".encode())
    assert [(block.kind.value, block.text) for block in document.blocks] == [
        ("heading", "Ergebnis 2025"),
        ("table", "Land | Wert\nBayern | 3"),
        ("paragraph", note),
    ]
    assert document.title == "Ergebnis 2025"


def test_group_names_reach_over_their_columns():
    rows = [["Land", "Stimmen", "", "Sitze"], ["", "erste", "zweite", ""], ["Bayern", "5", "6", "7"]]
    (block,) = sheet_blocks(rows)
    assert block.header_rows == 2


def test_a_wide_table_becomes_one_record_per_row():
    header = ["Nr", "Gebiet", *[f"Partei {n}" if n % 2 else "" for n in range(1, 15)]]
    second = ["", "", *["Erst" if n % 2 else "Zweit" for n in range(1, 15)]]
    rows = [["Vorläufiges Ergebnis"], header, second]
    rows += [[str(n), f"Kreis {n}", *[str(n * 10 + c) for c in range(14)]] for n in (1, 2)]
    title, first, last = sheet_blocks(rows)
    assert title == Block(BlockKind.HEADING, "Vorläufiges Ergebnis", level=2)
    assert first.header_rows == 1
    assert first.text.split("\n")[:4] == ["Gebiet | Kreis 1", "Nr | 1", "Partei 1, Erst | 10", "Partei 1, Zweit | 11"]
    assert last.text.startswith("Gebiet | Kreis 2\n")


def test_a_table_without_figures_has_one_header_row():
    (block,) = sheet_blocks([["Thema", "Position"], ["Rente", "ja"], ["Miete", "nein"]])
    assert block.header_rows == 1


def test_spans_stay_inside_the_table():
    assert lay_out([[Cell("a", rows=9), Cell("b")], [Cell("c")]]) == [["a", "b"], ["a", "c"]]


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Umfrage"
    for row in (
        ["Partei", "Anteil", "Tag"],
        ["A", 0.235, datetime(2025, 2, 1)],
        ["Nein", 1, 2],
        ["B", 0.1 + 0.2, True],
    ):
        sheet.append(row)
    sheet["B2"].number_format = "0.0%"
    sheet.row_dimensions[3].hidden = True
    sheet["E1"], sheet["E2"] = "Geheim", "Nein"
    sheet.column_dimensions["E"].hidden = True
    second = book.create_sheet("Notizen")
    second["A1"] = "Nur ein Satz."
    secret = book.create_sheet("Versteckt")
    secret["A1"] = "Nein"
    secret.sheet_state = "hidden"
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_a_workbook_shows_what_a_reader_sees():
    document = parse_xlsx(workbook())
    assert document.blocks == (
        Block(BlockKind.HEADING, "Umfrage", level=1),
        Block(BlockKind.TABLE, "Partei | Anteil | Tag\nA | 23.5 % | 2025-02-01\nB | 0.3 | TRUE", header_rows=1),
        Block(BlockKind.HEADING, "Notizen", level=1),
        Block(BlockKind.PARAGRAPH, "Nur ein Satz."),
    )
    assert document.hidden == ("Geheim", "Nein", "Nein | 1 | 2", "Versteckt")


def test_a_cell_at_the_far_end_of_a_sheet_is_not_walked_to():
    book = openpyxl.Workbook()
    book.active["A1"] = "Land"
    book.active["XFD1"] = "weit"
    book.active.row_dimensions[1_048_576].height = 20
    buffer = io.BytesIO()
    book.save(buffer)
    assert parse_xlsx(buffer.getvalue()).blocks[0].text == "Land"


def ods_row(*cells: str, repeat: int = 1) -> str:
    inner = "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in cells)
    return f"<table:table-row table:number-rows-repeated='{repeat}'>{inner}</table:table-row>"


def test_an_ods_ends_where_its_data_end():
    empty = "<table:table-row table:number-rows-repeated='1048000'><table:table-cell/></table:table-row>"
    body = f"<table:table table:name='T'>{ods_row('Land', 'Wert')}{ods_row('Bayern', '3')}{empty}</table:table>"
    assert parse_ods(odf("spreadsheet", body)).blocks == (
        Block(BlockKind.TABLE, "Land | Wert\nBayern | 3", header_rows=1),
    )


def test_hidden_sheets_and_rows_of_an_ods_are_left_out():
    style = "<style:style style:name='aus'><style:table-properties table:display='false'/></style:style>"
    hidden_row = ods_row("Nein", "1").replace("<table:table-row", "<table:table-row table:visibility='collapse'")
    body = (
        f"<table:table table:name='Auf'>{ods_row('Land', 'Wert')}{hidden_row}{ods_row('Bayern', '3')}</table:table>"
        f"<table:table table:name='Zu' table:style-name='aus'>{ods_row('Nein', 'Nein')}</table:table>"
    )
    document = parse_ods(odf("spreadsheet", body, styles=style))
    assert "Nein" not in "".join(block.text for block in document.blocks)
    assert document.hidden == ("Zu",)
