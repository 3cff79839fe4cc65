"""Do the signals tell the truth? Confidence against right and wrong answers, aspects against labels, second searches.

Confidence and aspects are trained on one half of the questions by a hash of their words; all figures are of the other
half, except for those whose names begin with ``seen``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Final

import numpy as np
from django.core.management import call_command

from apps.answering.suites.corpora import index_xquad, own_files
from apps.answering.training import area
from apps.core.suites import Figure, SuiteContext, SuiteResult, suite
from apps.documents.embedding import vectors_cached
from apps.documents.models import Document
from apps.documents.services import documents_delete
from apps.evaluation.aspect_labels import LabelledQuestion, aligned, load_labels
from apps.evaluation.confidence_cases import ConfidenceCase, demo_cases, xquad_cases
from apps.evaluation.one_thread import Answered, answer_here
from apps.evaluation.suites.citations import DEMO_DAY, demo_documents
from apps.rag.aspects import LOW_COVERAGE, CoveredAspect
from apps.rag.requerying import RequeryCause, RequeryOutcome
from apps.rag.types import AnswerContext, Question

_BINS: Final = 5
# Every how many of XQuAD's questions; each is asked twice.
_EVERY: Final = 3
_SEARCHED: Final = frozenset({RequeryOutcome.SEARCHED.value, RequeryOutcome.NOTHING_NEW.value})


@suite("signals", needs_database=True)
def signals(context: SuiteContext) -> SuiteResult:
    """XQuAD's questions with and without their paragraph, and the demo: confidence, aspects, second searches."""
    cases, labelled = gather(context)
    held_out = [case for case in cases if case.is_held_out]
    seen = [case for case in cases if not case.is_held_out]
    figures: dict[str, Figure] = {
        **confidence_figures(held_out),
        **{f"given_{name}": value for name, value in confidence_figures([c for c in held_out if c.is_given]).items()},
        **{f"seen_{name}": value for name, value in confidence_figures(seen).items()},
        **coverage_figures([pair for pair in labelled if pair[0].is_held_out], context),
        **{f"seen_{k}": v for k, v in coverage_figures([pair for pair in labelled if not pair[0].is_held_out]).items()},
        **requery_figures(cases),
    }
    return SuiteResult(n=len(held_out), figures=figures)


def gather(context: SuiteContext) -> tuple[list[ConfidenceCase], list[tuple[LabelledQuestion, Answered]]]:
    """Return the cases of both corpora and the answers to the labelled questions, each corpus by itself."""
    with own_files(), vectors_cached():
        asked = index_xquad(context)[:: int(context.options.get("every", _EVERY))]
        cases = xquad_cases(asked, context.say)
        documents_delete(documents=Document.objects.all())
        call_command("demo_documents", verbosity=0, stdout=StringIO())
        addresses = {name: facts["address"] for name, facts in demo_documents().items()}
        cases += demo_cases(addresses, DEMO_DAY)
        labelled = [(label, _answer(label)) for label in load_labels()]
    return cases, labelled


def _answer(label: LabelledQuestion) -> Answered:
    context = AnswerContext(now=DEMO_DAY, locale=label.language)
    return answer_here(Question(label.question, label.language), context)


def confidence_figures(cases: Sequence[ConfidenceCase]) -> dict[str, Figure]:
    """Return how well confidence tells right answers from wrong ones, and how far it is off as a probability."""
    confidence = np.array([case.confidence for case in cases])
    right = np.array([case.is_right for case in cases])
    if not right.any() or right.all():
        return {"answers": len(cases)}
    return {
        "auc": area(confidence[right], confidence[~right]),
        "calibration_error": calibration_error(confidence, right),
        "correlation": float(np.corrcoef(confidence, right)[0, 1]),
        "answers": len(cases),
        "right": float(right.mean()),
    }


def calibration_error(confidence: np.ndarray, right: np.ndarray) -> float:
    """Return how far confidence is from the share of right answers: mean over five bins of equal width, by size."""
    bins = np.minimum((confidence * _BINS).astype(int), _BINS - 1)
    off = [
        abs(confidence[bins == each].mean() - right[bins == each].mean()) * (bins == each).mean()
        for each in range(_BINS)
        if (bins == each).any()
    ]
    return float(sum(off))


def coverage_figures(
    labelled: Iterable[tuple[LabelledQuestion, Answered]], context: SuiteContext | None = None
) -> dict[str, Figure]:
    """Return the share of labelled aspects that were found as such and rightly called covered or missing."""
    hits: list[bool] = []
    missing: list[bool] = []
    for label, answered in labelled:
        found = answered.parts.covered if answered.parts else ()
        for wanted, got in aligned(label.aspects, found, label.language):
            is_right = got is not None and got.is_covered is wanted.is_covered
            hits.append(is_right)
            if not wanted.is_covered:
                missing.append(is_right)
            if context and not is_right:
                context.say(f"{label.question} | {wanted.text}: {_said(got)}, labelled {wanted.is_covered}")
    return {
        "coverage": sum(hits) / max(1, len(hits)),
        "aspects": len(hits),
        "missing_found": sum(missing) / max(1, len(missing)),
        "missing_labelled": len(missing),
    }


def _said(got: CoveredAspect | None) -> str:
    return f"covered {got.is_covered} ({got.probability:.2f})" if got else "no such aspect"


def requery_figures(cases: Sequence[ConfidenceCase]) -> dict[str, Figure]:
    """Return the share of low coverages after which the second search was made, and how often it found more."""
    low = [case for case in cases if case.before < LOW_COVERAGE]
    gaps = [case for case in cases if case.cause == RequeryCause.GAP.value]
    made = [case for case in low if case.outcome in _SEARCHED]
    return {
        "requery_followed": len(made) / max(1, len(low)),
        "requeries": len(made),
        "requery_needless": sum(
            bool(case.outcome) for case in cases if case.before >= LOW_COVERAGE and case.cause != RequeryCause.GAP.value
        ),
        "requery_found": sum(case.after > case.before for case in made) / max(1, len(made)),
        "gaps_searched": len(gaps),
        "gaps_closed": sum(case.outcome == RequeryOutcome.SEARCHED.value for case in gaps) / max(1, len(gaps)),
    }
