"""The pages of the bench: who gets in, what they see, and what no body can break."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.answering.bench import running
from apps.answering.bench.fields import NAMES
from apps.answering.language_models import language_model_replaced
from apps.answering.models import AnswerSettings
from apps.documents.models import Party
from apps.querylog.models import Conversation, Turn
from apps.rag.features import Features
from apps.rag.scripted_model import ModelFault, Reply, ScriptedModel
from apps.rules import live
from apps.rules.services import release_publish, rules_save
from apps.rules.types import Phrase
from tests.chat.naughty import SEEDS
from tests.rules.building import rule as make

PAGE = "/admin/try/answer/"
RUN = "/admin/try/answer/run/"
ASKED = "Was sagt die Morgenpartei zum Mindestlohn?"
HTMX = {"HX-Request": "true"}
QUOTED = "Wir erhöhen den Mindestlohn auf 15 Euro je Stunde."


def events_of(body: bytes) -> list[tuple[str, dict[str, Any]]]:
    """The events of a stream with their data."""
    found = []
    for block in body.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(":"))
        if "event" in lines and lines.get("data"):
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def body_of(response: Any) -> bytes:
    """The whole body, streamed or not."""

    async def whole() -> bytes:
        return b"".join([piece async for piece in response.streaming_content])

    return async_to_sync(whole)() if response.streaming else response.content


def run(client: Client, **data: Any) -> list[tuple[str, dict[str, Any]]]:
    response = client.post(RUN, data, headers=HTMX)
    assert response.status_code == 200, response.content.decode()
    return events_of(body_of(response))


def shown(client: Client, **data: Any) -> str:
    """The page that a browser without scripts gets."""
    response = client.post(PAGE, data)
    assert response.status_code == 200
    return response.content.decode()


def reports(client: Client, **data: Any) -> list[dict[str, Any]]:
    """What is copied for a bug report."""
    result = client.post(PAGE, data).context["result"]
    found: list[dict[str, Any]] = json.loads(result.json)
    return found


def test_the_page_asks_for_a_question(desk, corpus):
    page = desk.get(PAGE).content.decode()
    assert reverse("answering:bench") == PAGE
    assert 'name="question"' in page
    assert "Morgenpartei" in page
    assert 'data-run="/admin/try/answer/run/"' in page


def test_the_answer_is_that_of_a_reader_with_its_whole_trace(desk, corpus):
    page = shown(desk, question=ASKED)
    assert f'<q lang="de">{QUOTED}</q>' in page
    [report] = reports(desk, question=ASKED)
    assert report["outcome"] == "answered"
    assert report["decision"]["decision"] == "SEARCH_AS_IS"
    assert [stage["name"] for stage in report["stages"]][1:7] == [
        "match", "rewrite", "route", "understand", "retrieve", "judge",
    ]  # fmt: skip
    passage = report["found"][0]["passages"][0]
    assert passage["is_cited"]
    assert passage["party"] == "Morgenpartei"
    assert f"/sources/{passage['uuid']}/" in page
    assert {draft["fault"] for draft in report["drafts"]} == {""}
    assert report["signals"]["recommendation"] == "answer"
    assert report["versions"]["settings"] == "shipped"
    assert 0 < report["first_sentence"] <= report["total"]


def test_the_stream_tells_progress_the_growing_answer_and_the_result(desk, corpus):
    events = run(desk, question=ASKED)
    assert [name for name, _ in events][-1] == "result"
    assert {"progress", "answer", "result"} == {name for name, _ in events}
    grown = [data["html"] for name, data in events if name == "answer"]
    assert QUOTED in grown[-1]
    # Nothing speaks of an interruption while the answer still grows.
    assert "notice" not in grown[0]
    assert "The whole trace" not in grown[-1]
    assert 'data-copy="bench-json"' in events[-1][1]["html"]


def test_the_stream_comes_from_the_one_function_and_is_never_kept(desk, corpus):
    response = desk.post(RUN, {"question": ASKED})
    assert response["Content-Type"].startswith("text/event-stream")
    assert "no-store" in response["Cache-Control"]
    assert b"event: close" in body_of(response)


def test_nothing_is_stored_or_logged(desk, corpus, caplog):
    caplog.set_level(logging.DEBUG)
    run(desk, question="Geheimnisvolle Frage zum Mindestlohn", earlier="Verschwiegene Frage")
    shown(desk, question="Geheimnisvolle Frage zum Mindestlohn")
    assert not Turn.objects.exists()
    assert not Conversation.objects.exists()
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("apps")]
    assert not any("Geheimnis" in line or "Verschwiegen" in line for line in ours)


ENDS = {
    "a refusal": ("Was sagt der Talbund zum Walfang vor Island?", "refused"),
    "small talk": ("Danke!", "chatted"),
    "voting advice": ("Wen soll ich wählen?", "chatted"),
    "a comparison": ("Was sagen Talbund und Morgenpartei zum Mindestlohn?", "answered"),
}


@pytest.mark.parametrize(("question", "outcome"), ENDS.values(), ids=ENDS)
def test_every_end_of_a_turn_is_shown(desk, corpus, question, outcome):
    [report] = reports(desk, question=question)
    assert report["outcome"] == outcome
    assert 'class="bench-stage"' in shown(desk, question=question)


def test_a_question_back_offers_its_choices_as_the_next_question(desk, corpus):
    earlier = "Was sagen Talbund und Morgenpartei zum Mindestlohn?"
    page = shown(desk, question="Und was sagt die Partei zum Wohnen?", earlier=earlier)
    [report] = reports(desk, question="Und was sagt die Partei zum Wohnen?", earlier=earlier)
    assert report["decision"]["decision"] == "CLARIFY"
    choice = report["decision"]["choices"][0]
    assert f'<button form="ask" name="suggestion" value="{choice}"' in page
    response = desk.post(
        PAGE, {"question": "Und was sagt die Partei zum Wohnen?", "earlier": earlier, "suggestion": choice}
    )
    form = response.context["form"]
    assert form["question"].value() == choice
    assert form["earlier"].value().splitlines() == [earlier, "Und was sagt die Partei zum Wohnen?"]


def test_asking_again_adds_nothing_to_the_conversation(desk, corpus):
    response = desk.post(PAGE, {"question": ASKED, "suggestion": ASKED})
    assert response.context["form"]["earlier"].value() is None or not response.context["form"]["earlier"].value()


def test_without_documents_the_bench_says_so(desk):
    [report] = reports(desk, question="Wie hoch ist der Mindestlohn?")
    assert [notice["code"] for notice in report["notices"]] == ["empty_corpus"]
    assert "There are no documents yet" in shown(desk, question="Wie hoch ist der Mindestlohn?", page_language="en")


def test_a_search_that_is_down_is_a_sentence(desk, corpus, monkeypatch):
    def down(query, index):
        raise ConnectionError

    monkeypatch.setattr("apps.documents.search.retriever.search", down)
    page = shown(desk, question=ASKED)
    assert "The search does not answer" in page
    [report] = reports(desk, question=ASKED)
    assert (report["outcome"], report["failure"]) == ("failed", "search_down")
    assert report["searches"][0]["error"] == "ConnectionError"


def test_a_bench_that_breaks_is_a_sentence(desk, corpus, monkeypatch):
    def broken(run):
        raise ZeroDivisionError("Geheimnis")

    monkeypatch.setattr("apps.answering.bench.showing.report_of", broken)
    assert "The bench broke" in shown(desk, question=ASKED)
    assert run(desk, question=ASKED)[-1][0] == "trouble"


def test_a_run_that_takes_too_long_says_how_far_it_came(desk, corpus, monkeypatch):
    monkeypatch.setattr("apps.answering.bench.streams.MOST_SECONDS", 0.3)
    slow = ScriptedModel(Reply("Später.", ModelFault.SLOW))
    with language_model_replaced(slow):
        page = shown(desk, question=ASKED)
        [report] = reports(desk, question=ASKED)
    assert "The time for this run was used up" in page
    assert report["outcome"] == "late"
    assert report["decision"]["decision"] == "SEARCH_AS_IS"
    assert slow.open == 0


@pytest.fixture
def model(corpus: list[Party]) -> Iterator[ScriptedModel]:
    """A model whose first draft has a wrong figure."""
    bad = "Der Mindestlohn steigt auf 99 Euro. [doc:1#chunk:1] Mehr dazu später. [doc:1#chunk:1]"
    scripted = ScriptedModel(Reply(bad), Reply(f"Dort steht: „{QUOTED}“ [doc:1#chunk:1]"))
    with language_model_replaced(scripted):
        yield scripted


def test_prompts_and_rejected_drafts_are_in_the_trace(desk, model):
    [report] = reports(desk, question=ASKED)
    assert [call["stage"] for call in report["calls"]] == ["write", "write", "offer"]
    sent = model.requests[0].messages
    assert [message["text"] for message in report["calls"][0]["messages"]] == [message.text for message in sent]
    assert report["drafts"][0] == {
        "text": "Der Mindestlohn steigt auf 99 Euro.", "attempt": 1, "fault": "unsupported_figure",
    }  # fmt: skip
    assert report["drafts"][-1]["fault"] == ""
    assert report["versions"]["writing_model"] == "scripted"


def test_every_feature_of_the_decision_has_a_name():
    assert {field.name for field in fields(Features)} <= set(NAMES)


def test_prompts_and_faults_are_shown_in_words(desk, model):
    page = shown(desk, question=ASKED)
    assert "&lt;&lt;&lt;SOURCE doc:1 chunk:1" in page
    assert "a number or date does not stand in the source" in page


def test_earlier_questions_are_part_of_the_trace(desk, corpus):
    [report] = reports(desk, question="Und der Talbund?", earlier=f"{ASKED}\n\n  ")
    assert [turn["question"] for turn in report["earlier"]] == [ASKED]
    assert report["decision"]["decision"] == "REWRITE"
    assert report["decision"]["turns_used"] == [1]
    assert "Talbund" in report["decision"]["query"]
    assert report["decision"]["references"]


def test_rules_explain_themselves_and_the_draft_can_be_asked(desk, corpus):
    rules_save(specs=[make("lohn", title="Mindestlohn", phrases=(Phrase(ASKED),))], author=None)
    [report] = reports(desk, question=ASKED)
    assert report["rules"][0]["trial"] is None
    release_publish(author=None, comment="Erste", expected_release=0)
    live.forget()
    rules_save(
        specs=[make("wohnen", title="Wohnungen", phrases=(Phrase("Was will die Morgenpartei beim Wohnen?"),))],
        author=None,
    )
    [report] = reports(desk, question=ASKED)
    assert [winner["uid"] for winner in report["rules"][0]["trial"]["winners"]] == ["lohn"]
    assert report["versions"]["release"] == 1
    near = [each["uid"] for each in report["rules"][0]["trial"]["near"]]
    assert "wohnen" not in near
    [draft] = reports(desk, question="Was will die Morgenpartei beim Wohnen?", rules="draft")
    assert [winner["uid"] for winner in draft["rules"][0]["trial"]["winners"]] == ["wohnen"]
    assert draft["rule_use"]
    [released] = reports(desk, question="Was will die Morgenpartei beim Wohnen?")
    assert not released["rules"][0]["trial"]["winners"]


def test_limits_hold_as_they_would_for_a_reader(desk, corpus):
    [report] = reports(
        desk, question="Wie hoch ist der Mindestlohn?", parties=["tal"], moment="2025-02-23T18:00", audience="api"
    )
    assert {row["party"] for found in report["found"] for row in found["passages"]} == {"Talbund"}
    assert report["searches"][0]["filters"] == {"on": "2025-02-23", "party_slugs": ["tal"]}
    assert report["asked"]["audience"] == "api"


def test_only_the_desk_finds_what_is_kept_from_readers(desk, corpus):
    from apps.documents.models import Collection

    Collection.objects.update(visibility="desk")
    [report] = reports(desk, question=ASKED)
    assert report["outcome"] == "refused"
    [report] = reports(desk, question=ASKED, audience="desk")
    assert report["outcome"] == "answered"


def test_two_versions_of_the_settings_stand_side_by_side(desk, corpus):
    single = AnswerSettings.objects.create(title="Nur ein Satz", sentences=1)
    question = "Wie viele Beschäftigte haben etwas vom Mindestlohn?"
    one, other = reports(desk, question=question, other=str(single.pk))
    assert len(one["sentences"]) > len(other["sentences"]) > 0
    assert (one["versions"]["settings"], other["versions"]["settings"]) == ("shipped", f"draft {single.pk}")
    page = shown(desk, question=question, other=str(single.pk))
    assert "What differs" in page
    assert "<strong>A only</strong>" in page
    assert "draft: Nur ein Satz" in page
    assert page.count('class="bench-reader"') == 2


def test_the_same_settings_twice_differ_in_nothing_but_time(desk, corpus):
    assert "Both answers are the same." in shown(desk, question=ASKED, other="live")


def test_what_cannot_be_asked_says_why(desk, corpus):
    wrong = {"question": " ", "moment": "soon", "parties": ["nobody"], "language": "english", "other": "999"}
    response = desk.post(RUN, wrong, headers=HTMX)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"question", "moment", "parties", "language", "other"}
    page = desk.post(PAGE, wrong)
    assert page.status_code == 422
    assert b"Please type a question first." in page.content


def test_a_long_question_is_refused_like_a_readers(desk, settings):
    response = desk.post(RUN, {"question": "x" * (settings.QUESTION_MAX_CHARACTERS + 1)}, headers=HTMX)
    assert response.status_code == 422
    assert b"Please shorten your question" in response.content


def test_a_full_bench_asks_for_patience(desk, corpus, monkeypatch):
    monkeypatch.setattr(running, "MOST_OPEN", 0)
    for address in (PAGE, RUN):
        response = desk.post(address, {"question": ASKED})
        assert response.status_code == 503
        assert b"Others are trying questions right now" in response.content


def test_strangers_are_sent_to_sign_in_and_fragments_are_refused(client, db):
    assert client.get(PAGE).status_code == 302
    assert client.post(RUN, {"question": ASKED}).status_code == 302
    assert client.post(RUN, {"question": ASKED}, headers=HTMX).status_code == 403


def test_the_bench_has_a_permission_of_its_own(client, db):
    nobody = User.objects.create_user("nobody", is_staff=True)
    nobody.user_permissions.add(Permission.objects.get(codename="view_rule"))
    client.force_login(nobody)
    assert client.get(PAGE).status_code == 403
    assert client.post(RUN, {"question": ASKED}, headers=HTMX).status_code == 403
    nobody.user_permissions.add(Permission.objects.get(codename="view_bench"))
    assert client.get(PAGE).status_code == 200
    reader = User.objects.create_user("reader")
    reader.user_permissions.add(Permission.objects.get(codename="view_bench"))
    client.force_login(reader)
    assert client.get(PAGE).status_code == 302


def test_a_run_comes_only_by_post(desk):
    assert desk.get(RUN).status_code == 405
    assert desk.put(PAGE).status_code == 405
    assert desk.head(PAGE).status_code == 200


def test_the_policy_of_the_back_office_holds_and_nothing_is_inline(desk):
    response = desk.get(PAGE)
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]


def test_the_page_costs_a_fixed_number_of_queries(desk, corpus):
    desk.get(PAGE)
    with CaptureQueriesContext(connection) as few:
        desk.get(PAGE)
    for number in range(30):
        Party.objects.create(slug=f"p{number}", name=f"P {number}", short_name=f"P{number}")
        AnswerSettings.objects.create(title=f"Nr. {number}")
    with CaptureQueriesContext(connection) as many:
        desk.get(PAGE)
    assert len(many) == len(few) <= 12


NAUGHTY = [group[0] for group in SEEDS.values()]


@pytest.mark.parametrize("field", ["question", "earlier", "language", "choices", "moment", "parties", "version"])
def test_no_words_break_the_bench(desk, field):
    for words in (*NAUGHTY, "\ud800", "\x00", "x" * 1_000_000):
        data = {"question": ["Frage?"], field: [words.encode("utf-8", "surrogatepass")]}
        response = desk.post(RUN, data, headers=HTMX)
        assert response.status_code in (200, 422), words[:40]
        body = body_of(response)
        assert b"<script>alert" not in body
        assert b"event: trouble" not in body, words[:40]


def test_a_megabyte_is_refused_without_trouble(desk):
    response = desk.post(PAGE, {"question": "x" * 1_000_000, "earlier": "y\n" * 500_000})
    assert response.status_code == 422
