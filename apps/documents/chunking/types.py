"""The values of chunking: sizes, units that are never cut, and chunks before they are stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.rag.protocols import Vectors

CountTokens = Callable[[str], int]
Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class ChunkSize:
    """In tokens: sections up to ``section_limit`` stay whole, longer ones become windows that overlap."""

    section_limit: int = 500
    window: int = 400
    overlap: int = 80


DEFAULT_SIZE = ChunkSize()


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A chunk before it is stored. ``text`` is exactly ``document.text[start:end]``.

    ``section`` is the index of its section. ``context`` (title, heading path, header rows of a table that began
    earlier) is embedded and searched with the text. ``sentences`` are spans inside ``text``; headings and header rows
    are not among them unless there is nothing else. ``token_count`` is that of the text without its context.
    """

    start: int
    end: int
    section: int
    text: str
    context: str
    page_from: int | None
    page_to: int | None
    sentences: tuple[tuple[int, int], ...]
    token_count: int = 0
    language: str = "de"


@dataclass(frozen=True, slots=True)
class Unit:
    """What is never cut: a sentence, a table row, a heading."""

    start: int
    end: int
    block: int
    is_heading: bool = False
    header: str = ""  # header rows that stand above this row of a table
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A section with the bare headings before it, which would make empty chunks of their own."""

    section: int
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """Half-open range of a group's units that become one chunk, and its tokens."""

    first: int
    last: int
    tokens: int
