"""Paragraph and character styles of a DOCX, with inheritance: heading levels, hiding, numbering."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from apps.documents.parsing.archives import local_attribute, local_child, local_name

# Word stores English names for its own styles; other programs and older templates store what the author saw.
_HEADING_NAME = re.compile(
    r"(?:heading|überschrift|berschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|заголовок)\s*([1-9])$",
    re.IGNORECASE,
)
_TITLE_NAMES = frozenset(("title", "titel", "titre", "título", "titolo"))
_COLOUR = re.compile(r"[0-9a-fA-F]{6}")
_MAX_DEPTH = 20


class Styles:
    """Looks up what a style and its ancestors say."""

    def __init__(self, root: etree._Element | None) -> None:
        self._styles: dict[str, etree._Element] = {}
        self._default = ""
        for element in root if root is not None else ():
            if local_name(element) == "style":
                identity = local_attribute(element, "styleId") or ""
                self._styles[identity] = element
                is_default = local_attribute(element, "default") in ("1", "true", "on")
                if is_default and local_attribute(element, "type") == "paragraph":
                    self._default = identity

    def paragraph_style(self, properties: etree._Element | None) -> str:
        """Return the id of a paragraph's style; the default style where it names none."""
        return local_attribute(local_child(properties, "pStyle"), "val") or self._default

    def heading_level(self, style: str, properties: etree._Element | None) -> int:
        """Return 1 to 9 for headings and titles, else 0. The paragraph's own outline level comes first."""
        own = local_attribute(local_child(properties, "outlineLvl"), "val")
        if own is not None:
            return _outline(own)
        for element in self._chain(style):
            name = (local_attribute(local_child(element, "name"), "val") or "").strip().lower()
            found = _HEADING_NAME.match(name)
            if found:
                return int(found.group(1))
            if name in _TITLE_NAMES:
                return 1
            outline = local_attribute(local_child(element, "pPr", "outlineLvl"), "val")
            if outline is not None:
                return _outline(outline)
        return 0

    def is_title(self, style: str) -> bool:
        """Return whether the style is the document title's."""
        element = self._styles.get(style)
        name = local_attribute(local_child(element, "name"), "val") or ""
        return name.strip().lower() in _TITLE_NAMES

    def is_table_of_contents(self, style: str) -> bool:
        """Return whether the style is one of Word's contents levels ("toc 1")."""
        name = local_attribute(local_child(self._styles.get(style), "name"), "val") or ""
        return bool(re.match(r"(?:toc|verzeichnis)\s*\d$", name.strip(), re.IGNORECASE))

    def run_properties(self, style: str) -> Iterator[etree._Element]:
        """Yield the run properties of a style and its ancestors, the nearest first."""
        for element in self._chain(style):
            properties = local_child(element, "rPr")
            if properties is not None:
                yield properties

    def numbering(self, style: str) -> tuple[str, str | None] | None:
        """Return (numId, ilvl or None) that the style or an ancestor sets, else None."""
        for element in self._chain(style):
            numbering = local_child(element, "pPr", "numPr")
            identity = local_attribute(local_child(numbering, "numId"), "val")
            if identity is not None:
                return identity, local_attribute(local_child(numbering, "ilvl"), "val")
        return None

    def has_dark_shading(self, style: str) -> bool:
        """Return whether a table style fills cells: white text may then be a printed table head."""
        for element in self._chain(style):
            if any(is_dark(shading) for shading in element.iter() if local_name(shading) == "shd"):
                return True
        return False

    def _chain(self, style: str) -> Iterator[etree._Element]:
        for _ in range(_MAX_DEPTH):
            element = self._styles.get(style)
            if element is None:
                return
            yield element
            style = local_attribute(local_child(element, "basedOn"), "val") or ""


def is_dark(shading: etree._Element | None) -> bool:
    """Return whether a shading's fill is far enough from white to carry white text."""
    if shading is None:
        return False
    if local_attribute(shading, "themeFill") in ("background1", "light1"):
        return False
    fill = local_attribute(shading, "fill") or ""
    if not _COLOUR.fullmatch(fill):
        return local_attribute(shading, "themeFill") is not None
    return is_dark_colour(fill)


def is_dark_colour(colour: str) -> bool:
    """Return whether six hexadecimal digits are a colour on which white can be read."""
    return bool(_COLOUR.fullmatch(colour)) and min(int(colour[place : place + 2], 16) for place in (0, 2, 4)) < 215


def _outline(value: str) -> int:
    return int(value) + 1 if value.isdigit() and int(value) < 9 else 0
