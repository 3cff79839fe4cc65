"""What a reader does with an answer: works, wrong method, a stranger, without scripts, and what pages then show."""

from __future__ import annotations

import json
import re
import uuid
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from apps.chat.models import SharedAnswer
from apps.documents.models import Collection, Document, DocumentVersion
from apps.querylog.models import AnswerFeedback, Conversation, SentenceReport, SourceReport, Turn
from apps.querylog.retention import conversation_delete
from apps.rag.events import Decided, Done
from apps.rag.types import Decision, Outcome

from .conftest import ANSWER, REFUSAL, SOURCE, cited

pytestmark = pytest.mark.django_db(transaction=True)
HTMX = {"HX-Request": "true"}
DEEDS = ["rate", "share", "unshare"]


def asked(client: Client, question: str = "Wie hoch soll der Mindestlohn sein?") -> Turn:
    client.post(reverse("chat:ask"), {"question": question, "conversation": ""})
    return Turn.objects.latest("pk")


def page(client: Client, turn: Turn) -> str:
    return client.get(reverse("chat:conversation", args=[turn.conversation.uuid])).text


def do(client: Client, name: str, turn: Turn, *more: object, htmx: bool = False, **data: object):
    return client.post(reverse(f"chat:{name}", args=[turn.uuid, *more]), data, headers=HTMX if htmx else {})


def test_a_verdict_is_taken_then_its_reasons_then_thanked(reader, script):
    turn = asked(reader)
    assert 'name="verdict" value="useful"' in page(reader, turn)
    fragment = do(reader, "rate", turn, htmx=True, verdict="not_useful")
    assert fragment.text.lstrip().startswith(f'<div class="said" id="said-{turn.uuid}"')
    assert 'name="reason" value="one_sided"' in fragment.text
    done = do(reader, "rate", turn, verdict="not_useful", reason=["one_sided", "wrong"], comment="Zu kurz.")
    assert done.status_code == 302
    assert done["Location"].endswith(f"#said-{turn.uuid}")
    feedback = AnswerFeedback.objects.get()
    assert (feedback.reasons, feedback.comment) == (["wrong", "one_sided"], "Zu kurz.")
    assert 'name="reason"' not in page(reader, turn)


def test_a_sentence_is_reported_by_its_place(reader, script):
    turn = asked(reader)
    done = do(reader, "report-sentence", turn, 1, htmx=True)
    assert "Das gilt ab 2027." in SentenceReport.objects.get().sentence
    assert reverse("chat:report-sentence", args=[turn.uuid, 1]) not in done.text
    assert reverse("chat:report-sentence", args=[turn.uuid, 0]) in done.text
    assert do(reader, "report-sentence", turn, 7).status_code == 404


@pytest.mark.parametrize("name", DEEDS)
def test_strangers_and_readings_change_nothing(reader, stranger, script, name):
    turn = asked(reader)
    assert do(stranger, name, turn, verdict="useful").status_code == 404
    assert reader.get(reverse(f"chat:{name}", args=[turn.uuid])).status_code == 405
    assert reader.post(reverse(f"chat:{name}", args=[uuid.uuid4()])).status_code == 404
    assert not AnswerFeedback.objects.exists()
    assert not SharedAnswer.objects.exists()


def test_small_talk_has_nothing_to_rate_or_share(reader, script):
    script((Decided(Decision.CHAT, "Hallo"), Done(Outcome.CHATTED)))
    turn = asked(reader)
    assert 'class="said"' not in page(reader, turn)
    assert do(reader, "rate", turn, verdict="useful").status_code == 404
    assert do(reader, "share", turn).status_code == 404


def test_whoever_has_the_link_reads_the_answer_as_it_stood_and_only_its_owner_takes_it_back(reader, stranger, script):
    turn = asked(reader)
    do(reader, "share", turn)
    do(reader, "share", turn)
    shared = SharedAnswer.objects.get()
    link = reverse("chat:shared", args=[shared.key])
    assert link in page(reader, turn)
    Turn.objects.filter(pk=turn.pk).update(question="Anderes?", shown=[])
    seen = stranger.get(link)
    assert "Wie hoch soll der Mindestlohn sein?" in seen.text
    assert "Das gilt ab 2027." in seen.text
    assert 'name="robots" content="noindex, nofollow"' in seen.text
    assert str(turn.uuid) not in seen.text
    assert str(turn.conversation.uuid) not in seen.text
    assert do(stranger, "unshare", turn).status_code == 404
    assert stranger.get(link).status_code == 200
    do(reader, "unshare", turn)
    assert stranger.get(link).status_code == 404


def test_the_desk_sees_how_much_is_shared_without_words_links_or_a_way_to_take_it_back(reader, script):
    import_module("apps.chat.migrations.0005_shared_list").give_permission(apps, None)
    do(reader, "share", asked(reader))
    shared = SharedAnswer.objects.get()
    member = User.objects.create_user("member", is_staff=True)
    desk = Client()
    desk.force_login(member)
    name = "admin:chat_sharedanswer"
    places = [reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[shared.pk])]
    assert [desk.get(place).status_code for place in places] == [403, 403]
    member.groups.add(Group.objects.get(name="desk"))
    for place in places:
        seen = desk.get(place)
        assert seen.status_code == 200
        assert shared.key not in seen.text
        assert "Mindestlohn" not in seen.text
        assert "Das gilt ab 2027." not in seen.text
    assert desk.post(reverse(f"{name}_delete", args=[shared.pk]), {"post": "yes"}).status_code == 403
    desk.post(places[0], {"action": "delete_selected", "_selected_action": [shared.pk], "post": "yes"})
    assert SharedAnswer.objects.count() == 1


@pytest.mark.parametrize(("order", "stated"), [("alphabetical", "alphabetische"), ("random", "ausgelost")])
def test_the_setting_behind_the_order_of_parties_is_stated_and_nothing_moves(
    reader, stranger, script, settings, order, stated
):
    settings.BUILDER_PARTY_ORDER = order
    names = ["Apfelpartei", "Birnenpartei", "Kirschpartei", "Dattelpartei", "Elsbeerpartei"]
    script(
        (*ANSWER[:2], *(cited(f"Das will die {name}.", group=name, slug=name.lower()) for name in names), ANSWER[-1])
    )
    turn = asked(reader)
    assert bool(turn.versions.get("party_draw", "")) == (order == "random")
    do(reader, "share", turn)
    shown = page(reader, turn)
    for text in (shown, stranger.get(reverse("chat:shared", args=[SharedAnswer.objects.get().key])).text):
        assert stated in text
        speakers = re.findall(r'<h3 class="speaker">.*?(\w+partei)</h3>', text)
        assert speakers == names


def test_a_shared_answer_offers_nothing_that_only_its_reader_may_do(reader, stranger, script):
    script(REFUSAL)
    turn = asked(reader)
    do(reader, "share", turn)
    seen = stranger.get(reverse("chat:shared", args=[SharedAnswer.objects.get().key])).text
    assert "notice-refusal" in seen
    assert 'class="said"' not in seen
    assert "formaction" not in seen
    assert "data-path" not in seen


def test_a_deleted_conversation_takes_its_links_along(reader, stranger, script):
    turn = asked(reader)
    do(reader, "share", turn)
    link = reverse("chat:shared", args=[SharedAnswer.objects.get().key])
    conversation_delete(conversation=turn.conversation)
    assert stranger.get(link).status_code == 404


def source(number: int) -> None:
    """The cited document, with this version as its current one."""
    shelf, _ = Collection.objects.get_or_create(slug="shelf", defaults={"name": "Wahl"})
    document, _ = Document.objects.get_or_create(uuid=SOURCE.uuid, defaults={"title": "Programm", "collection": shelf})
    document.current_version = DocumentVersion.objects.create(
        document=document, number=number, checksum=str(number), text="Zwölf Euro."
    )
    document.status = Document.Status.READY
    document.save()


def test_a_shared_answer_says_when_a_source_has_changed_since(reader, stranger, script):
    source(SOURCE.version)
    turn = asked(reader)
    do(reader, "share", turn)
    link = reverse("chat:shared", args=[SharedAnswer.objects.get().key])
    assert 'class="caution"' not in stranger.get(link).text
    Collection.objects.update(visibility=Collection.Visibility.DESK)
    assert 'class="caution"' in stranger.get(link).text
    Collection.objects.update(visibility=Collection.Visibility.PUBLIC)
    assert 'class="caution"' not in stranger.get(link).text
    source(SOURCE.version + 1)
    assert 'class="caution"' in stranger.get(link).text
    Document.objects.update(current_version=None, status=Document.Status.REJECTED, reason="weg")
    assert 'class="caution"' in stranger.get(link).text


def test_a_conversation_is_saved_as_a_file_with_everything_that_is_kept(reader, stranger, script):
    turn = asked(reader)
    do(reader, "rate", turn, verdict="not_useful", comment="Zu kurz.")
    address = reverse("chat:export", args=[turn.conversation.uuid])
    response = reader.get(address)
    assert response["Content-Disposition"].startswith("attachment")
    (only,) = json.loads(response.content)["turns"]
    assert only["question"] == "Wie hoch soll der Mindestlohn sein?"
    assert [item["sentence"] for item in only["answer"]][1] == "Das gilt ab 2027."
    assert only["answer"][0]["sources"][0]["passage"].startswith("http://testserver/sources/")
    assert only["feedback"]["comment"] == "Zu kurz."
    assert stranger.get(address).status_code == 404


def test_the_first_screen_leads_back_to_ones_own_conversations_only(reader, stranger, script):
    turn = asked(reader)
    address = reverse("chat:conversation", args=[turn.conversation.uuid])
    assert address in reader.get("/").text
    assert address not in stranger.get("/").text


def test_an_error_on_a_sources_page_is_reported_with_its_place(reader):
    source(2)
    address = reverse("documents:passage", args=[SOURCE.uuid, 2, 0, 5])
    form = reverse("chat:report-source", args=[SOURCE.uuid, 2, 0, 5])
    assert form in reader.get(address).text
    assert reader.post(form, {"comment": " "})["Location"] == f"{address}?report=nothing#report"
    assert not SourceReport.objects.exists()
    done = reader.post(form, {"comment": "Die Zahl ist falsch."})
    assert done["Location"] == f"{address}?report=thanks#report"
    assert (SourceReport.objects.get().start, SourceReport.objects.get().end) == (0, 5)
    assert 'role="status"' in reader.get(done["Location"].partition("#")[0]).text
    assert reader.post(reverse("chat:report-source", args=[uuid.uuid4(), 2, 0, 5])).status_code == 404


def test_who_says_too_much_is_told_so(reader, script, settings):
    turn = asked(reader)
    settings.CHAT_LIMITS = {"ask": settings.CHAT_LIMITS["ask"], "say": {"session": (1, 0), "network": (0, 0)}}
    assert do(reader, "rate", turn, verdict="useful").status_code == 302
    refused = do(reader, "rate", turn, htmx=True, verdict="not_useful")
    assert refused.status_code == 429
    assert 'class="problem"' in refused.text
    assert do(reader, "rate", turn, verdict="not_useful").status_code == 429
    assert AnswerFeedback.objects.get().verdict == "useful"


def test_a_conversation_of_many_answers_costs_no_more_queries_than_one(reader, script, django_assert_max_num_queries):
    turn = asked(reader)
    key = str(turn.conversation.uuid)
    for _ in range(4):
        reader.post(reverse("chat:ask"), {"question": "Und ab wann?", "conversation": key})
    assert Conversation.objects.get().turns.count() == 5
    with django_assert_max_num_queries(6):
        page(reader, turn)


@pytest.mark.parametrize(
    ("address", "is_linked"), [("https://kurier.example/a", True), ("javascript:alert(1)", False), ("", False)]
)
def test_only_an_address_that_is_a_web_page_is_the_original(reader, address, is_linked):
    source(2)
    Document.objects.update(address=address)
    page = reader.get(reverse("documents:passage", args=[SOURCE.uuid, 2, 0, 5])).text
    assert (f'href="{address}"' in page) is is_linked
    assert "javascript:" not in page
