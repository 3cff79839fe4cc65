"""Small talk or a search. First form: a few explicit patterns; in doubt it searches."""

from __future__ import annotations

import re
from typing import Final

from apps.language.normalising import normalise

# Patterns over the normalised question (folded, no punctuation, ä as ae). Each must match from end to end.
_PIECES: Final = {
    "no_advice": (
        r"(?:sag mir )?(?:wen|was|welche partei|wem) (?:soll|sollte|muss|wuerdest) (?:ich|du)"
        r"(?: (?:meine stimme geben|denn|jetzt|bloss|am besten))*(?: (?:waehlen|geben))?"
        r"|(?:which party|who|whom) (?:should|would) (?:i|you) vote(?: for)?"
    ),
    "about": (
        r"(?:wer|was) (?:bist|sind) (?:du|sie)(?: eigentlich)?|was (?:kannst|machst) du(?: so| alles)?|wie heisst du"
        r"|was koennen sie|wie funktionierst du|bist du (?:ein |eine )?(?:mensch|maschine|bot|chatbot|roboter|ki)"
        r"|wer hat dich (?:gemacht|gebaut|programmiert)|hilfe|woher hast du (?:dein wissen|deine informationen)"
        r"|(?:who|what) are you|what can you do|are you (?:a |an )?(?:human|bot|robot|chatbot|ai)|help"
        r"|how do you work|who made you"
    ),
    "thanks": (
        r"(?:vielen |herzlichen |besten |tausend )?dank(?: dir| ihnen)?|danke(?: schoen| sehr| dir| ihnen)?|dankeschoen"
        r"|merci|thanks(?: a lot)?|thank you(?: very much| so much)?|super|prima|toll|alles klar|great"
    ),
    "goodbye": r"tschuess|tschues|ciao|bye(?: bye)?|auf wiedersehen|bis (?:bald|dann|spaeter)|goodbye|see you",
    "greeting": (
        r"hallo|hi|hey|moin(?: moin)?|servus|na|gruess gott|gruezi|guten? (?:tag|morgen|abend)"
        r"|hello|good (?:morning|afternoon|evening|day)|wie geht(?:s| es dir| es ihnen)|how are you"
    ),
}
_FILLERS: Final = r"(?:lieber |liebe )?(?:bot|chatbot|wegweiser|zusammen|da|there|bitte|please|und|and|du)"
_WHOLE: Final = {code: re.compile(rf"(?:{pattern})(?= |$)") for code, pattern in _PIECES.items()}
_FILLER: Final = re.compile(rf"{_FILLERS}(?= |$)")


def small_talk(text: str) -> str:
    """Return the code of the reply to small talk, or "" for everything that shall be searched.

    Only a text that consists of small talk from end to end counts: "Hallo, was sagt die SPD zur Rente?" is a search.
    """
    rest = normalise(text)
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
