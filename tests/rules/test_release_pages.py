"""The pages of releases: what would change, publishing all or some of it, the history, and the way back."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from apps.rules.models import ProtectedTerm, Release, Rule
from apps.rules.services import release_publish, rule_status_set
from apps.rules.suites.desk import store_rules
from apps.rules.types import Example, Phrase, Status
from tests.rules.desk import HOSTILE, REVIEW, member, save, small_tree

pytestmark = pytest.mark.django_db
RELEASES = "/admin/rules/release/"
CHECK = {"HX-Request": "true", "HX-Target": "release-check"}


@pytest.fixture(autouse=True)
def english(settings):
    settings.LANGUAGE_CODE = "en"
    with translation.override("en"):
        yield


@pytest.fixture
def publisher(client):
    small_tree()
    return member(client, "publisher")


def publish(comment: str = "First") -> Release:
    live = Release.objects.first()
    return release_publish(author=None, comment=comment, expected_release=live.number if live else 0)


def form_of(client) -> dict[str, object]:
    """Open the review and return its form as a browser would send it, all ticked."""
    page = client.get(REVIEW).content.decode()
    hidden = dict(re.findall(r'<input type="hidden" name="(live|state)" value="([^"]*)"', page))
    ticked = re.findall(r'name="rule" value="([^"]+)"[^>]* checked', page)
    return {**hidden, "shown": ticked, "rule": ticked, "comment": "Why", "publish": "1"}


def page_of(release: Release) -> str:
    return reverse("admin:rules_release_change", args=[release.pk])


def rollback_of(number: int) -> str:
    return reverse("admin:rules_release_rollback", args=[number])


# --- the review ---


def test_strangers_are_sent_to_the_login(client):
    for address in (REVIEW, RELEASES, rollback_of(1)):
        assert client.get(address).status_code == 302


def test_whoever_may_not_look_at_rules_sees_no_release(client):
    small_tree()
    release = publish()
    operator = member(client, "operator")
    for address in (REVIEW, RELEASES, page_of(release), rollback_of(1)):
        assert operator.get(address).status_code == 403


@pytest.mark.parametrize("group", ["desk", "editor"])
def test_who_may_not_publish_sees_what_would_change_and_cannot_send_it(client, group):
    small_tree()
    looker = member(client, group)
    page = looker.get(REVIEW).content.decode()
    assert "5 rules would change" in page
    assert 'name="publish"' not in page
    assert looker.post(REVIEW, form_of(looker)).status_code == 403
    assert not Release.objects.exists()


def test_the_review_tells_each_change_in_words(publisher):
    publish()
    save("date", title="Wahltag", parent="voting", phrases=(Phrase("Wann ist Wahltag?"),), position=2)
    save("fresh", title="Neue Regel")
    rule_status_set(uid="parties", status=Status.ARCHIVED, author=None)
    page = publisher.get(REVIEW).content.decode()
    assert "3 rules would change" in page
    assert "“Wahltermin” → “Wahltag”" in page
    assert "“Wann ist Wahltag?” added" in page
    assert re.search(r"Neue Regel</strong></label>\s*<span[^>]*>\s*new", page)
    assert re.search(r"Parteien</strong></label>\s*<span[^>]*>\s*taken out", page)
    assert "Nothing blocks the release." in page


def test_the_review_says_what_a_new_rule_does_and_leads_to_it(publisher):
    publish()
    fresh = save("fresh", title="Neue Regel", parent="voting", phrases=(Phrase("Wo ist das Wahllokal?"),))
    page = publisher.get(REVIEW).content.decode()
    assert "“Wo ist das Wahllokal?” added" in page
    assert reverse("admin:rules_rule_change", args=[fresh.pk]) in page
    # Nobody's name is known: none is made up.
    assert "release 1 of" in page
    assert " by ." not in page
    assert "somebody" not in page


def test_of_a_new_rule_with_many_phrases_the_review_tells_the_beginning(publisher):
    publish()
    save("fresh", title="Neue Regel", phrases=tuple(Phrase(f"Frage Nummer {number}?") for number in range(40)))
    page = publisher.get(REVIEW).content.decode()
    assert page.count("“Frage Nummer ") == 12
    assert "and 28 more" in page


def test_publishing_makes_all_of_it_live(publisher):
    answer = publisher.post(REVIEW, form_of(publisher), follow=True)
    assert "Release 1 is live." in answer.content.decode()
    release = Release.objects.get()
    assert (release.comment, release.author_name, release.versions.count()) == ("Why", "publisher", 5)
    assert "there is nothing to publish" in publisher.get(REVIEW).content.decode()


def test_only_what_is_ticked_goes_live(publisher):
    form = form_of(publisher)
    publisher.post(REVIEW, {**form, "rule": ["parties", "voting"]})
    assert {version.uid for version in Release.objects.get().versions.all()} == {"parties", "voting"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"comment": " "}, "Say in one sentence why"),
        ({"rule": []}, "nothing to publish"),
        ({"live": "x"}, "The page was not complete"),
        ({"live": ""}, "The page was not complete"),
        ({"state": "x"}, "Somebody changed rules since you opened this page"),
        ({"rule": ["postal"]}, "put right what blocks the release"),
    ],
)
def test_what_cannot_be_published_is_refused_with_a_sentence_and_keeps_the_ticks(publisher, change, said):
    form = {**form_of(publisher), **change}
    page = publisher.post(REVIEW, form).content.decode()
    assert said in page
    assert set(re.findall(r'name="rule" value="([^"]+)"[^>]* checked', page)) == set(form["rule"])
    assert not Release.objects.exists()


def test_a_release_made_meanwhile_stops_the_publication(publisher):
    form = form_of(publisher)
    publish("Faster")
    save("date", title="Wahltag", parent="voting", position=2)
    assert "went live meanwhile" in publisher.post(REVIEW, form).content.decode()
    assert Release.objects.count() == 1


def test_nobody_publishes_an_edit_that_the_page_did_not_show(publisher):
    form = form_of(publisher)
    save("date", title="Heimlich", parent="voting", position=2)
    assert "Somebody changed rules" in publisher.post(REVIEW, form).content.decode()
    assert not Release.objects.exists()


def test_a_failing_example_blocks_and_is_counted(publisher):
    save("parties", title="Parteien", examples=(Example("Ganz andere Frage"),), position=2)
    page = publisher.get(REVIEW).content.decode()
    assert "1 example question fails." in page
    assert "1 problem blocks the release." in page
    assert "put right what blocks" in publisher.post(REVIEW, form_of(publisher)).content.decode()
    assert not Release.objects.exists()


def test_ticking_asks_for_the_checks_of_just_these_rules(publisher):
    save("parties", title="Parteien", examples=(Example("Ganz andere Frage"),), position=2)
    answer = publisher.post(REVIEW, {"rule": ["voting", "postal"]}, headers=CHECK)
    page = answer.content.decode()
    assert page.strip().startswith('<div id="release-check"')
    assert "Nothing blocks the release." in page
    assert "No rule is ticked" in publisher.post(REVIEW, {"rule": []}, headers=CHECK).content.decode()
    assert not Release.objects.exists()


def test_a_new_rule_knows_the_new_rule_it_cannot_go_without(publisher):
    page = publisher.get(REVIEW).content.decode()
    assert 'value="abroad" data-above="postal"' in page
    assert 'value="parties" data-above' not in page
    publish()
    save("later", parent="postal")
    assert 'value="later" data-above' not in publisher.get(REVIEW).content.decode()


def test_changed_protected_names_are_told(publisher):
    publish()
    ProtectedTerm.objects.create(name="Erika Musterfrau")
    page = publisher.get(REVIEW).content.decode()
    assert "Erika Musterfrau" in page
    assert "there is nothing to publish" not in page


@pytest.mark.parametrize("value", HOSTILE)
def test_no_hand_made_review_breaks_anything(publisher, value):
    form = form_of(publisher)
    for data in (
        {**form, "rule": [value], "shown": [value]},
        {**form, "live": f"1{value}"},
        {**form, "state": value},
        {"rule": [value], "comment": value},
        {"publish": value, "live": "0", "rule": value},
    ):
        assert publisher.post(REVIEW, data).status_code == 200
    assert not Release.objects.exists()


# --- the history ---


def test_the_history_counts_what_each_release_changed(publisher):
    publish()
    save("fresh")
    save("date", title="Wahltag", parent="voting", position=2)
    rule_status_set(uid="parties", status=Status.ARCHIVED, author=None)
    publish("Second")
    page = re.sub(r"\s+", " ", publisher.get(RELEASES).content.decode())
    assert "1 new, 1 changed, 1 taken out" in page
    assert "5 new" in page
    assert "Second" in page


def test_more_releases_and_rules_ask_no_more_of_the_database(publisher):
    def queries() -> int:
        with CaptureQueriesContext(connection) as made:
            assert publisher.get(RELEASES).status_code == 200
        return len(made)

    publish()
    publisher.get(RELEASES)
    few = queries()
    store_rules(200)
    for number in range(4):
        save("date", title=f"Wahltag {number}", parent="voting", position=2)
        publish(f"Again {number}")
    assert queries() == few


def test_releases_are_never_edited_added_or_deleted_by_hand(publisher):
    release = publish()
    assert publisher.get(f"{RELEASES}add/").status_code == 403
    assert publisher.post(f"{RELEASES}{release.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Release.objects.count() == 1


def test_a_release_shows_who_when_why_and_what_it_changed(publisher):
    publish()
    save("date", title="Wahltag", parent="voting", position=2)
    second = publish("Moved the date")
    page = publisher.get(page_of(second)).content.decode()
    assert "Moved the date" in page
    assert "Changes against release 1" in page
    assert "“Wahltermin” → “Wahltag”" in page
    assert "5 rules in this release" in page
    assert "Roll back to this release" not in page
    first = publisher.get(page_of(Release.objects.get(number=1))).content.decode()
    assert "The first release" in first
    assert rollback_of(1) in first


@pytest.mark.parametrize("key", ["999999", "9" * 40, "x", "%00", "-1"])
def test_a_release_that_is_not_there_is_not_found(publisher, key):
    assert publisher.get(f"{RELEASES}{key}/change/").status_code == 404


# --- the way back ---


@pytest.fixture
def two_releases(publisher):
    publish()
    save("date", title="Wahltag", parent="voting", phrases=(Phrase("Wann ist Wahltag?"),), position=2)
    publish("Second")
    return publisher


def test_the_way_back_is_shown_before_it_is_gone(two_releases):
    page = two_releases.get(rollback_of(1)).content.decode()
    assert "“Wahltag” → “Wahltermin”" in page
    assert "“Frage date” added" in page
    assert Release.objects.count() == 2


def test_rolling_back_publishes_the_old_set_and_restores_the_draft(two_releases):
    answer = two_releases.post(rollback_of(1), {"live": "2", "comment": "Wrong date"}, follow=True)
    assert "Readers get the rules of release 1 again, as release 3." in answer.content.decode()
    made = Release.objects.first()
    assert (made.kind, made.comment, made.restored_from.number) == ("rollback", "Wrong date", 1)
    rule = Rule.objects.get(uid="date")
    assert (rule.title, [phrase.text for phrase in rule.phrases.all()]) == ("Wahltermin", ["Frage date"])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"live": "2", "comment": ""}, "Say in one sentence why"),
        ({"live": "1", "comment": "x"}, "Another release went live meanwhile"),
        ({"comment": "x"}, "Another release went live meanwhile"),
        *(({"live": value, "comment": value}, "Another release went live meanwhile") for value in HOSTILE),
    ],
)
def test_a_way_back_that_cannot_be_gone_is_refused_with_a_sentence(two_releases, data, said):
    assert said in two_releases.post(rollback_of(1), data).content.decode()
    assert Release.objects.count() == 2


def test_what_is_live_needs_no_way_back(two_releases):
    answer = two_releases.post(rollback_of(2), {"live": "2", "comment": "x"}, follow=True)
    assert "This release is live already." in answer.content.decode()
    assert Release.objects.count() == 2


@pytest.mark.parametrize("group", ["editor", "desk"])
def test_only_publishers_roll_back(two_releases, group):
    client = member(two_releases, group)
    assert client.get(rollback_of(1)).status_code == 403
    assert client.post(rollback_of(1), {"live": "2", "comment": "x"}).status_code == 403
    assert rollback_of(1) not in client.get(page_of(Release.objects.get(number=1))).content.decode()
    assert Release.objects.count() == 2


@pytest.mark.parametrize("number", [0, 77, 2**31, 10**30])
def test_no_way_leads_back_to_a_release_that_never_was(two_releases, number):
    assert two_releases.get(rollback_of(number)).status_code == 404
