"""What was found for a question, and for each of its sub-questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from apps.rag.desk import DeskLink, RuleUse
from apps.rag.protocols import Vectors
from apps.rag.types import Passage
from apps.rag.understanding import SubQuestion

# Why a passage is there that was evidence in an earlier turn.
EARLIER: Final = "earlier"


@dataclass(frozen=True, slots=True)
class Found:
    """What one sub-question found, best first. ``elsewhere`` is near, but not the party's own or about it.

    ``desk`` is what a rule has brought for it, in the editors' order. ``aside`` it has brought too: words of parties
    that nobody asked about, where those that were speak as well. ``was_searched`` is False where a rule alone answers.
    ``further`` are chunks that are read wherever they stand: a second search has brought them, or an aspect needs them.
    """

    sub: SubQuestion
    passages: tuple[Passage, ...]
    elsewhere: tuple[Passage, ...] = ()
    desk: tuple[Passage, ...] = ()
    aside: tuple[Passage, ...] = ()
    was_searched: bool = True
    further: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Everything fetched for a question. ``vector`` is the question's; ``use`` is None without a rule.

    ``brought`` are all passages of a rule in the editors' order, whichever sub-question they serve. ``aspect_vectors``
    has one for each aspect of a question that has several.
    """

    found: tuple[Found, ...]
    vector: Vectors | None
    links: tuple[DeskLink, ...] = ()
    use: RuleUse | None = None
    brought: tuple[Passage, ...] = ()
    aspect_vectors: tuple[Vectors | None, ...] = ()


class SearchFailedError(Exception):
    """The search broke or took too long."""


def without_repeats(passages: Iterable[Passage], before: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return the passages that are not among those ``before``, neither as a chunk nor as the same text."""
    known = list(before)
    chunks, texts = {passage.chunk_id for passage in known}, {passage.text for passage in known}
    return tuple(each for each in passages if each.chunk_id not in chunks and each.text not in texts)
