"""A trace is told everything that the events leave out, and changes nothing of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TypeVar

import pytest

from apps.rag.citations import Fault
from apps.rag.events import Event, Failed, Sentence
from apps.rag.generation import ModelWriter, WriterSettings
from apps.rag.model_types import Deadlines, ModelError, ModelRequest
from apps.rag.pipeline import AnswerPipeline
from apps.rag.rewriting.types import RewriteContext
from apps.rag.routing import Route, RoutedBy
from apps.rag.scripted import ScriptedRetriever
from apps.rag.scripted_model import ModelFault, Reply, ScriptedModel
from apps.rag.tracing import (
    Drafted,
    Embedded,
    Judged,
    ModelAsked,
    ModelReplied,
    Noted,
    Searched,
    StageBegan,
    StageEnded,
    TracedModel,
    TracedRetriever,
    Understood,
)
from apps.rag.types import Passage, Question, SearchQuery
from tests.rag.builders import CONTEXT, DIRECTORY, MORGEN, SETTINGS, passage, source

QUESTION = "Was will die Morgenpartei beim Mindestlohn?"
PROGRAMME = passage("Wir erhöhen den Mindestlohn auf 15 Euro. Der Mindestlohn gilt für alle.", source(MORGEN))
GOOD = "Der Mindestlohn gilt für alle. [doc:1#chunk:1]"
BAD = "Der Mindestlohn steigt auf 99 Euro. [doc:1#chunk:1]"


Kind = TypeVar("Kind")


class Notes(list[Noted]):
    """A trace that keeps what it is told."""

    def note(self, noted: Noted) -> None:
        self.append(noted)

    def of(self, kind: type[Kind]) -> list[Kind]:
        return [each for each in self if isinstance(each, kind)]


class BrokenRetriever(ScriptedRetriever):
    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        raise ConnectionError


async def told(
    text: str, *replies: Reply, retriever: ScriptedRetriever | None = None, is_traced: bool = True
) -> tuple[Notes, list[Event]]:
    notes = Notes()
    searched = TracedRetriever(retriever or ScriptedRetriever([PROGRAMME]), notes)
    model = TracedModel(ScriptedModel(*replies), notes)
    writer = ModelWriter(model, DIRECTORY, settings=WriterSettings(deadlines=Deadlines(0.2, 0.2))) if replies else None
    pipeline = AnswerPipeline(searched, DIRECTORY, SETTINGS, writer=writer)
    stream = pipeline.stream(Question(text), (), CONTEXT, notes if is_traced else None)
    return notes, [event async for event in stream]


async def test_every_stage_is_told_with_its_times():
    notes, _ = await told(QUESTION)
    stages = [each.stage for each in notes.of(StageEnded)]
    assert stages[:5] == ["rewrite", "route", "understand", "retrieve", "judge"]
    assert {"write", "verify"} <= set(stages)
    assert [each.stage for each in notes.of(StageBegan)] == stages
    assert all(each.began <= each.ended for each in notes.of(StageEnded))


async def test_searches_are_told_with_their_limits_and_what_they_found():
    notes, _ = await told(QUESTION)
    searched = notes.of(Searched)[0]
    assert searched.passages == (PROGRAMME,)
    assert searched.query.preferred_party_slugs == ("morgen",)
    assert searched.query.filters.on == CONTEXT.now.date()
    assert notes.of(Embedded)[0].text == "Was will beim Mindestlohn?"


async def test_what_was_understood_and_judged_is_told():
    notes, _ = await told(QUESTION)
    (query, understood), *rest = notes.of(Understood)[0].queries
    assert (query, understood.parties, rest) == (QUESTION, (MORGEN,), [])
    parts = notes.of(Judged)[0].parts
    assert parts.readings[0].evidence.passages == (PROGRAMME,)
    assert {"coverage", "top", "refuse_below"} <= set(parts.readings[0].verdict.features)
    assert notes.of(RewriteContext)[0].turns == ()


async def test_the_route_is_told_with_what_decided():
    notes, _ = await told("Danke!")
    assert notes.of(Route) == [Route("thanks", RoutedBy.PATTERN)]
    assert not notes.of(Searched)
    notes, _ = await told(QUESTION)
    assert notes.of(Route) == [Route("", RoutedBy.DOUBT)]


async def test_quoted_sentences_are_told_as_drafts_that_passed():
    notes, events = await told(QUESTION)
    assert [(each.text, each.attempt, each.fault) for each in notes.of(Drafted)] == [
        (event.text, 0, None) for event in events if isinstance(event, Sentence)
    ]


async def test_drafts_that_the_gate_rejected_are_told_with_their_fault():
    notes, events = await told(QUESTION, Reply(f"{GOOD} {BAD}"), Reply(BAD))
    assert [(each.attempt, each.fault) for each in notes.of(Drafted)] == [
        (1, None),
        (1, Fault.UNSUPPORTED_FIGURE),
        (2, Fault.UNSUPPORTED_FIGURE),
    ]
    assert [event.text for event in events if isinstance(event, Sentence)] == ["Der Mindestlohn gilt für alle."]


async def test_prompts_and_replies_are_told_as_they_were_sent():
    notes, _ = await told(QUESTION, Reply(f"{BAD} {GOOD} {GOOD}"), Reply(GOOD))
    asked, replied = notes.of(ModelAsked), notes.of(ModelReplied)
    assert [each.messages for each in asked] == [each.messages for each in replied]
    assert QUESTION in asked[0].messages[-1].text
    assert PROGRAMME.text in asked[0].messages[-1].text
    # The first draft was stopped at its fault, the second one came whole.
    assert [each.is_whole for each in replied] == [False, True]
    assert replied[1].reply == GOOD
    assert all(each.first is not None and each.began <= each.first <= each.ended for each in replied)


async def test_a_model_that_fails_is_told_with_its_code():
    notes, _ = await told(QUESTION, Reply(GOOD, ModelFault.DOWN))
    replied = notes.of(ModelReplied)[0]
    assert (replied.reply, replied.first, replied.error, replied.is_whole) == ("", None, "no_connection", False)


async def test_a_search_that_breaks_is_told_by_the_name_of_its_error():
    notes, events = await told(QUESTION, retriever=BrokenRetriever([]))
    assert notes.of(Searched)[0].error == "ConnectionError"
    assert events[-1] == Failed("search_down")


async def test_a_trace_changes_nothing_of_the_answer():
    _, traced = await told(QUESTION, Reply(f"{GOOD} {BAD}"))
    notes, untraced = await told(QUESTION, Reply(f"{GOOD} {BAD}"), is_traced=False)
    assert [repr(event) for event in traced[:-1]] == [repr(event) for event in untraced[:-1]]
    # The pipeline itself has told nothing: only what was wrapped around search and model did.
    assert not notes.of(StageBegan)
    assert not notes.of(Judged)


async def collect(model: TracedModel, pieces: list[str]) -> None:
    async for piece in model.stream(ModelRequest(())):
        pieces.append(piece)  # noqa: PERF401


async def test_a_traced_model_hands_on_every_piece_and_every_error():
    clock = count(1)
    notes = Notes()
    model = TracedModel(ScriptedModel(Reply("Das gilt.", ModelFault.DIES, size=2)), notes, lambda: float(next(clock)))
    pieces: list[str] = []
    with pytest.raises(ModelError):
        await collect(model, pieces)
    assert "".join(pieces) == "Das gi"
    replied = notes.of(ModelReplied)[0]
    assert (replied.reply, replied.began, replied.first, replied.error) == ("Das gi", 1.0, 2.0, "died")
    assert model.name == "scripted"
