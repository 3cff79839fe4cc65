"""What the templates of the rule list ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from apps.rules.models import Example

# The skin loads every tag while it is being imported itself: nothing of the back office may be imported here.
if TYPE_CHECKING:
    from apps.rules.draft_findings import DraftFindings
    from apps.rules.tree_filters import TreeState

register = template.Library()


@register.filter
def toggled(state: TreeState, uid: str) -> str:
    """Return the query string with this rule opened or closed."""
    return state.toggled(uid)


@register.filter
def at_page(state: TreeState, page: int) -> str:
    """Return the query string of another page of the same list."""
    return state.query(page=page)


@register.filter
def said_of(findings: DraftFindings, uid: str) -> tuple[str, ...] | None:
    """Return the sentences on one rule; None while the draft is not checked yet."""
    return findings.of(uid)


@register.filter
def warned_below(findings: DraftFindings, uid: str) -> int:
    """Return how many rules below one rule have warnings."""
    return findings.below.get(uid, 0)


@register.filter
def before_colon(text: object) -> str:
    """Return the short word of a choice that explains itself after a colon."""
    return str(text).split(":")[0]


@register.filter
def stage_word(stage: str) -> str:
    """Return how a rule matched, in the editor's words."""
    return str(dict(Example.Stage.choices).get(stage, stage))
