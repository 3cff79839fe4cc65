"""What an answer has to say about its own sources: that they differ, are outdated, of another time, or opinion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from apps.rag.conflicts import conflict_notice
from apps.rag.events import Notice, Sentence
from apps.rag.judging import Reading
from apps.rag.opinions import asks_for_view, is_opinion
from apps.rag.timely import is_outdated
from apps.rag.types import NoticeKind, Source
from apps.rag.understanding import Understanding

OUTDATED_SOURCE: Final = "outdated_source"
OTHER_TIME: Final = "other_time"
ONLY_OPINION: Final = "only_opinion"


def source_notices(
    understood: Understanding, readings: Sequence[Reading], passed: Sequence[Sentence]
) -> Iterator[Notice]:
    """Yield what must be said of the sources of one part's answer; ``passed`` are the sentences that were shown."""
    cited = {citation.chunk_id: citation.source for sentence in passed for citation in sentence.citations}
    own = {passage.chunk_id for reading in readings for passage in reading.evidence.passages} & cited.keys()
    sources = {cited[chunk_id].uuid: cited[chunk_id] for chunk_id in own}
    if not sources:
        return
    conflicts = [each.conflict for each in readings if each.conflict and each.verdict.suffices]
    named = {side.passage.source.uuid for each in conflicts for side in (each.newer, each.older)}
    if conflicts and named & sources.keys():
        yield conflict_notice(conflicts)
    outdated = [each.title for each in sources.values() if _is_passed_by(each, understood, {*named, *sources})]
    if outdated:
        yield Notice(NoticeKind.CAVEAT, OUTDATED_SOURCE, subjects=tuple(outdated))
    if not any(understood.wanted.is_of_period(source.published) for source in sources.values()):
        yield Notice(NoticeKind.CAVEAT, OTHER_TIME)
    if all(is_opinion(source) and not asks_for_view(understood, source) for source in sources.values()):
        yield Notice(NoticeKind.CAVEAT, ONLY_OPINION)


def _is_passed_by(source: Source, understood: Understanding, shown: set[str]) -> bool:
    """Say whether a newer document has taken its place, and the reader sees none of the newer ones."""
    return is_outdated(source, understood.today) and not shown & set(source.superseded_by)
