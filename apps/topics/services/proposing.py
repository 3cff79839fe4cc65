"""What a run proposes, from the log and the topics that there are: arrays in, decisions out, nothing written yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from apps.topics.modelling import guards
from apps.topics.modelling.discovery import discover
from apps.topics.modelling.identity import Kind, Known, Step, edits_kept, match
from apps.topics.modelling.placing import floors_of
from apps.topics.modelling.routine import go_on, refreshed_floors
from apps.topics.modelling.types import UNPLACED, Corpus, Labels, Matrix, Method
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


def anew(corpus: Corpus, whole: Sequence[Known], is_cancelled: Callable[[], bool]) -> Proposal:
    """Look at everything anew, then find the topics of before among what was found."""
    found = discover(corpus, is_cancelled=is_cancelled)
    if found.refusal:
        empty = np.zeros((0, corpus.vectors.shape[1]), dtype=np.float32)
        return Proposal(
            found.labels, np.full(len(corpus), -1.0, np.float32), empty, empty[:, 0], (), (), 1.0, found.method,
            found.tried, found.refusal,
        )  # fmt: skip
    labels = edits_kept(corpus, found.labels, whole)
    labels = _kept_alive(corpus, labels, whole)
    count = int(labels.max(initial=UNPLACED)) + 1
    centres = centres_of(corpus.vectors, labels, count)
    matching = match(corpus, labels, whole, centres)
    uids = [matching.uids.get(number, "") for number in range(count)]
    lost = [each for each in whole if each.is_kept and each.uid not in uids]
    _come_back(corpus, labels, lost, count)
    uids += [each.uid for each in lost]
    _lock(corpus, labels, whole, uids)
    centres = centres_of(corpus.vectors, labels, len(uids))
    floors = floors_of(corpus.vectors, labels, centres)
    for number in np.flatnonzero(np.bincount(labels[labels >= 0], minlength=len(uids)) == 0):
        # Asleep: nobody asks it now, and what comes finds it where it was.
        asleep = next((each for each in whole if each.uid == uids[number]), None)
        if asleep is not None:
            centres[number], floors[number] = asleep.centre, asleep.floor
    similarities = np.full(len(corpus), -1.0, dtype=np.float32)
    placed = labels >= 0
    similarities[placed] = np.einsum("ij,ij->i", corpus.vectors[placed], centres[labels[placed]])
    return Proposal(
        labels, similarities, centres, floors, tuple(uids), _steps_with(matching.steps, lost, count),
        matching.survival, found.method, found.tried, guards.survival_refusal(matching.survival, len(whole)),
    )  # fmt: skip


def _come_back(corpus: Corpus, labels: Labels, lost: Sequence[Known], following: int) -> None:
    """Give topics on which a person's work hangs, and which no group goes on as, a group of their own members."""
    place = {key: row for row, key in enumerate(corpus.keys)}
    for number, each in enumerate(lost, following):
        labels[[place[key] for key in each.members if key in place]] = number


def _steps_with(steps: Sequence[Step], lost: Sequence[Known], following: int) -> tuple[Step, ...]:
    back = {each.uid: number for number, each in enumerate(lost, following)}
    return (
        *(step for step in steps if step.old not in back or (step.new >= 0 and step.kind == Kind.SPLIT)),
        *(Step(Kind.CONTINUE, uid, number, 1.0) for uid, number in back.items()),
    )


def _kept_alive(corpus: Corpus, labels: Labels, whole: Sequence[Known]) -> Labels:
    """Give a kept topic that was dissolved its old members back, where they are in no other kept topic's group."""
    place = {key: row for row, key in enumerate(corpus.keys)}
    fresh, following = labels.copy(), int(labels.max(initial=UNPLACED)) + 1
    for each in whole:
        rows = np.array(sorted(place[key] for key in each.members if key in place), dtype=np.int64)
        if not each.is_kept or not len(rows):
            continue
        groups = fresh[rows]
        sizes = np.bincount(groups[groups >= 0], minlength=1)
        best = int(sizes.argmax())
        inside = sizes[best] / len(rows)
        of_group = sizes[best] / max(1, int((fresh == best).sum()))
        if inside >= 0.5 and of_group >= 0.5:
            continue
        fresh[rows] = following
        following += 1
    return _renumbered(fresh)


def _lock(corpus: Corpus, labels: Labels, whole: Sequence[Known], uids: Sequence[str]) -> None:
    numbers = {uid: number for number, uid in enumerate(uids) if uid}
    place = {key: row for row, key in enumerate(corpus.keys)}
    for each in whole:
        if each.uid in numbers:
            for key in each.locked:
                if key in place:
                    labels[place[key]] = numbers[each.uid]


def _renumbered(labels: Labels) -> Labels:
    fresh = np.full(len(labels), UNPLACED, dtype=np.int64)
    placed = labels >= 0
    if placed.any():
        fresh[placed] = np.unique(labels[placed], return_inverse=True)[1]
    return fresh
