"""What readers say about answers, sentences and sources: masked, once, about what there is, gone with the question."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.documents.models import Collection, Document, DocumentVersion
from apps.querylog import retention
from apps.querylog.feedback import (
    NoFeedbackError,
    answer_rate,
    comment_read,
    feedback_look,
    may_be_rated,
    sentence_report,
    source_report,
)
from apps.querylog.models import AccessEntry, AnswerFeedback, Conversation, SentenceReport, SourceReport, Turn

pytestmark = pytest.mark.django_db
SHOWN = [
    {"type": "notice", "kind": "caveat", "code": "cut_short", "text": "Hinweis"},
    {"type": "sentence", "text": "Erster Satz.", "citations": []},
    {"type": "sentence", "text": "Zweiter Satz.", "citations": []},
]


def turn_of(**fields: object) -> Turn:
    conversation = Conversation.objects.create(owner="x", session_day="y")
    values = {"state": Turn.State.DONE, "finished_at": timezone.now(), "outcome": "answered", "shown": SHOWN}
    return Turn.objects.create(conversation=conversation, number=1, question="Was kostet das?", **{**values, **fields})


@pytest.fixture
def version() -> DocumentVersion:
    shelf = Collection.objects.create(slug="shelf", name="Wahl")
    document = Document.objects.create(title="Programm", collection=shelf)
    return DocumentVersion.objects.create(document=document, number=1, text="Zwölf Euro, sagt die Partei.")


def test_the_last_word_about_an_answer_counts_and_is_new_to_the_desk():
    turn = turn_of()
    first = answer_rate(turn=turn, verdict="not_useful", reasons=["one_sided", "wrong", "wrong", "invented"])
    assert first.reasons == ["wrong", "one_sided"]
    feedback_look(rows=[first], editor=None)
    answer_rate(turn=turn, verdict="useful", reasons=["wrong"])
    only = AnswerFeedback.objects.get()
    assert (only.verdict, only.reasons, only.comment, only.looked_at) == ("useful", [], "", None)


def test_a_comment_is_cleaned_cut_and_masked_before_it_is_stored():
    said = "Schreibt\x00 mir an erika@example.org\n\noder ruft an"
    feedback = answer_rate(turn=turn_of(), verdict="not_useful", comment=said)
    feedback.refresh_from_db()
    assert "erika" not in feedback.comment
    assert "\x00" not in feedback.comment
    assert feedback.comment.startswith("Schreibt mir an ")
    assert len(comment_read("Wort " * 5_000)) <= 1_000


@pytest.mark.parametrize(
    ("fields", "is_rated"),
    [
        ({}, True),
        ({"outcome": "refused"}, True),
        ({"outcome": "chatted"}, False),
        ({"outcome": "clarified"}, False),
        ({"state": "interrupted", "outcome": "interrupted"}, False),
        ({"state": "running", "outcome": "", "finished_at": None}, False),
    ],
)
def test_only_answers_and_refusals_are_rated(fields: dict[str, object], is_rated: bool):
    turn = turn_of(**fields)
    assert may_be_rated(turn) is is_rated
    if is_rated:
        answer_rate(turn=turn, verdict="useful")
        return
    with pytest.raises(NoFeedbackError):
        answer_rate(turn=turn, verdict="useful")
    assert not AnswerFeedback.objects.exists()


def test_what_is_neither_useful_nor_not_is_refused():
    with pytest.raises(NoFeedbackError):
        answer_rate(turn=turn_of(), verdict="splendid")


def test_the_database_refuses_reasons_against_a_useful_answer_and_unknown_ones():
    turn = turn_of()
    for values in ({"verdict": "useful", "reasons": ["wrong"]}, {"verdict": "not_useful", "reasons": ["because"]}):
        with pytest.raises(IntegrityError), transaction.atomic():
            AnswerFeedback.objects.create(turn=turn, **values)


def test_a_sentence_is_reported_once_and_named_by_its_place_among_the_sentences():
    turn = turn_of()
    for _ in range(2):
        assert sentence_report(turn=turn, place=1).sentence == "Zweiter Satz."
    assert SentenceReport.objects.count() == 1
    for place in (2, -1):
        with pytest.raises(NoFeedbackError):
            sentence_report(turn=turn, place=place)


def test_a_deleted_turn_takes_no_feedback_and_takes_its_own_along():
    turn = turn_of()
    answer_rate(turn=turn, verdict="useful")
    sentence_report(turn=turn, place=0)
    retention.conversation_delete(conversation=turn.conversation)
    assert not AnswerFeedback.objects.exists()
    assert not SentenceReport.objects.exists()
    for say in (lambda: answer_rate(turn=turn, verdict="useful"), lambda: sentence_report(turn=turn, place=0)):
        with pytest.raises(NoFeedbackError):
            say()


def test_a_source_is_reported_with_masked_words_within_its_text(version: DocumentVersion):
    report = source_report(version=version, start=0, end=5, comment="Falsch, fragt 0171 2345678.")
    assert "2345678" not in report.comment
    for start, end, comment in ((0, 5, " \x00 "), (6, 5, "Falsch."), (0, 500, "Falsch.")):
        with pytest.raises(NoFeedbackError):
            source_report(version=version, start=start, end=end, comment=comment)
    assert SourceReport.objects.count() == 1


def test_reports_on_sources_are_forgotten_with_the_questions_of_their_day(version: DocumentVersion, settings):
    report = source_report(version=version, start=0, end=5, comment="Falsch.")
    assert retention.turns_expire()["source_reports"] == 0
    age = timedelta(days=settings.QUESTION_RETENTION_DAYS, minutes=1)
    SourceReport.objects.filter(pk=report.pk).update(created_at=timezone.now() - age)
    assert retention.turns_expire()["source_reports"] == 1


def test_the_desk_notes_once_what_it_has_looked_at(version: DocumentVersion):
    editor = User.objects.create_user("erika")
    turn = turn_of()
    rows = [
        answer_rate(turn=turn, verdict="useful"),
        sentence_report(turn=turn, place=0),
        source_report(version=version, start=0, end=5, comment="Falsch."),
    ]
    assert feedback_look(rows=rows, editor=editor) == 3
    assert feedback_look(rows=rows, editor=None) == 0
    assert AnswerFeedback.objects.get().looked_by == editor


@pytest.mark.parametrize(("group", "changes"), [("editor", True), ("desk", True), ("log reader", False)])
def test_the_groups_have_their_part(group: str, changes: bool):
    user = User.objects.create_user("someone")
    user.groups.add(Group.objects.get(name=group))
    for model in ("answerfeedback", "sentencereport", "sourcereport"):
        assert user.has_perm(f"querylog.view_{model}")
        assert user.has_perm(f"querylog.change_{model}") is changes


def test_comments_are_shown_for_a_reason_only_and_noted(version: DocumentVersion):
    turn = turn_of()
    answer_rate(turn=turn, verdict="not_useful", comment="Da fehlt mein Dorf.")
    source_report(version=version, start=0, end=5, comment="Das stimmt nicht mehr.")
    user = User.objects.create_user("erika", is_staff=True)
    user.groups.add(Group.objects.get(name="desk"))
    client = Client()
    client.force_login(user)
    pages = [reverse(f"admin:querylog_{name}_changelist") for name in ("answerfeedback", "sourcereport")]
    for page, words in zip(pages, ("mein Dorf", "nicht mehr"), strict=True):
        assert words not in client.get(page).text
    assert not AccessEntry.objects.exists()
    client.post(reverse("admin:querylog_turn_reason"), {"reason": "Was Leser sagen"})
    for page, words in zip(pages, ("mein Dorf", "nicht mehr"), strict=True):
        assert words in client.get(page).text
    assert [(entry.count, entry.turns) for entry in AccessEntry.objects.order_by("pk")] == [(1, [turn.uuid]), (1, [])]
