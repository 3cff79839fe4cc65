"""The words and bars of the bench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from django import template
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.answering.bench.fields import NAMES, Field, fields_of, settings_words
from apps.answering.bench.fields import in_words as words_of
from apps.answering.bench.names import EVERYTHING
from apps.answering.bench.plain import Plain
from apps.answering.trace_words import signal_words

register = template.Library()

_SECOND: Final = 1000
# A bar that took no time is still to be seen.
_THINNEST: Final = 0.6
_HERE: Final[Mapping[str, Promise]] = {
    "vector": gettext_lazy("by meaning, place %(place)s"),
    "words": gettext_lazy("by words, place %(place)s"),
    "rule": gettext_lazy("by the rule %(place)s"),
    "party": gettext_lazy("its party was asked about"),
    "recent": gettext_lazy("it is recent"),
    "earlier": gettext_lazy("it was evidence before"),
}


@register.filter
def said(code: Plain, kind: str) -> str:
    """Return the words for a code of a kind; a code that has none as it is."""
    known = EVERYTHING.get(kind, {}).get(str(code))
    return str(code) if known is None else str(known)


@register.filter
def named(name: str) -> str:
    """Return the name of a value."""
    known = NAMES.get(name)
    return name.replace("_", " ") if known is None else str(known)


@register.filter
def fields(values: Mapping[str, Plain]) -> list[Field]:
    """Return values with their names."""
    return fields_of(values)


@register.filter
def in_words(value: Plain) -> str:
    """Return one value as people read it."""
    return words_of(value)


@register.filter
def signal_sentences(signals: Mapping[str, Plain]) -> list[str]:
    """Return what the signals say, in sentences."""
    return list(signal_words(signals, with_words=True))


@register.filter
def settings_name(name: str) -> str:
    """Return what a version of the settings is called."""
    return settings_words(name)


@register.filter
def why_here(reason: str) -> str:
    """Return why a passage was found."""
    pieces = (piece.partition(":") for piece in reason.split())
    return ", ".join(str(_HERE[name]) % {"place": place} for name, _sign, place in pieces if name in _HERE)


@register.filter
def moment(iso: str) -> str:
    """Return a moment as the page writes it."""
    return date_format(timezone.localtime(datetime.fromisoformat(iso)), "SHORT_DATETIME_FORMAT")


@register.filter
def duration(ms: float | None) -> str:
    """Return milliseconds, or seconds from one on."""
    if ms is None:
        return _("never")
    if ms >= _SECOND:
        return _("%(number)s s") % {"number": number_format(ms / _SECOND, decimal_pos=2)}
    return _("%(number)s ms") % {"number": number_format(ms, decimal_pos=1)}


@register.filter
def bars(spans: Sequence[tuple[float, float]], total: float) -> Iterator[dict[str, str]]:
    """Return begin and width of each span in percent of the whole, as the drawing wants numbers: with a point."""
    whole = max(total, 0.1)
    for began, ms in spans:
        left = min(100 * began / whole, 100 - _THINNEST)
        width = max(min(100 * ms / whole, 100 - left), _THINNEST)
        yield {"left": f"{left:.2f}", "width": f"{width:.2f}"}
