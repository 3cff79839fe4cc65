"""Writes what a run proposes: topics, members, lineage. One transaction, the same rows if it runs twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

import numpy as np
from django.db import transaction
from django.db.models import Max, Min
from numpy.typing import NDArray

from apps.topics import spaces
from apps.topics.modelling.identity import Kind
from apps.topics.modelling.labels import Label
from apps.topics.modelling.types import Labels
from apps.topics.models import Asked, QueryText, Topic, TopicLineage, TopicMember, TopicRun
from apps.topics.services.corpus import LogCorpus, Standing, edits_mark, sketch, sketch_overlap
from apps.topics.services.proposing import Proposal

_SAME_MEMBERS: Final = 0.7


def proposal_store(
    *, run: TopicRun, embedder: str, log: LogCorpus, standing: Standing, proposal: Proposal, labels: Sequence[Label]
) -> list[Topic]:
    """Store a proposal and return its topics in the order of their numbers.

    Raises EditedMeanwhileError, and stores nothing, where an editor has changed topics since ``standing`` was read:
    what is proposed would undo it. Texts that were erased since are left out.
    """
    with transaction.atomic():
        standing, log = _held(standing), log.only(_texts_held(log))
        whole = whole_labels(standing, proposal)
        topics = [
            _topic(number, embedder, log, standing, proposal, labels[number], np.flatnonzero(whole == number))
            for number in range(len(proposal.centres))
        ]
        _members_store(log, standing, proposal, topics)
        _lineage_store(run, standing, proposal, topics)
        _dissolved_end(standing, proposal)
        _seen_store(topics)
    return topics


class EditedMeanwhileError(Exception):
    """An editor has changed topics while a run was thinking."""


def _held(standing: Standing) -> Standing:
    """Keep editors out until the transaction ends, and return the topics as they are now.

    Not against the placing of questions, which only refers to topics: each would wait for the other.
    """
    topics = {str(topic.uuid): topic for topic in Topic.objects.select_for_update(no_key=True).order_by("pk")}
    if edits_mark() != standing.edited:
        raise EditedMeanwhileError
    return replace(standing, topics={uid: topics[uid] for uid in standing.topics if uid in topics})


def _texts_held(log: LogCorpus) -> set[int]:
    """Return the texts that are still there, and keep them until the transaction ends: readers erase at any time."""
    texts = QueryText.objects.select_for_update(no_key=True).filter(pk__in=log.all_ids).order_by("pk")
    return set(texts.values_list("pk", flat=True))


def whole_labels(standing: Standing, proposal: Proposal) -> Labels:
    """Return the labels with the rows of merged topics at the topic that they are part of: what it is called for."""
    numbers = {uid: number for number, uid in enumerate(proposal.uids) if uid}
    by_key = {topic.pk: uid for uid, topic in standing.topics.items()}
    goes_to = np.arange(len(proposal.uids))
    for uid, number in numbers.items():
        root = by_key.get(standing.roots.get(standing.topics[uid].pk, 0), uid)
        goes_to[number] = numbers.get(root, number)
    labels = proposal.labels.copy()
    placed = labels >= 0
    labels[placed] = goes_to[labels[placed]]
    return labels


def _topic(
    number: int,
    embedder: str,
    log: LogCorpus,
    standing: Standing,
    proposal: Proposal,
    label: Label,
    rows: NDArray[np.int64],
) -> Topic:
    topic = standing.topics.get(proposal.uids[number]) or Topic()
    topic.centre = spaces.packed_centre(proposal.centres[number])
    topic.floor, topic.embedder = float(proposal.floors[number]), embedder
    if len(rows):
        topic.runs_seen += 1
        _name(topic, label, [log.corpus.keys[row] for row in rows], log, rows)
    if topic.state in {Topic.State.RETIRED, Topic.State.DORMANT} and len(rows):
        topic.state = Topic.State.ACTIVE
    topic.save()
    return topic


def _name(topic: Topic, label: Label, keys: list[str], log: LogCorpus, rows: np.ndarray) -> None:
    """Give the machine's name anew only where the members are others than those it was given for."""
    central = log.ids[label.central] if label.central >= 0 else ()
    topic.central_id = central[0] if central else None
    fresh = sketch(keys)
    if topic.label_auto and sketch_overlap(topic.named_for, fresh) >= _SAME_MEMBERS:
        return
    # The desk's name stays; that it may not fit any more is said beside it.
    topic.needs_check = label.needs_check or bool(topic.label_editor and topic.named_for)
    topic.label_auto, topic.keywords, topic.named_for = label.text[:80], list(label.keywords), fresh
    # A model's name was for the members of before: where one is set, it is asked for another.
    topic.label_source = ""


def _members_store(log: LogCorpus, standing: Standing, proposal: Proposal, topics: Sequence[Topic]) -> None:
    """Replace the members of all texts of the corpus; what an editor has locked stays with its topic."""
    before = {
        text: (part, how, is_locked)
        for text, part, how, is_locked in TopicMember.objects.filter(text__in=log.all_ids).values_list(
            "text", "part", "how", "is_locked"
        )
    }
    own = {topic.pk for topic in topics}
    rows = []
    placed = [(row, pk) for row in np.flatnonzero(proposal.labels >= 0) for pk in log.ids[row]]
    for row, pk in placed:
        topic = topics[proposal.labels[row]]
        root = standing.roots.get(topic.pk, topic.pk)
        old_part, how, is_locked = before.get(pk, (None, TopicMember.How.RUN, False))
        # A text that stays within a merged topic keeps the part that it came with: a merger can be undone.
        stays = old_part is not None and old_part not in own and standing.roots.get(old_part) == root
        rows.append(
            TopicMember(
                text_id=pk,
                topic_id=root,
                part_id=old_part if stays and old_part else topic.pk,
                similarity=float(proposal.similarities[row]),
                how=how if is_locked else TopicMember.How.RUN,
                is_locked=is_locked,
            )
        )
    TopicMember.objects.filter(text__in=log.all_ids).delete()
    TopicMember.objects.bulk_create(rows, batch_size=5_000)


def _lineage_store(run: TopicRun, standing: Standing, proposal: Proposal, topics: Sequence[Topic]) -> None:
    run.lineage.all().delete()
    rows = []
    for step in proposal.steps:
        new = topics[step.new] if step.new >= 0 else None
        old = standing.topics.get(step.old)
        if step.kind == Kind.SPLIT and new is not None and old is not None:
            Topic.objects.filter(pk=new.pk).update(split_from=old)
        rows.append(TopicLineage(run=run, kind=step.kind.value, old=old, new=new, overlap=step.overlap))
    TopicLineage.objects.bulk_create(rows, batch_size=2_000)


def _dissolved_end(standing: Standing, proposal: Proposal) -> None:
    """Retire what a full run has dissolved or seen go into another; its days and its lineage stay."""
    went_on = {uid for uid in proposal.uids if uid}
    ended = [
        standing.topics[step.old].pk
        for step in proposal.steps
        if step.kind in {Kind.DEATH, Kind.MERGE} and step.old not in went_on and step.old in standing.topics
    ]
    Topic.objects.filter(pk__in=ended).exclude(state=Topic.State.MERGED).update(state=Topic.State.RETIRED)


def _seen_store(topics: Sequence[Topic]) -> None:
    """Note when each topic was first and last asked."""
    ids = [topic.pk for topic in topics]
    spans = (
        Asked.objects.filter(text__member__topic__in=ids)
        .values("text__member__topic")
        .annotate(first=Min("day"), last=Max("day"))
        .order_by()
        .values_list("text__member__topic", "first", "last")
    )
    by_id: dict[int, tuple[date, date]] = {topic: (first, last) for topic, first, last in spans}
    changed = []
    for topic in topics:
        if topic.pk in by_id:
            first, last = by_id[topic.pk]
            topic.first_seen = min(topic.first_seen or first, first)
            topic.last_seen = max(topic.last_seen or last, last)
            changed.append(topic)
    Topic.objects.bulk_update(changed, ["first_seen", "last_seen"], batch_size=1_000)
