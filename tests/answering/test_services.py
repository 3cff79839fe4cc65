"""A question answered from real rows: parties, search, pipeline, citations."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from functools import partial

import pytest
from django.db import connection
from django.utils import timezone

from apps.answering import services
from apps.answering.parties import party_directory
from apps.answering.readiness import is_warm, warm_up_soon
from apps.answering.services import answer_stream
from apps.answering.statistics import CorpusStatistics
from apps.documents.models import Collection, DocumentVersion, Party
from apps.documents.search.retriever import run_search
from apps.language.thesaurus import term_stem
from apps.rag.events import Decided, Done, Event, Failed, Notice, Retrieved, Sentence
from apps.rag.followups import Room
from apps.rag.types import AnswerContext, Citation, Outcome, Question
from apps.rules.models import ProtectedTerm
from tests.documents.builders import ready

MORNING = """# Programm der Morgenpartei

## Arbeit

Wir erhöhen den Mindestlohn auf 15 Euro je Stunde. Davon haben sechs Millionen Beschäftigte etwas.

## Wohnen

Wir bauen jedes Jahr 400.000 neue Wohnungen in den Städten.
"""
VALLEY = """# Programm des Talbunds

## Arbeit

Über die Höhe vom Mindestlohn entscheiden Arbeitgeber und Gewerkschaften allein.
"""


@pytest.fixture
def corpus(transactional_db: None) -> list[Party]:
    """Two invented parties with one short programme each."""
    parties = [
        Party.objects.create(slug="morgen", name="Morgenpartei Deutschlands", short_name="Morgenpartei", order=1),
        Party.objects.create(slug="tal", name="Talbund der Länder", short_name="Talbund", order=2),
    ]
    for party, text in zip(parties, (MORNING, VALLEY), strict=True):
        facts = {"kind": "programme", "party": party, "language": "de"}
        ready(text, f"{party.slug}.md", facts=facts)
    return parties


async def ask(text: str, *, language: str = "de", **limits: object) -> list[Event]:
    context = AnswerContext(now=timezone.localtime(), **limits)  # type: ignore[arg-type]
    return [event async for event in answer_stream(question=Question(text, language), history=(), context=context)]


def stored_text(citation: Citation) -> str:
    return DocumentVersion.objects.get(document__uuid=citation.source.uuid, number=citation.source.version).text


def sentences(events: Sequence[Event]) -> list[Sentence]:
    return [event for event in events if isinstance(event, Sentence)]


async def test_every_sentence_stands_in_the_stored_text(corpus: list[Party]) -> None:
    events = await ask("Was sagt die Morgenpartei zum Mindestlohn?")
    shown = sentences(events)
    assert "Wir erhöhen den Mindestlohn auf 15 Euro je Stunde." in [sentence.text for sentence in shown]
    for sentence in shown:
        [citation] = sentence.citations
        stored = await run_search(partial(stored_text, citation))
        assert stored[citation.start : citation.end] == sentence.text
        assert sentence.group == "Morgenpartei"


async def test_two_parties_answer_each_under_their_name(corpus: list[Party]) -> None:
    shown = sentences(await ask("Was sagen Talbund und Morgenpartei zum Mindestlohn?"))
    assert list(dict.fromkeys(sentence.group for sentence in shown)) == ["Morgenpartei", "Talbund"]
    assert {sentence.citations[0].source.party_slug for sentence in shown if sentence.group == "Talbund"} == {"tal"}


async def test_what_no_source_says_is_refused(corpus: list[Party]) -> None:
    events = await ask("Was sagt der Talbund zum Walfang vor Island?")
    assert sentences(events) == []
    assert isinstance(events[-1], Done)
    assert events[-1].outcome is Outcome.REFUSED


async def test_what_the_desk_keeps_to_itself_is_not_quoted(corpus: list[Party]) -> None:
    await run_search(lambda: Collection.objects.update(visibility="desk"))
    events = await ask("Was sagt die Morgenpartei zum Mindestlohn?")
    assert sentences(events) == []
    assert not any(notice.nearest for notice in events if isinstance(notice, Notice))


async def test_an_empty_corpus_says_so(transactional_db: None) -> None:
    [notice] = [event for event in await ask("Wie hoch ist der Mindestlohn?") if isinstance(event, Notice)]
    assert notice.code == "empty_corpus"


async def test_a_database_that_is_away_is_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise OSError("Mindestlohn")

    monkeypatch.setattr(services, "party_directory", away)
    assert await ask("Mindestlohn") == [Failed("search_down")]


async def test_a_reader_who_leaves_keeps_no_connection(corpus: list[Party]) -> None:
    def others() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            return int(cursor.fetchone()[0])

    # The fixture's own connection, and that of a server which other tests of this process may have left running.
    before = await run_search(others)
    for _ in range(5):
        stream = answer_stream(
            question=Question("Mindestlohn"), history=(), context=AnswerContext(now=timezone.localtime())
        )
        await anext(stream)
        await stream.aclose()
    assert await run_search(others) <= before


async def test_a_word_is_the_rarer_the_fewer_chunks_have_it(corpus: list[Party]) -> None:
    common, rare, unknown = term_stem("Mindestlohn", "de"), term_stem("Wohnungen", "de"), "walfang"
    idf = await CorpusStatistics().idf([common, rare, unknown], "de")
    assert idf[common] < idf[rare] < idf[unknown]


async def test_an_empty_corpus_has_no_statistics(transactional_db: None) -> None:
    assert await CorpusStatistics().idf(["mindestlohn"], "de") == {}


@pytest.mark.django_db
def test_the_directory_is_built_anew_only_when_a_party_changed(django_assert_num_queries: object) -> None:
    party = Party.objects.create(slug="morgen", name="Morgenpartei Deutschlands", short_name="Morgenpartei")
    first = party_directory()
    with django_assert_num_queries(2):  # type: ignore[operator]
        assert party_directory() is first
    party.aliases = ["Frühaufsteher"]
    party.save()
    assert [each.slug for each in party_directory().named_in("Was sagen die Frühaufsteher?")] == ["morgen"]
    party.delete()
    assert party_directory().parties == ()


@pytest.mark.django_db
def test_the_directory_knows_the_people_on_the_editors_list() -> None:
    ProtectedTerm.objects.create(name="Tilda Rosenquarz", aliases=["Rosenquarz"])
    ProtectedTerm.objects.create(name="Kassel", kind=ProtectedTerm.Kind.PLACE)
    directory = party_directory()
    assert directory.people_in("Was sagt Rosenquarz in Kassel?") == ("Tilda Rosenquarz",)
    ProtectedTerm.objects.filter(name="Tilda Rosenquarz").delete()
    assert party_directory().people_in("Was sagt Rosenquarz in Kassel?") == ()


def test_the_embedder_is_warmed_on_a_thread_of_its_own() -> None:
    thread = warm_up_soon()
    assert thread is not threading.current_thread()
    thread.join(60)
    assert is_warm()


async def test_a_turn_waits_until_it_has_found_something_however_it_ends(
    corpus: list[Party], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(most_waiting=0)
    monkeypatch.setattr(services, "_ROOM", room)
    context = AnswerContext(now=timezone.localtime())
    crowded = [
        (type(event), room.is_crowded)
        async for event in answer_stream(
            question=Question("Wie hoch ist der Mindestlohn?"), history=(), context=context
        )
    ]
    assert crowded[:2] == [(Decided, True), (Retrieved, False)]
    assert not any(is_crowded for _, is_crowded in crowded[1:])
    left = answer_stream(question=Question("Wie hoch ist der Mindestlohn?"), history=(), context=context)
    await anext(left)
    assert room.is_crowded
    await left.aclose()
    assert not room.is_crowded
    monkeypatch.setattr(services, "index_version", lambda: 1 / 0)
    assert [type(event) for event in await ask("Wie hoch ist der Mindestlohn?")] == [Failed]
    assert not room.is_crowded
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> str:
        begun.set()
        go_on.wait(10)
        return "1"

    monkeypatch.setattr(services, "index_version", slow)
    asking = asyncio.create_task(ask("Wie hoch ist der Mindestlohn?"))
    await asyncio.to_thread(begun.wait, 10)
    assert room.is_crowded
    asking.cancel()
    await asyncio.wait({asking})
    go_on.set()
    assert asking.cancelled()
    assert not room.is_crowded
