"""New questions are placed within a minute, also while a run takes minutes: on another worker, and beside it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import yaml
from django.db import connection, connections

from apps.config.celery import app
from apps.core.processes import ProcessSpec
from apps.topics import spaces
from apps.topics.models import TopicMember
from apps.topics.services import measuring, placing, running, storing
from apps.topics.services.placing import questions_place
from tests.topics.log import ask, ask_many, subjects_embedded
from tests.topics.test_running import run, topic_of

COMPOSE = yaml.safe_load((Path(__file__).resolve().parents[2] / "docker-compose.yml").read_text(encoding="utf-8"))


@pytest.fixture
def embedder():
    with subjects_embedded() as found:
        yield found


def _workers_of_containers() -> list[str]:
    commands = [str(service.get("command", "")) for service in COMPOSE["services"].values()]
    return [command for command in commands if " worker" in command]


def _workers_of_quickstart() -> list[str]:
    from apps.core.management.commands.quickstart import Command

    specs: list[ProcessSpec] = Command()._processes("127.0.0.1", 8000, "http://127.0.0.1:8000")
    commands = [" ".join(map(str, spec.argv)) for spec in specs]
    return [command for command in commands if " worker" in command]


def _queues(command: str) -> set[str]:
    found = re.search(r"--queues (\S+)", command)
    return set(found[1].split(",")) if found else {"celery"}


@pytest.mark.parametrize("workers", [_workers_of_containers, _workers_of_quickstart])
def test_every_task_has_a_worker_and_placing_has_two(workers):
    read = [_queues(command) for command in workers()]
    app.loader.import_default_modules()
    names = [name for name in app.tasks if not name.startswith("celery.")]
    routed = {name: str(app.amqp.router.route({}, name, (), {})["queue"].name) for name in names}
    assert set(routed.values()) == {"celery", "topics", "placing"}
    assert all(any(queue in queues for queues in read) for queue in routed.values())
    assert sum(routed["topics.place"] in queues for queues in read) == 2
    assert sum(routed["topics.run"] in queues for queues in read) == 1, "two at once take the memory of two"


def test_a_task_says_the_queue_that_it_is_sent_to():
    app.loader.import_default_modules()
    for name, task in app.tasks.items():
        if getattr(task, "queue", None):
            assert task.queue == app.amqp.router.route({}, name, (), {})["queue"].name, name


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("moment", ["_members_store", "_lineage_store", "_seen_store"])
def test_a_run_that_stores_its_topics_does_not_keep_new_questions_waiting(embedder, monkeypatch, moment):
    ask_many()
    run()
    done: list[bool] = []
    work = getattr(storing, moment)

    def place_first(*args, **named):
        if not done:
            done.append(_finishes(_asked_and_placed))
        return work(*args, **named)

    monkeypatch.setattr(storing, moment, place_first)
    assert run("full").state == "accepted"
    assert done == [True]
    assert TopicMember.objects.get(text__text__contains="Bäcker").topic == topic_of("Rente")


@pytest.mark.django_db(transaction=True)
def test_a_question_is_never_placed_by_the_old_middle_and_new_centres(embedder, monkeypatch):
    ask_many()
    run()
    seen: list[tuple[bytes, list[bytes]]] = []
    members = placing._members

    def noted(texts, topics, space):
        seen.append((bytes(space.mean), [bytes(topic.centre) for topic in topics]))
        return members(texts, topics, space)

    before = _middle_and_centres()
    ask_many(["Heizung"], each=30)
    waits: list[bool] = []
    move = running._centres_move

    def place_meanwhile(*args):
        monkeypatch.setattr(placing, "_members", noted)
        thread = threading.Thread(target=_closing, args=(_asked_and_placed,))
        thread.start()
        thread.join(3)
        waits.append(thread.is_alive())
        move(*args)
        threads.append(thread)

    threads: list[threading.Thread] = []
    monkeypatch.setattr(running, "_centres_move", place_meanwhile)
    run("full")
    threads[0].join(30)
    assert waits == [True], "the middle has moved already, the centres have not"
    assert seen
    assert seen[0][0] != before[0]
    assert not set(seen[0][1]) & set(before[1])


@pytest.mark.django_db(transaction=True)
def test_what_was_measured_from_the_middle_of_before_is_measured_again(embedder, monkeypatch):
    ask_many()
    run()
    turn = ask("Was wird aus der Rente für Bäcker?")
    questions_place()
    asked = measuring.Asked.objects.get(turn=turn)
    measuring.Asked.objects.filter(pk=asked.pk).update(is_measured=False)
    work = measuring._sources

    def moved(*args):
        _, raw = running.raw_vectors("subjects")
        spaces.space_freeze(embedder="subjects", vectors=raw + np.float32(0.5))
        return work(*args)

    monkeypatch.setattr(measuring, "_sources", moved)
    measuring.closeness_measure(embedder="subjects")
    asked.refresh_from_db()
    assert not asked.is_measured
    monkeypatch.setattr(measuring, "_sources", work)
    measuring.closeness_measure(embedder="subjects")
    asked.refresh_from_db()
    assert asked.is_measured


@pytest.mark.django_db(transaction=True)
def test_what_a_run_has_read_is_placed_even_if_the_run_comes_to_nothing(embedder, monkeypatch):
    ask_many()
    run()
    ask("Was wird aus der Rente für Bäcker?")
    monkeypatch.setattr(running, "corpus_of", _cancelled)
    assert run().state == "cancelled"
    questions_place()
    assert TopicMember.objects.get(text__text__contains="Bäcker").topic == topic_of("Rente")


def _cancelled(*_args: object) -> None:
    raise running.CancelledError


def _middle_and_centres() -> tuple[bytes, list[bytes]]:
    from apps.topics.models import Topic

    space = spaces.space_of("subjects")
    assert space is not None
    return bytes(space.mean), [bytes(topic.centre) for topic in Topic.objects.placeable()]


def _asked_and_placed() -> None:
    # On a connection of its own: what a transaction has written nobody else sees.
    ask("Was wird aus der Rente für Bäcker?")
    questions_place()


def _finishes(work: Callable[[], object], seconds: float = 20) -> bool:
    """Say whether work of another connection ends while this one holds its transaction open."""
    assert connection.in_atomic_block
    thread = threading.Thread(target=_closing, args=(work,))
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()


def _closing(work: Callable[[], object]) -> None:
    try:
        work()
    finally:
        connections.close_all()
