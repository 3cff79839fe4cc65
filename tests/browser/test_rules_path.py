"""The whole way of a rule, in one go: written, tried, measured on questions, published, read, rolled back."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from apps.rules import live
from apps.rules.models import Backtest, Release, Rule
from apps.rules.services.backtests import backtest_run
from tests.browser.conftest import Reader, Visit
from tests.browser.elsewhere import elsewhere, rules_forget

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
TELEPHONE = "Kann ich die Briefwahl am Telefon beantragen?"
LATE = "Bis wann muss der Brief zur Briefwahl da sein?"
FIRST_WORDS = "Am Telefon geht es leider nicht."
SECOND_WORDS = "Am Telefon geht es nicht, per E-Mail schon."


@pytest.fixture
def chief(visit: Visit):
    """Return a window at the desk for somebody who may do everything; what they made is gone after the test."""
    cookies = elsewhere(_log_in)
    reader = visit(width=1280)
    reader.context.add_cookies([{"name": name, "value": value, "url": reader.base} for name, value in cookies.items()])
    yield reader
    elsewhere(rules_forget)
    elsewhere(User.objects.filter(username="path-window").delete)


def _log_in() -> dict[str, str]:
    client = Client()
    client.force_login(User.objects.create_superuser("path-window"))
    return {name: cookie.value for name, cookie in client.cookies.items()}


def _opened(page: Page, *parts: str) -> None:
    """Unfold parts of the form."""
    for part in parts:
        page.locator(f'details[data-part="{part}"] > summary').click()


def _pick(page: Page, field: str, words: str) -> None:
    """Type the beginning of a title and take the first that is offered."""
    page.fill(field, words)
    page.locator("[role=option]:visible").first.click()


def _saved(page: Page) -> None:
    page.locator("button[name=_continue]").first.click()
    page.wait_for_url("**/change/")


def _write_tree(reader: Reader) -> None:
    """Write three rules in the form: one that lets only questions on postal voting through, and two below it."""
    page = reader.page
    page.goto(f"{reader.base}/admin/rules/rule/add/")
    page.fill("#id_title", "Briefwahl")
    page.locator("summary:has(#line-words)").click()
    page.fill("#id_core_slots_new", "Briefwahl")
    page.press("#id_core_slots_new", "Enter")
    _pick(page, "#id_documents-0-title", "briefwahl")
    page.select_option("#id_status", "active")
    _saved(page)

    page.goto(f"{reader.base}/admin/rules/rule/add/")
    page.fill("#id_title", "Antrag am Telefon")
    page.fill("#id_phrases", TELEPHONE)
    _opened(page, "also", "limits")
    page.fill("#id_answer_text", FIRST_WORDS)
    page.check("#id_answer_is_desk_text")
    page.fill("#id_answer_owner", "Petra Beispiel")
    _pick(page, "#id_parent_title", "Briefwahl")
    page.select_option("#id_status", "active")
    page.fill("#id_try_question", TELEPHONE)
    expect(page.locator("#try-result .try-verdict.is-good")).to_be_visible()
    _saved(page)

    page.goto(f"{reader.base}/admin/rules/rule/add/")
    page.fill("#id_title", "Frist des Wahlbriefs")
    page.fill("#id_phrases", LATE)
    _opened(page, "limits")
    _pick(page, "#id_parent_title", "Briefwahl")
    _pick(page, "#id_documents-0-title", "briefwahl")
    page.select_option("#id_status", "active")
    _saved(page)


def _publish(reader: Reader, comment: str, number: int) -> None:
    page = reader.page
    page.goto(f"{reader.base}/admin/rules/release/review/")
    page.locator("#id_comment").fill(comment)
    page.get_by_role("button", name="Veröffentlichen").click()
    expect(page.locator("body")).to_contain_text(f"Veröffentlichung {number} ist live.")
    _picked_up()


def _picked_up() -> None:
    """Let the server hold the newest release now: it may take five seconds, which tests/rules/test_live.py measures."""
    elsewhere(live.catch_up)


def _notice(visit: Visit, question: str) -> str:
    """Ask on the reader's page, as somebody new; return what stands there as the desk's own text."""
    reader = visit(width=390)
    reader.ask(question)
    found = reader.page.locator("article.turn .desk p")
    return found.first.inner_text() if found.count() else ""


def test_three_rules_are_written_tried_measured_published_read_and_rolled_back(chief: Reader, visit: Visit):
    page = chief.page
    _write_tree(chief)
    children = elsewhere(lambda: list(Rule.objects.filter(parent__title="Briefwahl").order_by("title")))
    assert [rule.title for rule in children] == ["Antrag am Telefon", "Frist des Wahlbriefs"]
    # Nothing is live: readers are answered as if there were no rule.
    assert _notice(visit, TELEPHONE) == ""

    page.goto(f"{chief.base}/admin/rules/backtest/add/")
    page.select_option("#id_origin", "list")
    lines = f"{TELEPHONE}\n{LATE}\nWas will die Talpartei beim Mindestlohn?\n"
    page.set_input_files("#id_file", {"name": "fragen.txt", "mimeType": "text/plain", "buffer": lines.encode()})
    page.get_by_role("button", name="Backtest starten").click()
    page.wait_for_url("**/backtest/*/change/")
    assert elsewhere(lambda: backtest_run(pk=Backtest.objects.get().pk)).value == "done"
    page.reload()
    rows = page.locator("table.backtest-table").first.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text=TELEPHONE)).to_contain_text("Antrag am Telefon")
    expect(rows.filter(has_text=LATE)).to_contain_text("Frist des Wahlbriefs")

    _publish(chief, "Fragen zur Briefwahl", 1)
    assert _notice(visit, TELEPHONE) == FIRST_WORDS

    page.goto(f"{chief.base}/admin/rules/rule/{children[0].pk}/change/")
    _opened(page, "also")
    page.fill("#id_answer_text", SECOND_WORDS)
    _saved(page)
    assert _notice(visit, TELEPHONE) == FIRST_WORDS
    _publish(chief, "E-Mail ergänzt", 2)
    assert _notice(visit, TELEPHONE) == SECOND_WORDS

    page.goto(f"{chief.base}/admin/rules/release/1/rollback/")
    page.locator("#id_comment").fill("Die E-Mail stimmt nicht überall")
    page.get_by_role("button", name="Zurückrollen").click()
    expect(page.locator("body")).to_contain_text("Veröffentlichung 3")
    _picked_up()
    assert _notice(visit, TELEPHONE) == FIRST_WORDS
    assert elsewhere(lambda: Rule.objects.get(pk=children[0].pk).answer_text) == FIRST_WORDS
    assert elsewhere(lambda: Release.objects.count()) == 3
