"""The log: masked before the first write, numbered, ended once, forgotten in time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from apps.answering.caching import KEY, MADE
from apps.answering.models import CachedAnswer
from apps.documents.models import Party
from apps.querylog import retention, services
from apps.querylog.models import Conversation, DailyKey, Turn
from apps.querylog.ownership import new_token, owner_of, session_day
from apps.rag.events import Decided, Done, Failed, Notice, Restart, Retrieved, Sentence
from apps.rag.types import Citation, Decision, NoticeKind, Outcome, Passage, Source

SOURCE = Source(uuid="0b1f0d4e-8f0e-4a53-9c39-2f5a1f6f8f11", version=1, title="Programm", kind="programme")


def sentence(text: str, number: int = 1) -> Sentence:
    citation = Citation(number, 7, SOURCE, 10, 10 + len(text), text, page=3, heading_path=("Arbeit", "Lohn"))
    return Sentence(text, (citation,))


@pytest.fixture
def conversation(db) -> Conversation:
    return services.conversation_open(token=new_token(), language="de")


def test_a_question_is_masked_before_the_first_write(conversation):
    turn = services.turn_start(conversation=conversation, words="Wer hilft mir? Schreiben Sie an anna.b@example.org")
    stored = Turn.objects.get(pk=turn.pk)
    assert "example.org" not in stored.question
    assert "[E-Mail]" in stored.question
    assert stored.masked_kinds


def test_party_names_survive_masking(conversation):
    Party.objects.create(slug="m", name="Partei Herr Morgen", short_name="PHM", aliases=["Herr Morgen"])
    turn = services.turn_start(conversation=conversation, words="Was will Herr Morgen?")
    assert turn.question == "Was will Herr Morgen?"


@pytest.mark.parametrize("words", ["", "   ", "\x00\x00", "\u202e", "\ud800"])
def test_nothing_is_stored_for_nothing(conversation, words):
    with pytest.raises(ValueError, match="empty"):
        services.turn_start(conversation=conversation, words=words)
    assert not Turn.objects.exists()


def test_a_question_is_cut_at_the_limit(conversation, settings):
    turn = services.turn_start(conversation=conversation, words="ä" * 100_000)
    assert len(turn.question) == settings.QUESTION_MAX_CHARACTERS


def test_turns_are_numbered_one_after_the_other(conversation):
    turns = [services.turn_start(conversation=conversation, words=f"Frage {n}?") for n in range(3)]
    assert [turn.number for turn in turns] == [1, 2, 3]


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_once_get_different_numbers():
    conversation = services.conversation_open(token=new_token(), language="de")

    def start(n: int) -> int:
        try:
            return services.turn_start(conversation=conversation, words=f"Frage {n}?").number
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(start, range(8))) == list(range(1, 9))


def test_a_turn_is_claimed_once(conversation):
    turn = services.turn_start(conversation=conversation, words="Wie wähle ich?")
    assert services.turn_claim(turn_id=turn.pk)
    assert not services.turn_claim(turn_id=turn.pk)


def test_events_become_a_record_that_a_page_can_be_drawn_from(conversation):
    turn = services.turn_start(conversation=conversation, words="Wie hoch soll der Lohn sein?")
    services.turn_claim(turn_id=turn.pk)
    passage = Passage(7, SOURCE, "Wir wollen 15 Euro.", 0, 19)
    for event in (
        Decided(Decision.SEARCH_AS_IS, "Wie hoch soll der Lohn sein?"),
        Retrieved((passage,)),
        sentence("Wir wollen 15 Euro."),
        Done(Outcome.ANSWERED, {"search": 12.345}),
    ):
        services.turn_record(turn=turn, event=event)
    stored = Turn.objects.get(pk=turn.pk)
    assert (stored.state, stored.outcome, stored.decision) == ("done", "answered", "SEARCH_AS_IS")
    assert stored.finished_at is not None
    assert stored.timings == {"search": 12.3}
    assert stored.passages[0]["chunk"] == 7
    assert stored.shown[0]["citations"][0] | {"source": None} == {
        "number": 1,
        "source": None,
        "start": 10,
        "end": 29,
        "page": 3,
        "heading_path": ["Arbeit", "Lohn"],
    }


def test_a_restart_keeps_the_sentences_that_passed(conversation):
    turn = services.turn_start(conversation=conversation, words="Frage?")
    for event in (sentence("Eins."), sentence("Zwei."), Restart(kept=1), sentence("Drei.")):
        services.turn_record(turn=turn, event=event)
    assert [item["text"] for item in Turn.objects.get(pk=turn.pk).shown] == ["Eins.", "Drei."]


def test_a_refusal_keeps_its_nearest_documents_apart_from_citations(conversation):
    turn = services.turn_start(conversation=conversation, words="Frage?")
    nearest = (Passage(7, SOURCE, "Etwas anderes.", 0, 14),)
    services.turn_record(turn=turn, event=Notice(NoticeKind.REFUSAL, "not_enough", nearest=nearest))
    shown = Turn.objects.get(pk=turn.pk).shown
    assert shown[0]["nearest"][0]["number"] == 0
    assert "citations" not in shown[0]


def test_what_a_model_did_is_kept_beside_the_release(conversation):
    turn = services.turn_start(conversation=conversation, words="Was gilt?")
    turn.versions = {"release": 3}
    services.turn_record(turn=turn, event=Done(Outcome.ANSWERED, writing={"model": "m", "grounding": "grounded"}))
    turn.refresh_from_db()
    assert turn.versions == {"release": 3, "writing": {"model": "m", "grounding": "grounded"}}


def test_a_failure_ends_the_turn(conversation):
    turn = services.turn_start(conversation=conversation, words="Frage?")
    services.turn_record(turn=turn, event=Failed("search_down"))
    assert Turn.objects.get(pk=turn.pk).state == Turn.State.FAILED


def test_the_database_refuses_a_finished_turn_without_a_time(conversation):
    turn = services.turn_start(conversation=conversation, words="Frage?")
    with pytest.raises(IntegrityError), transaction.atomic():
        Turn.objects.filter(pk=turn.pk).update(state=Turn.State.DONE)


def test_a_stranger_owns_nothing(conversation):
    services.turn_start(conversation=conversation, words="Frage?")
    assert not Conversation.objects.owned_by(owner_of(new_token())).exists()
    assert not Turn.objects.owned_by("").exists()


@pytest.mark.django_db
def test_a_days_hash_is_stable_that_day_and_means_nothing_the_next():
    token = new_token()
    monday, tuesday = date(2026, 11, 23), date(2026, 11, 24)
    assert session_day(token, monday) == session_day(token, monday)
    assert session_day(token, monday) != session_day(token, tuesday)
    before = session_day(token, monday)
    DailyKey.objects.filter(day=monday).delete()
    assert session_day(token, monday) != before


def test_old_questions_and_keys_are_forgotten_and_counted(conversation, settings):
    old = services.turn_start(conversation=conversation, words="Alte Frage?")
    young_home = services.conversation_open(token=new_token(), language="de")
    young = services.turn_start(conversation=young_home, words="Junge Frage?")
    long_ago = timezone.now() - timedelta(days=settings.QUESTION_RETENTION_DAYS + 1)
    Turn.objects.filter(pk=old.pk).update(created_at=long_ago)
    Conversation.objects.filter(pk=conversation.pk).update(created_at=long_ago)
    DailyKey.objects.create(day=long_ago.date(), key=b"x")
    assert retention.turns_expire() == {"turns": 1, "conversations": 1, "source_reports": 0, "keys": 1}
    assert list(Turn.objects.all()) == [young]
    assert retention.turns_expire() == {"turns": 0, "conversations": 0, "source_reports": 0, "keys": 0}


def test_a_turn_whose_process_died_is_ended(conversation):
    dead = services.turn_start(conversation=conversation, words="Frage?")
    services.turn_claim(turn_id=dead.pk)
    Turn.objects.filter(pk=dead.pk).update(created_at=timezone.now() - timedelta(minutes=10))
    alive = services.turn_start(conversation=conversation, words="Noch eine?")
    assert services.turns_abandon() == 1
    dead.refresh_from_db()
    alive.refresh_from_db()
    assert (dead.state, alive.state) == (Turn.State.INTERRUPTED, Turn.State.NEW)


MADE_WITH = {
    "settings": "3",
    "settings_digest": "ab12cd34",
    "index": "17",
    "model": "openai/m",
    "embedder": "fake/hash",
}


def test_a_turn_names_everything_that_made_its_answer(conversation):
    turn = services.turn_start(conversation=conversation, words="Was gilt?")
    decided = Decided(Decision.SEARCH_AS_IS, "Was gilt?", versions={**MADE_WITH, KEY: "k", MADE: "2026-01-01T12:00:00"})
    services.turn_record(turn=turn, event=decided)
    services.turn_record(turn=turn, event=Done(Outcome.ANSWERED, {}, {"model": "openai/m", "prompt": "answer_1"}))
    stored = Turn.objects.get(pk=turn.pk).versions
    assert MADE_WITH.items() <= stored.items()
    assert stored[MADE] == "2026-01-01T12:00:00"
    assert stored["writing"]["prompt"] == "answer_1"


def test_a_turn_that_broke_names_its_versions_too(conversation):
    turn = services.turn_start(conversation=conversation, words="Was gilt?")
    services.turn_record(turn=turn, event=Failed("search_down", MADE_WITH))
    assert Turn.objects.get(pk=turn.pk).versions == MADE_WITH


def test_a_deleted_conversation_takes_its_kept_answers_along(conversation):
    later = timezone.now() + timedelta(hours=1)
    for key in ("mine", "other"):
        CachedAnswer.objects.create(key=key, events=[], expires_at=later)
    turn = services.turn_start(conversation=conversation, words="Was gilt?")
    services.turn_record(turn=turn, event=Decided(Decision.SEARCH_AS_IS, "Was gilt?", versions={KEY: "mine"}))
    retention.conversation_delete(conversation=conversation)
    assert list(CachedAnswer.objects.values_list("key", flat=True)) == ["other"]
