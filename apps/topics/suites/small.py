"""Every size and every oddity of a log ends without an exception, and with a sentence."""

from __future__ import annotations

from typing import Final

import numpy as np

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.documents.embedding import vectors_cached
from apps.topics.embedding import topic_embedder
from apps.topics.modelling.discovery import discover
from apps.topics.modelling.labels import labels_of
from apps.topics.modelling.types import Corpus
from apps.topics.modelling.vectors import centred, centres_of, mean_of
from apps.topics.modelling.words import Analyser
from apps.topics.text_keys import text_key
from apps.topics.wording import REASONS

_SIZES: Final = (0, 1, 2, 3, 5, 7, 10, 29, 30, 64, 300)
_SUBJECTS: Final = ("Rente", "Klima", "Mieten", "Schule", "Pflege", "Steuern", "Verkehr", "Bundeswehr")
_ASKERS: Final = ("die Nordliste", "die Südpartei", "der Ostbund", "die Westallianz", "die Mitte", "Neue Linie",
                  "die Freien", "das Bündnis")  # fmt: skip


def _logs() -> dict[str, list[str]]:
    """Return all logs by name: sizes of ordinary questions, and what is odd."""
    questions = [
        f"Was plant {asker} bei {subject}{place}?"
        for place in ("", " im Osten", " bis 2030", " auf dem Land", " für Familien")
        for subject in _SUBJECTS
        for asker in _ASKERS
    ]
    logs = {f"size_{size}": questions[:size] for size in _SIZES}
    emoji = ("🙂", "👍👍", "🤷‍♀️")
    verbs = ("ist", "war", "wird", "soll", "kann", "muss", "darf", "mag")
    rest = ("hier", "da", "dort", "nun", "denn", "so", "ja", "auch")
    odd = {
        "identical": ["Was ist mit der Rente?"] * 64,
        "empty": ["", " ", "?"] * 20,
        "emoji": [f"{emoji[number % 3]} {'😀' * (number % 7 + 1)}" for number in range(64)],
        "stop_words": [f"was {word} das {other}" for word in verbs for other in rest],
        "one_word": [f"Rente{'n' * (number % 2)} {number}" for number in range(64)],
    }  # fmt: skip
    return {**logs, **odd}


@suite("topics:small", needs_data=False)
def small(context: SuiteContext) -> SuiteResult:
    """Logs of 0 to 300 texts, all identical, all empty, emoji, stop words, one word: errors are counted."""
    logs, errors, silent = _logs(), 0, 0
    subjects = 0
    with vectors_cached():
        for name, texts in logs.items():
            try:
                topics, sentence = _grouped(texts)
            except Exception as error:
                context.say(f"{name}: {type(error).__name__}: {error}")
                errors += 1
                continue
            silent += not topics and not sentence
            subjects = topics if name == "size_64" else subjects
            context.say(f"{name}: {topics} topics. {sentence}")
    figures = {"errors": errors, "without_a_sentence": silent, "topics_of_64": subjects}
    return SuiteResult(n=len(logs), figures=figures)


def _grouped(texts: list[str]) -> tuple[int, str]:
    """Return how many topics a log has, and the sentence that stands there instead of them."""
    unique = {text_key(text): text for text in texts if any(map(str.isalnum, text))}
    keys = tuple(sorted(unique))
    embedder = topic_embedder()
    rows = [embedder.embed_question(unique[key]) for key in keys]
    raw = np.stack(rows) if rows else np.zeros((0, embedder.dimensions), dtype=np.float32)
    corpus = Corpus(keys, tuple(unique[key] for key in keys), centred(raw, mean_of(raw)), np.ones(len(keys)))
    found = discover(corpus)
    if found.refusal:
        return 0, str(REASONS[found.refusal])
    centres = centres_of(corpus.vectors, found.labels, found.count)
    names = labels_of(corpus, found.labels, centres, Analyser())
    if any(not name.text.strip("–_ ") for name in names):
        raise ValueError("A topic has no name.")
    return found.count, ""
