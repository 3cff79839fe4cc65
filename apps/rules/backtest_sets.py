"""A rule set ready to be asked by a backtest. Pure."""

from __future__ import annotations

from apps.rules.explaining import explain
from apps.rules.index import RuleIndex, compile_index
from apps.rules.matching import match
from apps.rules.reports import Explanation
from apps.rules.types import Match, MatchContext, RuleSet


class CompiledRules:
    """The engine over one set, as ``apps/rules/backtesting.py`` wants it."""

    def __init__(self, rules: RuleSet) -> None:
        self._index: RuleIndex = compile_index(rules)

    def match(self, text: str, context: MatchContext) -> Match:
        return match((text,), context, self._index)

    def explain(self, text: str, context: MatchContext, uid: str) -> Explanation:
        return explain((text,), context, self._index, uids=(uid,))
