"""What a run proposes, from the log and the topics that there are: arrays in, decisions out, nothing written yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from apps.topics.modelling import guards
from apps.topics.modelling.discovery import discover
from apps.topics.modelling.identity import Kind, Known, Step, match, with_kept
from apps.topics.modelling.placing import floors_of
from apps.topics.modelling.routine import go_on, refreshed_floors
from apps.topics.modelling.types import UNPLACED, Corpus, Discovery, Labels, Matrix, Method
from apps.topics.modelling.vectors import centres_of


@dataclass(frozen=True, slots=True)
class Proposal:
    """Topics by number: ``uids`` names those that go on (a part, where topics were merged), "" those that are new."""

    labels: Labels
    similarities: Matrix
    centres: Matrix
    floors: Matrix
    uids: tuple[str, ...]
    steps: tuple[Step, ...]
    survival: float
    method: Method
    tried: tuple[str, ...] = ()
    refusal: str = ""

    @property
    def born(self) -> int:
        return sum(1 for uid in self.uids if not uid)


def night(
    corpus: Corpus, parts: Sequence[Known], settled: frozenset[str], is_cancelled: Callable[[], bool]
) -> Proposal:
    """Go on with what there is; only what came since the last full run and fits nowhere is looked at."""
    found = go_on(corpus, parts, settled=settled, is_cancelled=is_cancelled)
    floors = refreshed_floors(corpus, found.labels, found.centres, found.floors[: len(parts)])
    floors[len(parts) :] = found.floors[len(parts) :]
    uids = (*found.uids, *("" for _ in range(found.born)))
    steps, survival = _steps_of_night(corpus, parts, found.labels, uids)
    return Proposal(
        found.labels, found.similarities, found.centres, floors, uids, steps, survival, Method.ROUTINE,
        refusal=guards.survival_refusal(survival, len(parts)),
    )  # fmt: skip


def _steps_of_night(
    corpus: Corpus, parts: Sequence[Known], labels: Labels, uids: Sequence[str]
) -> tuple[tuple[Step, ...], float]:
    place = {key: row for row, key in enumerate(corpus.keys)}
    steps: list[Step] = []
    alive = went_on = 0
    for number, uid in enumerate(uids):
        if not uid:
            steps.append(Step(Kind.BIRTH, "", number, 0.0))
            continue
        before = {place[key] for key in parts[number].members if key in place}
        if not before:
            continue
        now = set(np.flatnonzero(labels == number).tolist())
        overlap = len(before & now) / len(before)
        alive += 1
        went_on += overlap >= 0.5
        steps.append(Step(Kind.CONTINUE if overlap >= 0.5 else Kind.DEATH, uid, number, round(overlap, 4)))
    return tuple(steps), went_on / alive if alive else 1.0


def anew(
    corpus: Corpus, whole: Sequence[Known], is_cancelled: Callable[[], bool], *, found: Discovery | None = None
) -> Proposal:
    """Look at everything anew, then find the topics of before among what was found, now or earlier (``found``)."""
    found = found or discover(corpus, is_cancelled=is_cancelled)
    if found.refusal:
        empty = np.zeros((0, corpus.vectors.shape[1]), dtype=np.float32)
        return Proposal(
            found.labels, np.full(len(corpus), -1.0, np.float32), empty, empty[:, 0], (), (), 1.0, found.method,
            found.tried, found.refusal,
        )  # fmt: skip
    kept, free = [each for each in whole if each.is_kept], [each for each in whole if not each.is_kept]
    labels = with_kept(corpus, found.labels, kept)
    count = max(int(labels.max(initial=UNPLACED)) + 1, len(kept))
    centres = centres_of(corpus.vectors, labels, count)
    others = np.where(labels >= len(kept), labels - len(kept), UNPLACED)
    matching = match(corpus, others, free, centres[len(kept) :])
    uids = [each.uid for each in kept]
    uids += [matching.uids.get(number - len(kept), "") for number in range(len(kept), count)]
    _lock(corpus, labels, whole, uids)
    centres, floors = _standing(corpus, labels, kept, count)
    similarities = np.full(len(corpus), -1.0, dtype=np.float32)
    placed = labels >= 0
    similarities[placed] = np.einsum("ij,ij->i", corpus.vectors[placed], centres[labels[placed]])
    steps = tuple(
        replace(step, new=step.new + len(kept)) if step.new >= 0 else step for step in matching.steps
    ) + tuple(Step(Kind.CONTINUE, each.uid, number, 1.0) for number, each in enumerate(kept))
    survival = _survival(corpus, whole, uids)
    return Proposal(
        labels, similarities, centres, floors, tuple(uids), steps, survival, found.method, found.tried,
        guards.survival_refusal(survival, len(whole)),
    )  # fmt: skip


def _standing(corpus: Corpus, labels: Labels, kept: Sequence[Known], count: int) -> tuple[Matrix, Matrix]:
    """Return centres and floors. A kept topic that nobody asks now is asleep: what comes finds it where it was."""
    centres = centres_of(corpus.vectors, labels, count)
    floors = floors_of(corpus.vectors, labels, centres)
    for number, each in enumerate(kept):
        if not (labels == number).any():
            centres[number], floors[number] = each.centre, each.floor
    return centres, floors


def _survival(corpus: Corpus, whole: Sequence[Known], uids: Sequence[str]) -> float:
    there, went_on = frozenset(corpus.keys), frozenset(uids)
    alive = [each.uid for each in whole if each.members & there]
    return sum(uid in went_on for uid in alive) / len(alive) if alive else 1.0


def _lock(corpus: Corpus, labels: Labels, whole: Sequence[Known], uids: Sequence[str]) -> None:
    numbers = {uid: number for number, uid in enumerate(uids) if uid}
    place = {key: row for row, key in enumerate(corpus.keys)}
    for each in whole:
        if each.uid in numbers:
            for key in each.locked:
                if key in place:
                    labels[place[key]] = numbers[each.uid]
