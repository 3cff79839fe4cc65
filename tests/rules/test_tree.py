"""The rule list as a tree: what it shows, what is left of it after a search, and how much it asks of the database."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from apps.documents.models import Collection, Document
from apps.rules import draft_findings
from apps.rules.loading import rule_spec
from apps.rules.models import Rule, RuleHitDay
from apps.rules.services import release_publish, rule_save, rule_status_set
from apps.rules.suites.desk import store_rules
from apps.rules.types import LinkedDocument, Phrase, Slot, Status, TokenList
from tests.rules.desk import HOSTILE, LIST, member, save, small_tree

pytestmark = pytest.mark.django_db
FRAGMENT = {"HX-Request": "true", "HX-Target": "rules-tree"}
CHILDREN = f"{LIST}children/"
FINDINGS = f"{LIST}findings/"


@pytest.fixture(autouse=True)
def english(settings):
    settings.LANGUAGE_CODE = "en"
    draft_findings._kept = draft_findings._Kept()
    with translation.override("en"):
        yield


@pytest.fixture
def desk(client):
    """Somebody who may look at rules and do nothing else."""
    return member(client, "desk")


@pytest.fixture
def editor(client):
    return member(client, "editor")


def shown(answer) -> list[str]:
    """The short names of the rules on a page, in order."""
    return re.findall(r'data-uid="([^"]+)"', answer.content.decode())


def row(answer, uid: str) -> str:
    """The markup of one rule's line, without those below it."""
    page = answer.content.decode()
    start = page.index(f'data-uid="{uid}"')
    end = page.find("<ul id=", start)
    return page[start : end if end > 0 else len(page)].split('<li id="rule-')[0]


# --- who ---


def test_strangers_are_sent_to_the_login(client):
    assert client.get(LIST).status_code == 302


@pytest.mark.parametrize("address", [LIST, f"{CHILDREN}?of=voting", FINDINGS])
def test_whoever_may_not_look_at_rules_sees_none(client, address):
    small_tree()
    assert member(client, "operator").get(address).status_code == 403


def test_who_may_only_look_finds_nothing_to_press(desk):
    small_tree()
    page = desk.get(LIST).content.decode()
    assert "Rund um die Wahl" in page
    assert not re.search(r'name="do"|name="chosen"|draggable|New rule', page)


@pytest.mark.parametrize("address", [CHILDREN, FINDINGS])
def test_fragments_are_only_read(editor, address):
    assert editor.post(address).status_code == 405


# --- the tree ---


def test_the_tree_begins_with_the_roots_in_their_order(desk):
    small_tree()
    answer = desk.get(LIST)
    assert shown(answer) == ["voting", "parties"]
    assert 'aria-expanded="false"' in row(answer, "voting")
    assert "aria-expanded" not in row(answer, "parties")


def test_a_level_comes_as_one_list_that_takes_the_place_of_the_closed_one(desk):
    small_tree()
    answer = desk.get(CHILDREN, {"of": "voting"}, headers={"HX-Request": "true"})
    page = answer.content.decode().strip()
    assert page.startswith(f'<ul id="below-{Rule.objects.get(uid="voting").pk}"')
    assert page.endswith("</ul>")
    assert shown(answer) == ["postal", "date"]


def test_without_scripts_levels_open_by_their_address(desk):
    small_tree()
    answer = desk.get(LIST, {"open": ["voting", "postal"]})
    assert shown(answer) == ["voting", "postal", "abroad", "date", "parties"]
    # Closing one keeps the other open.
    toggle = re.search(r'href="\?([^"]*)" aria-expanded="true"', row(answer, "voting"))
    assert toggle
    assert toggle[1] == "open=postal"


def test_a_level_with_many_rules_leads_to_a_page_of_its_own(desk, monkeypatch):
    monkeypatch.setattr("apps.rules.listing.MOST_SHOWN", 1)
    monkeypatch.setattr("apps.rules.tree_filters.MOST_SHOWN", 1)
    small_tree()
    opened = desk.get(LIST, {"open": "voting"})
    assert shown(opened) == ["voting", "postal"]
    assert "?below=voting&amp;page=2" in opened.content.decode()
    assert shown(desk.get(LIST, {"below": "voting", "page": 2})) == ["date"]
    assert shown(desk.get(CHILDREN, {"of": "voting"})) == ["postal"]


@pytest.mark.parametrize("uid", ["", "nowhere", *HOSTILE])
def test_a_level_of_no_rule_is_not_found(desk, uid):
    assert desk.get(CHILDREN, {"of": uid}).status_code == 404


def test_an_empty_desk_says_what_to_do(editor):
    page = editor.get(LIST).content.decode()
    assert "There are no rules yet" in page
    assert "/admin/rules/rule/add/" in page


# --- what a line says ---


def test_a_line_shows_how_a_rule_matches_and_what_it_hands_over(desk):
    document = Document.objects.create(title="Guide", collection=Collection.objects.create(slug="d", name="D"))
    words = TokenList((Slot("Briefwahl"),))
    linked = LinkedDocument(str(document.uuid), "Guide")
    save("all", core=words, documents=(linked,), owner="", tags=("service",))
    save("strict", phrases=(Phrase("Nur genau so", is_fuzzy=False),))
    save("folder", phrases=())
    answer = desk.get(LIST)
    said = {uid: re.sub(r"<[^>]+>|\s+", " ", row(answer, uid)) for uid in ("all", "strict", "folder")}
    assert re.search(r"= +exact.*≈ +similar.*W +by words", said["all"])
    assert re.search(r"1 +document ", said["all"])
    assert "#service" in said["all"]
    assert "exact" in said["strict"]
    assert "similar" not in said["strict"]
    assert "folder" in said["folder"]


def test_hits_of_seven_and_thirty_days_count_all_versions(desk):
    save("asked")
    save("unasked")
    now = timezone.now()
    for days, version, count in ((0, 2, 5), (6, 1, 1), (7, 1, 10), (29, 1, 100), (30, 1, 1000)):
        RuleHitDay.objects.create(
            uid="asked",
            version=version,
            stage="exact",
            day=timezone.localdate(now) - timedelta(days=days),
            count=count,
            last_at=now - timedelta(days=days),
        )
    answer = desk.get(LIST)
    assert "6 / 116" in row(answer, "asked")
    assert "never hit" in row(answer, "unasked")
    assert shown(desk.get(LIST, {"only": "unhit"})) == ["unasked"]


def test_a_line_says_what_the_next_release_would_change(desk):
    for uid in ("same", "edited", "undone", "ended", "fresh"):
        save(uid)
    save("fresh-draft", status=Status.DRAFT)
    live = ["same", "edited", "undone", "ended"]
    release_publish(author=None, comment="First", uids=live, expected_release=0)
    for title in ("Other", "Undone"):
        rule_save(spec=replace(rule_spec(Rule.objects.whole().get(uid="undone")), title=title), author=None)
    save("edited", title="New title")
    rule_status_set(uid="ended", status=Status.ARCHIVED, author=None)
    answer = desk.get(LIST)
    assert "changed, not yet live" in row(answer, "edited")
    assert "new, not yet live" in row(answer, "fresh")
    for uid in ("same", "undone", "fresh-draft"):
        assert "rule-change" not in row(answer, uid)
    assert "3 rules are not yet live." in answer.content.decode()
    assert set(shown(desk.get(LIST, {"only": "changed"}))) == {"edited", "fresh"}
    archived = desk.get(LIST, {"only": "changed", "status": "archived"})
    assert "still live until the next release" in row(archived, "ended")


def test_before_the_first_release_everything_is_new(desk):
    small_tree()
    answer = desk.get(LIST)
    assert "new, not yet live" in row(answer, "voting")
    assert "5 rules are not yet live." in answer.content.decode()
    assert len(shown(desk.get(LIST, {"only": "changed"}))) == 5


def test_a_rule_below_a_paused_one_is_told_not_to_count(desk):
    small_tree()
    rule_status_set(uid="voting", status=Status.PAUSED, author=None)
    answer = desk.get(LIST, {"open": ["voting", "postal"]})
    assert "does not count: “Rund um die Wahl” above it is not active" in row(answer, "abroad")
    assert "does not count" not in row(answer, "voting")


def test_archived_rules_are_out_of_the_way_unless_asked_for(desk):
    small_tree()
    rule_status_set(uid="parties", status=Status.ARCHIVED, author=None)
    assert shown(desk.get(LIST)) == ["voting"]
    assert shown(desk.get(LIST, {"q": "Parteien"})) == []
    assert shown(desk.get(LIST, {"status": "archived"})) == ["parties"]
    # With others still below it, it keeps its place, so that they can be found.
    rule_status_set(uid="voting", status=Status.ARCHIVED, author=None)
    assert shown(desk.get(LIST)) == ["voting"]


def test_titles_are_shown_as_text(desk):
    save("bad", title="<script>alert(1)</script>", tags=("<b>",))
    page = desk.get(LIST).content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page


# --- search and filters ---


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("wahl", ["abroad", "postal", "voting", "date"]),
        ("BRIEFWAHL", ["abroad", "postal"]),
        ("postal", ["postal"]),
        ("beantrage ich", ["postal"]),
        ("muenchen", ["abroad"]),
        ("München Ausland", ["abroad"]),
        ("service", ["date"]),
        ("rund briefwahl", []),
        ("?", ["postal"]),
        ("xyz", []),
    ],
)
def test_search_looks_into_titles_names_phrases_and_tags(desk, words, found):
    small_tree()
    assert set(shown(desk.get(LIST, {"q": words}))) == set(found)


def test_what_was_found_is_a_flat_list_with_the_way_to_it(desk):
    small_tree()
    answer = desk.get(LIST, {"q": "Ausland"}, headers=FRAGMENT)
    page = answer.content.decode()
    assert page.strip().startswith('<div id="rules-tree"')
    assert "<html" not in page
    assert "Rund um die Wahl › Briefwahl › " in page
    assert "1 rule found." in page
    assert "No rule fits" in desk.get(LIST, {"q": "xyz"}, headers=FRAGMENT).content.decode()


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"status": "paused"}, {"paused"}),
        ({"validity": "now"}, {"open", "running", "paused"}),
        ({"validity": "future"}, {"later"}),
        ({"validity": "expired"}, {"over"}),
        ({"tag": "service"}, {"open"}),
        ({"owner": "petra"}, {"later"}),
        ({"owner": "nobody"}, set()),
        ({"status": "paused", "validity": "future"}, set()),
        ({"status": "nonsense", "validity": "x", "only": "y"}, {"open", "running", "paused", "later", "over"}),
    ],
)
def test_filters_narrow_the_list_together(desk, given, found):
    User.objects.create_user("petra")
    now = timezone.now()
    save("open", tags=("service",))
    save("running", valid_from=now - timedelta(days=1), valid_until=now + timedelta(days=1))
    save("later", valid_from=now + timedelta(days=1), owner="petra")
    save("over", valid_until=now - timedelta(days=1))
    save("paused", status=Status.PAUSED)
    assert set(shown(desk.get(LIST, given))) == found


@pytest.mark.parametrize("name", ["q", "status", "validity", "tag", "owner", "only", "open", "below", "page"])
@pytest.mark.parametrize("value", HOSTILE)
def test_no_address_breaks_the_list(desk, name, value):
    small_tree()
    assert desk.get(LIST, {name: value}).status_code == 200


# --- warnings ---


def test_the_page_does_not_wait_for_the_checks(editor):
    save("strange", valid_until=timezone.now() - timedelta(days=1))
    first = editor.get(LIST).content.decode()
    assert 'hx-trigger="load"' in first
    pk = Rule.objects.get(uid="strange").pk
    checked = editor.get(FINDINGS, {"of": pk, "key": "top"}, headers={"HX-Request": "true"}).content.decode()
    assert checked.strip().startswith('<li id="check-top"')
    assert f'id="warnings-{pk}"' in checked
    assert "1 warning" in checked
    second = editor.get(LIST).content.decode()
    assert 'hx-trigger="load"' not in second
    assert "1 warning" in second
    assert shown(editor.get(LIST, {"only": "warning"})) == ["strange"]


def test_a_closed_folder_tells_of_warnings_below_it(editor):
    ended = {"valid_until": timezone.now() - timedelta(days=1)}
    save("folder")
    save("middle", parent="folder")
    save("strange", parent="middle", **ended)
    save("odd", parent="folder", **ended)
    save("beside")
    assert shown(editor.get(LIST, {"only": "warning"})) == ["middle", "odd", "strange"]
    page = editor.get(LIST).content.decode()
    assert page.count("3 rules below have warnings") == 1
    assert "1 rule below has warnings" not in page
    inside = editor.get(reverse("admin:rules_rule_children"), {"of": "folder"}).content.decode()
    assert inside.count("1 rule below has warnings") == 1


def test_a_change_of_the_draft_asks_for_new_checks(editor):
    save("strange", valid_until=timezone.now() - timedelta(days=1))
    assert shown(editor.get(LIST, {"only": "warning"})) == ["strange"]
    save("strange")
    assert 'hx-trigger="load"' in editor.get(LIST).content.decode()
    assert shown(editor.get(LIST, {"only": "warning"})) == []


@pytest.mark.parametrize("value", HOSTILE)
def test_no_hand_made_number_breaks_the_checks(editor, value):
    small_tree()
    assert editor.get(FINDINGS, {"of": value, "key": value}).status_code == 200


# --- the database ---


def _queries(client, address: str, given: dict[str, object]) -> int:
    client.get(address, given)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address, given).status_code == 200
    return len(queries)


@pytest.mark.parametrize(
    ("address", "given"),
    [
        (LIST, {}),
        (LIST, {"open": ["rule-0", "rule-1", "rule-20", "rule-40"]}),
        (LIST, {"q": "regel"}),
        (LIST, {"only": "changed"}),
        (LIST, {"only": "warning"}),
        (CHILDREN, {"of": "rule-0"}),
    ],
)
def test_more_rules_ask_no_more_of_the_database(editor, address, given):
    store_rules(20)
    few = _queries(editor, address, given)
    store_rules(180, first=20)
    assert _queries(editor, address, given) == few
    assert few <= 20
