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

from collections import Counter
from collections.abc import Container, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from apps.language.compounds import split_compound
from apps.language.normalising import fold
from apps.language.stemming import stem
from apps.language.stopwords import stop_words
from apps.language.suspended import completed_words
from apps.language.tokenising import Token, tokenise

__all__ = ["SearchAnalyser", "split_compound"]

_COMPOUNDING: Final = frozenset({"da", "de", "fi", "hu", "nb", "nl", "nn", "no", "sv"})
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


class SearchAnalyser:
    """Turns text into the terms of one language (ISO 639-1 code); stateless, safe in threads."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._stop_words = stop_words(language)

    def words(self, text: str) -> list[str]:
        """Return the folded words and numbers of `text` in order, stop words included."""
        return [token.folded for token in tokenise(text) if token.kind != "sign"]

    def terms(self, text: str, vocabulary: Container[str]) -> Counter[str]:
        """Count the search terms of `text`: stems, compound parts known to `vocabulary`, references.

        `vocabulary` holds folded words of the corpus. The same vocabulary must serve index and question.
        """
        tokens = tokenise(text)
        counts: Counter[str] = Counter()
        for token in tokens:
            if token.kind == "number":
                counts[token.folded] += 1
            elif token.kind == "word" and token.folded not in self._stop_words:
                counts[_stem(token.text, self.language)] += 1
                counts.update(self._parts(token.folded, vocabulary))
        counts.update(_references(tokens))
        if self.language == "de" and "-" in text:
            for word in completed_words(text, vocabulary):
                counts[_stem(word, "de")] += 1
        return counts

    def _parts(self, word: str, vocabulary: Container[str]) -> Iterator[str]:
        if self.language in _COMPOUNDING:
            for part in split_compound(word, vocabulary):
                yield _stem(part, self.language)


def _references(tokens: list[Token]) -> Iterator[str]:
    for mark, number in pairwise(tokens):
        if number.folded[0].isdigit() and mark.folded in _REFERENCE_MARKS:
            yield _REFERENCE_MARKS[mark.folded] + number.folded
