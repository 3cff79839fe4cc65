"""Follow-up questions on the page: buttons with and without scripts, and their evidence in the next turn."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from apps.chat.display import shown_turn
from apps.chat.history import history_before
from apps.chat.running import answer_whole
from apps.chat.runs import turn_events
from apps.chat.viewing import Viewer
from apps.documents.models import Chunk, Document, Party
from apps.querylog import services
from apps.querylog.models import Conversation, Turn
from apps.querylog.ownership import new_token
from apps.rag.events import Notice
from apps.rag.types import NoticeKind
from tests.documents.builders import ready

from .conftest import ANSWER

pytestmark = pytest.mark.django_db(transaction=True)
OFFERS = ("Was sagen <b>die</b> Parteien zur Rente?", "Briefwahl: Was gilt?")
BUTTON = re.compile(r'<button form="ask" name="suggestion" value="([^"]*)" formnovalidate>')
OFFERING = (*ANSWER[:-1], Notice(NoticeKind.OFFER, "offer", choices=OFFERS, evidence=(31, 32)), ANSWER[-1])
ASKED = "Was sagt die Morgenpartei zur Rente?"
ALL = "Was sagen die Parteien zur Rente?"


def ask(reader, words: str, *, key: str = "", name: str = "question"):
    return reader.post(reverse("chat:ask"), {name: words, "conversation": key})


def test_offers_are_buttons_of_the_form_without_any_script(reader, script):
    script(OFFERING)
    page = reader.get(ask(reader, ASKED)["Location"])
    assert BUTTON.findall(page.text) == ["Was sagen &lt;b&gt;die&lt;/b&gt; Parteien zur Rente?", "Briefwahl: Was gilt?"]
    assert page.text.index('class="sources"') < page.text.index('class="offers"')


async def test_offers_arrive_in_the_stream_with_the_whole_answer(script):
    script(OFFERING)
    turn = await _new_turn()
    events = [(event.event, event.data) async for event in turn_events(turn, Viewer("de"))]
    assert [name for name, _ in events] == ["status", "sentence", "sentence", "answer"]
    assert BUTTON.findall(events[-1][1])[1] == "Briefwahl: Was gilt?"


async def _new_turn() -> Turn:
    return await sync_to_async(_made)()


def _made() -> Turn:
    try:
        conversation = services.conversation_open(token=new_token(), language="de")
        return services.turn_start(conversation=conversation, words=ASKED)
    finally:
        connection.close()


def test_a_pressed_offer_is_the_next_question_of_the_same_conversation(reader, script):
    asked = script(OFFERING)
    ask(reader, ASKED)
    key = str(Conversation.objects.get().uuid)
    ask(reader, OFFERS[1], key=key, name="suggestion")
    assert asked == [ASKED, OFFERS[1]]
    assert Turn.objects.get(number=2).conversation == Conversation.objects.get()


def test_offers_and_their_evidence_are_kept_for_the_next_turn(reader, script):
    script(OFFERING)
    ask(reader, ASKED)
    turn = Turn.objects.get()
    assert shown_turn(turn, "de").offers == OFFERS
    assert not shown_turn(turn, "de").notices
    following = Turn.objects.create(conversation=turn.conversation, number=2, question="Gerne.")
    [before] = history_before(following)
    assert before.offers == OFFERS
    # What is cited comes first; then what is offered.
    assert before.chunk_ids == (7, 31, 32)


OWN = """# Programm

## Alter

Die Rente wollen wir bei 48 Prozent halten. Die Rente steigt mit den Löhnen.
"""
OTHER = """# Programm

## Alter

Die Rente wollen wir erst mit 67 Jahren beginnen lassen.
"""


@pytest.fixture
def programmes(settings) -> None:
    """Two parties, each with something on pensions."""
    settings.OFFER_MILLISECONDS = 60_000
    for order, (slug, name, text) in enumerate((("morgen", "Morgenpartei", OWN), ("tal", "Talbund", OTHER))):
        party = Party.objects.create(slug=slug, name=f"Die {name}", short_name=name, order=order)
        facts = {"title": f"Programm {name}", "kind": "programme", "party": party}
        ready(text, f"{slug}.md", facts=facts)


def answered(words: str, conversation: Conversation | None = None) -> Turn:
    """A question answered by the whole product, with offers."""
    conversation = conversation or Conversation.objects.create(owner="o", session_day="s")
    turn = services.turn_start(conversation=conversation, words=words)
    async_to_sync(answer_whole)(turn.pk, "de")
    turn.refresh_from_db()
    return turn


@pytest.mark.parametrize("words", [ALL, "Ja, die erste bitte.", "Gerne!"])
def test_an_accepted_offer_is_answered_from_the_evidence_behind_it(programmes, words):
    first = answered(ASKED)
    assert shown_turn(first, "de").offers == (ALL,)
    [offer] = [item for item in first.shown if item["type"] == "notice"]
    behind = set(Chunk.objects.filter(document__party__slug="tal").values_list("pk", flat=True))
    assert set(offer["evidence"]) <= behind
    assert offer["evidence"]
    second = answered(words, first.conversation)
    assert second.query == ALL
    assert set(offer["evidence"]) <= {passage["chunk"] for passage in second.passages}
    assert {item["group"] for item in second.shown if item["type"] == "sentence"} == {"Morgenpartei", "Talbund"}
    # Nothing is offered twice.
    assert ALL not in shown_turn(second, "de").offers


def test_evidence_that_was_taken_back_since_is_not_shown(programmes):
    first = answered(ASKED)
    Document.objects.filter(party__slug="tal").update(valid_until=timezone.localdate() - timedelta(days=1))
    second = answered(ALL, first.conversation)
    assert {item["group"] for item in second.shown if item["type"] == "sentence"} == {"Morgenpartei"}


def test_without_evidence_nothing_is_offered(programmes):
    assert shown_turn(answered("Wie hoch ist der Mount Everest?"), "de").offers == ()
