"""Why an answer rests on these sources: its signals in plain words. For everybody who opens it, never as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.querylog.models import Turn

# What the confidence of a search is called; below the last it is "hardly".
_FITS_WELL: Final = 0.75
_FITS_PARTLY: Final = 0.4
_MOST_NAMED: Final = 3


def why_these(turn: Turn) -> tuple[str, ...]:
    """Return the sentences; none where nothing was searched, and nothing is known that would help a reader."""
    sources = _sources(turn.shown)
    if not turn.signals or not sources:
        return ()
    lines = [_fit(turn.confidence), _breadth(sources), _ages(sources), _missing(turn.signals), _rule(turn), _made(turn)]
    return tuple(line for line in lines if line)


def _sources(shown: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    found = {
        citation["source"]["uuid"]: citation["source"]
        for item in shown
        if item["type"] == "sentence"
        for citation in item["citations"]
    }
    return list(found.values())


def _fit(confidence: float | None) -> str:
    if confidence is None:
        return ""
    if confidence >= _FITS_WELL:
        return _("The passages fit the question well.")
    if confidence >= _FITS_PARTLY:
        return _("The passages fit the question in part: please read them yourself.")
    return _("The passages hardly fit the question: please read them yourself.")


def _breadth(sources: Sequence[dict[str, Any]]) -> str:
    parties = {source["party_slug"] for source in sources} - {""}
    said = ngettext("%(n)d source is quoted.", "%(n)d different sources are quoted.", len(sources)) % {
        "n": len(sources)
    }
    if not parties:
        return said
    own = ngettext(
        "%(n)d party speaks for itself there.", "%(n)d parties speak for themselves there.", len(parties)
    ) % {"n": len(parties)}
    return f"{said} {own}"


def _ages(sources: Sequence[dict[str, Any]]) -> str:
    days = sorted(date.fromisoformat(source["published"]) for source in sources if source["published"])
    if not days:
        return ""
    if days[0] == days[-1]:
        return _("They are from %(day)s.") % {"day": date_format(days[0])}
    return _("The oldest is from %(first)s, the newest from %(last)s.") % {
        "first": date_format(days[0]),
        "last": date_format(days[-1]),
    }


def _missing(signals: dict[str, Any]) -> str:
    missing = [str(each) for each in signals.get("coverage_signals", {}).get("question_aspects_missing", []) if each]
    if not missing:
        return ""
    return _("Nothing was found on: %(names)s.") % {"names": "; ".join(missing[:_MOST_NAMED])}


def _rule(turn: Turn) -> str:
    return _("Our editors have chosen documents for questions like this one.") if turn.rule_uid else ""


def _made(turn: Turn) -> str:
    if turn.versions.get("writing"):
        return _("A language model wrote the sentences; a program checked each against its source before you saw it.")
    return _("A program chose the sentences. It quotes them word for word and adds nothing.")
