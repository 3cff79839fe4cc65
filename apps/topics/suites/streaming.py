"""Do topics keep their identity while texts come and go, and are new subjects found?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.topics.modelling.discovery import discover
from apps.topics.modelling.identity import Known
from apps.topics.modelling.placing import floors_of
from apps.topics.modelling.routine import Night, go_on, refreshed_floors
from apps.topics.modelling.types import Corpus, Labels
from apps.topics.modelling.vectors import centres_of
from apps.topics.suites.corpora import GoldCorpus, gold_corpus, half

_HELD_OUT: Final = 30
_FOUND_PRECISION: Final = 0.5
_FOUND_RECALL: Final = 0.4


@suite("topics:births")
def births(context: SuiteContext) -> SuiteResult:
    """CLINC150: 120 intents are known, 30 new ones arrive with the second half of the stream, in two nights."""
    known = gold_corpus("clinc150", context)
    counted = [_births(known, side) for side in (0, 1)]
    names = ("recovered", "precision", "known_unplaced")
    figures = {name: round(value, 4) for name, value in zip(names, counted[1], strict=True)}
    notes = [
        "Thresholds were chosen with the other 30 held-out intents: "
        + ", ".join(f"{name} {value:.2f}" for name, value in zip(names, counted[0], strict=True))
    ]
    return SuiteResult(n=_HELD_OUT, figures=figures, notes=notes)


def _births(known: GoldCorpus, side: int) -> tuple[float, float, float]:
    """Return the share of new intents found, of births that are new intents, and of known texts left unplaced."""
    order = sorted(range(known.count), key=lambda number: (half(known.names[number]) != side, known.names[number]))
    new = set(order[:_HELD_OUT])
    is_new = np.isin(known.gold, list(new))
    first = np.array([half(f"{key} first") == 0 for key in known.corpus.keys])
    second = np.array([half(f"{key} second") == 0 for key in known.corpus.keys])
    nights = [
        np.flatnonzero(first & ~is_new),
        np.flatnonzero((first & ~is_new) | second),
        np.arange(len(known.corpus)),
    ]
    start = known.corpus.take(nights[0])
    topics = topics_of(start, discover(start).labels)
    known_before = {topic.uid for topic in topics}
    night, rows = None, nights[0]
    for rows in nights[1:]:
        part = known.corpus.take(rows)
        night = go_on(part, topics)
        topics = topics_after(part, night, topics)
    assert night is not None
    return _counted(known.gold[rows], night.labels, topics, known_before, new)


def _counted(
    gold: Labels, labels: Labels, topics: Sequence[Known], known_before: set[str], new: set[int]
) -> tuple[float, float, float]:
    found: set[int] = set()
    right = born = 0
    for number, topic in enumerate(topics):
        members = gold[labels == number]
        if topic.uid in known_before or not len(members):
            continue
        born += 1
        intents, counts = np.unique(members, return_counts=True)
        best = int(intents[counts.argmax()])
        precision, recall = counts.max() / len(members), counts.max() / (gold == best).sum()
        right += best in new and precision >= _FOUND_PRECISION
        if best in new and precision >= _FOUND_PRECISION and recall >= _FOUND_RECALL:
            found.add(best)
    is_known = ~np.isin(gold, list(new))
    return len(found) / len(new), right / max(born, 1), float(np.mean(labels[is_known] < 0))


def topics_of(corpus: Corpus, labels: Labels, prefix: str = "topic") -> list[Known]:
    """Return the topics of a first run."""
    count = int(labels.max(initial=-1)) + 1
    centres = centres_of(corpus.vectors, labels, count)
    floors = floors_of(corpus.vectors, labels, centres)
    return [
        Known(f"{prefix}-{number}", _members(corpus, labels, number), centres[number], float(floors[number]))
        for number in range(count)
    ]


def topics_after(corpus: Corpus, night: Night, before: Sequence[Known]) -> list[Known]:
    """Return the topics as they stand after a night."""
    floors = refreshed_floors(corpus, night.labels, night.centres, night.floors[: len(before)])
    fresh = []
    for number in range(night.count):
        members = _members(corpus, night.labels, number)
        old = before[number] if number < len(before) else None
        floor = float(floors[number]) if old else float(night.floors[number])
        uid = old.uid if old else f"born-{len(members)}-{min(members, default='')[:12]}"
        locked = old.locked if old else frozenset()
        fresh.append(Known(uid, members, night.centres[number], floor, locked=locked))
    return fresh


def _members(corpus: Corpus, labels: Labels, number: int) -> frozenset[str]:
    return frozenset(corpus.keys[row] for row in np.flatnonzero(labels == number))
