"""Questions of our own to the eleven party programmes of 2025: is the named party cited, and the right page?

``programme_questions.json`` names the party and the pages of its PDF on which the answer stands, counted from 1, and
holds no word of a programme. Questions with an odd number are held out from tuning.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from django.utils import timezone

from apps.answering.suites.corpora import PROGRAMMES, index_programmes, own_files
from apps.core.suites import Figure, SuiteContext, SuiteResult, suite
from apps.documents.embedding import vectors_cached
from apps.evaluation.suites.citations import ask_each
from apps.evaluation.suites.verdicts import Verdict, Wanted, fault, judge, sentence_figures
from apps.rag.events import Event, Retrieved, Sentence
from apps.rag.types import Citation, Passage

_FILE: Final = Path(__file__).with_name("programme_questions.json")
_REPORTED: Final = ("right_source", "right_programme", "refused")


@dataclass(frozen=True, slots=True)
class ProgrammeQuestion:
    """A question that names a party, by slug, and the pages on which its programme answers it."""

    id: str
    question: str
    language: str
    party: str
    pages: tuple[int, ...]

    @property
    def is_held_out(self) -> bool:
        """True for the half to report on."""
        return int(self.id[1:]) % 2 == 1


def load_programme_questions() -> list[ProgrammeQuestion]:
    """Return the questions as the file has them."""
    rows = json.loads(_FILE.read_text(encoding="utf-8"))
    return [ProgrammeQuestion(**{**row, "pages": tuple(row["pages"])}) for row in rows]


@suite("citations:programmes", needs_database=True)
def citations_programmes(context: SuiteContext) -> SuiteResult:
    """Over sixty questions of our own to the programmes of 2025: named party cited, right page, true quotations."""
    questions = load_programme_questions()
    questions = questions[: int(context.options.get("questions", len(questions)))]
    with own_files(), vectors_cached():
        index_programmes(context, at_most=len(PROGRAMMES))
        answers = asyncio.run(ask_each([(each.question, each.language) for each in questions], timezone.localtime()))
        verdicts = [judge_programme(events, each) for each, events in zip(questions, answers, strict=True)]
    for question, events, verdict in zip(questions, answers, verdicts, strict=True):
        # What is held out from tuning must not be read while tuning.
        if fault(verdict) and not question.is_held_out:
            context.say(f"{question.id} {fault(verdict)}: {question.question} | {_cited(events)}")
    return SuiteResult(n=len(questions), figures=_figures(questions, verdicts))


def judge_programme(events: Sequence[Event], question: ProgrammeQuestion) -> Verdict:
    """Judge one answer: the right source is the named party's programme, the right place one of the named pages."""
    verdict = judge(events, Wanted(frozenset({question.party}), ()))
    if not verdict.is_answer:
        return verdict
    passages = {each.chunk_id: each for event in events if isinstance(event, Retrieved) for each in event.passages}
    own = [
        citation
        for event in events
        if isinstance(event, Sentence)
        for citation in event.citations
        if citation.source.party_slug == question.party
    ]
    pages = {page for citation in own for page in _pages(citation, passages.get(citation.chunk_id))}
    return replace(verdict, right_source=bool(own), contains_gold=not pages.isdisjoint(question.pages))


def _pages(citation: Citation, passage: Passage | None) -> Iterable[int]:
    """The page of a quotation; all pages of its passage where that stands on several."""
    if citation.page is not None:
        return (citation.page,)
    if passage is None or passage.page_from is None:
        return ()
    return range(passage.page_from, (passage.page_to or passage.page_from) + 1)


def _figures(questions: Sequence[ProgrammeQuestion], verdicts: Sequence[Verdict]) -> dict[str, Figure]:
    held_out = [verdict for question, verdict in zip(questions, verdicts, strict=True) if question.is_held_out]
    return {
        **_own_figures(verdicts),
        **{f"held_out_{name}": each for name, each in _own_figures(held_out).items() if name in _REPORTED},
    }


def _own_figures(verdicts: Sequence[Verdict]) -> dict[str, Figure]:
    """``right_source`` wants programme and page, ``right_programme`` the programme alone."""
    figures = sentence_figures(verdicts)
    right_programme, right_page = figures["right_source"], figures.pop("contains_gold")
    return {**figures, "right_source": right_page, "right_programme": right_programme}


def _cited(events: Sequence[Event]) -> str:
    sentences = [event for event in events if isinstance(event, Sentence)]
    return " | ".join(
        f"{each.source.party_slug} p. {each.page}: {each.quote[:80]}" for own in sentences for each in own.citations
    )
