"""A turn as a stream: answered once, stored at once, freed when the reader leaves."""

from __future__ import annotations

import asyncio
import logging
import re

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import AsyncClient
from django.urls import reverse

from apps.chat import runs, waiting
from apps.chat.reader import COOKIE
from apps.chat.runs import turn_events
from apps.chat.viewing import Viewer
from apps.chat.waiting import open_runs
from apps.querylog import retention
from apps.querylog.models import Turn
from apps.querylog.ownership import new_token
from apps.rag.events import Restart
from tests.chat.turns import make_turn, reload

from .conftest import ANSWER, REFUSAL, cited

pytestmark = pytest.mark.django_db(transaction=True)
TOKEN = new_token()


async def collect(turn: Turn) -> list[tuple[str, str]]:
    return [(event.event, event.data) async for event in turn_events(turn, Viewer("de"))]


async def test_sentences_stream_and_the_finished_answer_follows(script):
    turn = await sync_to_async(make_turn)(TOKEN)
    events = await collect(turn)
    assert [name for name, _ in events] == ["status", "sentence", "sentence", "answer"]
    assert "Mehr dazu später." in events[-1][1]
    assert (await sync_to_async(reload)(turn)).state == Turn.State.DONE


async def test_the_finished_answer_is_the_same_after_a_reload(script):
    turn = await sync_to_async(make_turn)(TOKEN)
    streamed = (await collect(turn))[-1]
    assert await collect(turn) == [streamed]


async def test_a_second_stream_never_asks_twice(script):
    asked = script([*ANSWER[:3], 0.3, *ANSWER[3:]])
    turn = await sync_to_async(make_turn)(TOKEN)
    first, second = await asyncio.gather(collect(turn), collect(turn))
    assert len(asked) == 1
    assert first[-1] == second[-1]


async def test_over_http_the_stream_ends_with_close(script):
    turn = await sync_to_async(make_turn)(TOKEN)
    client = AsyncClient()
    client.cookies[COOKIE] = TOKEN
    response = await client.get(reverse("chat:turn-stream", args=[turn.uuid]))
    body = b"".join([part async for part in response.streaming_content]).decode()
    assert response["Content-Type"].startswith("text/event-stream")
    assert response["X-Accel-Buffering"] == "no"
    assert body.count("event: sentence") == 2
    assert body.rstrip().endswith("event: close\ndata:")


async def test_over_http_a_finished_turn_is_the_whole_answer_whatever_the_browser_says_it_has_seen(script):
    turn = await sync_to_async(make_turn)(TOKEN)
    await collect(turn)
    client = AsyncClient()
    client.cookies[COOKIE] = TOKEN
    for seen in ("", "2", "99999", "-1", "²", "1" * 500, "1; DROP"):
        response = await client.get(
            reverse("chat:turn-stream", args=[turn.uuid]), headers={"Last-Event-ID": seen} if seen else {}
        )
        body = b"".join([part async for part in response.streaming_content]).decode()
        assert re.findall(r"^event: (\w+)", body, re.MULTILINE) == ["answer", "close"]
        assert "Das gilt ab 2027." in body


async def test_one_turn_is_looked_at_so_many_times_at_once_and_no_more(script):
    is_read = asyncio.Event()
    asked = script([*ANSWER[:3], is_read, *ANSWER[3:]])
    turn = await sync_to_async(make_turn)(TOKEN)
    looks = [asyncio.ensure_future(collect(turn)) for _ in range(runs.MOST_LOOKS)]
    while not (await sync_to_async(reload)(turn)).shown:
        await asyncio.sleep(0.02)
    assert await collect(turn) == []
    is_read.set()
    assert {events[-1][0] for events in await asyncio.gather(*looks)} == {"answer"}
    # They are gone: there is room again.
    assert [name for name, _ in await collect(await sync_to_async(reload)(turn))] == ["answer"]
    assert len(asked) == 1


async def test_what_was_released_is_stored_before_the_reader_sees_it(script):
    script([*ANSWER[:3], 5.0, *ANSWER[3:]])
    turn = await sync_to_async(make_turn)(TOKEN)
    events = turn_events(turn, Viewer("de"))
    async for event in events:
        if event.event == "sentence":
            break
    assert len((await sync_to_async(reload)(turn)).shown) == 1
    await events.aclose()


async def settled(turn: Turn) -> Turn:
    """The turn once nobody answers it any more."""
    while open_runs():
        await asyncio.sleep(0.02)
    return await sync_to_async(reload)(turn)


async def test_a_reader_who_leaves_interrupts_the_turn_and_frees_the_slot(script, monkeypatch):
    monkeypatch.setattr(runs, "RESUME_SECONDS", 0.1)
    script([*ANSWER[:3], 30.0, *ANSWER[3:]])
    turn = await sync_to_async(make_turn)(TOKEN)

    async def read_some() -> None:
        async for _ in turn_events(turn, Viewer("de")):
            pass

    task = asyncio.ensure_future(read_some())
    while not (await sync_to_async(reload)(turn)).shown:
        await asyncio.sleep(0.02)
    assert open_runs() == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    stored = await settled(turn)
    assert stored.state == Turn.State.INTERRUPTED
    assert len(stored.shown) == 1


async def first_event(turn: Turn, name: str, seen: int = 0) -> str:
    """The number of the first event of a kind; then the reader is gone."""
    events = turn_events(turn, Viewer("de"), seen)
    async for event in events:
        if event.event == name:
            await events.aclose()
            return event.id
    raise AssertionError(name)


async def test_a_reader_who_comes_back_in_time_goes_on_where_it_broke_off(script):
    is_back = asyncio.Event()
    asked = script([*ANSWER[:3], is_back, *ANSWER[3:]])
    turn = await sync_to_async(make_turn)(TOKEN)
    seen = int(await first_event(turn, "sentence"))
    again = asyncio.ensure_future(anext(turn_events(turn, Viewer("de"), seen)))
    await asyncio.sleep(0)
    is_back.set()
    event = await again
    assert (event.event, event.id) == ("sentence", str(seen + 1))
    assert "Das gilt ab 2027." in event.data
    assert (await settled(turn)).state == Turn.State.DONE
    assert len(asked) == 1


async def test_who_does_not_say_what_arrived_begins_with_an_empty_list_and_gets_everything(script):
    is_back = asyncio.Event()
    script([*ANSWER[:3], is_back, *ANSWER[3:]])
    turn = await sync_to_async(make_turn)(TOKEN)
    await first_event(turn, "sentence")
    events = asyncio.ensure_future(collect(turn))
    await asyncio.sleep(0.05)
    is_back.set()
    assert [name for name, _ in await events] == ["restart", "status", "sentence", "sentence", "answer"]
    assert (await events)[0] == ("restart", "")


async def test_a_number_that_was_never_given_is_like_none(script):
    is_back = asyncio.Event()
    script([*ANSWER[:3], is_back, *ANSWER[3:]])
    turn = await sync_to_async(make_turn)(TOKEN)
    await first_event(turn, "sentence")
    is_back.set()
    events = turn_events(turn, Viewer("de"), 99_999)
    assert (await anext(events)).event == "restart"
    assert [event.event async for event in events][-1] == "answer"


async def test_while_there_is_no_room_readers_wait_in_their_order_and_are_told(script, settings, monkeypatch):
    monkeypatch.setattr(waiting, "_TELL_SECONDS", 0.05)
    settings.CHAT_MAX_OPEN_STREAMS = 1
    may_end = asyncio.Event()
    asked = script([*ANSWER[:3], may_end, *ANSWER[3:]])
    turns = [await sync_to_async(make_turn)(TOKEN) for _ in range(3)]
    streams = []
    for turn in turns:
        streams.append(asyncio.ensure_future(collect(turn)))
        await asyncio.sleep(0.05)
    assert (open_runs(), waiting.waiting_runs(), len(asked)) == (1, 2, 1)
    may_end.set()
    _, second, third = [await stream for stream in streams]
    assert "die nächste" in second[0][1] or "the next question" in second[0][1]
    assert "1 " in third[0][1]
    assert [events[-1][0] for events in (second, third)] == ["answer", "answer"]
    assert (open_runs(), waiting.waiting_runs()) == (0, 0)


async def test_a_turn_waits_from_when_it_was_asked_and_not_from_when_its_stream_was_opened(script, settings):
    settings.CHAT_MAX_OPEN_STREAMS = 0
    older, newer = [await sync_to_async(make_turn)(TOKEN) for _ in range(2)]
    ends: list[int] = []

    async def read(turn: Turn) -> None:
        await collect(turn)
        ends.append(turn.pk)

    streams = []
    for turn in (newer, older):
        streams.append(asyncio.ensure_future(read(turn)))
        while waiting.waiting_runs() < len(streams):
            await asyncio.sleep(0.01)
    settings.CHAT_MAX_OPEN_STREAMS = 1
    await asyncio.gather(*streams)
    assert ends == [older.pk, newer.pk]


async def test_who_waits_too_long_is_asked_to_come_back_and_may(script, settings, monkeypatch):
    monkeypatch.setattr(waiting, "LONGEST_SECONDS", 0.0)
    settings.CHAT_MAX_OPEN_STREAMS = 0
    turn = await sync_to_async(make_turn)(TOKEN)
    assert [name for name, _ in await collect(turn)] == ["busy"]
    assert (await sync_to_async(reload)(turn)).state == Turn.State.NEW
    settings.CHAT_MAX_OPEN_STREAMS = 1
    assert (await collect(turn))[-1][0] == "answer"


async def test_who_leaves_the_queue_leaves_no_gap(script, settings, monkeypatch):
    monkeypatch.setattr(runs, "RESUME_SECONDS", 0.0)
    settings.CHAT_MAX_OPEN_STREAMS = 0
    turn = await sync_to_async(make_turn)(TOKEN)
    await first_event(turn, "status")
    while waiting.waiting_runs():
        await asyncio.sleep(0.02)
    assert (await sync_to_async(reload)(turn)).state == Turn.State.NEW


def forget(turn: Turn) -> None:
    try:
        retention.conversation_delete(conversation=turn.conversation)
    finally:
        connection.close()


@pytest.mark.parametrize("rest", [ANSWER[3:], [RuntimeError("broken")], []], ids=["goes on", "fails", "ends early"])
async def test_a_conversation_that_is_deleted_meanwhile_ends_its_streams_quietly(script, caplog, rest):
    is_deleted = asyncio.Event()
    script([*ANSWER[:3], is_deleted, *rest])
    turn = await sync_to_async(make_turn)(TOKEN)
    ours = asyncio.ensure_future(collect(turn))
    while not (await sync_to_async(reload)(turn)).shown:
        await asyncio.sleep(0.02)
    follower = asyncio.ensure_future(collect(turn))
    await asyncio.sleep(0.1)
    await sync_to_async(forget)(turn)
    is_deleted.set()
    assert [name for name, _ in await ours] == ["status", "sentence"]
    assert [name for name, _ in await follower] == ["restart", "status", "sentence"]
    assert open_runs() == 0
    assert "DatabaseError" not in caplog.text


async def test_a_conversation_that_is_deleted_ends_its_answer_while_the_model_still_thinks(script):
    script([*ANSWER[:3], asyncio.Event(), *ANSWER[3:]])
    turn = await sync_to_async(make_turn)(TOKEN)
    ours = asyncio.ensure_future(collect(turn))
    while not (await sync_to_async(reload)(turn)).shown:
        await asyncio.sleep(0.02)
    await sync_to_async(forget)(turn)
    async with asyncio.timeout(20):
        assert [name for name, _ in await ours] == ["status", "sentence"]
    assert open_runs() == 0


async def test_a_turn_that_is_deleted_before_it_is_answered_has_an_empty_stream(script):
    turn = await sync_to_async(make_turn)(TOKEN)
    await sync_to_async(forget)(turn)
    assert await collect(turn) == []


async def test_many_readers_who_leave_at_once_leave_nothing_open(script, monkeypatch):
    monkeypatch.setattr(runs, "RESUME_SECONDS", 0.1)
    script([30.0])
    turns = [await sync_to_async(make_turn)(TOKEN) for _ in range(20)]
    tasks = [asyncio.ensure_future(collect(turn)) for turn in turns]
    await asyncio.sleep(0.3)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for turn in turns:
        await settled(turn)
    states = {(await sync_to_async(reload)(turn)).state for turn in turns}
    assert states <= {Turn.State.INTERRUPTED, Turn.State.NEW}


async def test_a_restart_shows_only_what_passed(script):
    script([*ANSWER[:3], cited("Falsch."), Restart(kept=1), *ANSWER[3:]])
    turn = await sync_to_async(make_turn)(TOKEN)
    events = await collect(turn)
    assert [name for name, _ in events] == ["status", "sentence", "sentence", "restart", "sentence", "answer"]
    assert "Falsch." not in events[-1][1]
    assert "15 Euro" in dict(events)["restart"]


PIECE = re.compile(r'<h\d class="speaker".*?</h\d>|<p class="sentence.*?</p>', re.DOTALL)
ORDERS = {
    "parties": [cited("A1.", group="A"), cited("A2.", group="A"), cited("B1.", group="B")],
    "nobody between": [cited("A1.", group="A"), cited("X1."), cited("A2.", group="A"), cited("B1.", group="B")],
    "nobody first": [cited("X1."), cited("X2."), cited("A1.", group="A"), cited("X3.")],
    "numbers": [cited("A1.", group="A", number=2), cited("B1.", group="B", number=1)],
    "begun anew": [
        cited("A1.", group="A"),
        cited("A0.", group="A"),
        Restart(kept=1),
        cited("A2.", group="A"),
        cited("B1.", group="B"),
    ],
}


@pytest.mark.parametrize("steps", ORDERS.values(), ids=ORDERS.keys())
async def test_what_arrived_stands_in_the_finished_answer_as_it_arrived(script, steps):
    script([*ANSWER[:2], *steps, ANSWER[-1]])
    turn = await sync_to_async(make_turn)(TOKEN)
    arrived: list[str] = []
    for name, html in await collect(turn):
        if name == "answer":
            assert PIECE.findall(html) == arrived
        elif name in ("sentence", "restart"):
            arrived = (arrived if name == "sentence" else []) + PIECE.findall(html)
    assert len([piece for piece in arrived if "sentence" in piece[:20]]) >= 2


async def test_a_pipeline_that_ends_early_fails_visibly(script):
    script(ANSWER[:3])
    turn = await sync_to_async(make_turn)(TOKEN)
    assert "notice-failed" in (await collect(turn))[-1][1]
    assert (await sync_to_async(reload)(turn)).state == Turn.State.FAILED


async def test_a_refusal_streams_no_citation(script):
    script(REFUSAL)
    turn = await sync_to_async(make_turn)(TOKEN)
    (name, html) = (await collect(turn))[-1]
    assert name == "answer"
    assert 'class="cite"' not in html


async def test_no_question_reaches_the_log(script, caplog):
    caplog.set_level(logging.DEBUG)
    script([RuntimeError("kaputt bei: Wie hoch soll der Mindestlohn sein?")])
    turn = await sync_to_async(make_turn)(TOKEN)
    await collect(turn)
    assert "RuntimeError at" in caplog.text
    assert "Mindestlohn" not in caplog.text
