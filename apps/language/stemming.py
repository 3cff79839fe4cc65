"""Snowball stems for search, one stemmer per thread and language."""

import threading
from typing import Final, Protocol, cast

import Stemmer

# ISO 639-1 code -> name of the Snowball algorithm.
ALGORITHMS: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nb": "norwegian",
    "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip


class _Stems(Protocol):
    def stemWord(self, word: str) -> str: ...


# A Stemmer object keeps state while it works: two threads in one object crash the process.
_local = threading.local()


def has_stemmer(language: str) -> bool:
    """Say whether Snowball knows the language (ISO 639-1 code)."""
    return ALGORITHMS.get(language) in Stemmer.algorithms()


def stem(word: str, language: str) -> str:
    """Return the Snowball stem of one lower-case word; the word itself where there is no stemmer."""
    stemmer = _stemmer(language)
    if stemmer is None:
        return word
    try:
        return stemmer.stemWord(word)
    except UnicodeEncodeError:
        return word


def _stemmer(language: str) -> _Stems | None:
    stemmers: dict[str, _Stems | None] | None = getattr(_local, "stemmers", None)
    if stemmers is None:
        stemmers = _local.stemmers = {}
    if language not in stemmers:
        known = has_stemmer(language)
        stemmers[language] = cast(_Stems, Stemmer.Stemmer(ALGORITHMS[language])) if known else None
    return stemmers[language]
