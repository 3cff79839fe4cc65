"""Questions for the day of the election itself: the most frequent ones, whose words stand in every source."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from apps.rag.time_names import MONTHS

_ELECTIONS: Final = (
    r"(?:bundestags|parlaments)?wahl(?:en|tag|termin|sonntag|datum)?|tag der wahl|gewählt|wählen|bundestag|elections?"
    r"|election day|polling day|vote|voting|polls"
)
_BESIDE: Final = (
    r"denn|eigentlich|endlich|genau|nochmals?|noch|mal|bitte|nun|jetzt|ist|sind|wird|werden|findet|finden|statt|steht|an"
    r"|haben|wir|man|die|der|den|das|dem|zur|zum|für|nächste[nr]?|kommende[nr]?|neue[nr]?|diese[nsr]?|jahr|in"
    r"|deutschland|hier|bei|uns|is|are|does|do|will|we|the|next|coming|german|federal|be|being|held|take|taking|place"
    r"|happen|on|in|germany|this|year|exactly|again|for|of|date|day|it|s|please|\d{4}"
)
_WHEN: Final = (
    r"wann|an welchem (?:tag|datum)|welche[rns]? (?:tag|datum|termin)|am wievielten|when"
    r"|(?:on )?(?:what|which) (?:date|day)"
)
_ASKS: Final = re.compile(
    rf"(?:(?:und|also|ja|and|so)\W+)?(?:{_WHEN})\b(?=.*\b(?:{_ELECTIONS})\b)(?:\W+(?:{_ELECTIONS}|{_BESIDE}))+\W*",
    re.IGNORECASE,
)
_NAMES: Final = re.compile(
    r"(?:der |das |the )?(?:wahltermin|wahltag|wahldatum|(?:termin|datum|tag) (?:der|für die) (?:bundestags)?wahl"
    r"|election (?:date|day)|date of the (?:federal )?election)\W*",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"\b\d{4}\b")


def asks_for_election_day(text: str, election_day: date | None = None) -> bool:
    """Say whether a question asks for nothing but the day of the election: the next one, or that of a year."""
    asked = text.strip()
    if not (_ASKS.fullmatch(asked) or _NAMES.fullmatch(asked)):
        return False
    year = _YEAR.search(asked)
    return year is None or (election_day is not None and int(year[0]) == election_day.year)


def stated_instead(text: str, language: str, election_day: date | None) -> str:
    """Return what is searched and judged instead of a question for the day: the statement that a source must make.

    "Wahl" stands in every source on an election, so the question's own words do not find the one that tells its day.
    "" for any other question.
    """
    if not asks_for_election_day(text, election_day):
        return ""
    if election_day is None:
        # Asked so, German sources answer; there is no such wording for English ones.
        return "" if language == "en" else "Wann wird gewählt?"
    # The German name is the first of each month's, the English one the last.
    names = [name for name, number in MONTHS.items() if number == election_day.month]
    month = names[-1 if language == "en" else 0].capitalize()
    if language == "en":
        return f"The election is on {election_day.day} {month} {election_day.year}"
    return f"Gewählt wird am {election_day.day}. {month} {election_day.year}"
