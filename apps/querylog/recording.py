"""What each event of an answer leaves in its turn. No database: whoever calls it stores the fields that it names."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from apps.querylog.marking import ending_of, kind_after
from apps.querylog.models import Turn
from apps.querylog.records import (
    passage_record,
    rewriting_record,
    share,
    shown_after,
    signals_record,
    understood_records,
)
from apps.querylog.rule_records import rule_record, use_record
from apps.rag.desk import RuleMatch
from apps.rag.events import Decided, Done, Event, Failed, Notice, Restart, Retrieved, Sentence
from apps.rag.types import Outcome

_WITHOUT_ANSWER = frozenset({Outcome.REFUSED, Outcome.CLARIFIED, Outcome.CHATTED})


def take(turn: Turn, event: Event) -> list[str]:
    """Note an event in the turn; return the names of the fields that have changed."""
    match event:
        case Decided():
            return _decided(turn, event)
        case Retrieved():
            return _retrieved(turn, event)
        case Sentence() | Notice() | Restart():
            turn.shown = shown_after(turn.shown, event)
            return ["shown"]
        case Done():
            if event.writing:
                turn.versions = {**turn.versions, "writing": dict(event.writing)}
            return ["versions", *_finished(turn, event.outcome, event.timings)]
        case Failed():
            turn.versions = {**turn.versions, **event.versions}
            return ["versions", *_finished(turn, Outcome.FAILED, {})]


def _decided(turn: Turn, event: Decided) -> list[str]:
    turn.decision, turn.query = event.decision.value, event.query
    turn.rewriting = dict(rewriting_record(event))
    turn.understood = understood_records(event)
    turn.versions = {**turn.versions, **event.versions}
    return ["decision", "query", "rewriting", "understood", "versions", *_matched(turn, event.rule)]


def _matched(turn: Turn, match: RuleMatch | None) -> list[str]:
    """Note which release was asked, whether or not it had a rule for this: without it nobody could ask it again."""
    if match is None:
        return []
    turn.versions = {**turn.versions, "release": match.release}
    turn.rule = dict(rule_record(match))
    turn.rule_uid = match.winner.uid if match.winner else ""
    return ["versions", "rule", "rule_uid"]


def _retrieved(turn: Turn, event: Retrieved) -> list[str]:
    turn.passages = [passage_record(passage) for passage in event.passages]
    turn.signals = signals_record(event.signals)
    if event.signals is not None:
        turn.confidence = share(event.signals.confidence_score)
        turn.coverage = share(event.signals.coverage_signals.get("coverage_ratio"))
    if event.use is not None:
        turn.rule = {**turn.rule, **use_record(event.use)}
    return ["passages", "signals", "confidence", "coverage", "rule"]


def _finished(turn: Turn, outcome: Outcome, timings: Mapping[str, float]) -> list[str]:
    turn.outcome = outcome.value
    turn.state = Turn.State.FAILED if outcome == Outcome.FAILED else Turn.State.DONE
    turn.timings = {name: round(value, 1) for name, value in timings.items()}
    turn.finished_at = timezone.now()
    turn.ended_with = ending_of(turn.shown) if outcome in _WITHOUT_ANSWER else ""
    turn.kind = kind_after(turn.kind, outcome, turn.ended_with)
    return ["outcome", "state", "timings", "finished_at", "ended_with", "kind"]
