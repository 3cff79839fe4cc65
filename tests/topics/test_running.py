"""A run from the log to topics: identity, editors' work and privacy survive every one of them."""

from __future__ import annotations

import pytest

from apps.core.locks import held_alone
from apps.querylog.retention import conversation_delete
from apps.topics.dashboards.listing import question_groups
from apps.topics.models import Asked, QueryText, StoredChart, Topic, TopicDay, TopicEdit, TopicMember, TopicRun
from apps.topics.services import edits
from apps.topics.services.edits import TopicRefusedError
from apps.topics.services.log_reading import log_read
from apps.topics.services.ordering import run_cancel, run_order
from apps.topics.services.placing import questions_place
from apps.topics.services.running import LOCK, run_execute, runs_waiting
from tests.topics.log import SUBJECTS, ask, ask_many, subjects_embedded

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def embedder():
    with subjects_embedded() as found:
        yield found


def run(kind: str = "night") -> TopicRun:
    log_read()
    ordered = run_order(kind=kind)
    run_execute(pk=ordered.pk)
    ordered.refresh_from_db()
    return ordered


def topic_of(subject: str) -> Topic:
    """Return the one topic that holds the questions on a subject."""
    found = set(
        TopicMember.objects.filter(text__text__contains=subject, topic__state__in=["active", "candidate"])
        .values_list("topic", flat=True)
    )  # fmt: skip
    assert len(found) == 1, (subject, found)
    return Topic.objects.get(pk=found.pop())


@pytest.mark.parametrize("count", [0, 1, 2, 5, 29])
def test_few_questions_are_listed_and_no_run_fails(count):
    for number in range(count):
        ask(f"Frage {number} zur Rente")
    done = run()
    assert (done.state, done.reason) == ("skipped", "too_few_texts")
    listing = question_groups(may_read=True)
    assert listing.texts == count
    assert sum(group.wordings for group in listing.groups) == count
    assert question_groups(may_read=False).groups is None


def test_a_run_finds_the_subjects_and_counts_the_days():
    ask_many()
    done = run()
    assert done.state == "accepted", done.reason
    assert done.topics == len(SUBJECTS)
    assert {topic_of(subject).pk for subject in SUBJECTS} == set(Topic.objects.values_list("pk", flat=True))
    day = TopicDay.objects.get(scope="all", party="")
    assert day.sessions == day.answered == 12 * len(SUBJECTS)
    assert set(StoredChart.objects.values_list("name", flat=True)) >= {"map", "tree"}
    assert "Rente" in topic_of("Rente").label_auto


def test_the_same_log_gives_the_same_topics():
    ask_many()
    run()
    before = dict(TopicMember.objects.values_list("text", "topic"))
    second = run()
    assert second.survival == 1.0
    assert second.born == 0
    assert dict(TopicMember.objects.values_list("text", "topic")) == before


def test_editors_work_survives_every_kind_of_run():
    ask_many()
    run()
    rent, climate, home, school = (topic_of(name) for name in ("Rente", "Klima", "Wohnen", "Bildung"))
    edits.topic_rename(topic=rent, name="Altersvorsorge", editor=None)
    edits.topics_merge(into=climate, others=[home], editor=None)
    edits.topic_set(topic=rent, kind="pin", value=True, editor=None)
    edits.topic_set(topic=school, kind="hide", value=True, editor=None)
    cut = list(TopicMember.objects.filter(topic=topic_of("Verkehr")).values_list("text", flat=True)[:4])
    edits.topic_split(topic=topic_of("Verkehr"), text_ids=cut, name="Radwege", editor=None)
    for kind in ("night", "full", "night"):
        ask_many(each=2, session=f"again-{kind}")
        assert run(kind).state == "accepted"
        rent.refresh_from_db()
        assert (rent.label_editor, rent.is_pinned) == ("Altersvorsorge", True)
        assert topic_of("Klima").pk == topic_of("Wohnen").pk == climate.pk
        split = Topic.objects.get(label_editor="Radwege")
        assert set(TopicMember.objects.filter(topic=split).values_list("text", flat=True)) >= set(cut)
        assert Topic.objects.get(pk=school.pk).is_hidden


def test_every_change_can_be_undone():
    ask_many()
    run()
    members = dict(TopicMember.objects.values_list("text", "topic"))
    rent, climate = topic_of("Rente"), topic_of("Klima")
    made = [
        edits.topic_rename(topic=rent, name="Altersvorsorge", editor=None),
        edits.topics_merge(into=rent, others=[climate], editor=None),
        edits.topic_split(topic=topic_of("Pflege"), text_ids=_some("Pflege"), name="Heime", editor=None),
        edits.topic_set(topic=rent, kind="pin", value=True, editor=None),
    ]
    for edit in reversed(made):
        edits.edit_undo(edit=edit, editor=None)
    assert dict(TopicMember.objects.values_list("text", "topic")) == members
    rent.refresh_from_db()
    assert (rent.label_editor, rent.is_pinned) == ("", False)
    with pytest.raises(TopicRefusedError, match="undone_already"):
        edits.edit_undo(edit=made[0], editor=None)
    assert TopicEdit.objects.filter(undone_at=None).count() == 0


def _some(subject: str) -> list[int]:
    return list(TopicMember.objects.filter(text__text__contains=subject).values_list("text", flat=True)[:3])


def test_no_topic_is_public_without_the_desks_name():
    ask_many()
    run()
    with pytest.raises(TopicRefusedError, match="public_needs_name"):
        edits.topic_set(topic=topic_of("Rente"), kind="public", value=True, editor=None)


def test_a_new_question_finds_its_topic_at_once_and_a_stranger_stays_unplaced():
    ask_many()
    run()
    for number in range(90, 100):
        ask(f"Noch eine Frage: was soll bei Rente in Ort {number} geschehen?")
    ask("xyzzy plugh")
    questions_place()
    placed = topic_of("Rente").members.filter(text__text__startswith="Noch eine Frage", how="online")
    # The floor leaves out what lies farther from the middle than nearly all members.
    assert placed.count() >= 3
    assert not TopicMember.objects.filter(text__text__contains="xyzzy").exists()


def test_a_new_subject_is_born_as_a_candidate_and_nothing_else_moves():
    ask_many()
    run()
    before = dict(TopicMember.objects.values_list("text", "topic"))
    ask_many(["Heizung"], each=14)
    night = run()
    assert night.born == 1
    assert topic_of("Heizung").state == "candidate"
    after = dict(TopicMember.objects.values_list("text", "topic"))
    assert {text: after[text] for text in before} == before
    run()
    assert topic_of("Heizung").state == "active"


def test_erasing_a_conversation_leaves_nothing_of_it():
    turn = ask("Nur einmal gefragt: Rente der Bergleute?")
    ask("Oft gefragt: Rente?", session="a")
    kept = ask("Oft gefragt: Rente?", session="b")
    questions_place()
    conversation_delete(conversation=turn.conversation)
    conversation_delete(conversation=kept.conversation)
    assert list(QueryText.objects.values_list("text", flat=True)) == ["Oft gefragt: Rente?"]
    assert Asked.objects.count() == 1


def test_what_has_no_words_or_is_small_talk_is_in_no_topic():
    ask("👍👍", kind="no_text")
    ask("Hallo!", kind="small_talk", outcome="chatted")
    questions_place()
    assert set(QueryText.objects.values_list("embedder", flat=True)) == {""}
    assert TopicDay.objects.get(scope="all", party="").small_talk == 1


def test_two_clicks_make_one_run_and_a_cancelled_one_changes_nothing():
    first, second = run_order(), run_order()
    assert first.pk == second.pk
    run_cancel(run=first)
    assert run_execute(pk=first.pk) == "cancelled"
    assert not Topic.objects.exists()


def test_a_second_worker_does_not_run_the_same_run():
    from django.db import connections

    ordered = run_order()
    other = connections.create_connection("default")
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        assert run_execute(pk=ordered.pk) == "queued"
        assert runs_waiting() == []
        cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    other.close()
    with held_alone(LOCK) as is_alone:
        assert is_alone
    assert runs_waiting() == [ordered.pk]


def test_a_merged_topic_is_called_by_the_words_of_all_its_parts_and_an_editors_name_is_not_doubted():
    ask_many()
    run()
    rent, care = topic_of("Rente"), topic_of("Pflege")
    edits.topics_merge(into=rent, others=[care], editor=None)
    run()
    rent.refresh_from_db()
    assert {"Rente", "Pflege"} <= set(rent.keywords)
    edits.topic_rename(topic=rent, name="Alter", editor=None)
    for kind in ("night", "full", "night"):
        run(kind)
        rent.refresh_from_db()
        assert (rent.name, rent.needs_check) == ("Alter", False)


def test_what_is_about_the_same_is_cut_off_together():
    ask_many()
    run()
    topic = topic_of("Rente")
    first, second, other = topic.members.order_by("pk")[:3]
    QueryText.objects.filter(pk=second.pk).update(gist_key=first.text.gist_key)
    edit = edits.topic_split(topic=topic, text_ids=[first.pk, other.pk], name="Anderes", editor=None)
    cut_off = Topic.objects.get(pk=edit.data["new"])
    assert {member.pk for member in cut_off.members.all()} == {first.pk, second.pk, other.pk}
    assert len(TopicMember.objects.typical(cut_off.pk, 10)) == 2


def test_a_models_name_was_for_the_members_that_a_topic_had():
    ask_many()
    run()
    rent, home = topic_of("Rente"), topic_of("Wohnen")
    Topic.objects.update(label_source="some/topic-name-1")
    Topic.objects.filter(pk=rent.pk).update(label_auto="Von einst", named_for=[])
    run()
    rent.refresh_from_db()
    home.refresh_from_db()
    assert "Rente" in rent.label_auto
    assert (rent.label_source, home.label_source) == ("", "some/topic-name-1"), "and a model may name it anew"
