"""What a model may write from: the passages that suffice, without sources that gave way to others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.rag.judging import Reading, passages_of
from apps.rag.quoting import is_quotable
from apps.rag.reading import Evidence
from apps.rag.types import Passage


def for_a_writer(readings: Sequence[Reading], brought: Sequence[Passage] = ()) -> tuple[Passage, ...]:
    """Return the passages of readings that suffice, each once; all of them where nothing else would be left.

    A document gives way when it could be quoted by its form and not by what was asked: it is outdated, of another
    time, opinion beside reports, or speaks of others. What editors have linked stays.
    """
    passages = passages_of(readings, brought)
    out = {uuid for reading in readings for uuid in _gave_way(reading.evidence)}
    out -= {passage.source.uuid for passage in brought}
    return tuple(passage for passage in passages if passage.source.uuid not in out) or passages


def _gave_way(evidence: Evidence) -> Iterator[str]:
    quoted = {each.passage.source.uuid for each in evidence.sentences if each.is_quotable}
    for each in evidence.sentences:
        passage = each.passage
        if passage.source.uuid not in quoted and is_quotable(passage, each.start, each.end, is_item=False):
            yield passage.source.uuid
