"""Every quantity that a sentence states, in figures or in words, and what a source states by it: for the gate alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Final

from apps.language.normalising import fold
from apps.language.number_words import cardinal, number_values
from apps.language.numbers import values
from apps.language.tokenising import tokenise
from apps.rag.time_names import MONTHS, PARTS, SEASONS, WEEKDAYS


@dataclass(frozen=True, slots=True)
class Quantity:
    """``kind`` is one of ``Value``'s, or fraction, multiple, month_of_year, part, season or weekday."""

    kind: str
    text: str


_ENGLISH_TENS: Final = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_TENS: Final = re.compile(
    rf"\b(?P<tens>{_ENGLISH_TENS})[- ](?P<ones>one|two|three|four|five|six|seven|eight|nine)\b", re.IGNORECASE
)
_WORD: Final = re.compile(r"\b[^\W\d_]{3,40}\b")
_BEHIND: Final = re.compile(
    r"\s+(?:(?P<scale>Tausend|Million(?:en)?|Milliarden?|thousand|million|billion)\b)?\s*"
    r"(?P<percent>%|Prozent|percent|per cent)?",
    re.IGNORECASE,
)
_SCALES: Final = {
    "tausend": 3,
    "thousand": 3,
    "million": 6,
    "millionen": 6,
    "milliarde": 9,
    "milliarden": 9,
    "billion": 9,
}
_COUNT: Final = r"(?P<n>\d+|[^\W\d_]+)"
_DIVIDED: Final = {
    "drittel": 3, "third": 3, "thirds": 3, "viertel": 4, "quarter": 4, "quarters": 4, "fünftel": 5, "fifth": 5,
    "fifths": 5, "sechstel": 6, "achtel": 8, "zehntel": 10, "tenth": 10, "tenths": 10,
}  # fmt: skip
_FRACTION: Final = re.compile(rf"\b{_COUNT}[ -](?P<d>{'|'.join(_DIVIDED)})\b", re.IGNORECASE)
_HALF: Final = re.compile(r"\b(?:Hälften?|halb(?:e[nmrs]?)|halbier\w*|half|halves|halved?)\b", re.IGNORECASE)
_MULTIPLES: Final = {
    "2": r"(?:ver)?doppel(?:t\w*|n|ung)|zwei(?:fach|mal)\w*|twice|twofold|doubl(?:e[sd]?|ing)",
    "3": r"(?:ver)?dreifach\w*|dreimal\w*|threefold|tripl(?:e[sd]?|ing)",
    "4": r"(?:ver)?vierfach\w*|viermal\w*|fourfold|quadrupl\w+",
    "5": r"(?:ver)?fünffach\w*|fünfmal\w*|fivefold",
    "10": r"(?:ver)?zehnfach\w*|zehnmal\w*|tenfold",
}
_MULTIPLE: Final = {times: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for times, words in _MULTIPLES.items()}
_NAMES: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_PART: Final = "|".join(PARTS)
_MONTH: Final = re.compile(
    rf"\b(?:im|in|ab|seit|bis|vom|zum|zwischen|und|by|until|since|of|from|{_PART})[ -](?:Monat |of )?(?P<m>{_NAMES})\b",
    re.IGNORECASE,
)
_PART_OF: Final = re.compile(
    rf"\b(?P<part>{_PART})[ -](?:of |des Jahres )?(?:(?P<m>{_NAMES})\b|(?P<y>(?:19|20)\d\d)\b)", re.IGNORECASE
)
_SEASON: Final = re.compile(
    r"\b(?:im|vom|zum|seit|bis zum|ab|in|in the|by|of)"
    r" (?P<s>Frühjahr|Frühling|Sommer|Herbst|Winter|spring|summer|autumn|winter)\b",
    re.IGNORECASE,
)
# In English and in German their names have a capital.
_WEEKDAY: Final = re.compile(rf"\b(?:{'|'.join(name.capitalize() for name in WEEKDAYS)})\b")
_NUMBER: Final = r"\d+(?:[.,]\d+)*"
_RANGE: Final = re.compile(
    rf"(?<![\w.,])(?P<low>{_NUMBER}|[^\W\d_]+)\s?(?:bis|–|-|und|oder|to|and|or)\s?(?:{_NUMBER}|[^\W\d_]+)\s?"
    r"(?P<unit>%|Prozent|percent|Millionen|Milliarden|Mio\.|Mrd\.|million|billion|Uhr)",
    re.IGNORECASE,
)
# Parts overlap: the 10th is early for one writer and mid-month for the next.
_PARTS_OF_MONTH: Final = ((0, 1, 12), (1, 9, 22), (2, 19, 31))
_PARTS_OF_YEAR: Final = ((0, 1, 4), (1, 4, 9), (2, 9, 12))
_TENTHS: Final = (2, 4, 5, 10)


def said_quantities(text: str, language: str) -> frozenset[Quantity]:
    """Return what a sentence claims: its figures by value, and what it says in words."""
    text = _TENS.sub(_in_figures, text)
    fractions = frozenset(_fractions(text))
    counted = _FRACTION.sub(" ", text)
    return fractions.union(
        (Quantity(value.kind, value.text) for value in values(counted, language)),
        _words(counted, language),
        (Quantity("multiple", times) for times, pattern in _MULTIPLE.items() if pattern.search(text)),
        _times(text),
    )


def stated_quantities(text: str, language: str) -> frozenset[Quantity]:
    """Return everything that a source states: what it says and what follows, such as the weekday of a date."""
    said = set(said_quantities(text, language))
    for match in _RANGE.finditer(text):
        said |= said_quantities(f"{match['low']} {match['unit']}", language)
    said |= _in_long_words(text)
    return frozenset(said.union(*(_followed(each) for each in said)))


def _in_long_words(text: str) -> set[Quantity]:
    """The numbers inside words and of hyphenated ones: "zweijährig", "Fünf-Prozent-Hürde"."""
    tokens = tokenise(text)
    found = {Quantity("number", each) for token in tokens for each in number_values(token.folded)}
    for token, following in pairwise(tokens):
        if following.folded.startswith("prozent"):
            found |= {Quantity("percent", each) for each in number_values(token.folded)}
    return found


def _in_figures(match: re.Match[str]) -> str:
    return str((cardinal(match["tens"].lower()) or 0) + (cardinal(match["ones"].lower()) or 0))


def _words(text: str, language: str) -> Iterator[Quantity]:
    """Numbers in words. One is an article as a rule, and a noun ("in Acht nehmen") is no number."""
    for match in _WORD.finditer(text):
        is_noun = match.group()[0].isupper() and match.start() > 0
        number = None if is_noun else cardinal(fold(match.group()))
        if number is None or number == 1:
            continue
        behind = _BEHIND.match(text, match.end())
        named = (behind["scale"] or "").lower() if behind else ""
        scale = _SCALES.get(named, 0) + (3 if named == "billion" and language != "en" else 0)
        amount = str(number * 10**scale)
        yield Quantity("number", amount)
        if behind and behind["percent"]:
            yield Quantity("percent", amount)


def _fractions(text: str) -> Iterator[Quantity]:
    for match in _FRACTION.finditer(text):
        counted = match["n"].lower()
        count = int(counted) if counted.isdigit() else _ones(counted)
        if count:
            yield Quantity("fraction", str(Fraction(count, _DIVIDED[match["d"].lower()])))
    if _HALF.search(text):
        yield Quantity("fraction", "1/2")


def _ones(word: str) -> int | None:
    return 1 if word in ("ein", "eine", "einem", "einen", "eines", "a", "one") else cardinal(fold(word))


def _times(text: str) -> Iterator[Quantity]:
    for match in _MONTH.finditer(text):
        yield Quantity("month_of_year", f"{MONTHS[match['m'].lower()]:02}")
    for match in _PART_OF.finditer(text):
        of = f"{MONTHS[match['m'].lower()]:02}" if match["m"] else match["y"]
        yield Quantity("part", f"{PARTS[match['part'].lower()]} {of}")
    for match in _SEASON.finditer(text):
        yield Quantity("season", _season(SEASONS[match["s"].lower()]))
    for match in _WEEKDAY.finditer(text):
        yield Quantity("weekday", str(WEEKDAYS[match.group().lower()]))


def _season(months: tuple[int, int]) -> str:
    return f"{months[0]}-{months[1]}"


def _followed(said: Quantity) -> Iterable[Quantity]:
    """What a source states without saying it."""
    if said.kind == "percent":
        share = Fraction(Decimal(said.text)) / 100
        return [Quantity("fraction", str(share))] if share.denominator <= max(_TENTHS) else []
    if said.kind == "fraction":
        share = Fraction(said.text)
        percent = share * 100
        return [Quantity("percent", str(percent)), Quantity("number", str(percent))] if percent.denominator == 1 else []
    if said.kind == "date":
        return _of_date(date.fromisoformat(said.text)) if _is_date(said.text) else []
    if said.kind == "month":
        return _of_month(int(said.text[5:]), said.text[:4])
    if said.kind == "day":
        month, day = map(int, said.text.split("-"))
        return [*_of_month(month), *_parts(_PARTS_OF_MONTH, day, f"{month:02}")]
    return _of_month(int(said.text)) if said.kind == "month_of_year" else []


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _of_date(day: date) -> list[Quantity]:
    return [Quantity("weekday", str(day.weekday())), *_parts(_PARTS_OF_YEAR, day.month, str(day.year))]


def _of_month(month: int, year: str = "") -> list[Quantity]:
    found = [Quantity("month_of_year", f"{month:02}")]
    found += [
        Quantity("season", _season(months))
        for months in set(SEASONS.values())
        if months[0] <= month <= months[1] or months[0] <= month + 12 <= months[1]
    ]
    return found + (_parts(_PARTS_OF_YEAR, month, year) if year else [])


def _parts(parts: tuple[tuple[int, int, int], ...], at: int, of: str) -> list[Quantity]:
    return [Quantity("part", f"{part} {of}") for part, first, last in parts if first <= at <= last]
