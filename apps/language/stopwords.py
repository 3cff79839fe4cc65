"""Words that carry no topic: left out of search terms and of coverage, counted for the language guess."""

from functools import lru_cache
from typing import Final

from stop_words import StopWordError, get_stop_words

from apps.language.normalising import fold

# The library's German list has no question frame: "Was sagt die SPD zu …", "Wie steht … zu …", "Gibt es …?"
# are how readers ask, and each of these words would otherwise weigh like a topic in a corpus of programmes.
_ASKED_WITH: Final = (
    "bitte danke gibt gib geben sagt sagen sag sage steht stehen meint meinen heißt heißen lautet geht gehen wem wen"
    " wessen womit wofür wodurch worüber woran worin wozu wogegen wobei davon dafür dagegen dabei darüber darauf"
    " daran darunter hierzu hierfür eigentlich mal bloß etwa genau möchte möchten möchtest willst wollt darf dürfen"
    " darfst dürft mag wäre wären sei seien wurde wurden worden hätte hätten sollten könnten müsste müssten beim je"
    " jeweils bereits schon bzw beziehungsweise sowohl weder sogar immer mehr genug gar eben halt"
)
# The library's English list has 1,333 words, among them state, member, bill, home, research and every country code:
# topics here. So English takes the closed word classes and the question frame instead.
_ENGLISH: Final = (
    "a about after again against all also am an and any are as at be because been before being below between both but"
    " by can could did do does doing don't down during each few for from further had has have having he her here hers"
    " herself him himself his how i i'd i'll i'm i've if in into is it it's its itself just let me might more most must"
    " my myself no nor not now of off on once only or other ought our ours ourselves out over own please same shall"
    " she should so some such than thanks that that's the their theirs them themselves then there these they this"
    " those through to too under until up upon us very was we were what what's when where whether which while who whom"
    " whose why will with would you your yours yourself yourselves say says said tell stand stands think thinks mean"
    " means happen happens many much get got hello hi"
)


@lru_cache(maxsize=64)
def stop_words(language: str) -> frozenset[str]:
    """Return the folded stop words of a language (ISO 639-1 code); empty where the library has no list."""
    if language == "en":
        return _folded(_ENGLISH.split())
    try:
        listed = get_stop_words(language)
    except (StopWordError, OSError, UnicodeError):
        return frozenset()
    return _folded([*listed, *(_ASKED_WITH.split() if language == "de" else ())])


def _folded(words: list[str]) -> frozenset[str]:
    return frozenset(filter(None, (fold(word) for word in words)))
