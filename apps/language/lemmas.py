"""Dictionary forms of a word for rules, which must not confuse Wahl with Wähler as a stemmer does."""

import re
import threading
import unicodedata
from functools import lru_cache
from typing import Final

import simplemma
from simplemma.strategies import DefaultStrategy
from simplemma.strategies.dictionaries.dictionary_factory import DEFAULT_DICTIONARY_FACTORY

from apps.language.normalising import fold

_DICTIONARIES: Final = (
    "ast bg ca cs cy da de el en enm es et fa fi fr ga gd gl gv hbs hi hu hy id is it ka la lb lt lv mk ms nb nl"
    " nn pl pt ro ru se sk sl sq sv sw tl tr uk"
)
_LANGUAGES: Final = frozenset(_DICTIONARIES.split())
_MAYBE_UMLAUT: Final = re.compile("ae|oe|ue")
_UMLAUTS: Final = {"ae": "ä", "oe": "ö", "ue": "ü"}
_LONGEST_WORD: Final = 64
# Asked directly: the library's own function remembers every form once more and folds case on the way, which costs as
# much again as the search, and a release is read while editors wait.
_STRATEGY: Final = DefaultStrategy()
_loading = threading.Lock()


@lru_cache(maxsize=65_536)
def lemma_set(word: str, language: str) -> frozenset[str]:
    """Return the folded word and its folded lemmas, lower-case and capitalised; two words meet if sets do.

    The word is given as written, umlauts included. Without a dictionary for the language it stands alone.
    """
    forms = {fold(word)}
    word = _printable(word)
    if language in _LANGUAGES and 0 < len(word) <= _LONGEST_WORD:
        _load(language)
        for spelling in _spellings(word, language):
            lower = spelling.lower()
            lemmas = (_STRATEGY.get_lemma(form, language) for form in (lower, lower.capitalize()))
            forms.update(fold(lemma) for lemma in lemmas if lemma is not None and lemma.lower() != lower)
    return frozenset(form for form in forms if form)


def _spellings(word: str, language: str) -> tuple[str, ...]:
    """A German word typed without umlauts is also looked up with them, where the dictionary knows that."""
    if language != "de":
        return (word,)
    restored = _MAYBE_UMLAUT.sub(lambda match: _UMLAUTS[match.group()], word.lower())
    if restored == word.lower() or not is_known(restored, language):
        return (word,)
    return (word, restored)


@lru_cache(maxsize=65_536)
def is_known(word: str, language: str) -> bool:
    """Say whether the dictionary of the language has the word, in lower case or capitalised."""
    word = _printable(word)
    if language not in _LANGUAGES or not 0 < len(word) <= _LONGEST_WORD:
        return False
    _load(language)
    lower = word.lower()
    return any(simplemma.is_known(form, lang=language) for form in (lower, lower.capitalize()))


@lru_cache(maxsize=len(_LANGUAGES))
def _load(language: str) -> None:
    """Read a dictionary, which takes more than a second, once: the first readers of a process come together."""
    with _loading:
        DEFAULT_DICTIONARY_FACTORY.get_dictionary(language)


def _printable(word: str) -> str:
    """Without lone surrogates, which the dictionaries cannot look up, in the composed form that they are written in."""
    return unicodedata.normalize("NFC", word.encode("utf-8", "ignore").decode())
