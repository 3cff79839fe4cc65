"""The log as the desk sees it: questions with their traces, and what readers have handed over."""

from apps.querylog.admin.handovers import HandoverAdmin
from apps.querylog.admin.turns import TurnAdmin

__all__ = ["HandoverAdmin", "TurnAdmin"]
