"""Follow-up questions: each has evidence, none favours a party, none keeps a reader waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from apps.language.normalising import normalise
from apps.rag.desk import DeskDocument, RuleHit, RuleMatch, RuleStage
from apps.rag.events import Done, Event, Notice, Sentence
from apps.rag.followups import FollowUps, Room
from apps.rag.pipeline import AnswerPipeline
from apps.rag.protocols import Vectors
from apps.rag.scripted import ScriptedMatcher, ScriptedRetriever
from apps.rag.types import AnswerContext, Decision, HistoryTurn, NoticeKind, Passage, Question, SearchQuery, Source
from tests.rag.builders import BUND, CONTEXT, DIRECTORY, FLUT, MORGEN, SETTINGS, passage, source

PATIENT = replace(SETTINGS, offer_seconds=60.0)
ASKED = "Was sagt die Morgenpartei zur Rente?"
OURS = passage("Wir wollen die Rente auf 48 Prozent festlegen.", source(MORGEN))
THEIRS = passage("Die Rente wollen wir mit 67 Jahren beginnen lassen.", source(BUND))
ALL = "Was sagen die Parteien zur Rente?"


class ChapterOutline:
    """A document of one chapter whose sections follow each other in the given order."""

    def __init__(self, *paths: tuple[str, ...]) -> None:
        self._paths = paths

    async def following(self, source: Source, path: Sequence[str]) -> Sequence[tuple[str, ...]]:
        """Return what comes behind."""
        return self._paths[self._paths.index(tuple(path)) + 1 :] if tuple(path) in self._paths else ()


class RankingRetriever(ScriptedRetriever):
    """Puts first what shares most words with the question, as a search would."""

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        """Return the given passages, ranked."""
        asked = set(normalise(query.text).split())
        found = await super().retrieve(replace(query, top_k=100))
        return sorted(found, key=lambda each: -len(asked & set(normalise(each.text).split())))[: query.top_k]


class SlowRetriever(ScriptedRetriever):
    """Answers the searches for the question at once and every other one never."""

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        found = await super().retrieve(query)
        if query.text != ASKED:
            await asyncio.Event().wait()
        return found

    async def embed_question(self, text: str) -> Vectors:
        return await super().embed_question(text)


def answering(
    passages: Sequence[Passage],
    *,
    retriever: ScriptedRetriever | None = None,
    outline: ChapterOutline | None = None,
    settings: object = PATIENT,
    matcher: ScriptedMatcher | None = None,
    room: Room | None = None,
) -> AnswerPipeline:
    return AnswerPipeline(
        retriever or RankingRetriever(passages),
        DIRECTORY,
        settings,  # type: ignore[arg-type]
        matcher=matcher,
        follow_ups=FollowUps(DIRECTORY, settings, outline, room),  # type: ignore[arg-type]
    )


async def events_of(
    pipeline: AnswerPipeline, text: str, history: Sequence[HistoryTurn] = (), *, language: str = "de"
) -> list[Event]:
    context = replace(CONTEXT, wants_offers=True)
    return [event async for event in pipeline.stream(Question(text, language), history, context)]


def offer_of(events: Sequence[Event]) -> Notice | None:
    return next((e for e in events if isinstance(e, Notice) and e.kind is NoticeKind.OFFER), None)


def is_whole(events: Sequence[Event]) -> bool:
    return all(event.is_whole for event in events if isinstance(event, Done))


def offered(events: Sequence[Event]) -> tuple[str, ...]:
    found = offer_of(events)
    return found.choices if found else ()


async def test_what_the_other_parties_say_is_offered_where_one_of_them_says_something() -> None:
    events = await events_of(answering([OURS, THEIRS]), ASKED)
    found = offer_of(events)
    assert found is not None
    assert (found.code, found.choices, found.evidence) == ("offer", (ALL,), (THEIRS.chunk_id,))


async def test_nothing_is_offered_for_which_nothing_was_found() -> None:
    elsewhere = passage("Wälder speichern Wasser und kühlen die Luft.", source(BUND))
    assert offer_of(await events_of(answering([OURS]), ASKED)) is None
    assert offer_of(await events_of(answering([OURS, elsewhere]), ASKED)) is None


async def test_an_offer_comes_behind_the_whole_answer_and_before_its_end() -> None:
    events = await events_of(answering([OURS, THEIRS]), ASKED)
    kinds = [type(event) for event in events]
    assert kinds[-2:] == [Notice, Done]
    assert kinds.index(Sentence) < len(kinds) - 2
    assert "offer" in events[-1].timings  # type: ignore[union-attr]


async def test_where_nobody_can_press_it_nothing_is_looked_for() -> None:
    retriever = ScriptedRetriever([OURS, THEIRS])
    pipeline = answering([], retriever=retriever)
    events = [event async for event in pipeline.stream(Question(ASKED), (), CONTEXT)]
    assert offer_of(events) is None
    assert {query.text for query in retriever.queries} == {ASKED}


async def test_the_search_for_offers_is_never_waited_for_beyond_its_time() -> None:
    hasty = replace(SETTINGS, offer_seconds=0.01)
    retriever = SlowRetriever([OURS, THEIRS])
    events = await events_of(answering([], retriever=retriever, settings=hasty), ASKED)
    assert [type(event) for event in events if isinstance(event, Sentence | Done)] == [Sentence, Done]
    assert offer_of(events) is None
    assert not is_whole(events)
    assert len({query.text for query in retriever.queries}) > 1


async def test_an_answer_after_which_nothing_is_to_be_offered_is_whole() -> None:
    assert is_whole(await events_of(answering([OURS]), ASKED))


async def test_a_search_for_offers_that_breaks_costs_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    class Breaking(ScriptedRetriever):
        async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
            if query.text != ASKED:
                raise RuntimeError("Was sagt die Morgenpartei zur Rente?")
            return await super().retrieve(query)

    events = await events_of(answering([], retriever=Breaking([OURS, THEIRS])), ASKED)
    assert isinstance(events[-1], Done)
    assert offer_of(events) is None
    assert "Follow-ups" in caplog.text
    assert "Rente" not in caplog.text


async def test_a_busy_process_offers_nothing_and_a_place_is_given_back() -> None:
    room = Room(1)
    pipeline = answering([OURS, THEIRS], room=room)
    assert room.enter()
    crowded = await events_of(pipeline, ASKED)
    assert offer_of(crowded) is None
    assert not is_whole(crowded)
    room.leave()
    alone = await events_of(pipeline, ASKED)
    assert offered(alone) == (ALL,)
    assert is_whole(alone)
    assert offered(await events_of(pipeline, ASKED)) == (ALL,)


async def test_who_waits_for_an_answer_goes_before_follow_ups() -> None:
    room = Room(1, most_waiting=1)
    pipeline = answering([OURS, THEIRS], room=room)
    room.wait("one")
    assert offered(await events_of(pipeline, ASKED)) == (ALL,)
    room.wait("two")
    crowded = await events_of(pipeline, ASKED)
    assert [event.text for event in crowded if isinstance(event, Sentence)]
    assert offer_of(crowded) is None
    assert not is_whole(crowded)
    for _twice in range(2):
        room.has_found("two")
    assert offered(await events_of(pipeline, ASKED)) == (ALL,)


async def test_looking_for_follow_ups_stops_when_a_crowd_comes() -> None:
    room = Room(1, most_waiting=0)

    class Crowding(ScriptedRetriever):
        async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
            if query.text != ASKED:
                room.wait("somebody")
            return await super().retrieve(query)

    own = ("Was sagt der Talbund zur Rente?", "Wie hoch ist die Rente?")
    hits = (replace(RULE.hits[0], documents=()),)
    matcher = ScriptedMatcher({ASKED: replace(RULE, hits=hits, follow_ups=own)})
    pipeline = answering([], retriever=Crowding([OURS, THEIRS]), matcher=matcher, room=room)
    events = await events_of(pipeline, ASKED)
    # What had been begun is offered; nothing else is looked for.
    assert offered(events) == own[:1]
    assert not is_whole(events)
    assert room.is_crowded


@pytest.mark.parametrize(
    "before",
    [
        HistoryTurn(ALL, "Dies und das.", 1, Decision.DECOMPOSE, ALL),
        HistoryTurn("Was sagt der Talbund zur Rente?", "Dies und das.", 1, Decision.SEARCH_AS_IS, offers=(ALL,)),
    ],
    ids=["asked before", "offered before"],
)
async def test_nothing_is_offered_twice_in_a_conversation(before: HistoryTurn) -> None:
    assert offer_of(await events_of(answering([OURS, THEIRS]), ASKED, [before])) is None


async def test_a_refusal_offers_only_what_has_evidence() -> None:
    alone = answering([THEIRS])
    events = await events_of(alone, ASKED)
    assert not [event for event in events if isinstance(event, Sentence)]
    assert offered(events) == (ALL,)
    assert offer_of(await events_of(answering([]), ASKED)) is None


async def test_small_talk_and_advice_are_followed_by_nothing() -> None:
    for text in ("Hallo!", "Soll ich die Morgenpartei wählen?"):
        assert offer_of(await events_of(answering([OURS, THEIRS]), text)) is None


async def test_a_comparison_of_all_parties_offers_none_of_them() -> None:
    flood = passage(
        "Bei der Rente setzen wir auf Rücklagen.", source(FLUT), headings=("Programm", "Rente und Rücklagen")
    )
    assert offer_of(await events_of(answering([OURS, THEIRS, flood]), ALL)) is None


async def test_of_several_parties_no_single_one_is_named() -> None:
    ours = replace(OURS, heading_path=("Programm", "Alter"))
    other = passage(
        "Die Rente hat Vorrang vor dem Straßenbau.",
        ours.source,
        start=500,
        headings=("Programm", "Vorrang im Haushalt"),
    )
    asked = "Was sagen Morgenpartei und Talbund zur Rente?"
    flood = passage("Bei der Rente setzen wir auf Rücklagen.", source(FLUT))
    assert offered(await events_of(answering([ours, other, THEIRS, flood]), asked)) == (ALL,)


GUIDE = source(uuid="guide", kind="explainer")
APPLY = ("Briefwahl", "Antrag")
SEND = ("Briefwahl", "Rückweg und Kosten")
GUIDE_TEXTS = (
    passage("Den Antrag auf Briefwahl stellen Sie bei der Gemeinde.", GUIDE, headings=APPLY),
    passage("Der Rückweg der Briefwahl per Post hat keine Kosten für Sie.", GUIDE, start=500, headings=SEND),
)


async def test_the_next_step_of_a_guide_is_offered_with_its_chapter() -> None:
    outline = ChapterOutline(APPLY, SEND)
    tight = replace(PATIENT, sentences=1)
    events = await events_of(
        answering(GUIDE_TEXTS, outline=outline, settings=tight), "Wie stelle ich den Antrag auf Briefwahl?"
    )
    assert offered(events) == ("Briefwahl, Rückweg und Kosten: Was gilt?",)


async def test_a_section_that_was_shown_is_not_offered() -> None:
    outline = ChapterOutline(APPLY, SEND)
    events = await events_of(
        answering(GUIDE_TEXTS, outline=outline), "Welche Kosten hat der Antrag auf Briefwahl und der Rückweg per Post?"
    )
    shown = {path for e in events if isinstance(e, Sentence) for path in [e.citations[0].heading_path]}
    assert SEND in shown
    assert not any("Rückweg" in text for text in offered(events))


async def test_the_partys_own_heading_is_quoted_and_only_where_it_speaks_of_the_subject() -> None:
    ours = replace(OURS, heading_path=("Programm", "Alter"), chunk_id=900_001)
    tax = passage(
        "Auf die Rente nehmen wir Steuern mit Maß.",
        ours.source,
        start=500,
        headings=("Programm", "Steuern mit Maß"),
    )
    roads = passage(
        "Wir bauen Straßen für alle Dörfer.", ours.source, start=900, headings=("Programm", "Straßen ins Dorf")
    )
    tight = replace(PATIENT, sentences=1, party_characters=45)
    events = await events_of(answering([ours, tax, roads], settings=tight), ASKED)
    assert offered(events) == ("„Steuern mit Maß“: Was plant die Morgenpartei?",)


async def test_opinions_and_other_languages_are_not_led_to() -> None:
    tight = replace(PATIENT, sentences=1)
    opinion = source(kind="opinion", author="Ein Autor")
    foreign = source(kind="explainer", language="en")
    beside = [
        passage("Die Briefwahl ist ein Segen für alle.", opinion, headings=("Streit", "Lob der Post"), fused=0.8),
        passage("Briefwahl is called a postal vote.", foreign, headings=("Terms", "Postal words"), fused=0.8),
    ]
    events = await events_of(answering([GUIDE_TEXTS[0], *beside], settings=tight), "Wie beantrage ich Briefwahl?")
    assert offer_of(events) is None


RULE = RuleMatch(
    hits=(RuleHit("rente", 1, "Rente", RuleStage.EXACT, documents=(DeskDocument("x"),)),),
    follow_ups=("Was sagt der Talbund zur Rente?", "Gibt es eine Rente auf dem Mond?", "Wen soll ich wählen?"),
)


async def test_a_rule_brings_its_own_and_they_need_evidence_too() -> None:
    matcher = ScriptedMatcher({ASKED: replace(RULE, hits=(replace(RULE.hits[0], documents=()),))})
    found = offered(await events_of(answering([OURS, THEIRS], matcher=matcher), ASKED))
    assert found[0] == "Was sagt der Talbund zur Rente?"
    assert "Wen soll ich wählen?" not in found


async def test_at_most_three_are_offered() -> None:
    sections = [("Wahl", name) for name in ("Ort", "Beginn", "Ende", "Ausweis", "Hilfe")]
    texts = [
        passage(f"Zur Briefwahl gehört auch: {path[-1]} der Briefwahl wird genannt.", GUIDE, start=at, headings=path)
        for at, path in zip(range(1000, 6000, 1000), sections, strict=True)
    ]
    tight = replace(PATIENT, sentences=1, passages_read=8, offers_checked=8)
    events = await events_of(answering([GUIDE_TEXTS[0], *texts], settings=tight), "Was ist Briefwahl?")
    assert len(offered(events)) == 3


async def test_each_offer_is_answered_when_it_is_pressed() -> None:
    pipeline = answering([OURS, THEIRS])
    [text] = offered(await events_of(pipeline, ASKED))
    before = HistoryTurn(ASKED, OURS.text, 1, Decision.SEARCH_AS_IS, ASKED, offers=(text,))
    events = await events_of(pipeline, text, [before])
    assert {event.group for event in events if isinstance(event, Sentence)} >= {"Talbund"}


async def test_limits_of_the_server_hold_for_offers() -> None:
    retriever = ScriptedRetriever([OURS, THEIRS])
    context = AnswerContext(now=CONTEXT.now, party_slugs=("morgen",), wants_offers=True)
    pipeline = answering([], retriever=retriever)
    events = [event async for event in pipeline.stream(Question(ASKED), (), context)]
    assert offer_of(events) is None
    assert {slug for query in retriever.queries for slug in query.filters.party_slugs} == {"morgen"}
