"""What a sentence claims that another may contradict: days, amounts with their unit, and whether it denies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from apps.language.numbers import values
from apps.language.stemming import stem
from apps.rag.time_names import MONTHS

_AMOUNT: Final = re.compile(
    r"(?<![\w.,])(?P<n>\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)\s?"
    r"(?P<scale>(?:Tausend|Millionen|Million|Milliarden|Milliarde|Mio\.|Mrd\.|thousand|million|billion)\s)?"
    r"(?P<unit>%|€|[A-Za-zÄÖÜäöüß]{3,})",
)
# "Im Januar", "Mitte Dezember": a month without its year.
_BARE_MONTH: Final = re.compile(
    rf"\b(?:im|in|ab|seit|bis|anfang|mitte|ende|early|mid|late)\s+(?P<month>{'|'.join(MONTHS)})\b", re.IGNORECASE
)
_UNITS: Final = {"€": "euro", "%": "prozent", "euros": "euro", "percent": "prozent", "prozentpunkte": "prozent"}
_DENIES: Final = re.compile(
    r"\b(?:nicht|kein(?:e[mnrs]?)?|nie|niemals|ohne|weder|nichts|lehnt|lehnen|not|no|never|without|nothing|neither"
    r"|reject(?:s|ed)?|oppose[sd]?)\b",
    re.IGNORECASE,
)
# The newer source says itself that something is no longer as it was.
_CHANGED: Final = re.compile(
    r"\b(?:verschiebt|verschieben|verschob(?:en)?|verschoben|verleg(?:t|ten|te)|entfällt"
    r"|entfallen|rück\w* (?:vom?|von) .{0,60}ab\b"
    r"|(?:langsamer|später|früher|weniger|mehr|anders) .{0,40}als .{0,40}(?:angekündigt|geplant|versprochen|zugesagt)"
    r"|nicht mehr|bislang|ursprünglich|anders als bisher|statt(?:dessen)?|zurückgenommen|revidiert|korrigiert"
    r"|postponed|delayed|no longer|originally|instead|later than|revised|dropped)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claims:
    """The figures of one sentence. ``amounts`` are pairs of unit and value; the sets of days get coarser.

    ``of_any_year`` are the months, from "01", of whichever year.
    """

    dates: frozenset[str]
    months: frozenset[str]
    years: frozenset[str]
    days: frozenset[str]
    amounts: frozenset[tuple[str, str]]
    of_any_year: frozenset[str] = frozenset()


def claims_of(text: str, language: str) -> Claims:
    """Return what a sentence states in figures."""
    found = values(text, language)
    kinds = {kind: frozenset(value.text for value in found if value.kind == kind) for kind in ("date", "month", "day")}
    years = frozenset(value.text for value in found if value.kind == "number" and _is_year(value.text))
    dated = {value.split("-")[1] for value in kinds["month"]} | {value.split("-")[0] for value in kinds["day"]}
    bare = {f"{MONTHS[match['month'].lower()]:02}" for match in _BARE_MONTH.finditer(text)}
    amounts = frozenset(_amounts(text, language))
    return Claims(kinds["date"], kinds["month"], years, kinds["day"], amounts, frozenset(dated | bare))


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdigit() and text[:2] in ("19", "20")


def _amounts(text: str, language: str) -> list[tuple[str, str]]:
    amounts = []
    for match in _AMOUNT.finditer(text):
        unit = match["unit"].lower()
        named = _UNITS.get(unit, unit)
        stated = [value.text for value in values(match.group(), language) if value.kind == "number"]
        amounts += [(stem(named, language), number) for number in stated if not _is_year(number)]
    return amounts


def times_differ(one: Claims, other: Claims) -> bool:
    """Say whether two sentences name other times, compared as finely as both allow."""
    for mine, theirs in (
        (one.dates, other.dates),
        (one.months, other.months),
        (one.years, other.years),
        (one.days, other.days),
        (one.of_any_year, other.of_any_year),
    ):
        if mine and theirs:
            return not mine & theirs
    return False


def amounts_differ(one: Claims, other: Claims) -> bool:
    """Say whether two sentences give another amount of the same, such as two prices in euros."""
    units = {unit for unit, _ in one.amounts} & {unit for unit, _ in other.amounts}
    pairs = [
        ({number for each, number in one.amounts if each == unit}, {n for each, n in other.amounts if each == unit})
        for unit in units
    ]
    return bool(pairs) and all(not mine & theirs for mine, theirs in pairs)


def denies(text: str) -> bool:
    """Say whether a sentence is put in the negative."""
    return bool(_DENIES.search(text))


def tells_of_change(text: str) -> bool:
    """Say whether a sentence reports that something is no longer as it was announced."""
    return bool(_CHANGED.search(text))
