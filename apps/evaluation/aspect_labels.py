"""Which aspects the demo's questions have and which of them its sources cover, labelled by people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from apps.evaluation.halves import is_held_out
from apps.rag.aspects import CoveredAspect
from apps.rag.words import content_words

_FILE: Final = Path(__file__).with_name("sets") / "aspects.json"


@dataclass(frozen=True, slots=True)
class LabelledAspect:
    """One part of a question in the labeller's words, and whether readers' sources hold something on it."""

    text: str
    is_covered: bool


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question with its parts, in their order."""

    id: str
    question: str
    language: str
    aspects: tuple[LabelledAspect, ...]

    @property
    def is_held_out(self) -> bool:
        return is_held_out(self.question)


def load_labels() -> list[LabelledQuestion]:
    """Return all labelled questions."""
    rows = json.loads(_FILE.read_text(encoding="utf-8"))["questions"]
    return [
        LabelledQuestion(
            row["id"],
            row["question"],
            row["language"],
            tuple(LabelledAspect(each["text"], each["covered"]) for each in row["aspects"]),
        )
        for row in rows
    ]


def aligned(
    labels: Sequence[LabelledAspect], found: Sequence[CoveredAspect], language: str
) -> list[tuple[LabelledAspect, CoveredAspect | None]]:
    """Give each label the aspect that the product found for it, None where it found none.

    In their order where there are as many of both and no party is named; else by the words they share.
    """
    if len(labels) == len(found) and not any(each.party_slug for each in found):
        return list(zip(labels, found, strict=True))
    left = list(found)
    pairs: list[tuple[LabelledAspect, CoveredAspect | None]] = []
    for label in labels:
        best = max(left, key=lambda each: _shared(label.text, each.text, language), default=None)
        if best is None or not _shared(label.text, best.text, language):
            pairs.append((label, None))
            continue
        left.remove(best)
        pairs.append((label, best))
    return pairs


def _shared(one: str, other: str, language: str) -> int:
    words = {word.stem for word in content_words(one, language)}
    return len(words & {word.stem for word in content_words(other, language)})
