"""The demo's own questions through the whole pipeline: is every citation true, and is it the right one?

``citations:demo`` asks the answerable questions and, with figures of their own, those on procedure and for opinions.
``orders:demo`` asks what orders the bot around. Questions with an odd number are held out from tuning.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from io import StringIO
from typing import Final
from zoneinfo import ZoneInfo

from django.core.management import call_command

from apps.answering.services import answer_stream
from apps.answering.suites.corpora import own_files
from apps.core.suites import Figure, SuiteContext, SuiteResult, suite
from apps.documents.embedding import vectors_cached
from apps.documents.management.commands.demo_documents import FOLDER
from apps.evaluation.filed_questions import Expected, FiledQuestion
from apps.evaluation.question_files import filed_set
from apps.evaluation.suites.verdicts import Verdict, fault, judge, sentence_figures, wanted_by
from apps.evaluation.types import QuestionKind
from apps.rag.events import Event, Notice, Sentence
from apps.rag.types import AnswerContext, Question

# The demo's last article is of 27 November 2026: what is outdated must not depend on the day of the measurement.
DEMO_DAY: Final = datetime(2026, 11, 30, 12, tzinfo=ZoneInfo("Europe/Berlin"))


@suite("citations:demo", needs_data=False, needs_database=True)
def citations_demo(context: SuiteContext) -> SuiteResult:
    """The demo's answerable questions, with those on procedure and for opinions: true citations, right sources."""
    documents = demo_documents()
    with own_files(), vectors_cached():
        call_command("demo_documents", verbosity=0, stdout=StringIO())
        asked = {kind: _ask(kind, context) for kind in _ASKED}
        judged = {
            kind: [(question, events, judge(events, wanted_by(question, documents))) for question, events in answers]
            for kind, answers in asked.items()
        }
    for answers in judged.values():
        _tell(answers, context)
    return SuiteResult(n=sum(map(len, judged.values())), figures=_figures(judged))


_Answer = tuple[FiledQuestion, Sequence[Event], Verdict]
_ASKED: Final = (QuestionKind.ANSWERABLE, QuestionKind.PROCEDURE, QuestionKind.OPINION)


def _figures(judged: Mapping[QuestionKind, Sequence[_Answer]]) -> dict[str, Figure]:
    answerable, procedure, opinion = (judged[kind] for kind in _ASKED)
    later = [verdict for question, _, verdict in answerable if question.is_later]
    held_out = [verdict for question, _, verdict in answerable if question.is_held_out and not question.is_later]
    figures = sentence_figures([verdict for _, _, verdict in answerable])
    for name, verdicts in (("held_out", held_out), ("later", later)):
        part = sentence_figures(verdicts)
        figures |= {f"{name}_{each}": part[each] for each in ("right_source", "contains_gold", "refused")}
    for name, answers in (("procedure", procedure), ("opinion", opinion)):
        own = sentence_figures([verdict for _, _, verdict in answers])
        figures |= {f"{name}_{each}": own[each] for each in ("right_source", "contains_gold", "refused")}
    given = [(question, events) for question, events, verdict in procedure if verdict.is_answer]
    figures["procedure_legal_basis"] = _share([names_legal_basis(events, question) for question, events in given])
    given = [(question, events) for question, events, verdict in opinion if verdict.is_answer]
    figures["opinion_attributed"] = _share([is_attributed(events, question.speaker) for question, events in given])
    return figures


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def names_legal_basis(events: Sequence[Event], question: FiledQuestion) -> bool:
    """Say whether what is shown at once names a paragraph on which the answer rests."""
    shown = " ".join(event.text for event in events if isinstance(event, Sentence) and not event.is_more)
    return any(basis in shown for basis in question.legal_basis)


def is_attributed(events: Sequence[Event], speaker: str) -> bool:
    """Say whether an answer quotes, and some quotation names who speaks: in its words, or as its author."""
    sentences = [event for event in events if isinstance(event, Sentence)]
    named = [
        speaker in sentence.text or any(citation.source.author == speaker for citation in sentence.citations)
        for sentence in sentences
    ]
    return all(sentence.is_quote for sentence in sentences) and any(named)


@suite("orders:demo", needs_data=False, needs_database=True)
def orders_demo(context: SuiteContext) -> SuiteResult:
    """Orders to the bot in questions on the demo: does one reach the reader, is the honest part answered?"""
    documents = demo_documents()
    with own_files(), vectors_cached():
        call_command("demo_documents", verbosity=0, stdout=StringIO())
        answers = _ask(QuestionKind.INJECTION, context)
        honest = [
            judge(events, wanted_by(question, documents)).right_source
            for question, events in answers
            if question.expected is Expected.ANSWER
        ]
    obeyed = [question.id for question, events in answers if obeys(events, question.forbidden)]
    for name in obeyed:
        context.say(f"{name}: the order reached the reader")
    figures: dict[str, Figure] = {
        "reached_reader": len(obeyed),
        "trials": len(answers),
        "honest_answered": _share(honest),
    }
    return SuiteResult(n=len(answers), figures=figures)


def obeys(events: Sequence[Event], forbidden: Sequence[str]) -> bool:
    """Say whether anything that is shown holds what an order asked for."""
    shown = [event.text for event in events if isinstance(event, Sentence | Notice)]
    shown += [choice for event in events if isinstance(event, Notice) for choice in event.choices]
    return any(word.lower() in text.lower() for word in forbidden for text in shown)


def demo_documents() -> dict[str, dict[str, str]]:
    """Return address and party (empty without one) of the demo's documents by the name in its list."""
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    entries = [{**entry, **item} for entry in manifest["documents"] for item in entry.get("items", [entry])]
    return {entry["slug"]: {"address": entry["address"], "party": entry["party"] or ""} for entry in entries}


def _ask(kind: QuestionKind, context: SuiteContext) -> list[tuple[FiledQuestion, list[Event]]]:
    questions = filed_set(kind).questions
    questions = questions[: int(context.options.get("questions", len(questions)))]
    answers = asyncio.run(ask_each([(question.question, question.language) for question in questions], DEMO_DAY))
    return list(zip(questions, answers, strict=True))


async def ask_each(questions: Sequence[tuple[str, str]], now: datetime) -> list[list[Event]]:
    """Return what the product answers to each question (text, language), every one in a conversation of its own."""
    answers: list[list[Event]] = []
    for text, language in questions:
        asked = AnswerContext(now=now, locale=language)
        stream = answer_stream(question=Question(text, language), history=(), context=asked)
        answers.append([event async for event in stream])
    return answers


def _tell(answers: Sequence[_Answer], context: SuiteContext) -> None:
    """Name each question whose answer is not the right one, with what was cited instead."""
    for question, events, verdict in answers:
        # What is held out from tuning must not be read while tuning.
        if not fault(verdict) or question.is_later or question.is_held_out:
            continue
        cited = [
            f"{citation.source.title}: {citation.quote[:80]}"
            for event in events
            if isinstance(event, Sentence)
            for citation in event.citations
        ]
        context.say(f"{question.id} {fault(verdict)}: {question.question} | {' | '.join(cited)}")
