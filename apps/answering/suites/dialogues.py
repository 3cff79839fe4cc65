"""Sixty conversations on the demo, turn by turn through the pipeline: decision, additions, limits, sources.

``dialogues.json`` says of each turn which decision is right, which parties and words the stand-alone query may and must
name, which additions are forbidden, and in which documents the answer lies (a path of the demo or a title). What was
offered or listed with an answer is given there too, so that "die erste" means something. Conversations with an even
place were looked at while the rewriter was made; figures with ``held_out`` are of the others alone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from django.core.management import call_command
from django.utils import timezone

from apps.answering.parties import party_directory
from apps.answering.services import pipeline_over
from apps.answering.suites.corpora import own_files
from apps.core.suites import Figure, SuiteContext, SuiteResult, suite
from apps.documents.embedding import vectors_cached
from apps.documents.management.commands.demo_documents import FOLDER
from apps.documents.search.retriever import HybridRetriever, run_search
from apps.rag.events import Decided, Event, Notice, Retrieved
from apps.rag.protocols import Vectors
from apps.rag.rewriting.checking import additions
from apps.rag.rewriting.history import subject_left
from apps.rag.types import AnswerContext, Decision, HistoryTurn, Passage, Question, SearchFilters, SearchQuery
from apps.rag.understanding import PartyDirectory, asked_parties

_FILE: Final = Path(__file__).with_name("dialogues.json")
# The demo's shelf that readers never see.
_DESK_SHELF: Final = "redaktion"
_CHUNKS: Final = 8


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """What one turn got right. ``source_found`` is None where no source is expected; ``added`` names what was."""

    decision: bool
    resolved: bool
    added: tuple[str, ...]
    filters_unchanged: bool
    source_found: bool | None


class _RecordingRetriever:
    """Searches like the product and remembers within which limits."""

    def __init__(self) -> None:
        self.filters: list[SearchFilters] = []
        self._inner = HybridRetriever()

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        """Return what the product finds."""
        self.filters.append(query.filters)
        return await self._inner.retrieve(query)

    async def recall(self, query: SearchQuery, chunk_ids: Sequence[int]) -> Sequence[Passage]:
        """Return what the product fetches again."""
        self.filters.append(query.filters)
        return await self._inner.recall(query, chunk_ids)

    async def embed_question(self, text: str) -> Vectors:
        """Return the product's vector."""
        return await self._inner.embed_question(text)


def load_dialogues() -> list[dict[str, Any]]:
    """Return the conversations as the file has them."""
    dialogues: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return dialogues


@suite("rewrite:dialogues", needs_data=False, needs_database=True)
def rewrite_dialogues(context: SuiteContext) -> SuiteResult:
    """Sixty conversations on the demo: right decision, nothing added, filters unchanged, expected source found."""
    dialogues = load_dialogues()
    with own_files(), vectors_cached():
        call_command("demo_documents", verbosity=0)
        titles = _titles()
        verdicts = [asyncio.run(_conversation(dialogue, titles, context)) for dialogue in dialogues]
    everything = [verdict for verdicts_of_one in verdicts for verdict in verdicts_of_one]
    held_out = [verdict for verdicts_of_one in verdicts[1::2] for verdict in verdicts_of_one]
    figures = {**_figures(everything), **{f"held_out_{name}": each for name, each in _figures(held_out).items()}}
    return SuiteResult(n=len(everything), figures=figures)


def _figures(verdicts: Sequence[TurnVerdict]) -> dict[str, Figure]:
    expected = [verdict.source_found for verdict in verdicts if verdict.source_found is not None]
    return {
        "decision": _share([verdict.decision for verdict in verdicts]),
        "forbidden_additions": sum(bool(verdict.added) for verdict in verdicts),
        "filters_unchanged": _share([verdict.filters_unchanged for verdict in verdicts]),
        "source_found": _share(expected),
        "resolved": _share([verdict.resolved for verdict in verdicts]),
        "turns": len(verdicts),
        "turns_with_source": len(expected),
    }


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


async def _conversation(
    dialogue: Mapping[str, Any], titles: Mapping[str, str], context: SuiteContext
) -> list[TurnVerdict]:
    history: list[HistoryTurn] = []
    verdicts = []
    directory = await run_search(party_directory)
    for number, turn in enumerate(dialogue["turns"], 1):
        retriever = _RecordingRetriever()
        asked = AnswerContext(now=timezone.localtime(), locale=dialogue["language"])
        answering = await run_search(partial(pipeline_over, retriever))
        stream = answering.stream(Question(turn["question"], dialogue["language"]), history, asked)
        events = [event async for event in stream]
        unchanged = limits_kept(retriever.filters, events, asked, directory)
        verdict = judge_turn(
            turn, events, history, directory, titles, language=dialogue["language"], filters_unchanged=unchanged
        )
        if not (verdict.decision and verdict.resolved and verdict.source_found is not False) or verdict.added:
            context.say(f"{dialogue['id']}, turn {number}: {verdict}")
        verdicts.append(verdict)
        history.append(_history_turn(number, turn, events))
    return verdicts


def limits_kept(
    filters: Sequence[SearchFilters], events: Sequence[Event], asked: AnswerContext, directory: PartyDirectory
) -> bool:
    """Say whether every search stayed within the server's limits, and nothing of the desk's own shelf was found.

    A search for one of several parties that are asked about is narrower: it sees that party's words alone.
    """
    decided = [event for event in events if isinstance(event, Decided)]
    texts = [text for event in decided for text in (event.query, *event.sub_queries)]
    named = {party.slug for text in texts for party in asked_parties(text, directory)}
    passages = [passage for event in events if isinstance(event, Retrieved) for passage in event.passages]
    limits = SearchFilters(asked.now.date(), asked.includes_desk)
    return all(
        replace(each, party_slugs=()) == limits and named.issuperset(each.party_slugs) for each in filters
    ) and not any(passage.source.collection_slug == _DESK_SHELF for passage in passages)


def judge_turn(
    turn: Mapping[str, Any],
    events: Sequence[Event],
    history: Sequence[HistoryTurn],
    directory: PartyDirectory,
    titles: Mapping[str, str],
    *,
    language: str,
    filters_unchanged: bool,
) -> TurnVerdict:
    """Compare one turn with what is expected of it; ``titles`` are the demo's documents by path."""
    decided = next((event for event in events if isinstance(event, Decided)), Decided(Decision.CHAT, ""))
    # What is asked back is what may be searched next.
    asks_back = decided.decision is Decision.CLARIFY
    texts = decided.choices if asks_back else (decided.query, *decided.sub_queries)
    text = " ".join(texts).lower()
    said = [turn["question"], *(each for past in history for each in (past.question, past.query, *past.offers))]
    said += [each for past in history for each in past.items]
    added = [
        each for each in turn["forbidden"] if each.lower() in text and each.lower() not in turn["question"].lower()
    ]
    named = {party.name for each in texts for party in directory.named_in(each)}
    added += sorted(named - set(turn["allowed"]))
    added += [each for query in texts for each in additions(query, said, language) if each not in named]
    expected = {titles.get(each, each) for each in turn["sources"]}
    found = {passage.source.title for event in events if isinstance(event, Retrieved) for passage in event.passages}
    return TurnVerdict(
        decision=decided.decision.value == turn["decision"],
        resolved=all(each.lower() in text for each in turn["must"]),
        added=tuple(added),
        filters_unchanged=filters_unchanged,
        source_found=expected <= found if expected else None,
    )


def _history_turn(number: int, turn: Mapping[str, Any], events: Sequence[Event]) -> HistoryTurn:
    """What the next turn may lean on; offers and items as the dialogue gives them, else as they were shown."""
    decided = next(event for event in events if isinstance(event, Decided))
    choices = tuple(choice for event in events if isinstance(event, Notice) for choice in event.choices)
    passages = [passage for event in events if isinstance(event, Retrieved) for passage in event.passages]
    return HistoryTurn(
        question=turn["question"],
        answer="",
        number=number,
        decision=decided.decision,
        query=decided.query,
        subject=subject_left(decided.reason, decided.references),
        offers=tuple(turn.get("offers", choices)),
        items=tuple(turn.get("items", ())),
        chunk_ids=tuple(passage.chunk_id for passage in passages[:_CHUNKS]),
    )


def _titles() -> dict[str, str]:
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    return {entry["path"]: entry["title"] for entry in manifest["documents"]}
