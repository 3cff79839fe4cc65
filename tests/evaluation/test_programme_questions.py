"""The questions to real programmes name a party each; the suite wants its programme, and the page."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from apps.answering.suites.corpora import PROGRAMMES
from apps.core.suites import SUITES, load_suites
from apps.evaluation.suites.programmes import (
    ProgrammeQuestion,
    _own_figures,
    judge_programme,
    load_programme_questions,
)
from apps.evaluation.suites.verdicts import fault
from apps.language.normalising import normalise
from apps.rag.events import Done, Event, Retrieved, Sentence
from apps.rag.types import Citation, Outcome, Passage, Source
from tests.documents.builders import ready

QUESTIONS = load_programme_questions()
NAMES = {slug: (short, *aliases) for slug, short, _, aliases in PROGRAMMES}
ASKED = ProgrammeQuestion("r001", "Wie hoch soll das Rentenniveau bei Blau sein?", "de", "blau", (3, 4))
QUOTE = "Das Rentenniveau bleibt bei 48 Prozent."


def test_there_are_sixty_and_every_party_is_asked_alike() -> None:
    counts = Counter(question.party for question in QUESTIONS)
    assert len(QUESTIONS) >= 60
    assert set(counts) == set(NAMES)
    assert len(set(counts.values())) == 1


def test_a_sixth_at_least_is_english() -> None:
    assert sum(question.language == "en" for question in QUESTIONS) >= len(QUESTIONS) / 6


def test_nothing_is_asked_twice() -> None:
    assert len({normalise(question.question) for question in QUESTIONS}) == len(QUESTIONS)
    assert len({question.id for question in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_a_question_names_its_party_and_a_page(question: ProgrammeQuestion) -> None:
    asked = question.question.lower()
    names = [name.lower() for name in NAMES[question.party]] + (["greens"] if question.party == "gruene" else [])
    assert any(name in asked for name in names)
    assert question.pages
    assert min(question.pages) >= 1


@pytest.fixture
def answer(db: None) -> list[Event]:
    """A true answer from page 3 of a party's programme."""
    document = ready()
    version = document.current_version
    assert version is not None
    start = version.text.index(QUOTE)
    source = Source(
        str(document.uuid), version.number, document.title, document.kind, party_slug="blau", party_name="Blau"
    )
    citation = Citation(1, 7, source, start, start + len(QUOTE), QUOTE, page=3)
    passage = Passage(7, source, version.text, 0, len(version.text), page_from=2, page_to=4)
    return [Retrieved((passage,)), Sentence(QUOTE, (citation,), group="Blau"), Done(Outcome.ANSWERED)]


def changed(events: list[Event], **changes: object) -> list[Event]:
    return [
        replace(event, citations=(replace(event.citations[0], **changes),))  # type: ignore[arg-type]
        if isinstance(event, Sentence)
        else event
        for event in events
    ]


def test_the_right_page_of_the_right_programme_is_the_right_source(answer: list[Event]) -> None:
    verdict = judge_programme(answer, ASKED)
    assert fault(verdict) == ""
    assert _own_figures([verdict])["right_source"] == 1.0


def test_another_page_is_the_right_programme_and_not_the_right_source(answer: list[Event]) -> None:
    figures = _own_figures([judge_programme(changed(answer, page=9), ASKED)])
    assert (figures["right_programme"], figures["right_source"]) == (1.0, 0.0)


def test_a_quotation_without_a_page_stands_on_those_of_its_passage(answer: list[Event]) -> None:
    without = changed(answer, page=None)
    assert judge_programme(without, ASKED).contains_gold
    assert not judge_programme(without, replace(ASKED, pages=(5,))).contains_gold
    assert not judge_programme([Retrieved(()), *without[1:]], ASKED).contains_gold


def test_another_party_s_programme_is_neither(answer: list[Event]) -> None:
    verdict = judge_programme(answer, replace(ASKED, party="rot"))
    assert fault(verdict) == "other party"
    assert _own_figures([verdict])["right_programme"] == 0.0


def test_a_refusal_is_counted_as_one(answer: list[Event]) -> None:
    verdict = judge_programme([*answer[:-1], Done(Outcome.REFUSED)], ASKED)
    assert _own_figures([verdict])["refused"] == 1.0


def test_it_is_registered() -> None:
    load_suites()
    assert SUITES["citations:programmes"].needs_data
