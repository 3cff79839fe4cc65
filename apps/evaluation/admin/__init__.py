"""The pages of the evaluation in the back office."""

from apps.evaluation.admin.runs import EvaluationRunAdmin
from apps.evaluation.admin.sets import QuestionAdmin, QuestionSetAdmin

__all__ = ["EvaluationRunAdmin", "QuestionAdmin", "QuestionSetAdmin"]
