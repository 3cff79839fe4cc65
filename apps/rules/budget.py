"""How much of a release's token budget the documents of a rule would use."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from apps.rules.passages import DocumentHandover, hand_over
from apps.rules.types import RuleSpec


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """One linked document: ``tokens`` and ``passages`` of its scope, and what of it fits."""

    title: str
    tokens: int
    passages: int
    taken: int
    cut_by: str


@dataclass(frozen=True, slots=True)
class Budget:
    """All lines with the sum; ``most`` is what a release allows."""

    lines: tuple[BudgetLine, ...]
    most: int

    @property
    def wanted(self) -> int:
        return sum(line.tokens for line in self.lines)

    @property
    def is_over(self) -> bool:
        return any(line.cut_by == "budget" for line in self.lines)


def budget_of(rule: RuleSpec) -> Budget:
    """Return what the rule's documents would hand over to a reader today. One query."""
    most: int = settings.RULE_TOKEN_BUDGET
    return Budget(tuple(_line(each) for each in hand_over(rule.documents, most)), most)


def _line(handover: DocumentHandover) -> BudgetLine:
    return BudgetLine(
        title=handover.linked.title,
        tokens=handover.tokens + handover.tokens_left_out,
        passages=len(handover.chunks) + handover.left_out,
        taken=len(handover.chunks),
        cut_by=handover.cut_by or "",
    )
