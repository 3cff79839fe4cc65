"""Small talk or a search. Advice is refused wherever it is asked for; small talk is answered; in doubt it searches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from apps.language.normalising import normalise
from apps.rag.routing_advice import asks_for_advice, names_party
from apps.rag.routing_model import ASIDE, shipped_model


class RoutedBy(StrEnum):
    """What decided."""

    ADVICE = "advice"
    PATTERN = "pattern"
    MODEL = "model"
    DOUBT = "doubt"


@dataclass(frozen=True, slots=True)
class Route:
    """Where a text goes: ``code`` is that of the reply, "" for a search."""

    code: str
    by: RoutedBy


# Patterns over the normalised question (folded, no punctuation, ä as ae). Each must match from end to end.
_PIECES: Final = {
    "about": (
        r"(?:wer|was) (?:bist|sind) (?:du|sie)(?: eigentlich)?|wie heisst du"
        r"|bist du (?:ein |eine )?(?:mensch|maschine|bot|chatbot|roboter|ki)"
        r"|(?:who|what) are you|are you (?:a |an )?(?:human|bot|robot|chatbot|ai)"
    ),
    "abilities": (
        r"was (?:kannst|machst) du(?: so| alles)?|was koennen sie|wie funktionierst du|hilfe"
        r"|what can you do|how do you work|help"
    ),
    "maker": r"wer hat dich (?:gemacht|gebaut|programmiert|entwickelt)|who made you",
    "knowledge": r"woher hast du (?:dein wissen|deine informationen)|woher weisst du das(?: alles)?",
    "how_are_you": r"wie geht(?:s| es dir| es ihnen)(?: heute)?|how are you(?: today)?",
    "thanks": (
        r"(?:vielen |herzlichen |besten |tausend )?dank(?: dir| ihnen)?|danke(?: schoen| sehr| dir| ihnen)?|dankeschoen"
        r"|merci|thanks(?: a lot)?|thank you(?: very much| so much)?|super|prima|toll|alles klar|great"
    ),
    "goodbye": r"tschuess|tschues|ciao|bye(?: bye)?|auf wiedersehen|bis (?:bald|dann|spaeter)|goodbye|see you",
    "greeting": (
        r"hallo|hi|hey|moin(?: moin)?|servus|na|gruess gott|gruezi|guten? (?:tag|morgen|abend)"
        r"|hello|good (?:morning|afternoon|evening|day)"
    ),
}
_FILLERS: Final = r"(?:lieber |liebe )?(?:bot|chatbot|wegweiser|zusammen|da|there|bitte|please|und|and|du)"
_WHOLE: Final = {code: re.compile(rf"(?:{pattern})(?= |$)") for code, pattern in _PIECES.items()}
_FILLER: Final = re.compile(rf"{_FILLERS}(?= |$)")
# A word that accepts what was offered before says nothing by itself: the rewriter knows what was offered.
_ACCEPTING: Final = frozenset({
    "ok", "okay", "okey", "ja", "jo", "jep", "gerne", "gern", "nein", "nee", "bitte", "klar", "sicher", "mehr",
    "weiter", "beide", "alle", "yes", "yeah", "yep", "sure", "no", "more", "both",
})  # fmt: skip

_FOLLOWING: Final = re.compile(
    r"^(?:und|aber|nein|doch|ja|warum|wieso|weshalb|wozu|seit wann|bis wann|and|but|no|yes|why|since|until)\b|\d"
    r"|\b(?:davon|damit|dazu|dafuer|dagegen|dabei|darueber|it|they|them|that)\b"
)


def small_talk(text: str) -> str:
    """Return the code of the reply to a text on its own, or "" for everything that shall be searched."""
    return route(text).code


def route(text: str, *, names: Sequence[str] = (), before: str = "") -> Route:
    """Decide by the text where it goes.

    ``names`` are the names of parties as they stand in the text, ``before`` is the reader's question of the turn
    before, "" in a first turn. Small talk in front of a question does not count: "Hallo, was sagt die SPD zur Rente?"
    is a search, "Hallo, wen soll ich wählen?" a request for advice.
    """
    advice = asks_for_advice(text, names=names, before=before)
    if advice:
        return Route(advice, RoutedBy.ADVICE)
    words = normalise(text)
    if set(words.split()) <= _ACCEPTING:
        return Route("", RoutedBy.DOUBT)
    code = _by_patterns(words)
    if code:
        return Route(code, RoutedBy.PATTERN)
    code = shipped_model().read(text)
    # "Warum?", "Und bis 2045?" and what else is short are questions where there was one before.
    is_doubtful = names_party(text, names) or (before and (code == ASIDE or _FOLLOWING.search(words)))
    return Route("", RoutedBy.DOUBT) if not code or is_doubtful else Route(code, RoutedBy.MODEL)


def _by_patterns(rest: str) -> str:
    """The code of a text that consists of small talk from end to end."""
    found: list[str] = []
    while rest:
        code, length = _longest(rest)
        if not length:
            return ""
        if code:
            found.append(code)
        rest = rest[length:].lstrip()
    # What is asked weighs more than how it is said: "Hallo, wer bist du?" is a question about the bot.
    return next((code for code in _PIECES if code in found), "")


def _longest(rest: str) -> tuple[str, int]:
    best, longest = "", 0
    for code, pattern in (*_WHOLE.items(), ("", _FILLER)):
        match = pattern.match(rest)
        if match and match.end() > longest:
            best, longest = code, match.end()
    return best, longest
