"""What a question is about: without greetings, thanks and frames, and without saying which party is meant.

Without this, "Kurze Frage: …, vielen Dank!" lies nearer to other polite questions than to its subject, and a topic is a
party instead of a subject. Parties have an axis of their own.
"""

from __future__ import annotations

import re
from typing import Final

from apps.language.parties import PartyRecogniser

_PARTY: Final = "Partei"
_GREETINGS: Final = (
    "hallo", "hi", "hey", "moin(?: moin)?", "servus", "grüß gott", "guten (?:tag|morgen|abend)", "hello",
    "good (?:morning|evening)",
)  # fmt: skip
_THANKS: Final = (
    "(?:vielen|besten|lieben|herzlichen|schönen) dank(?: im voraus| schon ?mal)?", "danke(?: schön| sehr| im voraus)?",
    "dankeschön", "thank you", "thanks", "mfg", "(?:mit )?(?:freundlichen|lieben?) grüßen?", "bitte",
)  # fmt: skip
_FRAMES: Final = (
    "(?:(?:ich )?habe? )?(?:mal |noch )?(?:eine |ne |meine )?(?:kurze |schnelle |kleine |weitere )?frage(?: dazu)?",
    "ich (?:wüsste|würde|möchte|wollte)(?: gerne?| mal| bitte| nur)*(?: wissen| erfahren)?",
    "(?:kannst|können|könntest|könnten) (?:du|sie|ihr)(?: mir| uns)?(?: bitte| mal)*(?: sagen| erklären| verraten)",
    "(?:weißt|wissen) (?:du|sie)", "sag mir(?: bitte| mal)*", "mich interessiert", "can you tell me",
)  # fmt: skip
_ENDS: Final = r"[\s,.!:;–-]"
_HEAD: Final = re.compile(rf"^\s*(?:{'|'.join((*_GREETINGS, *_THANKS, *_FRAMES))})\b(?!-){_ENDS}*", re.IGNORECASE)
_TAIL: Final = re.compile(
    rf"(?:[^\w?!.)\"“”%]+|[\s,.!?:;–-]+(?:{'|'.join((*_GREETINGS, *_THANKS))}){_ENDS}*)$", re.IGNORECASE
)
_LEAST_LETTERS: Final = 4


def gist_of(text: str, parties: PartyRecogniser | None = None) -> str:
    """Return the text without what frames it and with every party called alike; the text itself if nothing is left."""
    found = text
    for _ in range(4):
        shorter = _TAIL.sub("", _HEAD.sub("", found))
        if shorter == found or sum(map(str.isalpha, shorter)) < _LEAST_LETTERS:
            break
        found = shorter
    found = _without_parties(found, parties) if parties is not None else found
    return found.strip() or text


def _without_parties(text: str, parties: PartyRecogniser) -> str:
    pieces, end = [], 0
    for mention in parties.find(text):
        if mention.start < end:
            continue
        pieces += [text[end : mention.start], _PARTY]
        end = mention.end
    return "".join([*pieces, text[end:]])
