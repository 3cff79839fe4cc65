"""A turn as server-sent events: each carries a finished piece of HTML."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from django.template.loader import render_to_string
from django.utils.translation import override

from apps.chat.display import shown_sentence, shown_turn
from apps.chat.running import follow_turn, run_turn
from apps.chat.texts import OTHER_SOURCES
from apps.core.streaming import ServerSentEvent
from apps.querylog.models import Turn
from apps.querylog.records import sentence_record
from apps.rag.curated import DESK_ANSWER
from apps.rag.events import Done, Failed, Notice, Restart, Retrieved, Sentence


def _whole(turn: Turn, locale: str) -> ServerSentEvent:
    """Return the finished answer, the same HTML as after a reload."""
    with override(locale):
        html = render_to_string("chat/_answer.html", {"shown": shown_turn(turn, locale), "with_retry": True})
    return ServerSentEvent(html, "answer")


def _sentence(event: Sentence, group_before: str, locale: str) -> ServerSentEvent:
    record = dict(sentence_record(event))
    group = (event.group or OTHER_SOURCES) if event.group != group_before else ""
    context = {"sentence": shown_sentence(record, locale), "group": group}
    with override(locale):
        return ServerSentEvent(render_to_string("chat/_sentence.html", context), "sentence")


def _desk(turn: Turn, locale: str) -> str:
    """Return what the desk says itself: it stands above the sentences, in the same list."""
    with override(locale):
        notices = shown_turn(turn, locale).desk
        return "".join(render_to_string("chat/_desk.html", {"notice": notice}) for notice in notices)


def _restart(turn: Turn, locale: str) -> ServerSentEvent:
    """Return what stands; the browser replaces its list with it."""
    groups = shown_turn(turn, locale).groups
    with override(locale):
        html = "".join(render_to_string("chat/_group.html", {"group": group}) for group in groups)
    return ServerSentEvent(_desk(turn, locale) + html, "restart")


def _status(count: int, locale: str) -> ServerSentEvent:
    with override(locale):
        return ServerSentEvent(render_to_string("chat/_status.html", {"count": count}), "status")


async def turn_events(turn: Turn, locale: str) -> AsyncIterator[ServerSentEvent]:
    """Yield a turn's events. A turn is answered once: a second stream follows or replays what is stored."""
    group, is_ours = "", False
    async with aclosing(run_turn(turn.pk, locale)) as events:
        async for current, event in events:
            is_ours = True
            match event:
                case Retrieved():
                    yield _status(len(event.passages), locale)
                case Notice() if event.code == DESK_ANSWER:
                    yield ServerSentEvent(_desk(current, locale), "sentence")
                case Sentence() if not event.is_more:
                    yield _sentence(event, group, locale)
                    group = event.group
                case Restart():
                    yield _restart(current, locale)
                    group = ""
                case Done() | Failed():
                    yield _whole(current, locale)
    if is_ours:
        return
    async with aclosing(follow_turn(turn.pk)) as states:
        async for state in states:
            if state.is_over:
                yield _whole(state, locale)
