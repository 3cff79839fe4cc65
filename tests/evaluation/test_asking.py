"""Conversations are asked turn by turn, as in the chat."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from itertools import count

import pytest

from apps.chat.history import history_before
from apps.evaluation.asking import ask_conversation
from apps.evaluation.types import QuestionKind
from apps.querylog.models import Conversation, Turn
from apps.querylog.services import turn_record
from apps.rag.events import Failed, Notice
from apps.rag.types import Decision, NoticeKind
from tests.evaluation.building import FakeAsk, answered, refused, sentence, spec

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2027, 1, 1, 12, tzinfo=UTC)


def asked(turns, fake, **values):
    ticks = count()
    return asyncio.run(ask_conversation(turns, fake, NOW, clock=lambda: float(next(ticks)), **values))


def test_a_question_comes_through_the_door_like_a_readers():
    fake = FakeAsk()
    asked([spec(text="  Meine Nummer ist 0171 2345678,  wer ruft an? ", language="de", choices=("wohnen",))], fake)
    [(question, history, context)] = fake.asked
    assert question.text == "Meine Nummer ist [Telefon], wer ruft an?"
    assert history == ()
    assert (context.now, context.locale, context.builder_choices) == (NOW, "de", ("wohnen",))


def test_every_event_has_its_time():
    [turn] = asked([spec()], FakeAsk())
    assert [each.at for each in turn.events] == [1000.0, 2000.0, 3000.0, 4000.0]


def test_each_turn_sees_the_ones_before_it():
    fake = FakeAsk()
    turns = [spec("d1", number=number, text=f"Frage {number}?", kind=QuestionKind.DIALOGUE) for number in (1, 2, 3)]
    asked(turns, fake)
    assert [[past.question for past in history] for _question, history, _context in fake.asked] == [
        [],
        ["Frage 1?"],
        ["Frage 1?", "Frage 2?"],
    ]


def test_offers_and_items_of_the_question_take_the_place_of_what_was_shown():
    fake = FakeAsk({"A": [Notice(NoticeKind.CLARIFICATION, "which", choices=("Gezeigt?",))]})
    asked([spec("d1", text="A?"), spec("d1", number=2, text="B?")], fake)
    assert fake.asked[1][1][0].offers == ("Gezeigt?",)
    asked([spec("d1", text="A?", offers=("Anders?",), items=("Eins", "Zwei")), spec("d1", number=2, text="B?")], fake)
    [past] = fake.asked[-1][1]
    assert (past.offers, past.items) == (("Anders?",), ("Eins", "Zwei"))


@pytest.mark.parametrize("events", [answered(query="Wie hoch ist er?", decision=Decision.REWRITE), refused()])
def test_a_turn_leaves_what_it_leaves_in_the_chat(events):
    fake = FakeAsk({"Eins": events})
    asked([spec("d1", text="Eins?"), spec("d1", number=2, text="Zwei?")], fake)
    conversation = Conversation.objects.create(owner="x", session_day="y")
    first = Turn.objects.create(conversation=conversation, number=1, question="Eins?", state="running")
    for event in events:
        turn_record(turn=first, event=event)
    second = Turn.objects.create(conversation=conversation, number=2, question="Zwei?")
    assert list(fake.asked[1][1]) == history_before(second)


def test_what_hangs_is_a_failure_of_this_question_and_keeps_what_came():
    async def hanging(*, question, history, context):
        yield sentence()
        await asyncio.sleep(60)

    turns = asked([spec()], hanging, seconds=0.05)
    assert [type(each.event).__name__ for each in turns[0].events] == ["Sentence", "Failed"]
    assert turns[0].events[-1].event == Failed("took_too_long")


def test_nothing_is_written_to_the_log():
    asked([spec()], FakeAsk())
    assert not Turn.objects.exists()
    assert not Conversation.objects.exists()
