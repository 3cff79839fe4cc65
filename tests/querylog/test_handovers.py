"""What readers have handed to the desk: who works on it, seen by everybody, overwritten by nobody, gone in time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.querylog import retention
from apps.querylog.handing_over import (
    HandoverChangedError,
    NotHandedOverError,
    handover_change,
    turn_hand_over,
    waiting_label,
)
from apps.querylog.models import AccessEntry, Conversation, Handover, Turn

pytestmark = pytest.mark.django_db
WORDS = "Was kostet ein Windpark in Hintertupfing?"
REASON = "/admin/querylog/turn/reason/"
LIST = "admin:querylog_handover_changelist"


def open_turn(number: int = 1, **fields: object) -> Turn:
    """A finished turn that left half of its question open."""
    conversation = fields.pop("conversation", None) or Conversation.objects.create(owner="x", session_day="y")
    values: dict[str, object] = {
        "state": Turn.State.DONE,
        "finished_at": timezone.now(),
        "outcome": "answered",
        "coverage": 0.5,
        "signals": {"coverage_signals": {"question_aspects_missing": ["Kosten in Hintertupfing"]}},
        "shown": [{"type": "sentence", "text": "Wir wollen Windparks.", "citations": []}],
    }
    return Turn.objects.create(conversation=conversation, number=number, question=WORDS, **{**values, **fields})


@pytest.fixture
def handover() -> Handover:
    return turn_hand_over(turn=open_turn())


@pytest.fixture
def editor() -> User:
    return member("editor", "erika")


def member(group: str, name: str = "someone") -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    return user


def desk(user: User) -> Client:
    client = Client()
    client.force_login(user)
    client.cookies["wegweiser_language"] = "en"
    return client


def change_page(handover: Handover) -> str:
    return reverse("admin:querylog_handover_change", args=[handover.pk])


def seen(handover: Handover) -> str:
    return Handover.objects.get(pk=handover.pk).changed_at.isoformat()


@pytest.mark.parametrize(
    "fields",
    [
        {"coverage": 0.7},
        {"coverage": None},
        {"outcome": "chatted"},
        {"state": Turn.State.FAILED, "outcome": "failed"},
        {"state": Turn.State.RUNNING, "finished_at": None},
        {"outcome": "refused", "shown": [{"type": "notice", "code": "off_topic", "kind": "refusal"}]},
    ],
    ids=["covered", "nothing searched", "small talk", "failed", "running", "off topic"],
)
def test_only_what_the_sources_left_open_goes_to_the_desk(fields: dict[str, object]) -> None:
    turn = open_turn(**fields)
    assert not turn.may_be_handed_over
    with pytest.raises(NotHandedOverError):
        turn_hand_over(turn=turn)
    assert not Handover.objects.exists()


def test_it_is_handed_over_once(handover: Handover) -> None:
    first = Turn.objects.get().handed_over_at
    assert turn_hand_over(turn=Turn.objects.get()) == handover
    assert Turn.objects.get().handed_over_at == first


def test_a_turn_that_is_gone_is_no_error_of_ours() -> None:
    turn = open_turn()
    Turn.objects.all().delete()
    with pytest.raises(NotHandedOverError):
        turn_hand_over(turn=turn)


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_once_make_one() -> None:
    turn = open_turn()

    def press(_: int) -> int:
        try:
            return turn_hand_over(turn=Turn.objects.get(pk=turn.pk)).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(press, range(8)))) == 1


def test_who_changes_it_is_its_editor_until_it_is_open_again(handover: Handover, editor: User) -> None:
    taken = handover_change(handover=handover, editor=editor, state="taken", note=" Ich frage nach. ")
    assert (taken.state, taken.editor, taken.note) == ("taken", editor, "Ich frage nach.")
    noted = handover_change(handover=handover, editor=member("desk"), state="taken", note="Läuft.")
    assert noted.editor == editor
    assert handover_change(handover=handover, editor=editor, state="open", note="").editor is None


def test_nobody_writes_over_what_a_colleague_has_written_since(handover: Handover, editor: User) -> None:
    before = handover.changed_at
    handover_change(handover=handover, editor=editor, state="taken", note="Meins.")
    with pytest.raises(HandoverChangedError) as caught:
        handover_change(handover=handover, editor=member("desk"), state="dismissed", note="", seen=before)
    assert caught.value.current.editor == editor
    assert Handover.objects.get().note == "Meins."


def test_an_unknown_state_is_refused(handover: Handover, editor: User) -> None:
    with pytest.raises(ValidationError):
        handover_change(handover=handover, editor=editor, state="lost", note="")


def test_the_database_knows_that_what_is_open_is_nobodys(handover: Handover, editor: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Handover.objects.update(editor=editor)


def test_what_is_too_old_goes_with_its_question(handover: Handover, settings) -> None:
    Turn.objects.update(created_at=timezone.now() - timedelta(days=settings.QUESTION_RETENTION_DAYS + 1))
    retention.turns_expire()
    assert not Handover.objects.exists()


def test_an_editors_account_may_go_and_the_question_stays(handover: Handover, editor: User) -> None:
    handover_change(handover=handover, editor=editor, state="answered", note="")
    editor.delete()
    kept = Handover.objects.get()
    assert (kept.state, kept.editor) == ("answered", None)


# On the desk.


@pytest.mark.parametrize(
    ("group", "page", "status"),
    [
        ("desk", LIST, 200),
        ("editor", LIST, 200),
        ("publisher", LIST, 200),
        ("log reader", LIST, 200),
        ("evaluator", LIST, 403),
        ("operator", LIST, 403),
    ],
)
def test_the_list_is_for_those_who_work_on_it(handover: Handover, group: str, page: str, status: int) -> None:
    assert desk(member(group)).get(reverse(page)).status_code == status


def test_the_list_names_the_question_what_is_missing_and_who_has_it(handover: Handover, editor: User) -> None:
    handover_change(handover=handover, editor=editor, state="taken", note="")
    client = desk(member("desk"))
    hidden = client.get(reverse(LIST)).text
    assert WORDS not in hidden
    assert "Hintertupfing" not in client.get(change_page(handover)).text
    assert not AccessEntry.objects.exists()
    client.post(REASON, {"reason": "Going through the list"})
    text = client.get(reverse(LIST)).text
    for words in (WORDS, "Kosten in Hintertupfing", "taken", "erika"):
        assert words in text
    assert WORDS in client.get(change_page(handover)).text
    noted = AccessEntry.objects.all()
    assert {entry.what for entry in noted} == {"list", "turn"}
    assert all(entry.turns == [handover.turn.uuid] for entry in noted)


def test_a_reason_for_what_was_handed_over_opens_nothing_else(handover: Handover) -> None:
    client = desk(member("desk"))
    client.post(REASON, {"reason": "Going through the list"})
    text = client.get(reverse("admin:querylog_turn_change", args=[handover.turn_id])).text
    assert WORDS not in text


def test_the_list_takes_the_same_queries_however_long_it_is(handover: Handover) -> None:
    client = desk(member("desk"))
    client.get(reverse(LIST))

    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            client.get(reverse(LIST))
        return len(caught)

    few = queries()
    for _ in range(20):
        turn_hand_over(turn=open_turn())
    assert queries() == few


@pytest.mark.parametrize(("filters", "found"), [({}, 2), ({"state__exact": "open"}, 1), ({"state__exact": "taken"}, 1)])
def test_the_list_can_be_narrowed_by_state(handover: Handover, editor: User, filters, found: int) -> None:
    other = turn_hand_over(turn=open_turn())
    handover_change(handover=other, editor=editor, state="taken", note="")
    text = desk(editor).get(reverse(LIST), filters).text
    assert text.partition("<tbody")[2].count("/change/") == found


@pytest.mark.parametrize("lookup", ["turn__question__startswith", "note__contains", "editor__password__startswith"])
def test_no_filter_in_the_address_tells_more(handover: Handover, editor: User, lookup: str) -> None:
    assert desk(editor).get(reverse(LIST), {lookup: "W"}).status_code == 400


def test_taking_it_names_who_works_on_it(handover: Handover, editor: User) -> None:
    data = {"state": "open", "note": "", "querylog_handover_take_it": "1"}
    assert desk(editor).post(change_page(handover), {**data, "seen": seen(handover)}).status_code == 302
    assert Handover.objects.get().editor == editor
    assert Handover.objects.get().state == "taken"


def test_what_a_colleague_has_cannot_be_taken(handover: Handover, editor: User) -> None:
    handover_change(handover=handover, editor=editor, state="taken", note="")
    data = {"state": "taken", "note": "", "querylog_handover_take_it": "1", "seen": seen(handover)}
    text = desk(member("desk", "klara")).post(change_page(handover), data, follow=True).text
    assert "erika" in text
    assert Handover.objects.get().editor == editor


def test_several_can_be_taken_at_once(handover: Handover, editor: User) -> None:
    others = [turn_hand_over(turn=open_turn()) for _ in range(2)]
    rows = [each.pk for each in (handover, *others)]
    desk(editor).post(reverse(LIST), {"action": "take_them", "_selected_action": rows})
    assert set(Handover.objects.values_list("state", "editor")) == {("taken", editor.pk)}


def test_the_form_closes_it_with_a_note(handover: Handover, editor: User) -> None:
    data = {"state": "answered", "note": "Artikel ist online.", "seen": seen(handover)}
    assert desk(editor).post(change_page(handover), data).status_code == 302
    kept = Handover.objects.get()
    assert (kept.state, kept.editor, kept.note) == ("answered", editor, "Artikel ist online.")


def test_a_form_that_was_open_too_long_says_who_was_faster(handover: Handover, editor: User) -> None:
    stale = seen(handover)
    handover_change(handover=handover, editor=editor, state="taken", note="Meins.")
    data = {"state": "dismissed", "note": "Doppelt.", "seen": stale}
    response = desk(member("desk")).post(change_page(handover), data)
    assert response.status_code == 200
    assert "erika" in response.text
    assert "Doppelt." in response.text
    assert Handover.objects.get().note == "Meins."


@pytest.mark.parametrize(
    "data", [{"state": "lost", "note": ""}, {"state": "", "note": ""}, {"state": "taken", "note": "", "seen": "x"}]
)
def test_nonsense_changes_nothing(handover: Handover, editor: User, data: dict[str, str]) -> None:
    assert desk(editor).post(change_page(handover), {"seen": seen(handover), **data}).status_code == 200
    assert Handover.objects.get().state == "open"


def test_the_log_reader_looks_and_does_not_touch(handover: Handover) -> None:
    client = desk(member("log reader"))
    client.post(REASON, {"reason": "Looking on"})
    assert WORDS in client.get(change_page(handover)).text
    client.post(
        change_page(handover), {"state": "taken", "note": "", "seen": seen(handover), "querylog_handover_take_it": "1"}
    )
    assert Handover.objects.get().state == "open"


def test_nobody_adds_or_deletes_one_by_hand(handover: Handover, editor: User) -> None:
    client = desk(editor)
    assert client.get(reverse("admin:querylog_handover_add")).status_code == 403
    assert (
        client.post(reverse("admin:querylog_handover_delete", args=[handover.pk]), {"post": "yes"}).status_code == 403
    )
    assert Handover.objects.exists()


def test_the_menu_counts_what_waits(handover: Handover, editor: User, rf, monkeypatch) -> None:
    turn_hand_over(turn=open_turn())
    assert waiting_label(rf.get("/")) == "2"
    handover_change(handover=handover, editor=editor, state="taken", note="")
    assert waiting_label(rf.get("/")) == "1"
    monkeypatch.setattr("apps.querylog.handing_over._MOST_COUNTED", 1)
    turn_hand_over(turn=open_turn())
    assert waiting_label(rf.get("/")) == "1+"


def test_the_trace_says_who_works_on_it(handover: Handover, editor: User) -> None:
    handover_change(handover=handover, editor=editor, state="taken", note="")
    page = desk(member("desk")).get(reverse("admin:querylog_turn_change", args=[handover.turn_id])).text
    assert "erika" in page
    assert change_page(handover) in page
