"""Reads the text of a section of "How it works": paragraphs, lists, placeholders. Pure: no markup reaches a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

PLACEHOLDERS: Final = frozenset({"programmes", "articles", "as_of", "days", "characters", "name"})
_PLACEHOLDER: Final = re.compile(r"\{([^{}\s]*)\}")
_POINT: Final = re.compile(r"\s*[-–•]\s+")


@dataclass(frozen=True, slots=True)
class GuideBlock:
    """A paragraph (one line in ``lines``) or a list."""

    is_list: bool
    lines: tuple[str, ...]


def unknown_placeholders(text: str) -> tuple[str, ...]:
    """Return the placeholders that nothing can be put into, each once."""
    return tuple(dict.fromkeys(name for name in _PLACEHOLDER.findall(text) if name not in PLACEHOLDERS))


def guide_blocks(text: str, values: Mapping[str, str]) -> list[GuideBlock]:
    """Return a text's paragraphs and lists with the placeholders filled in; unknown ones stay as they are."""
    filled = _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)
    blocks: list[GuideBlock] = []
    for part in re.split(r"\n\s*\n", filled.replace("\r\n", "\n")):
        blocks.extend(_blocks_of(part))
    return blocks


def _blocks_of(part: str) -> list[GuideBlock]:
    blocks: list[GuideBlock] = []
    for line in filter(None, (line.strip() for line in part.split("\n"))):
        is_point = _POINT.match(line) is not None
        words = _POINT.sub("", line, count=1) if is_point else line
        if blocks and blocks[-1].is_list and is_point:
            blocks[-1] = GuideBlock(True, (*blocks[-1].lines, words))
        elif blocks and not blocks[-1].is_list and not is_point:
            blocks[-1] = GuideBlock(False, (f"{blocks[-1].lines[0]} {words}",))
        else:
            blocks.append(GuideBlock(is_point, (words,)))
    return blocks
