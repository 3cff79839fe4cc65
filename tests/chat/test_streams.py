"""A turn as a stream: answered once, stored at once, freed when the reader leaves."""

from __future__ import annotations

import asyncio
import logging

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import AsyncClient
from django.urls import reverse

from apps.chat.reader import COOKIE
from apps.chat.running import open_runs
from apps.chat.streams import turn_events
from apps.querylog import retention, services
from apps.querylog.models import Turn
from apps.querylog.ownership import new_token
from apps.rag.events import Restart

from .conftest import ANSWER, REFUSAL, cited

pytestmark = pytest.mark.django_db(transaction=True)
TOKEN = new_token()


def make_turn() -> Turn:
    try:
        conversation = services.conversation_open(token=TOKEN, language="de")
        return services.turn_start(conversation=conversation, words="Wie hoch soll der Mindestlohn sein?")
    finally:
        connection.close()


def reload(turn: Turn) -> Turn:
    try:
        return Turn.objects.get(pk=turn.pk)
    finally:
        connection.close()


async def collect(turn: Turn) -> list[tuple[str, str]]:
    return [(event.event, event.data) async for event in turn_events(turn, "de")]


async def test_sentences_stream_and_the_finished_answer_follows(script):
    turn = await sync_to_async(make_turn)()
    events = await collect(turn)
    assert [name for name, _ in events] == ["status", "sentence", "sentence", "answer"]
    assert "Mehr dazu später." in events[-1][1]
    assert (await sync_to_async(reload)(turn)).state == Turn.State.DONE


async def test_the_finished_answer_is_the_same_after_a_reload(script):
    turn = await sync_to_async(make_turn)()
    streamed = (await collect(turn))[-1]
    assert await collect(turn) == [streamed]


async def test_a_second_stream_never_asks_twice(script):
    asked = script([*ANSWER[:3], 0.3, *ANSWER[3:]])
    turn = await sync_to_async(make_turn)()
    first, second = await asyncio.gather(collect(turn), collect(turn))
    assert len(asked) == 1
    assert first[-1] == second[-1]


async def test_over_http_the_stream_ends_with_close(script):
    turn = await sync_to_async(make_turn)()
    client = AsyncClient()
    client.cookies[COOKIE] = TOKEN
    response = await client.get(reverse("chat:turn-stream", args=[turn.uuid]))
    body = b"".join([part async for part in response.streaming_content]).decode()
    assert response["Content-Type"].startswith("text/event-stream")
    assert response["X-Accel-Buffering"] == "no"
    assert body.count("event: sentence") == 2
    assert body.rstrip().endswith("event: close\ndata:")


async def test_what_was_released_is_stored_before_the_reader_sees_it(script):
    script([*ANSWER[:3], 5.0, *ANSWER[3:]])
    turn = await sync_to_async(make_turn)()
    events = turn_events(turn, "de")
    async for event in events:
        if event.event == "sentence":
            break
    assert len((await sync_to_async(reload)(turn)).shown) == 1
    await events.aclose()


async def test_a_reader_who_leaves_interrupts_the_turn_and_frees_the_slot(script):
    script([*ANSWER[:3], 30.0, *ANSWER[3:]])
    turn = await sync_to_async(make_turn)()

    async def read_some() -> None:
        async for _ in turn_events(turn, "de"):
            pass

    task = asyncio.ensure_future(read_some())
    while not (await sync_to_async(reload)(turn)).shown:
        await asyncio.sleep(0.02)
    assert open_runs() == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0.05)
    stored = await sync_to_async(reload)(turn)
    assert stored.state == Turn.State.INTERRUPTED
    assert len(stored.shown) == 1
    assert open_runs() == 0


def forget(turn: Turn) -> None:
    try:
        retention.conversation_delete(conversation=turn.conversation)
    finally:
        connection.close()


@pytest.mark.parametrize("rest", [ANSWER[3:], [RuntimeError("broken")], []], ids=["goes on", "fails", "ends early"])
async def test_a_conversation_that_is_deleted_meanwhile_ends_its_streams_quietly(script, caplog, rest):
    is_deleted = asyncio.Event()
    script([*ANSWER[:3], is_deleted, *rest])
    turn = await sync_to_async(make_turn)()
    ours = asyncio.ensure_future(collect(turn))
    while not (await sync_to_async(reload)(turn)).shown:
        await asyncio.sleep(0.02)
    follower = asyncio.ensure_future(collect(turn))
    await asyncio.sleep(0.1)
    await sync_to_async(forget)(turn)
    is_deleted.set()
    assert [name for name, _ in await ours] == ["status", "sentence"]
    assert await follower == []
    assert open_runs() == 0
    assert "DatabaseError" not in caplog.text


async def test_a_turn_that_is_deleted_before_it_is_answered_has_an_empty_stream(script):
    turn = await sync_to_async(make_turn)()
    await sync_to_async(forget)(turn)
    assert await collect(turn) == []


async def test_many_readers_who_leave_at_once_leave_nothing_open(script):
    script([30.0])
    turns = [await sync_to_async(make_turn)() for _ in range(20)]
    tasks = [asyncio.ensure_future(collect(turn)) for turn in turns]
    await asyncio.sleep(0.3)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0.2)
    assert open_runs() == 0
    states = {(await sync_to_async(reload)(turn)).state for turn in turns}
    assert states <= {Turn.State.INTERRUPTED, Turn.State.NEW}


async def test_a_restart_shows_only_what_passed(script):
    script([*ANSWER[:3], cited("Falsch."), Restart(kept=1), *ANSWER[3:]])
    turn = await sync_to_async(make_turn)()
    events = await collect(turn)
    assert [name for name, _ in events] == ["status", "sentence", "sentence", "restart", "sentence", "answer"]
    assert "Falsch." not in events[-1][1]
    assert "15 Euro" in dict(events)["restart"]


async def test_a_pipeline_that_ends_early_fails_visibly(script):
    script(ANSWER[:3])
    turn = await sync_to_async(make_turn)()
    assert "notice-failed" in (await collect(turn))[-1][1]
    assert (await sync_to_async(reload)(turn)).state == Turn.State.FAILED


async def test_a_refusal_streams_no_citation(script):
    script(REFUSAL)
    turn = await sync_to_async(make_turn)()
    (name, html) = (await collect(turn))[-1]
    assert name == "answer"
    assert 'class="cite"' not in html


async def test_no_question_reaches_the_log(script, caplog):
    caplog.set_level(logging.DEBUG)
    script([RuntimeError("kaputt bei: Wie hoch soll der Mindestlohn sein?")])
    turn = await sync_to_async(make_turn)()
    await collect(turn)
    assert "RuntimeError at" in caplog.text
    assert "Mindestlohn" not in caplog.text
