"""Which language a question or a document is written in; German unless something speaks against it.

Function words decide where there are any, dictionaries (simplemma) where a question has only content words. Both
are needed: "Rente mit 63" has no function word that tells, "How do I vote?" is all in one dictionary's reach.
"""

from functools import lru_cache
from typing import Final

from apps.language.lemmas import is_known
from apps.language.normalising import fold
from apps.language.stopwords import stop_words
from apps.language.tokenising import tokenise

_CHARACTERS_READ: Final = 2_000
_CANDIDATES: Final = ("de", "en", "fr", "es", "it", "nl", "pl", "pt", "sv", "da", "tr", "ru", "uk", "ro", "cs", "hu")
# Looking words up costs memory for each dictionary; only the two languages of the product are worth it.
_DICTIONARIES: Final = ("de", "en")
_CLEAR_SHARE: Final = 0.2
_CLEAR_LEAD: Final = 0.3


@lru_cache(maxsize=1)
def _function_words() -> dict[str, frozenset[str]]:
    return {language: stop_words(language) for language in _CANDIDATES}


def guess_language(text: str, default: str = "de") -> str:
    """Return the ISO 639-1 code of the language of `text`, `default` where nothing tells it clearly."""
    words = [token.text for token in tokenise(text[:_CHARACTERS_READ]) if token.kind == "word"]
    if not words:
        return default
    folded = [fold(word) for word in words]
    shares = {
        language: sum(word in listed for word in folded) / len(folded) for language, listed in _function_words().items()
    }
    first, second = sorted(shares.values(), reverse=True)[:2]
    best = max(shares, key=lambda language: shares[language])
    if first >= _CLEAR_SHARE and first > second:
        return best
    known = {language: shares[language] + _known_share(words, language) for language in _DICTIONARIES}
    best = max(known, key=lambda language: known[language])
    return best if known[best] - known.get(default, 0.0) >= _CLEAR_LEAD else default


def _known_share(words: list[str], language: str) -> float:
    return sum(is_known(word, language) for word in words) / len(words)
