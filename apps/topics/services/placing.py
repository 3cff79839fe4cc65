"""Gives each new question its vector and its topic, within a minute. Called by the worker; no heavy library."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import date
from typing import Final

import numpy as np
from django.db import transaction

from apps.documents.models import Party
from apps.language.parties import PartyRecogniser
from apps.topics import spaces
from apps.topics.embedding import topic_embedder
from apps.topics.modelling.gist import gist_of, names_of
from apps.topics.modelling.vectors import nearest
from apps.topics.models import QueryText, Topic, TopicMember, VectorSpace
from apps.topics.services.counting import days_count
from apps.topics.services.log_reading import feedback_read, log_read
from apps.topics.services.measuring import closeness_measure
from apps.topics.text_keys import text_key

logger = logging.getLogger(__name__)
# What one task embeds: at 15 to 30 ms each that is less than a minute.
_AT_ONCE: Final = 1_500
_BATCH: Final = 500


def questions_place() -> int:
    """Read the log on, embed and place what is new, and count the days again. Returns how many texts were placed."""
    days = log_read() | feedback_read()
    texts = texts_embed()
    placed = texts_place(texts=texts)
    days |= closeness_measure(embedder=topic_embedder().name)
    if texts:
        days |= set(_days_of(texts))
    if days:
        days_count(days=days)
    return placed


def party_recogniser() -> PartyRecogniser | None:
    """Return what finds parties by all their names; None where there are none."""
    aliases = {party.slug: [party.short_name, party.name, *party.aliases] for party in Party.objects.all()}
    return PartyRecogniser(aliases) if aliases else None


def party_names() -> list[str]:
    """Return all names of all parties."""
    return [name for party in Party.objects.all() for name in (party.short_name, party.name, *party.aliases)]


def texts_embed(*, most: int = _AT_ONCE) -> list[QueryText]:
    """Give vectors to texts that have none, and return them. One that cannot be read is left out from then on."""
    embedder = topic_embedder()
    waiting = list(QueryText.objects.without_vector()[:most])
    parties = party_recogniser() if waiting else None
    names = names_of(party_names()) if waiting else ()
    done: list[QueryText] = []
    for start in range(0, len(waiting), _BATCH):
        part = waiting[start : start + _BATCH]
        for text in part:
            try:
                gist = gist_of(text.text, parties, names)
                text.vector, text.embedder = spaces.packed(embedder.embed_question(gist)), embedder.name
                text.gist_key = text_key(gist)
                done.append(text)
            except ValueError:
                logger.warning("Text %d cannot be embedded and is left out of topics.", text.pk)
                text.kind = QueryText.Kind.NO_TEXT
        QueryText.objects.bulk_update(part, ["vector", "embedder", "gist_key", "kind"], batch_size=_BATCH)
    return done


def texts_place(*, texts: Sequence[QueryText]) -> int:
    """Put texts into the nearest topic that takes them; the others stay unplaced. Returns how many were placed."""
    if not texts:
        return 0
    with transaction.atomic():
        # Held: the middle and the centres belong together, and a full run beside this moves both.
        space = spaces.space_held(texts[0].embedder)
        topics = list(Topic.objects.placeable().filter(embedder=texts[0].embedder).order_by("pk"))
        if space is None or not topics:
            return 0
        rows = _members(texts, topics, space)
        TopicMember.objects.bulk_create(rows, ignore_conflicts=True, batch_size=2_000)
    return len(rows)


def _members(texts: Sequence[QueryText], topics: Sequence[Topic], space: VectorSpace) -> list[TopicMember]:
    roots = root_ids(topics)
    vectors = spaces.in_space(spaces.unpacked(text.vector for text in texts), space)
    labels, similarities = nearest(vectors, spaces.centres(topics))
    floors = np.array([topic.floor for topic in topics])
    is_in = similarities >= floors[labels]
    return [
        TopicMember(
            text=text,
            topic_id=roots[topics[label].pk],
            part=topics[label],
            similarity=float(similarity),
            how=TopicMember.How.ONLINE,
        )
        for text, label, similarity, placed in zip(texts, labels, similarities, is_in, strict=True)
        if placed
    ]


def root_ids(topics: Sequence[Topic]) -> dict[int, int]:
    """Return for each topic the one that it has been merged into in the end, itself without a merger."""
    into = dict(Topic.objects.filter(state=Topic.State.MERGED).values_list("pk", "merged_into_id"))
    roots = {}
    for topic in topics:
        root, seen = topic.pk, {topic.pk}
        while root in into and into[root] not in seen:
            root = into[root]
            seen.add(root)
        roots[topic.pk] = root
    return roots


def _days_of(texts: Sequence[QueryText]) -> set[date]:
    from apps.topics.models import Asked

    return set(Asked.objects.filter(text__in=[text.pk for text in texts]).values_list("day", flat=True).distinct())
