"""How a reader asks for somebody's opinion instead of a fact."""

from __future__ import annotations

import re
from typing import Final

# A newspaper has opinions in its commentaries: "Wie bewertet der Kurier ...?", "Was meint die Zeitung zu ...?"
_PAPER: Final = r"(?:\w+-)?(?:zeitung|kurier|redaktion|presse|blatt|anzeiger|magazin)(?:en|s)?"
_VIEWS: Final = (
    r"(?:kommentiert?e?n?|bewerte[nt]e?n?|beurteil(?:t|te|en|ten)|mein(?:t|te|en|ten)|urteil(?:t|te|en|ten))"
)
_OF_A_PAPER: Final = re.compile(
    rf"\b{_VIEWS}\s+(?:der|die|das|den|dem|diese[rsnm]?|ihre?)?\s*{_PAPER}\b"
    r"|\b(?:does|do|did)\s+the\s+(?:\w+\s+){0,2}(?:paper|newspaper|press|newsroom)\s+(?:comment|judge|think|rate|view)\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"\b(?:kommentar\w*|kommentier\w*|leitartik\w*|meinung(?:en|sbeitr\w*|sst\w*)?|gastbeitr\w*|kolumne\w*"
    r"|opinions?|comment(?:ary|ator|ators)?|columnists?|columns?|editorials?)\b",
    re.IGNORECASE,
)
# Of these somebody who comments for a living is meant, or what they wrote.
_COMMENTARY: Final = re.compile(
    r"\b(?:kom+ent(?:ar(?:e[ns]?|s)?|ator\w*)|leitartik\w*|kolumn\w*|gastbeitr\w*|meinungsbeitr\w*"
    r"|columnists?|columns?|commentar(?:y|ies)|commentators?|editorials?)\b",
    re.IGNORECASE,
)


def asks_for_opinion(question: str) -> bool:
    """Say whether a question asks what somebody thinks, as in a commentary."""
    return bool(_ASKS.search(question) or names_commentary(question))


def names_commentary(question: str) -> bool:
    """Say whether a question is about a commentary or whoever wrote it: nothing else answers it."""
    return bool(_COMMENTARY.search(question) or _OF_A_PAPER.search(question))


def without_opinion_words(question: str) -> str:
    """Return the question without those words: no commentary calls itself one."""
    return _COMMENTARY.sub(" ", _ASKS.sub(" ", _OF_A_PAPER.sub(" ", question)))
