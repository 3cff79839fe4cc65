"""Frequent questions are answered from the cache: only what came about as it should, only as long as it holds."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.answering import caching
from apps.answering.caching import KEY, MADE, Recording, cache_forget, cache_key, cache_tidy, hit_days
from apps.answering.language_models import language_model_replaced
from apps.answering.live_settings import forget
from apps.answering.models import AnswerSettings, CachedAnswer, CacheDay
from apps.answering.services import answer_stream
from apps.answering.settings_services import settings_activate, settings_draft
from apps.documents.embedding import embedder_replaced
from apps.documents.models import Document
from apps.documents.search.retriever import run_search
from apps.rag.events import Decided, Done, Event, Failed, Notice, Retrieved, Sentence
from apps.rag.scripted_model import ModelFault, Reply, ScriptedModel
from apps.rag.types import AnswerContext, HistoryTurn, Outcome, Question
from apps.rules.live import forget as forget_rules
from tests.answering.test_services import corpus  # noqa: F401
from tests.rules.releasing import publish, rule

QUESTION = "Was plant die Morgenpartei beim Mindestlohn?"
GOOD = Reply("Die Morgenpartei erhöht den Mindestlohn auf 15 Euro je Stunde. [doc:1#chunk:1]")
NOW = timezone.localtime().replace(hour=12)
VERSIONS = {"settings": "shipped", "index": "1"}

pytestmark = pytest.mark.usefixtures("corpus")


async def ask(
    text: str = QUESTION, *, history: Sequence[HistoryTurn] = (), cached: bool = True, **limits: object
) -> list[Event]:
    context = AnswerContext(**{"now": timezone.localtime(), **limits})  # type: ignore[arg-type]
    asked = answer_stream(question=Question(text), history=history, context=context, may_be_cached=cached)
    return [event async for event in asked]


def was_cached(events: Sequence[Event]) -> bool:
    return any(isinstance(event, Decided) and MADE in event.versions for event in events)


async def stored() -> int:
    return await run_search(CachedAnswer.objects.count)


def key(text: str = QUESTION, versions: dict[str, str] = VERSIONS, **context: object) -> str:
    return cache_key(Question(text), AnswerContext(**{"now": NOW, **context}), versions)  # type: ignore[arg-type]


async def test_the_same_question_is_answered_the_same_without_search_or_model() -> None:
    with language_model_replaced(ScriptedModel(GOOD)):
        first = await ask()
    model = ScriptedModel(GOOD)
    with language_model_replaced(model):
        second = await ask()
    assert not was_cached(first)
    assert was_cached(second)
    assert not model.requests

    def shown(events: Sequence[Event]) -> list[Event]:
        return [event for event in events if isinstance(event, Sentence | Notice)]

    assert shown(second) == shown(first) != []


async def test_a_comparison_whose_order_was_drawn_is_kept_for_nobody() -> None:
    comparison = "Was planen Morgenpartei und Talbund beim Mindestlohn?"
    await ask(comparison, party_draw="a")
    assert await stored() == 0
    await ask(comparison)
    assert not was_cached(await ask(comparison, party_draw="b"))
    # One party needs no order.
    await ask(party_draw="c")
    assert was_cached(await ask(party_draw="d"))


async def test_a_kept_answer_names_the_versions_that_made_it() -> None:
    [first] = [event for event in await ask() if isinstance(event, Decided)]
    [second] = [event for event in await ask() if isinstance(event, Decided)]
    assert {**second.versions} == {**first.versions, MADE: second.versions[MADE]}
    assert first.versions["settings"] == "shipped"
    assert first.versions["index"] != "0"


async def test_a_kept_answer_costs_few_queries() -> None:
    await ask()
    kept: list[Event] = []

    def replayed() -> int:
        with CaptureQueriesContext(connection) as queries:
            found = caching.cached_events(CachedAnswer.objects.get().key)
            kept.extend(found or ())
        return len(queries)

    assert await run_search(replayed) == 3
    assert isinstance(kept[-1], Done)


@pytest.mark.parametrize(
    "other",
    [
        {"text": "Was plant der Talbund beim Mindestlohn?"},
        {"versions": {**VERSIONS, "index": "2"}},
        {"versions": {**VERSIONS, "settings_digest": "other"}},
        {"versions": {**VERSIONS, "model": "openai/other"}},
        {"now": NOW + timedelta(days=1)},
        {"locale": "en"},
        {"audience": "embed"},
        {"party_slugs": ("tal",)},
        {"builder_choices": ("rent",)},
        {"includes_desk": True},
        {"text": "Was plant die morgenpartei beim Mindestlohn?"},
    ],
)
def test_another_question_or_context_is_another_key(other: dict[str, object]) -> None:
    assert key(**other) != key()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "same",
    [
        {"text": "Was  plant die Morgenpartei beim Mindestlohn"},
        {"text": " Was plant die Morgenpartei beim Mindestlohn ?! "},
        {"now": NOW + timedelta(minutes=5)},
        {"party_slugs": ()},
    ],
)
def test_spaces_and_closing_signs_make_no_other_question(same: dict[str, object]) -> None:
    assert key(**same) == key()  # type: ignore[arg-type]


def test_the_key_gives_nothing_away(settings) -> None:  # type: ignore[no-untyped-def]
    before = key()
    settings.SECRET_KEY = "another"
    assert key() != before
    assert len(before) == 64


def test_a_new_release_is_another_key() -> None:
    before = key()
    publish(rule("brief", "Wie beantrage ich Briefwahl?"))
    forget_rules()
    assert key() != before


def test_a_rule_whose_time_has_come_is_another_key() -> None:
    publish(rule("evening", "Wie ist die Wahl ausgegangen?", valid_from=NOW + timedelta(hours=1)))
    forget_rules()
    assert key() == key(now=NOW + timedelta(minutes=59))
    assert key() != key(now=NOW + timedelta(minutes=61))


async def test_a_document_that_is_withdrawn_takes_its_answers_along() -> None:
    await ask()
    await run_search(lambda: Document.objects.filter(party__slug="morgen").delete())
    again = await ask()
    assert not was_cached(again)
    assert not [event for event in again if isinstance(event, Sentence) and event.group == "Morgenpartei"]


async def test_other_settings_answer_anew() -> None:
    await ask()

    def activate() -> None:
        draft = settings_draft(author=None, title="Shorter")
        AnswerSettings.objects.filter(pk=draft.pk).update(shown_sentences=1)
        settings_activate(draft_id=draft.pk, author=None, comment="Try.", expected=0)
        forget()

    await run_search(activate)
    assert not was_cached(await ask())


async def test_a_version_without_a_cache_keeps_nothing() -> None:
    def activate() -> None:
        draft = settings_draft(author=None, title="No cache")
        AnswerSettings.objects.filter(pk=draft.pk).update(cache_minutes=0)
        settings_activate(draft_id=draft.pk, author=None, comment="Try.", expected=0)
        forget()

    await run_search(activate)
    await ask()
    assert await stored() == 0


async def test_the_operator_can_switch_it_off(settings) -> None:  # type: ignore[no-untyped-def]
    settings.ANSWER_CACHE = False
    await ask()
    assert not was_cached(await ask())
    assert await stored() == 0


async def test_a_question_with_history_is_never_looked_up() -> None:
    await ask()
    assert not was_cached(await ask(history=[HistoryTurn("Was ist der Mindestlohn?", "")]))
    assert await stored() == 1


async def test_only_who_asks_for_it_gets_a_kept_answer() -> None:
    await ask()
    assert not was_cached(await ask(cached=False))


@pytest.mark.parametrize("fault", [ModelFault.DOWN, ModelFault.DIES, ModelFault.EMPTY, ModelFault.NO_MARKERS])
async def test_what_a_fault_has_made_is_not_kept(fault: ModelFault) -> None:
    with language_model_replaced(ScriptedModel(replace(GOOD, fault=fault))):
        events = await ask()
    assert isinstance(events[-1], Done)
    assert await stored() == 0


async def test_an_honest_refusal_is_kept() -> None:
    events = await ask("Was sagt der Talbund zum Walfang vor Island?")
    assert isinstance(events[-1], Done)
    assert events[-1].outcome is Outcome.REFUSED
    assert was_cached(await ask("Was sagt der Talbund zum Walfang vor Island?"))


async def test_small_talk_is_not_kept() -> None:
    await ask("Danke!")
    assert await stored() == 0


async def test_a_reader_who_leaves_leaves_nothing_behind() -> None:
    stream = answer_stream(
        question=Question(QUESTION), history=(), context=AnswerContext(now=timezone.localtime()), may_be_cached=True
    )
    async for event in stream:
        if isinstance(event, Sentence):
            break
    await stream.aclose()  # type: ignore[attr-defined]
    assert await stored() == 0


async def test_an_embedder_that_is_away_makes_answers_for_one_reader() -> None:
    class Away:
        name = "fake/hash"

        def embed_question(self, text: str) -> object:
            raise OSError

    with embedder_replaced(Away()):  # type: ignore[arg-type]
        await ask()
    assert await stored() == 0


def test_a_turn_that_failed_is_not_worth_keeping() -> None:
    recording = Recording("k" * 64, 60)
    assert not recording.is_worth_keeping
    recording.take(Failed("unexpected"))
    assert not recording.is_worth_keeping


async def test_what_is_kept_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    await ask()
    later = timezone.now() + timedelta(hours=2)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert await run_search(lambda: caching.cached_events(CachedAnswer.objects.get().key)) is None
    assert await run_search(cache_tidy) == 1
    assert await stored() == 0


@pytest.mark.parametrize(("is_whole", "seconds"), [(True, 3600), (False, 60)])
async def test_without_all_follow_ups_an_answer_is_kept_for_a_minute(is_whole: bool, seconds: int) -> None:
    recording = Recording("k" * 64, 3600)
    recording.take(Done(Outcome.ANSWERED, is_whole=is_whole))
    await run_search(recording.store)
    row = await run_search(CachedAnswer.objects.get)
    assert timedelta(seconds=seconds - 30) < row.expires_at - timezone.now() <= timedelta(seconds=seconds)


async def test_there_are_never_more_than_allowed(settings) -> None:  # type: ignore[no-untyped-def]
    settings.ANSWER_CACHE_ENTRIES = 1
    await ask()
    await ask("Was plant der Talbund beim Mindestlohn?")
    assert await stored() == 1


async def test_what_a_conversation_made_can_be_forgotten() -> None:
    [decided] = [event for event in await ask() if isinstance(event, Decided)]
    assert await run_search(partial(cache_forget, keys=[decided.versions[KEY]])) == 1
    assert not was_cached(await ask())


async def test_a_broken_cache_costs_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    await ask()
    await run_search(lambda: CachedAnswer.objects.update(events=[{"type": "Mindestlohn"}]))
    with caplog.at_level(logging.ERROR):
        again = await ask()
    assert [event for event in again if isinstance(event, Sentence)]
    assert not was_cached(again)
    assert "Mindestlohn" not in caplog.text


async def test_hits_are_counted_by_day() -> None:
    for _ in range(3):
        await ask()
    [day] = await run_search(hit_days)
    assert (day.day, day.asked, day.hits, day.stored, day.percent) == (timezone.localdate(), 3, 2, 1, 67)


async def test_old_counts_go() -> None:
    await run_search(lambda: CacheDay.objects.create(day=datetime(2020, 1, 1).date(), asked=5))
    await run_search(cache_tidy)
    assert await run_search(CacheDay.objects.count) == 0


async def test_vectors_are_not_stored() -> None:
    await ask()
    row = await run_search(CachedAnswer.objects.get)
    assert not any("sentences" in passage for event in row.events for passage in event.get("passages", ()))
    [retrieved] = [event for event in await ask() if isinstance(event, Retrieved)]
    assert retrieved.passages


async def test_a_day_without_budget_still_serves_what_is_kept() -> None:
    with language_model_replaced(ScriptedModel(GOOD)):
        await ask()
    with language_model_replaced(ScriptedModel(Reply("", ModelFault.DOWN))):
        again = await ask()
    assert was_cached(again)
    assert [event.is_quote for event in again if isinstance(event, Sentence)] == [False]
