"""The stored question sets from the command line: the same questions and figures as in the back office."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from django.conf import settings
from django.core.management import call_command

from apps.answering.suites.corpora import own_files
from apps.core.suites import Figure as SuiteFigure
from apps.core.suites import MissingDataError, SuiteContext, SuiteResult, suite
from apps.documents.embedding import vectors_cached
from apps.evaluation.metrics import Figure, Form, figures_of
from apps.evaluation.models import EvaluationResult, QuestionSet
from apps.evaluation.running import Asker, Conversation, judged_of, sampled, versions_now
from apps.evaluation.services import set_questions

_STEP: Final = 25
_MOST_NAMED: Final = 20


@suite("questions", needs_data=False, needs_database=True)
def questions(context: SuiteContext) -> SuiteResult:
    """The question sets as readers ask them: --option set=answerable, --option questions=50; --live asks your own."""
    with _demo() if not context.is_live else _own():
        wanted = [each for one in _sets(context.options.get("set", "")) for each in set_questions(one)]
        most = context.options.get("questions")
        results = _asked(sampled(wanted, int(most) if most else None), context)
        figures = figures_of(judged_of(results))
        versions = versions_now()
    kinds = {figure.kind for figure in figures}
    return SuiteResult(
        n=len(results),
        figures={_name(figure, kinds): _value(figure) for figure in figures},
        notes=[*_intervals(figures, kinds), *_wrong(results)],
        version={name: str(value) for name, value in versions.items() if value},
    )


@contextmanager
def _demo() -> Iterator[None]:
    """A throw-away database with everything that the demo has."""
    with own_files(), vectors_cached():
        for name in settings.DEMO_COMMANDS:
            call_command(name, verbosity=0)
        yield


@contextmanager
def _own() -> Iterator[None]:
    yield


def _sets(slug: str) -> Sequence[QuestionSet]:
    sets = list(QuestionSet.objects.order_by("slug"))
    chosen = [each for each in sets if not slug or each.slug == slug]
    if not chosen:
        names = ", ".join(each.slug for each in sets) or "none at all"
        raise MissingDataError(f"There is no question set {slug!r}. There is: {names}.")
    return chosen


def _asked(wanted: Sequence[tuple[str, Conversation]], context: SuiteContext) -> list[EvaluationResult]:
    results: list[EvaluationResult] = []
    with Asker() as asker:
        for place, (slug, turns) in enumerate(wanted, 1):
            results += asker.results(slug, turns)
            if place % _STEP == 0:
                context.say(f"{place} of {len(wanted)} asked")
    return results


def _name(figure: Figure, kinds: set[str]) -> str:
    """One kind alone needs no prefix; of the six unanswerable kinds each has its own figure."""
    if ":" in figure.kind:
        return f"{figure.name}_{figure.kind.partition(':')[2]}"
    plain = {kind for kind in kinds if ":" not in kind}
    return figure.name if len(plain) == 1 or figure.kind == "all" else f"{figure.kind}_{figure.name}"


def _value(figure: Figure) -> SuiteFigure:
    return int(figure.value) if figure.form is Form.COUNT else figure.value


def _intervals(figures: Sequence[Figure], kinds: set[str]) -> list[str]:
    return [
        f"{_name(figure, kinds)}: 95 % interval {figure.low:.3f} to {figure.high:.3f} of {figure.n}"
        for figure in figures
        if figure.low is not None and figure.high is not None
    ]


def _wrong(results: Sequence[EvaluationResult]) -> list[str]:
    wrong = [each for each in results if each.is_right is False]
    lines = [f"not right: {each.set_slug} {each.key}/{each.number} ({each.outcome})" for each in wrong[:_MOST_NAMED]]
    return [*lines, f"and {len(wrong) - _MOST_NAMED} more"] if len(wrong) > _MOST_NAMED else lines
