"""The analysis behind BM25; documents index with it and questions are read with it.

Search and rules read words differently, on purpose, and this is the one place that says so:

* Search wants recall. It cuts to Snowball stems (Wahl = Wähler = wählen), adds the parts of compounds that
  the corpus knows (Rentenniveau also answers to Rente), and drops stop words. A wrong merge only costs rank.
* Rules want precision. They compare lemma sets (`lemmas.lemma_set`: Wahl is not Wähler, schön is not schon),
  never cut compounds, and keep every word. A wrong merge would hand a reader the wrong answer.

Both start from `normalising.fold`. German is stemmed after folding: Snowball's German algorithm reads ae, oe
and ue as umlauts itself, so "Waehler" and "Wähler" share a stem, and one spelling serves the vocabulary too.
Other languages are stemmed as written and folded afterwards, since their ö is not our oe.
"""

import re
from collections import Counter
from collections.abc import Container, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from apps.language.compounds import split_compound
from apps.language.normalising import HYPHENS, TOKEN, fold, token_text
from apps.language.stemming import stem
from apps.language.stopwords import stop_words
from apps.language.suspended import completed_words
from apps.language.tokenising import tokenise

__all__ = ["SearchAnalyser", "split_compound"]

_COMPOUNDING: Final = frozenset({"da", "de", "fi", "hu", "nb", "nl", "nn", "no", "sv"})
_SHORTEST_CUT: Final = 8
_HYPHEN: Final = re.compile(f"[{HYPHENS}]")
_HYPHENATED: Final = re.compile(rf"[^\W_]+(?:{_HYPHEN.pattern}[^\W_]+)+")
# Parts this short say nothing alone, so that the whole word must be a term.
_SHORT_PART: Final = 3
_CUTS_KEPT: Final = 500_000
# "Artikel 38" and "Art. 38" are one term, as are "§ 36" and "Paragraph 36".
_REFERENCE_MARKS: Final = {
    "§": "§", "paragraph": "§", "paragraf": "§", "paragraphen": "§", "art": "art", "artikel": "art",
    "artikels": "art", "article": "art", "section": "§",
}  # fmt: skip


@lru_cache(maxsize=200_000)
def _stem(word: str, language: str) -> str:
    if language == "de":
        return stem(fold(word), language)
    return fold(stem(word.casefold(), language))


class _Cuts(dict[str, tuple[str, ...]]):
    """Stems of the compound parts of each word under one vocabulary that cannot change."""

    def __init__(self, vocabulary: Container[str], language: str) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self._language = language

    def __missing__(self, word: str) -> tuple[str, ...]:
        parts = tuple(_stem(part, self._language) for part in split_compound(word, self.vocabulary))
        if len(self) < _CUTS_KEPT:
            self[word] = parts
        return parts


class SearchAnalyser:
    """Turns text into the terms of one language (ISO 639-1 code); safe in threads."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._stop_words = stop_words(language)
        self._cuts = _Cuts(frozenset(), language)

    def words(self, text: str) -> list[str]:
        """Return the folded words and numbers of `text` in order, stop words included."""
        return [token_text(match) for match in TOKEN.finditer(fold(text)) if match.lastgroup != "sign"]

    def terms(self, text: str, vocabulary: Container[str]) -> Counter[str]:
        """Count the search terms of `text`: stems, compound parts known to `vocabulary`, references.

        `vocabulary` holds folded words of the corpus (`words`). Index and question must use the same one; cuts are
        remembered while it is one frozenset.
        """
        pairs = self._pairs(text)
        cuts = self._cuts_for(vocabulary)
        counts: Counter[str] = Counter()
        for folded, written in pairs:
            if folded in self._stop_words or folded == "§":
                continue
            counts[folded if folded.isdigit() else _stem(written, self.language)] += 1
            if len(folded) >= _SHORTEST_CUT and self.language in _COMPOUNDING:
                for part in cuts[folded]:
                    counts[part] += 1
        counts.update(_references(pairs))
        if _HYPHEN.search(text):
            counts.update(_stem(word, self.language) for word in self._hyphenated(fold(text), vocabulary))
        return counts

    def _hyphenated(self, folded: str, vocabulary: Container[str]) -> Iterator[str]:
        """Words that hyphens part: "Wahl-O-Mat" is asked for as Wahlomat, "Ein- und Ausfuhr" as Einfuhr."""
        for match in _HYPHENATED.finditer(folded):
            parts = _HYPHEN.split(match.group())
            joined = "".join(parts)
            if not joined.isdigit() and (min(map(len, parts)) < _SHORT_PART or joined in vocabulary):
                yield joined
        if self.language == "de":
            yield from completed_words(folded, vocabulary)

    def _pairs(self, text: str) -> list[tuple[str, str]]:
        """Each token folded and in the spelling that its stemmer wants."""
        if self.language == "de":
            return [(spelled, spelled) for spelled in (token_text(match) for match in TOKEN.finditer(fold(text)))]
        return [(token.folded, token.text) for token in tokenise(text)]

    def _cuts_for(self, vocabulary: Container[str]) -> _Cuts:
        if not isinstance(vocabulary, frozenset):
            return _Cuts(vocabulary, self.language)
        cuts = self._cuts
        if cuts.vocabulary is not vocabulary:
            cuts = self._cuts = _Cuts(vocabulary, self.language)
        return cuts


def _references(pairs: list[tuple[str, str]]) -> Iterator[str]:
    for (mark, _), (number, _) in pairwise(pairs):
        if number[0].isdigit() and mark in _REFERENCE_MARKS:
            yield _REFERENCE_MARKS[mark] + number
