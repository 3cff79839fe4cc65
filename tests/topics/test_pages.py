"""The dashboards: from the first question on, for those who may see them, in a constant number of queries."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils import timezone

from apps.querylog.counting import berlin_today
from apps.querylog.demo.progress import demo_done, demo_ordered
from apps.querylog.models import AccessEntry, Conversation, DemoLoad, Turn
from apps.topics.admin.pages import PAGES
from apps.topics.dashboards.figures import Cell, Chart, harmless
from apps.topics.models import Gap, QueryText, Topic, TopicDay, TopicMember, TopicRun
from apps.topics.services.gaps import open_label
from apps.topics.services.log_reading import log_read
from tests.topics.log import ask

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client):
    user = User.objects.create_user("desk", password="x", is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(codename__in=["view_topic", "view_topicrun", "change_topic", "add_topicrun"])
    )
    client.force_login(user)
    return client


@pytest.fixture
def counted():
    topics = [
        Topic.objects.create(label_auto=name, state="active", map_x=0.1, map_y=0.2) for name in ("Rente", "Klima")
    ]
    for number in range(10):
        day = berlin_today() - timedelta(days=number)
        TopicDay.objects.create(day=day, scope="all", sessions=9, messages=9, answered=6, refused=3)
        for topic in topics:
            TopicDay.objects.create(day=day, scope="topic", topic=topic, sessions=4, messages=4, answered=3, refused=1)
        TopicDay.objects.create(day=day, scope="unplaced", sessions=1, messages=1)
    TopicRun.objects.create(state="accepted", survival=0.98, unplaced_share=0.1, topics=2)
    return topics


@pytest.mark.parametrize("name", PAGES)
def test_every_dashboard_stands_without_a_single_question(desk, name):
    page = desk.get(reverse(f"admin:topics_{name}"))
    assert page.status_code == 200
    assert page.context["page"].finding
    assert page.context["page"].charts == ()


@pytest.mark.parametrize("name", PAGES)
def test_dashboards_are_not_for_everybody(client, name):
    client.force_login(User.objects.create_user("leser", password="x", is_staff=True))
    assert client.get(reverse(f"admin:topics_{name}")).status_code == 403


def test_the_overview_has_a_finding_tables_and_at_most_four_charts(desk, counted):
    page = desk.get(reverse("admin:topics_overview"))
    found = page.context["page"]
    assert 1 <= len(found.charts) <= 4
    assert all(chart.summary and chart.rows for chart in found.charts)
    assert page.content.index(b"<table") < page.content.index(b"data-figure")
    assert b"cdn" not in page.content


def test_zero_days_are_drawn_and_today_is_marked(desk, counted):
    TopicDay.objects.filter(day=berlin_today() - timedelta(days=3)).delete()
    page = desk.get(reverse("admin:topics_overview"), {"days": "7"})
    days = next(chart for chart in page.context["page"].charts if chart.name == "days")
    assert len(days.rows) == 7
    assert [row[1].text for row in days.rows].count("0") == 1
    assert days.figure["data"][0]["marker"]["pattern"]["shape"] == [""] * 6 + ["/"]


@pytest.mark.parametrize(
    "query", [{"days": "1e9"}, {"days": "-1"}, {"party": "x" * 500}, {"days": "٣"}, {"days": "²"}, {"party": "'"}]
)
def test_odd_addresses_show_the_ordinary_page(desk, counted, query):
    page = desk.get(reverse("admin:topics_overview"), query)
    assert page.status_code == 200
    assert page.context["filters"].days == 28


def test_every_chart_has_a_csv(desk, counted):
    page = desk.get(reverse("admin:topics_overview"))
    for chart in page.context["page"].charts:
        answer = desk.get(reverse("admin:topics_csv", args=["overview", chart.name]))
        assert answer.status_code == 200
        assert answer["Content-Type"].startswith("text/csv")
        assert len(answer.content.decode("utf-8-sig").strip().splitlines()) == 1 + len(chart.rows)
    assert desk.get(reverse("admin:topics_csv", args=["overview", "nothing"])).status_code == 404
    assert desk.get(reverse("admin:topics_csv", args=["nothing", "topics"])).status_code == 404


def test_formulas_in_names_are_only_text_in_the_head_too():
    chart = Chart("c", "t", "s", ("Tag", "=A1"), ((Cell("=HYPERLINK(1)"), Cell("x")), (Cell("-3 %"), Cell("y"))))
    assert chart.csv().splitlines() == ["Tag,'=A1", "'=HYPERLINK(1),x", "-3 %,y"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", "\n=", "＝", "＋", "－", "＠", "'="])
def test_whatever_a_spreadsheet_takes_for_a_formula_is_only_text(start):
    assert harmless(f"{start}SUM(A1)").startswith("'")


@pytest.mark.parametrize("page", ["topics_topic_change", "topics_topicrun_change", "topics_gap_change"])
@pytest.mark.parametrize("key", ["²", "٣٤", "9" * 30, "x"])
def test_an_odd_number_in_the_address_is_no_error_of_ours(desk, page, key):
    assert desk.get(reverse(f"admin:{page}", args=[key])).status_code in {302, 403, 404}


def test_an_odd_number_in_a_form_is_left_out(desk, counted):
    rent, climate = counted
    desk.post(reverse("admin:topics_merge", args=[rent.pk]), {"other": ["²", str(climate.pk)]})
    climate.refresh_from_db()
    assert climate.merged_into_id == rent.pk


def test_more_topics_cost_no_more_queries(desk, counted):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            desk.get(reverse("admin:topics_overview"))
        return len(found)

    queries()
    before = queries()
    for number in range(20):
        topic = Topic.objects.create(label_auto=f"Thema {number}", state="active")
        TopicDay.objects.create(day=berlin_today(), scope="topic", topic=topic, sessions=2, messages=2)
    assert queries() == before


def test_the_topic_page_and_its_changes(desk, counted):
    rent, climate = counted
    page = desk.get(reverse("admin:topics_topic_change", args=[rent.pk]))
    assert b"Rente" in page.content
    desk.post(reverse("admin:topics_rename", args=[rent.pk]), {"name": "Altersvorsorge"})
    desk.post(reverse("admin:topics_merge", args=[rent.pk]), {"other": [climate.pk]})
    rent.refresh_from_db()
    climate.refresh_from_db()
    assert (rent.label_editor, climate.merged_into) == ("Altersvorsorge", rent)
    edit = rent.edits.get(kind="merge")
    desk.post(reverse("admin:topics_undo", args=[rent.pk, edit.pk]))
    climate.refresh_from_db()
    assert climate.merged_into is None


def test_only_who_may_approve_shows_topics_to_readers(desk, counted):
    answer = desk.post(reverse("admin:topics_set", args=[counted[0].pk]), {"kind": "public", "value": "1"})
    assert answer.status_code == 403


def test_lists_and_runs(desk, counted):
    assert desk.get(reverse("admin:topics_topic_changelist")).status_code == 200
    assert desk.get(reverse("admin:topics_topicrun_changelist")).status_code == 200
    run = TopicRun.objects.get()
    assert desk.get(reverse("admin:topics_topicrun_change", args=[run.pk])).status_code == 200
    assert desk.get(reverse("admin:topics_topic_change", args=[10**9])).status_code in {302, 404}


def test_plotlys_script_is_served_from_its_wheel_and_nothing_else_of_it():
    assert finders.find("plotly/plotly.min.js").endswith("plotly.min.js")
    assert not finders.find("plotly/widgetbundle.js")
    assert not finders.find("plotly/../__init__.py")


def test_figures_are_what_plotly_expects(desk, counted):
    graphs = pytest.importorskip("plotly.graph_objects")
    for chart in desk.get(reverse("admin:topics_overview")).context["page"].charts:
        if chart.figure:
            graphs.Figure(chart.figure)


def test_a_topic_shows_readers_words_for_a_reason_only_and_notes_who_read_which(desk, counted):
    User.objects.get(username="desk").user_permissions.add(
        *Permission.objects.filter(codename__in=["view_question", "view_turn"])
    )
    topic = Topic.objects.order_by("pk")[0]
    ask("Was wird aus meiner Rente?", session="s1")
    log_read()
    text = QueryText.objects.get(text="Was wird aus meiner Rente?")
    TopicMember.objects.create(text=text, topic=topic, part=topic, similarity=0.9)
    address = reverse("admin:topics_topic_change", args=[topic.pk])
    assert text.text not in desk.get(address).content.decode()
    assert not AccessEntry.objects.exists()
    desk.post(reverse("admin:querylog_turn_reason"), {"reason": "Namen prüfen"})
    assert text.text in desk.get(address).content.decode()
    assert text.asked.first().turn.uuid in AccessEntry.objects.get().turns


def test_the_log_is_narrowed_to_a_topic_by_those_who_may_see_topics(desk, counted):
    rent, climate = counted
    for words, topic in (
        ("Was wird aus der Rente?", rent),
        ("Was kostet das Klima?", climate),
        ("Ganz anderes?", None),
    ):
        ask(words)
        log_read()
        if topic:
            text = QueryText.objects.get(text=words)
            TopicMember.objects.create(text=text, topic=topic, part=topic, similarity=0.9)
    user = User.objects.get(username="desk")
    user.user_permissions.add(Permission.objects.get(codename="view_turn", content_type__app_label="querylog"))
    log = reverse("admin:querylog_turn_changelist")

    def found(topic) -> list[str]:
        return [turn.question for turn in desk.get(log, {"topic": topic}).context["cl"].result_list]

    assert found(rent.pk) == ["Was wird aus der Rente?"]
    assert found("none") == ["Ganz anderes?"]
    turn = Turn.objects.get(question__contains="Rente")
    assert rent.name in desk.get(reverse("admin:querylog_turn_change", args=[turn.pk])).text
    user.user_permissions.remove(Permission.objects.get(codename="view_topic"))
    assert len(found(rent.pk)) == 3, "a topic in the address tells nothing"
    assert rent.name not in desk.get(reverse("admin:querylog_turn_change", args=[turn.pk])).text


def test_one_entry_of_the_menu_is_marked(desk, counted):
    for name in ("map", "topic_changelist"):
        page = desk.get(reverse(f"admin:topics_{name}"))
        items = [item for group in page.context["sidebar_navigation"] for item in group["items"]]
        assert [str(item["link"]) for item in items if item["active"]] == [reverse(f"admin:topics_{name}")]


def test_the_menu_counts_the_gaps_that_nobody_works_on(counted, rf):
    Gap.objects.create(topic=counted[0])
    Gap.objects.create(topic=counted[1], state="taken")
    assert open_label(rf.get("/")) == "1"


PAGES_OF_THE_DESK = ["topics_overview", "topics_map", "topics_parties", "topics_topic_changelist",
                     "topics_gap_changelist", "topics_mergeproposal_changelist", "topics_topicrun_changelist",
                     "querylog_turn_changelist", "querylog_turn_mentions"]  # fmt: skip


@pytest.fixture
def chief(client):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    client.force_login(User.objects.create_superuser("chief"))
    return client


@pytest.mark.parametrize("name", PAGES_OF_THE_DESK)
def test_no_page_calls_it_silence_while_the_demo_is_being_loaded(chief, name):
    address = reverse(f"admin:{name}")
    demo_ordered(conversations=200)
    assert chief.get(address).content.count(b"The demo&#x27;s questions are being loaded: first the sources") == 1
    assert b"Nobody has asked" not in chief.get(address).content
    Conversation.objects.create(owner="demo", is_demo=True)
    Conversation.objects.create(owner="o")
    assert chief.get(address).content.count(b"The demo&#x27;s questions are being loaded: 0 % so far") == 1
    demo_done()
    assert b"being loaded" not in chief.get(address).content


def test_an_order_that_nobody_works_on_any_more_is_not_told(chief):
    demo_ordered(conversations=200)
    DemoLoad.objects.update(ordered_at=timezone.now() - timedelta(hours=3))
    assert b"Nobody has asked" in chief.get(reverse("admin:topics_overview")).content


def test_a_question_that_is_not_sorted_yet_is_no_silence(chief):
    ask("Bis wann gilt der Wahlbrief?")
    assert b"sorted within a minute" in chief.get(reverse("admin:topics_overview")).content
    log_read()
    assert b"Nobody has asked" in chief.get(reverse("admin:topics_overview")).content


@pytest.mark.parametrize("name", [name for name in PAGES_OF_THE_DESK if name.startswith("topics")])
def test_a_run_at_work_is_told_on_every_page(chief, name):
    TopicRun.objects.create(state="running", progress=40)
    assert chief.get(reverse(f"admin:{name}")).content.count(b"The topics are being computed: 40 %") == 1


def test_without_topics_the_board_of_gaps_does_not_say_that_all_is_answered(chief):
    empty = chief.get(reverse("admin:topics_gap_changelist")).content.decode()
    assert "there are no topics yet" in empty
    assert "is answered" not in empty
    Topic.objects.create(label_auto="Rente", state="active")
    assert "what many ask is answered" in chief.get(reverse("admin:topics_gap_changelist")).content.decode()
