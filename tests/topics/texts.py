"""Texts and vectors for the tests of topics: subjects as directions, so that it is known what belongs together."""

from __future__ import annotations

import numpy as np

from apps.topics.modelling.types import Corpus
from apps.topics.modelling.vectors import unit
from apps.topics.text_keys import text_key

DIMENSIONS = 48


def clusters(sizes: dict[str, int], *, spread: float = 0.35, seed: int = 1) -> tuple[Corpus, dict[str, str]]:
    """Return a corpus of named subjects and each key's subject. The same arguments give the same corpus."""
    chance = np.random.default_rng(seed)
    rows = {}
    for number, (subject, size) in enumerate(sizes.items()):
        centre = np.zeros(DIMENSIONS)
        centre[number] = 1.0
        for place in range(size):
            text = f"Was plant die Regierung bei {subject} Frage {place}?"
            rows[text_key(text)] = (text, subject, centre + spread * chance.normal(size=DIMENSIONS) / 4)
    keys = tuple(sorted(rows))
    raw = np.array([rows[key][2] for key in keys], dtype=np.float32).reshape(-1, DIMENSIONS)
    corpus = Corpus(keys, tuple(rows[key][0] for key in keys), unit(raw), np.ones(len(keys)))
    return corpus, {key: rows[key][1] for key in keys}
