"""Runs from the order to the figures: asked once, safe twice, cancelled, broken, killed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery.exceptions import Retry
from django.db import IntegrityError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.evaluation import services, tasks
from apps.evaluation.metrics import figure_of
from apps.evaluation.models import EvaluationResult, EvaluationRun
from apps.evaluation.running import sampled
from apps.evaluation.services import LOCK_SPACE, Progress, run_advance, run_cancel, run_order, runs_resume
from apps.evaluation.types import QuestionKind
from apps.querylog.models import Turn
from tests.evaluation.building import FakeAsk, asker, failed, finished_run, question_set, refused, spec, unanswerable
from tests.sessions import other_session

pytestmark = pytest.mark.django_db


def fair() -> FakeAsk:
    """Answers what can be answered and refuses the rest."""
    return FakeAsk({"Wie hoch ist der Mindestlohn (u": refused()})


def test_a_run_asks_every_question_and_keeps_everything():
    own = question_set()
    run = finished_run(own, fake=fair(), note="first")
    assert (run.state, run.total, run.asked, run.title, run.note) == ("done", 2, 2, "Own", "first")
    first, second = run.results.all()
    assert (first.key, first.outcome, first.is_right, first.decision) == ("a001", "answered", True, "SEARCH_AS_IS")
    assert (second.key, second.outcome, second.is_right) == ("u001", "refused", True)
    assert [item["type"] for item in first.trace] == ["decided", "retrieved", "sentence", "done"]
    assert first.question == own.questions.get(key="a001")
    assert first.first_ms <= first.whole_ms
    figures = {(each.kind, each.name): each for each in map(figure_of, run.figures)}
    assert figures["all", "right"].value == 1.0
    assert figures["unanswerable", "right_refusals"].n == 1
    assert {"release", "settings", "embedder", "passages"} <= set(run.versions)


def test_a_run_writes_nothing_to_the_log_of_readers():
    finished_run()
    assert not Turn.objects.exists()


def test_a_result_keeps_the_question_when_the_set_goes():
    own = question_set()
    run = finished_run(own)
    own.delete()
    result = run.results.first()
    assert (result.question, result.text) == (None, "Wie hoch ist der Mindestlohn (a001)?")
    assert result.spec["references"] == [
        {"document": "https://example.org/programm", "snippet": "Er steigt auf 15 Euro."}
    ]


def test_several_sets_are_asked_in_one_run():
    run = finished_run(question_set("b"), question_set("a"))
    assert list(run.results.values_list("set_slug", "key")) == [
        ("a", "a001"),
        ("a", "u001"),
        ("b", "a001"),
        ("b", "u001"),
    ]


def test_an_order_is_queued_after_the_transaction_and_run_only_once(queued):
    run = run_order(author=None, sets=[question_set()])
    assert queued == [run.pk]
    assert run_advance(pk=run.pk, asker=asker()) is Progress.DONE
    assert run_advance(pk=run.pk, asker=asker()) is Progress.GONE
    assert run.results.count() == 2


def test_a_slice_ends_and_the_next_one_goes_on_where_it_was():
    own = question_set(specs=[spec(f"a{number:03}") for number in range(5)])
    run = run_order(author=None, sets=[own])
    fake = FakeAsk()
    assert run_advance(pk=run.pk, asker=asker(fake), seconds=-1.0) is Progress.AGAIN
    assert fake.asked == []
    # A worker that was killed after two questions.
    half = FakeAsk(between=lambda asked: 1 / 0 if asked == 3 else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "_fail", lambda pk, reason: Progress.AGAIN)
        assert run_advance(pk=run.pk, asker=asker(half)) is Progress.AGAIN
    assert run.results.count() == 2
    assert run_advance(pk=run.pk, asker=asker(fake)) is Progress.DONE
    assert len(fake.asked) == 3
    assert list(run.results.values_list("position", flat=True)) == [0, 1, 2, 3, 4]


def test_a_conversation_is_kept_whole_or_not_at_all():
    turns = [spec("d1", number=number, text=f"{number}?", kind=QuestionKind.DIALOGUE) for number in (1, 2)]
    run = run_order(author=None, sets=[question_set(specs=turns)])
    fake = FakeAsk(between=lambda asked: 1 / 0 if asked == 2 else None)
    assert run_advance(pk=run.pk, asker=asker(fake)) is Progress.FAILED
    assert not run.results.exists()


def test_a_cancelled_run_stops_before_the_next_question_and_keeps_what_it_has():
    own = question_set(specs=[spec(f"a{number:03}") for number in range(5)])
    run = run_order(author=None, sets=[own])

    def cancel(asked):
        if asked == 3:
            assert run_cancel(run=run)

    # The question that was being asked is dropped: the figures are those of the moment.
    fake = FakeAsk()
    patient = asker(fake)
    results = patient.results
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patient, "results", lambda *given: (results(*given), cancel(len(fake.asked)))[0])
        assert run_advance(pk=run.pk, asker=patient) is Progress.GONE
    run.refresh_from_db()
    assert (run.state, run.asked, run.results.count(), len(fake.asked)) == ("cancelled", 2, 2, 3)
    assert figure_of(run.figures[0]).n == 2
    assert run.finished_at is not None


def test_a_finished_run_cannot_be_cancelled():
    run = finished_run()
    assert not run_cancel(run=run)
    run.refresh_from_db()
    assert run.state == "done"


def test_a_run_that_is_deleted_meanwhile_is_given_up():
    run = run_order(author=None, sets=[question_set()])
    EvaluationRun.objects.all().delete()
    assert run_advance(pk=run.pk, asker=asker()) is Progress.GONE


def test_a_run_over_nothing_fails_with_a_sentence():
    empty = question_set()
    empty.questions.all().delete()
    run = finished_run(empty)
    assert (run.state, run.reason) == ("failed", services.NO_QUESTIONS)


def test_an_unforeseen_fault_ends_with_a_sentence_and_keeps_what_was_asked():
    own = question_set(specs=[spec(f"a{number:03}") for number in range(4)])
    run = run_order(author=None, sets=[own])
    fake = FakeAsk(between=lambda asked: 1 / 0 if asked == 3 else None)
    assert run_advance(pk=run.pk, asker=asker(fake)) is Progress.FAILED
    run.refresh_from_db()
    assert run.state == "failed"
    assert run.reason.startswith("The run failed for a reason that was not foreseen.")
    assert (run.asked, figure_of(run.figures[0]).n) == (2, 2)


def test_ten_questions_without_any_answer_end_the_run():
    own = question_set(specs=[spec(f"a{number:03}") for number in range(15)])
    run = finished_run(own, fake=FakeAsk(otherwise=failed))
    assert (run.state, run.reason, run.asked) == ("failed", services.NO_ANSWERS, 10)


def test_single_failures_are_results_and_the_run_goes_on():
    answers = {f"Wie hoch ist der Mindestlohn (a{number:03})": failed() for number in range(0, 20, 2)}
    own = question_set(specs=[spec(f"a{number:03}") for number in range(20)])
    run = finished_run(own, fake=FakeAsk(answers))
    assert (run.state, run.asked) == ("done", 20)
    assert {each["name"]: each["value"] for each in run.figures}["failed"] == 10


def test_a_killed_workers_run_is_queued_again_and_a_living_ones_is_not(queued):
    run = run_order(author=None, sets=[question_set()])
    EvaluationRun.objects.update(state="running", created_at=timezone.now() - timedelta(minutes=5))
    queued.clear()
    with other_session() as worker:
        worker.execute("SELECT pg_advisory_lock(%s)", [LOCK_SPACE + run.pk])
        assert run_advance(pk=run.pk, asker=asker()) is Progress.BUSY
        assert runs_resume() == 0
    # The session is gone, as a killed worker's is.
    assert runs_resume() == 1
    assert queued == [run.pk]


def test_a_run_just_ordered_is_not_queued_twice():
    run_order(author=None, sets=[question_set()])
    assert runs_resume() == 0


def test_the_task_advances_and_queues_the_rest(monkeypatch, queued):
    said = iter([Progress.AGAIN, Progress.DONE])
    monkeypatch.setattr(services, "run_advance", lambda *, pk: next(said))
    assert tasks.run_advance(5) == "again"
    assert queued == [5]
    assert tasks.run_advance(5) == "done"
    assert queued == [5]


def test_the_task_asks_again_later_when_the_database_is_away(monkeypatch):
    def away(*, pk):
        raise OperationalError

    monkeypatch.setattr(services, "run_advance", away)
    with pytest.raises((Retry, OperationalError)):
        tasks.run_advance.apply(args=[5], throw=True)


def test_the_database_refuses_the_same_question_twice():
    run = finished_run()
    twin = run.results.first()
    twin.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()


def test_a_sample_is_spread_evenly():
    items = [("own", (spec(f"a{number}"),)) for number in range(10)]
    assert [turns[0].key for _slug, turns in sampled(items, 4)] == ["a0", "a2", "a5", "a7"]
    assert sampled(items, None) == items
    assert sampled(items, 99) == items


def test_a_run_of_at_most_two_asks_two():
    own = question_set(specs=[*(spec(f"a{n}") for n in range(3)), *(unanswerable(f"u{n}") for n in range(3))])
    run = finished_run(own, most=2)
    assert (run.total, sorted(run.results.values_list("key", flat=True))) == (2, ["a0", "u0"])


def test_the_memory_of_a_run_is_its_results():
    run = finished_run()
    run.delete()
    assert not EvaluationResult.objects.exists()


def test_an_order_that_is_sent_twice_is_one_run(queued):
    own, other = question_set("own"), question_set("other")
    run = run_order(author=None, sets=[own, other], note="new prompt")
    assert run_order(author=None, sets=[other, own], note="new prompt") == run
    assert run_order(author=None, sets=[own], note="new prompt") != run
    assert run_order(author=None, sets=[own, other], note="old prompt") != run
    assert len(queued) == 3
    EvaluationRun.objects.update(state="done", finished_at=timezone.now())
    assert run_order(author=None, sets=[own, other], note="new prompt") != run


def half_asked(own, count, **values):
    """A run whose worker was killed after ``count`` questions."""
    run = run_order(author=None, sets=[own], **values)
    half = FakeAsk(between=lambda asked: 1 / 0 if asked == count + 1 else None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "_fail", lambda pk, reason: Progress.AGAIN)
        assert run_advance(pk=run.pk, asker=asker(half)) is Progress.AGAIN
    return run


def five():
    return question_set(specs=[spec(f"a{number:03}") for number in range(5)])


def test_a_run_whose_set_is_deleted_meanwhile_says_so_and_keeps_what_it_has():
    own = five()
    run = half_asked(own, 2)
    own.delete()
    assert run_advance(pk=run.pk, asker=asker()) is Progress.FAILED
    run.refresh_from_db()
    assert (run.reason, run.asked) == (services.SETS_GONE, 2)


def test_a_set_that_loses_questions_meanwhile_is_told_and_the_progress_stays_within_the_whole():
    own = five()
    run = half_asked(own, 2)
    own.questions.exclude(key="a004").delete()
    assert run_advance(pk=run.pk, asker=asker()) is Progress.DONE
    run.refresh_from_db()
    assert (run.asked, run.total, run.versions["changed"]) == (3, 3, ["questions"])


def test_a_set_that_changes_meanwhile_makes_no_run_longer_than_ordered():
    own = five()
    run = half_asked(own, 1, most=2)
    own.questions.filter(key="a000").delete()
    assert run_advance(pk=run.pk, asker=asker()) is Progress.DONE
    assert run.results.count() == 2


def test_the_questions_of_a_result_are_held_until_it_stands():
    with CaptureQueriesContext(connection) as queries:
        finished_run()
    assert [each for each in queries if each["sql"].endswith('FOR NO KEY UPDATE OF "evaluation_question"')]
