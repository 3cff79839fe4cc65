"""The times that were read out of a question, in the desk's words: sentences made of a stored TimeRecord."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _


def time_words(record: Mapping[str, str], *, with_words: bool) -> str:
    """Return which days are meant; ``with_words`` names what the reader wrote."""
    days = _days(record)
    if record["kind"] == "publication":
        days = _("published %(days)s") % {"days": days}
    return _("%(days)s (“%(said)s”)") % {"days": days, "said": record["said"]} if with_words else days


def _days(record: Mapping[str, str]) -> str:
    if record["sense"] == "earlier":
        return _("what stood before the newest")
    first, last = (date_format(date.fromisoformat(each), "SHORT_DATE_FORMAT") if each else "" for each in _ends(record))
    if first and first == last:
        return first
    if first and last:
        return _("%(first)s to %(last)s") % {"first": first, "last": last}
    return _("from %(first)s") % {"first": first} if first else _("until %(last)s") % {"last": last}


def _ends(record: Mapping[str, str]) -> tuple[str, str]:
    return record["first"], record["last"]
