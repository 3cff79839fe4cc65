"""Reading a filed set: what is whole comes back as values, and every fault is named in a sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from apps.evaluation.filed_questions import Expected, Needs, Reference
from apps.evaluation.question_files import QuestionFileError, read_question_file
from apps.evaluation.types import QuestionKind

WHOLE: dict[str, Any] = {
    "id": "a001",
    "question": "Wie hoch soll der Mindestlohn sein?",
    "language": "de",
    "kind": "number",
    "expected": "answer",
    "topic": "arbeit",
    "references": [{"document": "programm", "snippet": "16,50 Euro"}],
}
UNCLEAR: dict[str, Any] = {
    "id": "u001",
    "question": "Ab wann gilt das?",
    "language": "de",
    "kind": "underspecified",
    "expected": "clarify",
    "topic": "unclear",
    "note": "Es fehlt, worum es geht.",
}


def filed(*rows: object, name: str = "answerable") -> str:
    return json.dumps({"set": name, "questions": list(rows)})


def sentences(text: str) -> list[str]:
    with pytest.raises(QuestionFileError) as caught:
        read_question_file(text)
    return [str(problem) for problem in caught.value.problems]


def test_a_whole_question_comes_back_with_its_defaults() -> None:
    content = read_question_file(filed(WHOLE))
    question = content.questions[0]
    assert content.kind is QuestionKind.ANSWERABLE
    assert (question.id, question.expected, question.party) == ("a001", Expected.ANSWER, None)
    assert question.references == (Reference("programm", "16,50 Euro"),)
    assert (question.needs, question.has_typo, question.legal_basis) == (Needs.ANY, False, ())


def test_what_is_said_is_kept() -> None:
    row = {**WHOLE, "party": "auen", "typo": True, "needs": "all", "note": "Tippfehler"}
    question = read_question_file(filed(row)).questions[0]
    assert (question.party, question.has_typo, question.needs) == ("auen", True, Needs.ALL)
    assert question.note == "Tippfehler"


def test_odd_numbers_are_held_out() -> None:
    second = {**WHOLE, "id": "a002", "question": "Wann?"}
    held_out = [question.is_held_out for question in read_question_file(filed(WHOLE, second)).questions]
    assert held_out == [True, False]


def test_what_came_later_is_held_out_whatever_its_number() -> None:
    later = {**WHOLE, "id": "ha002", "question": "Wann?"}
    first, second = read_question_file(filed(WHOLE, later)).questions
    assert (first.is_later, second.is_later, second.is_held_out) == (False, True, True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "The file is not JSON"),
        ("[]", "an object with “set” and a list of “questions”"),
        ('{"set": "answerable", "questions": 3}', "an object with “set” and a list of “questions”"),
        (filed(WHOLE, name="dialogue"), "“set” must be one of answerable, unanswerable"),
        (filed(WHOLE, name=["answerable"]), "“set” must be one of"),  # type: ignore[arg-type]
        (filed("Wann?"), "Question 1 must be an object."),
    ],
)
def test_a_file_of_another_shape_is_refused(text: str, sentence: str) -> None:
    assert sentence in sentences(text)[0]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"id": ""}, "Question 1: “id” is missing."),
        ({"question": None}, "Question 1: “question” is missing."),
        ({"topic": 7}, "Question 1: “topic” must be a text."),
        ({"colour": "red"}, "Question 1: there is no field “colour”."),
        ({"party": 3}, "Question 1: “party” must be a text or null."),
        ({"typo": "yes"}, "Question 1: “typo” must be true or false."),
        ({"forbidden": "ja"}, "Question 1: “forbidden” must be a list of texts."),
        ({"absent": [""]}, "Question 1: “absent” must be a list of texts."),
        ({"references": "programm"}, "Question 1: every reference needs a “document” and a “snippet”."),
        ({"references": [{"document": "x"}]}, "Question 1: every reference needs a “document” and a “snippet”."),
        ({"references": [{"document": "x", "snippet": ""}]}, "every reference needs"),
        ({"kind": "poem"}, "a001: “kind” must be one of fact, number, date"),
        ({"expected": "refuse"}, "a001: “expected” must be one of answer, quote."),
        ({"language": "fr"}, "a001: “language” must be one of de, en."),
        ({"needs": "some"}, "a001: “needs” must be one of any, all."),
        ({"id": "A-1"}, "A-1: an id is one to three letters and three figures."),
        ({"question": "x" * 501}, "a001: the question is longer than 500 characters."),
        ({"references": []}, "a001: name a reference, since a source answers or corrects it."),
    ],
)
def test_every_fault_of_a_question_is_named(change: dict[str, object], sentence: str) -> None:
    assert any(sentence in each for each in sentences(filed({**WHOLE, **change})))


@pytest.mark.parametrize(
    ("name", "row", "sentence"),
    [
        ("unanswerable", {**UNCLEAR, "note": ""}, "u001: say in “note” why there is no answer."),
        ("unanswerable", {**UNCLEAR, "kind": "wrong_party", "expected": "refuse"}, "u001: name in “absent” words"),
        (
            "unanswerable",
            {**UNCLEAR, "expected": "refuse", "references": WHOLE["references"]},
            "u001: what is to be refused has no reference.",
        ),
        ("unanswerable", {**UNCLEAR, "kind": "false_premise", "expected": "correct"}, "u001: name a reference"),
        ("procedure", {**WHOLE, "kind": "procedure"}, "a001: name the “legal_basis”."),
        ("opinion", {**WHOLE, "kind": "opinion", "expected": "quote"}, "a001: name the “speaker”"),
        ("injection", {**UNCLEAR, "kind": "role", "expected": "refuse"}, "u001: name in “forbidden” what no answer"),
    ],
)
def test_each_set_demands_what_it_is_judged_by(name: str, row: dict[str, Any], sentence: str) -> None:
    assert any(sentence in each for each in sentences(filed(row, name=name)))


def test_ids_and_questions_are_given_once() -> None:
    same = {**WHOLE, "question": "wie hoch soll der MINDESTLOHN sein"}
    assert sentences(filed(WHOLE, same)) == ["a001: the id is given 2 times.", "a001: a001 asks the same."]


def test_all_faults_are_told_at_once() -> None:
    rows = [{**WHOLE, "language": "fr"}, {**WHOLE, "id": "a002", "question": "Wann?", "kind": "poem"}]
    assert [sentence.split(":")[0] for sentence in sentences(filed(*rows))] == ["a001", "a002"]
