"""Which language a question or a document is written in; German unless something speaks against it."""

from functools import lru_cache
from typing import Final

import simplemma

from apps.language.normalising import fold
from apps.language.stopwords import stop_words
from apps.language.tokenising import tokenise

_TOKENS_READ: Final = 400
_NEAR: Final = ("de", "en")
_CANDIDATES: Final = ("de", "en", "fr", "es", "it", "nl", "pl", "pt", "sv", "da", "tr", "ru", "uk", "ro", "cs", "hu")


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    return {language: stop_words(language) for language in _CANDIDATES}


def guess_language(text: str, default: str = "de") -> str:
    """Return the ISO 639-1 code of the language of `text`, `default` where nothing tells it."""
    words = [token.text for token in tokenise(text[:4000]) if token.kind == "word"][:_TOKENS_READ]
    if not words:
        return default
    folded = [fold(word) for word in words]
    shares = {language: sum(word in listed for word in folded) / len(folded) for language, listed in _lists().items()}
    best = max(shares, key=lambda language: (shares[language], language == default))
    if shares[best] >= 0.2 and all(shares[best] > share for other, share in shares.items() if other != best):
        return best
    known = _dictionary_shares(words)
    return max(known, key=lambda language: (known[language] + shares[language], language == default))


def _dictionary_shares(words: list[str]) -> dict[str, float]:
    """Share of words that the dictionary of each near language knows; far languages need stop words."""
    return {language: sum(simplemma.is_known(word, lang=language) for word in words) / len(words) for language in _NEAR}
