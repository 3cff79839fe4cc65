"""The product's own question sets keep their promises: counts, kinds, languages, and every snippet as it is stored."""

from __future__ import annotations

import json
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command

from apps.documents.management.commands.demo_documents import FOLDER
from apps.documents.models import Document
from apps.evaluation.question_files import FOLDER as SETS
from apps.evaluation.question_files import AnswerableKind, Expected, FiledQuestion, filed_set
from apps.evaluation.types import QuestionKind, UnanswerableKind
from apps.language.normalising import normalise

KINDS = [kind for kind in QuestionKind if (SETS / f"{kind.value}.json").is_file()]
QUESTIONS = {kind: filed_set(kind).questions for kind in KINDS}
EVERY = [question for questions in QUESTIONS.values() for question in questions]
MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
DOCUMENTS = {item["slug"]: item for entry in MANIFEST["documents"] for item in entry.get("items", [entry])}
PARTIES = {row["slug"] for row in json.loads((FOLDER / "parties.json").read_text(encoding="utf-8"))}
COUNTS = {QuestionKind.ANSWERABLE: 120, QuestionKind.UNANSWERABLE: 200}


@pytest.mark.parametrize(("kind", "count"), COUNTS.items())
def test_the_sets_have_their_size(kind: QuestionKind, count: int) -> None:
    assert len(QUESTIONS[kind]) == count


@pytest.mark.parametrize("kind", KINDS)
def test_a_fifth_of_a_set_is_english(kind: QuestionKind) -> None:
    languages = Counter(question.language for question in QUESTIONS[kind])
    assert languages["en"] / len(QUESTIONS[kind]) == pytest.approx(0.2, abs=0.02)


def test_every_kind_of_answerable_question_is_there_often_enough() -> None:
    kinds = Counter(question.kind for question in QUESTIONS[QuestionKind.ANSWERABLE])
    assert set(kinds) == set(AnswerableKind)
    assert min(kinds.values()) >= 8


def test_every_kind_of_unanswerable_question_is_there_often_enough() -> None:
    kinds = Counter(question.kind for question in QUESTIONS[QuestionKind.UNANSWERABLE])
    assert set(kinds) == set(UnanswerableKind)
    assert min(kinds.values()) >= 20


def test_a_false_premise_is_corrected_by_a_source_and_nothing_else_than_a_wrong_value_too() -> None:
    for question in QUESTIONS[QuestionKind.UNANSWERABLE]:
        corrected = question.expected is Expected.CORRECT
        if question.kind == UnanswerableKind.FALSE_PREMISE:
            assert corrected, question
        elif question.kind != UnanswerableKind.WRONG_VALUE:
            assert not corrected, question


def test_what_is_unclear_is_asked_back() -> None:
    for question in QUESTIONS[QuestionKind.UNANSWERABLE]:
        assert (question.kind == UnanswerableKind.UNDERSPECIFIED) == (question.expected is Expected.CLARIFY)


def test_no_question_is_asked_twice_in_all_sets() -> None:
    counts = Counter(normalise(question.question) for question in EVERY)
    assert [text for text, count in counts.items() if count > 1] == []


def test_no_id_is_given_twice_in_all_sets() -> None:
    assert len({question.id for question in EVERY}) == len(EVERY)


def test_no_question_is_one_of_the_demo_s_own() -> None:
    rows = json.loads((FOLDER / "questions.json").read_text(encoding="utf-8"))
    known = {normalise(row["question"]) for row in rows}
    assert [question.id for question in EVERY if normalise(question.question) in known] == []


def test_questions_are_as_short_as_readers_type_them() -> None:
    words = [len(question.question.split()) for question in QUESTIONS[QuestionKind.ANSWERABLE]]
    assert 6 <= sum(words) / len(words) <= 9


def test_some_questions_hold_a_typing_error() -> None:
    assert sum(question.has_typo for question in QUESTIONS[QuestionKind.ANSWERABLE]) >= 10


@pytest.mark.parametrize("question", EVERY, ids=lambda question: question.id)
def test_documents_and_parties_are_those_of_the_demo(question: FiledQuestion) -> None:
    assert {reference.document for reference in question.references} <= set(DOCUMENTS)
    assert question.party is None or question.party in PARTIES


@pytest.mark.parametrize("question", EVERY, ids=lambda question: question.id)
def test_a_question_copies_no_five_words_of_its_source(question: FiledQuestion) -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        words = normalise(text).split()
        return {tuple(words[start : start + 5]) for start in range(len(words) - 4)}

    assert not any(runs(question.question) & runs(reference.snippet) for reference in question.references)


@pytest.mark.django_db
def test_every_snippet_stands_word_for_word_in_the_stored_text_of_its_document() -> None:
    call_command("demo_documents", verbosity=0, stdout=StringIO())
    documents = Document.objects.select_related("current_version")
    stored = {document.address: document.current_version.text for document in documents if document.current_version}
    missing = [
        (question.id, reference)
        for question in EVERY
        for reference in question.references
        if reference.snippet not in stored[DOCUMENTS[reference.document]["address"]]
    ]
    assert missing == []
