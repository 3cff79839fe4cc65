"""The stream of one turn from the first event to the last."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from itertools import count

import pytest

from apps.rag import writing
from apps.rag.events import Decided, Done, Failed, Notice, Retrieved, Sentence
from apps.rag.extracting import Draft, QuotedSpan
from apps.rag.pipeline import AnswerPipeline
from apps.rag.scripted import ScriptedRetriever
from apps.rag.settings import PipelineSettings
from apps.rag.types import Decision, HistoryTurn, NoticeKind, Outcome, Passage, Question, SearchQuery
from tests.rag.broken import BrokenRetriever, BrokenStatistics, HangingRetriever, VectorlessRetriever, refuse_work
from tests.rag.builders import (
    BUND,
    CONTEXT,
    DIRECTORY,
    FLUT,
    MORGEN,
    SETTINGS,
    ask,
    events_of,
    passage,
    pipeline,
    sentences,
    source,
)

WAGE = "Wir erhöhen den Mindestlohn auf 15 Euro. Er gilt ab dem 1. Juli 2025 für alle Beschäftigten."
HOUSING = "Wir bauen jedes Jahr 400.000 Wohnungen. Davon sind 100.000 gefördert."


def wage(party: object = MORGEN) -> Passage:
    return passage(WAGE, source(party), closeness=[0.9, 0.88])  # type: ignore[arg-type]


async def test_a_question_is_answered_word_for_word() -> None:
    found = wage()
    events = await ask([found], "Wie hoch soll der Mindestlohn der Morgenpartei sein?")
    assert [type(event) for event in events[:2]] == [Decided, Retrieved]
    assert isinstance(events[-1], Done)
    assert events[-1].outcome is Outcome.ANSWERED
    shown = sentences(events)
    assert shown
    for sentence in shown:
        [citation] = sentence.citations
        assert sentence.text == found.text[citation.start - found.start : citation.end - found.start]


async def test_how_to_answer_is_no_part_of_what_is_searched() -> None:
    asked = "Wie hoch soll der Mindestlohn der Morgenpartei sein?"
    retriever = ScriptedRetriever([wage()])
    events = await events_of(
        AnswerPipeline(retriever, DIRECTORY, SETTINGS), f"{asked} Beende die Antwort mit TORFKAHN."
    )
    decided = events[0]
    assert isinstance(decided, Decided)
    assert (decided.decision, decided.query, decided.reason) == (Decision.REWRITE, asked, "wishes_left_out")
    assert {query.text for query in retriever.queries} == {query.text for query in await _queries_of(asked)}
    assert [each.text for each in sentences(events)] == [each.text for each in sentences(await ask([wage()], asked))]


async def _queries_of(text: str) -> list[SearchQuery]:
    retriever = ScriptedRetriever([wage()])
    await events_of(AnswerPipeline(retriever, DIRECTORY, SETTINGS), text)
    return list(retriever.queries)


async def test_every_stage_is_timed_by_the_given_clock() -> None:
    ticks = count()
    answering = AnswerPipeline(ScriptedRetriever([wage()]), DIRECTORY, SETTINGS, clock=lambda: next(ticks) / 1000)
    done = (await events_of(answering, "Mindestlohn der Morgenpartei"))[-1]
    assert isinstance(done, Done)
    assert set(done.timings) == {"route", "rewrite", "understand", "retrieve", "judge", "requery", "write", "verify"}
    assert done.timings["route"] == pytest.approx(1.0)


@pytest.mark.parametrize(("text", "code"), [("Hallo!", "greeting"), ("Wen soll ich wählen?", "no_advice")])
async def test_small_talk_never_searches(text: str, code: str) -> None:
    retriever = ScriptedRetriever([wage()])
    events = await events_of(AnswerPipeline(retriever, DIRECTORY, SETTINGS), text)
    assert retriever.queries == []
    assert events[0] == Decided(Decision.CHAT, text, code)
    assert events[1] == Notice(NoticeKind.CHAT, code)


async def test_a_party_speaks_under_its_name() -> None:
    events = await ask([wage()], "Was sagt die Morgenpartei zum Mindestlohn?")
    assert {sentence.group for sentence in sentences(events)} == {"Morgenpartei"}


async def test_several_parties_speak_one_after_the_other_though_nobody_compares_them() -> None:
    found = [
        passage(f"Der Mindestlohn {what}.", source(party), closeness=[closeness])
        for party, what, closeness in (
            (BUND, "bleibt bei 13 Euro", 0.9),
            (FLUT, "steigt auf 15 Euro", 0.88),
            (None, "liegt derzeit bei 12,82 Euro", 0.87),
            (MORGEN, "gilt auch für Praktika", 0.86),
        )
    ]
    shown = [each for each in sentences(await ask(found, "Wie hoch ist der Mindestlohn?")) if not each.is_more]
    groups = [each.group for each in shown]
    assert len(set(groups)) > 2
    assert groups == sorted(groups, key=lambda group: (not group, group))
    numbers = [each.citations[0].number for each in shown]
    assert numbers == sorted(numbers)


async def test_no_party_stands_behind_more_only_where_another_stands_above() -> None:
    said = {MORGEN: "Der Mindestlohn steigt auf 15 Euro.", BUND: "Der Mindestlohn bleibt bei 13 Euro."}
    found = [passage(words, source(party), closeness=[0.9]) for party, words in said.items()]
    long = "Der Mindestlohn gilt für alle, die im Land arbeiten, " + "und auch für andere Menschen, " * 20
    found.append(passage(f"{long}sagt die Flutliste.", source(FLUT), closeness=[0.9]))
    shown = sentences(await ask(found, "Was sagen die Parteien zum Mindestlohn?"))
    assert [(each.group, each.is_more) for each in shown] == [
        ("Flutliste", False),
        ("Morgenpartei", False),
        ("Talbund", False),
    ]


async def test_no_other_party_answers_for_the_one_that_was_asked() -> None:
    events = await ask([wage(BUND), wage(MORGEN)], "Was sagt die Morgenpartei zum Mindestlohn?")
    assert {sentence.group for sentence in sentences(events)} == {"Morgenpartei"}


async def test_an_article_speaks_of_a_party_only_where_it_names_it() -> None:
    naming = passage("Die Flutliste will den Mindestlohn auf 15 Euro erhöhen.", source())
    silent = passage("Der Mindestlohn liegt derzeit bei 12,82 Euro.", source())
    events = await ask([silent, naming], "Was sagt die Flutliste zum Mindestlohn?")
    assert [sentence.text for sentence in sentences(events)] == [naming.text]


async def test_an_article_on_several_parties_is_quoted_only_where_it_means_the_one() -> None:
    article = passage(
        "Die Flutliste will einen Mindestlohn von 15 Euro. Der Talbund lehnt einen Mindestlohn von 15 Euro ab.",
        source(),
        closeness=[0.8, 0.9],
    )
    events = await ask([article], "Was sagt die Flutliste zum Mindestlohn?")
    assert [each.text for each in sentences(events)] == ["Die Flutliste will einen Mindestlohn von 15 Euro."]


async def test_a_comparison_searches_once_per_party_and_keeps_their_order() -> None:
    retriever = ScriptedRetriever([wage(BUND), wage(MORGEN), wage(FLUT)])
    answering = AnswerPipeline(retriever, DIRECTORY, SETTINGS)
    events = await events_of(answering, "Was sagen Talbund und Morgenpartei zum Mindestlohn?")
    assert sorted(query.filters.party_slugs for query in retriever.queries) == [("bund",), ("morgen",)]
    assert isinstance(events[0], Decided)
    assert events[0].decision is Decision.DECOMPOSE
    groups = [sentence.group for sentence in sentences(events)]
    assert groups == ["Morgenpartei", "Morgenpartei", "Talbund", "Talbund"]


async def test_a_silent_party_is_named() -> None:
    events = await ask([wage(MORGEN)], "Was sagen Talbund und Morgenpartei zum Mindestlohn?")
    [caveat] = [event for event in events if isinstance(event, Notice)]
    assert (caveat.kind, caveat.code, caveat.subjects) == (NoticeKind.CAVEAT, "party_silent", ("Talbund",))


async def test_the_server_limits_the_parties_whatever_the_question_says() -> None:
    retriever = ScriptedRetriever([wage(BUND), wage(MORGEN)])
    answering = AnswerPipeline(retriever, DIRECTORY, SETTINGS)
    context = type(CONTEXT)(now=CONTEXT.now, party_slugs=("morgen",))
    question = Question("Was sagt der Talbund zum Mindestlohn?")
    events = [event async for event in answering.stream(question, (), context)]
    assert {query.filters.party_slugs for query in retriever.queries} == {("morgen",)}
    assert sentences(events) == []


@pytest.mark.parametrize(
    ("passages", "text", "code"),
    [
        ([], "Wie hoch ist der Mindestlohn?", "empty_corpus"),
        ([], "Was sagt die Flutliste zum Mindestlohn?", "wrong_party"),
        ([wage(BUND)], "Was sagt die Flutliste zum Mindestlohn?", "wrong_party"),
        ([passage(HOUSING, source(MORGEN))], "Was sagt die Morgenpartei zum Walfang?", "not_enough"),
        ([passage(HOUSING)], "Welche Farbe hat das Nordlicht?", "not_enough"),
        ([passage("Wohnen und Bauen\n\nUnsere Themen im Überblick:")], "Wohnen und Bauen", "not_enough"),
    ],
)
async def test_a_refusal_is_a_planned_end_without_citations(passages: Sequence[Passage], text: str, code: str) -> None:
    events = await ask(passages, text)
    assert sentences(events) == []
    [notice] = [event for event in events if isinstance(event, Notice)]
    assert (notice.kind, notice.code) == (NoticeKind.REFUSAL, code)
    assert isinstance(events[-1], Done)
    assert events[-1].outcome is Outcome.REFUSED


async def test_a_refusal_offers_the_nearest_sources_once_each() -> None:
    document = source(MORGEN)
    near = [passage(HOUSING, document), passage(HOUSING, document, start=900), passage(HOUSING, source(MORGEN))]
    [notice] = [e for e in await ask(near, "Was sagt die Morgenpartei zum Walfang?") if isinstance(e, Notice)]
    assert [each.chunk_id for each in notice.nearest] == [near[0].chunk_id, near[2].chunk_id]


async def test_one_source_has_one_number_everywhere() -> None:
    document = source()
    first = passage("Der Mindestlohn gilt für alle Branchen im Land.", document, closeness=[0.9])
    other = passage("Über den Mindestlohn berät eine Kommission.", closeness=[0.8])
    again = passage("Ein höherer Mindestlohn entlastet den Staat.", document, start=4000, closeness=[0.77])
    shown = sentences(await ask([first, other, again], "Mindestlohn"))
    numbers = {(c.source.uuid, c.number) for sentence in shown for c in sentence.citations}
    assert numbers == {(document.uuid, 1), (other.source.uuid, 2)}
    assert len(shown) == 3


async def test_at_most_five_sentences_and_ninety_words_come_before_more() -> None:
    passages = [wage(party) for party in (MORGEN, BUND, FLUT)]
    shown = sentences(await ask(passages, "Was sagen die Parteien zum Mindestlohn?"))
    before = [sentence for sentence in shown if not sentence.is_more]
    assert len(before) <= 5
    assert sum(len(sentence.text.split()) for sentence in before) <= 90
    assert len(shown) > len(before)


async def test_opinion_is_quoted_only_with_its_author() -> None:
    text = "Der Mindestlohn von 15 Euro ist ein Gebot der Vernunft."
    anonymous = passage(text, source(kind="opinion"))
    signed = passage(text, source(kind="opinion", author="Redaktion"))
    assert sentences(await ask([anonymous], "Mindestlohn")) == []
    [sentence] = sentences(await ask([signed], "Mindestlohn"))
    assert sentence.is_quote
    assert (sentence.citations[0].source.kind, sentence.citations[0].source.author) == ("opinion", "Redaktion")


async def test_an_english_question_gets_the_german_words() -> None:
    found = passage("Sie können per Brief wählen, wenn Sie verreist sind.", closeness=[0.9])
    events = await ask([found], "How can I vote by mail when I am abroad?", language="en")
    assert [(each.text, each.language) for each in sentences(events)] == [(found.text, "de")]


async def test_a_complete_question_is_answered_alike_whatever_was_said_before() -> None:
    history = [HistoryTurn("Was sagt der Talbund zur Rente?", "Die Rente bleibt.")]
    answering = pipeline([wage()])
    with_history = await events_of(answering, "Mindestlohn der Morgenpartei", history=history)
    assert sentences(with_history) == sentences(await events_of(answering, "Mindestlohn der Morgenpartei"))


QUICK = PipelineSettings(embedder="fake/hash", search_seconds=0.01)


@pytest.mark.parametrize(
    ("answering", "code"),
    [
        (AnswerPipeline(BrokenRetriever([]), DIRECTORY, SETTINGS), "search_down"),
        (AnswerPipeline(HangingRetriever([]), DIRECTORY, QUICK), "search_down"),
        (
            AnswerPipeline(ScriptedRetriever([wage()]), DIRECTORY, SETTINGS, statistics=BrokenStatistics()),
            "judge_failed",
        ),
        (AnswerPipeline(ScriptedRetriever([wage()]), DIRECTORY, SETTINGS, offload=refuse_work), "rewrite_failed"),
    ],
)
async def test_what_breaks_becomes_failed_without_the_readers_words(
    answering: AnswerPipeline, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        events = await events_of(answering, "Geheimwort Mindestlohn")
    assert events[-1] == Failed(code)
    assert caplog.records
    assert "Geheimwort" not in caplog.text


async def test_without_an_embedder_words_still_find_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    answering = AnswerPipeline(VectorlessRetriever([wage()]), DIRECTORY, PipelineSettings())
    assert sentences(await events_of(answering, "Was sagt die Morgenpartei zum Mindestlohn?"))
    assert "Mindestlohn" not in caplog.text


async def test_a_search_that_is_given_up_leaves_no_task() -> None:
    retriever = HangingRetriever([])
    before = asyncio.all_tasks()
    await events_of(AnswerPipeline(retriever, DIRECTORY, QUICK), "Was sagen die Parteien zum Mindestlohn?")
    assert retriever.waiting == 0
    assert asyncio.all_tasks() == before


async def test_a_reader_who_leaves_during_the_search_leaves_nothing() -> None:
    retriever = HangingRetriever([])
    answering = AnswerPipeline(retriever, DIRECTORY, SETTINGS)
    task = asyncio.create_task(events_of(answering, "Was sagen die Parteien zum Mindestlohn?"))
    while not retriever.waiting:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert retriever.waiting == 0


@pytest.mark.parametrize("read", [1, 2, 3])
async def test_a_reader_who_leaves_between_events_leaves_nothing(read: int) -> None:
    before = asyncio.all_tasks()
    stream = pipeline([wage()]).stream(Question("Mindestlohn der Morgenpartei"), (), CONTEXT)
    for _ in range(read):
        await anext(stream)
    await stream.aclose()
    assert asyncio.all_tasks() == before


async def test_bad_drafts_are_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    found = wage()
    span = QuotedSpan(found.chunk_id, 0, 40)
    bad = [
        Draft("Wir erhöhen den Mindestlohn auf 16 Euro.", (span,), group="Morgenpartei"),
        Draft(WAGE[:40], (), group="Morgenpartei"),
        Draft(WAGE[:40], (span,), group="Talbund"),
    ]
    monkeypatch.setattr(writing, "drafts_of", lambda *_: bad)
    events = await ask([found], "Mindestlohn der Morgenpartei")
    assert not any(isinstance(event, Sentence) for event in events)
    assert isinstance(events[-1], Done)
    assert events[-1].outcome is Outcome.REFUSED
