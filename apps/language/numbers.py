"""Numbers, percentages, dates and times by value, so that a sentence's figures can be sought in its source."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

ValueKind = Literal["number", "percent", "date", "month", "day", "time"]


@dataclass(frozen=True, slots=True, order=True)
class Value:
    """One figure: `text` is canonical (1500000, 15.5, 2025-07-01, 2025-07, 07-01, 18:00)."""

    kind: ValueKind
    text: str


_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "januar jänner january jan", "februar feber february feb", "märz maerz march mar mär", "april apr",
            "mai may", "juni june jun", "juli july jul", "august aug", "september sept sep",
            "oktober october okt oct", "november nov", "dezember december dez dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH: Final = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_YEAR: Final = r"(?:1[5-9]|2[01])\d\d"
_SCALES: Final = {
    "tausend": 3, "tsd": 3, "thousand": 3, "million": 6, "millionen": 6, "mio": 6, "milliarde": 9,
    "milliarden": 9, "mrd": 9, "billion": 12, "billionen": 12,
}  # fmt: skip
_ENGLISH_SCALES: Final = {**_SCALES, "billion": 9, "bn": 9, "trillion": 12}
_UNITS: Final = (
    "prozent|prozentpunkte?|euro|cent|jahre?n?|tage?n?|wochen?|monate?n?|stunden?|uhr|millionen|milliarden"
    "|percent|euros|years?|days?|weeks?|months?|hours?"
)
_WORDS: Final = {
    word: value
    for value, words in {
        1: "ein eine einem einen einer eines one", 2: "zwei two", 3: "drei three", 4: "vier four", 5: "fünf fuenf five",
        6: "sechs six", 7: "sieben seven", 8: "acht eight", 9: "neun nine", 10: "zehn ten", 11: "elf eleven",
        12: "zwölf zwoelf twelve", 15: "fünfzehn fifteen", 16: "sechzehn sixteen", 18: "achtzehn eighteen",
        20: "zwanzig twenty", 30: "dreißig dreissig thirty", 50: "fünfzig fifty", 100: "hundert hundred",
    }.items()
    for word in words.split()
}  # fmt: skip
_DATES: Final = (
    re.compile(rf"\b(?P<y>{_YEAR})-(?P<m>\d\d)-(?P<d>\d\d)\b"),
    re.compile(rf"\b(?P<d>\d{{1,2}})\.\s?(?P<m>\d{{1,2}})\.\s?(?P<y>{_YEAR}|\d\d(?![\d.]))?(?!\d)"),
    re.compile(rf"\b(?P<d>\d{{1,2}})\.?\s+(?:of\s+)?(?P<n>{_MONTH})(?:,?\s+(?P<y>{_YEAR})\b)?", re.IGNORECASE),
    re.compile(
        rf"\b(?P<n>{_MONTH})\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y>{_YEAR})\b)?(?![.,]?\d)", re.IGNORECASE
    ),
    re.compile(rf"\b(?P<n>{_MONTH})\s+(?P<y>{_YEAR})\b", re.IGNORECASE),
)
_TIME: Final = re.compile(
    r"\b(?P<h>[01]?\d|2[0-4])(?:[:.](?P<min>[0-5]\d))?\s?Uhr\b"
    r"|\b(?P<h2>[01]?\d|2[0-3]):(?P<min2>[0-5]\d)\b"
)
# Only in English: "um 8 am Wahltag" is no time of day.
_CLOCK: Final = re.compile(r"\b(?P<h>1[0-2]|0?[1-9])(?:[:.](?P<min>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?", re.IGNORECASE)
_UNIT: Final = re.compile(rf"(?:%|{'|'.join(_SCALES)}|{_UNITS}|bn|trillion)", re.IGNORECASE)
_NUMBER: Final = re.compile(
    r"(?<![\w.,])(?P<n>\d{1,3}(?:[.,’'\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
    r"(?P<letter>[a-z]\b)?(?:\s?(?P<unit>%|[A-Za-z]+)\.?)?"
)
_WORD_NUMBER: Final = re.compile(
    rf"\b(?P<w>{'|'.join(sorted(_WORDS, key=len, reverse=True))})\s+(?P<unit>{_UNITS})\b", re.IGNORECASE
)


def values(text: str, language: str) -> frozenset[Value]:
    """Return every figure of `text` by value, in all the coarser forms that it also states.

    A date also states its day, month and year, a percentage its number: the figures of a sentence are covered
    when they are a subset of those of its passage.
    """
    return frozenset(value for _, stated in figures(text, language) for value in stated)


def figures(text: str, language: str) -> list[tuple[str, frozenset[Value]]]:
    """Return every figure as it is written, with all that it states: dates and times first, then numbers."""
    found: list[tuple[str, frozenset[Value]]] = []
    rest = _taken(text, found, language)
    for match in _NUMBER.finditer(rest):
        has_unit = bool(match["unit"] and _UNIT.fullmatch(match["unit"]))
        found.append(
            (
                match.group().rstrip(".") if has_unit else match["n"] + (match["letter"] or ""),
                frozenset(_number(match, language)),
            )
        )
    for match in _WORD_NUMBER.finditer(rest):
        stated = _scaled(Decimal(_WORDS[match["w"].lower()]), match["unit"].lower(), language)
        found.append((match.group(), frozenset(stated)))
    return found


def _taken(text: str, found: list[tuple[str, frozenset[Value]]], language: str) -> str:
    """Read dates and times into `found` and blank them out."""

    def take_date(match: re.Match[str]) -> str:
        dated = frozenset(_date(match.groupdict()))
        if dated:
            found.append((match.group().strip(), dated))
        return "\n" if dated else match.group()

    def take_time(match: re.Match[str]) -> str:
        stated = Value("time", f"{int(match['h'] or match['h2']):02}:{match['min'] or match['min2'] or '00'}")
        found.append((match.group().strip(), frozenset([stated])))
        return "\n"

    def take_clock(match: re.Match[str]) -> str:
        hour = int(match["h"]) % 12 + (12 if match["half"].lower() == "p" else 0)
        found.append((match.group().strip(), frozenset([Value("time", f"{hour:02}:{match['min'] or '00'}")])))
        return "\n"

    for pattern in _DATES:
        text = pattern.sub(take_date, text)
    if language == "en":
        text = _CLOCK.sub(take_clock, text)
    return _TIME.sub(take_time, text)


def _date(parts: dict[str, str | None]) -> Iterator[Value]:
    name, month_digits = parts.get("n"), parts.get("m")
    month = _MONTHS[name.rstrip(".").lower()] if name else int(month_digits or 0)
    day = int(parts.get("d") or 0)
    year = parts.get("y")
    if not 1 <= month <= 12 or day > 31 or (parts.get("d") and not day):
        return
    if year and len(year) == 2:
        year = "20" + year
    if day:
        yield Value("day", f"{month:02}-{day:02}")
    if year:
        yield Value("number", year)
        yield Value("month", f"{year}-{month:02}")
    if year and day:
        yield Value("date", f"{year}-{month:02}-{day:02}")


def _number(match: re.Match[str], language: str) -> Iterator[Value]:
    if match["letter"] and match["n"].isdigit():
        yield Value("number", match["n"] + match["letter"])
        return
    yield from _scaled(_decimal(match["n"], language), (match["unit"] or "").lower(), language)


def _scaled(amount: Decimal, unit: str, language: str) -> Iterator[Value]:
    scales = _ENGLISH_SCALES if language == "en" else _SCALES
    text = _canonical(amount.scaleb(scales.get(unit, 0)))
    yield Value("number", text)
    if unit in {"%", "prozent", "percent", "prozentpunkte", "prozentpunkt"}:
        yield Value("percent", text)


def _decimal(text: str, language: str) -> Decimal:
    """Read digits with the separators of the language; groups of three are thousands unless they cannot be."""
    text = re.sub(r"[’'\s]", "", text)
    thousands, point = (",", ".") if language == "en" else (".", ",")
    if re.fullmatch(rf"\d{{1,3}}(?:[{thousands}]\d{{3}})+(?:[{point}]\d+)?", text):
        text = text.replace(thousands, "")
    whole, _, fraction = text.replace(",", ".").rpartition(".")
    return Decimal(f"{whole.replace('.', '')}.{fraction}" if whole else fraction)


def _canonical(amount: Decimal) -> str:
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
