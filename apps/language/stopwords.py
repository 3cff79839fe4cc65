"""Words that carry no topic: left out of search terms and of coverage, counted for the language guess."""

from functools import lru_cache
from typing import Final

from stop_words import StopWordError, get_stop_words

from apps.language.normalising import fold

# The library's German list has no question frame: "Was sagt die SPD zu …", "Wie steht … zu …", "Gibt es …?"
# are how readers ask, and each of these words would otherwise weigh like a topic in a corpus of programmes.
_ASKED_WITH: Final = {
    "de": (
        "bitte danke gibt gib geben sagt sagen steht stehen meint meinen heißt heissen lautet geht gehen welch"
        " wem wen wessen womit wofür wodurch worüber woran worin wozu wogegen wobei davon dafür dagegen dabei"
        " dazu darüber darauf darin daran darunter hierzu hierfür sag sage eigentlich denn mal bloß etwa genau"
        " möchte möchten möchtest will willst wollt dürfen darf darfst dürft mag wäre wären sei seien wurde"
        " wurden worden hätte hätten sollten könnten müsste müssten beim zu zur zum je jeweils bereits schon"
        " dass ob bzw beziehungsweise sowohl weder noch sogar immer mehr genug gar eben halt"
    ),
    "en": "please thanks does did do doing tell say says stand stands think thinks position",
}


@lru_cache(maxsize=64)
def stop_words(language: str) -> frozenset[str]:
    """Return the folded stop words of a language (ISO 639-1 code); empty where the library has no list."""
    try:
        listed = get_stop_words(language)
    except (StopWordError, OSError, UnicodeError):
        listed = []
    words = [*listed, *_ASKED_WITH.get(language, "").split()]
    return frozenset(filter(None, (fold(word) for word in words)))
