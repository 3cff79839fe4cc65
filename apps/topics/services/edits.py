"""What editors do to topics: rename, merge, split, pin, hide, approve. Each is one row, and can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.core.cleaning import clean_line
from apps.topics import spaces
from apps.topics.modelling.vectors import unit
from apps.topics.models import Topic, TopicEdit, TopicMember
from apps.topics.services.counting import days_count, days_kept
from apps.topics.services.gaps import gaps_follow, gaps_return
from apps.topics.services.standing_figures import topics_refresh

_LONGEST_NAME: Final = 80
_LEAST_TO_SPLIT: Final = 2

Editor = User | None


class TopicRefusedError(Exception):
    """A change that cannot be; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def topic_rename(*, topic: Topic, name: str, editor: Editor, may_approve: bool = True) -> TopicEdit:
    """Give a topic a name of the desk's, or none: then the machine's words are shown again.

    What readers see was approved under its name: renamed by somebody who may not approve, it waits for that again.
    """
    with transaction.atomic():
        locked = _locked(topic)
        name = clean_line(name, limit=_LONGEST_NAME)
        if not name and locked.is_public:
            raise TopicRefusedError("public_needs_name")
        before: dict[str, Any] = {"name": locked.label_editor, "needs_check": locked.needs_check}
        # The next run notes what the name was given for.
        locked.label_editor, locked.needs_check, locked.named_for = name, False, []
        locked.save(update_fields=["label_editor", "needs_check", "named_for"])
        _take_from_readers(locked, before["name"], editor, may_approve=may_approve)
        return _noted(locked, TopicEdit.Kind.RENAME, editor, {"before": before, "after": name})


def _take_from_readers(topic: Topic, approved: str, editor: Editor, *, may_approve: bool) -> None:
    if topic.is_public and topic.label_editor != approved and not may_approve:
        topic_set(topic=topic, kind="public", value=False, editor=editor)


def topic_set(*, topic: Topic, kind: str, value: bool, editor: Editor, question: str = "") -> TopicEdit:
    """Pin, hide or approve a topic, or take that back. Approval needs a name of the desk's."""
    field = {"pin": "is_pinned", "hide": "is_hidden", "public": "is_public"}[kind]
    with transaction.atomic():
        locked = _locked(topic)
        if kind == "public" and value and not locked.label_editor:
            raise TopicRefusedError("public_needs_name")
        before: dict[str, Any] = {"value": getattr(locked, field), "question": locked.public_question}
        setattr(locked, field, value)
        fields = [field]
        if kind == "public":
            locked.approved_by = editor if value else None
            locked.public_question = clean_line(question, limit=200) if value else locked.public_question
            # The editor's word ends what the brake has held back.
            locked.held_until, locked.held_reason = None, ""
            fields += ["approved_by", "public_question", "held_until", "held_reason"]
        locked.save(update_fields=fields)
        return _noted(locked, TopicEdit.Kind(kind), editor, {"before": before, "after": value})


def topics_merge(*, into: Topic, others: Sequence[Topic], editor: Editor) -> TopicEdit:
    """Make several topics one. Their centres go on taking texts for it, so no run can take them apart again."""
    with transaction.atomic():
        locked = _all_locked([into.pk, *(other.pk for other in others)])
        target = locked.pop(into.pk)
        parts = list(locked.values())
        if not parts:
            raise TopicRefusedError("nothing_to_merge")
        if any(each.state == Topic.State.MERGED for each in (target, *parts)):
            raise TopicRefusedError("merged_already")
        # What was cut apart by hand and is brought together by hand is together.
        data = [{"id": part.pk, "state": part.state, "is_public": part.is_public} for part in parts]
        for part in parts:
            part.state, part.merged_into, part.is_public = Topic.State.MERGED, target, False
            part.save(update_fields=["state", "merged_into", "is_public"])
        ids = [part.pk for part in parts]
        TopicMember.objects.filter(topic__in=ids).update(topic=target)
        # Its words are those of all parts from the next run on.
        target.named_for = []
        target.save(update_fields=["named_for"])
        moved = gaps_follow(into=target, parts=parts, editor=editor)
        edit = _noted(target, TopicEdit.Kind.MERGE, editor, {"parts": data, "gaps": moved})
    _recount()
    return edit


def topic_split(*, topic: Topic, text_ids: Sequence[int], name: str, editor: Editor) -> TopicEdit:
    """Cut texts off into a topic of their own, which stays apart from then on."""
    with transaction.atomic():
        locked = _locked(topic)
        members = _with_their_like(locked, text_ids)
        if len(members) < _LEAST_TO_SPLIT or len(members) >= locked.members.count():
            raise TopicRefusedError("split_needs_some_not_all")
        if any(member.text.embedder != locked.embedder for member in members):
            raise TopicRefusedError("split_needs_vectors")
        fresh = _cut_off(locked, members, name)
        before = [{"text": member.text_id, "part": member.part_id, "is_locked": member.is_locked} for member in members]
        TopicMember.objects.filter(text__in=[member.text_id for member in members]).update(
            topic=fresh, part=fresh, how=TopicMember.How.EDITOR, is_locked=True
        )
        edit = _noted(locked, TopicEdit.Kind.SPLIT, editor, {"new": fresh.pk, "members": before})
    _recount()
    return edit


def edit_undo(*, edit: TopicEdit, editor: Editor, may_approve: bool = True) -> None:
    """Take a change back. One that later changes rest on is refused: those have to go first."""
    with transaction.atomic():
        involved = [edit.topic_id, *(part["id"] for part in edit.data.get("parts", ())), edit.data.get("new")]
        topic = _all_locked([pk for pk in involved if pk is not None])[edit.topic_id]
        locked = TopicEdit.objects.select_for_update().get(pk=edit.pk)
        if locked.undone_at is not None:
            raise TopicRefusedError("undone_already")
        later = TopicEdit.objects.filter(topic=locked.topic_id, undone_at=None, pk__gt=locked.pk, kind=locked.kind)
        if later.exists():
            raise TopicRefusedError("undo_later_first")
        name = topic.label_editor
        _UNDO[TopicEdit.Kind(locked.kind)](locked, topic)
        _take_from_readers(topic, name, editor, may_approve=may_approve)
        locked.undone_at = timezone.now()
        locked.save(update_fields=["undone_at"])
    if locked.kind in {TopicEdit.Kind.MERGE, TopicEdit.Kind.SPLIT}:
        _recount()


def _undo_rename(edit: TopicEdit, topic: Topic) -> None:
    name = edit.data["before"]["name"]
    if not name and topic.is_public:
        raise TopicRefusedError("public_needs_name")
    topic.label_editor, topic.needs_check = name, edit.data["before"]["needs_check"]
    topic.save(update_fields=["label_editor", "needs_check"])


def _undo_set(edit: TopicEdit, topic: Topic) -> None:
    field = {"pin": "is_pinned", "hide": "is_hidden", "public": "is_public"}[edit.kind]
    if field == "is_public" and edit.data["before"]["value"] and not topic.label_editor:
        raise TopicRefusedError("public_needs_name")
    setattr(topic, field, edit.data["before"]["value"])
    topic.public_question = edit.data["before"]["question"]
    topic.save(update_fields=[field, "public_question"])


def _undo_merge(edit: TopicEdit, topic: Topic) -> None:
    for part in edit.data["parts"]:
        Topic.objects.filter(pk=part["id"], merged_into=topic).update(
            state=part["state"], merged_into=None, is_public=part["is_public"]
        )
        TopicMember.objects.filter(part=part["id"]).update(topic=part["id"])
    gaps_return(moved=edit.data.get("gaps", ()), editor=edit.editor)


def _undo_split(edit: TopicEdit, topic: Topic) -> None:
    """Bring back what was cut off, with all that has come to it since."""
    cut_off = Topic.objects.select_for_update(no_key=True).filter(pk=edit.data["new"]).first()
    if cut_off is None:
        return
    if cut_off.state == Topic.State.MERGED:
        raise TopicRefusedError("undo_later_first")
    for row in edit.data["members"]:
        TopicMember.objects.filter(text=row["text"], topic=cut_off).update(part=row["part"], is_locked=row["is_locked"])
    TopicMember.objects.filter(topic=cut_off, part=cut_off).update(part=topic)
    TopicMember.objects.filter(topic=cut_off).update(topic=topic)
    gaps_follow(into=topic, parts=[cut_off], editor=edit.editor)
    cut_off.state, cut_off.is_split_by_hand, cut_off.is_pinned, cut_off.is_public = (
        Topic.State.RETIRED,
        False,
        False,
        False,
    )
    cut_off.save(update_fields=["state", "is_split_by_hand", "is_pinned", "is_public"])


_UNDO: Final = {
    TopicEdit.Kind.RENAME: _undo_rename,
    TopicEdit.Kind.PIN: _undo_set,
    TopicEdit.Kind.HIDE: _undo_set,
    TopicEdit.Kind.PUBLIC: _undo_set,
    TopicEdit.Kind.MERGE: _undo_merge,
    TopicEdit.Kind.SPLIT: _undo_split,
}


def _with_their_like(topic: Topic, text_ids: Sequence[int]) -> list[TopicMember]:
    """Return the members of these texts and of all that are about the same: those have one vector, and one topic."""
    members = TopicMember.objects.filter(topic=topic).select_related("text")
    gists = set(members.filter(text__in=text_ids).values_list("text__gist_key", flat=True)) - {""}
    return list(members.filter(Q(text__in=text_ids) | Q(text__gist_key__in=gists)))


def _cut_off(topic: Topic, members: Sequence[TopicMember], name: str) -> Topic:
    space = spaces.space_of(topic.embedder)
    if space is None:
        raise TopicRefusedError("split_needs_vectors")
    vectors = spaces.in_space(spaces.unpacked(bytes(member.text.vector) for member in members), space)
    name = clean_line(name, limit=_LONGEST_NAME)
    return Topic.objects.create(
        label_editor=name,
        label_auto=name or topic.label_auto,
        state=Topic.State.ACTIVE,
        split_from=topic,
        is_split_by_hand=True,
        centre=spaces.packed_centre(unit(np.asarray(vectors.mean(axis=0))[None])[0]),
        embedder=topic.embedder,
        floor=topic.floor,
        first_seen=topic.first_seen,
        last_seen=topic.last_seen,
    )


def _locked(topic: Topic) -> Topic:
    return _all_locked([topic.pk])[topic.pk]


def _all_locked(keys: Sequence[int]) -> dict[int, Topic]:
    """Return these topics as they are now, kept from others until the transaction ends.

    Always in the order of their numbers, as runs do: two editors who bring the same topics together take turns.
    Questions may be placed in them meanwhile.
    """
    held = Topic.objects.select_for_update(no_key=True)
    return {topic.pk: topic for topic in held.filter(pk__in=keys).order_by("pk")}


def _noted(topic: Topic, kind: str, editor: Editor, data: dict[str, Any]) -> TopicEdit:
    return TopicEdit.objects.create(topic=topic, kind=kind, editor=editor, data=data)


def _recount() -> None:
    """Counts of the kept days follow at once; older days stay with the topics that they were counted for."""
    days_count(days=days_kept())
    topics_refresh()
