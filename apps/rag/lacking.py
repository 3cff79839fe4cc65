"""What verdicts miss in the passages that were found, and whether a second search has brought it.

Used by requerying.py, where enough of the question is covered and yet something that was asked for stands nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from apps.rag.judging import Reading
from apps.rag.parts import Part, Parts
from apps.rag.refusal import LACKS_ITS_KIND, RefusalCode
from apps.rag.understanding import SubQuestion
from apps.rag.verdicts import Sufficiency, Verdict

# More would push out the words of the question.
OTHER_WORDS: Final = 6
# Chosen on the half of the demo's questions that may be looked at.
_SURE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing to look for, and where it belongs: part and place of its reading. ``missing`` are a gap's words."""

    part: int
    reading: int
    sub: SubQuestion
    missing: tuple[str, ...] = ()


def gaps_in(parts: Parts) -> list[Wanted]:
    """What verdicts miss in the passages that were found, in the order of the question; a rule alone has no gaps."""
    return [
        Wanted(place, at, SubQuestion(_gap_query(part, reading, missing), reading.found.sub.party), missing)
        for place, part in enumerate(parts.parts)
        for at, reading in enumerate(part.readings)
        if reading.found.was_searched and (missing := _missing(part, reading))
    ]


def _missing(part: Part, reading: Reading) -> tuple[str, ...]:
    """The words of a gap: those that stand nowhere, else those that the missing figure or date belongs to.

    Where a question has several aspects, each was looked for in all that was found: what is covered is no gap.
    """
    covered = {word for each in part.covered if each.is_covered for word in (*each.aspect.own, *each.aspect.shared)}
    words = _missing_words(part, reading)
    return tuple(word for word in words if word not in covered) if len(part.covered) > 1 else words


def _missing_words(part: Part, reading: Reading) -> tuple[str, ...]:
    verdict = reading.verdict
    if verdict.outcome is Sufficiency.GAP and verdict.missing:
        return verdict.missing
    if verdict.refusal is RefusalCode.NOT_STATED:
        return verdict.missing or verdict.subjects
    return _bare(part) if verdict.refusal in LACKS_ITS_KIND else ()


def _gap_query(part: Part, reading: Reading, missing: tuple[str, ...]) -> str:
    """The missing words and what sources may call them. A figure alone finds every text that has it."""
    other = reading.verdict.other_words[:OTHER_WORDS]
    around = () if reading.verdict.outcome is Sufficiency.GAP else _bare(part)
    return " ".join(dict.fromkeys((*missing, *other, *around)))


def _bare(part: Part) -> tuple[str, ...]:
    """The content words of a question."""
    aspects = part.understood.aspects
    return tuple(dict.fromkeys(word for each in aspects for word in (*each.own, *each.shared)))


def better(first: Parts, again: Parts) -> Parts:
    """Return the parts with what closes a gap: an answer where there was none, an aspect, or fewer missing words."""
    return Parts(tuple(new if _closes(old, new) else old for old, new in zip(first.parts, again.parts, strict=True)))


def surely(first: Parts, again: Parts) -> Parts:
    """Return the parts as they are after a second search, without answers that rest on its words alone.

    What was looked for by the missing words has them, whatever it speaks of: it must fit better than what was found by
    the whole question.
    """
    return Parts(tuple(old if _is_weak(old, new) else new for old, new in zip(first.parts, again.parts, strict=True)))


def _is_weak(before: Part, after: Part) -> bool:
    if before.suffices or not after.suffices or len(after.covered) > 1:
        return False
    return not any(_is_sure(each.verdict) for each in after.readings if each.verdict.suffices)


def _is_sure(verdict: Verdict) -> bool:
    return verdict.probability >= _SURE and not verdict.features.get("lacks_subject", 0.0)


def _closes(before: Part, after: Part) -> bool:
    """Say whether some reading is better than before, and none is worse."""
    pairs = [(_rank(before, old), _rank(after, new)) for old, new in zip(before.readings, after.readings, strict=True)]
    return all(new >= old for old, new in pairs) and any(new > old for old, new in pairs)


def _rank(part: Part, reading: Reading) -> tuple[bool, int, float]:
    """What makes one reading better than another. A word beside the subject is not what was asked for."""
    covered = sum(each.is_covered for each in part.covered)
    return reading.verdict.suffices, covered, round(reading.verdict.features.get("coverage", 0.0), 2)
