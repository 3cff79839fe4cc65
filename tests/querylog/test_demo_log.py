"""The demo's log in the database: loaded once, dated anew, gone without a trace."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from celery.exceptions import Retry
from django.core.management import call_command
from django.utils import timezone

from apps.answering.models import CachedAnswer
from apps.documents.models import Document, Party
from apps.querylog import services, tasks
from apps.querylog.counting import berlin_today
from apps.querylog.demo import loading, replying
from apps.querylog.demo.planning import plan, texts_asked
from apps.querylog.models import AnswerFeedback, Conversation, Handover, LogDay, SentenceReport, Turn
from apps.querylog.ownership import new_token
from apps.rag.events import Decided, Done
from apps.rag.types import Decision, Outcome
from apps.rules.models import RuleHitDay
from tests.documents.builders import ready
from tests.querylog.test_services import sentence

pytestmark = pytest.mark.django_db


@pytest.fixture
def few(monkeypatch):
    """A little of the plan: two subjects, small talk, and the attack."""
    kept = {"wahllokal", "boeller", "plaudern", "angriff"}
    chosen = [each for each in plan() if each.subject in kept][::4]
    monkeypatch.setattr(loading, "plan", lambda: tuple(chosen))
    return chosen


def load() -> str:
    said = StringIO()
    call_command("demo_log", stdout=said)
    return said.getvalue()


@pytest.fixture
def answers(monkeypatch):
    """Questions about the polling station are answered, all others go their way through the pipeline."""
    real = replying.answer_stream

    async def stream(*, question, history, context):
        if "Wahl" not in question.text:
            async for event in real(question=question, history=history, context=context):
                yield event
            return
        for event in (Decided(Decision.SEARCH_AS_IS, question.text), sentence("Um 18 Uhr."), Done(Outcome.ANSWERED)):
            yield event

    monkeypatch.setattr(replying, "answer_stream", stream)


def test_it_is_loaded_once_with_what_the_pipeline_answers(few, answers):
    Party.objects.create(slug="kompass", name="Kompasspartei (KOMP)", short_name="Kompasspartei")
    count = sum(len(each.turns) for each in few)
    assert f"{count} invented questions" in load()
    assert Turn.objects.count() == count
    assert not Conversation.objects.filter(is_demo=False).exists()
    assert {"answered", "refused", "chatted"} <= set(Turn.objects.values_list("outcome", flat=True))
    assert Turn.objects.filter(kind="small_talk").exists()
    assert Turn.objects.filter(parties=["kompass"]).count() >= 15
    for turn in Turn.objects.filter(outcome="answered"):
        assert [item["text"] for item in turn.shown] == ["Um 18 Uhr."]
    assert 0 < AnswerFeedback.objects.count() < count / 5
    assert load() == "Demo: 0 invented questions loaded; the log ends today.\n"
    assert Turn.objects.count() == count


def test_nobody_owns_it_and_it_leaves_no_hits_and_no_cached_answers(few):
    load()
    assert not Conversation.objects.filter(owner="").exists()
    assert not Conversation.objects.filter(owner__regex="^[0-9a-f]{64}$").exists()
    assert not RuleHitDay.objects.exists()
    assert not CachedAnswer.objects.exists()


def test_its_days_are_counted_apart(few):
    services.turn_start(
        conversation=services.conversation_open(token=new_token(), language="de"), words="Wann wird gewählt?"
    )
    load()
    counted = LogDay.objects.filter(counted="all")
    assert counted.filter(is_demo=True).count() >= 15
    assert not counted.filter(is_demo=False).exists()
    assert not counted.filter(day__gte=berlin_today()).exists()


def test_days_later_it_ends_today_again_with_the_same_rows(few):
    load()
    keys = set(Turn.objects.values_list("pk", flat=True))
    past = timedelta(days=9)
    for turn in Turn.objects.all():
        Turn.objects.filter(pk=turn.pk).update(created_at=turn.created_at - past, finished_at=turn.finished_at - past)
    for conversation in Conversation.objects.all():
        Conversation.objects.filter(pk=conversation.pk).update(created_at=conversation.created_at - past)
    load()
    turns = Turn.objects.all()
    assert {turn.pk for turn in turns} == keys
    newest = max(turn.created_at for turn in turns)
    assert timezone.now() - timedelta(hours=24) < newest <= timezone.now()
    assert all(turn.created_at <= turn.finished_at < turn.created_at + timedelta(minutes=2) for turn in turns)
    assert all(row.created_at - row.turn.created_at == timedelta(seconds=50) for row in AnswerFeedback.objects.all())


def test_what_was_forgotten_meanwhile_comes_back(few):
    load()
    count = Turn.objects.count()
    Conversation.objects.filter(pk__in=Conversation.objects.values_list("pk", flat=True)[:10]).delete()
    load()
    assert Turn.objects.count() == count


def test_it_is_taken_out_and_leaves_real_questions_alone(few):
    real = services.turn_start(
        conversation=services.conversation_open(token=new_token(), language="de"), words="Wann wird gewählt?"
    )
    load()
    said = StringIO()
    call_command("demo_log", "--remove", stdout=said)
    assert "invented questions removed" in said.getvalue()
    assert list(Turn.objects.all()) == [real]
    assert not LogDay.objects.filter(is_demo=True).exists()
    for model in (AnswerFeedback, SentenceReport, Handover):
        assert not model.objects.exists()


def test_the_worker_waits_until_the_sources_are_read(monkeypatch):
    document = ready("# A\n\nEin Satz steht hier.\n", "a.md")
    Document.objects.filter(pk=document.pk).update(status="queued")
    monkeypatch.setattr(tasks.demo_load, "retry", lambda **_: Retry())
    with pytest.raises(Retry):
        tasks.demo_load()


def test_the_worker_loads_one_subject_and_queues_the_next(few, monkeypatch):
    queued: list[int] = []
    monkeypatch.setattr(tasks.demo_load, "delay", lambda: queued.append(1))
    first = next(subject for subject in texts_asked() if subject in {each.subject for each in few})
    assert tasks.demo_load() == sum(len(each.turns) for each in few if each.subject == first)
    assert queued == [1]
    while queued:
        queued.clear()
        tasks.demo_load()
    assert Turn.objects.count() == sum(len(each.turns) for each in few)
