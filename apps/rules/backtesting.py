"""Asks two sets of rules the same questions and tells where they differ. Pure; the task feeds it, a page shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Protocol

from apps.rules.reports import Explanation, Verdict
from apps.rules.types import Match, MatchContext

FORMAT: Final = 1
_STILL_MATCHES: Final = frozenset({Verdict.LOST, Verdict.WON, Verdict.COLLECTED})


class Difference(StrEnum):
    """How a question fares under the new rules: a rule answers it now, none does any more, or another one does.

    ``SHADOWED`` means that the old winner still matches, but loses to the new one.
    """

    FIRES = "fires"
    STOPS = "stops"
    CHANGES = "changes"
    SHADOWED = "shadowed"


class Engine(Protocol):
    """One set of rules ready to be asked."""

    def match(self, text: str, context: MatchContext) -> Match: ...

    def explain(self, text: str, context: MatchContext, uid: str) -> Explanation: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to try. ``key`` finds its text again: the text itself is not kept in a result."""

    key: str
    text: str
    language: str = "de"
    builder_choices: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Case:
    """One question that fares differently: the winners' uids and stages before and after, empty without one."""

    key: str
    kind: Difference
    before: str = ""
    after: str = ""
    stage_before: str = ""
    stage_after: str = ""


@dataclass(slots=True)
class Tally:
    """What a backtest has found so far. ``rules`` counts by uid the questions that a rule won or added to."""

    questions: int = 0
    answered: list[int] = field(default_factory=lambda: [0, 0])
    rules: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    cases: list[Case] = field(default_factory=list)

    def add(self, asked: Asked, before: Engine | None, after: Engine, now: datetime) -> None:
        """Ask one question of both sets; ``before`` is None where nothing was ever published."""
        context = MatchContext(now, asked.language, builder_choices=asked.builder_choices)
        old = before.match(asked.text, context) if before else Match()
        new = after.match(asked.text, context)
        self.questions += 1
        for place, match in enumerate((old, new)):
            self.answered[place] += bool(match.winners)
            self.rules[place].update(hit.uid for hit in match.winners)
        kind = _difference(old, new, asked, after, context)
        if kind:
            self.cases.append(Case(asked.key, kind, *_uids(old, new), *_stages(old, new)))

    def to_json(self) -> dict[str, Any]:
        """Return the result as it is kept with the backtest; ``read_result`` reads it."""
        uids = sorted({*self.rules[0], *self.rules[1]})
        return {
            "format": FORMAT,
            "questions": self.questions,
            "answered": self.answered,
            "rules": {uid: [self.rules[0][uid], self.rules[1][uid]] for uid in uids},
            "cases": [
                [case.key, case.kind.value, case.before, case.after, case.stage_before, case.stage_after]
                for case in self.cases
            ],
        }


@dataclass(frozen=True, slots=True)
class RuleCount:
    """How many questions a rule answered or added to, before and after."""

    uid: str
    before: int
    after: int

    @property
    def change(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Result:
    """A finished backtest as pages show it. Shares are in percent of the questions, 0 without any."""

    questions: int = 0
    answered_before: int = 0
    answered_after: int = 0
    rules: tuple[RuleCount, ...] = ()
    cases: tuple[Case, ...] = ()

    @property
    def share_before(self) -> float:
        return 100 * self.answered_before / self.questions if self.questions else 0.0

    @property
    def share_after(self) -> float:
        return 100 * self.answered_after / self.questions if self.questions else 0.0

    def count(self, kind: Difference) -> int:
        return sum(case.kind is kind for case in self.cases)


def read_result(data: Mapping[str, Any]) -> Result:
    """Return what ``Tally.to_json`` kept; an empty result where there is none yet."""
    if data.get("format") != FORMAT:
        return Result()
    before, after = data["answered"]
    rules = tuple(RuleCount(uid, *counts) for uid, counts in data["rules"].items())
    cases = tuple(Case(key, Difference(kind), *rest) for key, kind, *rest in data["cases"])
    by_change = tuple(sorted(rules, key=lambda rule: (-abs(rule.change), -rule.after, rule.uid)))
    return Result(data["questions"], before, after, by_change, cases)


def _difference(old: Match, new: Match, asked: Asked, after: Engine, context: MatchContext) -> Difference | None:
    before, now = _uids(old, new)
    if before == now:
        return None
    if not before:
        return Difference.FIRES
    if not now:
        return Difference.STOPS
    if any(hit.uid == before for hit in new.winners):
        # It still adds its documents, after those of the new winner.
        return Difference.CHANGES
    if any(hit.uid == before for hit in new.rivals):
        return Difference.SHADOWED
    # At a later stage than the winner's a rule is no rival: only an explanation tells whether it would match.
    reports = after.explain(asked.text, context, before).reports
    is_alive = any(report.uid == before and report.verdict in _STILL_MATCHES for report in reports)
    return Difference.SHADOWED if is_alive else Difference.CHANGES


def _uids(*matches: Match) -> tuple[str, str]:
    before, after = (match.winners[0].uid if match.winners else "" for match in matches)
    return before, after


def _stages(*matches: Match) -> tuple[str, str]:
    before, after = (match.winners[0].stage.value if match.winners else "" for match in matches)
    return before, after
