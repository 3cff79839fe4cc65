"""The reader hands a question to the desk: once, only the own one, only where the sources left something open."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from apps.querylog.handing_over import handover_change
from apps.querylog.models import Handover, Turn
from apps.rag.events import Decided, Done, Event, Notice, Retrieved
from apps.rag.types import Decision, NoticeKind, Outcome, Signals

from .conftest import ANSWER, Script, cited

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HX-Request": "true"}


def signals(ratio: float) -> Signals:
    covered = {"question_aspects_covered": [], "question_aspects_missing": ["Kosten"], "coverage_ratio": ratio}
    return Signals(0.4, {}, covered, {}, "answer")


def answer(ratio: float) -> tuple[Event, ...]:
    return (
        Decided(Decision.SEARCH_AS_IS, "Frage"),
        Retrieved((), signals(ratio)),
        cited("Wir wollen 15 Euro."),
        Done(Outcome.ANSWERED),
    )


def refusal(code: str) -> tuple[Event, ...]:
    return (
        Decided(Decision.SEARCH_AS_IS, "Frage"),
        Retrieved((), signals(0.0)),
        Notice(NoticeKind.REFUSAL, code),
        Done(Outcome.REFUSED),
    )


LOW, HIGH = answer(0.5), answer(1.0)


def ask(client: Client) -> tuple[Turn, str]:
    """The stored turn and the page that shows it."""
    page = client.post(reverse("chat:ask"), {"question": "Was kostet das?", "conversation": ""})["Location"]
    return Turn.objects.latest("pk"), page


def hand_over(client: Client, turn: Turn, **headers: str):
    return client.post(reverse("chat:hand-over", args=[turn.uuid]), headers=headers)


def button(turn: Turn) -> str:
    return f'formaction="{reverse("chat:hand-over", args=[turn.uuid])}"'


@pytest.mark.parametrize("steps", [LOW, refusal("not_enough"), refusal("wrong_party")], ids=["low", "refused", "party"])
def test_it_is_offered_where_the_sources_left_something_open(reader, script: Script, steps):
    script(steps)
    turn, page = ask(reader)
    assert button(turn) in reader.get(page).text


@pytest.mark.parametrize(
    "steps",
    [HIGH, ANSWER, refusal("off_topic"), (Decided(Decision.CHAT, "Hallo"), Done(Outcome.CHATTED))],
    ids=["covered", "no signals", "off topic", "small talk"],
)
def test_it_is_neither_offered_nor_taken_elsewhere(reader, script: Script, steps):
    script(steps)
    turn, page = ask(reader)
    assert "hand-over/" not in reader.get(page).text
    assert hand_over(reader, turn).status_code == 404
    assert not Handover.objects.exists()


def test_without_scripts_the_page_comes_back_with_thanks(reader, script: Script):
    script(LOW)
    turn, _ = ask(reader)
    response = hand_over(reader, turn)
    assert response.status_code == 302
    assert response["Location"].endswith(f"#hand-over-{turn.uuid}")
    page = reader.get(response["Location"]).text
    assert button(turn) not in page
    assert 'role="status"' in page
    turn.refresh_from_db()
    assert turn.handed_over_at is not None
    assert turn.handover.state == Handover.State.OPEN


def test_with_htmx_the_thanks_take_the_buttons_place(reader, script: Script):
    script(LOW)
    turn, _ = ask(reader)
    response = hand_over(reader, turn, **HTMX)
    assert response.status_code == 200
    assert "<html" not in response.text
    assert response.text.strip().startswith(f'<div class="hand-over" id="hand-over-{turn.uuid}">')
    assert 'role="status"' in response.text


def test_a_second_time_changes_nothing(reader, script: Script):
    script(LOW)
    turn, _ = ask(reader)
    hand_over(reader, turn)
    first = Turn.objects.get(pk=turn.pk).handed_over_at
    assert hand_over(reader, turn).status_code == 302
    assert Turn.objects.get(pk=turn.pk).handed_over_at == first
    assert Handover.objects.count() == 1


def test_it_needs_a_post(reader):
    assert reader.get(reverse("chat:hand-over", args=[uuid.uuid4()])).status_code == 405


def test_it_needs_the_token_of_the_form(script: Script, db):
    careful = Client(enforce_csrf_checks=True)
    page = careful.get("/").text
    found = re.search(r'name="csrfmiddlewaretoken" id="csrf-token" value="(\w+)"', page)
    assert found
    script(LOW)
    asked = {"question": "Was kostet das?", "conversation": "", "csrfmiddlewaretoken": found[1]}
    careful.post(reverse("chat:ask"), asked)
    address = reverse("chat:hand-over", args=[Turn.objects.get().uuid])
    assert careful.post(address).status_code == 403
    assert not Handover.objects.exists()
    assert careful.post(address, {"csrfmiddlewaretoken": found[1]}).status_code == 302


def test_a_stranger_gets_the_same_as_for_an_unknown_id(reader, stranger, script: Script):
    script(LOW)
    turn, _ = ask(reader)
    ask(stranger)
    for client in (stranger, Client()):
        assert hand_over(client, turn).status_code == 404
        assert client.post(reverse("chat:hand-over", args=[uuid.uuid4()])).status_code == 404
    assert not Handover.objects.exists()


def test_the_reader_hears_when_asking_again_is_worth_it(reader, script: Script, django_user_model):
    script(LOW)
    turn, page = ask(reader)
    hand_over(reader, turn)
    editor = django_user_model.objects.create_user("someone")
    handover_change(handover=Handover.objects.get(), editor=editor, state="dismissed", note="geheim")
    thanks = reader.get(page).text
    handover_change(handover=Handover.objects.get(), editor=editor, state="answered", note="geheim")
    again = reader.get(page).text
    part = re.compile(r'<div class="hand-over".*?</div>', re.DOTALL)
    assert part.findall(thanks) != part.findall(again)
    assert "geheim" not in thanks + again


def test_deleting_the_conversation_takes_it_along(reader, script: Script):
    script(LOW)
    turn, _ = ask(reader)
    hand_over(reader, turn)
    reader.post(reverse("chat:delete", args=[turn.conversation.uuid]))
    assert not Handover.objects.exists()
