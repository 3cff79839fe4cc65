"""Opinion is no evidence for facts: it gives way where a fact was asked for, unless nothing else speaks of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from apps.rag.reading import Evidence
from apps.rag.types import Source
from apps.rag.understanding import Understanding

OPINION: Final = "opinion"
# How much better a commentary must fit before it may stand for want of a report.
_MUCH_BETTER: Final = 0.1


def is_opinion(source: Source) -> bool:
    """Say whether a document is somebody's opinion."""
    return source.kind == OPINION


def asks_for_view(understood: Understanding, source: Source) -> bool:
    """Say whether somebody's opinion is asked for, or what the author of this one thinks."""
    surname = source.author.rpartition(" ")[2].casefold()
    return understood.wants_opinion or (bool(surname) and surname in understood.topic.casefold())


def views_only(evidence: Evidence, understood: Understanding) -> Evidence:
    """Return the evidence with everything but opinion made unquotable, where a commentary is asked about."""
    views = [each for each in evidence.sentences if each.is_quotable and is_opinion(each.passage.source)]
    if not understood.wants_commentary or not views:
        return evidence
    return replace(
        evidence,
        sentences=tuple(
            each if is_opinion(each.passage.source) else replace(each, is_quotable=False) for each in evidence.sentences
        ),
    )


def facts_first(evidence: Evidence, understood: Understanding) -> Evidence:
    """Return the evidence with opinion made unquotable beside reports that answer about as well."""
    if any(asks_for_view(understood, each.source) for each in evidence.passages if is_opinion(each.source)):
        return evidence
    facts = [each.score for each in evidence.sentences if each.is_quotable and not is_opinion(each.passage.source)]
    views = [each.score for each in evidence.sentences if each.is_quotable and is_opinion(each.passage.source)]
    if not facts or not views or max(facts) < max(views) - _MUCH_BETTER:
        return evidence
    return replace(
        evidence,
        sentences=tuple(
            replace(each, is_quotable=False) if is_opinion(each.passage.source) else each for each in evidence.sentences
        ),
    )
