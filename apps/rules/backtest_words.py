"""What a backtest found, in words."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.rules.backtesting import Difference

_WORDS: Final[dict[Difference, Promise]] = {
    Difference.FIRES: _("newly answered by a rule"),
    Difference.STOPS: _("no longer answered by a rule"),
    Difference.CHANGES: _("answered by another rule"),
    Difference.SHADOWED: _("rule now shadowed by another"),
}


def difference_word(kind: Difference) -> str:
    """Return a kind of difference as the page calls it."""
    return str(_WORDS[kind])
