"""The rewriter against people who rewrote the same conversations: does it leave alone what stands alone, and help else?

Both sets are English, and no rule was made for them: what is measured is how far the forms reach.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from apps.core.suites import Figure, SuiteContext, SuiteResult, suite
from apps.rag.rewriting.history import context_of, subject_left
from apps.rag.rewriting.rules import rewrite
from apps.rag.rewriting.types import Rewriting
from apps.rag.types import AnswerContext, Decision, HistoryTurn
from apps.rag.understanding import PartyDirectory

_DIRECTORY: Final = PartyDirectory([], {})
_CONTEXT: Final = AnswerContext(datetime(2026, 11, 30, tzinfo=UTC), locale="en")
_DOMAINS: Final = ("clapnq", "cloud", "fiqa", "govt")


@dataclass(frozen=True, slots=True)
class RewrittenTurn:
    """A question in a conversation and what a person made of it; ``human`` is None where nobody rewrote it."""

    question: str
    human: str | None


@suite("rewrite:cast")
def rewrite_cast(context: SuiteContext) -> SuiteResult:
    """TREC CAsT 2019: turns that stand alone are left alone, the others come nearer to the human rewrite."""
    folder = context.folder("trec-cast") / "2019" / "data" / "evaluation"
    lines = (folder / "evaluation_topics_annotated_resolved_v1.0.tsv").read_text(encoding="utf-8").splitlines()
    human = dict(line.split("\t", 1) for line in lines if "\t" in line)
    topics = json.loads((folder / "evaluation_topics_v1.0.json").read_text(encoding="utf-8"))
    return _result(
        [
            RewrittenTurn(turn["raw_utterance"], human.get(f"{topic['number']}_{turn['number']}"))
            for turn in topic["turn"]
        ]
        for topic in topics
    )


@suite("rewrite:mtrag")
def rewrite_mtrag(context: SuiteContext) -> SuiteResult:
    """MTRAG's human rewrites in four domains; only what people asked is known, not what they were answered."""
    folder = context.folder("mtrag") / "mtrag-human" / "retrieval_tasks"
    conversations: dict[str, list[RewrittenTurn]] = {}
    for domain in _DOMAINS:
        human = _texts((folder / domain / f"{domain}_rewrite.jsonl").read_text(encoding="utf-8"))
        for key, text in _texts((folder / domain / f"{domain}_questions.jsonl").read_text(encoding="utf-8")).items():
            conversation, number = key.split("<::>")
            questions = [line.removeprefix("|user|: ") for line in text.split("\n|user|: ")]
            turns = conversations.setdefault(conversation, [])
            turns += [RewrittenTurn(question, None) for question in questions[len(turns) :]]
            turns[-1] = RewrittenTurn(questions[-1], human[key].removeprefix("|user|: "))
            if int(number) < len(questions):
                context.say(f"{key} has more questions than its number says.")
    return _result(conversations.values())


def _texts(lines: str) -> dict[str, str]:
    rows = (json.loads(line) for line in lines.splitlines() if line.strip())
    return {row["_id"]: row["text"] for row in rows}


def _result(conversations: Iterable[Sequence[RewrittenTurn]]) -> SuiteResult:
    alone: list[bool] = []
    before: list[float] = []
    after: list[float] = []
    apart = 0
    for turn, found in (pair for turns in conversations for pair in _rewritten(turns)):
        if turn.human is None:
            continue
        if _same(turn.question, turn.human):
            # A question that is taken apart without a word from before is left alone too.
            alone.append(found.decision in (Decision.SEARCH_AS_IS, Decision.DECOMPOSE) and not found.turns_used)
            apart += found.decision is Decision.DECOMPOSE
            continue
        before.append(overlap(turn.question, turn.human))
        after.append(overlap(" ".join(found.sub_queries) or found.standalone_query, turn.human))
    figures: dict[str, Figure] = {
        "left_alone": _mean(alone),
        "overlap": _mean(after),
        "overlap_raw": _mean(before),
        "overlap_human": 1.0,
        "helped": _mean([better > worse for better, worse in zip(after, before, strict=True)]),
        "harmed": _mean([better < worse for better, worse in zip(after, before, strict=True)]),
        "taken_apart": apart,
        "standing_alone": len(alone),
        "dependent": len(before),
    }
    return SuiteResult(n=len(alone) + len(before), figures=figures)


def _rewritten(turns: Sequence[RewrittenTurn]) -> Iterator[tuple[RewrittenTurn, Rewriting]]:
    history: list[HistoryTurn] = []
    for number, turn in enumerate(turns, 1):
        found = rewrite(turn.question, context_of(history, "en", _CONTEXT, _DIRECTORY), _DIRECTORY)
        subject = subject_left(found.reason, found.resolved_references)
        history.append(HistoryTurn(turn.question, "", number, found.decision, found.standalone_query, subject))
        yield turn, found


def overlap(left: str, right: str) -> float:
    """Return the F1 of the two texts' words, counted as often as they stand there. 0 to 1."""
    words, others = _words(left), _words(right)
    return 2 * sum((words & others).values()) / max(1, sum(words.values()) + sum(others.values()))


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def _same(question: str, human: str) -> bool:
    """People put in a full stop or a capital where they changed nothing."""
    return re.findall(r"\w+", question.lower()) == re.findall(r"\w+", human.lower())


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
