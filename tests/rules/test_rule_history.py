"""The history of one rule: what each version changed, who saved it and why, how often it answered, the way back."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from apps.rules.models import Rule, RuleHitDay, RuleVersion
from apps.rules.services import release_publish, rule_save
from apps.rules.types import Phrase, RuleSpec, Slot, TokenList
from tests.rules.desk import HOSTILE, member, save

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english(settings):
    settings.LANGUAGE_CODE = "en"
    with translation.override("en"):
        yield


@pytest.fixture
def rule() -> Rule:
    """Saved three times: written by Petra, given words, given another phrase for a reason."""
    petra = User.objects.create_user("petra")
    words = TokenList((Slot("Briefwahl"),))
    rule_save(spec=RuleSpec(uid="postal", title="Briefwahl", phrases=(Phrase("Wie geht das?"),)), author=petra)
    release_publish(author=petra, comment="First", expected_release=0)
    save("postal", title="Briefwahl", phrases=(Phrase("Wie geht das?"),), core=words)
    spec = RuleSpec(uid="postal", title="Briefwahl", phrases=(Phrase("Wie <b>geht</b> es?"),), core=words)
    return rule_save(spec=spec, author=None, comment="Readers ask it so")


def history(rule: Rule) -> str:
    return reverse("admin:rules_rule_history", args=[rule.pk])


def restore(rule: Rule, number: int) -> str:
    return reverse("admin:rules_rule_restore", args=[rule.pk, number])


def entry(page: str, number: int) -> str:
    """One version's part of the page, without tags."""
    part = page.split(f'id="version-{number}"')[1].split('<li id="version-')[0].split("</ol>")[0]
    return re.sub(r"<[^>]+>|\s+", " ", part)


def test_each_version_says_what_it_changed_who_and_why(client, rule):
    page = member(client, "desk").get(history(rule)).content.decode()
    newest, words, first = (re.sub(" +", " ", entry(page, number)) for number in (3, 2, 1))
    assert "Readers ask it so" in newest
    assert "draft now" in newest
    assert "“Wie geht das?” removed" in newest
    assert "&lt;b&gt;geht&lt;/b&gt;" in newest
    assert "Briefwahl" in words
    assert "added" in words
    assert "petra" in first
    assert "in release 1" in first
    assert "The rule was written." in first
    assert "Bring" not in page


def test_an_old_version_comes_back_with_its_rows_as_a_new_one(client, rule):
    editor = member(client, "editor")
    page = editor.get(history(rule)).content.decode()
    assert "“Wie geht das?” added" in entry(page, 1)
    answer = editor.post(restore(rule, 1), follow=True)
    assert "Version 1 is back as a draft." in answer.content.decode()
    rule.refresh_from_db()
    assert rule.version == 4
    assert [phrase.text for phrase in rule.phrases.all()] == ["Wie geht das?"]
    assert not rule.token_lists.exists()
    assert RuleVersion.objects.filter(uid="postal").count() == 4


def test_a_version_whose_phrase_belongs_to_another_rule_by_now_cannot_come_back(client, rule):
    save("other", phrases=(Phrase("Wie geht das?"),))
    answer = member(client, "editor").post(restore(rule, 1), follow=True)
    assert "Version 1 cannot come back." in answer.content.decode()
    rule.refresh_from_db()
    assert rule.version == 3


def test_who_may_only_look_brings_nothing_back(client, rule):
    assert member(client, "desk").post(restore(rule, 1)).status_code == 403
    assert member(client, "operator").get(history(rule)).status_code == 403
    rule.refresh_from_db()
    assert rule.version == 3


def test_looking_at_the_address_brings_nothing_back(client, rule):
    assert member(client, "editor").get(restore(rule, 1)).status_code == 405


def test_versions_and_rules_that_are_not_there_are_not_found(client, rule):
    editor = member(client, "editor")
    for number in (0, 9, 2**31, 10**30):
        assert editor.post(restore(rule, number)).status_code == 404
    assert editor.post(reverse("admin:rules_rule_restore", args=[10**30, 1])).status_code == 404
    for key in ("999999", "9" * 40, "x", "-1"):
        assert editor.get(f"/admin/rules/rule/{key}/history/").status_code == 404


def test_traffic_is_told_by_day_version_and_stage(client, rule):
    today = timezone.localdate()
    for days, version, stage, count in ((0, 2, "exact", 7), (1, 1, "fuzzy", 5), (31, 1, "exact", 999)):
        RuleHitDay.objects.create(
            uid="postal",
            version=version,
            stage=stage,
            day=today - timedelta(days=days),
            count=count,
            last_at=timezone.now(),
        )
    page = member(client, "desk").get(history(rule)).content.decode()
    table = re.sub(r"<[^>]+>|\s+", " ", page.split("<tbody>")[1].split("</tbody>")[0])
    assert re.search(r"2 +exact +7 .*1 +similar +5", table)
    assert "999" not in table


@pytest.mark.parametrize("value", HOSTILE)
def test_no_page_number_breaks_the_history(client, rule, value):
    assert member(client, "desk").get(history(rule), {"page": value}).status_code == 200


def test_a_long_history_has_pages_and_asks_no_more_of_the_database(client, rule):
    desk = member(client, "desk")

    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            assert desk.get(history(rule)).status_code == 200
        return len(made)

    desk.get(history(rule))
    few = queries()
    for number in range(22):
        save("postal", title=f"Briefwahl {number}", core=TokenList((Slot("Briefwahl"),)))
    assert queries() == few
    # The last of a page is told against the one before it, not as if it had been written then.
    assert "“Briefwahl 1” → “Briefwahl 2”" in entry(desk.get(history(rule)).content.decode(), 6)
    second = desk.get(history(rule), {"page": 2}).content.decode()
    assert "“Briefwahl 0” → “Briefwahl 1”" in entry(second, 5)
    assert "The rule was written." in entry(second, 1)
