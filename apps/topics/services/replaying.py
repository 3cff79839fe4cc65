"""Asks the weak questions of a gap again after the desk has done something: did it help? Nothing goes to the log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from asgiref.sync import async_to_sync
from django.utils import timezone

from apps.answering.index_version import index_version
from apps.answering.services import answer_stream
from apps.rag.desk import rule_reason
from apps.rag.events import Decided, Done, Failed, Notice, Retrieved
from apps.rag.types import AnswerContext, NoticeKind, Outcome, Question
from apps.rules import live
from apps.topics.modelling.gap_score import RESOLVED_BELOW, wilson_lower
from apps.topics.models import Asked, Gap, GapStep, QueryText
from apps.topics.services.gaps import weak_texts

logger = logging.getLogger(__name__)
_MOST_GAPS: Final = 20


@dataclass(frozen=True, slots=True)
class Replayed:
    """One question asked again: how it ended, and the rule that answered, if one did.

    ``code`` is the refusal's; ``missing`` are spans of the question's text whose words no passage has: spans and not
    words, since what is stored here may outlive the question. ``was_read`` says whether a document of the rule was.
    """

    text_id: int
    outcome: str
    is_weak: bool
    rule: str = ""
    code: str = ""
    missing: tuple[tuple[int, int], ...] = ()
    was_read: bool = False

    @property
    def row(self) -> list[Any]:
        """Return it as it is stored."""
        spans = [list(span) for span in self.missing]
        return [self.text_id, self.outcome, self.is_weak, self.rule, self.code, spans, self.was_read]


Ask = Callable[[Sequence[QueryText], datetime], list[Replayed]]


def gaps_replay(*, ask: Ask | None = None) -> int:
    """Replay the gaps that somebody works on where rules or sources have changed since; return how many."""
    # What is asked again is asked of the newest rules, not of those that this process held a moment ago.
    release, index = live.catch_up(), index_version()
    waiting = [gap for gap in Gap.objects.open().order_by("pk") if _is_due(gap, release, index)]
    for gap in waiting[:_MOST_GAPS]:
        gap_replay(gap=gap, ask=ask or ask_again, release=release)
    return len(waiting[:_MOST_GAPS])


def _is_due(gap: Gap, release: int, index: str) -> bool:
    if not (gap.rule_uid or gap.link_id or gap.note or gap.replay_wanted):
        return False
    return gap.replay_wanted or (gap.replayed_release, gap.replayed_index) != (release, index)


def gap_replay(*, gap: Gap, ask: Ask, release: int) -> Gap:
    """Ask the gap's weak questions again, store before and after, and resolve it only where it is measurably better."""
    texts = weak_texts(gap.topic)
    if not gap.before:
        gap.before = standing_before(gap, texts)
    # As readers are answered: what holds today holds from midnight in Berlin on, hours before the day of UTC begins.
    found = ask(texts, timezone.localtime(timezone=timezone.get_default_timezone()))
    gap.after = _counted([each.is_weak for each in found])
    gap.after["rows"] = [each.row for each in found]
    gap.replayed_release, gap.replayed_index, gap.replay_wanted = release, index_version(), False
    is_better = bool(found) and gap.after["lower"] < RESOLVED_BELOW and gap.after["weak"] < gap.before["weak"]
    if is_better:
        gap.state, gap.closed_at = Gap.State.RESOLVED, timezone.now()
    gap.save()
    shares = {"before": gap.before.get("weak"), "after": gap.after["weak"], "release": gap.replayed_release}
    GapStep.objects.create(gap=gap, kind="resolved" if is_better else "replayed", data=shares)
    return gap


def standing_before(gap: Gap, texts: Sequence[QueryText]) -> dict[str, Any]:
    """Return how the log says these questions were answered: each weak if one reader got no answer, or disliked it."""
    asked = Asked.objects.filter(text__in=[text.pk for text in texts], is_left_out=False)
    weak: dict[int, bool] = {text.pk: False for text in texts}
    for text, is_refused, is_disliked in asked.values_list("text", "is_refused", "is_disliked"):
        weak[text] = weak[text] or is_refused or is_disliked
    return _counted([weak[text.pk] for text in texts])


def _counted(weak: Sequence[bool]) -> dict[str, Any]:
    share = sum(weak) / len(weak) if weak else 0.0
    return {"questions": len(weak), "weak": round(share, 4), "lower": round(wilson_lower(share, len(weak)), 4)}


def ask_again(texts: Sequence[QueryText], now: datetime) -> list[Replayed]:
    """Ask each text alone, as a reader's first question, of what is live."""
    return [async_to_sync(_ask_once)(text.pk, text.text, text.language, now) for text in texts]


async def _ask_once(text_id: int, words: str, language: str, now: datetime) -> Replayed:
    outcome, rule, code, was_read = Outcome.FAILED, "", "", False
    missing: tuple[tuple[int, int], ...] = ()
    context = AnswerContext(now=now, locale=language)
    stream = answer_stream(question=Question(words, language), history=(), context=context)
    async with aclosing(stream) as events:
        async for event in events:
            match event:
                case Done():
                    outcome = event.outcome
                case Failed():
                    outcome = Outcome.FAILED
                case Decided() if event.rule is not None and event.rule.winner is not None:
                    rule = event.rule.winner.uid
                case Retrieved():
                    was_read = any(each.reason.startswith(rule_reason("")) for each in event.passages)
                case Notice(kind=NoticeKind.REFUSAL):
                    code, missing = event.code, _spans(words, event.subjects)
    is_weak = outcome not in {Outcome.ANSWERED, Outcome.CLARIFIED}
    return Replayed(text_id, outcome.value, is_weak, rule, code, missing, was_read)


def _spans(text: str, words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    found = [(text.find(word), len(word)) for word in words if word]
    return tuple(span for span in found if span[0] >= 0)
