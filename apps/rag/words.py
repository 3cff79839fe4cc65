"""The words of questions and sources that are compared: as written, folded, and by their search stem."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.language.stopwords import stop_words
from apps.language.thesaurus import term_stem
from apps.language.tokenising import Token, tokenise

# Sentences of sources whose words are kept: many questions read the same ones.
_TEXTS_KEPT: Final = 12_000
_WORDS_KEPT: Final = 50_000
# How questions about politics are framed; no source that answers them repeats it.
_FRAME: Final = frozenset(
    (  # noqa: SIM905
        "position haltung meinung ansicht standpunkt partei parteien programm wahlprogramm forderung forderungen"
        " fordert fordern plant planen thema frage vorschlag vorschlaege plaene party parties manifesto stance"
        " opinion view views vergleich unterschied unterschiede vergleiche compare thinks wants proposes plan plans"
        " laut nennt nennen schlaegt willen aussage aussagen gegenueber gilt gelten applies"
    ).split()
)
# What makes a number behind it one of a law: "§ 17" answers nothing that is asked about 17.
_OF_A_LAW: Final = {
    "§": "§",
    "§§": "§",
    "paragraf": "§",
    "paragraph": "§",
    "section": "§",
    "abs": "abs",
    "absatz": "abs",
    "subsection": "abs",
    "art": "art",
    "artikel": "art",
    "article": "art",
    "satz": "satz",
    "sentence": "satz",
    "nr": "nr",
    "nummer": "nr",
}


@dataclass(frozen=True, slots=True)
class Word:
    """A word ready to be compared: as written, folded, and its search stem."""

    text: str
    folded: str
    stem: str
    is_number: bool = False


def content_words(text: str, language: str) -> tuple[Word, ...]:
    """Return the distinct words of a question that name its subject: no function words, no frame."""
    left_out = stop_words(language) | _FRAME
    return _distinct(text, language, left_out)


@lru_cache(maxsize=_TEXTS_KEPT)
def all_words(text: str, language: str) -> tuple[Word, ...]:
    """Return the distinct words of a source's text, function words left out."""
    return _distinct(text, language, stop_words(language))


@lru_cache(maxsize=_TEXTS_KEPT)
def stems_of(text: str, language: str) -> tuple[str, ...]:
    """Return the search stems of all words and numbers of a text, in their order."""
    return tuple(term_stem(token.text, language) for token in tokenise(text) if token.kind != "sign")


def _distinct(text: str, language: str, left_out: Collection[str]) -> tuple[Word, ...]:
    words = (
        _word(token.text, law + token.folded, language, token.kind == "number")
        for token, law in _words(text)
        if token.folded not in left_out
    )
    return tuple({word.folded: word for word in words}.values())


def _words(text: str) -> Iterator[tuple[Token, str]]:
    """The words and numbers of a text; a number with what makes it one of a law, or nothing."""
    law = ""
    for token in tokenise(text):
        if token.kind != "sign":
            yield token, law if token.kind == "number" else ""
        law = _OF_A_LAW.get(token.folded, "")


@lru_cache(maxsize=_WORDS_KEPT)
def _word(text: str, folded: str, language: str, is_number: bool) -> Word:
    """One object for every text that has the word: the words of thousands of sentences are kept."""
    return Word(text, folded, term_stem(text, language), is_number)
