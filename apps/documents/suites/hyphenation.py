"""Line-end hyphens of parsed programmes against labels set by reading. The labels hold hashes, no text."""

from __future__ import annotations

import csv
import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apps.documents.parsing.types import BlockKind, ParsedDocument

LABELS = Path(__file__).with_name("hyphenation_labels.csv")
_LAST = re.compile(r"[\w₀-₉]+\W{0,2}$")
_FIRST = re.compile(r"^\W{0,2}\w+")


@dataclass(frozen=True, slots=True)
class Hyphen:
    """A hyphen at the end of a printed line; ``choice`` is what the parser made of it: join, keep or keep_blank."""

    page: int
    left: str
    right: str
    choice: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.left}|{self.right}".encode()).hexdigest()[:16]


def line_end_hyphens(document: ParsedDocument) -> Iterator[Hyphen]:
    """Every place where a line ends inside a word, read off the line offsets of the blocks."""
    for block in document.blocks:
        if block.kind is BlockKind.TABLE:
            continue
        for line, following in itertools.pairwise(block.lines):
            text, rest = block.text[line.start : line.end], block.text[following.start : following.end]
            touching = line.end == following.start
            ends_in_hyphen = text.endswith("-") and not text.endswith(" -")
            if not touching and not ends_in_hyphen:
                continue
            left, right = _LAST.search(text.removesuffix("-")), _FIRST.search(rest)
            choice = ("keep" if touching else "keep_blank") if ends_in_hyphen else "join"
            if left and right:
                yield Hyphen(line.page, left.group(), right.group(), choice)


def read_labels(stratum: str, path: Path = LABELS) -> dict[str, dict[tuple[int, str], str]]:
    """Labels by document, then by (page, digest).

    The stratum "sample" is a random sample of 500 of all line-end hyphens, "risky" holds the hard kinds: hyphens that
    stay, and joins of two known words.
    """
    labels: dict[str, dict[tuple[int, str], str]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["stratum"] != stratum:
                continue
            labels.setdefault(row["document"], {})[int(row["page"]), row["digest"]] = row["label"]
    return labels


def wrong_hyphens(document: ParsedDocument, labels: Mapping[tuple[int, str], str]) -> Sequence[tuple[int, str]]:
    """The labelled hyphens of one document that the parser resolved otherwise, or no longer shows."""
    chosen = {(hyphen.page, hyphen.digest): hyphen.choice for hyphen in line_end_hyphens(document)}
    return [key for key, label in labels.items() if chosen.get(key) != label]
