"""Checks every citation of extractive answers against the stored text, independently of the pipeline's own gate."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from django.utils import timezone

from apps.answering.services import answer_stream
from apps.answering.suites.corpora import PATIENT, AskedParagraph, index_xquad, own_files
from apps.core.suites import Figure, SuiteContext, SuiteResult, suite
from apps.documents.embedding import vectors_cached
from apps.documents.models import DocumentVersion
from apps.rag.events import Done, Event, Failed, Retrieved, Sentence
from apps.rag.types import AnswerContext, Citation, Outcome, Question

_FIRST = 3


@suite("citations:extractive", needs_database=True)
def citations_extractive(context: SuiteContext) -> SuiteResult:
    """XQuAD's German questions over all its paragraphs: is every sentence word for word where it says?"""
    with own_files(), vectors_cached():
        asked = index_xquad(context)
        asked = asked[: int(context.options.get("questions", len(asked)))]
        answers = asyncio.run(_answers(asked, context))
        counts = sum((_judged(events, entry) for events, entry in zip(answers, asked, strict=True)), Counter())
    return SuiteResult(n=len(asked), figures=_figures(counts, len(asked)))


def _figures(counts: Counter[str], asked: int) -> dict[str, Figure]:
    sentences, answered = max(1, counts["sentences"]), max(1, counts["answered"])
    return {
        "cited": counts["cited"] / sentences,
        "verbatim": counts["verbatim"] / sentences,
        "known": counts["known"] / sentences,
        "right_source": counts["right_source"] / answered,
        "contains_gold": counts["contains_gold"] / answered,
        "refused": counts["refused"] / asked,
        "failed": counts["failed"],
        "sentences": counts["sentences"],
    }


async def _answers(asked: Sequence[AskedParagraph], context: SuiteContext) -> list[list[Event]]:
    answers: list[list[Event]] = []
    for place, entry in enumerate(asked, 1):
        stream = answer_stream(
            question=Question(entry.question),
            history=(),
            context=AnswerContext(now=timezone.localtime()),
            settings=PATIENT,
        )
        answers.append([event async for event in stream])
        if place % 200 == 0:
            context.say(f"{place} of {len(asked)} questions")
    return answers


def _judged(events: Sequence[Event], entry: AskedParagraph) -> Counter[str]:
    """Count what one answer got right."""
    last = events[-1]
    if isinstance(last, Failed):
        return Counter(failed=1)
    if not isinstance(last, Done) or last.outcome is not Outcome.ANSWERED:
        return Counter(refused=1)
    sentences = [event for event in events if isinstance(event, Sentence)]
    passages = {p.chunk_id for event in events if isinstance(event, Retrieved) for p in event.passages}
    uuids = {citation.source.uuid for sentence in sentences for citation in sentence.citations}
    return Counter(
        answered=1,
        sentences=len(sentences),
        cited=sum(bool(sentence.citations) for sentence in sentences),
        verbatim=sum(all(stands_there(sentence, each) for each in sentence.citations) for sentence in sentences),
        known=sum(all(each.chunk_id in passages for each in sentence.citations) for sentence in sentences),
        right_source=int(entry.document_uuid in uuids),
        contains_gold=int(any(entry.answer in sentence.text for sentence in sentences[:_FIRST])),
    )


def stands_there(sentence: Sentence, citation: Citation) -> bool:
    """Say whether a quoting sentence is word for word what the stored version holds at the citation's place."""
    text = _version_text(citation.source.uuid, citation.source.version)
    return sentence.text == citation.quote == text[citation.start : citation.end]


@lru_cache(maxsize=512)
def _version_text(uuid: str, number: int) -> str:
    """What is stored, read anew: not what the passage says."""
    return DocumentVersion.objects.get(document__uuid=uuid, number=number).text
