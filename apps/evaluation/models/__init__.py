"""The tables of the evaluation."""

from apps.evaluation.models.runs import EvaluationResult, EvaluationRun
from apps.evaluation.models.sets import Question, QuestionSet

__all__ = ["EvaluationResult", "EvaluationRun", "Question", "QuestionSet"]
