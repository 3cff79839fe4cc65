"""How readers write what the demo asks: greetings, small letters, slips of the finger, no question mark."""

from __future__ import annotations

import random
from typing import Final

_BEFORE: Final = ("Hallo, ", "Guten Tag, ", "Kurze Frage: ", "Moin, ", "Guten Morgen, ", "hi, ", "Ich wüsste gern: ")
_AFTER: Final = (" Danke!", " Danke im Voraus", " bitte", " 🙂", " Vielen Dank.", " 🤔")
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_SHORTEST: Final = 12
_LONG_WORD: Final = 5


def varied(text: str, draw: random.Random, *, lightly: bool = False) -> str:
    """Return a question as one of many readers writes it: often just so, seldom with everything at once."""
    if len(text) < _SHORTEST:
        return text.lower() if draw.random() < 0.3 else text
    if lightly:
        return text + draw.choice(("", "", "", "!", "?", " !!"))
    if draw.random() < 0.16:
        text = draw.choice(_BEFORE) + text
    if draw.random() < 0.18:
        text = _with_slip(text, draw)
    if draw.random() < 0.25:
        text = text.lower()
    if draw.random() < 0.06:
        text = text.translate(_UMLAUTS)
    if draw.random() < 0.3:
        text = text.rstrip("?.!")
    elif draw.random() < 0.04:
        text += draw.choice(("?", "??", "!"))
    if draw.random() < 0.06:
        text += draw.choice(_AFTER)
    return text


def _with_slip(text: str, draw: random.Random) -> str:
    """Change one long word: two letters swapped, one dropped, or one doubled."""
    words = text.split(" ")
    places = [place for place, word in enumerate(words) if len(word) > _LONG_WORD and word.isalpha()]
    if not places:
        return text
    place = draw.choice(places)
    word = words[place]
    at = draw.randrange(1, len(word) - 2)
    slip = draw.choice(("swap", "drop", "double"))
    if slip == "swap":
        word = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    elif slip == "drop":
        word = word[:at] + word[at + 1 :]
    else:
        word = word[:at] + word[at] + word[at:]
    return " ".join((*words[:place], word, *words[place + 1 :]))
