"""The last backtest in a line, for the page that reviews a release."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from apps.rules.backtest_words import difference_word
from apps.rules.backtesting import Difference, read_result
from apps.rules.models import Backtest

register = template.Library()


@register.inclusion_tag("admin/rules/backtest/_last.html", takes_context=True)
def last_backtest(context: Context) -> dict[str, Any]:
    """Say what the newest finished backtest of the whole draft found, and whether the draft has changed since."""
    # Every process loads all tags; the engine and the services only where a page asks.
    from apps.rules.services.backtests import draft_state

    done = Backtest.objects.filter(state=Backtest.State.DONE, result__uids=None)
    backtest = done.order_by("-created_at").first()
    may_order = bool(context.get("perms") and context["perms"]["rules"]["add_backtest"])
    running = Backtest.objects.filter(state__in=["queued", "running"]).defer("result", "questions").first()
    if backtest is None:
        return {"backtest": None, "running": running, "may_order": may_order}
    result = read_result(backtest.result)
    return {
        "backtest": backtest,
        "running": running,
        "may_order": may_order,
        "result": result,
        "differences": [(difference_word(kind), result.count(kind)) for kind in Difference],
        "is_outdated": backtest.result.get("draft") != draft_state(),
    }


@register.filter
def difference(kind: Difference) -> str:
    """Return a kind of difference in words."""
    return difference_word(kind)
