"""The page of one result: what was expected, what came, and everything the pipeline said on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.evaluation.admin.run_pages import page_context, run_or_404
from apps.evaluation.judging import Verdict
from apps.evaluation.models import EvaluationResult, EvaluationRun, Question
from apps.evaluation.running import verdict_of
from apps.evaluation.serialising import spec_from_json
from apps.evaluation.traces import shown_items
from apps.evaluation.words import VERDICTS, outcome_word, subkind_word

if TYPE_CHECKING:
    from apps.evaluation.admin.runs import EvaluationRunAdmin

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Check:
    """One part of a verdict in words."""

    word: str
    is_right: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A link into a source."""

    title: str
    href: str


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage with its ranks and scores."""

    place: Place
    heading: str
    beginning: str
    reason: str
    scores: Mapping[str, Any]


def result_view(desk: EvaluationRunAdmin, request: HttpRequest, pk: int, result: int) -> HttpResponse:
    """Show one result with its whole trace."""
    run = run_or_404(desk, request, str(pk))
    found = run.results.select_related("question").filter(pk=result).first() if result < 2**63 else None
    if found is None:
        raise Http404
    verdict = verdict_of(found)
    context = {
        "run": run,
        "result": found,
        "spec": spec_from_json(found.spec),
        "expected_word": dict(Question.Expected.choices).get(found.spec.get("expected", ""), ""),
        "subkind": subkind_word(found.subkind),
        "outcome": outcome_word(found.outcome),
        "verdict": verdict,
        "checks": checks_of(verdict),
        "turns": _turns(run, found),
        "neighbours": _neighbours(run, found),
        **trace_context(found.trace),
        "title": _("Result"),
    }
    return render(request, "admin/evaluation/run/result.html", page_context(desk, request, context))


def checks_of(verdict: Verdict) -> list[Check]:
    """Return what was judged, in words, wrong ones first."""
    told = [(getattr(verdict, name), words) for name, words in VERDICTS.items()]
    checks = [
        Check(str(words[0] if is_right else words[1]), is_right) for is_right, words in told if is_right is not None
    ]
    return sorted(checks, key=lambda check: check.is_right)


def trace_context(trace: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return a stored trace as the page shows it."""
    return {
        "shown": shown_items(trace),
        "state": "failed" if trace and trace[-1]["type"] == "failed" else "done",
        "decided": next((item for item in trace if item["type"] == "decided"), None),
        "retrieved": next((item for item in trace if item["type"] == "retrieved"), None),
        "passages": [
            _passage(each) for item in trace if item["type"] == "retrieved" for each in item.get("passages", ())
        ],
        "restarts": [item for item in trace if item["type"] == "restart"],
        "ended": next((item for item in trace if item["type"] in ("done", "failed")), None),
        "events": [(item["type"], item["at"]) for item in trace],
    }


def _passage(item: Item) -> FoundPassage:
    place = Place(item["title"], _address(item["uuid"], item["version"], item["start"], item["end"]))
    return FoundPassage(place, item["heading"], item["beginning"], item["reason"], item["scores"])


def _address(uuid: str, version: int, start: int, end: int) -> str:
    return reverse("documents:passage", args=[uuid, version, start, end]) + "#passage"


def _turns(run: EvaluationRun, result: EvaluationResult) -> list[EvaluationResult]:
    """Return the turns of the conversation, none where it has only one."""
    turns = run.results.filter(set_slug=result.set_slug, key=result.key).order_by("number").defer("trace")
    found = list(turns)
    return found if len(found) > 1 else []


def _neighbours(run: EvaluationRun, result: EvaluationResult) -> dict[str, int | None]:
    """Return the wrong results before and after this one."""
    wrong = run.results.filter(is_right=False)
    before = wrong.filter(position__lt=result.position).order_by("-position").values_list("pk", flat=True).first()
    after = wrong.filter(position__gt=result.position).order_by("position").values_list("pk", flat=True).first()
    return {"before": before, "after": after}
