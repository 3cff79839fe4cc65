"""The log as a run sees it: unique texts with vectors and sessions, and the topics that there are."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np
from django.db.models import Count, Max

from apps.topics import spaces
from apps.topics.modelling.identity import Known
from apps.topics.modelling.types import Corpus, Matrix
from apps.topics.models import Asked, QueryText, Topic, TopicEdit, TopicMember
from apps.topics.querysets import LIVING
from apps.topics.services.placing import root_ids

SKETCH: Final = 64


@dataclass(frozen=True, slots=True)
class LogCorpus:
    """The corpus by what texts are about, and the texts of the database behind each of its rows."""

    corpus: Corpus
    ids: tuple[tuple[int, ...], ...]

    @property
    def digest(self) -> str:
        """Return a hash of all keys: the same log, the same topics."""
        return hashlib.sha256("\n".join(self.corpus.keys).encode()).hexdigest()

    @property
    def all_ids(self) -> list[int]:
        """Return the ids of all texts."""
        return [pk for ids in self.ids for pk in ids]

    def only(self, kept: Collection[int]) -> LogCorpus:
        """Return it with these texts alone behind its rows: the others were erased meanwhile."""
        return replace(self, ids=tuple(tuple(pk for pk in ids if pk in kept) for ids in self.ids))


@dataclass(frozen=True, slots=True)
class Gist:
    """Texts that are about the same: their ids, and the shortest wording of them."""

    key: str
    text: str
    ids: tuple[int, ...]


def raw_vectors(embedder: str) -> tuple[list[Gist], Matrix]:
    """Return what the embedded questions are about, in the order of the keys, and the vectors."""
    grouped: dict[str, list[tuple[int, str]]] = {}
    packed: dict[str, bytes] = {}
    found = QueryText.objects.embedded(embedder).values_list("pk", "gist_key", "text", "vector")
    for pk, key, text, vector in found.iterator(chunk_size=5_000):
        grouped.setdefault(key, []).append((pk, text))
        packed.setdefault(key, bytes(vector))
    keys = sorted(grouped)
    gists = [
        Gist(
            key,
            min((text for _, text in grouped[key]), key=lambda text: (len(text), text)),
            tuple(pk for pk, _ in sorted(grouped[key], key=lambda row: (len(row[1]), row[1]))),
        )
        for key in keys
    ]
    return gists, spaces.unpacked(packed[key] for key in keys)


def corpus_of(gists: Sequence[Gist], centred: Matrix) -> LogCorpus:
    """Return the corpus, weighted by the sessions that asked."""
    counted = Asked.objects.values("text").annotate(sessions=Count("session", distinct=True)).order_by()
    sessions = dict(counted.values_list("text", "sessions"))
    weights = np.array([float(sum(sessions.get(pk, 0) for pk in gist.ids) or 1) for gist in gists])
    corpus = Corpus(tuple(gist.key for gist in gists), tuple(gist.text for gist in gists), centred, weights)
    return LogCorpus(corpus, tuple(gist.ids for gist in gists))


@dataclass(frozen=True, slots=True)
class Standing:
    """The topics before a run: each with its centre, and by the topic that it has been merged into.

    ``edited`` says which of the editors' changes it holds: see ``edits_mark``.
    """

    topics: Mapping[str, Topic]
    roots: Mapping[int, int]
    parts: tuple[Known, ...]
    whole: tuple[Known, ...]
    edited: EditsMark


EditsMark = tuple[int | None, datetime | None]


def edits_mark() -> EditsMark:
    """Return the newest change of an editor and the last time one was undone: equal marks, equal work of theirs."""
    found = TopicEdit.objects.aggregate(newest=Max("pk"), undone=Max("undone_at"))
    return found["newest"], found["undone"]


def standing(embedder: str, log: LogCorpus, kept_ids: set[int]) -> Standing:
    """Return what there is. ``kept_ids`` are topics that must not be merged away beside those that say so."""
    # First: a change that comes in between is then seen as one that this does not hold.
    edited = edits_mark()
    topics = list(Topic.objects.placeable().filter(embedder=embedder).order_by("pk"))
    roots = root_ids(topics)
    by_id = {topic.pk: topic for topic in topics}
    keys = {pk: key for ids, key in zip(log.ids, log.corpus.keys, strict=True) for pk in ids}
    of_part: dict[int, set[str]] = {}
    of_root: dict[int, set[str]] = {}
    locked: dict[int, set[str]] = {}
    members = TopicMember.objects.filter(part__in=by_id).values_list("text", "part", "is_locked")
    for text, part, is_locked in members.iterator(chunk_size=10_000):
        key = keys.get(text)
        if key is None:
            continue
        of_part.setdefault(part, set()).add(key)
        of_root.setdefault(roots[part], set()).add(key)
        if is_locked:
            locked.setdefault(part, set()).add(key)
    parts = tuple(
        _known(topic, of_part.get(topic.pk, set()), locked.get(topic.pk, set()), kept_ids) for topic in topics
    )
    whole = tuple(
        _known(
            topic,
            of_root.get(topic.pk, set()),
            set().union(*(found for part, found in locked.items() if roots[part] == topic.pk)),
            kept_ids | {roots[part.pk] for part in topics if roots[part.pk] != part.pk},
        )
        for topic in topics
        if topic.state in LIVING
    )
    return Standing({str(topic.uuid): topic for topic in topics}, roots, parts, whole, edited)


def _known(topic: Topic, members: set[str], locked: set[str], kept: set[int]) -> Known:
    return Known(
        uid=str(topic.uuid),
        members=frozenset(members),
        centre=np.frombuffer(topic.centre, dtype=np.float32),
        floor=topic.floor,
        is_kept=topic.is_kept or topic.pk in kept,
        locked=frozenset(locked),
    )


def sketch(keys: Sequence[str]) -> list[str]:
    """Return the 64 smallest keys: two such sketches tell how much two sets have in common (Broder 1997)."""
    return sorted(keys)[:SKETCH]


def sketch_overlap(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the estimated Jaccard overlap of the two sets behind their sketches."""
    if not one or not other:
        return 0.0
    union = sorted(set(one) | set(other))[:SKETCH]
    both = set(one) & set(other)
    return sum(key in both for key in union) / len(union)
