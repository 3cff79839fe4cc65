"""Answers about parties of like length, whoever is asked about: chosen among statements that answer about as well."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from apps.rag.reading import Evidence, ReadSentence
from apps.rag.settings import PipelineSettings
from apps.rag.units import Unit, ordered, says_the_same, units_of

_MOST_CANDIDATES: Final = 9
_NEAR: Final = 5
# Lengths this near to the aim are alike; beyond it, length weighs more than any difference of two answers in score.
_TOLERANCE: Final = 0.08
_WEIGHT: Final = 4.0


def choose_balanced(evidence: Evidence, limit: int, characters: int, settings: PipelineSettings) -> list[ReadSentence]:
    """Return sentences worth ``limit`` at most, near ``characters`` in all, in the order to show them.

    The best statement is always among them, and none that answers much worse, even where the answer stays short.
    """
    units = _candidates(evidence, settings)
    if not units:
        return []
    best, others = units[0], units[1:]
    options = [(best, *rest) for count in range(min(limit, len(others) + 1)) for rest in combinations(others, count)]
    fitting = [option for option in options if _cost(option) <= limit] or [(best,)]
    return ordered(max(fitting, key=lambda option: _value(option, characters, settings)), settings)


def _candidates(evidence: Evidence, settings: PipelineSettings) -> list[Unit]:
    """The best statement, those nearly as good that say something else, and what stands around the best one."""
    kept: list[Unit] = []
    for unit in units_of(evidence, settings):
        if kept and unit.score < kept[0].score - settings.balance_margin and not _is_near(unit, kept[0]):
            continue
        others = [each for before in kept for each in before.sentences if each not in unit.sentences]
        if not any(says_the_same(each, other, settings) for each in unit.sentences for other in others):
            kept.append(unit)
        if len(kept) == _MOST_CANDIDATES:
            break
    return kept


def _is_near(unit: Unit, best: Unit) -> bool:
    """What a source says right before or after goes on with the same thing."""
    first, last = unit.sentences[0], best.sentences[0]
    return first.rank == last.rank and abs(first.order - last.order) <= _NEAR


def _sentences(units: Sequence[Unit]) -> list[ReadSentence]:
    return list(dict.fromkeys(each for unit in units for each in unit.sentences))


def _cost(units: Sequence[Unit]) -> int:
    return sum(unit.cost for unit in units) - (sum(len(u.sentences) for u in units) - len(_sentences(units)))


def _value(units: Sequence[Unit], characters: int, settings: PipelineSettings) -> float:
    """How well the statements answer together, less what their length is off."""
    length = sum(len(each.text) for each in _sentences(units))
    off = max(0.0, abs(length / characters - 1) - _TOLERANCE)
    best = units[0].score
    return sum(settings.balance_margin - (best - unit.score) for unit in units) - _WEIGHT * off
