"""Public sets of short texts with known groups, read as the log would hold them: unique, sorted, centred."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from apps.core.suites import SuiteContext
from apps.documents.embedding import vectors_cached
from apps.topics.embedding import topic_embedder
from apps.topics.modelling.types import Corpus, Labels, Matrix
from apps.topics.modelling.vectors import centred, mean_of
from apps.topics.text_keys import text_key

Row = tuple[str, str]
_FOLDERS: Final = {
    "xsid-de": "xsid-de",
    "clinc150": "clinc150",
    "clinc150-train": "clinc150",
    "banking77": "banking77",
    "wahl-o-mat": "wahl-o-mat",
}


@dataclass(frozen=True, slots=True)
class GoldCorpus:
    """A corpus with the true group of each row, numbered from 0; ``raw`` are its vectors before they were centred."""

    corpus: Corpus
    gold: Labels
    raw: Matrix
    names: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.names)


def gold_corpus(name: str, context: SuiteContext) -> GoldCorpus:
    """Return a data set with its vectors, which are kept under var/cache/vectors."""
    rows = READERS[name](context.folder(_FOLDERS[name]))
    unique: dict[str, Row] = {}
    for text, group in rows:
        unique.setdefault(text_key(text), (text, group))
    keys = tuple(sorted(unique))
    texts = tuple(unique[key][0] for key in keys)
    names, gold = np.unique([unique[key][1] for key in keys], return_inverse=True)
    with vectors_cached():
        embedder = topic_embedder()
        vectors = np.stack([embedder.embed_question(text) for text in texts])
    corpus = Corpus(keys, texts, centred(vectors, mean_of(vectors)), np.ones(len(keys)))
    return GoldCorpus(corpus, np.asarray(gold, dtype=np.int64), vectors, tuple(map(str, names)))


def half(key: str) -> int:
    """Return 0 or 1: the half of a set on which parameters were chosen, and the one that is reported."""
    return hashlib.sha256(key.encode()).digest()[0] % 2


def _xsid(folder: Path) -> Sequence[Row]:
    rows: list[Row] = []
    for name in ("de.valid.conll", "de.test.conll"):
        text = ""
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            if found := re.match(r"# text\s*=\s*(.+)", line):
                text = found[1]
            elif found := re.match(r"# intent\s*=\s*(.+)", line):
                rows.append((text, found[1]))
    return rows


def _clinc(folder: Path, part: str = "test") -> Sequence[Row]:
    data = json.loads((folder / "data_small.json").read_text(encoding="utf-8"))
    return [(text, intent) for text, intent in data[part]]


def _banking(folder: Path) -> Sequence[Row]:
    with (folder / "test.csv").open(encoding="utf-8", newline="") as file:
        return [(row["text"], row["category"]) for row in csv.DictReader(file)]


def _theses(folder: Path) -> Sequence[Row]:
    """Theses with exactly one policy area."""
    lines = (folder / "theses-with-topics.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [(row["text"], row["area"][0]) for row in rows if row["text"].strip() and len(row["area"]) == 1]


READERS: Final[dict[str, Callable[[Path], Sequence[Row]]]] = {
    "xsid-de": _xsid,
    "clinc150": _clinc,
    "clinc150-train": lambda folder: _clinc(folder, "train"),
    "banking77": _banking,
    "wahl-o-mat": _theses,
}
