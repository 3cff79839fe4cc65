"""A turn as server-sent events: each carries a finished piece of HTML."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import replace

from django.template.loader import render_to_string
from django.utils.translation import override

from apps.chat.display import shown_sentence, shown_turn
from apps.chat.running import follow_turn, in_database, reread, run_turn
from apps.chat.texts import OTHER_SOURCES
from apps.chat.viewing import Viewer
from apps.chat.waiting import BusyError, Place
from apps.core.streaming import ServerSentEvent
from apps.querylog.feedback import sentences_of
from apps.querylog.models import Turn
from apps.querylog.records import sentence_record
from apps.rag.curated import DESK_ANSWER
from apps.rag.events import Done, Failed, Notice, Restart, Retrieved, Sentence


def _html(name: str, viewer: Viewer, **values: object) -> str:
    with override(viewer.locale):
        return render_to_string(f"chat/{name}.html", {"csrf_token": viewer.csrf_token, "viewer": viewer, **values})


def whole_answer(turn: Turn, viewer: Viewer) -> ServerSentEvent:
    """Return the finished answer, the same HTML as after a reload."""
    with override(viewer.locale):
        shown = shown_turn(turn, viewer.locale)
    return ServerSentEvent(_html("_answer", viewer, shown=shown), "answer")


def _sentence(turn: Turn, event: Sentence, group_before: str, viewer: Viewer) -> ServerSentEvent:
    record = dict(sentence_record(event))
    group = (event.group or OTHER_SOURCES) if event.group != group_before else ""
    sentence = shown_sentence(record, viewer.locale, len(sentences_of(turn)) - 1)
    slug = sentence.citations[0].party_slug if sentence.citations and event.group else ""
    return ServerSentEvent(_html("_sentence", viewer, sentence=sentence, group=group, slug=slug), "sentence")


def _desk(turn: Turn, viewer: Viewer) -> str:
    """Return what the desk says itself: it stands above the sentences, in the same list."""
    return "".join(_html("_desk", viewer, notice=notice) for notice in shown_turn(turn, viewer.locale).desk)


def what_stands(turn: Turn, viewer: Viewer) -> ServerSentEvent:
    """Return all that stands; the browser replaces its list with it."""
    groups = shown_turn(turn, viewer.locale).groups
    html = "".join(_html("_group", viewer, group=group) for group in groups)
    return ServerSentEvent(_desk(turn, viewer) + html, "restart")


async def rendered(turn_id: int, viewer: Viewer, waited: float = 0.0) -> AsyncGenerator[ServerSentEvent, None]:
    """Answer a turn, after waiting for a place where there is none; yield nothing where somebody else answers it.

    ``waited`` is for how many seconds its reader has waited before.
    """
    with Place(waited=waited) as place:
        try:
            async with aclosing(place.waits()) as waiting:
                async for before in waiting:
                    yield ServerSentEvent(_html("_waiting", viewer, before=before), "status")
        except BusyError:
            turn = await in_database(reread, turn_id)
            if turn is not None:
                yield ServerSentEvent(_html("_busy", viewer, question=turn.question), "busy")
            return
        async with aclosing(_answered(turn_id, viewer)) as events:
            async for event in events:
                yield event


async def _answered(turn_id: int, viewer: Viewer) -> AsyncGenerator[ServerSentEvent, None]:
    group = ""
    async with aclosing(run_turn(turn_id, viewer.locale)) as events:
        async for turn, event in events:
            match event:
                case Retrieved():
                    yield ServerSentEvent(_html("_status", viewer, count=len(event.passages)), "status")
                case Notice() if event.code == DESK_ANSWER:
                    yield ServerSentEvent(_desk(turn, viewer), "sentence")
                case Sentence() if not event.is_more:
                    yield _sentence(turn, event, group, viewer)
                    group = event.group
                case Restart():
                    yield what_stands(turn, viewer)
                    standing = [each["group"] for each in sentences_of(turn) if not each["is_more"]]
                    group = standing[-1] if standing else ""
                case Done() | Failed():
                    yield whole_answer(turn, viewer)


async def followed(turn_id: int, viewer: Viewer) -> AsyncIterator[ServerSentEvent]:
    """Yield what stands of a turn that is answered elsewhere, again when more does, and at last the whole answer.

    Only the process that answers counts events: a browser that comes back to it must not claim to have seen some.
    """
    async with aclosing(follow_turn(turn_id)) as turns:
        async for turn in turns:
            if turn.is_over:
                yield whole_answer(turn, viewer)
            elif turn.shown:
                yield replace(what_stands(turn, viewer), id="0")
