"""The words of the corpus: which parts a compound may be cut into, and which chunks a new word touches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final

from django.db import connection

from apps.language.compounds import split_compound
from apps.language.searching import SearchAnalyser

LONGEST_WORD: Final = 64
_SHORTEST_PART: Final = 4
_SHORTEST_COMPOUND: Final = 8
_LOOKUP: Final = 20_000
# Sorts behind every word: the end of a range of beginnings (LIKE cannot use an index for a joined pattern).
_LAST_CHARACTER: Final = "\U0010ffff"


@lru_cache(maxsize=64)
def analyser(language: str) -> SearchAnalyser:
    """Return the analyser of a language; it is stateless and shared by all threads."""
    return SearchAnalyser(language)


class _Asked:
    """Knows no word and remembers which it was asked for."""

    def __init__(self) -> None:
        self.words: set[str] = set()

    def __contains__(self, word: object) -> bool:
        self.words.add(str(word))
        return False


def words_asked_for(text: str, language: str) -> set[str]:
    """Return every word that the analysis of `text` may look up: beginnings and ends of its long words, and more."""
    asked = _Asked()
    analyser(language).terms(text, asked)
    for word in analyser(language).words(text):
        asked.words |= _ends(word)
    return {word for word in asked.words if _SHORTEST_PART <= len(word) <= LONGEST_WORD}


def _ends(word: str) -> set[str]:
    """Both halves of every cut; a modifier without its linking letters is a beginning too."""
    if not _SHORTEST_COMPOUND <= len(word) <= LONGEST_WORD:
        return set()
    cuts = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    return {word[:cut] for cut in cuts} | {word[cut:] for cut in cuts}


def known_words(asked: Mapping[str, Collection[str]]) -> dict[str, set[str]]:
    """Return, per language, which of the words asked for stand in the corpus. One query."""
    known: dict[str, set[str]] = defaultdict(set)
    pairs = [(language, list(words)) for language, words in asked.items() if words]
    if not pairs:
        return known
    condition = " OR ".join(["(language = %s AND text = ANY(%s))"] * len(pairs))
    parameters = [value for pair in pairs for value in pair]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT language, text FROM documents_word WHERE {condition}", parameters)
        for language, text in cursor.fetchall():
            known[language].add(text)
    return known


def words_add(language: str, words: Iterable[str]) -> set[str]:
    """Store the words of new texts; return those that the corpus did not have."""
    kept = sorted({word for word in words if _SHORTEST_PART <= len(word) <= LONGEST_WORD and word.isalpha()})
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO documents_word (language, text) SELECT %s, unnest(%s::text[])"
            " ON CONFLICT DO NOTHING RETURNING text",
            [language, kept],
        )
        return {text for (text,) in cursor.fetchall()}


def compounds_changed(language: str, new: set[str]) -> set[str]:
    """Return the stored words that are cut otherwise now that the corpus has the `new` words as well."""
    candidates = _words_around(language, new) - new
    parts = {part for word in candidates for part in _ends(word)}
    known: set[str] = set()
    ordered = sorted(parts)
    for start in range(0, len(ordered), _LOOKUP):
        known |= known_words({language: ordered[start : start + _LOOKUP]})[language]
    before = known - new
    return {word for word in candidates if split_compound(word, before) != split_compound(word, known)}


def _words_around(language: str, new: set[str]) -> set[str]:
    if not new:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT longer.text FROM unnest(%(new)s::text[]) AS part(text)
            JOIN documents_word longer ON longer.language = %(language)s
                AND longer.text ~>=~ part.text AND longer.text ~<~ (part.text || %(last)s)
            UNION
            SELECT longer.text FROM unnest(%(new)s::text[]) AS part(text)
            JOIN documents_word longer ON longer.language = %(language)s
                AND reverse(longer.text) ~>=~ reverse(part.text)
                AND reverse(longer.text) ~<~ (reverse(part.text) || %(last)s)
            """,
            {"new": sorted(new), "language": language, "last": _LAST_CHARACTER},
        )
        return {text for (text,) in cursor.fetchall()}
