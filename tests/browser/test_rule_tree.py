"""The rule tree in a real window: open, move by keyboard and by drag, pause, search, publish, roll back."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from apps.rules.models import Release, Rule
from apps.rules.services import release_publish, rules_save
from apps.rules.types import Phrase, RuleSpec
from tests.browser.conftest import Reader
from tests.browser.elsewhere import elsewhere, rules_forget
from tests.rules.desk import places

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
LIST = "/admin/rules/rule/"
SPECS = (
    RuleSpec(uid="voting", title="Rund um die Wahl", position=1_000),
    RuleSpec(
        uid="postal", title="Briefwahl", parent="voting", position=1_000, phrases=(Phrase("Wie geht Briefwahl?"),)
    ),
    RuleSpec(uid="day", title="Wahltag", parent="voting", position=2_000, phrases=(Phrase("Wann ist Wahltag?"),)),
    RuleSpec(uid="wage", title="Mindestlohn", position=2_000, phrases=(Phrase("Wie hoch ist der Mindestlohn?"),)),
)


@pytest.fixture(scope="module")
def cookies(corpus, django_db_blocker):
    """Log somebody in who may do everything, outside of a test's transaction: the server's threads read it."""
    with django_db_blocker.unblock():
        chief = User.objects.create_superuser("tree-window")
        client = Client()
        client.force_login(chief)
        yield {name: cookie.value for name, cookie in client.cookies.items()} | {settings.LANGUAGE_COOKIE_NAME: "en"}
        chief.delete()


@pytest.fixture
def desk(visit, cookies):
    """Return a function that opens a page of the desk on four rules; they are gone after the test."""
    elsewhere(lambda: rules_save(specs=list(SPECS), author=None))

    def open_page(path: str = LIST, **options: object) -> Reader:
        reader = visit(**options)
        reader.context.add_cookies([{"name": n, "value": v, "url": reader.base} for n, v in cookies.items()])
        reader.page.goto(f"{reader.base}{path}")
        return reader

    yield open_page
    elsewhere(rules_forget)


def row(page: Page, uid: str):
    return page.locator(f'li.rule[data-uid="{uid}"]')


def handle(page: Page, uid: str):
    return row(page, uid).locator(".rule-handle").first


def said(page: Page):
    return page.locator("#tree-said")


def open_level(page: Page, uid: str) -> None:
    row(page, uid).locator(".rule-toggle").first.click()
    expect(row(page, uid).locator("ul > li.rule").first).to_be_visible()


def test_levels_open_load_once_and_close(desk):
    reader = desk()
    page = reader.page
    expect(page.locator("li.rule:visible .rule-title")).to_have_text(["Rund um die Wahl", "Mindestlohn"])
    toggle = row(page, "voting").locator(".rule-toggle").first
    toggle.focus()
    page.keyboard.press("Space")
    expect(toggle).to_have_attribute("aria-expanded", "true")
    expect(page.locator("li.rule:visible")).to_have_count(4)
    before = len(reader.requests)
    page.keyboard.press("Enter")
    expect(page.locator("li.rule:visible")).to_have_count(2)
    expect(toggle).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    expect(page.locator("li.rule:visible")).to_have_count(4)
    assert len(reader.requests) == before
    expect(page.locator(".rule-warnings", has_text="…")).to_have_count(0)


def test_arrow_keys_move_a_rule_and_the_focus_stays_with_it(desk):
    page = desk().page
    open_level(page, "voting")
    handle(page, "day").focus()
    page.keyboard.press("ArrowUp")
    expect(said(page)).to_have_text("“Wahltag” now stands below “Rund um die Wahl”, place 1.")
    expect(handle(page, "day")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(said(page)).to_have_text("“Wahltag” now stands on the top level, place 2.")
    page.keyboard.press("ArrowDown")
    expect(said(page)).to_contain_text("place 3")
    page.keyboard.press("ArrowDown")
    expect(said(page)).to_contain_text("stands last already")
    page.keyboard.press("ArrowRight")
    expect(said(page)).to_have_text("“Wahltag” now stands below “Mindestlohn”, place 1.")
    assert elsewhere(places) == {"": ["voting", "wage"], "voting": ["postal"], "wage": ["day"]}


def test_a_drag_puts_a_rule_below_or_before_another(desk):
    page = desk().page
    open_level(page, "voting")
    handle(page, "wage").drag_to(row(page, "voting").locator(".rule-line").first)
    expect(said(page)).to_have_text("“Mindestlohn” now stands below “Rund um die Wahl”, place 3.")
    handle(page, "wage").drag_to(row(page, "postal").locator(".rule-line").first, target_position={"x": 200, "y": 2})
    expect(said(page)).to_have_text("“Mindestlohn” now stands below “Rund um die Wahl”, place 1.")
    assert elsewhere(places) == {"": ["voting"], "voting": ["wage", "postal", "day"]}


def test_a_rule_cannot_be_dropped_below_itself(desk):
    page = desk().page
    open_level(page, "voting")
    handle(page, "voting").drag_to(row(page, "day").locator(".rule-line").first)
    expect(said(page).locator(".is-refused")).to_contain_text("cannot stand below itself")
    assert elsewhere(places)[""] == ["voting", "wage"]


def test_the_menu_moves_without_a_mouse_and_stays_open(desk):
    page = desk().page
    open_level(page, "voting")
    row(page, "day").locator("summary[aria-label^=More]").press("Enter")
    row(page, "day").get_by_role("button", name="Move up").press("Enter")
    expect(said(page)).to_contain_text("place 1")
    expect(row(page, "day").get_by_role("button", name="Move up")).to_be_focused()
    page.keyboard.press("Escape")
    expect(row(page, "day").locator(".rule-menu-sheet")).to_be_hidden()


def test_pausing_and_choosing_several(desk):
    page = desk().page
    row(page, "wage").get_by_role("button", name="Pause").press("Enter")
    expect(row(page, "wage").locator(".rule-state")).to_have_text("paused")
    expect(row(page, "wage").get_by_role("button", name="Resume")).to_be_focused()
    row(page, "voting").locator("input[name=chosen]").first.check()
    row(page, "wage").locator("input[name=chosen]").first.check()
    page.locator(".rules-bulk select").select_option("draft")
    page.get_by_role("button", name="Set status").click()
    expect(said(page)).to_contain_text("2 rules have their new status")
    drafts = elsewhere(lambda: set(Rule.objects.filter(status="draft").values_list("uid", flat=True)))
    assert drafts == {"voting", "wage"}
    with page.expect_navigation(url="**/export/"):
        page.get_by_role("button", name="Export the chosen rules").click()


def test_search_answers_while_typing_and_keeps_the_cursor(desk):
    page = desk().page
    page.locator("#rules-q").press_sequentially("briefw")
    expect(page.locator("li.rule .rule-title")).to_have_text(["Briefwahl"])
    expect(page.locator(".rule-path")).to_contain_text("Rund um die Wahl ›")
    expect(said(page)).to_have_text("1 rule found.")
    expect(page.locator("#rules-q")).to_be_focused()
    page.locator("#rules-q").fill("")
    expect(page.locator("li.rule:visible")).to_have_count(2)
    page.locator(".rules-filter select[name=only]").select_option("changed")
    expect(page.locator("li.rule:visible")).to_have_count(4)


def test_without_scripts_the_tree_opens_and_moves(desk):
    page = desk(scripts=False).page
    row(page, "voting").locator(".rule-toggle").first.click()
    expect(page.locator("li.rule:visible")).to_have_count(4)
    row(page, "day").locator("summary").last.click()
    row(page, "day").get_by_role("button", name="Move up").click()
    assert elsewhere(places)["voting"] == ["day", "postal"]
    expect(page.locator("li.rule:visible")).to_have_count(4)
    expect(page.locator("body")).to_contain_text("“Wahltag” now stands below")
    page.locator("#rules-q").fill("Mindest")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator("li.rule:visible")).to_have_count(1)


def test_rules_are_reviewed_published_and_rolled_back(desk):
    page = desk("/admin/rules/release/review/").page
    expect(page.locator("input[name=rule]:checked")).to_have_count(4)
    page.locator("input[name=rule][value=voting]").uncheck()
    # What stands below a new rule cannot go without it.
    expect(page.locator("input[name=rule]:checked")).to_have_count(1)
    page.locator("input[name=rule][value=day]").check()
    expect(page.locator("input[name=rule][value=voting]")).to_be_checked()
    expect(page.locator("#release-check")).to_contain_text("Nothing blocks the release.")
    page.get_by_role("button", name="Tick all").click()
    page.locator("#id_comment").fill("The first rules")
    page.get_by_role("button", name="Publish").click()
    expect(page.locator("body")).to_contain_text("Release 1 is live.")
    assert elsewhere(lambda: Release.objects.get().versions.count()) == 4
    wage = RuleSpec(uid="wage", title="Lohn", position=2_000)
    elsewhere(lambda: rules_save(specs=[wage], author=None))
    elsewhere(lambda: release_publish(author=None, comment="Changed", expected_release=1))
    page.goto(page.url.split("/admin/")[0] + "/admin/rules/release/1/rollback/")
    expect(page.locator(".release-rules")).to_contain_text("“Lohn” → “Mindestlohn”")
    page.locator("#id_comment").fill("That was wrong")
    page.get_by_role("button", name="Roll back").click()
    expect(page.locator("body")).to_contain_text("as release 3")
    assert elsewhere(lambda: Rule.objects.get(uid="wage").title) == "Mindestlohn"


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_its_window(desk, width):
    reader = desk(f"{LIST}?open=voting", width=width)
    page = reader.page
    number = elsewhere(lambda: Rule.objects.get(uid="postal").pk)
    for path in ("", "/admin/rules/release/review/", f"{LIST}{number}/history/", "/admin/rules/release/"):
        if path:
            page.goto(f"{reader.base}{path}")
        page.locator("#content-main").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
