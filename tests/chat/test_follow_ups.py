"""Follow-up questions on the page: choices are buttons, and what a turn leaves for the next one."""

from __future__ import annotations

import re

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.chat.history import history_before
from apps.chat.runs import turn_events
from apps.chat.viewing import Viewer
from apps.querylog import services
from apps.querylog.models import Conversation, Turn
from apps.querylog.ownership import new_token
from apps.rag.events import Decided, Done, Failed, Notice, Restart
from apps.rag.remembering import history_turn
from apps.rag.rewriting.types import Reference
from apps.rag.types import Decision, NoticeKind, Outcome

from .conftest import ANSWER, REFUSAL, SOURCE, cited

pytestmark = pytest.mark.django_db(transaction=True)
CHOICES = ("Was sagt <b>BfM</b> zur Rente?", "Was sagt XYZ zur Rente?")
ASKS_BACK = (
    Decided(Decision.CLARIFY, "Was sagt sie zur Rente?", "which_party", choices=CHOICES),
    Notice(NoticeKind.CLARIFICATION, "which_party", choices=CHOICES),
    Done(Outcome.CLARIFIED),
)
BUTTON = re.compile(r'<button form="ask" name="suggestion" value="([^"]*)" formnovalidate>')


def ask(client: Client, question: str, *, key: str = "", name: str = "question"):
    return client.post(reverse("chat:ask"), {name: question, "conversation": key})


def test_two_readings_are_buttons_of_the_form_without_any_script(reader, script):
    script(ASKS_BACK)
    page = reader.get(ask(reader, "Was sagt sie zur Rente?")["Location"])
    assert BUTTON.findall(page.text) == ["Was sagt &lt;b&gt;BfM&lt;/b&gt; zur Rente?", "Was sagt XYZ zur Rente?"]
    assert '<form class="ask" id="ask" method="post"' in page.text
    turn = Turn.objects.get()
    assert (turn.decision, turn.outcome, turn.state) == ("CLARIFY", "clarified", "done")


def test_a_pressed_choice_is_the_next_question_of_the_same_conversation(reader, script):
    asked = script(ASKS_BACK)
    ask(reader, "Was sagt sie zur Rente?")
    key = str(Conversation.objects.get().uuid)
    ask(reader, CHOICES[1], key=key, name="suggestion")
    assert asked == ["Was sagt sie zur Rente?", CHOICES[1]]
    assert Turn.objects.get(number=2).conversation.uuid == Conversation.objects.get().uuid


async def test_the_choices_arrive_in_the_stream_as_well(script):
    script(ASKS_BACK)
    turn = await sync_to_async(make_turn)()
    [(_, html)] = [(event.event, event.data) async for event in turn_events(turn, Viewer("de"))]
    assert BUTTON.findall(html)[1] == "Was sagt XYZ zur Rente?"


def make_turn() -> Turn:
    try:
        conversation = services.conversation_open(token=new_token(), language="de")
        return services.turn_start(conversation=conversation, words="Was sagt sie zur Rente?")
    finally:
        connection.close()


def stored(**fields: object) -> Turn:
    """A finished turn of a new conversation, and the question after it."""
    conversation = Conversation.objects.create(owner="o", session_day="s")
    values = {"state": "done", "finished_at": timezone.now(), "question": "Was kostet das?", **fields}
    Turn.objects.create(conversation=conversation, number=1, **values)
    return Turn.objects.create(conversation=conversation, number=2, question="Und dann?")


def test_the_next_turn_knows_query_subject_offers_and_evidence():
    citation = {"source": {"uuid": SOURCE.uuid}, "start": 10, "end": 20}
    turn = stored(
        decision="REWRITE",
        query="Was kostet Briefwahl?",
        rewriting={"reason": "referred", "references": [{"said": "das", "means": "Briefwahl", "turn": 1}]},
        passages=[
            {"chunk": 5, "uuid": "other", "start": 0, "end": 90},
            {"chunk": 7, "uuid": SOURCE.uuid, "start": 0, "end": 90},
        ],
        shown=[
            {"type": "sentence", "text": "Nichts.", "citations": [citation]},
            {"type": "notice", "text": "", "choices": ["Wie lange dauert das?"]},
        ],
    )
    [found] = history_before(turn)
    assert (found.decision, found.query, found.subject) == (Decision.REWRITE, "Was kostet Briefwahl?", "Briefwahl")
    assert found.offers == ("Wie lange dauert das?",)
    # What is cited comes first.
    assert found.chunk_ids == (7, 5)
    assert (found.question, found.answer, found.number) == ("Was kostet das?", "Nichts.", 1)


@pytest.mark.parametrize("state", ["interrupted", "failed"])
def test_a_question_whose_answer_was_stopped_can_still_be_corrected(state):
    [found] = history_before(stored(state=state))
    assert found.question == "Was kostet das?"


def test_a_turn_that_is_not_over_is_no_history():
    assert history_before(stored(state="running", finished_at=None)) == []


def test_what_the_rewriter_decided_is_kept_with_the_turn(reader, script):
    event = Decided(
        Decision.DECOMPOSE,
        "Was kostet das und wann?",
        "several_questions",
        references=(Reference("das", "Briefwahl", 1),),
        sub_queries=("Was kostet Briefwahl?", "Wann?"),
        turns_used=(1,),
    )
    script((event, Done(Outcome.ANSWERED)))
    ask(reader, "Was kostet das und wann?")
    turn = Turn.objects.get()
    assert turn.question == "Was kostet das und wann?"
    assert turn.rewriting == {
        "reason": "several_questions",
        "references": [{"said": "das", "means": "Briefwahl", "turn": 1}],
        "choices": [],
        "sub_queries": ["Was kostet Briefwahl?", "Wann?"],
        "turns_used": [1],
    }


REMEMBERED = {
    "an answer": ANSWER,
    "a refusal": REFUSAL,
    "a question back": ASKS_BACK,
    "a failure": (ANSWER[0], Failed("search_down")),
    "a second draft": (*ANSWER[:4], Restart(1), *ANSWER[4:]),
    "the desk's own words": (
        Decided(Decision.REWRITE, "Was kostet Briefwahl?", "referred", references=(Reference("das", "Briefwahl", 1),)),
        *ANSWER[1:2],
        Notice(NoticeKind.DESK, "desk_answer", "Nichts: Briefwahl kostet kein Geld."),
        cited("Der Wahlbrief ist frei.", group="BfM"),
        Restart(0),
        Notice(NoticeKind.CAVEAT, "cut_short"),
        Done(Outcome.ANSWERED),
    ),
}


@pytest.mark.parametrize("events", REMEMBERED.values(), ids=REMEMBERED)
def test_a_turn_is_remembered_as_its_events_say(reader, script, events):
    script(events)
    ask(reader, "Was kostet das?")
    turn = Turn.objects.get()
    assert [history_turn(1, turn.question, events)] == history_before(Turn(conversation=turn.conversation, number=2))
