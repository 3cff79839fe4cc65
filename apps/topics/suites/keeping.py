"""Do topics keep their identity, and editors' work, while texts come and go? Is a run the same wherever it is made?"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from typing import Final

import numpy as np
from django.conf import settings

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.topics.modelling.discovery import discover
from apps.topics.modelling.identity import Known
from apps.topics.modelling.routine import go_on
from apps.topics.modelling.types import Corpus, Labels
from apps.topics.modelling.vectors import centred, mean_of, unit
from apps.topics.services.proposing import anew
from apps.topics.suites.corpora import gold_corpus
from apps.topics.suites.streaming import topics_after, topics_of

_ROUNDS: Final = 10
_TURNOVER: Final = 0.04
# Of each ten topics: these are named, this one is split, these two are brought together.
_NAMED: Final = (0, 5)
_SPLIT: Final = 3
_MERGED: Final = {1: " one", 2: " other"}


@suite("topics:stability")
def stability(context: SuiteContext) -> SuiteResult:
    """CLINC150: ten nights in which 4 % of the texts go and others come; then everything anew, with editors' work."""
    whole = gold_corpus("clinc150", context).corpus
    order = sorted(range(len(whole)), key=lambda row: hashlib.sha256(f"{whole.keys[row]} turn".encode()).digest())
    change = int(_TURNOVER * 0.6 * len(whole))
    window = int(0.6 * len(whole))
    first = whole.take(order[:window])
    topics = _edited(first, topics_of(first, discover(first).labels))
    alive = []
    for number in range(1, _ROUNDS + 1):
        part = whole.take(order[number * change : number * change + window])
        before = {topic.uid: topic.members for topic in topics}
        night = go_on(part, topics, settled=frozenset(part.keys) & frozenset(first.keys))
        topics = topics_after(part, night, topics)
        alive.append(_went_on(part, before, {topic.uid: topic.members for topic in topics}))
        context.say(f"Night {number}: {alive[-1]:.3f} of the topics went on, {night.born} are new.")
    part = whole.take(order[_ROUNDS * change : _ROUNDS * change + window])
    edited, again = _edits_kept(part, topics)
    figures = {
        "survival": round(float(np.mean(alive)), 4),
        "survival_min": round(float(min(alive)), 4),
        "survival_anew": round(again, 4),
        "edits_kept": round(edited, 4),
        "identical": round(_identical(context), 4),
    }
    return SuiteResult(n=_ROUNDS, figures=figures)


def _edited(corpus: Corpus, topics: list[Known]) -> list[Known]:
    """Let an editor have worked: of each ten topics two are named, one is split; two more are brought together later.

    A night knows merged topics by their parts, so that they are merged only for the full run.
    """
    rows = {key: row for row, key in enumerate(corpus.keys)}
    found: list[Known] = []
    for number, topic in enumerate(topics):
        if number % 10 in _NAMED:
            found.append(replace(topic, is_kept=True))
        elif number % 10 == _SPLIT:
            found += _split(corpus, rows, topic)
        else:
            found.append(replace(topic, uid=f"{topic.uid}{_MERGED.get(number % 10, '')}"))
    return found


def _split(corpus: Corpus, rows: dict[str, int], topic: Known) -> list[Known]:
    """Cut off the half that is nearest to its most distant text."""
    keys = sorted(topic.members, key=lambda key: float(corpus.vectors[rows[key]] @ topic.centre))
    odd = corpus.vectors[rows[keys[0]]]
    keys.sort(key=lambda key: -float(corpus.vectors[rows[key]] @ odd))
    halves = keys[: len(keys) // 2], keys[len(keys) // 2 :]
    names = f"{topic.uid} off", f"{topic.uid} rest"
    return [
        replace(
            topic, uid=name, members=frozenset(half), is_kept=True,
            centre=unit(np.mean([corpus.vectors[rows[key]] for key in half], axis=0)[None])[0],
        )
        for name, half in zip(names, halves, strict=True)
    ]  # fmt: skip


def _edits_kept(corpus: Corpus, topics: list[Known]) -> tuple[float, float]:
    """Look at everything anew. Return the share of edits that stand after it, and of topics that live on.

    An edited topic stands when its id holds at least half of its texts that are still asked; a merged one when that is
    so of both its parts, a split one when it is so of both pieces.
    """
    there = frozenset(corpus.keys)
    one, other = ([topic for topic in topics if topic.uid.endswith(mark)] for mark in _MERGED.values())
    pairs = list(zip(one, other, strict=False))
    merged = [replace(left, members=left.members | right.members, is_kept=True) for left, right in pairs]
    parts = {topic.uid for pair in pairs for topic in pair}
    again = anew(corpus, [*(topic for topic in topics if topic.uid not in parts), *merged], lambda: False)
    groups = {
        uid: {corpus.keys[row] for row in np.flatnonzero(again.labels == number)}
        for number, uid in enumerate(again.uids)
    }

    def holds(uid: str, members: frozenset[str]) -> bool:
        left = members & there
        return uid in groups and len(left & groups[uid]) >= 0.5 * len(left)

    kept = [holds(topic.uid, topic.members) for topic in topics if topic.is_kept]
    kept += [holds(left.uid, left.members) and holds(left.uid, right.members) for left, right in pairs]
    return sum(kept) / len(kept), again.survival


def _went_on(corpus: Corpus, before: dict[str, frozenset[str]], after: dict[str, frozenset[str]]) -> float:
    """Return the share of topics whose id holds at least half of its old texts that are still there."""
    there = frozenset(corpus.keys)
    alive = {uid: members & there for uid, members in before.items() if members & there}
    same = sum(len(members & after.get(uid, frozenset())) >= 0.5 * len(members) for uid, members in alive.items())
    return same / len(alive)


def _identical(context: SuiteContext) -> float:
    """Return the share of five ways to give the same log that give the same topics: orders, duplicates, a process."""
    known = gold_corpus("xsid-de", context)
    texts = dict(zip(known.corpus.keys, zip(known.corpus.texts, known.raw, strict=True), strict=True))
    expected = _digest(known.corpus.keys, discover(known.corpus).labels)
    same = [_digest(*_shuffled(texts, seed)) == expected for seed in range(4)]
    same.append(_other_process(context) == expected)
    return sum(same) / len(same)


def _shuffled(texts: dict[str, tuple[str, np.ndarray]], seed: int) -> tuple[tuple[str, ...], Labels]:
    """Return the topics of the same log in another order, with every third text twice."""
    rows = [*texts.items(), *list(texts.items())[::3]]
    chance = np.random.default_rng(seed)
    chance.shuffle(rows)  # type: ignore[arg-type]
    unique = dict(rows)
    keys = tuple(sorted(unique))
    raw = np.stack([unique[key][1] for key in keys])
    corpus = Corpus(keys, tuple(unique[key][0] for key in keys), centred(raw, mean_of(raw)), np.ones(len(keys)))
    return keys, discover(corpus).labels


def _digest(keys: tuple[str, ...], labels: Labels) -> str:
    lines = "\n".join(f"{key} {label}" for key, label in zip(keys, labels, strict=True))
    return hashlib.sha256(lines.encode()).hexdigest()


def _other_process(context: SuiteContext) -> str:
    code = (
        "import sys, django; django.setup()\n"
        "from pathlib import Path\n"
        "from apps.core.suites import SuiteContext\n"
        "from apps.topics.suites.keeping import process_digest\n"
        "print(process_digest(SuiteContext(Path(sys.argv[1]), lambda line: None)))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(context.data)], cwd=settings.BASE_DIR, capture_output=True, text=True,
        check=True, timeout=900, env=_environment(),
    )  # fmt: skip
    return run.stdout.strip().splitlines()[-1]


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "DJANGO_SETTINGS_MODULE": "apps.config.settings"}


def process_digest(context: SuiteContext) -> str:
    """Return what this process finds; called by another one."""
    known = gold_corpus("xsid-de", context)
    return _digest(known.corpus.keys, discover(known.corpus).labels)
