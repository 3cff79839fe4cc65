"""Sets go out into files and come back as they were; what is wrong with a file is told at its row."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress

import pytest
from django.utils import translation

from apps.evaluation.exchange.exporting import FileKind, questions_export
from apps.evaluation.exchange.files import MOST_ROWS, QuestionFormatError, read_set_file
from apps.evaluation.exchange.importing import Fate, questions_import
from apps.evaluation.models import QuestionSet
from apps.evaluation.question_files import Expected, Needs, Reference
from apps.evaluation.serialising import question_spec, spec_from_json, spec_to_json
from apps.evaluation.shipping import shipped_files, shipped_sets
from apps.evaluation.types import QuestionKind
from apps.rag.types import Decision
from tests.chat.naughty import naughty_strings
from tests.documents.builders import ready
from tests.evaluation.building import question_set, spec, unanswerable

pytestmark = pytest.mark.django_db

FULL = spec(
    "d01",
    number=2,
    text="=Und „ab wann“ gilt das; 'wirklich'?",
    kind=QuestionKind.DIALOGUE,
    subkind="reference",
    language="en",
    expected=Expected.CORRECT,
    decision=Decision.REWRITE,
    references=(Reference("Programm | Teil 2", "15 Euro"), Reference("Nur der Titel", ""), Reference("x", "a | b")),
    needs=Needs.ALL,
    allowed=("Talbund", "-"),
    must=("+Lohn", "Juli, 2027"),
    forbidden_additions=('"Euro"',),
    forbidden=("@evil", "-x", "ruhig; auch"),
    offers=("Mehr?", "Weniger?"),
    items=("Eins", "Zwei"),
    choices=("wohnen",),
    queries=("Was gilt beim Wohnen?",),
    topic="arbeit",
    party="bund",
    speaker="Lena Harms",
    legal_basis=("§ 36 BWahlG", "§ 66 BWO"),
    absent=("Zeitumstellung",),
    has_typo=True,
    note="Zeile eins\n\n-Zeile drei",
)
ODD = [
    FULL,
    spec("n1", allowed=()),
    spec("n2", allowed=None),
    spec("n3", allowed=("-",)),
    unanswerable("u9", text="'=1+1"),
    spec("n4", expected=None, references=()),
]


def specs(made: QuestionSet) -> list:
    return [question_spec(row) for row in made.questions.order_by("position")]


def taken(data: bytes, made: QuestionSet | None = None, **values: object) -> QuestionSet:
    """Import a file for good."""
    target = made or QuestionSet.objects.create(slug="other", name="Other")
    looked = questions_import(question_set=target, data=data, **values)  # type: ignore[arg-type]
    assert not looked.refused, looked.refused
    assert questions_import(question_set=target, data=data, seen=looked.seen, **values).is_saved  # type: ignore[arg-type]
    return target


# --- nothing gets lost ---


@pytest.mark.parametrize("question", ODD, ids=lambda each: each.key)
def test_a_question_survives_json_and_the_database(question):
    assert spec_from_json(json.loads(json.dumps(spec_to_json(question)))) == question
    assert specs(question_set(specs=[question])) == [question]


@pytest.mark.parametrize(("kind", "delimiter"), [("csv", ";"), ("csv", ","), ("json", ";")])
def test_a_set_that_goes_out_and_comes_back_is_the_same(kind, delimiter):
    made = question_set(specs=ODD)
    export = questions_export(made, FileKind(kind), delimiter=delimiter)
    assert specs(taken(export.data)) == ODD


@pytest.mark.parametrize("kind", FileKind)
@pytest.mark.parametrize("slug", sorted(shipped_sets()))
def test_every_shipped_set_goes_out_and_comes_back_the_same(slug, kind):
    shipped = shipped_sets()[slug]
    assert specs(taken(questions_export(question_set(specs=shipped), kind).data)) == shipped


def test_coming_back_into_its_own_set_changes_nothing():
    made = question_set(specs=ODD)
    for kind in FileKind:
        outcome = questions_import(question_set=made, data=questions_export(made, kind).data, is_whole=True)
        assert (outcome.changes_nothing, outcome.count(Fate.SAME)) == (True, len(ODD))


def test_a_table_runs_nothing_in_a_spreadsheet():
    text = questions_export(question_set(specs=ODD), FileKind.CSV).data.decode("utf-8-sig")
    cells = [cell for row in csv.reader(io.StringIO(text), delimiter=";") for cell in row]
    assert cells
    assert not [cell for cell in cells if cell[:1] in "=+-@" and cell and cell != "-"]


# --- looking first ---


def test_nothing_is_saved_before_somebody_has_looked():
    made = question_set(specs=[spec("a1"), spec("a2")])
    data = b"id,question\na1,Was jetzt?\na3,Neu?\n"
    outcome = questions_import(question_set=made, data=data)
    assert [(row.key, row.fate) for row in outcome.rows] == [("a1", Fate.CHANGED), ("a3", Fate.NEW)]
    assert not outcome.is_saved
    assert specs(made) == [spec("a1"), spec("a2")]


def test_what_somebody_has_looked_at_is_saved_and_columns_that_are_missing_stay():
    made = taken(b"id,question\na1,Was jetzt?\na3,Neu?\n", question_set(specs=[spec("a1"), spec("a2")]))
    assert specs(made) == [
        spec("a1", text="Was jetzt?"),
        spec("a2"),
        spec("a3", text="Neu?", expected=None, references=()),
    ]


def test_a_set_that_changed_meanwhile_is_looked_at_again():
    made, data = question_set(specs=[spec("a1")]), b"id,question\na1,Was jetzt?\n"
    seen = questions_import(question_set=made, data=data).seen
    made.questions.update(note="von jemand anderem")
    outcome = questions_import(question_set=made, data=data, seen=seen)
    assert (outcome.is_saved, outcome.seen == seen) == (False, False)
    assert made.questions.get().text != "Was jetzt?"


def test_a_whole_file_removes_what_it_lacks():
    made = question_set(specs=[spec("a1"), spec("a2")])
    outcome = questions_import(question_set=made, data=b"id,question\na1,Was jetzt?\n", is_whole=True)
    assert outcome.removed == ("a2",)
    assert made.questions.count() == 2
    taken(b"id,question\na1,Was jetzt?\n", made, is_whole=True)
    assert [each.key for each in specs(made)] == ["a1"]


def test_documents_that_the_corpus_lacks_are_named():
    document = ready()
    document.address = "https://example.org/da"
    document.save()
    lines = ["id,question,references", "a1,Was?,https://example.org/da | x", "a2,Was?,https://example.org/weg | x"]
    made = QuestionSet.objects.create(slug="x", name="X")
    outcome = questions_import(question_set=made, data="\n".join(lines).encode())
    assert outcome.unknown == ("https://example.org/weg",)
    for name in (document.title, str(document.uuid)):
        data = json.dumps([{"id": "a", "question": "b", "references": [{"document": name, "snippet": ""}]}]).encode()
        assert questions_import(question_set=made, data=data).unknown == ()


# --- errors by row ---


def complaints(data: bytes) -> list[tuple[int, str, str]]:
    made = QuestionSet.objects.get_or_create(slug="x", defaults={"name": "X"})[0]
    outcome = questions_import(question_set=made, data=data)
    return [(row.number, each.column, each.sentence) for row in outcome.refused for each in row.complaints]


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [
        ("a1,,,,,,", "question", "must not be empty"),
        (",Was?,,,,,", "id", "must not be empty"),
        (f"a1,{'x' * 501},,,,,", "question", "longer than 500"),
        ("a1,Was?,zwei,,,,", "turn", "whole number"),
        ("a1,Was?,0,,,,", "turn", "whole number"),
        ("a1,Was?,,sometimes,,,", "set", "“sometimes” is none of answerable"),
        ("a1,Was?,,,perhaps,,", "expected", "“perhaps” is none of answer"),
        ("a1,Was?,,,,RAETSELN,", "decision", "“RAETSELN” is none of CHAT"),
        ("a1,Was?,,,,,vielleicht", "typo", "neither yes nor no"),
        ("a1,Was?,,unanswerable,answer,,", "expected", "cannot expect an answer"),
        ("a1,Was?,,unanswerable,refuse,,,wrong_praty", "kind", "is one of not_in_corpus, wrong_party"),
        (f"a1,Was?,,,,,,,{'x' * 10_001}", "note", "longer than 10000"),
        (f"a1,Was?,,,,,,,,{'x' * 501}", "forbidden", "longer than 500"),
        (f"a1,Was?,,,,,,,,,Programm | {'x' * 1_001}", "references", "longer than 1000"),
    ],
)
def test_what_is_wrong_is_told_at_its_row_and_column(row, column, words):
    names = "id,question,turn,set,expected,decision,typo,kind,note,forbidden,references"
    data = f"{names}\nok,Gut?,,,,,\n{row}\n".encode()
    [(number, where, sentence)] = complaints(data)
    assert (number, where) == (3, column)
    assert words in sentence


@pytest.mark.parametrize(("cell", "language"), [("", "de"), ("EN", "en"), ("fr", "fr"), ("pt-br", "pt-br")])
def test_any_language_can_be_asked_in(cell, language):
    made = taken(f"id,question,language\na1,Was?,{cell}\n".encode())
    assert made.questions.get().language == language


def test_a_language_is_no_word():
    [(_row, column, sentence)] = complaints(b"id,question,language\na1,Was?,deutsch\n")
    assert (column, "is no language" in sentence) == ("language", True)


def test_a_row_with_an_error_keeps_the_others_out():
    made = question_set(specs=[spec("a1")])
    data = b"id,question\na1,Was jetzt?\na2,\n"
    seen = questions_import(question_set=made, data=data).seen
    assert not questions_import(question_set=made, data=data, seen=seen).is_saved
    assert specs(made) == [spec("a1")]


def test_every_error_of_a_row_is_told():
    found = complaints(b"id,question,set,typo\na1,,sometimes,perhaps\n")
    assert {column for _row, column, _sentence in found} == {"question", "set", "typo"}


@pytest.mark.parametrize(
    ("entry", "column"),
    [
        ({"must": "kein Text?", "turn": True}, "turn"),
        ({"must": [1]}, "must"),
        ({"references": [{"document": "x"}]}, "references"),
        ({"references": "document | words", "allowed": {"a": 1}}, "allowed"),
        ({"question": ["x"]}, "question"),
        ({"must": ["x"] * 51}, "must"),
    ],
)
def test_values_of_the_wrong_kind_are_told_in_json_too(entry, column):
    data = json.dumps([{"id": "a1", "question": "Was?", **entry}]).encode()
    assert [where for _row, where, _sentence in complaints(data)] == [column]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "has no questions"),
        (b"id,question\n", "has no questions"),
        (b"question\nWas?\n", "no column “id”"),
        (b"id,question,expectd\na,b,c\n", "Is “expected” meant?"),
        (b"id,question,zzzz\na,b,c\n", "take the column out"),
        (b"id,question,id\na,b,c\n", "there twice"),
        (b"id,question\na,b,c\n", "Row 2 has more cells"),
        (b'id,question\na,"b\n', "has no end"),
        ("id,question\na,Größe\n".encode("cp1252"), "Windows-1252"),
        (b"{", "no JSON from line 1"),
        (b"{}", "list of"),
        (b'[{"id": "a", "questoin": "b"}]', "Is “question” meant?"),
        (b"[1]", "must be an object"),
        (b"[" * 100_000, "no JSON"),
        (b"id,question\na,b\na,c\n", "Rows 2 and 3 have the same id"),
        (b'[{"id": "a", "question": "b"}, {"id": "a", "question": "c", "turn": 1}]', "same id"),
        (b"id,turn,question\na,1,b\na,1.0,c\n", "Rows 2 and 3 have the same id"),
        (b"id,question\na b,b\na  b,c\n", "Rows 2 and 3 have the same id"),
        (b"Kennung;Frage\na;b\n", "which reads “kennung;frage”"),
        (b"id|question\na|b\n", "with commas, semicolons or tabs"),
        (b"PK\x03\x04\x14\x00", "no text but ZIP/XLSX"),
        (b"%PDF-1.7\n%\xe2\xe3", "no text but PDF"),
        (b"\x89PNG\r\n\x1a\n", "no text but PNG"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_in_a_sentence(data, words):
    made = QuestionSet.objects.create(slug="x", name="X")
    with pytest.raises(QuestionFormatError, match=words.replace("?", r"\?")):
        questions_import(question_set=made, data=data)


def test_a_file_of_too_many_rows_is_refused():
    data = b"id,question\n" + b"".join(b"a%d,Was?\n" % number for number in range(MOST_ROWS + 1))
    with pytest.raises(QuestionFormatError, match="more than"):
        read_set_file(data)


def test_the_products_own_files_can_be_imported_as_they_are():
    for path in shipped_files():
        made = QuestionSet.objects.create(slug=path.stem, name=path.stem)
        outcome = questions_import(question_set=made, data=path.read_bytes())
        assert not outcome.refused
        assert outcome.count(Fate.NEW) == len(shipped_sets()[path.stem])


def test_hostile_text_is_cleaned():
    made = taken("id,question,note\na1,Was \u202eist\x00 los?,x\n".encode())
    assert made.questions.get().text == "Was ist los?"


def test_naughty_files_are_read_or_told_in_a_sentence():
    for text in naughty_strings():
        data = text.encode("utf-8", "surrogatepass")
        for whole in (data, b"id,question\na," + data, b"[" + data, b'{"questions": [{"id": "' + data + b'"}]}'):
            with suppress(QuestionFormatError):
                assert read_set_file(whole).rows


@pytest.mark.parametrize(
    ("key", "row"),
    [("a1", "a1,1.0"), ("a1", "a1,01"), ("a 1", "a  1,1"), ("a 1", "a\u00a01,"), ("ä1", "a\u03081,1")],
)
def test_a_whole_file_removes_nothing_that_it_names_in_another_spelling(key, row):
    made = taken(f"id,turn,question\n{row},Was jetzt?\n".encode(), question_set(specs=[spec(key)]), is_whole=True)
    assert [(each.key, each.text) for each in specs(made)] == [(key, "Was jetzt?")]


def test_excels_note_of_the_sign_between_cells_is_no_row_of_names():
    file = read_set_file(b"sep=;\r\nid;question\r\na;b\r\n")
    assert [(row.number, row.values["question"]) for row in file.rows] == [(3, "b")]


def test_a_new_set_from_json_says_what_it_is_to_show():
    data = questions_export(question_set(description="Zeigt es."), FileKind.JSON).data
    assert taken(data).description == "Zeigt es."
    kept = QuestionSet.objects.create(slug="kept", name="Kept", description="Meins.")
    assert taken(data, kept).description == "Meins."


def test_letters_of_a_wrong_encoding_are_told_with_their_row():
    made = QuestionSet.objects.create(slug="x", name="X")
    data = "id,question\na,Gut?\nb,Was kostet Ã¼berhaupt was?\n".encode()
    assert questions_import(question_set=made, data=data).doubts == ("Row 3: “Ã¼”",)


def test_a_line_that_begins_like_json_is_told_in_the_language_of_whoever_looks():
    with translation.override("de"):
        [(_row, column, sentence)] = complaints(b"id,question,references\na,b,{kaputt\n")
    assert (column, "beginnt wie JSON" in sentence) == ("references", True)
