"""What happens while a run is thinking: editors change topics, readers erase, somebody cancels, a server fails."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from time import sleep

import pytest
from django.db import InterfaceError, OperationalError, connection, connections, transaction

from apps.querylog.retention import conversation_delete
from apps.topics.models import Asked, QueryText, Topic, TopicMember, TopicRun
from apps.topics.services import edits, running
from apps.topics.services.edits import TopicRefusedError
from apps.topics.services.log_reading import log_read
from apps.topics.services.ordering import Cancelling, run_cancel, run_order
from apps.topics.services.running import run_execute, runs_waiting
from apps.topics.wording import REASONS
from tests.topics.log import SUBJECTS, ask, ask_many, subjects_embedded
from tests.topics.test_running import run, topic_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def embedder():
    with subjects_embedded() as found:
        yield found


@pytest.fixture
def meanwhile(monkeypatch):
    """Run once what is given, at the moment when a run has proposed and stored nothing yet."""

    def arrange(happens: Callable[[], object], at: str = "labels_of") -> list[int]:
        times: list[int] = []
        work = getattr(running, at)

        def first_this(*args, **named):
            times.append(1)
            if len(times) == 1:
                happens()
            return work(*args, **named)

        monkeypatch.setattr(running, at, first_this)
        return times

    return arrange


def _ids(subject: str) -> list[int]:
    return list(TopicMember.objects.filter(text__text__contains=subject).values_list("text", flat=True))


def _rename(topic: Topic) -> None:
    edits.topic_rename(topic=topic, name="Altersvorsorge", editor=None)


def _merge(topic: Topic) -> None:
    edits.topics_merge(into=topic, others=[topic_of("Klima")], editor=None)


def _split(topic: Topic) -> None:
    edits.topic_split(topic=topic, text_ids=_ids("Rente")[:4], name="Witwen", editor=None)


def _pin(topic: Topic) -> None:
    edits.topic_set(topic=topic, kind="pin", value=True, editor=None)


def _hide(topic: Topic) -> None:
    edits.topic_set(topic=topic, kind="hide", value=True, editor=None)


@pytest.mark.parametrize("kind", ["night", "full"])
@pytest.mark.parametrize("edit", [_rename, _merge, _split, _pin, _hide])
def test_an_editors_change_during_a_run_stands_after_it_and_after_the_next(meanwhile, edit, kind):
    ask_many()
    run()
    rent, cut = topic_of("Rente"), _ids("Rente")[:4]
    ask_many(each=2, session="later")
    times = meanwhile(lambda: edit(rent))
    for each in (run(kind), run("night"), run("full")):
        assert each.state == "accepted", each.reason
        rent.refresh_from_db()
        assert {
            _rename: rent.label_editor == "Altersvorsorge",
            _merge: set(Topic.objects.filter(members__text__in=[*_ids("Rente"), *_ids("Klima")])) == {rent},
            _split: set(Topic.objects.filter(members__text__in=cut).values_list("label_editor", flat=True))
            == {"Witwen"},
            _pin: rent.is_pinned,
            _hide: rent.is_hidden,
        }[edit]
    assert len(times) == 4, "the first run proposed twice"


def test_a_merger_undone_during_a_run_stays_undone(meanwhile):
    ask_many()
    run()
    rent, climate = topic_of("Rente"), topic_of("Klima")
    made = edits.topics_merge(into=rent, others=[climate], editor=None)
    meanwhile(lambda: edits.edit_undo(edit=made, editor=None))
    assert run().state == "accepted"
    assert (topic_of("Rente"), topic_of("Klima")) == (rent, climate)


def test_editors_who_never_stop_cost_a_run_and_no_change(meanwhile, monkeypatch):
    ask_many()
    run()
    rent, names = topic_of("Rente"), iter(range(100))
    work = running.labels_of

    def always(*args, **named):
        edits.topic_rename(topic=rent, name=f"Name {next(names)}", editor=None)
        return work(*args, **named)

    monkeypatch.setattr(running, "labels_of", always)
    done = run()
    assert (done.state, done.reason) == ("rejected", "edited_meanwhile")
    rent.refresh_from_db()
    assert rent.label_editor == f"Name {next(names) - 1}"


def test_a_reader_who_erases_during_a_run_is_forgotten_and_the_run_goes_on(meanwhile):
    ask_many()
    turn = ask("Was soll bei Rente in Ort Nirgendwo geschehen?")
    meanwhile(lambda: conversation_delete(conversation=turn.conversation))
    assert run().state == "accepted"
    assert not QueryText.objects.filter(text__contains="Nirgendwo").exists()
    assert not Asked.objects.filter(turn_id=turn.pk).exists()


@pytest.mark.parametrize(("moment", "state"), [("labels_of", "cancelled"), ("charts_store", "accepted")])
def test_a_run_is_cancelled_before_it_changes_topics_or_not_at_all(meanwhile, moment, state):
    ask_many()
    ordered = run_order()
    meanwhile(lambda: run_cancel(run=TopicRun.objects.get(pk=ordered.pk)), at=moment)
    assert run().state == state
    assert Topic.objects.exists() == (state == "accepted")


def test_what_fails_after_topics_were_stored_does_not_call_them_unchanged(meanwhile):
    ask_many()

    def fails() -> None:
        raise OSError

    meanwhile(fails, at="charts_store")
    done = run()
    assert (done.state, done.reason) == ("accepted", "unfinished")
    assert run_execute(pk=done.pk) == "accepted", "and it is not run again"


def test_two_editors_who_bring_the_same_topics_together_take_turns():
    ask_many()
    run()
    first, second = sorted((topic_of("Rente"), topic_of("Klima")), key=lambda topic: topic.pk)
    refused: list[str] = []

    def other_editor() -> None:
        try:
            edits.topics_merge(into=second, others=[first], editor=None)
        except TopicRefusedError as error:
            refused.append(error.code)
        finally:
            connections.close_all()

    with transaction.atomic():
        Topic.objects.select_for_update().get(pk=first.pk)
        waiting = threading.Thread(target=other_editor)
        waiting.start()
        while not _somebody_waits():
            sleep(0.02)
        try:
            Topic.objects.select_for_update(nowait=True).get(pk=second.pk)
        except OperationalError:
            pytest.fail("Each would wait for the other.")
        edits.topics_merge(into=first, others=[second], editor=None)
    waiting.join()
    assert refused == ["merged_already"]
    assert topic_of("Rente") == topic_of("Klima") == first


def _somebody_waits() -> bool:
    with connection.cursor() as cursor:
        # Within a transaction the server shows what it showed before.
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        [count] = cursor.fetchone() or [0]
    return bool(count)


def test_a_new_name_of_what_readers_see_is_approved_like_the_first():
    ask_many()
    run()
    rent = topic_of("Rente")
    edits.topic_rename(topic=rent, name="Altersvorsorge", editor=None)
    edits.topic_set(topic=rent, kind="public", value=True, editor=None)
    same = edits.topic_rename(topic=rent, name="Altersvorsorge", editor=None, may_approve=False)
    rent.refresh_from_db()
    assert rent.is_public, same
    renamed = edits.topic_rename(topic=rent, name="Partei X luegt", editor=None, may_approve=False)
    rent.refresh_from_db()
    assert (rent.label_editor, rent.is_public) == ("Partei X luegt", False)
    edits.edit_undo(edit=renamed, editor=None)
    edits.topic_set(topic=rent, kind="public", value=True, editor=None)
    edits.topic_rename(topic=rent, name="Rente", editor=None, may_approve=True)
    rent.refresh_from_db()
    assert (rent.label_editor, rent.is_public) == ("Rente", True)
    last = rent.edits.filter(kind="rename", undone_at=None).first()
    edits.edit_undo(edit=last, editor=None, may_approve=False)
    rent.refresh_from_db()
    assert (rent.label_editor, rent.is_public) == ("Altersvorsorge", False)


@pytest.mark.parametrize("moment", ["labels_of", "charts_store"])
def test_a_run_whose_worker_was_killed_goes_on_and_leaves_the_same_rows(meanwhile, moment):
    ask_many()

    def killed() -> None:
        raise SystemExit

    meanwhile(killed, at=moment)
    log_read()
    ordered = run_order()
    with pytest.raises(SystemExit):
        run_execute(pk=ordered.pk)
    assert TopicRun.objects.get().state == "running"
    assert runs_waiting() == [ordered.pk]
    assert run_execute(pk=ordered.pk) == "accepted"
    assert Topic.objects.count() == len({topic_of(subject).pk for subject in SUBJECTS}) == len(SUBJECTS)
    assert run().survival == 1.0


def test_a_run_that_kills_its_worker_each_time_is_given_up_and_says_so(monkeypatch):
    ask_many()
    log_read()
    ordered = run_order()

    def killed(*_args: object, **_named: object) -> None:
        raise SystemExit

    monkeypatch.setattr(running, "labels_of", killed)
    for _time in range(5):
        with pytest.raises(SystemExit):
            run_execute(pk=ordered.pk)
    assert run_execute(pk=ordered.pk) == "failed"
    ordered.refresh_from_db()
    assert (ordered.reason, runs_waiting()) == ("worker_lost", [])
    assert ordered.reason in REASONS


def test_two_clicks_at_once_order_one_run():
    together = threading.Barrier(2)

    def click() -> None:
        together.wait(10)
        try:
            run_order()
        finally:
            connections.close_all()

    for _time in range(5):
        editors = [threading.Thread(target=click) for _ in range(2)]
        for editor in editors:
            editor.start()
        for editor in editors:
            editor.join()
        assert TopicRun.objects.filter(state="queued").count() == 1
        TopicRun.objects.all().delete()


def _connection_ends() -> None:
    """End this connection as a restart of the server does: the next statement finds out."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone() or [0]
    other = connections.create_connection("default")
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    other.close()


@pytest.mark.parametrize("at", ["discover", "labels_of", "proposal_store", "charts_store", "merges_propose"])
@pytest.mark.parametrize("is_inside", [False, True], ids=["between transactions", "in a transaction"])
def test_a_run_whose_database_goes_away_stays_open_and_is_done_by_the_next_worker(meanwhile, at, is_inside):
    ask_many()
    log_read()

    def ends() -> None:
        # A transaction that dies lets Django connect anew: what comes next would run without the lock.
        with transaction.atomic() if is_inside else nullcontext():
            _connection_ends()
            Topic.objects.exists()

    meanwhile(ends, at=at)
    ordered = run_order(kind="full")
    with pytest.raises((OperationalError, InterfaceError)):
        run_execute(pk=ordered.pk)
    connection.close()
    assert runs_waiting() == [ordered.pk]
    assert run_execute(pk=ordered.pk) == "accepted"
    assert Topic.objects.living().count() == len(SUBJECTS)
    assert TopicMember.objects.count() == QueryText.objects.count()
    assert runs_waiting() == []


def test_the_wish_to_cancel_is_answered_by_what_becomes_of_it(meanwhile):
    ask_many()
    log_read()
    waiting = run_order()
    assert run_cancel(run=waiting) == Cancelling.STOPPED
    ordered = run_order()
    found: list[Cancelling] = []
    meanwhile(lambda: found.append(run_cancel(run=ordered)), at="closeness_measure")
    assert run_execute(pk=ordered.pk) == "accepted"
    # Its topics were stored: to say that those of before stay would be false.
    assert found == [Cancelling.TOO_LATE]
    assert run_cancel(run=ordered) == Cancelling.TOO_LATE
