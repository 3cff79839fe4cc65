"""Whether a reader can see a run of a DOCX: hidden, white on white, or too small to read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from apps.documents.parsing.archives import local_attribute, local_child, local_name
from apps.documents.parsing.docx.styles import Styles, is_dark

_MIN_HALF_POINTS = 6
_MIN_WHITE = 235
_OFF = ("0", "false", "off", "none")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands behind a run: a dark fill (cell, paragraph, shape), and its paragraph's style."""

    is_dark: bool = False
    style: str = ""


def is_run_hidden(run: etree._Element, around: Surroundings, styles: Styles) -> bool:
    """Return whether Word would print nothing legible for this run."""
    layers = list(_layers(run, around, styles))
    if _switch(layers, "vanish") or _switch(layers, "webHidden"):
        return True
    size = _value(layers, "sz")
    if size and size.isdigit() and int(size) < _MIN_HALF_POINTS:
        return True
    if _value(layers, "w") == "0":
        return True
    return _is_white(_value(layers, "color")) and not (around.is_dark or _has_dark_ground(layers))


def has_fill(shape: etree._Element) -> bool:
    """Return whether a drawn shape has a fill of its own, on which white text can be read."""
    properties = local_child(shape, "spPr")
    if properties is not None:
        return any(local_name(part) in ("solidFill", "gradFill", "blipFill", "pattFill") for part in properties)
    colour = (shape.get("fillcolor") or "").lower()
    return bool(colour) and not colour.startswith(("white", "#fff", "window"))


def _layers(run: etree._Element, around: Surroundings, styles: Styles) -> Iterator[etree._Element]:
    own = local_child(run, "rPr")
    if own is not None:
        yield own
        character = local_attribute(local_child(own, "rStyle"), "val")
        if character:
            yield from styles.run_properties(character)
    yield from styles.run_properties(around.style)


def _switch(layers: list[etree._Element], name: str) -> bool:
    for layer in layers:
        found = local_child(layer, name)
        if found is not None:
            return local_attribute(found, "val") not in _OFF
    return False


def _value(layers: list[etree._Element], name: str) -> str | None:
    for layer in layers:
        value = local_attribute(local_child(layer, name), "val")
        if value is not None:
            return value
    return None


def _is_white(colour: str | None) -> bool:
    if not colour or not re.fullmatch(r"[0-9a-fA-F]{6}", colour):
        return False
    return min(int(colour[place : place + 2], 16) for place in (0, 2, 4)) >= _MIN_WHITE


def _has_dark_ground(layers: list[etree._Element]) -> bool:
    for layer in layers:
        highlight = local_attribute(local_child(layer, "highlight"), "val")
        if highlight not in (None, "none", "white") or is_dark(local_child(layer, "shd")):
            return True
    return False
