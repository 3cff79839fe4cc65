"""Do topics keep their identity while texts come and go, and are new subjects found?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

import numpy as np

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.topics.modelling.discovery import discover
from apps.topics.modelling.identity import Known
from apps.topics.modelling.placing import floors_of
from apps.topics.modelling.routine import Night, go_on, refreshed_floors
from apps.topics.modelling.types import Corpus, Labels
from apps.topics.modelling.vectors import centred, centres_of, mean_of
from apps.topics.suites.corpora import GoldCorpus, gold_corpus, half

_HELD_OUT: Final = 30
_FOUND_PRECISION: Final = 0.5
_FOUND_RECALL: Final = 0.4
_ACTIVE_FROM: Final = 15


@suite("topics:births")
def births(context: SuiteContext) -> SuiteResult:
    """CLINC150: the log knows 120 intents (6,000 texts); in two nights 4,500 more come, those of 30 new intents too."""
    before, coming = gold_corpus("clinc150-train", context), gold_corpus("clinc150", context)
    tuned, reported = (_births(_Stream(before, coming, side)) for side in (0, 1))
    context.say(f"Thresholds were chosen with 30 other new intents: {tuned}.")
    figures = {name: round(value, 4) for name, value in asdict(reported).items()}
    notes = [
        "A birth counts once it is active: born in the first night, or of 15 texts and more. Before it alerts nobody."
    ]
    return SuiteResult(n=_HELD_OUT, figures=figures, notes=notes)


@dataclass(frozen=True, slots=True)
class Births:
    """Shares: of new intents that got a topic, of new topics that are new intents, of known texts left unplaced."""

    recovered: float
    precision: float
    known_unplaced: float


class _Stream:
    """A log, two nights of new texts, and the intents that only come with them."""

    def __init__(self, before: GoldCorpus, coming: GoldCorpus, side: int) -> None:
        order = sorted(range(before.count), key=lambda number: (half(before.names[number]) != side, number))
        self.new = set(order[:_HELD_OUT])
        known = [row for row, intent in enumerate(before.gold) if intent not in self.new]
        keys = {before.corpus.keys[row] for row in known}
        rows = [row for row, key in enumerate(coming.corpus.keys) if key not in keys]
        merged = sorted(
            [(before.corpus.keys[row], before, row, 0) for row in known]
            + [(coming.corpus.keys[row], coming, row, 1 + half(f"{coming.corpus.keys[row]} night")) for row in rows],
            key=lambda item: item[0],
        )
        # One space for all: the middle of the log as it was, frozen.
        mean = mean_of(before.raw)
        self.corpus = Corpus(
            tuple(key for key, *_ in merged),
            tuple(source.corpus.texts[row] for _, source, row, _ in merged),
            centred(np.stack([source.raw[row] for _, source, row, _ in merged]), mean),
            np.ones(len(merged)),
        )
        self.gold = np.array([source.gold[row] for _, source, row, _ in merged])
        self.night = np.array([night for *_, night in merged])


def _births(stream: _Stream) -> Births:
    start = stream.corpus.take(np.flatnonzero(stream.night == 0))
    topics = topics_of(start, discover(start).labels)
    known_before, proven = {topic.uid for topic in topics}, set()
    labels = gold = np.zeros(0, dtype=np.int64)
    for number in (1, 2):
        rows = np.flatnonzero(stream.night <= number)
        part = stream.corpus.take(rows)
        night = go_on(part, topics, settled=frozenset(start.keys))
        proven |= {topic.uid for topic in topics} - known_before
        topics, labels, gold = topics_after(part, night, topics), night.labels, stream.gold[rows]
    is_active = [
        topic.uid not in known_before and (topic.uid in proven or int((labels == number).sum()) >= _ACTIVE_FROM)
        for number, topic in enumerate(topics)
    ]
    return _counted(stream, gold, labels, np.flatnonzero(is_active))


def _counted(stream: _Stream, gold: Labels, labels: Labels, born: np.ndarray) -> Births:
    found: set[int] = set()
    right = 0
    for number in born:
        members = gold[labels == number]
        if not len(members):
            continue
        counts = np.bincount(members)
        best = int(counts.argmax())
        is_right = best in stream.new and counts[best] / len(members) >= _FOUND_PRECISION
        right += is_right
        if is_right and counts[best] / max(1, int((gold == best).sum())) >= _FOUND_RECALL:
            found.add(best)
    is_known = ~np.isin(gold, list(stream.new))
    return Births(len(found) / len(stream.new), right / max(len(born), 1), float(np.mean(labels[is_known] < 0)))


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
        if number < len(before):
            old = before[number]
            fresh.append(replace(old, members=members, centre=night.centres[number], floor=float(floors[number])))
            continue
        uid = f"born-{len(members)}-{min(members, default='')[:12]}"
        fresh.append(Known(uid, members, night.centres[number], float(night.floors[number])))
    return fresh


def _members(corpus: Corpus, labels: Labels, number: int) -> frozenset[str]:
    return frozenset(corpus.keys[row] for row in np.flatnonzero(labels == number))
