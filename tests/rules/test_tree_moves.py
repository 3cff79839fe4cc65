"""Moving, pausing and setting the status in the rule list: by button, by drop, by hand-made requests."""

from __future__ import annotations

import re

import pytest
from django.utils import translation

from apps.rules.models import Release, Rule
from apps.rules.services import release_publish, rule_status_set
from apps.rules.types import Phrase, Status
from tests.rules.desk import ARRANGE, HOSTILE, LIST, member, places, save, small_tree

pytestmark = pytest.mark.django_db
FRAGMENT = {"HX-Request": "true", "HX-Target": "rules-tree"}
WHOLE = {"": ["voting", "parties"], "voting": ["postal", "date"], "postal": ["abroad"]}


@pytest.fixture(autouse=True)
def english(settings):
    settings.LANGUAGE_CODE = "en"
    with translation.override("en"):
        yield


@pytest.fixture
def editor(client):
    small_tree()
    return member(client, "editor")


def press(client, **data: object) -> str:
    """Press a button as a script does and return what is said, the rest of the list left out."""
    answer = client.post(ARRANGE, data, headers=FRAGMENT)
    assert answer.status_code == 200
    said = re.search(r'<p class="rules-said( is-refused)?">(.*?)</p>', answer.content.decode())
    assert said
    return ("refused: " if said[1] else "") + said[2]


# --- who ---


def test_who_may_only_look_moves_nothing(client):
    small_tree()
    assert member(client, "desk").post(ARRANGE, {"do": "down:voting"}).status_code == 403
    assert places() == WHOLE


def test_looking_at_the_address_moves_nothing(editor):
    assert editor.get(ARRANGE, {"do": "down:voting"}).status_code == 405
    assert places() == WHOLE


# --- buttons ---


@pytest.mark.parametrize(
    ("step", "expected", "said"),
    [
        ("down:voting", {"": ["parties", "voting"]}, "“Rund um die Wahl” now stands on the top level, place 2."),
        ("up:date", {"voting": ["date", "postal"]}, "“Wahltermin” now stands below “Rund um die Wahl”, place 1."),
        ("in:date", {"voting": ["postal"], "postal": ["abroad", "date"]}, "below “Briefwahl”, place 2."),
        ("in:parties", {"": ["voting"], "voting": ["postal", "date", "parties"]}, "place 3."),
        ("out:abroad", {"voting": ["postal", "abroad", "date"], "postal": None}, "below “Rund um die Wahl”, place 2."),
        ("out:date", {"": ["voting", "date", "parties"], "voting": ["postal"]}, "on the top level, place 2."),
    ],
)
def test_a_step_moves_a_rule_and_says_where_it_stands(editor, step, expected, said):
    assert said in press(editor, do=step)
    assert places() == {uid: order for uid, order in {**WHOLE, **expected}.items() if order}


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("up:voting", "stands first already"),
        ("down:parties", "stands last already"),
        ("in:voting", "no rule above it on its level"),
        ("out:voting", "stands on the top level already"),
        ("sideways:voting", "nothing that a rule can do"),
        ("up:nowhere", "This rule is gone"),
    ],
)
def test_a_step_that_leads_nowhere_is_refused_with_a_sentence(editor, step, said):
    answer = press(editor, do=step)
    assert answer.startswith("refused: ")
    assert said in answer
    assert places() == WHOLE


def test_steps_pass_archived_rules_that_nobody_sees(editor):
    save("old", title="Alt", position=1, status=Status.ARCHIVED)
    save("last", title="Schluss", position=3)
    press(editor, do="up:last")
    shown = [uid for uid in places()[""] if uid != "old"]
    assert shown == ["voting", "last", "parties"]


# --- drops ---


@pytest.mark.parametrize(
    ("uid", "place", "target", "expected"),
    [
        ("parties", "before", "voting", {"": ["parties", "voting"]}),
        ("voting", "after", "parties", {"": ["parties", "voting"]}),
        ("parties", "into", "abroad", {"": ["voting"], "abroad": ["parties"]}),
        ("abroad", "after", "date", {"voting": ["postal", "date", "abroad"], "postal": None}),
        ("date", "into", "voting", {}),
        ("postal", "before", "parties", {"": ["voting", "postal", "parties"], "voting": ["date"]}),
    ],
)
def test_a_drop_puts_a_rule_beside_or_below_another(editor, uid, place, target, expected):
    assert not press(editor, do=f"drop:{uid}", place=place, target=target).startswith("refused")
    assert places() == {name: order for name, order in {**WHOLE, **expected}.items() if order}


@pytest.mark.parametrize(
    ("uid", "place", "target", "said"),
    [
        ("voting", "into", "abroad", "cannot stand below itself"),
        ("voting", "after", "date", "cannot stand below itself"),
        ("voting", "into", "voting", "dropped on itself"),
        ("voting", "into", "nowhere", "dropped where none is"),
        ("voting", "", "parties", "dropped where none is"),
        ("voting", "into", "", "dropped where none is"),
    ],
)
def test_an_impossible_drop_is_refused_with_a_sentence(editor, uid, place, target, said):
    answer = press(editor, do=f"drop:{uid}", place=place, target=target)
    assert answer.startswith("refused: ")
    assert said in answer
    assert places() == WHOLE


def test_a_drop_that_makes_the_tree_too_deep_is_refused(editor):
    save("four", parent="abroad")
    save("five", parent="four")
    answer = press(editor, do="drop:parties", place="into", target="five")
    assert answer.startswith("refused: ")
    assert "5" in answer
    assert places()[""] == ["voting", "parties"]


@pytest.mark.parametrize("value", HOSTILE)
def test_no_hand_made_request_breaks_anything(editor, value):
    for data in (
        {"do": value},
        {"do": f"up:{value}"},
        {"do": f"pause:{value}@{value}"},
        {"do": "drop:voting", "place": value, "target": value},
        {"do": "status", "status": value, "chosen": [value, f"{value}@1", "voting@1"]},
        {"do": "status", "status": "paused", "chosen": [value, f"voting@{value}"]},
        {"do": "down:voting", "open": [value, value]},
        {},
    ):
        for headers in (FRAGMENT, {}):
            assert editor.post(ARRANGE, data, headers=headers, query_params={"q": value}).status_code in (200, 302)
    assert Rule.objects.filter(status="active").count() == 5


# --- what comes back ---


def test_a_script_gets_the_list_as_it_was_opened(editor):
    answer = editor.post(ARRANGE, {"do": "up:date", "open": ["voting"]}, headers=FRAGMENT)
    page = answer.content.decode()
    assert page.strip().startswith('<div id="rules-tree"')
    assert '<div id="tree-said" hx-swap-oob="innerHTML">' in page
    assert re.findall(r'data-uid="([^"]+)"', page) == ["voting", "date", "postal", "parties"]


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"do": "in:parties"}, ["date", "parties", "postal", "voting"]),
        ({"do": "drop:parties", "place": "into", "target": "postal", "open": "voting"}, [*WHOLE["voting"], "parties"]),
    ],
)
def test_what_was_moved_below_a_closed_rule_stays_in_sight(editor, given, shown):
    page = editor.post(ARRANGE, given, headers=FRAGMENT).content.decode()
    handles = set(re.findall(r'id="handle-(\d+)"', page))
    assert {str(Rule.objects.get(uid=uid).pk) for uid in shown} <= handles
    answer = editor.post(ARRANGE, {"do": "up:date"})
    assert answer.headers["Location"] == f"{LIST}?open=voting"


def test_a_plain_browser_goes_back_to_the_same_list_with_a_message(editor):
    answer = editor.post(f"{ARRANGE}?open=voting&q=", {"do": "up:date"}, follow=True)
    assert answer.redirect_chain == [(f"{LIST}?open=voting", 302)]
    assert "now stands below" in answer.content.decode()
    refused = editor.post(ARRANGE, {"do": "up:voting"}, follow=True)
    assert [message.level_tag for message in refused.context["messages"]] == ["error"]


# --- status ---


def test_pausing_and_resuming_in_the_list_are_drafts(editor):
    assert "will be paused with the next release" in press(editor, do="pause:voting@1")
    assert Rule.objects.get(uid="voting").status == "paused"
    assert not Release.objects.exists()
    assert "will be active again" in press(editor, do="resume:voting@2")
    assert Rule.objects.get(uid="voting").status == "active"


def test_pausing_what_somebody_else_has_just_saved_is_refused_by_name(editor):
    save("voting", title="Neu")
    answer = press(editor, do="pause:voting@1")
    assert answer.startswith("refused: Neu")
    assert Rule.objects.get(uid="voting").status == "active"


def test_resuming_a_rule_whose_phrase_belongs_to_another_by_now_is_refused(editor):
    save("copy", phrases=(Phrase("Wie beantrage ich Briefwahl?"),), status=Status.PAUSED)
    answer = press(editor, do="resume:copy@1")
    assert answer.startswith("refused: ")
    assert "Briefwahl" in answer


def test_many_rules_get_a_status_at_once_and_the_others_are_named(editor):
    save("date", title="Geändert", parent="voting")
    answer = press(editor, do="status", status="archived", chosen=["postal@1", "parties@1", "date@1", "gone@1"])
    assert "2 rules have their new status" in answer
    assert "Geändert" in answer
    found = dict(Rule.objects.values_list("uid", "status"))
    assert (found["postal"], found["parties"], found["date"]) == ("archived", "archived", "active")


@pytest.mark.parametrize("data", [{}, {"status": "paused"}, {"status": "x", "chosen": ["postal@1"]}])
def test_setting_a_status_of_nothing_says_what_to_do(editor, data):
    assert "Tick the rules first" in press(editor, do="status", **data)


# --- at once ---


@pytest.fixture
def publisher(client):
    small_tree()
    release_publish(author=None, comment="First", expected_release=0)
    return member(client, "publisher")


PAUSE = f"{LIST}postal/pause-now/"


def test_pausing_at_once_publishes_only_that(publisher):
    save("parties", title="Unfertig")
    page = publisher.get(PAUSE).content.decode()
    assert "1 rule below it pauses with it." in page
    answer = publisher.post(PAUSE, {"comment": "Wrong date"}, follow=True)
    assert "is paused. Readers get no more answers from it." in answer.content.decode()
    live = Release.objects.first()
    assert (live.number, live.kind, live.comment) == (2, "pause", "Wrong date")
    data = {version.uid: version.data for version in live.versions.all()}
    assert data["postal"]["status"] == "paused"
    assert data["parties"]["title"] == "Parteien"


def test_pausing_at_once_needs_a_reason_and_something_live(publisher):
    assert "Say why" in publisher.post(PAUSE, {"comment": "  "}).content.decode()
    rule_status_set(uid="postal", status=Status.PAUSED, author=None)
    save("new")
    assert "is not live" in publisher.post(f"{LIST}new/pause-now/", {"comment": "x"}).content.decode()
    assert Release.objects.count() == 1


@pytest.mark.parametrize("group", ["editor", "desk", "operator"])
def test_only_publishers_pause_at_once(client, group):
    small_tree()
    release_publish(author=None, comment="First", expected_release=0)
    for answer in (member(client, group).get(PAUSE), client.post(PAUSE, {"comment": "x"})):
        assert answer.status_code == 403
    assert Release.objects.count() == 1


def test_pausing_at_once_what_is_not_there_is_not_found(publisher):
    assert publisher.get(f"{LIST}nowhere/pause-now/").status_code == 404


def test_only_publishers_are_offered_to_pause_at_once(publisher):
    assert f"{LIST}postal/pause-now/" in publisher.get(LIST, {"open": "voting"}).content.decode()
    assert "pause-now" not in member(publisher, "editor").get(LIST, {"open": "voting"}).content.decode()
