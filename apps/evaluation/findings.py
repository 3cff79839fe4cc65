"""What a run, or two, have shown: one or two sentences for the top of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.evaluation.comparing import Change, Comparison, Difference
from apps.evaluation.metrics import EVERYTHING, Figure, Form
from apps.evaluation.words import figure_word, kind_word

# Below this many answers an interval is too wide to say anything of a kind.
_FEW: Final = 10


def number(value: float, places: int) -> str:
    """Return a number as people write it. Django's own function cuts off what it does not show."""
    return number_format(round(value, places), places)


def percent(value: float) -> str:
    """Return a share as people write it."""
    return _("%(number)s %%") % {"number": number(100 * value, 1)}


def value_text(form: Form, value: float) -> str:
    """Return a figure as people write it."""
    match form:
        case Form.SHARE:
            return percent(value)
        case Form.MEAN:
            return number(value, 1)
        case Form.COUNT:
            return number(value, 0)
        case Form.MEDIAN | Form.PERCENTILE:
            return _("%(number)s ms") % {"number": number(value, 0)}


def interval_text(form: Form, low: float | None, high: float | None) -> str:
    """Return an interval, empty where there is none."""
    if low is None or high is None:
        return ""
    return _("%(low)s to %(high)s") % {"low": value_text(form, low), "high": value_text(form, high)}


def run_finding(figures: Sequence[Figure]) -> str:
    """Say how many answers were as expected, and which kind fares worst."""
    right = {figure.kind: figure for figure in figures if figure.name == "right"}
    whole = right.get(EVERYTHING) or next(iter(right.values()), None)
    if whole is None:
        return _("Nothing was expected of these questions, so nothing could be judged.")
    sentence = _(
        "%(right)s of %(judged)s answers were as expected in everything: %(share)s, and with 95 %% certainty between "
        "%(low)s and %(high)s."
    ) % {
        "right": round(whole.value * whole.n),
        "judged": whole.n,
        "share": percent(whole.value),
        "low": percent(whole.low or 0.0),
        "high": percent(1.0 if whole.high is None else whole.high),
    }
    kinds = [figure for kind, figure in right.items() if kind != EVERYTHING and figure.n >= _FEW]
    if len(kinds) < 2:
        return sentence
    worst = min(kinds, key=lambda figure: figure.value)
    weakest = _("Weakest: %(kind)s with %(share)s.") % {"kind": kind_word(worst.kind), "share": percent(worst.value)}
    return f"{sentence} {weakest}"


def comparison_finding(comparison: Comparison) -> str:
    """Say which run is better, by how much, and whether that may be chance."""
    if not comparison.pairs:
        return _("The two runs have no question in common, so they cannot be compared.")
    overall = comparison.overall
    if overall is None:
        return _("Nothing was expected of the questions that both runs have, so nothing can be said.")
    better, worse = comparison.count(Change.BETTER), comparison.count(Change.WORSE)
    return " ".join([_verdict(overall, better, worse), _counts(better, worse), _chance(overall, better, worse)]).strip()


def _verdict(overall: Difference, better: int, worse: int) -> str:
    values = {
        "before": percent(overall.before),
        "after": percent(overall.after),
        "count": overall.n,
    }
    if not better and not worse:
        return _("Both runs are alike: %(after)s of %(count)s answers as expected, and the same ones.") % values
    if overall.is_better:
        return _("The later run is better: %(after)s of %(count)s answers as expected, before %(before)s.") % values
    if overall.is_better is False:
        return _("The later run is worse: %(after)s of %(count)s answers as expected, before %(before)s.") % values
    return (
        _("No sure difference: %(after)s of %(count)s answers as expected, before %(before)s; that may be chance.")
        % values
    )


def _counts(better: int, worse: int) -> str:
    if not better and not worse:
        return ""
    gained = ngettext("%(count)s question became right", "%(count)s questions became right", better)
    lost = ngettext("%(count)s became wrong.", "%(count)s became wrong.", worse)
    return f"{gained % {'count': better}}, {lost % {'count': worse}}"


def _chance(overall: Difference, better: int, worse: int) -> str:
    if overall.chance is None or not (better or worse):
        return ""
    chance = number(overall.chance, 3) if overall.chance >= 0.001 else _("less than 0.001")
    return _("Chance alone would bring as uneven a change with a probability of %(chance)s (McNemar).") % {
        "chance": chance
    }


def sure_differences(comparison: Comparison) -> list[str]:
    """Return in words what else has surely changed."""
    return [
        _("%(kind)s, %(what)s: %(before)s before, %(after)s now.")
        % {
            "kind": kind_word(each.kind),
            "what": figure_word(each.name),
            "before": value_text(each.form, each.before),
            "after": value_text(each.form, each.after),
        }
        for each in comparison.differences
        if each.is_better is not None and each.name != "right"
    ]
