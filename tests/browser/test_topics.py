"""What readers ask, in a real window: a gap is closed and stays so, and the desk's work on topics outlives a run."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect

from apps.documents.models import Party
from apps.querylog.counting import berlin_today
from apps.querylog.models import AccessEntry, Conversation
from apps.topics.models import Asked, Gap, QueryText, StoredChart, Topic, TopicDay, TopicRun, VectorSpace
from apps.topics.services.gaps import gaps_update
from apps.topics.services.log_reading import log_read
from apps.topics.services.ordering import run_order
from apps.topics.services.replaying import gaps_replay
from apps.topics.services.running import run_execute
from tests.browser.conftest import Reader
from tests.browser.elsewhere import elsewhere, rules_forget
from tests.topics.log import SUBJECTS, ask, ask_many, subjects_embedded

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
ASKED = "Bis wann nimmt das Wahlamt in Ort {} den Wahlbrief an?"
# The names on charts that reach out of the picture.
CUT = """() => [...document.querySelectorAll(".topics-figure")].flatMap(place => {
  const frame = place.querySelector(".main-svg").getBoundingClientRect();
  return [...place.querySelectorAll(".xtick text, .ytick text")].filter(name => {
    const box = name.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
  }).map(name => name.textContent);
})"""
ANSWER = "Der rote Wahlbrief muss am Wahltag bis 18 Uhr ankommen."


@pytest.fixture(scope="module")
def cookies(corpus, django_db_blocker):
    """Log somebody in, and let readers have asked: outside of a test's transaction, since the server reads it."""
    with django_db_blocker.unblock():
        chief = User.objects.create_superuser("topics-window")
        client = Client()
        client.force_login(chief)
        ask_many(SUBJECTS, each=8)
        for number in range(16):
            ask(ASKED.format(number), outcome="refused", ended_with="not_enough")
        run_topics()
        gaps_update()
        yield {name: cookie.value for name, cookie in client.cookies.items()}
        rules_forget()
        Topic.objects.update(merged_into=None, state="active")
        for model in (Gap, Asked, QueryText, TopicDay, TopicRun, StoredChart, VectorSpace, Topic, AccessEntry):
            model.objects.all().delete()
        Conversation.objects.all().delete()
        chief.delete()


def run_topics(kind: str = TopicRun.Kind.NIGHT) -> None:
    """Do what the worker does at night."""
    with subjects_embedded():
        log_read()
        run_execute(pk=run_order(kind=kind).pk)


@pytest.fixture
def desk(visit, cookies):
    """Return a function that opens a page of the desk in a window."""

    def open_page(path: str, **options) -> Reader:
        reader = visit(**options)
        given = {**cookies, "wegweiser_language": "en"}
        reader.context.add_cookies([{"name": n, "value": v, "url": reader.base} for n, v in given.items()])
        reader.page.goto(f"{reader.base}{path}")
        return reader

    return open_page


def picture(page: Page, name: str) -> None:
    """Keep a picture of the whole page where somebody wants to look at it."""
    folder = os.environ.get("TOPICS_PICTURES")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def test_a_gap_is_closed_by_a_rule_and_asked_again(desk):
    reader = desk("/admin/topics/gap/")
    page = reader.page
    expect(page.locator(".topics-finding")).to_contain_text("Wahlbrief")
    picture(page, "1-board")
    page.locator(".topics-card a").first.click()
    assert ASKED.format(3) not in page.content()
    page.fill("#log-reason", "Die Lücke schließen")
    page.keyboard.press("Enter")
    expect(page.locator(".topics-texts").first).to_contain_text("Bis wann nimmt das Wahlamt")
    picture(page, "2-gap")
    page.get_by_role("button", name="Draft a rule").click()
    expect(page.locator("#id_phrases")).to_have_value(re.compile("Bis wann nimmt das Wahlamt"))
    page.locator("#id_documents-0-title").fill("briefwahl")
    page.locator("[role=option]").first.click()
    page.locator("details:has(#line-also)").evaluate("fold => fold.open = true")
    page.fill("#id_answer_text", ANSWER)
    page.fill("#id_try_question", ASKED.format(99))
    expect(page.locator("#try-result .try-verdict.is-good")).to_be_visible()
    page.select_option("#id_status", "active")
    picture(page, "3-rule")
    page.locator("button[name=_continue]").click()
    page.wait_for_url("**/change/")
    elsewhere(gaps_replay)
    assert Gap.objects.get().state == "taken", "a draft helps no reader yet"
    page.goto(f"{reader.base}/admin/rules/release/review/")
    page.locator("[name=comment]").fill("Der Wahlbrief")
    picture(page, "4-release")
    page.get_by_role("button", name="Publish").click()
    page.wait_for_load_state()
    elsewhere(gaps_replay)
    page.goto(f"{reader.base}/admin/topics/gap/{Gap.objects.get().pk}/change/")
    expect(page.locator(".topics-before-after")).to_contain_text("100 %")
    expect(page.locator(".topics-before-after strong").nth(1)).to_have_text("0 %")
    expect(page.locator(".rules-table").nth(1)).to_contain_text("Wahlbrief")
    picture(page, "5-after")
    assert Gap.objects.get().state == "resolved"
    page.goto(f"{reader.base}/admin/topics/gap/")
    expect(page.locator(".topics-card")).to_have_count(1)
    picture(page, "6-resolved")


def topic_of(subject: str) -> Topic:
    return Topic.objects.living().filter(members__text__text__contains=subject).distinct().get()


@pytest.mark.parametrize("kind", TopicRun.Kind.values)
def test_a_name_and_a_merger_outlive_the_next_run(desk, kind):
    kept, joined = {"night": ("Rente", "Wohnen"), "full": ("Klima", "Verkehr")}[kind]
    topic, other = topic_of(kept), topic_of(joined)
    reader = desk(f"/admin/topics/topic/{topic.pk}/change/")
    page = reader.page
    page.locator("input[name=name]").first.fill(f"Alles zu {kept}")
    page.get_by_role("button", name="Save the name").click()
    page.locator("select[name=other]").select_option(str(other.pk))
    page.get_by_role("button", name="Merge").click()
    expect(page.locator(".topics-facts")).to_contain_text("Merged into it")
    elsewhere(lambda: run_topics(kind))
    assert TopicRun.objects.first().state == "accepted"
    page.reload()
    expect(page.locator(".rules-title")).to_have_text(f"Alles zu {kept}")
    expect(page.locator(".topics-facts")).to_contain_text("Merged into it")
    picture(page, f"merged-{kind}")
    assert topic_of(joined).pk == topic.pk
    page.goto(f"{reader.base}/admin/topics/topic/")
    expect(page.get_by_role("link", name=f"Alles zu {kept}")).to_have_count(1)
    expect(page.locator("#result_list")).not_to_contain_text(joined)


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(desk, width):
    reader = desk("/admin/topics/topic/overview/", width=width)
    # Software that draws for a browser without a graphics card says so.
    reader.forgive("GL Driver Message")
    topic, run = Topic.objects.living().first(), TopicRun.objects.first()
    for place in (
        "topic/overview/",
        "topic/map/",
        "topic/parties/",
        "topic/quality/",
        "topic/",
        f"topic/{topic.pk}/change/",
        "gap/",
        f"gap/{Gap.objects.first().pk}/change/",
        "topicrun/",
        f"topicrun/{run.pk}/change/",
    ):
        reader.page.goto(f"{reader.base}/admin/topics/{place}")
        reader.page.wait_for_load_state("networkidle")
        picture(reader.page, f"{width}-{place.replace('/', '-')}")
        assert reader.page.evaluate("document.documentElement.scrollWidth") <= width, place


def long_names() -> None:
    """Let readers name a party with a long name, on a topic with a long name."""
    Party.objects.create(slug="lang", short_name="Fachwerkpartei", name="Fachwerkpartei", order=9)
    topic = Topic.objects.living().first()
    Topic.objects.filter(pk=topic.pk).update(label_editor="Grundfreibetrag, Bürgerversicherung, Einbürgerung, Alter")
    counts = {"day": berlin_today(), "party": "lang", "sessions": 3, "messages": 3, "answered": 3}
    TopicDay.objects.create(scope="all", **counts)
    TopicDay.objects.create(scope="topic", topic=topic, **counts)


def names_forget() -> None:
    TopicDay.objects.filter(party="lang").delete()
    Party.objects.filter(slug="lang").delete()
    Topic.objects.filter(label_editor__startswith="Grundfreibetrag").update(label_editor="")


@pytest.mark.parametrize("width", [390, 1280])
def test_no_name_on_a_chart_is_cut(desk, width):
    elsewhere(long_names)
    try:
        reader = desk("/admin/topics/topic/parties/", width=width)
        reader.forgive("GL Driver Message")
        for place, charts in (("parties", 2), ("quality", 1)):
            reader.page.goto(f"{reader.base}/admin/topics/topic/{place}/?days=7")
            expect(reader.page.locator(".topics-figure .plot-container")).to_have_count(charts)
            reader.page.wait_for_function("document.querySelectorAll('.ytick text').length > 0")
            assert reader.page.evaluate(CUT) == [], place
    finally:
        elsewhere(names_forget)
