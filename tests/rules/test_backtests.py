"""Backtests from the order to the page: run once, survive a killed worker, and show no reader's words to strangers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from apps.core import ports
from apps.core.ports import PastQuestion
from apps.rules import tasks
from apps.rules.backtesting import Difference, read_result
from apps.rules.models import Backtest
from apps.rules.services import backtests, rule_status_set, rules_save
from apps.rules.services.backtests import (
    Outcome,
    backtest_cancel,
    backtest_run,
    backtest_start,
    backtests_expire,
    backtests_resume,
    draft_state,
    question_texts,
)
from apps.rules.types import Phrase, Status
from tests.rules.building import rule
from tests.rules.releasing import publish
from tests.sessions import other_session

pytestmark = pytest.mark.django_db

ADD, LIST = reverse("admin:rules_backtest_add"), reverse("admin:rules_backtest_changelist")
ASKED = "Wie beantrage ich Briefwahl?"
POSTAL = rule("postal", phrases=(Phrase(ASKED),))
OTHER = rule("other", phrases=(Phrase("Wo ist mein Wahllokal?"),))


@pytest.fixture(autouse=True)
def english(settings):
    settings.LANGUAGE_CODE = "en"
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def queued(monkeypatch) -> list[int]:
    ids: list[int] = []
    monkeypatch.setattr(tasks.backtest_run, "delay_on_commit", ids.append)
    return ids


@pytest.fixture
def log(monkeypatch) -> dict[str, PastQuestion]:
    """The readers' questions that are still kept; take one out and it has expired."""
    asked = datetime(2027, 1, 1, tzinfo=UTC)
    kept = {key: PastQuestion(key, text, "de", asked) for key, text in [("k1", ASKED), ("k2", "Regnet es?")]}
    monkeypatch.setattr(ports, "past_questions", lambda limit, since: list(kept.values())[:limit])
    monkeypatch.setattr(ports, "past_questions_by_key", lambda keys: [kept[key] for key in keys if key in kept])
    return kept


def login(client: Client, *permissions: str) -> Client:
    user = User.objects.create_user("petra", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


@pytest.fixture
def editor(client) -> Client:
    return login(client, "view_rule", "view_backtest", "add_backtest", "view_question")


def run(**order) -> Backtest:
    backtest = backtest_start(author=None, **{"origin": "list", "lines": [ASKED, "Regnet es?"], **order})
    assert backtest_run(pk=backtest.pk) is Outcome.DONE
    backtest.refresh_from_db()
    return backtest


def page(client: Client, backtest: Backtest, query: str = "") -> str:
    answer = client.get(reverse("admin:rules_backtest_change", args=[backtest.pk]) + query)
    assert answer.status_code == 200
    return answer.content.decode()


# --- running ---


def test_the_draft_is_asked_against_what_is_live(log):
    publish(rule("old", phrases=(Phrase("Regnet es?"),), version=1))
    rules_save(specs=[POSTAL], author=None)
    backtest = run(origin="log", limit=100)
    result = read_result(backtest.result)
    assert [(case.key, case.kind, case.before, case.after) for case in result.cases] == [
        ("k1", Difference.FIRES, "", "postal"),
        ("k2", Difference.STOPS, "old", ""),
    ]
    assert (backtest.release_number, backtest.progress, result.questions) == (1, 100, 2)


def test_before_the_first_release_everything_is_new():
    rules_save(specs=[POSTAL], author=None)
    assert read_result(run().result).count(Difference.FIRES) == 1


def test_chosen_rules_are_laid_over_what_is_live():
    publish(OTHER)
    rules_save(specs=[POSTAL, OTHER], author=None)
    rule_status_set(uid="other", status=Status.PAUSED, author=None)
    lines = [ASKED, "Wo ist mein Wahllokal?"]
    assert read_result(run(lines=lines, uids=["postal"]).result).count(Difference.STOPS) == 0
    assert read_result(run(lines=lines).result).count(Difference.STOPS) == 1


def test_the_demos_questions_can_be_asked():
    backtest = run(origin="demo", limit=1000)
    assert read_result(backtest.result).questions >= 80
    [asked] = question_texts(backtest, ["q001"]).values()
    assert asked.text.startswith("Bis wann")


def test_readers_words_are_not_kept_with_a_backtest(log):
    rules_save(specs=[POSTAL], author=None)
    backtest = run(origin="log")
    assert backtest.questions == []
    assert ASKED not in str(Backtest.objects.values().get())


def test_an_uploaded_list_is_masked_and_has_its_languages():
    lines = ["Meine Nummer ist 0171 2345678, wer ruft an?", "How do I vote by mail?", "", "  "]
    assert backtest_start(author=None, origin="list", lines=lines).questions == [
        ["Meine Nummer ist [Telefon], wer ruft an?", "de"],
        ["How do I vote by mail?", "en"],
    ]


def test_an_order_is_queued_and_run_only_once(queued):
    backtest = backtest_start(author=None, origin="demo")
    assert queued == [backtest.pk]
    assert backtest_run(pk=backtest.pk) is Outcome.DONE
    assert backtest_run(pk=backtest.pk) is Outcome.GONE


def test_a_cancelled_backtest_stops_and_leaves_nothing(monkeypatch):
    backtest = backtest_start(author=None, origin="list", lines=[ASKED] * 300)
    seen = []

    def cancel_in_between(self, *arguments):
        seen.append(1)
        if len(seen) == 150:
            assert backtest_cancel(backtest=backtest)

    monkeypatch.setattr(backtests.Tally, "add", cancel_in_between)
    assert backtest_run(pk=backtest.pk) is Outcome.GONE
    assert len(seen) == 200, "it notices at the next hundred"
    assert not Backtest.objects.exists()


def test_a_finished_backtest_cannot_be_cancelled():
    backtest = run()
    assert not backtest_cancel(backtest=backtest)
    assert Backtest.objects.exists()


def test_an_unforeseen_fault_ends_with_a_sentence(monkeypatch):
    monkeypatch.setattr(backtests, "draft_set", lambda: 1 / 0)
    backtest = backtest_start(author=None, origin="demo")
    assert backtest_run(pk=backtest.pk) is Outcome.FAILED
    backtest.refresh_from_db()
    assert (backtest.state, backtest.reason[:19]) == ("failed", "The backtest failed")


def test_a_killed_workers_backtest_is_queued_again_and_a_living_ones_is_not(queued):
    backtest = backtest_start(author=None, origin="demo")
    Backtest.objects.update(state="running", progress=40, created_at=timezone.now() - timedelta(minutes=5))
    queued.clear()
    with other_session() as worker:
        worker.execute("SELECT pg_advisory_lock(%s)", [backtests._LOCK_SPACE + backtest.pk])
        assert backtest_run(pk=backtest.pk) is Outcome.BUSY
        assert backtests_resume() == 0
    # The session is gone, as a killed worker's is.
    assert backtests_resume() == 1
    assert queued == [backtest.pk]
    assert backtest_run(pk=backtest.pk) is Outcome.DONE


def test_the_tasks_do_what_the_services_do():
    backtest = backtest_start(author=None, origin="demo")
    assert tasks.backtest_run(backtest.pk) == "done"
    assert tasks.backtest_run(987_654) == "gone"
    assert (tasks.backtests_resume(), tasks.backtests_expire()) == (0, 0)


def test_a_backtest_just_ordered_is_not_queued_twice():
    backtest_start(author=None, origin="demo")
    assert backtests_resume() == 0


def test_an_uploaded_list_is_forgotten_after_thirty_days_and_its_counts_stay(editor):
    rules_save(specs=[POSTAL], author=None)
    backtest = run()
    assert backtests_expire() == 0
    Backtest.objects.update(created_at=timezone.now() - timedelta(days=31))
    assert backtests_expire() == 1
    assert "has expired" in page(editor, backtest)
    assert read_result(Backtest.objects.get().result).questions == 2


# --- pages ---


def test_a_backtest_is_ordered_and_shown_while_it_runs(editor, queued):
    rules_save(specs=[POSTAL], author=None)
    answer = editor.post(ADD, {"origin": "demo", "limit": "90"})
    backtest = Backtest.objects.get()
    assert answer["Location"] == reverse("admin:rules_backtest_change", args=[backtest.pk])
    assert 'hx-trigger="every 1s"' in page(editor, backtest)
    address = reverse("admin:rules_backtest_progress", args=[backtest.pk])
    Backtest.objects.update(state="running", progress=40)
    moving = editor.get(address)
    assert ("40 percent" in moving.content.decode(), "HX-Refresh" in moving) == (True, False)
    backtest_run(pk=backtest.pk)
    assert editor.get(address)["HX-Refresh"] == "true"
    backtest.delete()
    assert editor.get(address)["HX-Redirect"] == LIST


def test_the_result_shows_counts_differences_and_the_way_to_an_explanation(editor, log):
    publish(rule("old", phrases=(Phrase("Regnet es?"),), version=1))
    rules_save(specs=[POSTAL], author=None)
    shown = page(editor, run(origin="log"))
    assert f'name="try_question" value="{ASKED}"' in shown
    assert "newly answered by a rule" in shown
    assert "no longer answered by a rule" in shown
    assert "50.0 % → 50.0 %" in shown
    assert ASKED not in page(editor, Backtest.objects.get(), "?kind=stops")


def test_readers_words_are_for_those_who_may_read_them(client, log):
    rules_save(specs=[POSTAL], author=None)
    backtest = run(origin="log")
    shown = page(login(client, "view_rule", "view_backtest"), backtest)
    assert "Briefwahl?" not in shown
    assert "only shown to those who may read them" in shown
    assert "Postal" in shown


def test_an_expired_question_says_so(editor, log):
    rules_save(specs=[POSTAL], author=None)
    backtest = run(origin="log")
    del log["k1"]
    assert "This question has expired" in page(editor, backtest)


def test_a_change_of_the_draft_is_told(editor):
    rules_save(specs=[POSTAL], author=None)
    backtest = run()
    assert "The draft has changed since" not in page(editor, backtest)
    rule_status_set(uid="postal", status=Status.PAUSED, author=None)
    assert "The draft has changed since" in page(editor, backtest)


def test_the_list_shows_every_backtest_with_its_shares(editor):
    rules_save(specs=[POSTAL], author=None)
    run()
    backtest_start(author=None, origin="demo")
    shown = editor.get(LIST).content.decode()
    assert "0.0 % → 50.0 %" in shown
    assert "queued" in shown


def test_a_long_result_has_pages(editor):
    rules_save(specs=[POSTAL], author=None)
    backtest = run(lines=[ASKED] * 60)
    assert "Page 1 of 2" in page(editor, backtest)
    for query in ("?page=2", "?page=x", "?page=99999999999999999999", "?kind=%00", "?kind=fires&page=2"):
        page(editor, backtest, query)


@pytest.mark.parametrize(
    ("data", "name", "texts"),
    [
        (f"{ASKED}\nRegnet es, oder nicht?\n\n", "a.txt", [ASKED, "Regnet es, oder nicht?"]),
        (f"\ufeffid;Frage\r\n1;{ASKED}\r\n", "a.csv", [ASKED]),
        (f'question,n\n"Regnet es, oder nicht?",1\n{ASKED},2\n', "a.csv", ["Regnet es, oder nicht?", ASKED]),
        (f"{ASKED}\nRegnet es?\n", "a.csv", [ASKED, "Regnet es?"]),
    ],
)
def test_an_uploaded_list_is_a_text_or_a_column(editor, data, name, texts):
    upload = SimpleUploadedFile(name, data.encode())
    editor.post(ADD, {"origin": "list", "limit": "10", "file": upload})
    assert [text for text, _ in Backtest.objects.get().questions] == texts


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"origin": "list"}, "Choose the file"),
        ({"origin": "list", "file": b""}, "has no questions"),
        ({"origin": "list", "file": "Wähler?".encode("cp1252")}, "Windows-1252"),
        ({"origin": "list", "file": b"x\n" * 10_001}, "10001 questions"),
        ({"origin": "log", "limit": "0"}, "greater than or equal to 1"),
        ({"origin": "log", "limit": "10001"}, "less than or equal to 10000"),
        ({"origin": "evil"}, "evil"),
    ],
)
def test_an_order_that_cannot_be_is_told_at_its_field(editor, fields, sentence):
    fields = {"limit": "10", **fields}
    if isinstance(fields.get("file"), bytes):
        fields["file"] = SimpleUploadedFile("a.txt", fields["file"])
    answer = editor.post(ADD, fields)
    assert (answer.status_code, Backtest.objects.count()) == (200, 0)
    assert sentence in answer.content.decode()


def test_a_page_may_send_chosen_rules_along(editor):
    rules_save(specs=[POSTAL, OTHER], author=None)
    form = editor.post(ADD, {"uid": ["postal"]}).content.decode()
    assert "Only the chosen rule" in form
    editor.post(ADD, {"origin": "demo", "limit": "5", "uid": ["postal"]})
    assert Backtest.objects.get().result["uids"] == ["postal"]


def test_cancelling_is_a_post_that_tells_what_became_of_it(editor):
    backtest = backtest_start(author=None, origin="demo")
    address = reverse("admin:rules_backtest_cancel", args=[backtest.pk])
    assert editor.get(address).status_code == 405
    assert editor.post(address)["Location"] == LIST
    assert editor.post(address).status_code == 404


@pytest.mark.parametrize(
    ("permissions", "codes"),
    [((), [403, 403, 403, 403]), (("view_backtest",), [403, 200, 200, 200]), (("add_backtest",), [200, 403, 403, 403])],
)
def test_who_may_see_and_order(client, permissions, codes):
    backtest = run()
    desk = login(client, *permissions)
    pages = [ADD, LIST, reverse("admin:rules_backtest_change", args=[backtest.pk])]
    pages.append(reverse("admin:rules_backtest_progress", args=[backtest.pk]))
    assert [desk.get(each).status_code for each in pages] == codes
    assert desk.post(reverse("admin:rules_backtest_cancel", args=[backtest.pk])).status_code in (302, 403)


@pytest.mark.parametrize("number", ["0", "999999", "9" * 30, "abc", "%00"])
def test_a_backtest_that_is_not_there_is_not_found(editor, number):
    assert editor.get(f"{LIST}{number}/change/").status_code in (302, 404)


# --- the line on the page that reviews a release ---


def last(**context) -> str:
    return Template("{% load rules_backtests %}{% last_backtest %}").render(Context(context))


def test_the_review_says_whether_the_draft_was_tried():
    assert "No backtest yet" in last()
    rules_save(specs=[POSTAL], author=None)
    run()
    assert "1 newly answered by a rule" in last()
    assert "has changed since" not in last()
    rules_save(specs=[OTHER], author=None)
    assert "The draft has changed since this backtest." in last()


def test_only_who_may_order_a_backtest_is_led_to_it():
    assert ADD not in last()
    assert ADD in last(perms={"rules": {"add_backtest": True}})


def test_the_review_sends_what_is_ticked_and_all_of_it_is_the_draft(editor):
    rules_save(specs=[POSTAL, OTHER], author=None)
    some = editor.post(ADD, {"rule": ["postal"], "shown": ["postal", "other"], "comment": "x"}).content.decode()
    assert 'name="uid" value="postal"' in some
    everything = editor.post(ADD, {"rule": ["other", "postal"], "shown": ["postal", "other"]}).content.decode()
    assert 'name="uid"' not in everything


def test_a_backtest_of_chosen_rules_says_nothing_about_the_whole_draft():
    rules_save(specs=[POSTAL], author=None)
    run(uids=["postal"])
    assert "No backtest yet" in last()


def test_the_state_of_the_draft_follows_every_change():
    states = [draft_state()]
    rules_save(specs=[POSTAL], author=None)
    states.append(draft_state())
    rule_status_set(uid="postal", status=Status.PAUSED, author=None)
    states.append(draft_state())
    rule_status_set(uid="postal", status=Status.ARCHIVED, author=None)
    assert draft_state() == states[0]
    assert len(set(states)) == 3
