"""Passages and streams for the tests of the pipeline, in as few words as possible."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count

import numpy as np

from apps.language.sentences import split_sentences
from apps.rag.events import Event, Sentence
from apps.rag.pipeline import AnswerPipeline
from apps.rag.scripted import ScriptedRetriever
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext, HistoryTurn, Passage, PassageScores, PassageSentence, Question, Source
from apps.rag.understanding import PartyDirectory, PartyName

NOW = datetime(2025, 2, 1, 12, tzinfo=UTC)
CONTEXT = AnswerContext(now=NOW)
_ids = count(1)

MORGEN = PartyName("morgen", "Morgenpartei")
BUND = PartyName("bund", "Talbund")
FLUT = PartyName("flut", "Flutliste")
DIRECTORY = PartyDirectory(
    [MORGEN, BUND, FLUT],
    {"morgen": ["Morgenpartei"], "bund": ["Talbund"], "flut": ["Flutliste"]},
)
SETTINGS = PipelineSettings(embedder="fake/hash")


def source(
    party: PartyName | None = None,
    *,
    uuid: str = "",
    kind: str = "",
    language: str = "de",
    author: str = "",
    publisher: str = "",
) -> Source:
    """A document: a programme where a party is given, else a news article."""
    return Source(
        uuid=uuid or f"document-{next(_ids)}",
        version=1,
        title=f"Programm {party.name}" if party else "Ein Artikel",
        kind=kind or ("programme" if party else "news"),
        language=language,
        author=author,
        publisher=publisher,
        party_slug=party.slug if party else "",
        party_name=party.name if party else "",
    )


def passage(
    text: str,
    document: Source | None = None,
    *,
    start: int = 0,
    fused: float = 0.9,
    context: str = "",
    headings: tuple[str, ...] = (),
    closeness: Sequence[float] | None = None,
    pages: tuple[int, int] | None = None,
) -> Passage:
    """A chunk whose sentences lie ``closeness`` away from the question (cosines, one per sentence)."""
    spans = split_sentences(text, "de")
    cosines = closeness if closeness is not None else [0.8] * len(spans)
    return Passage(
        chunk_id=next(_ids),
        source=document or source(),
        text=text,
        start=start,
        end=start + len(text),
        context=context,
        heading_path=headings,
        page_from=pages[0] if pages else None,
        page_to=pages[1] if pages else None,
        scores=PassageScores(cosine=fused, fused=fused),
        sentences=tuple(PassageSentence(span.start, span.end) for span in spans),
        vectors=np.array([(cosine, 0.0) for _, cosine in zip(spans, cosines, strict=True)], dtype=np.float32),
    )


def pipeline(passages: Sequence[Passage], settings: PipelineSettings = SETTINGS) -> AnswerPipeline:
    """The real pipeline over given passages."""
    return AnswerPipeline(ScriptedRetriever(passages), DIRECTORY, settings)


async def events_of(
    answering: AnswerPipeline, text: str, *, language: str = "de", history: Sequence[HistoryTurn] = ()
) -> list[Event]:
    """All events of one turn."""
    return [event async for event in answering.stream(Question(text, language), history, CONTEXT)]


async def ask(passages: Sequence[Passage], text: str, *, language: str = "de") -> list[Event]:
    """All events of one question over given passages."""
    return await events_of(pipeline(passages), text, language=language)


def sentences(events: Sequence[Event]) -> list[Sentence]:
    """The sentences among events."""
    return [event for event in events if isinstance(event, Sentence)]
