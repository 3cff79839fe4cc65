"""The desk's static checks: what can never be right, and what will surprise. Pure; facts are gathered elsewhere."""

from apps.rules.checking.running import check_rule, check_set, save_errors
from apps.rules.checking.types import (
    Code,
    DocumentFact,
    DocumentState,
    Facts,
    Finding,
    Level,
    LinkFact,
    Question,
)

__all__ = [
    "Code",
    "DocumentFact",
    "DocumentState",
    "Facts",
    "Finding",
    "Level",
    "LinkFact",
    "Question",
    "check_rule",
    "check_set",
    "save_errors",
]
