"""Places and the queue over several processes: one limit, one order, nothing lost when one of them dies."""

from __future__ import annotations

import asyncio
import logging
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import redis

from apps.chat import shared_queue, waiting
from apps.chat.doorkeeping import Doorkeeper
from apps.chat.shared_queue import ADMITTED, Counted, SharedQueue
from apps.chat.waiting import BusyError, Place
from apps.core.valkey import valkey_url

NOWHERE = "redis://127.0.0.1:1/0"
# Another process: it takes a place and waits for another, says so, and sleeps until it is killed.
HOLDING = """
import sys, time
import django
from django.conf import settings
settings.CHAT_MAX_OPEN_STREAMS = 1
django.setup()
from apps.chat.doorkeeping import Doorkeeper
from apps.chat.shared_queue import SharedQueue
from apps.core.valkey import valkey_url
class Comer:
    def move(self, before):
        print(before, flush=True)
doorkeeper = Doorkeeper(SharedQueue(valkey_url(), lease=2.0, name=sys.argv[1]))
comers = [Comer(), Comer()]
for comer in comers:
    doorkeeper.come(comer)
time.sleep(60)
"""


class Comer:
    """A turn that remembers what it was told."""

    def __init__(self) -> None:
        self.heard: list[int] = []

    def move(self, before: int) -> None:
        if self.heard[-1:] != [before]:
            self.heard.append(before)

    @property
    def is_in(self) -> bool:
        return ADMITTED in self.heard


def until(claim: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, "It did not come true in time."
        time.sleep(0.01)


@pytest.fixture
def name(request) -> str:
    """An installation that no other test has."""
    return f"{request.node.name}-{time.time_ns()}"


@pytest.fixture
def process(name: str) -> Iterator[Callable[..., Doorkeeper]]:
    """Return what makes a web process of the installation, as far as places go."""
    made: list[Doorkeeper] = []

    def make(url: str = "") -> Doorkeeper:
        made.append(Doorkeeper(SharedQueue(url or valkey_url(), lease=2.0, name=name)))
        return made[-1]

    yield make
    for doorkeeper in made:
        for comer in [*doorkeeper._held, *doorkeeper._waiting]:
            doorkeeper.leave(comer)


def come(doorkeeper: Doorkeeper) -> Comer:
    """A turn that has come, and has been told where it stands."""
    comer = Comer()
    doorkeeper.come(comer)
    until(lambda: bool(comer.heard))
    return comer


def test_two_processes_share_one_limit_and_one_order(process, settings):
    settings.CHAT_MAX_OPEN_STREAMS = 2
    one, other = process(), process()
    inside = [come(one), come(other)]
    assert [comer.heard for comer in inside] == [[ADMITTED], [ADMITTED]]
    queue = [come(other), come(one), come(other)]
    assert [comer.heard[0] for comer in queue] == [0, 1, 2]
    assert one.counted() == other.counted() == Counted(open=2, waiting=3)
    assert (one.counted_here(), other.counted_here()) == (Counted(1, 1), Counted(1, 2))

    one.leave(inside[0])
    until(lambda: queue[0].is_in)
    until(lambda: queue[1].heard[-1] == 0 and queue[2].heard[-1] == 1)
    assert one.counted() == Counted(open=2, waiting=2)
    other.leave(inside[1])
    until(lambda: queue[1].is_in)
    assert not queue[2].is_in
    for doorkeeper, comer in ((other, queue[0]), (one, queue[1])):
        doorkeeper.leave(comer)
    until(lambda: queue[2].is_in)
    other.leave(queue[2])
    until(lambda: one.counted() == Counted(0, 0))


@pytest.mark.parametrize("url", ["", NOWHERE], ids=["shared", "alone"])
def test_who_has_waited_elsewhere_comes_before_those_who_came_since(process, settings, url):
    settings.CHAT_MAX_OPEN_STREAMS = 0
    one = process(url)
    newcomer, back = come(one), Comer()
    one.come(back, waited=5.0)
    until(lambda: (back.heard[-1:], newcomer.heard[-1:]) == ([0], [1]))


def test_several_free_places_are_kept_for_those_who_came_first(process, settings):
    settings.CHAT_MAX_OPEN_STREAMS = 0
    one, other = process(), process()
    first, second, third = come(one), come(other), come(one)
    settings.CHAT_MAX_OPEN_STREAMS = 2
    until(lambda: first.is_in and second.is_in)
    time.sleep(0.5)
    assert not third.is_in


def test_a_place_that_is_given_back_twice_frees_one(process, settings):
    settings.CHAT_MAX_OPEN_STREAMS = 2
    one, other = process(), process()
    inside = [come(one), come(one)]
    queue = [come(other), come(other)]
    one.leave(inside[0])
    one.leave(inside[0])
    until(lambda: queue[0].is_in)
    time.sleep(0.5)
    assert not queue[1].is_in
    assert one.counted() == Counted(open=2, waiting=1)


def test_who_leaves_the_queue_is_before_nobody(process, settings):
    settings.CHAT_MAX_OPEN_STREAMS = 0
    one, other = process(), process()
    first, second = come(one), come(other)
    assert second.heard == [1]
    one.leave(first)
    until(lambda: second.heard[-1] == 0)


def test_a_place_without_room_counts_all_the_same(process, settings):
    settings.CHAT_MAX_OPEN_STREAMS = 1
    one, other = process(), process()
    come(one)
    one.take(Comer())
    until(lambda: other.counted().open == 2)
    assert come(other).heard == [0]


def test_what_a_killed_process_held_comes_back(process, name, settings):
    settings.CHAT_MAX_OPEN_STREAMS = 1
    with subprocess.Popen([sys.executable, "-c", HOLDING, name], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert [child.stdout.readline().strip(), child.stdout.readline().strip()] == ["-1", "0"]
        here = process()
        comer = come(here)
        assert comer.heard == [1]
        # Longer than a lease: as long as it lives, it renews what it holds.
        time.sleep(3.0)
        assert not comer.is_in
        child.send_signal(signal.SIGKILL)
        until(lambda: comer.is_in)
    assert here.counted() == Counted(open=1, waiting=0)


def test_a_queue_that_has_forgotten_everything_learns_it_again_in_the_old_order(process, name, settings):
    settings.CHAT_MAX_OPEN_STREAMS = 1
    one, other = process(), process()
    come(one)
    settings.CHAT_MAX_OPEN_STREAMS = 0
    first, second, third = come(other), come(one), come(other)
    redis.Redis.from_url(valkey_url()).delete(*SharedQueue(valkey_url(), name=name).keys())
    until(lambda: one.counted() == Counted(open=1, waiting=3))
    settings.CHAT_MAX_OPEN_STREAMS = 2
    until(lambda: first.is_in)
    until(lambda: (second.heard[-1], third.heard[-1]) == (0, 1))


def test_without_valkey_each_process_counts_alone_and_says_so_once(process, settings, caplog):
    settings.CHAT_MAX_OPEN_STREAMS = 1
    one, other = process(NOWHERE), process(NOWHERE)
    with caplog.at_level(logging.WARNING):
        inside, behind, third = come(one), come(one), come(one)
        assert (inside.heard, behind.heard, third.heard) == ([ADMITTED], [0], [1])
        assert one.counted() == Counted(open=1, waiting=2)
    assert sum("alone" in line for line in caplog.text.splitlines()) == 1
    assert come(other).heard == [ADMITTED]
    one.leave(inside)
    until(lambda: behind.is_in)
    until(lambda: third.heard[-1] == 0)


def test_when_valkey_comes_back_it_learns_what_was_given_without_it(process, settings, monkeypatch, caplog):
    settings.CHAT_MAX_OPEN_STREAMS = 1
    monkeypatch.setattr(shared_queue, "_PAUSE_SECONDS", 0.2)
    one, other = process(NOWHERE), process()
    assert come(one).heard == [ADMITTED]
    waits = come(one)
    assert one._queue is not None
    assert other._queue is not None
    one._queue._script = other._queue._script
    with caplog.at_level(logging.WARNING):
        until(lambda: other.counted() == Counted(open=1, waiting=1))
        until(lambda: "again" in caplog.text)
    assert not waits.is_in


def test_with_another_broker_a_process_counts_alone(settings):
    settings.CELERY_BROKER_URL = "amqp://queue.example.org/"
    settings.CHAT_MAX_OPEN_STREAMS = 1
    assert shared_queue.shared_queue() is None
    one = Doorkeeper(None)
    assert (come(one).heard, come(one).heard) == ([ADMITTED], [0])


def test_a_doorkeeper_who_stumbles_goes_on(process, settings, monkeypatch, caplog):
    settings.CHAT_MAX_OPEN_STREAMS = 1
    one = process()
    failed = threading.Event()
    ask = SharedQueue.ask

    def stumble(self, *args):
        if not failed.is_set():
            failed.set()
            raise ValueError("unexpected")
        return ask(self, *args)

    monkeypatch.setattr(SharedQueue, "ask", stumble)
    assert come(one).heard == [ADMITTED]
    assert "stumbled" in caplog.text


async def test_a_place_is_waited_for_without_holding_up_others(process, settings, monkeypatch):
    monkeypatch.setattr(waiting, "_TELL_SECONDS", 0.05)
    settings.CHAT_MAX_OPEN_STREAMS = 1
    one, other = process(), process()
    told: list[int] = []
    with Place(doorkeeper=one) as first:
        assert [before async for before in first.waits()] == []
        with Place(doorkeeper=other) as second:
            async for before in second.waits():
                told.append(before)
                if len(told) == 3:
                    first.give_back()
            assert one.counted() == Counted(open=1, waiting=0)
            with Place(at_once=True, doorkeeper=one):
                await asyncio.sleep(0.1)
                assert one.counted().open == 2
    assert set(told) == {0}
    await asyncio.to_thread(until, lambda: one.counted() == Counted(0, 0))


async def test_who_waits_too_long_for_another_process_is_told_and_leaves_the_queue(process, settings, monkeypatch):
    monkeypatch.setattr(waiting, "_TELL_SECONDS", 0.05)
    monkeypatch.setattr(waiting, "LONGEST_SECONDS", 0.2)
    settings.CHAT_MAX_OPEN_STREAMS = 1
    one, other = process(), process()
    with Place(doorkeeper=one) as first:
        assert [before async for before in first.waits()] == []
        with Place(doorkeeper=other) as second, pytest.raises(BusyError):
            await anext(before async for before in second.waits() if before != 0)
        await asyncio.to_thread(until, lambda: one.counted() == Counted(1, 0))


def test_room_is_what_all_processes_left(process, settings, monkeypatch):
    settings.CHAT_MAX_OPEN_STREAMS, settings.CHAT_MAX_WAITING = 1, 1
    here, elsewhere = process(), process()
    monkeypatch.setattr(waiting, "_doorkeeper", here)
    assert (waiting.has_room(), waiting.may_wait()) == (True, True)
    come(elsewhere)
    assert (waiting.has_room(), waiting.may_wait()) == (False, True)
    come(elsewhere)
    assert (waiting.has_room(), waiting.may_wait()) == (False, False)
    assert (waiting.open_runs(), waiting.waiting_runs()) == (0, 0)
