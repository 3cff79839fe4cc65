"""What a topic is called without a model: class-based TF-IDF (BERTopic's), and the question in its middle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from apps.topics.modelling.types import Corpus, Labels, Matrix
from apps.topics.modelling.words import Analyser

KEYWORDS: Final = 8
_IN_A_LABEL: Final = 3
_LONGEST_LABEL: Final = 60
_TYPO: Final = 82.0
_TOKENS_OF_A_CENTRAL_QUESTION: Final = (3, 22)


@dataclass(frozen=True, slots=True)
class Label:
    """A topic's name by machine. ``needs_check`` where no content word was left to make it of."""

    text: str
    keywords: tuple[str, ...]
    central: int
    needs_check: bool = False


def labels_of(
    corpus: Corpus, labels: Labels, centres: Matrix, analyser: Analyser, *, least_sessions: int = 1
) -> list[Label]:
    """Return one label per topic, unique among them, in the order of the numbers.

    Keywords fall back in steps: content words, then any word, then the central question alone. Only words that
    ``least_sessions`` have used can be any of these: what one reader told, others cannot get out by asking for it.
    """
    count = len(centres)
    if not count:
        return []
    words = _keywords(corpus, labels, count, analyser, least_sessions)
    named: list[Label] = []
    taken: set[str] = set()
    for number in range(count):
        central = central_text(corpus, np.flatnonzero(labels == number), centres[number])
        found, needs_check = words[number]
        is_shared = central >= 0 and corpus.weights[central] >= least_sessions
        text = _unique(found, corpus.texts[central] if is_shared else "", taken)
        taken.add(text.casefold())
        named.append(Label(text, tuple(found), central, needs_check))
    return named


def _keywords(
    corpus: Corpus, labels: Labels, count: int, analyser: Analyser, least_sessions: int
) -> list[tuple[list[str], bool]]:
    """Return each topic's best words, and whether they are only stop words."""
    counted = _shared([analyser(text) for text in corpus.texts], corpus.weights, least_sessions)
    nouns = {key: analyser.shown(key)[:1].isupper() for words in counted for key in words}
    ranked = _class_tfidf(counted, labels, count, nouns)
    found: list[tuple[list[str], bool]] = []
    for number in range(count):
        best = [analyser.shown(key) for key in ranked[number]]
        if best:
            found.append((_distinct(best)[:KEYWORDS], False))
            continue
        rows = np.flatnonzero(labels == number)
        whole = [analyser(corpus.texts[row], with_stop_words=True) for row in rows]
        loose = [key for words in _shared(whole, corpus.weights[rows], least_sessions) for key in words]
        common = sorted(set(loose), key=lambda key: (-loose.count(key), key))
        found.append(([analyser.shown(key) for key in common[:_IN_A_LABEL]], True))
    return found


def _shared(counted: Sequence[Sequence[str]], weights: np.ndarray, least_sessions: int) -> list[list[str]]:
    """Leave out the words that fewer sessions have used."""
    sessions: Counter[str] = Counter()
    for words, weight in zip(counted, weights, strict=True):
        sessions.update(dict.fromkeys(words, round(float(weight))))
    return [[word for word in words if sessions[word] >= least_sessions] for words in counted]


def _class_tfidf(
    counted: Sequence[Sequence[str]], labels: Labels, count: int, nouns: Mapping[str, bool]
) -> list[list[str]]:
    """Return each topic's words by c-TF-IDF, best first (Grootendorst 2022, with damped counts).

    Without its BM25 weighting, which turns negative for the words that are asked most.
    """
    from bertopic.vectorizers import ClassTfidfTransformer
    from scipy.sparse import coo_matrix

    vocabulary = {word: place for place, word in enumerate(sorted({word for words in counted for word in words}))}
    if not vocabulary:
        return [[] for _ in range(count)]
    places = [(label, vocabulary[word]) for label, words in zip(labels, counted, strict=True) if label >= 0
              for word in words]  # fmt: skip
    rows = [row for row, _ in places]
    columns = [column for _, column in places]
    counts = coo_matrix((np.ones(len(places)), (rows, columns)), shape=(count, len(vocabulary))).tocsr()
    # A topic without a word would be divided by its length, which is zero.
    filled = np.flatnonzero(np.asarray(counts.sum(axis=1)).ravel() > 0)
    if not len(filled):
        return [[] for _ in range(count)]
    known = sorted(vocabulary, key=lambda word: vocabulary[word])
    # Words that only unplaced texts have occur in no topic: the transformer would divide by zero.
    used = np.flatnonzero(np.asarray(counts.sum(axis=0)).ravel() > 0)
    weights = counts[filled][:, used].toarray()
    if len(used) > 1:
        model = ClassTfidfTransformer(reduce_frequent_words=True)
        weights = model.fit_transform(counts[filled][:, used]).toarray()
    least = _least_counts(counts[filled][:, used].toarray())
    ranked: list[list[str]] = [[] for _ in range(count)]
    for row, number in enumerate(filled):
        scores = weights[row] * (least[row] if least[row].any() else 1.0)
        # A noun says what it is about.
        scores = scores * np.array([1.5 if nouns[known[place]] else 1.0 for place in used])
        order = np.lexsort((np.arange(len(used)), -scores))
        ranked[number] = [known[used[place]] for place in order[: 3 * KEYWORDS] if scores[place] > 0]
    return ranked


def _least_counts(counts: np.ndarray) -> np.ndarray:
    """Say which words occur often enough in a topic to stand for it: in small ones twice, in large ones 3 %."""
    lengths = counts.sum(axis=1, keepdims=True)
    least: np.ndarray = counts >= np.maximum(2.0, 0.01 * lengths)
    return least


def central_text(corpus: Corpus, rows: np.ndarray, centre: Matrix) -> int:
    """Return the row whose text is nearest to the centre, whole sentences of ordinary length first; -1 for none."""
    if not len(rows):
        return -1
    scores = corpus.vectors[rows] @ centre
    best, best_score = -1, -np.inf
    for row, score in zip(rows, scores, strict=True):
        text = corpus.texts[row]
        tokens = len(text.split())
        is_ordinary = _TOKENS_OF_A_CENTRAL_QUESTION[0] <= tokens <= _TOKENS_OF_A_CENTRAL_QUESTION[1]
        # Nothing that masking has touched stands for a topic.
        value = float(score) - (0.0 if is_ordinary else 0.15) - (2.0 if "[" in text else 0.0)
        if value > best_score:
            best, best_score = int(row), value
    return best


def _distinct(words: Sequence[str]) -> list[str]:
    """Leave out words that only repeat the beginning of a better one: "Rente, Renten, Rentner" is one word."""
    from rapidfuzz import fuzz

    kept: list[str] = []
    for word in words:
        lower = word.casefold()
        others = list(map(str.casefold, kept))
        is_same_stem = any(lower.startswith(known[:5]) and known.startswith(lower[:5]) for known in others)
        if not is_same_stem and not any(fuzz.ratio(lower, known) >= _TYPO for known in others):
            kept.append(word)
    return kept


def _unique(words: Sequence[str], central: str, taken: set[str]) -> str:
    """Make a name of three words, more where another topic has it; the central question where there are none."""
    for size in range(_IN_A_LABEL, len(words) + 1):
        text = ", ".join(words[:size])
        if text.casefold() not in taken and len(text) <= _LONGEST_LABEL:
            return text
    text = (", ".join(words[:_IN_A_LABEL]) or central or "–")[:_LONGEST_LABEL].strip()
    number, fresh = 2, text
    while fresh.casefold() in taken:
        fresh, number = f"{text} ({number})", number + 1
    return fresh
