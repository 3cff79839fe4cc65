"""Draws the result of the bench: the answers as readers see them, what differs, and the traces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import override

from apps.answering.bench.comparing import Differences, differences
from apps.answering.bench.making import report_of
from apps.answering.bench.report import Report, as_json
from apps.answering.bench.running import Run, SoFar
from apps.rag.events import Event


@dataclass(frozen=True, slots=True)
class Column:
    """One answer: what the reader would see, in the language of the reader's page, and how it came about."""

    place: int
    question: str
    events: Sequence[Event]
    locale: str
    report: Report

    @property
    def name(self) -> str:
        """Two answers stand side by side as A and B."""
        return "AB"[self.place]


@dataclass(frozen=True, slots=True)
class Result:
    """What the page shows of one or two runs."""

    columns: tuple[Column, ...]
    differences: Differences | None
    json: str


def result_of(runs: Sequence[Run]) -> Result:
    """Return what is to be shown. Reads the database."""
    columns = tuple(_column(place, run) for place, run in enumerate(runs))
    reports = [column.report for column in columns]
    return Result(columns, differences(*reports) if len(reports) == 2 else None, as_json(*reports))


def _column(place: int, run: Run) -> Column:
    events = run.last.plain_events if run.last else []
    report = report_of(run)
    return Column(place, report.asked.question, events, run.asked.context.locale, report)


def result_html(runs: Sequence[Run], locale: str) -> str:
    """Return the result in the desk's language ``locale``."""
    with override(locale):
        return render_to_string("admin/answering/bench/_result.html", {"result": result_of(runs)})


def answer_html(step: SoFar, locale: str) -> str:
    """Return what stands on the reader's page of ``locale`` up to now."""
    context = {"question": step.question, "events": step.events, "locale": locale, "is_running": True}
    with override(locale):
        return render_to_string("admin/answering/bench/_answer.html", context)
