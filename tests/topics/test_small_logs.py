"""What the pages say of a small log: every sentence is true, in German too, and no frame is empty."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import CharField
from django.test import RequestFactory
from django.urls import reverse

from apps.core.skin_words import WORDS
from apps.documents.models import Party
from apps.querylog.counting import berlin_today
from apps.topics.dashboards.listing import question_groups
from apps.topics.models import QueryText, Topic, TopicDay, TopicRun
from apps.topics.services.counting import days_count, days_kept
from apps.topics.services.log_reading import log_read
from apps.topics.services.ordering import run_due
from apps.topics.services.placing import questions_place
from tests.topics.log import ask, ask_many, subjects_embedded
from tests.topics.test_running import run

pytestmark = pytest.mark.django_db(transaction=True)
DASHBOARDS = ["overview", "map", "parties", "quality"]


@pytest.fixture(autouse=True)
def embedder():
    with subjects_embedded() as found:
        yield found


@pytest.fixture
def desk(client):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    client.force_login(User.objects.create_superuser("chief"))
    return client


@pytest.fixture
def parties():
    return [
        Party.objects.create(slug=slug, name=name, short_name=name, order=order)
        for order, (slug, name) in enumerate([("nord", "Nordliste"), ("ost", "Ostbund")])
    ]


def text_of(client, page: str, **query: str) -> str:
    return html.unescape(client.get(reverse(f"admin:topics_{page}"), query).content.decode())


def finding(client, page: str, **query: str) -> str:
    return client.get(reverse(f"admin:topics_{page}"), query).context["page"].finding


def take_in() -> None:
    log_read()
    days_count(days=days_kept())


@pytest.mark.parametrize("count", [0, 1, 5, 29, 30, 64])
@pytest.mark.parametrize("page", DASHBOARDS)
def test_no_chart_is_an_empty_frame(desk, parties, page, count):
    for number in range(count):
        ask(f"Was plant Nordliste bei der Frage {number}?", parties=["nord"])
    take_in()
    for chart in desk.get(reverse(f"admin:topics_{page}")).context["page"].charts:
        assert chart.rows
        assert chart.summary


def test_what_is_counted_as_different_is_what_a_run_groups(desk, parties):
    """Parties are called alike: forty wordings that differ in the party alone are one question to a run."""
    for number in range(20):
        for party in parties:
            ask(f"Was plant {party.name} bei Rente in Ort {number}?", parties=[party.slug])
    questions_place()
    assert QueryText.objects.count() == 40
    assert QueryText.objects.different() == 20
    assert question_groups(may_read=True).texts == 20
    assert run_due() is None
    assert "20 of 30" in text_of(desk, "overview")
    assert "From 30 different ones on" in finding(desk, "overview")
    assert "next run groups them" not in text_of(desk, "topic_changelist")
    assert run().reason == "too_few_texts"


def test_enough_questions_before_the_first_run_are_said_to_be_enough(desk):
    ask_many(each=6)
    questions_place()
    assert "next run groups them" in finding(desk, "overview")
    assert "next run groups them" in text_of(desk, "topic_changelist")
    assert run_due() is not None


def test_who_asks_in_two_wordings_is_one_reader_of_the_list():
    ask("Wann ist die Wahl?", session="a")
    ask("Wann ist die Wahl", session="a")
    ask("Wann ist die Wahl", session="b")
    log_read()
    groups = question_groups(may_read=True).groups
    assert [(group.sessions, group.wordings) for group in groups] == [(2, 2)]


def test_a_list_that_does_not_hold_all_says_so_and_holds_what_most_have_asked(desk):
    for number in range(70):
        ask(f"Frage {number} zur Rente")
    for session in "abc":
        ask("Wie alt muss man für die Wahl sein?", session=session)
    log_read()
    listing = question_groups(may_read=True)
    assert "Wie alt muss man für die Wahl sein?" in {group.text for group in listing.groups}
    assert "Of 71 wordings the 60 that most readers asked are listed." in text_of(desk, "overview")


def test_silence_about_one_party_is_not_called_silence(desk, parties):
    ask("Was plant Nordliste bei Rente?", parties=["nord"])
    take_in()
    for page in ("overview", "quality"):
        assert "names Ostbund" in finding(desk, page, party="ost")
        assert "Nobody" not in finding(desk, page, party="ost")


def test_questions_beside_all_topics_are_not_said_to_wait_for_thirty(desk):
    Topic.objects.create(label_auto="Klima", state="active")
    ask("Wie viele Sitze hat der Landtag?")
    take_in()
    assert "None of them is in a topic" in finding(desk, "overview")


def test_a_fifth_is_not_called_most_readers(desk):
    ask_many(days_ago=20)
    run()
    Topic.objects.update(movement="steady")
    said = finding(desk, "overview", days="90")
    assert said.startswith("No topic is asked about more than")
    assert "17 %" in said


def test_no_party_is_put_before_its_equals(desk, parties):
    for party in parties:
        ask(f"Was plant {party.name}?", parties=[party.slug])
    take_in()
    assert "equally often: Nordliste, Ostbund, each 50 %" in finding(desk, "parties")
    ask("Was will Ostbund?", parties=["ost"])
    take_in()
    assert "Ostbund most often: 67 %" in finding(desk, "parties")


def test_similar_counts_have_similar_colours(desk, parties):
    topic = Topic.objects.create(label_auto="Rente", state="active")
    ask("Was plant Nordliste?", parties=["nord"])
    log_read()
    [day] = days_kept()
    for slug, number in (("nord", 8), ("ost", 7)):
        TopicDay.objects.create(day=day, scope="all", party=slug, sessions=number, messages=number)
        TopicDay.objects.create(day=day, scope="topic", topic=topic, party=slug, sessions=number, messages=number)
    page = desk.get(reverse("admin:topics_parties")).context["page"]
    [heat] = [chart.figure["data"][0] for chart in page.charts if chart.name == "matrix"]
    assert (heat["z"], heat["zmin"]) == ([[8, 7]], 0)


def test_a_topics_page_puts_no_party_before_its_equals(desk, parties):
    topic = Topic.objects.create(label_auto="Rente", state="active")
    for party in parties:
        TopicDay.objects.create(
            day=berlin_today(), scope="topic", topic=topic, party=party.slug, sessions=2, messages=2
        )
    page = desk.get(reverse("admin:topics_topic_change", args=[topic.pk])).content.decode()
    assert "Named most with it: Nordliste, Ostbund." in page


def test_why_a_run_was_not_taken_is_said_of_the_run(desk):
    TopicRun.objects.create(state="cancelled", reason="by_hand", progress=100)
    assert "The last run: Somebody has cancelled it." in text_of(desk, "overview")


def test_one_party_alone_has_no_distance_to_another(desk, parties):
    ask("Was plant Nordliste?", parties=["nord"])
    take_in()
    assert "points" not in text_of(desk, "parties")


def test_a_topics_page_gives_one_share_one_meaning(desk):
    topic = Topic.objects.create(label_auto="Rente", state="active")
    ask("Rente?")
    log_read()
    day = days_kept()[0]
    TopicDay.objects.create(day=day, scope="topic", topic=topic, sessions=3, messages=3, answered=2, clarified=1)
    said = html.unescape(desk.get(reverse("admin:topics_topic_change", args=[topic.pk])).content.decode())
    assert "100 % of the questions that could be answered" in said
    assert "answered 67 %" in said


@pytest.mark.parametrize("state", ["skipped", "rejected", "cancelled", "failed"])
def test_of_a_run_that_was_not_taken_nobody_says_that_topics_went_on(desk, state):
    done = TopicRun.objects.create(state=state, progress=100)
    page = desk.get(reverse("admin:topics_topicrun_change", args=[done.pk])).content.decode()
    assert "every topic went on" not in page


def test_in_the_first_run_nothing_could_go_on(desk):
    ask_many()
    done = run()
    assert done.survival == 1
    assert done.went_on_share is None
    assert "100 %" not in html.unescape(desk.get(reverse("admin:topics_topicrun_changelist")).content.decode())


@pytest.mark.parametrize("method", [("agglomerative", "average link"), ("density", "broad", "capped", "fine")])
def test_the_methods_of_a_run_have_german_words(desk, method):
    desk.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    code, *tried = method
    done = TopicRun.objects.create(state="accepted", progress=100, method=code, parameters={"tried": tried})
    words = desk.get(reverse("admin:topics_topicrun_change", args=[done.pk])).context["methods"]
    assert len(words) == len(method)
    assert not set(words) & set(method)


def test_a_trend_is_filtered_for_in_words(desk):
    desk.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    for movement in ("growing", "fading"):
        Topic.objects.create(label_auto=f"Thema {movement}", state="active", movement=movement)
    page = desk.get(reverse("admin:topics_topic_changelist"), {"movement": "growing"})
    assert [topic.movement for topic in page.context["cl"].result_list] == ["growing"]
    assert "wächst" in page.content.decode()
    assert ">growing<" not in page.content.decode().replace("\n", "").replace(" ", "")


def test_no_list_of_topics_is_filtered_by_codes():
    """A field without choices is filtered by its bare values: codes, in no language."""
    request = RequestFactory().get("/")
    request.user = User(is_superuser=True, is_active=True)
    bare = []
    for model, desk in admin.site._registry.items():
        if model._meta.app_label != "topics":
            continue
        for name in desk.get_list_filter(request):
            if isinstance(name, str) and "__" not in name:
                field = model._meta.get_field(name)
                if isinstance(field, CharField) and not field.choices:
                    bare.append(f"{model._meta.label}.{name}")
    assert bare == []


@pytest.mark.parametrize("page", ["topic_changelist", "topicrun_changelist"])
def test_an_empty_list_of_the_machines_asks_nobody_to_create_something(desk, page):
    said = text_of(desk, page)
    assert "Create a new item" not in said
    assert "There is nothing here yet" in said
    assert "no topics yet: 0 of 30" in said or "has been no run yet" in said
    assert "Nothing fits" in text_of(desk, page, state__exact="active" if "run" not in page else "failed")


def test_a_list_that_may_be_added_to_offers_that(desk):
    page = desk.get(reverse("admin:documents_party_changelist")).content.decode()
    assert page.count(reverse("admin:documents_party_add")) >= 2


def test_no_heading_of_ours_is_a_word_of_the_skins():
    """One msgid has one German word: the skin's button and the column of a table must not share it."""
    assert "Run" in WORDS
    columns = {str(column) for column in _columns()}
    assert not columns & set(WORDS)


def _columns() -> list[str]:
    from django.http import QueryDict

    from apps.topics.dashboards.overview import overview
    from apps.topics.dashboards.reading import filters_of

    TopicRun.objects.create(state="accepted", topics=3, born=3, survival=1, unplaced_share=0)
    ask("Wann ist die Wahl?")
    take_in()
    return [column for chart in overview(filters_of(QueryDict())).charts for column in chart.columns]


def test_every_table_scrolls_in_a_frame_of_its_own():
    """A table wider than a telephone must not take the page with it."""
    for path in (Path(settings.BASE_DIR) / "templates/admin/topics").glob("*.html"):
        page = path.read_text()
        framed = re.findall(r'<div class="topics-scroll" [^>]*><table', page)
        assert page.count("<table") == len(framed), path.name
