"""The log as the desk sees it: questions with their traces, what readers say and hand over, and who has read them."""

from apps.querylog.admin.accesses import AccessEntryAdmin
from apps.querylog.admin.feedback import AnswerFeedbackAdmin, SentenceReportAdmin, SourceReportAdmin
from apps.querylog.admin.handovers import HandoverAdmin
from apps.querylog.admin.turns import TurnAdmin

__all__ = [
    "AccessEntryAdmin",
    "AnswerFeedbackAdmin",
    "HandoverAdmin",
    "SentenceReportAdmin",
    "SourceReportAdmin",
    "TurnAdmin",
]
