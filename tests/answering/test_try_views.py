"""The pages of "Try a question": who gets in, what they see, and what no body can break."""

from __future__ import annotations

import logging

import pytest
from django.contrib.auth.models import Group, User
from django.urls import reverse

from apps.rules import live
from apps.rules.loading import rule_spec
from apps.rules.models import Rule
from apps.rules.reports import Verdict
from apps.rules.services import release_publish, rules_save
from apps.rules.types import Phrase, ProtectedName, RuleSpec, Slot, TokenList
from tests.rules.building import rule as make
from tests.rules.form_data import posted
from tests.rules.test_form import HOSTILE

pytestmark = pytest.mark.django_db
PAGE = "/admin/try/"
RESULT = "/admin/try/result/"
ASKED = "Wie beantrage ich Briefwahl?"
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _fresh():
    live.forget()
    yield
    live.forget()


@pytest.fixture
def desk(client):
    """A client of somebody who may look at rules."""
    user = User.objects.create_user("desk", is_staff=True)
    user.groups.add(Group.objects.get(name="desk"))
    client.force_login(user)
    return client


@pytest.fixture
def postal() -> Rule:
    return rules_save(specs=[make("postal", title="Briefwahl", phrases=(Phrase(ASKED),))], author=None)[0]


def form_of(rule: Rule | None, **changes: str) -> dict[str, list[str]]:
    spec = rule_spec(Rule.objects.whole().get(pk=rule.pk)) if rule else RuleSpec(uid="")
    return dict(posted(spec, rule_id=str(rule.pk) if rule else "", **changes).lists())


def test_the_unsaved_form_is_tried(desk, postal):
    answer = desk.post(RESULT, form_of(postal, phrases="Wo ist das Wahllokal?", try_question="Wo ist das Wahllokal"))
    trial = answer.context["trial"]
    assert trial.own.verdict is Verdict.WON
    assert answer.content.decode().strip().startswith('<div id="try-result">')


def test_a_new_rule_is_tried_before_it_has_a_title(desk, postal):
    answer = desk.post(RESULT, form_of(None, title="", core_slots="Wahllokal", try_question="Wo ist mein Wahllokal?"))
    assert answer.context["trial"].own.verdict is Verdict.WON


def test_what_cannot_be_read_does_not_keep_the_rest_from_being_tried(desk, postal):
    answer = desk.post(RESULT, form_of(postal, threshold="many", try_question=ASKED, try_moment="soon"))
    assert answer.context["trial"].own.verdict is Verdict.WON
    assert answer.context["rule_errors"]
    assert "try_moment" in answer.context["try_errors"]


def test_the_moment_and_the_reader_can_be_chosen(desk, postal):
    limited = form_of(postal, valid_until="2027-09-26T18:00", audiences="api", try_question=ASKED)
    for moment, audience, verdict in (
        ("2027-09-26T17:59", "api", Verdict.WON),
        ("2027-09-26T18:00", "api", Verdict.OUTSIDE),
        ("2027-09-26T17:59", "readers", Verdict.OUTSIDE),
    ):
        answer = desk.post(RESULT, {**limited, "try_moment": moment, "try_audience": audience})
        assert answer.context["trial"].own.verdict is verdict, (moment, audience)


def test_the_outcome_is_said_in_words(desk, postal):
    near = desk.post(RESULT, form_of(postal, try_question="Wie beantragt man die Briefwahl?")).content.decode()
    assert "90 %" in near
    words = form_of(postal, core_slots="München\nWirtschaft", try_question="Was hilft der Wirtschaft?")
    page = desk.post(RESULT, words).content.decode()
    assert "München" in page
    assert "wirtschaft" in page


def test_a_protected_name_is_said_by_its_name(desk, monkeypatch):
    names = (ProtectedName("party:au", ("Auenpartei",)), ProtectedName("party:bb", ("Brückenbund",)))
    monkeypatch.setattr("apps.rules.loading.protected_names", lambda: names)
    rules_save(
        specs=[make("au", title="Aue", phrases=(Phrase("Was will die Auenpartei bei der Rente?"),))], author=None
    )
    page = desk.post(RESULT, {"try_question": "Was will der Brückenbund bei der Rente?"}).content.decode()
    # The question itself is nowhere repeated.
    assert "Brückenbund" in page
    assert "party:bb" not in page


def test_the_page_asks_the_draft_or_the_live_release(desk, postal):
    assert desk.get(PAGE).status_code == 200
    assert desk.post(PAGE, {"try_question": ASKED, "try_source": "live"}).context["has_no_release"]
    release_publish(author=None, comment="Erste", expected_release=0)
    live.forget()
    answer = desk.post(PAGE, {"try_question": ASKED, "try_source": "live"})
    assert answer.context["trial"].release == 1
    assert answer.context["form"]["try_question"].value() == ASKED
    assert desk.post(PAGE, {"try_question": ASKED}).context["trial"].release == 0


def test_a_rule_form_without_scripts_gets_a_whole_page(desk, postal):
    answer = desk.post(PAGE, form_of(postal, phrases="Wo ist das Wahllokal?", try_question="Wo ist das Wahllokal"))
    assert b"<html" in answer.content
    assert answer.context["trial"].own.verdict is Verdict.WON


def test_without_a_question_nothing_is_asked(desk, django_assert_max_num_queries):
    with django_assert_max_num_queries(5):
        assert desk.post(RESULT, {"try_question": "  "}).context["trial"] is None


def test_a_long_question_says_what_was_cut(desk, postal):
    answer = desk.post(RESULT, {"try_question": "Wort " * 120})
    assert answer.context["trial"].explanation.match.cut.characters > 0
    assert b'class="try-note is-bad"' in answer.content


def test_no_question_reaches_the_log(desk, postal, caplog):
    caplog.set_level(logging.DEBUG)
    desk.post(RESULT, form_of(postal, try_question="Geheimnisvolle Frage"))
    assert "Geheimnisvoll" not in caplog.text


def test_strangers_are_sent_to_sign_in_and_fragments_are_refused(client, postal):
    assert client.get(PAGE).status_code == 302
    assert client.post(RESULT, {"try_question": ASKED}).status_code == 302
    assert client.post(RESULT, {"try_question": ASKED}, headers=HTMX).status_code == 403


def test_staff_who_may_not_see_rules_are_kept_out(client, postal):
    client.force_login(User.objects.create_user("nobody", is_staff=True))
    assert client.get(PAGE).status_code == 403
    assert client.post(RESULT, {"try_question": ASKED}).status_code == 403


def test_results_come_only_by_post(desk):
    assert desk.get(RESULT).status_code == 405
    assert desk.put(PAGE).status_code == 405


def test_the_policy_of_the_back_office_holds(desk):
    assert "'unsafe-eval'" in desk.get(PAGE).headers["Content-Security-Policy"]
    assert reverse("answering:try") == PAGE


def test_trying_costs_the_same_number_of_queries_with_many_rules(desk, postal, django_assert_max_num_queries):
    many = [make(f"rule-{number}", core=TokenList((Slot(f"wort{number}"), Slot("Briefwahl")))) for number in range(50)]
    rules_save(specs=many, author=None)
    data = form_of(postal, try_question="Was ist mit wort7 und Briefwahl?")
    desk.post(RESULT, data)
    with django_assert_max_num_queries(26):
        assert desk.post(RESULT, data).context["trial"].winners


@pytest.mark.parametrize("name", HOSTILE)
def test_no_rule_form_breaks_the_try(desk, postal, name):
    given = {key: [value.encode("utf-8", "surrogatepass")] for key, value in HOSTILE[name].items()}
    for extra in ({}, {"rule_id": str(postal.pk)}, {"rule_id": "9" * 50}):
        answer = desk.post(RESULT, {**form_of(postal), **given, "try_question": ASKED, **extra})
        assert answer.status_code == 200


@pytest.mark.parametrize(
    "question", ["\x00", "\ud800", "🙂", "…", "x" * 1_000_000, "\u202e", "a\u0301" * 5_000, "<script>alert(1)</script>"]
)
@pytest.mark.parametrize("source", ["draft", "live"])
def test_no_question_breaks_the_try(desk, postal, question, source):
    data = {"try_question": [question.encode("utf-8", "surrogatepass")], "try_source": source, "try_language": "\x00x"}
    answer = desk.post(RESULT, data)
    assert answer.status_code == 200
    assert b"<script>alert" not in answer.content
