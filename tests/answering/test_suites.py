"""The suites find what is wrong: each figure falls when its fault is planted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace

import pytest

from apps.answering.suites.citations import _judged
from apps.answering.suites.corpora import AskedParagraph
from apps.answering.suites.crowd import Crowd
from apps.answering.suites.serving import serving
from apps.answering.suites.speed import TimedModel, _questions
from apps.core.suites import BENCHES, SUITES, load_suites
from apps.documents.models import Party
from apps.rag.events import Done, Event, Failed, Retrieved, Sentence
from apps.rag.model_types import Message, ModelRequest, Role
from apps.rag.types import Citation, Outcome, Passage, Source
from tests.documents.builders import ready

QUOTE = "Das Rentenniveau bleibt bei 48 Prozent."


@pytest.fixture
def answer(db: None) -> list[Event]:
    """A true answer over a stored document."""
    document = ready()
    text = document.current_version.text
    start = text.index(QUOTE)
    source = Source(str(document.uuid), document.current_version.number, document.title, document.kind)
    citation = Citation(1, 7, source, start, start + len(QUOTE), QUOTE)
    passage = Passage(7, source, text, 0, len(text))
    return [Retrieved((passage,)), Sentence(QUOTE, (citation,)), Done(Outcome.ANSWERED)]


def judged(events: list[Event], change: Callable[[Sentence], Sentence] = lambda each: each) -> dict[str, int]:
    uuid = events[0].passages[0].source.uuid  # type: ignore[union-attr]
    changed = [change(event) if isinstance(event, Sentence) else event for event in events]
    return dict(_judged(changed, AskedParagraph("Wie hoch?", "48 Prozent", uuid)))


def cite(sentence: Sentence, **changes: object) -> Sentence:
    return replace(sentence, citations=(replace(sentence.citations[0], **changes),))  # type: ignore[arg-type]


def test_a_true_answer_has_every_point(answer: list[Event]) -> None:
    assert judged(answer) == {
        "answered": 1,
        "sentences": 1,
        "cited": 1,
        "verbatim": 1,
        "known": 1,
        "right_source": 1,
        "contains_gold": 1,
    }


@pytest.mark.parametrize(
    ("change", "figure"),
    [
        (lambda each: replace(each, citations=()), "cited"),
        (lambda each: replace(each, text=each.text.replace("48", "49")), "verbatim"),
        (lambda each: cite(each, start=each.citations[0].start + 1), "verbatim"),
        (lambda each: cite(each, chunk_id=8), "known"),
        (lambda each: replace(each, text="Etwas anderes."), "contains_gold"),
        (lambda each: replace(each, citations=()), "right_source"),
    ],
)
def test_a_planted_fault_costs_its_point(
    answer: list[Event], change: Callable[[Sentence], Sentence], figure: str
) -> None:
    assert judged(answer, change)[figure] == 0


@pytest.mark.parametrize(
    ("last", "counted"),
    [(Done(Outcome.REFUSED), {"refused": 1}), (Failed("search_down"), {"failed": 1})],
)
def test_refusals_and_failures_are_counted_apart(answer: list[Event], last: Event, counted: dict[str, int]) -> None:
    assert judged([*answer[:-1], last]) == counted


def test_they_are_registered() -> None:
    load_suites()
    assert "citations:extractive" in SUITES
    assert "answer" in BENCHES


@pytest.mark.django_db
def test_the_bench_asks_sixty_different_questions_of_every_party() -> None:
    for slug in ("eins", "zwei", "drei", "vier", "fuenf", "sechs"):
        Party.objects.create(slug=slug, name=f"Partei {slug}", short_name=slug.title())
    questions = _questions(66)
    assert len(questions) >= 60
    assert len(set(questions)) >= 60
    assert all(any(slug.title() in question for question in questions) for slug in ("eins", "sechs"))


@pytest.mark.django_db(transaction=True)
def test_the_crowd_reads_the_served_page_all_at_once() -> None:
    with serving() as site:
        crowd = Crowd(site.port, readers=3, per_second=20.0)
        visits = asyncio.run(crowd.read(["Hallo!"]))
    assert [visit.problem for visit in visits] == ["", "", ""]
    assert all(visit.first_ms for visit in visits)
    assert crowd.most_open == 3


def test_a_visit_that_fails_says_why() -> None:
    crowd = Crowd(1, readers=1, per_second=20.0)  # nobody listens there
    (visit,) = asyncio.run(crowd.read(["Hallo!"]))
    assert visit.has_failed
    assert visit.problem


class SlowModel:
    """Takes a second for each piece, by a clock that somebody else moves too."""

    name = "slow"

    def __init__(self) -> None:
        self.now = 0.0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str, None]:
        for piece in ("eins ", "zwei"):
            self.now += 1
            yield piece


async def test_what_a_model_takes_is_told_from_our_own_share() -> None:
    slow = SlowModel()
    model = TimedModel(slow, clock=lambda: slow.now)
    async for _ in model.stream(ModelRequest((Message(Role.USER, "Was gilt?"),))):
        slow.now += 10
    assert (slow.now, model.waited) == (22, 2)
