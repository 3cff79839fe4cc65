"""Styles of OpenDocument files: what hides text, what numbers lists. Used by the ODT and ODS parsers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from apps.documents.parsing.archives import local_attribute, local_child, local_name
from apps.documents.parsing.ordinals import ordinal

BULLET = "•"
_MAX_DEPTH = 20
_MAX_LEVEL = 10


class OdfStyles:
    """Looks up named and automatic styles with their parents, and list levels."""

    def __init__(self, *roots: etree._Element | None) -> None:
        self._styles: dict[str, etree._Element] = {}
        self._lists: dict[str, dict[int, etree._Element]] = {}
        self._outline: dict[int, etree._Element] = {}
        for root in roots:
            for element in root.iter() if root is not None else ():
                name = local_name(element)
                if name == "style":
                    self._styles[local_attribute(element, "name") or ""] = element
                elif name in ("list-style", "outline-style"):
                    levels = {_whole(local_attribute(level, "level"), 1): level for level in element}
                    if name == "outline-style":
                        self._outline = levels
                    else:
                        self._lists[local_attribute(element, "name") or ""] = levels

    def is_hidden(self, name: str) -> bool:
        """Return whether text of this style is not shown, or white, or too small to read."""
        if self.property(name, "text-properties", "display") == "none":
            return True
        size = self.property(name, "text-properties", "font-size") or ""
        if re.fullmatch(r"[\d.]+pt", size) and float(size[:-2]) < 3:
            return True
        colour = (self.property(name, "text-properties", "color") or "").lower()
        is_white = bool(re.fullmatch(r"#[ef][0-9a-f][ef][0-9a-f][ef][0-9a-f]", colour)) and colour >= "#eb"
        return is_white and not self.has_dark_ground(name)

    def is_visibly_coloured(self, name: str) -> bool:
        """Return whether the style sets a colour that is not white, and so ends a hidden parent."""
        colour = self.property(name, "text-properties", "color")
        return colour is not None and not self.is_hidden(name)

    def has_dark_ground(self, name: str) -> bool:
        """Return whether the style fills the ground behind its text with something other than white."""
        for part in ("text-properties", "paragraph-properties", "table-cell-properties", "graphic-properties"):
            for attribute in ("background-color", "fill-color"):
                value = self.property(name, part, attribute)
                if value and value not in ("transparent", "none") and not value.lower().startswith(("#f", "#e")):
                    return True
        return False

    def property(self, name: str, part: str, attribute: str) -> str | None:
        """Return an attribute of a style's property element, the nearest ancestor's first."""
        for style in self._chain(name):
            value = local_attribute(local_child(style, part), attribute)
            if value is not None:
                return value
        return None

    def list_label(self, style: str, level: int, counters: list[int]) -> str:
        """Return the printed mark for a list item; ``counters[level - 1]`` is its number."""
        return _label(self._lists.get(style, {}), level, counters) or BULLET

    def list_start(self, style: str, level: int) -> int:
        """Return the first number of a list level."""
        return _whole(local_attribute(self._lists.get(style, {}).get(level), "start-value"), 1)

    def list_style_of(self, paragraph_style: str) -> str:
        """Return the list style that a paragraph style names, or an empty string."""
        for style in self._chain(paragraph_style):
            name = local_attribute(style, "list-style-name")
            if name:
                return name
        return ""

    def outline_label(self, level: int, counters: list[int]) -> str:
        """Return the number in front of a heading, or an empty string."""
        return _label(self._outline, level, counters)

    def is_title(self, name: str) -> bool:
        """Return whether the style or an ancestor is the document title's."""
        return any((local_attribute(style, "name") or "") in ("Title", "Titel") for style in self._chain(name))

    def _chain(self, name: str) -> Iterator[etree._Element]:
        for _ in range(_MAX_DEPTH):
            style = self._styles.get(name)
            if style is None:
                return
            yield style
            name = local_attribute(style, "parent-style-name") or ""


def _label(levels: dict[int, etree._Element], level: int, counters: list[int]) -> str:
    own = levels.get(level)
    if own is None or local_name(own) == "list-level-style-bullet":
        return ""
    style = local_attribute(own, "num-format") or ""
    if not style:
        return ""
    shown = max(1, _whole(local_attribute(own, "display-levels"), 1))
    first = max(1, level - shown + 1)
    parts = []
    for place in range(first, level + 1):
        element = levels.get(place, own)
        parts.append(ordinal(counters[place - 1], local_attribute(element, "num-format") or "1"))
    prefix, suffix = local_attribute(own, "num-prefix") or "", local_attribute(own, "num-suffix") or ""
    return f"{prefix}{'.'.join(parts)}{suffix}".strip()


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and text.isdigit() and len(text) < 7 else default
