"""Two neighbouring sentences under their headings: the smallest piece of a source that can answer a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from apps.rag.reading import Evidence, ReadSentence
from apps.rag.types import Passage

# What stands in a heading is said of all below it, though not of each sentence.
_HEADING: Final = 0.9


@dataclass(frozen=True, slots=True)
class Window:
    """``share`` is the weighted share of the question that it holds, 0 to 1; ``bare`` without the headings.

    ``matches`` has the best match of each word of the question, headings included.
    """

    rank: int
    sentences: tuple[ReadSentence, ...]
    matches: tuple[float, ...]
    share: float
    bare: float

    @property
    def text(self) -> str:
        return "\n".join(sentence.text for sentence in self.sentences)


def around(passage: Passage) -> str:
    """Return what stands over a passage: title, headings, who wrote and published it."""
    source = passage.source
    return "\n".join((source.title, *passage.heading_path, passage.context, source.author, source.publisher))


def windows_of(evidence: Evidence, *, is_about_parties: bool) -> list[Window]:
    """Return the windows of all passages, in reading order.

    ``is_about_parties`` leaves out what an article says of parties that nobody asked about.
    """
    return [
        window
        for rank, passage in enumerate(evidence.passages)
        for window in _of_passage(rank, passage, evidence, is_about_parties=is_about_parties)
    ]


def _of_passage(rank: int, passage: Passage, evidence: Evidence, *, is_about_parties: bool) -> Iterator[Window]:
    coverage = evidence.coverage
    leaves_out = is_about_parties and not passage.source.party_slug
    sentences = [each for each in evidence.of(rank) if each.is_quotable or not leaves_out]
    if not sentences:
        return
    above = tuple(_HEADING * value for value in coverage.matches(around(passage), passage.source.language))
    pairs: list[tuple[ReadSentence, ...]] = list(pairwise(sentences)) or [(sentences[0],)]
    for pair in pairs:
        bare = [each.matches for each in pair]
        matches = tuple(max(column) for column in zip(*bare, above, strict=True))
        yield Window(rank, pair, matches, coverage.share(*bare, above), coverage.share(*bare))
