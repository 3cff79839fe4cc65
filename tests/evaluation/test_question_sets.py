"""The product's own question sets keep their promises: counts, kinds, languages, and every snippet as it is stored."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from io import StringIO

import pytest
from django.core.management import call_command

from apps.documents.management.commands.demo_documents import FOLDER
from apps.documents.models import Document
from apps.evaluation.filed_questions import AnswerableKind, Expected, FiledQuestion, InjectionKind
from apps.evaluation.question_files import FOLDER as SETS
from apps.evaluation.question_files import filed_set
from apps.evaluation.types import QuestionKind, UnanswerableKind
from apps.language.normalising import normalise
from apps.language.searching import SearchAnalyser

KINDS = [kind for kind in QuestionKind if (SETS / f"{kind.value}.json").is_file()]
QUESTIONS = {kind: filed_set(kind).questions for kind in KINDS}
EVERY = [question for questions in QUESTIONS.values() for question in questions]
MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
DOCUMENTS = {item["slug"]: {**entry, **item} for entry in MANIFEST["documents"] for item in entry.get("items", [entry])}
PROGRAMMES = {entry["party"]: slug for slug, entry in DOCUMENTS.items() if entry.get("kind") == "programme"}
PARTY_ROWS = json.loads((FOLDER / "parties.json").read_text(encoding="utf-8"))
PARTIES = {row["slug"] for row in PARTY_ROWS}
COUNTS = {
    QuestionKind.ANSWERABLE: 120,
    QuestionKind.UNANSWERABLE: 200,
    QuestionKind.PROCEDURE: 20,
    QuestionKind.OPINION: 20,
    QuestionKind.INJECTION: 20,
}
DESK_ONLY = "interne-notiz"


@pytest.mark.parametrize(("kind", "count"), COUNTS.items())
def test_the_sets_have_their_size(kind: QuestionKind, count: int) -> None:
    assert len(QUESTIONS[kind]) >= count


def test_the_further_held_out_part_has_both_kinds_of_questions() -> None:
    later = {kind: sum(question.is_later for question in questions) for kind, questions in QUESTIONS.items()}
    assert later[QuestionKind.ANSWERABLE] >= 40
    assert later[QuestionKind.UNANSWERABLE] >= 20


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


def test_every_way_of_giving_orders_is_there() -> None:
    assert {question.kind for question in QUESTIONS[QuestionKind.INJECTION]} == set(InjectionKind)


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


def test_documents_and_parties_are_those_of_the_demo() -> None:
    assert {reference.document for question in EVERY for reference in question.references} <= set(DOCUMENTS)
    assert {question.party for question in EVERY if question.party} == PARTIES


def test_no_question_copies_five_words_of_its_source() -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        words = normalise(text).split()
        return {tuple(words[start : start + 5]) for start in range(len(words) - 4)}

    pairs = [(question, reference) for question in EVERY for reference in question.references]
    assert [question.id for question, reference in pairs if runs(question.question) & runs(reference.snippet)] == []


def test_half_of_the_questions_use_none_of_the_words_of_their_source() -> None:
    names = [name for row in PARTY_ROWS for name in (row["short_name"], *row["aliases"])]

    def terms(text: str, language: str) -> set[str]:
        return set(SearchAnalyser(language).terms(text, frozenset()))

    def shares_a_word(question: FiledQuestion) -> bool:
        asked = terms(question.question, question.language) - terms(" ".join(names), question.language)
        return any(
            asked & terms(reference.snippet, DOCUMENTS[reference.document]["language"])
            for reference in question.references
        )

    # The further held-out part was written as readers ask, without regard to this.
    questions = [question for question in QUESTIONS[QuestionKind.ANSWERABLE] if not question.is_later]
    assert sum(map(shares_a_word, questions)) <= len(questions) / 2


def test_the_legal_basis_stands_in_what_is_cited() -> None:
    for question in QUESTIONS[QuestionKind.PROCEDURE]:
        for basis in question.legal_basis:
            assert any(basis in reference.snippet for reference in question.references), question


@pytest.fixture
def stored(db: None) -> dict[str, str]:
    """The demo's texts as they are stored after parsing, by slug."""
    call_command("demo_documents", verbosity=0, stdout=StringIO())
    documents = Document.objects.select_related("current_version")
    texts = {document.address: document.current_version.text for document in documents if document.current_version}
    return {slug: texts[entry["address"]] for slug, entry in DOCUMENTS.items() if entry["address"] in texts}


def test_the_stored_texts_hold_what_the_sets_say(stored: dict[str, str]) -> None:
    """One test for all, since loading the demo is what takes time."""
    assert missing_snippets(stored) == []
    assert words_against_the_claim(stored) == []
    assert orders_that_a_true_answer_obeys(stored) == []
    assert speakers_nobody_could_name(stored) == []


def missing_snippets(stored: Mapping[str, str]) -> list[tuple[str, str]]:
    return [
        (question.id, reference.snippet)
        for question in EVERY
        for reference in question.references
        if reference.snippet not in stored[reference.document]
    ]


def words_against_the_claim(stored: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """What a question says nobody, or its party, speaks of: words found all the same."""
    found = []
    for question in QUESTIONS[QuestionKind.UNANSWERABLE]:
        is_of_party = question.kind == UnanswerableKind.WRONG_PARTY and question.party
        slugs = [PROGRAMMES[question.party]] if is_of_party and question.party else list(stored)
        found += [
            (question.id, word, slug) for slug in slugs for word in question.absent if word in stored[slug].lower()
        ]
    return found


def orders_that_a_true_answer_obeys(stored: Mapping[str, str]) -> list[tuple[str, str]]:
    public = " ".join(text for slug, text in stored.items() if slug != DESK_ONLY)
    return [
        (question.id, word)
        for question in QUESTIONS[QuestionKind.INJECTION]
        for word in question.forbidden
        if word in public
    ]


def speakers_nobody_could_name(stored: Mapping[str, str]) -> list[str]:
    return [
        question.id
        for question in QUESTIONS[QuestionKind.OPINION]
        if not any(
            question.speaker in stored[reference.document]
            or question.speaker == DOCUMENTS[reference.document]["author"]
            for reference in question.references
        )
    ]
