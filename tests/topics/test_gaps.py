"""From a gap to a rule and back: opened, drafted, asked again, resolved; and who is told when."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from apps.querylog.models import AccessEntry
from apps.rules import live
from apps.rules.models import Release, Rule
from apps.topics.models import Asked, Gap, GapNotice, QueryText, Topic, TopicMember
from apps.topics.services import gaps
from apps.topics.services.drafting import draft_spec, rule_draft
from apps.topics.services.edits import edit_undo, topics_merge
from apps.topics.services.gaps import GapChangedError, gaps_update
from apps.topics.services.log_reading import log_read
from apps.topics.services.notices import digest_send, notices_send, webhook_body
from apps.topics.services.replaying import Replayed, gaps_replay
from tests.topics.log import ask

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor():
    user = User.objects.create_user("redaktion", password="x", is_staff=True)
    names = [
        "view_gap",
        "change_gap",
        "view_topic",
        "view_question",
        "view_turn",
        "add_rule",
        "view_rule",
        "change_rule",
    ]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    return user


def topic_with(subject: str, sessions: int, **more) -> Topic:
    """Return an active topic whose questions ended as ``more`` says."""
    topic = Topic.objects.create(label_auto=subject, keywords=[subject, "Ort"], state="active")
    for number in range(sessions):
        ask(f"Was soll bei {subject} in Ort {number} geschehen?", session=f"{subject}{number}", **more)
    log_read()
    for text in QueryText.objects.filter(text__contains=subject):
        TopicMember.objects.get_or_create(text=text, defaults={"topic": topic, "part": topic, "similarity": 0.9})
    return topic


def opened(subject: str = "Lachgas", sessions: int = 20) -> Gap:
    topic_with(subject, sessions, outcome="refused", ended_with="not_enough")
    gaps_update()
    return Gap.objects.get(topic__label_auto=subject)


def test_what_many_ask_in_vain_is_a_gap_and_what_is_answered_is_none():
    topic_with("Rente", 20)
    gap = opened()
    assert list(Gap.objects.values_list("topic__label_auto", flat=True)) == ["Lachgas"]
    assert gap.parts["sessions"] == 20
    assert gap.parts["causes"] == {"no_source": 1.0}
    assert gap.score > 0


@pytest.mark.parametrize("ended_with", ["no_advice", "no_opinion"])
def test_refused_advice_never_opens_a_gap(ended_with):
    topic_with("Wahlhilfe", 40, outcome="refused", ended_with=ended_with)
    gaps_update()
    gaps_update()
    assert not Gap.objects.exists()


def test_few_askers_open_a_gap_only_in_the_second_run():
    topic_with("Lachgas", 6, outcome="refused", ended_with="not_enough")
    gaps_update()
    assert not Gap.objects.exists()
    gaps_update()
    gaps_update()
    assert Gap.objects.count() == 1


def test_a_click_makes_a_draft_rule_with_words_phrases_and_examples(editor):
    gap = opened()
    rule = rule_draft(gap=gap, editor=editor)
    assert rule.status == "draft"
    assert rule.phrases.count() == rule.examples.count() == 5
    assert {slot.text for slot in rule.token_lists.get(role="core").slots.all()} == {"Lachgas", "Ort"}
    gap.refresh_from_db()
    assert (gap.state, gap.rule_uid, gap.editor) == ("taken", rule.uid, editor)
    assert gap.before["weak"] == 1.0
    assert rule_draft(gap=gap, editor=editor).pk == rule.pk
    assert Rule.objects.count() == 1


def drafted_words(gap: Gap) -> tuple[set[str], int]:
    core = draft_spec(gap.topic).core
    return {slot.text for slot in core.slots}, core.amount


def test_one_word_that_is_the_topics_own_is_enough_for_the_draft():
    gap = opened()
    topic_with("Klima", 20)
    assert drafted_words(gap) == ({"Lachgas"}, 1), "in every question there is an Ort"


@pytest.mark.parametrize("keywords", [["Ort", "soll", "geschehen"], ["Spielhalle", "Ort", "soll"]])
def test_words_that_others_use_or_hardly_anybody_make_the_draft_match_only_together(keywords):
    gap = opened()
    topic_with("Klima", 20)
    gap.topic.keywords = keywords
    assert drafted_words(gap) == (set(keywords), 2)


def answers(texts, now):
    return [Replayed(text.pk, "answered", False, "lachgas") for text in texts]


def refuses(texts, now):
    return [Replayed(text.pk, "refused", True) for text in texts]


def test_a_gap_is_resolved_only_by_being_better_after_a_release(editor):
    gap = opened()
    rule_draft(gap=gap, editor=editor)
    assert gaps_replay(ask=refuses) == 1
    gap.refresh_from_db()
    assert gap.state == "taken"
    assert gaps_replay(ask=answers) == 0, "nothing has changed since"
    Release.objects.create(number=1, comment="Lachgas", threshold=90, token_budget=6_000)
    assert gaps_replay(ask=answers) == 1
    gap.refresh_from_db()
    assert gap.state == "resolved"
    assert (gap.before["weak"], gap.after["weak"], gap.replayed_release) == (1.0, 0.0, 1)
    assert [step.kind for step in gap.steps.all()] == ["opened", "rule", "replayed", "resolved"]
    gaps_update()
    gap.refresh_from_db()
    assert gap.state == "resolved", "what was asked before it was closed does not open it again"


def test_a_gap_is_asked_again_of_the_newest_rules_only(editor):
    gap = opened()
    rule_draft(gap=gap, editor=editor)
    assert live.current() is None, "looked a moment ago"
    Release.objects.create(number=1, comment="Lachgas", threshold=90, token_budget=6_000)
    asked_of: list[int] = []

    def notes(texts, now):
        asked_of.append(live.current().release)
        return answers(texts, now)

    gaps_replay(ask=notes)
    assert asked_of == [1]


def test_a_resolved_gap_opens_again_when_it_is_weak_again(editor):
    gap = opened()
    rule_draft(gap=gap, editor=editor)
    Release.objects.create(number=1, comment="Lachgas", threshold=90, token_budget=6_000)
    gaps_replay(ask=answers)
    topic = gap.topic
    for number in range(20):
        ask(f"Warum gibt es keine Antwort zu Lachgas {number}?", session=f"new{number}", days_ago=-0.001,
            outcome="refused", ended_with="not_enough")  # fmt: skip
    log_read()
    for text in QueryText.objects.filter(member=None):
        TopicMember.objects.create(text=text, topic=topic, part=topic, similarity=0.9)
    Topic.objects.filter(pk=topic.pk).update(was_weak=True)
    gaps_update()
    gap.refresh_from_db()
    assert gap.state == "reopened"
    assert Gap.objects.count() == 1


def test_a_dismissed_gap_stays_dismissed_and_needs_a_reason(editor):
    gap = opened()
    with pytest.raises(ValueError, match="reasons"):
        gaps.gap_dismiss(gap=gap, editor=editor, why="")
    gaps.gap_dismiss(gap=gap, editor=editor, why="out_of_scope")
    gaps_update()
    assert Gap.objects.get().state == "dismissed"
    with pytest.raises(GapChangedError):
        gaps.gap_take(gap=gap, editor=editor)
    gaps.gap_reopen(gap=gap, editor=editor)
    assert Gap.objects.get().state == "reopened"


def test_a_gap_goes_on_with_the_topic_that_its_own_has_become_part_of(editor):
    gap, whole = opened("Lachgas"), topic_with("Boeller", 5)
    merged = topics_merge(into=whole, others=[gap.topic], editor=editor)
    gap.refresh_from_db()
    assert (gap.topic, gap.state) == (whole, "open")
    assert len(gaps.weak_texts(gap.topic)) == 25, "so that its questions can be asked again"
    edit_undo(edit=merged, editor=editor)
    gap.refresh_from_db()
    assert (gap.topic.label_auto, gap.state) == ("Lachgas", "open")


def test_of_two_gaps_that_are_one_subject_now_one_stays_open_and_undoing_brings_both_back(editor):
    one, other = opened("Lachgas"), opened("Boeller")
    gaps.gap_take(gap=other, editor=editor)
    merged = topics_merge(into=one.topic, others=[other.topic], editor=editor)
    assert [gap.pk for gap in Gap.objects.open()] == [one.pk]
    other.refresh_from_db()
    assert (other.state, other.dismissal) == ("dismissed", "duplicate")
    edit_undo(edit=merged, editor=editor)
    assert dict(Gap.objects.values_list("pk", "state")) == {one.pk: "open", other.pk: "taken"}


def test_the_desk_is_told_once_and_not_more_often_than_the_days_limit(settings):
    settings.TOPICS_NOTICE_MAIL, settings.TOPICS_NOTICES_PER_DAY = ["desk@example.org"], 1
    settings.TOPICS_NOTICE_WEBHOOK = "https://chat.example.org/hook"
    posted: list[bytes] = []
    opened("Lachgas", 30)
    opened("Boeller", 20)
    notices_send(fresh=[], post=lambda url, body: posted.append(body))
    assert len(mail.outbox) == len(posted) == 1
    assert "Lachgas" in mail.outbox[0].subject
    assert GapNotice.objects.filter(is_digest=True).count() == 1
    notices_send(fresh=[], post=lambda url, body: posted.append(body))
    assert len(mail.outbox) == 1
    assert digest_send(post=lambda url, body: posted.append(body)) == 1
    assert "Boeller" in mail.outbox[1].body
    assert [gap["topic"] for gap in json.loads(posted[1])["gaps"]] == ["Boeller"]
    assert digest_send() == 0


def test_the_digest_is_posted_where_no_mail_is_set_and_waits_while_nobody_takes_it(settings):
    settings.TOPICS_NOTICE_WEBHOOK, settings.TOPICS_NOTICES_PER_DAY = "https://chat.example.org/hook", 0
    opened("Boeller", 20)
    notices_send(fresh=[])
    assert digest_send(post=away) == 0
    posted: list[bytes] = []
    assert digest_send(post=lambda url, body: posted.append(body)) == 1
    assert "Boeller" in json.loads(posted[0])["text"]
    assert GapNotice.objects.get().posted_at is not None


def test_what_could_not_be_mailed_at_once_stands_in_the_digest(settings, monkeypatch):
    settings.TOPICS_NOTICE_MAIL = ["desk@example.org"]
    gap = opened()
    with monkeypatch.context() as patched:
        patched.setattr("apps.topics.services.notices.send_mail", away)
        [notice] = notices_send(fresh=[])
        assert notice.mailed_at is None
        assert digest_send() == 0, "the server is still away"
    GapNotice.objects.create(gap=gap, score=2 * gap.score)
    assert digest_send() == 1, "two notices of one gap are one line"
    assert mail.outbox[0].body.count("\n") == 1
    assert digest_send() == 0


def test_what_one_way_did_not_take_the_digest_brings_that_way_alone(settings):
    settings.TOPICS_NOTICE_MAIL = ["desk@example.org"]
    settings.TOPICS_NOTICE_WEBHOOK = "https://chat.example.org/hook"
    opened()
    notices_send(fresh=[], post=away)
    assert len(mail.outbox) == 1
    assert digest_send(post=away) == 0
    posted: list[bytes] = []
    assert digest_send(post=lambda url, body: posted.append(body)) == 1
    assert [gap["topic"] for gap in json.loads(posted[0])["gaps"]] == ["Lachgas"]
    assert len(mail.outbox) == 1, "it was mailed at once"
    assert digest_send(post=away) == 0


def test_what_could_not_be_posted_at_once_is_posted_where_no_mail_is_set(settings):
    settings.TOPICS_NOTICE_WEBHOOK = "https://chat.example.org/hook"
    opened()
    notices_send(fresh=[], post=away)
    posted: list[bytes] = []
    assert digest_send(post=lambda url, body: posted.append(body)) == len(posted) == 1


def test_old_news_is_not_told_by_a_way_that_is_set_up_late(settings):
    gap = opened()
    notices_send(fresh=[])
    GapNotice.objects.update(created_at=timezone.now() - timedelta(days=8))
    settings.TOPICS_NOTICE_MAIL = ["desk@example.org"]
    assert digest_send() == 0
    Topic.objects.filter(pk=gap.topic_id).update(is_hidden=True)
    GapNotice.objects.update(created_at=timezone.now())
    assert digest_send() == 0, "nobody is told of a topic that the desk has hidden"
    assert mail.outbox == []


@pytest.mark.parametrize("address", ["http://[::1", "no address", "ftp://chat.example.org/hook", "http://127.0.0.1:1/"])
def test_an_address_that_nobody_answers_at_costs_the_post_only(settings, address):
    settings.TOPICS_NOTICE_WEBHOOK = address
    opened()
    [notice] = notices_send(fresh=[])
    assert notice.posted_at is None
    assert digest_send() == 0


def away(*args: object) -> None:
    raise OSError("away")


def test_a_notice_holds_no_readers_words():
    body = json.loads(webhook_body(opened()))
    assert "Lachgas" in body["text"]
    assert "Ort 3" not in json.dumps(body)


def test_a_webhook_that_is_away_costs_nothing_else(settings):
    settings.TOPICS_NOTICE_WEBHOOK = "https://chat.example.org/hook"
    opened()
    [notice] = notices_send(fresh=[], post=away)
    assert notice.posted_at is None


def test_board_and_gap_pages(client, editor):
    gap = opened()
    client.force_login(editor)
    board = client.get(reverse("admin:topics_gap_changelist"))
    assert b"Lachgas" in board.content
    address = reverse("admin:topics_gap_change", args=[gap.pk])
    hidden = client.get(address).content
    assert b"Ort 3" not in hidden
    assert reverse("admin:querylog_turn_reason").encode() in hidden
    assert not AccessEntry.objects.exists()
    client.post(reverse("admin:querylog_turn_reason"), {"reason": "Die Lücke schließen"})
    page = client.get(address)
    assert b"Ort 3" in page.content
    noted = AccessEntry.objects.get()
    assert (noted.name, noted.reason, noted.count) == ("redaktion", "Die Lücke schließen", 20)
    answer = client.post(reverse("admin:topics_gap_rule", args=[gap.pk]))
    assert answer.status_code == 302
    assert reverse("admin:rules_rule_change", args=[Rule.objects.get().pk]) == answer.url
    client.post(reverse("admin:topics_gap_move", args=[gap.pk]), {"move": "note", "note": "Ein Erklärstück"})
    assert Gap.objects.get().note == "Ein Erklärstück"


def test_without_permission_nothing_of_a_gap_is_seen_or_done(client, editor):
    gap = opened()
    client.force_login(User.objects.create_user("leser", password="x", is_staff=True))
    for name, arguments in (("gap_changelist", []), ("gap_change", [gap.pk])):
        assert client.get(reverse(f"admin:topics_{name}", args=arguments)).status_code == 403
    for name in ("gap_move", "gap_rule"):
        assert client.post(reverse(f"admin:topics_{name}", args=[gap.pk])).status_code == 403
    editor.user_permissions.remove(*Permission.objects.filter(codename="view_question"))
    client.force_login(User.objects.get(pk=editor.pk))
    page = client.get(reverse("admin:topics_gap_change", args=[gap.pk]))
    assert b"Ort 3" not in page.content
    assert client.post(reverse("admin:topics_gap_rule", args=[gap.pk])).status_code == 403


def test_the_log_is_read_once():
    ask("Was ist mit der Rente?")
    assert len(log_read()) == 1
    assert log_read() == set()
    assert Asked.objects.count() == 1
