"""The editors' desk for rules."""

from apps.rules.admin.backtests import BacktestAdmin
from apps.rules.admin.protected import ProtectedTermAdmin
from apps.rules.admin.releases import ReleaseAdmin
from apps.rules.admin.rules import RuleAdmin

__all__ = ["BacktestAdmin", "ProtectedTermAdmin", "ReleaseAdmin", "RuleAdmin"]
