"""Which chunks wait for an editor because their text gives orders to a machine. Pure; called by indexing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.documents.chunking.types import ChunkSpan
from apps.language.normalising import normalise
from apps.language.orders import find_orders

# As a chunk stores it: start, end (characters of the chunk's text), kinds, key.
StoredSuspicion = tuple[int, int, list[str], str]


@dataclass(frozen=True, slots=True)
class Decisions:
    """The keys of passages that editors of this document have decided on."""

    approved: frozenset[str] = frozenset()
    kept_out: frozenset[str] = frozenset()


def suspicions(text: str, spans: Sequence[ChunkSpan], language: str) -> list[list[StoredSuspicion]]:
    """Return what is suspicious in each chunk, empty lists for most.

    The whole text is read at once, so that an order cut in two by chunking is found in both parts. An order in a title,
    heading or table header, which travels with the chunk, stands at 0 to 0.
    """
    orders = [(order, _key(text[order.start : order.end])) for order in find_orders(text, language)]
    in_context: dict[str, list[StoredSuspicion]] = {}
    found: list[list[StoredSuspicion]] = []
    for span in spans:
        own: list[StoredSuspicion] = [
            (max(0, order.start - span.start), min(order.end, span.end) - span.start, list(order.kinds), key)
            for order, key in orders
            if order.start < span.end and span.start < order.end
        ]
        if span.context not in in_context:
            in_context[span.context] = [
                (0, 0, list(order.kinds), _key(span.context[order.start : order.end]))
                for order in find_orders(span.context, language)
            ]
        found.append(own + in_context[span.context])
    return found


def review_of(found: Iterable[StoredSuspicion], decided: Decisions) -> str:
    """Return the state of a chunk (a value of Chunk.Review): what was decided on the same words counts again."""
    keys = {key for _start, _end, _kinds, key in found}
    if not keys:
        return "free"
    if keys & decided.kept_out:
        return "kept_out"
    return "approved" if keys <= decided.approved else "waiting"


def _key(passage: str) -> str:
    """The same words are the same passage, wherever they stand and however they are wrapped."""
    return hashlib.sha256(normalise(passage).encode()).hexdigest()
