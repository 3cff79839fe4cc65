"""Writing a rule in a real window: by keyboard alone, without scripts, on a phone, in the dark."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, Route, expect

from apps.documents.models import CuratedLink, Document
from apps.rules.loading import rule_spec
from apps.rules.models import Rule
from apps.rules.services import rules_save
from apps.rules.types import Extra, LinkedDocument, Phrase, RuleSpec, ScopeKind, Slot, TokenList, WordMode
from tests.browser.conftest import Reader
from tests.browser.elsewhere import elsewhere, rules_forget

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


@pytest.fixture(scope="module")
def cookies(corpus, django_db_blocker):
    """Log somebody in who may do everything, outside of a test's transaction: the server's threads read it."""
    with django_db_blocker.unblock():
        chief = User.objects.create_superuser("rules-window")
        client = Client()
        client.force_login(chief)
        link = CuratedLink.objects.create(title="Alles zur Wahl", address="https://kurier.example/wahl")
        yield {name: cookie.value for name, cookie in client.cookies.items()}
        rules_forget()
        link.delete()
        chief.delete()


@pytest.fixture
def desk(visit, cookies):
    """Return a function that opens a page of the desk in a window."""

    def open_page(path: str, **options) -> Reader:
        reader = visit(**options)
        reader.context.add_cookies([{"name": n, "value": v, "url": reader.base} for n, v in cookies.items()])
        reader.page.goto(f"{reader.base}{path}")
        return reader

    return open_page


def tab_to(page: Page, selector: str, key: str = "Tab", most: int = 80) -> None:
    """Press Tab until something has the focus; what the keyboard cannot reach fails."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    pytest.fail(f"{selector} is out of the keyboard's reach.")


def stored(uid: str) -> RuleSpec:
    return rule_spec(Rule.objects.whole().get(uid=uid))


def made_by_server(*specs: RuleSpec) -> list[Rule]:
    """Save rules in a connection of their own, since this test's transaction is rolled back."""
    return elsewhere(lambda: rules_save(specs=list(specs), author=None))


def test_a_rule_is_written_tried_and_saved_by_keyboard_alone(desk):
    page = desk("/admin/rules/rule/add/").page
    keyboard = page.keyboard
    tab_to(page, "#id_title")
    keyboard.type("Briefwahl beantragen")
    tab_to(page, "#id_phrases")
    keyboard.type("Wie beantrage ich die Briefwahl?")
    tab_to(page, "summary:has(#line-words)")
    keyboard.press("Enter")
    tab_to(page, "#id_core_slots_new")
    keyboard.type("Briefwahl")
    keyboard.press("Enter")
    keyboard.type("*antrag")
    keyboard.press("Enter")
    tab_to(page, "#id_documents-0-title")
    keyboard.type("briefwahl")
    page.locator("[role=option]").first.wait_for()
    keyboard.press("ArrowDown")
    keyboard.press("Enter")
    expect(page.locator("#id_documents-0-title")).to_have_value("So geht Briefwahl")
    tab_to(page, "#id_documents-0-scope")
    keyboard.press("ArrowDown")
    tab_to(page, "#id_documents-0-last")
    keyboard.type("1")
    expect(page.locator("#read-budget")).to_contain_text("So geht Briefwahl")
    tab_to(page, "#id_try_question")
    keyboard.type("Wie beantrage ich Briefwahl?")
    expect(page.locator("#try-result .try-verdict.is-good")).to_be_visible()
    expect(page.locator("#try-said")).to_have_text(page.locator("#try-result [data-said]").inner_text())
    expect(page.locator("#try-result .try-document")).to_contain_text("So geht Briefwahl")
    expect(page.locator("#id_try_question")).to_be_focused()
    assert not Rule.objects.exists()
    tab_to(page, "button[name=_continue]", key="Shift+Tab")
    keyboard.press("Enter")
    page.wait_for_url("**/change/")
    spec = stored("briefwahl-beantragen")
    assert spec.phrases == (Phrase("Wie beantrage ich die Briefwahl?"),)
    assert spec.core is not None
    assert spec.core.slots == (Slot("Briefwahl"), Slot("antrag", WordMode.ENDS))
    guide = Document.objects.get(title="So geht Briefwahl")
    assert [(each.uuid, each.scope.kind, each.scope.last) for each in spec.documents] == [
        (str(guide.uuid), ScopeKind.FIRST, 1)
    ]


@pytest.fixture
def rule(cookies) -> Rule:
    """A rule with two documents that the server sees."""
    guide, hills = (Document.objects.get(title=title) for title in ("So geht Briefwahl", "Programm der Hügelpartei"))
    spec = RuleSpec(
        "mindestlohn",
        "Mindestlohn",
        phrases=(Phrase("Wie hoch ist der Mindestlohn?"),),
        core=TokenList((Slot("Mindestlohn"), Slot("Praktika"))),
        documents=(LinkedDocument(str(guide.uuid), guide.title), LinkedDocument(str(hills.uuid), hills.title)),
    )
    return made_by_server(spec)[0]


def test_who_types_before_the_scripts_are_there_gets_suggestions_too(desk):
    page = desk("/admin/").page
    held: list[Route] = []
    page.route("**/rules-pick*.js", lambda route: held.append(route))
    page.goto(f"{page.url}rules/rule/add/", wait_until="commit")
    page.locator("#id_documents-0-title").fill("briefwahl")
    expect(page.locator("[role=combobox]")).to_have_count(0)
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    page.locator("[role=option]").first.click()
    expect(page.locator("#id_documents-0-title")).to_have_value("So geht Briefwahl")


def test_rows_move_by_buttons_and_by_dragging(desk, rule):
    page = desk(f"/admin/rules/rule/{rule.pk}/change/").page
    rows = page.locator("[data-rows=documents] [data-row]:visible")
    expect(rows).to_have_count(2)
    down = rows.nth(0).locator("[data-down]")
    down.focus()
    page.keyboard.press("Enter")
    titles = rows.locator("input[data-pick]")
    expect(titles.nth(0)).to_have_value("Programm der Hügelpartei")
    expect(rows.nth(1).locator("[data-up]")).to_be_focused()
    rows.nth(1).locator("[data-handle]").drag_to(rows.nth(0), target_position={"x": 40, "y": 4})
    expect(titles.nth(0)).to_have_value("So geht Briefwahl")
    rows.nth(0).locator("[data-remove]").click()
    expect(rows).to_have_count(1)
    page.locator("button[name=_continue]").click()
    page.wait_for_load_state()
    expect(page.locator("#content-main")).to_be_visible()
    assert [each.title for each in stored("mindestlohn").documents] == ["Programm der Hügelpartei"]


def test_chips_and_their_text_say_the_same(desk, rule):
    page = desk(f"/admin/rules/rule/{rule.pk}/change/").page
    page.locator("summary:has(#line-words)").click()
    core = page.locator("[data-words]").first
    area = page.locator("#id_core_slots")
    core.locator("select").first.select_option("exactly")
    assert area.input_value() == '"Mindestlohn"\nPraktika'
    core.locator("[data-remove]").nth(1).click()
    page.locator("#id_core_slots_new").fill("Lohn | Gehalt")
    page.keyboard.press("Enter")
    assert area.input_value() == '"Mindestlohn"\nLohn | Gehalt'
    expect(page.locator("#line-words")).to_contain_text("Lohn | Gehalt")
    core.locator("[data-as-text]").click()
    expect(area).to_be_focused()
    area.fill("*lohn")
    core.locator("[data-as-text]").click()
    expect(core.locator("[data-edit]")).to_have_text(["lohn"])
    expect(core.locator("select")).to_have_value("ends")


def test_a_phrase_is_set_to_exactly_so_in_the_line_that_reads_it(desk, rule):
    page = desk(f"/admin/rules/rule/{rule.pk}/change/").page
    page.locator("#read-phrases summary").click()
    page.locator("[data-phrase='0']").click()
    expect(page.locator("#id_phrases")).to_have_value("= Wie hoch ist der Mindestlohn?")
    page.fill("#id_try_question", "Wie hoch ist der Mindestlonn?")
    expect(page.locator("#try-result .try-verdict.is-bad")).to_be_visible()
    page.locator("[data-phrase='0']").click()
    expect(page.locator("#try-result .try-verdict.is-good")).to_be_visible()
    expect(page.locator("#read-phrases details")).to_have_attribute("open", "")


def test_fields_that_do_not_apply_are_hidden(desk, rule):
    page = desk(f"/admin/rules/rule/{rule.pk}/change/").page
    page.locator("summary:has(#line-also)").click()
    expect(page.locator("#id_fill_up_to")).to_be_visible()
    page.select_option("#id_extra", Extra.OFF.value)
    expect(page.locator("#id_fill_up_to")).to_be_hidden()
    expect(page.locator("#id_answer_owner")).to_be_hidden()
    page.fill("#id_answer_text", "Bis Freitag.")
    expect(page.locator("#id_answer_owner")).to_be_hidden()
    page.check("#id_answer_is_desk_text")
    expect(page.locator("#id_answer_owner")).to_be_visible()
    expect(page.locator("#id_documents-0-last")).to_be_hidden()
    page.select_option("#id_documents-0-scope", "range")
    expect(page.locator("#id_documents-0-last")).to_be_visible()


def test_a_refused_form_leads_to_what_must_be_mended(desk, rule):
    page = desk(f"/admin/rules/rule/{rule.pk}/change/").page
    page.locator("summary:has(#line-limits)").click()
    page.fill("#id_threshold", "150")
    page.fill("#id_phrases", "Etwas Neues?")
    page.locator("button[name=_save]").click()
    expect(page.locator("#id_threshold")).to_be_focused()
    expect(page.locator("#id_phrases")).to_have_value("Etwas Neues?")


def test_everything_can_be_written_without_scripts(desk, rule):
    page = desk(f"/admin/rules/rule/{rule.pk}/change/", scripts=False).page
    page.locator("summary:has(#line-words)").click()
    page.fill("#id_core_slots", "Lohn\n*gehalt")
    page.fill("#id_documents-2-title", "Programm der Tal")
    page.locator("#id_documents-0-DELETE").check()
    page.fill("#id_try_question", "Was ist mit dem Lohn und dem Grundgehalt?")
    with page.expect_popup() as opened:
        page.locator("[data-try-button]").click()
    # The window that was opened learns too late that scripts are off, and stays hidden.
    expect(opened.value.locator(".try-verdict.is-good")).to_be_attached()
    page.locator("button[name=_continue]").click()
    page.wait_for_load_state()
    spec = stored("mindestlohn")
    assert spec.core == TokenList((Slot("Lohn"), Slot("gehalt", WordMode.ENDS)))
    assert [each.title for each in spec.documents] == ["Programm der Hügelpartei", "Programm der Talpartei"]


def test_the_page_over_all_rules_answers_without_scripts(desk, rule):
    page = desk("/admin/try/", scripts=False).page
    page.fill("#id_try_question", "Wie hoch ist der Mindestlohn?")
    page.locator("[data-try-button]").click()
    expect(page.locator(".try-verdict.is-good")).to_be_visible()
    expect(page.locator("#id_try_question")).to_have_value("Wie hoch ist der Mindestlohn?")


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(desk, rule, width):
    page = desk(f"/admin/rules/rule/{rule.pk}/change/", width=width).page
    for fold in page.locator("details").all():
        fold.evaluate("fold => fold.open = true")
    page.fill("#id_try_question", "Wie hoch ist der Mindestlohn für Praktika?")
    page.locator("#try-result .try-verdict").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_over_all_rules_answers_while_typing(desk, rule):
    page = desk("/admin/try/").page
    page.fill("#id_try_question", "Wie hoch ist der Mindestlohn?")
    expect(page.locator("#try-result .try-verdict.is-good")).to_contain_text("Mindestlohn")
    page.locator("input[value=live]").check()
    expect(page.locator("#try-result .try-verdict")).not_to_contain_text("Mindestlohn")
