"""Does the bot refuse what its sources do not answer, and only that?

``refusal:xquad-de`` takes the paragraph that answers out of the corpus, ``refusal:miracl`` asks about other things,
``refusal:demo`` asks what looks answerable and is not. The demo's questions with an even number were looked at while
the second stage was made; the figures are of the others. Those with the prefix ``later`` are of questions that were
written when it had been made, and were never looked at.
"""

from __future__ import annotations

import asyncio
import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from typing import Final

import numpy as np
from django.core.management import call_command
from django.utils import timezone

from apps.answering.gold_out import measure_pairs
from apps.answering.suites.corpora import PROGRAMMES, index_programmes, index_xquad, own_files
from apps.answering.suites.positions import read_positions
from apps.answering.training import REPORTED_WRONG, area, assess
from apps.core.suites import Figure, SuiteContext, SuiteResult, suite
from apps.documents.embedding import vectors_cached
from apps.documents.models import Document, Party
from apps.documents.services import documents_delete
from apps.evaluation.filed_questions import Expected, FiledQuestion
from apps.evaluation.question_files import filed_set
from apps.evaluation.suites.citations import DEMO_DAY, ask_each, demo_documents
from apps.evaluation.suites.verdicts import judge, wanted_by
from apps.evaluation.types import QuestionKind
from apps.rag.events import Done, Event, Notice, Retrieved
from apps.rag.premises import Premise
from apps.rag.types import NoticeKind, Outcome

# How many parties are asked about each subject.
_TURNS: Final = 3
_PREMISES: Final = frozenset(premise.value for premise in Premise)


@suite("refusal:xquad-de", needs_database=True)
def refusal_xquad(context: SuiteContext) -> SuiteResult:
    """XQuAD's German questions with and without their paragraph: mean of ten splits by article, thresholds unseen."""
    with own_files(), vectors_cached():
        pairs = measure_pairs(index_xquad(context), context.say)
    found = assess(pairs, wrong=REPORTED_WRONG)
    figures: dict[str, Figure] = {
        "right_refusals": found.right.mean,
        "wrong_refusals": found.wrong.mean,
        "auc": found.auc.mean,
        "right_refusals_least": found.right.least,
        "right_refusals_most": found.right.most,
        "wrong_refusals_most": found.wrong.most,
        "right_refusals_at_own_threshold": found.right_at_reported.mean,
        "shipped_right_refusals": _share([pair.unanswerable.is_refused for pair in pairs]),
        "shipped_wrong_refusals": _share([pair.answerable.is_refused for pair in pairs]),
    }
    return SuiteResult(n=2 * len(pairs), figures=figures)


@suite("refusal:demo", needs_data=False, needs_database=True)
def refusal_demo(context: SuiteContext) -> SuiteResult:
    """Answerable and unanswerable questions on the demo through the whole pipeline; figures of the held-out half."""
    documents = demo_documents()
    asked = [
        each for kind in (QuestionKind.ANSWERABLE, QuestionKind.UNANSWERABLE) for each in filed_set(kind).questions
    ]
    with own_files(), vectors_cached():
        call_command("demo_documents", verbosity=0, stdout=StringIO())
        answers = asyncio.run(ask_each([(each.question, each.language) for each in asked], DEMO_DAY))
        judged = [
            _Judged(
                question, outcome_of(events), judged_score(events), is_right_not_to_answer(question, events, documents)
            )
            for question, events in zip(asked, answers, strict=True)
        ]
    for each in judged:
        # What is held out from tuning must not be read while tuning.
        if each.is_wrong and not each.question.is_later and not each.question.is_held_out:
            context.say(f"{each.question.id} {each.question.kind} {each.outcome.value}: {each.question.question}")
    held_out = [each for each in judged if each.question.is_held_out and not each.question.is_later]
    figures: dict[str, Figure] = {
        **_demo_figures(held_out),
        **_named("later", _demo_figures([each for each in judged if each.question.is_later])),
        **_named("seen", _demo_figures([each for each in judged if not each.question.is_held_out])),
    }
    kinds = Counter(each.question.kind for each in held_out if each.is_unanswerable)
    missed = Counter(each.question.kind for each in held_out if each.is_unanswerable and each.is_wrong)
    figures |= {f"right_{kind}": 1 - missed[kind] / count for kind, count in sorted(kinds.items())}
    return SuiteResult(n=len(judged), figures=figures)


@suite("refusal:miracl", needs_database=True)
def refusal_miracl(context: SuiteContext) -> SuiteResult:
    """Off-topic questions, put to the demo and to the programmes; each corpus's own questions fix the threshold."""
    strangers = [(text, "de") for text in off_topic_questions(context)]
    with own_files(), vectors_cached():
        call_command("demo_documents", verbosity=0, stdout=StringIO())
        own = [(each.question, each.language) for each in filed_set(QuestionKind.ANSWERABLE).questions]
        demo = asyncio.run(_against(own, strangers, DEMO_DAY, context))
    figures = {f"demo_{name}": value for name, value in demo.items()}
    n = len(own) + len(strangers)
    if context.options.get("corpus") != "demo":
        flush()
        with own_files(), vectors_cached():
            index_programmes(context, at_most=len(PROGRAMMES))
            own = topic_questions(context)
            programmes = asyncio.run(_against(own, strangers, timezone.localtime(), context))
        figures |= {f"programmes_{name}": value for name, value in programmes.items()}
        n += len(own) + len(strangers)
    return SuiteResult(n=n, figures=figures)


def flush() -> None:
    """Take the documents and parties of the first corpus away before the second is indexed."""
    documents_delete(documents=Document.objects.all())
    Party.objects.all().delete()


def off_topic_questions(context: SuiteContext) -> list[str]:
    """Return MIRACL's German questions: about anything but an election."""
    path = context.folder("miracl-de") / "topics.miracl-v1.0-de-dev.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        return [row[1] for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def topic_questions(context: SuiteContext) -> list[tuple[str, str]]:
    """Return every subject of the Wahl-O-Mat asked of one party with a programme, the parties taking turns."""
    topics = list(dict.fromkeys(each.topic for each in read_positions(context)))
    names = [name for _, name, _, _ in PROGRAMMES]
    return [
        (f"Was sagt {names[(place + turn) % len(names)]} zum Thema {topic}?", "de")
        for turn in range(_TURNS)
        for place, topic in enumerate(topics)
    ]


async def _against(
    own: Sequence[tuple[str, str]], strangers: Sequence[tuple[str, str]], now: datetime, context: SuiteContext
) -> dict[str, Figure]:
    """Ask the corpus's own questions and the strange ones; the threshold loses a twentieth of its own."""
    kept, strange = await ask_each(own, now), await ask_each(strangers, now)
    for (question, _), events in zip(strangers, strange, strict=True):
        if outcome_of(events) is Outcome.ANSWERED:
            context.say(f"answered: {question}")
    scores, others = [judged_score(events) for events in kept], [judged_score(events) for events in strange]
    threshold = float(np.quantile(scores, REPORTED_WRONG))
    return {
        "right_refusals": _share([score < threshold for score in others]),
        "wrong_refusals": _share([score < threshold for score in scores]),
        "auc": _area(scores, others),
        "shipped_right_refusals": _share([outcome_of(events) is not Outcome.ANSWERED for events in strange]),
        "shipped_wrong_refusals": _share([outcome_of(events) is not Outcome.ANSWERED for events in kept]),
    }


def judged_score(events: Sequence[Event]) -> float:
    """Return how sure the second stage was that the passages answer, 0 to 1; 0 where nothing was searched."""
    signals = [event.signals for event in events if isinstance(event, Retrieved) and event.signals]
    return signals[-1].confidence_score if signals else 0.0


@dataclass(frozen=True, slots=True)
class _Judged:
    """``is_left`` says that an unanswerable question was rightly left unanswered, or its premise corrected."""

    question: FiledQuestion
    outcome: Outcome
    confidence: float
    is_left: bool

    @property
    def is_unanswerable(self) -> bool:
        return self.question.expected not in (Expected.ANSWER, Expected.QUOTE)

    @property
    def is_wrong(self) -> bool:
        return not self.is_left if self.is_unanswerable else self.outcome is not Outcome.ANSWERED


def _demo_figures(judged: Sequence[_Judged]) -> dict[str, Figure]:
    unanswerable = [each for each in judged if each.is_unanswerable]
    answerable = [each for each in judged if not each.is_unanswerable]
    return {
        "right_refusals": _share([not each.is_wrong for each in unanswerable]),
        "wrong_refusals": _share([each.is_wrong for each in answerable]),
        "auc": _area([each.confidence for each in answerable], [e.confidence for e in unanswerable]),
    }


def _named(prefix: str, figures: Mapping[str, Figure]) -> dict[str, Figure]:
    return {f"{prefix}_{name}": value for name, value in figures.items()}


def outcome_of(events: Sequence[Event]) -> Outcome:
    """Return how a turn ended."""
    last = events[-1]
    return last.outcome if isinstance(last, Done) else Outcome.FAILED


def is_right_not_to_answer(
    question: FiledQuestion, events: Sequence[Event], documents: Mapping[str, Mapping[str, str]]
) -> bool:
    """Say whether an unanswerable question got no answer, or, where its premise is wrong, what the source says instead.

    What corrects is the expected place of the source, or a notice that leads what the sources do say.
    """
    if outcome_of(events) in (Outcome.REFUSED, Outcome.CLARIFIED, Outcome.CHATTED):
        return True
    if question.expected is not Expected.CORRECT:
        return False
    names_premise = any(
        isinstance(event, Notice) and event.kind is NoticeKind.CAVEAT and event.code in _PREMISES for event in events
    )
    verdict = judge(events, wanted_by(question, documents))
    return verdict.contains_gold or (names_premise and verdict.right_source)


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def _area(positive: Sequence[float], negative: Sequence[float]) -> float:
    return area(np.array(positive), np.array(negative)) if positive and negative else 0.0
