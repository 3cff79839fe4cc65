"""The tables of the rule tree."""

from apps.rules.models.parts import (
    Example,
    RuleDocument,
    RuleLink,
    TokenList,
    TokenSlot,
    TriggerPhrase,
)
from apps.rules.models.protected import ProtectedTerm
from apps.rules.models.releases import Release, ReleaseRule, RuleVersion
from apps.rules.models.rules import Rule
from apps.rules.models.traffic import Backtest, RuleHitDay

__all__ = [
    "Backtest",
    "Example",
    "ProtectedTerm",
    "Release",
    "ReleaseRule",
    "Rule",
    "RuleDocument",
    "RuleHitDay",
    "RuleLink",
    "RuleVersion",
    "TokenList",
    "TokenSlot",
    "TriggerPhrase",
]
