"""Every combination of the question builder, asked of the sources: buttons without an answer are switched off."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from datetime import UTC, datetime
from itertools import product
from typing import Final

from django.utils import timezone

from apps.answering.services import answer_stream
from apps.chat.builder import composed
from apps.chat.composing import Choice, Composed, FacetKind
from apps.chat.models import BuilderPair, Facet
from apps.core.ports import BuilderQuestion
from apps.rag.events import Done
from apps.rag.types import AnswerContext, Outcome, Question

# So many pairs are asked at one go; what is left waits for the next night.
MOST_PAIRS: Final = 400


def builder_pairs_check(*, language: str = "de") -> tuple[int, int]:
    """Ask each topic with each party and role and keep whether the sources answer; return how many, and how many do.

    Those asked longest ago come first. What the sources hold changes, so does the answer: a night later it is asked
    again.
    """
    known = {(pair.topic_id, pair.other_id): pair.checked_at for pair in BuilderPair.objects.all()}
    pairs = [pair for pair in _pairs() if composed(_choices(*pair, language), language).question]
    never = datetime.min.replace(tzinfo=UTC)
    pairs.sort(key=lambda pair: known.get((pair[0].pk, pair[1].pk), never))
    sourced = 0
    for topic, other in pairs[:MOST_PAIRS]:
        becomes = composed(_choices(topic, other, language), language)
        is_sourced = asyncio.run(_is_answered(becomes, language, (topic.slug, other.slug)))
        BuilderPair.objects.update_or_create(topic=topic, other=other, defaults={"is_sourced": is_sourced})
        sourced += is_sourced
    return len(pairs[:MOST_PAIRS]), sourced


def _pairs() -> Iterator[tuple[Facet, Facet]]:
    facets = list(Facet.objects.shown(timezone.localdate()))
    topics = [facet for facet in facets if facet.kind == Facet.Kind.TOPIC]
    yield from product(topics, [facet for facet in facets if facet.kind != Facet.Kind.TOPIC])


def _choices(topic: Facet, other: Facet, language: str) -> tuple[Choice, ...]:
    return tuple(Choice(each.slug, FacetKind(each.kind), each.shown_phrase(language)) for each in (topic, other))


async def _is_answered(becomes: Composed, language: str, slugs: tuple[str, ...]) -> bool:
    """Ask as a reader would, and keep nothing but how it ended."""
    context = AnswerContext(timezone.localtime(), locale=language, builder_choices=slugs, sub_queries=becomes.queries)
    stream = answer_stream(question=Question(becomes.question, language), history=(), context=context)
    async with aclosing(stream) as events:
        ends = [event async for event in events if isinstance(event, Done)]
    return bool(ends) and ends[-1].outcome is Outcome.ANSWERED


def builder_questions() -> list[BuilderQuestion]:
    """Return what every single and paired combination asks. Fills the port of the evaluation."""
    found = []
    for language in ("de", "en"):
        singles = [(facet,) for facet in Facet.objects.shown(timezone.localdate()) if facet.kind != Facet.Kind.ROLE]
        for facets in [*singles, *_pairs()]:
            choices = tuple(Choice(f.slug, FacetKind(f.kind), f.shown_phrase(language)) for f in facets)
            becomes = composed(choices, language)
            if becomes.question:
                slugs = tuple(choice.slug for choice in choices)
                key = f"{language}:{'+'.join(slugs)}"
                found.append(BuilderQuestion(key, becomes.question, language, slugs, becomes.queries))
    return found
