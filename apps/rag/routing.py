"""Small talk or a search. Advice is refused wherever it is asked for; small talk is answered; in doubt it searches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from apps.language.normalising import normalise
from apps.rag.election_day import asks_for_election_day
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
        r"|(?:nein|nee?|noe|no|nope) (?:danke(?: schoen| dir)?|thanks|thank you)|passt schon|schon gut|lass gut sein"
        r"|merci|thanks(?: a lot)?|thank you(?: very much| so much)?|super|prima|toll|alles klar|great"
    ),
    "insult": (
        r"halt(?:e|s| s)? (?:einfach |endlich )?(?:die klappe|die schnauze|den mund|das maul|dein maul|maul)|klappe"
        r"|schnauze|(?:du bist|ihr seid|sie sind) (?:so |echt |ja |doch |einfach ){0,2}"
        r"(?:dumm|doof|bloed|bescheuert|nutzlos|idioten)"
        r"|(?:you are|you re|youre) (?:just )?(?:a |an )?(?:so |really )?(?:useless|stupid|dumb|idiot|moron)"
        r"(?: bot| machine| thing)?|shut up|(?:stupid|useless|dumb) (?:bot|machine|thing)"
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

_ON_THE_BOT: Final = frozenset({"about", "abilities", "maker", "knowledge"})
_TO_THE_BOT: Final = re.compile(r"\b(?:du|dich|dir|dein\w*|euch|euer|eure\w*|you|your)\b")
_NOUN_BEHIND: Final = re.compile(r"\S\s+(?!I\b|Sie\b|Ihnen\b)[A-ZÄÖÜ]\w+")


def small_talk(text: str) -> str:
    """Return the code of the reply to a text on its own, or "" for everything that shall be searched."""
    return route(text).code


def route(text: str, *, names: Sequence[str] = (), before: str = "") -> Route:
    """Decide by the text where it goes.

    ``names`` are the names of parties as they stand in the text, ``before`` is the reader's question of the turn
    before, "" in a first turn. Small talk in front of a question does not count: "Hallo, was sagt die SPD zur Rente?"
    is a search, "Hallo, wen soll ich wählen?" a request for advice.
    """
    if asks_for_election_day(text):
        # "Wann wählen wir?" sounds like "Wen wählen wir?".
        return Route("", RoutedBy.PATTERN)
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
    # "Und wer hat dich gemacht?" goes on with the bot, not with what was asked before.
    follows = _FOLLOWING.search(words) and not is_on_the_bot(code, text)
    # "Warum?", "Und bis 2045?" and what else is short are questions where there was one before. So is what readers say
    # of their own case: "Ich habe keinen Ausweis."
    is_doubtful = names_party(text, names) or (before and (code == ASIDE or follows or _is_own_case(code, text)))
    return Route("", RoutedBy.DOUBT) if not code or is_doubtful else Route(code, RoutedBy.MODEL)


def is_on_the_bot(code: str, text: str) -> bool:
    """Say whether a text that gets the reply ``code`` speaks to the bot, of itself: "Und woher hast du das?"."""
    return code in _ON_THE_BOT and bool(_TO_THE_BOT.search(normalise(text)))


def is_for_the_bot(text: str) -> bool:
    """Say whether a part of a question is put to the bot and to no source: "Bist du neutral?"."""
    found = route(text)
    if found.by is RoutedBy.MODEL:
        return found.code != ASIDE and bool(_TO_THE_BOT.search(normalise(text)))
    return found.by is RoutedBy.PATTERN


def _is_own_case(code: str, text: str) -> bool:
    """Say whether a reader tells of more than a mood: there is a noun that no sentence begins with."""
    return code == "feelings" and bool(_NOUN_BEHIND.search(text))


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
