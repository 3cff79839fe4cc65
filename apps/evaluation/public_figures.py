"""What readers may know of the newest evaluation: a few figures in words, and how sure they are. A port of chat."""

from __future__ import annotations

from typing import Final

from django.db.models import Q

from apps.answering.settings_versions import DRAFT
from apps.core.ports import QualityFigure, QualityReport
from apps.evaluation.findings import interval_text, value_text
from apps.evaluation.metrics import EVERYTHING, Form
from apps.evaluation.models import EvaluationRun
from apps.evaluation.words import figure_word

# In the order of a reader's interest, and only what needs no explanation.
_SHOWN: Final = ("right", "right_source", "verbatim", "right_refusals", "wrong_refusals", "first_p50_ms")
# A share of fewer answers says nothing.
_FEWEST: Final = 20
# So many single tries may have come after the last run over several kinds.
_MOST_RUNS: Final = 50


def quality_report() -> QualityReport | None:
    """Return the figures of the newest run over several kinds that is done; None where none has enough answers."""
    # What a draft of the settings would say is no reader's business, nor what one kind of questions brings.
    runs = EvaluationRun.objects.filter(state=EvaluationRun.State.DONE, answer_settings=None).order_by("-finished_at")
    # The draft itself may be gone by now.
    in_force = runs.filter(Q(versions__settings__isnull=True) | ~Q(versions__settings__startswith=DRAFT))
    for run in in_force.only("figures", "finished_at")[:_MOST_RUNS]:
        report = _report(run)
        if report is not None:
            return report
    return None


def _report(run: EvaluationRun) -> QualityReport | None:
    known = {record["name"]: record for record in run.figures if record["kind"] == EVERYTHING}
    shown = [known[name] for name in _SHOWN if name in known and known[name]["n"] >= _FEWEST]
    figures = [
        QualityFigure(
            label=figure_word(record["name"]),
            value=value_text(Form(record["form"]), record["value"]),
            interval=interval_text(Form(record["form"]), record["low"], record["high"]),
            n=record["n"],
        )
        for record in shown
    ]
    return QualityReport(run.finished_at, tuple(figures)) if run.finished_at and figures else None
