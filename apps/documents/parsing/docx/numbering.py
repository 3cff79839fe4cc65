"""List and heading numbers of a DOCX, which are computed by Word and not stored as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from apps.documents.parsing.archives import local_attribute, local_child, local_name
from apps.documents.parsing.docx.styles import Styles
from apps.documents.parsing.ordinals import ordinal

BULLET = "•"
_STYLES = {
    "decimal": "1", "decimalZero": "01", "lowerLetter": "a", "upperLetter": "A", "lowerRoman": "i", "upperRoman": "I",
}  # fmt: skip
_PLACE = re.compile(r"%([1-9])")
_MAX_LEVELS = 9


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    style: str
    text: str
    is_legal: bool
    paragraph_style: str


@dataclass(slots=True)
class _Counter:
    values: list[int | None] = field(default_factory=lambda: [None] * _MAX_LEVELS)


class Numbering:
    """Counts list paragraphs in document order; one instance per document."""

    def __init__(self, root: etree._Element | None, styles: Styles) -> None:
        self._styles = styles
        self._abstract: dict[str, dict[int, _Level]] = {}
        self._linked: dict[str, str] = {}
        self._numbers: dict[str, str] = {}
        self._overrides: dict[str, dict[int, _Level]] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        self._counters: dict[str, _Counter] = {}
        self._begun: set[str] = set()
        for element in root if root is not None else ():
            if local_name(element) == "abstractNum":
                self._read_abstract(element)
            elif local_name(element) == "num":
                self._read_number(element)

    def label(self, properties: etree._Element | None, style: str) -> str:
        """Return the printed mark of the next paragraph ("•", "1.", "2.1", "a)"), or an empty string."""
        number, level = self._place(properties, style)
        if number in ("", "0") or number not in self._numbers:
            return ""
        abstract = self._resolve(number)
        levels = self._abstract.get(abstract, {}) | self._overrides.get(number, {})
        if level not in levels:
            return ""
        values = self._count(number, abstract, level, levels)
        return _format(levels, level, values)

    def _place(self, properties: etree._Element | None, style: str) -> tuple[str, int]:
        own = local_child(properties, "numPr")
        inherited = self._styles.numbering(style)
        number = local_attribute(local_child(own, "numId"), "val")
        level = local_attribute(local_child(own, "ilvl"), "val")
        if number is None and inherited:
            number, level = inherited[0], level or inherited[1]
        if number is None:
            return "", 0
        if level is None:
            levels = self._abstract.get(self._resolve(number), {})
            level = next((str(key) for key, value in levels.items() if value.paragraph_style == style), "0")
        return number, int(level) if level.isdigit() else 0

    def _resolve(self, number: str) -> str:
        """Follow a link to a list style (``numStyleLink``) once."""
        abstract = self._numbers.get(number, "")
        if abstract in self._linked:
            linked = self._styles.numbering(self._linked[abstract])
            if linked:
                return self._numbers.get(linked[0], abstract)
        return abstract

    def _count(self, number: str, abstract: str, level: int, levels: dict[int, _Level]) -> list[int]:
        counter = self._counters.setdefault(abstract, _Counter())
        if number not in self._begun:
            self._begun.add(number)
            for place, start in self._restarts.get(number, {}).items():
                counter.values[place] = start - 1
        for place in range(level):
            if counter.values[place] is None:
                counter.values[place] = levels[place].start if place in levels else 1
        current = counter.values[level]
        counter.values[level] = levels[level].start if current is None else current + 1
        for place in range(level + 1, _MAX_LEVELS):
            counter.values[place] = None
        return [value or 0 for value in counter.values]

    def _read_abstract(self, element: etree._Element) -> None:
        identity = local_attribute(element, "abstractNumId") or ""
        link = local_attribute(local_child(element, "numStyleLink"), "val")
        if link:
            self._linked[identity] = link
        self._abstract[identity] = dict(_level(part) for part in element if local_name(part) == "lvl")

    def _read_number(self, element: etree._Element) -> None:
        identity = local_attribute(element, "numId") or ""
        self._numbers[identity] = local_attribute(local_child(element, "abstractNumId"), "val") or ""
        for part in element:
            if local_name(part) != "lvlOverride":
                continue
            place = _number(local_attribute(part, "ilvl"), 0)
            level = local_child(part, "lvl")
            if level is not None:
                self._overrides.setdefault(identity, {})[place] = _level(level)[1]
            start = local_attribute(local_child(part, "startOverride"), "val")
            if start is not None and place < _MAX_LEVELS:
                self._restarts.setdefault(identity, {})[place] = _number(start, 1)


def _level(element: etree._Element) -> tuple[int, _Level]:
    place = min(_number(local_attribute(element, "ilvl"), 0), _MAX_LEVELS - 1)
    legal = local_child(element, "isLgl")
    return place, _Level(
        start=_number(local_attribute(local_child(element, "start"), "val"), 0),
        style=local_attribute(local_child(element, "numFmt"), "val") or "decimal",
        text=local_attribute(local_child(element, "lvlText"), "val") or "",
        is_legal=legal is not None and local_attribute(legal, "val") not in ("0", "false"),
        paragraph_style=local_attribute(local_child(element, "pStyle"), "val") or "",
    )


def _format(levels: dict[int, _Level], level: int, values: list[int]) -> str:
    own = levels[level]
    if own.style == "bullet":
        return BULLET
    if own.style == "none" and not own.text.strip():
        return ""

    def place(found: re.Match[str]) -> str:
        index = int(found.group(1)) - 1
        style = "decimal" if own.is_legal or index not in levels else levels[index].style
        return "" if style == "none" else ordinal(values[index], _STYLES.get(style, "1"))

    return _PLACE.sub(place, own.text).strip()


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdigit() and len(text) < 7 else default
