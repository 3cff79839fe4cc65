"""Do topics keep their identity, and editors' work, while texts come and go? Is a run the same wherever it is made?"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from typing import Final

import numpy as np
from django.conf import settings

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.topics.modelling.discovery import discover
from apps.topics.modelling.identity import Known
from apps.topics.modelling.routine import go_on
from apps.topics.modelling.types import Corpus, Labels
from apps.topics.modelling.vectors import centred, mean_of
from apps.topics.services.proposing import anew
from apps.topics.suites.corpora import gold_corpus
from apps.topics.suites.streaming import topics_after, topics_of

_ROUNDS: Final = 10
_TURNOVER: Final = 0.04
_KEPT: Final = 5


@suite("topics:stability")
def stability(context: SuiteContext) -> SuiteResult:
    """CLINC150: ten nights in which 4 % of the texts go and others come; then everything anew, with editors' work."""
    whole = gold_corpus("clinc150", context).corpus
    order = sorted(range(len(whole)), key=lambda row: hashlib.sha256(f"{whole.keys[row]} turn".encode()).digest())
    change = int(_TURNOVER * 0.6 * len(whole))
    window = int(0.6 * len(whole))
    first = whole.take(order[:window])
    topics = _edited(first, topics_of(first, discover(first).labels))
    kept = [topic.uid for topic in topics]
    edits = {topic.uid: topic.members for topic in topics if topic.is_kept}
    alive, edited = [], []
    for number in range(1, _ROUNDS + 1):
        part = whole.take(order[number * change : number * change + window])
        before = {topic.uid: topic.members for topic in topics}
        night = go_on(part, topics, settled=frozenset(part.keys) & frozenset(first.keys))
        topics = topics_after(part, night, topics)
        alive.append(_went_on(part, before, {topic.uid: topic.members for topic in topics}))
        edited.append(all(uid in {topic.uid for topic in topics} for uid in edits))
        context.say(f"Night {number}: {alive[-1]:.3f} of the topics went on, {night.born} are new.")
    part = whole.take(order[_ROUNDS * change : _ROUNDS * change + window])
    again = anew(part, [topic for topic in topics if topic.uid in kept or topic.members], lambda: False)
    full_edits = sum(uid in again.uids for uid in edits) / len(edits)
    figures = {
        "survival": round(float(np.mean(alive)), 4),
        "survival_min": round(float(min(alive)), 4),
        "survival_anew": round(again.survival, 4),
        "edits_kept": round(min(float(np.mean(edited)), full_edits), 4),
        "identical": round(_identical(context), 4),
    }
    return SuiteResult(n=_ROUNDS, figures=figures)


def _edited(corpus: Corpus, topics: list[Known]) -> list[Known]:
    """Let an editor have worked on every fifth topic."""
    return [
        Known(topic.uid, topic.members, topic.centre, topic.floor, is_kept=number % _KEPT == 0)
        for number, topic in enumerate(topics)
    ]


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
