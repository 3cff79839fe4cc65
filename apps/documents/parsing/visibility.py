"""Which HTML elements a reader cannot see, judged by attributes, inline styles and simple style rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

_BRACE = re.compile(r"[{}]")
_MAX_STYLE = 500_000
_SELECTOR = re.compile(r"^(?:[a-z][a-z0-9]*)?[.#][\w-]+$|^[a-z][a-z0-9]*$", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d*\.?\d+")
_NAMED = {
    "white": (255, 255, 255), "black": (0, 0, 0), "snow": (255, 250, 250), "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255), "whitesmoke": (245, 245, 245), "red": (255, 0, 0), "blue": (0, 0, 255),
    "green": (0, 128, 0), "yellow": (255, 255, 0), "gray": (128, 128, 128), "grey": (128, 128, 128),
    "silver": (192, 192, 192), "navy": (0, 0, 128), "maroon": (128, 0, 0), "purple": (128, 0, 128),
    "orange": (255, 165, 0), "teal": (0, 128, 128), "lime": (0, 255, 0), "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211), "darkgray": (169, 169, 169), "darkblue": (0, 0, 139), "gold": (255, 215, 0),
}  # fmt: skip
_MIN_CONTRAST = 25
_MIN_SIZE_PX = 3.0
_FAR_AWAY_PX = 900
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Look:
    """What an element hands down: text colour, background, size in CSS pixels, and whether it is hidden."""

    colour: Colour = (0, 0, 0)
    background: Colour | None = (255, 255, 255)
    size: float = 16.0
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class StyleRules:
    """Declarations of ``<style>`` for plain tags, classes and ids; anything cleverer is not followed."""

    by_selector: dict[str, dict[str, str]]

    def declarations(self, element: etree._Element) -> dict[str, str]:
        """Return the declarations that apply, the inline style last."""
        found: dict[str, str] = {}
        tag = str(element.tag).lower()
        keys = [tag]
        for name in (element.get("class") or "").split():
            keys += [f".{name}", f"{tag}.{name}"]
        if element.get("id"):
            keys += [f"#{element.get('id')}", f"{tag}#{element.get('id')}"]
        for key in keys:
            found |= self.by_selector.get(key, {})
        return found | _declarations(element.get("style") or "")


def read_rules(root: etree._Element) -> StyleRules:
    """Return the simple rules of all ``<style>`` elements, those inside ``@media`` left out."""
    rules: dict[str, dict[str, str]] = {}
    for style in root.iter("style"):
        for selectors, body in _plain_rules(_without_comments((style.text or "")[:_MAX_STYLE])):
            for selector in selectors.split(","):
                if _SELECTOR.match(selector.strip()):
                    rules.setdefault(selector.strip(), {}).update(_declarations(body))
    return StyleRules(rules)


def _plain_rules(text: str) -> Iterator[tuple[str, str]]:
    """Yield (selectors, declarations) of the outermost rules; what stands inside ``@media`` and the like is left out.

    Scans once: a pattern for balanced braces takes quadratic time on a hostile style sheet.
    """
    depth = place = 0
    selectors = ""
    for brace in _BRACE.finditer(text):
        if brace.group() == "{":
            if depth == 0:
                selectors, place = text[place : brace.start()].rpartition(";")[2].strip(), brace.end()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                if not selectors.startswith("@"):
                    yield selectors, text[place : brace.start()]
                place = brace.end()


def _without_comments(text: str) -> str:
    parts = []
    while text:
        before, start, text = text.partition("/*")
        parts.append(before)
        if start:
            text = text.partition("*/")[2]
    return " ".join(parts)


def look_of(element: etree._Element, parent: Look, rules: StyleRules) -> Look:
    """Return how ``element`` looks inside ``parent``."""
    if _is_hidden_by_attribute(element):
        return replace(parent, is_hidden=True)
    style = rules.declarations(element)
    if element.get("bgcolor"):
        style.setdefault("background-color", element.get("bgcolor") or "")
    if element.tag == "font" and element.get("color"):
        style.setdefault("color", element.get("color") or "")
    if not style:
        return parent
    if _is_hidden_by_style(style):
        return replace(parent, is_hidden=True)
    look = replace(
        parent,
        colour=_text_colour(style, parent),
        background=_background(style, parent.background),
        size=_size(style.get("font-size", ""), parent.size),
    )
    visible = style.get("visibility", "") == "visible" and parent.is_hidden
    return replace(look, is_hidden=(parent.is_hidden and not visible) or _is_illegible(look, style))


def _is_hidden_by_attribute(element: etree._Element) -> bool:
    hidden = element.get("hidden")
    return (hidden is not None and hidden != "false") or element.get("aria-hidden") == "true"


def _is_hidden_by_style(style: dict[str, str]) -> bool:
    if style.get("display") == "none" or style.get("visibility") in ("hidden", "collapse"):
        return True
    if _first_number(style.get("opacity"), 1.0) < 0.05 or style.get("content-visibility") == "hidden":
        return True
    is_placed = style.get("position") in ("absolute", "fixed", "relative")
    if is_placed and any(_first_number(style.get(side), 0) < -_FAR_AWAY_PX for side in ("left", "top", "right")):
        return True
    if _first_number(style.get("text-indent"), 0) < -_FAR_AWAY_PX:
        return True
    is_clipped = style.get("overflow") == "hidden" or is_placed
    if is_clipped and any(
        _first_number(style.get(side), 9) <= 1 and "%" not in style.get(side, "")
        for side in ("height", "max-height", "width", "max-width")
    ):
        return True
    clip = style.get("clip", "") + style.get("clip-path", "")
    return bool(
        re.search(r"rect\(\s*(?:0|1px)\D+(?:0|1px)\D+(?:0|1px)\D+(?:0|1px)|inset\(\s*(?:50|100)%|circle\(\s*0", clip)
    )


def _is_illegible(look: Look, style: dict[str, str]) -> bool:
    if look.size < _MIN_SIZE_PX or re.search(r"scale\(\s*0(?:\.0\d*)?\s*[),]", style.get("transform", "")):
        return True
    if look.background is None or not ("color" in style or "background" in style or "background-color" in style):
        return False
    return max(abs(a - b) for a, b in zip(look.colour, look.background, strict=True)) < _MIN_CONTRAST


def _text_colour(style: dict[str, str], parent: Look) -> Colour:
    value = style.get("color", "")
    if value in ("transparent",) or re.match(r"(?:rgba|hsla)\(.*[,/]\s*0?\.?0+%?\s*\)", value):
        return parent.background or parent.colour
    return parse_colour(value) or parent.colour


def _background(style: dict[str, str], inherited: Colour | None) -> Colour | None:
    """Return the colour behind the text; None when a picture or gradient makes it unknown."""
    value = style.get("background-color") or style.get("background") or ""
    if "url(" in style.get("background", "") or "gradient" in value or style.get("background-image", "none") != "none":
        return None
    if not value or value in ("transparent", "none", "inherit", "initial"):
        return inherited
    for part in [value, *value.split()]:
        colour = parse_colour(part)
        if colour:
            return colour
    return inherited if "var(" not in value else None


def parse_colour(value: str) -> Colour | None:
    """Return red, green, blue (0 to 255) of a hex, rgb() or common named colour, else None."""
    value = value.strip().lower()
    if value in _NAMED:
        return _NAMED[value]
    digits = value.removeprefix("#")
    if re.fullmatch(r"[0-9a-f]{3,4}", digits) and value != digits:
        digits = "".join(digit * 2 for digit in digits[:3])
    if re.fullmatch(r"[0-9a-f]{6}(?:[0-9a-f]{2})?", digits):
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    if value.startswith("rgb"):
        numbers = [float(number) * (2.55 if "%" in value else 1) for number in _NUMBER.findall(value)[:3]]
        if len(numbers) == 3:
            red, green, blue = (min(255, max(0, int(number))) for number in numbers)
            return red, green, blue
    return None


def _size(value: str, inherited: float) -> float:
    if not value or not _NUMBER.match(value):
        return inherited
    number = _first_number(value, inherited)
    if value.endswith("%"):
        return inherited * number / 100
    factor = {"em": inherited, "rem": 16.0, "pt": 4 / 3, "vw": 10.0}
    for unit, each in sorted(factor.items(), key=lambda pair: -len(pair[0])):
        if value.endswith(unit):
            return number * each
    return number


def _first_number(value: str | None, default: float) -> float:
    found = _NUMBER.search(value or "")
    return float(found.group()) if found else default


def _declarations(text: str) -> dict[str, str]:
    found = {}
    for part in _without_comments(text).split(";"):
        key, colon, value = part.partition(":")
        if colon:
            found[key.strip().lower()] = value.replace("!important", "").strip().lower()
    return found
