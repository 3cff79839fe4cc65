"""A turn that one web process answers and whose reader comes back to another: followed there, never asked twice."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

import httpx2 as httpx
import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.urls import reverse

from apps.answering.suites.serving import Site, serving
from apps.chat.reader import COOKIE
from apps.querylog.models import Turn
from apps.querylog.ownership import new_token
from tests.chat.turns import make_turn, reload

pytestmark = pytest.mark.django_db(transaction=True)
TOKEN = new_token()
# Each process says its own number; the second sentence waits for a file.
TALKING = """
import asyncio, os
import django
django.setup()
from apps.chat import running, runs
from apps.rag.events import Decided, Done, Retrieved
from apps.rag.types import Decision, Outcome
from tests.chat.conftest import cited
async def answer_stream(*, question, history, context, may_be_cached):
    yield Decided(Decision.SEARCH_AS_IS, question.text)
    yield cited(f"Erstens aus Prozess {os.getpid()}.")
    while not os.path.exists(PLACE):
        await asyncio.sleep(0.05)
    yield cited(f"Zweitens aus Prozess {os.getpid()}.")
    yield Done(Outcome.ANSWERED, {})
running.answer_stream = answer_stream
runs.RESUME_SECONDS = SECONDS
"""
SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two web processes, and the file that lets them go on."""

    one: Site
    other: Site
    may_go_on: Path


@pytest.fixture(scope="module")
def processes(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    assert connection.settings_dict["NAME"].startswith("test_")
    place = tmp_path_factory.mktemp("processes") / "may-go-on"
    program = f"PLACE, SECONDS = {str(place)!r}, {SECONDS}\n{TALKING}"
    with serving(prepare=program, processes=1) as one, serving(prepare=program, processes=1) as other:
        yield Pair(one, other, place)


@pytest.fixture
def pair(processes: Pair) -> Pair:
    processes.may_go_on.unlink(missing_ok=True)
    return processes


async def events(site: Site, turn: Turn, seen: str = "") -> AsyncGenerator[tuple[str, str, str], None]:
    """The name, number and HTML of each event."""
    headers = {"Cookie": f"{COOKIE}={TOKEN}", **({"Last-Event-ID": seen} if seen else {})}
    address = f"{site.base}{reverse('chat:turn-stream', args=[turn.uuid])}"
    async with httpx.AsyncClient(timeout=60) as client, client.stream("GET", address, headers=headers) as stream:
        event: dict[str, str] = {}
        async for line in stream.aiter_lines():
            if line:
                name, _, value = line.partition(": ")
                event[name] = event.get(name, "") + value
            elif event:
                yield event.get("event", ""), event.get("id", ""), event.get("data", "")
                event = {}


async def until(site: Site, turn: Turn, words: str, seen: str = "") -> tuple[str, str, str]:
    """Read up to the event with these words; then the connection breaks."""
    async with aclosing(events(site, turn, seen)) as stream:
        async for event in stream:
            if words in event[2]:
                return event
    raise AssertionError(words)


async def test_a_reader_who_comes_back_to_another_process_gets_the_same_answer_whole(pair):
    turn = await sync_to_async(make_turn)(TOKEN)
    _, number, _ = await until(pair.one, turn, "Erstens")
    got = []
    async for event in events(pair.other, turn, number):
        if not got:
            # Far longer than a turn lives without readers.
            await asyncio.sleep(2 * SECONDS)
            pair.may_go_on.touch()
        got.append(event)
    assert [name for name, _, _ in got if name != "restart"] == ["answer", "close"]
    assert set(re.findall(r"Prozess (\d+)", got[-2][2])) == {str(pair.one.pid)}
    stored = await sync_to_async(reload)(turn)
    assert (stored.state, len(stored.shown)) == (Turn.State.DONE, 2)


async def test_a_reader_who_goes_to_and_fro_begins_anew_instead_of_seeing_sentences_twice(pair):
    turn = await sync_to_async(make_turn)(TOKEN)
    await until(pair.one, turn, "Erstens")
    _, number, _ = await until(pair.other, turn, "Erstens", "1")
    async with aclosing(events(pair.one, turn, number)) as back:
        name, _, html = await anext(back)
    assert (name, html) == ("restart", "")


async def test_a_reader_who_leaves_the_other_process_too_interrupts_the_turn(pair):
    turn = await sync_to_async(make_turn)(TOKEN)
    await until(pair.one, turn, "Erstens")
    await until(pair.other, turn, "Erstens", "1")
    while not (stored := await sync_to_async(reload)(turn)).is_over:
        await asyncio.sleep(0.1)
    assert (stored.state, len(stored.shown)) == (Turn.State.INTERRUPTED, 1)


async def test_a_process_that_is_stopped_interrupts_what_it_answers(processes, transactional_db):
    processes.may_go_on.unlink(missing_ok=True)
    turn = await sync_to_async(make_turn)(TOKEN)
    with serving(prepare=f"PLACE, SECONDS = {str(processes.may_go_on)!r}, 60\n{TALKING}", processes=1) as third:
        # Its reader is still there.
        stream = events(third, turn)
        while "Erstens" not in (await anext(stream))[2]:
            pass
    await stream.aclose()
    stored = await sync_to_async(reload)(turn)
    assert (stored.state, len(stored.shown)) == (Turn.State.INTERRUPTED, 1)
