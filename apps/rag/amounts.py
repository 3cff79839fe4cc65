"""Amounts with their unit and with what bounds them: "mehr als 15 Euro" is neither 15 Prozent nor höchstens 15 Euro."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from apps.language.normalising import fold
from apps.language.number_words import cardinal
from apps.language.numbers import values

_UNITS: Final = {
    "euro": "€|euros?|eur", "cent": "cents?", "percent": "%|prozent(?:punkten?|punkte?)?|percent|per cent",
    "year": "jahre?[ns]?|years?", "month": "monate?[ns]?|months?", "week": "wochen?|weeks?", "day": "tage?[ns]?|days?",
    "hour": "stunden?|hours?", "minute": "minuten?|minutes?", "dollar": r"dollars?|\$",
    "kilometre": "kilometern?|km|kilometres?|kilometers?", "hectare": "hektar|hectares?",
    "tonne": "tonnen?|tonnes?|tons?",
    "degree": "grad|degrees?", "gigawatt": "gigawatt|gw", "megawatt": "megawatt|mw",
}  # fmt: skip
_UNIT: Final = "|".join(f"(?P<{name}>(?:{words})(?!\\w))" for name, words in _UNITS.items())
_LEAST: Final = r"mindestens|wenigstens|mehr als|über|at least|more than|over|no less than|nicht weniger als"
_MOST: Final = r"höchstens|maximal|weniger als|unter|bis zu|at most|up to|less than|under|no more than|nicht mehr als"
_AMOUNT: Final = re.compile(
    rf"(?:\b(?:(?P<least>{_LEAST})|(?P<most>{_MOST}))\s+(?:rund |etwa |ca\. |about )?)?"
    r"(?<![\w.,:])(?P<n>\d{1,3}(?:[.\u00a0\u202f ]\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)*|[^\W\d_]{3,40})\b(?!:\d)"
    r"(?:\s?(?P<scale>Tausend|Millionen|Million|Milliarden|Milliarde|Mio\.|Mrd\.|thousand|million|billion)\b)?"
    rf"(?:\s?(?:{_UNIT}))?",
    re.IGNORECASE,
)

_UNIT_WORDS: Final = re.compile(rf"(?<!\w)(?:{'|'.join(_UNITS.values())})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """``unit`` is "" where none is known, ``bound`` "least", "most" or ""."""

    number: str
    unit: str
    bound: str = ""


def amounts_in(text: str, language: str) -> list[Amount]:
    """Return the amounts of a text in their order, by value."""
    return list(_amounts(text, language))


def without_units(text: str) -> str:
    """Return the text with the names of units left out: two sentences about euros need not be about the same."""
    return _UNIT_WORDS.sub(" ", text)


def _amounts(text: str, language: str) -> Iterator[Amount]:
    position = 0
    while match := _AMOUNT.search(text, position):
        position = max(match.end(), position + 1)
        number = _number(match, language)
        if number is None:
            # "Über die Hälfte": the word behind may be the number.
            position = match.end("n")
            continue
        unit = next((name for name in _UNITS if match[name]), "")
        bound = "least" if match["least"] else "most" if match["most"] else ""
        yield Amount(number, unit, bound)


def _number(match: re.Match[str], language: str) -> str | None:
    scale = f" {match['scale']}" if match["scale"] else ""
    written = match["n"]
    if not written[0].isdigit():
        counted = cardinal(fold(written))
        if counted is None or (not match["scale"] and counted == 1):
            return None
        written = str(counted)
    stated = [value.text for value in values(f"{written}{scale}", language) if value.kind == "number"]
    return stated[0] if stated else None


def other_amount(said: list[Amount], stated: list[Amount]) -> bool:
    """Say whether a sentence gives a number of its source another unit, or turns its bound round."""
    for amount in said:
        same = [each for each in stated if each.number == amount.number]
        units = {each.unit for each in same}
        if amount.unit and units and "" not in units and amount.unit not in units:
            return True
        bounds = {each.bound for each in same if not amount.unit or each.unit in ("", amount.unit)}
        if amount.bound and bounds and bounds <= {"least", "most"} - {amount.bound}:
            return True
    return False
