"""What a question is about: without greetings, thanks and frames, and without saying which party is meant.

Without this, "Kurze Frage: …, vielen Dank!" lies nearer to other polite questions than to its subject, and a topic is a
party instead of a subject. Parties have an axis of their own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from apps.language.lemmas import is_known
from apps.language.normalising import fold
from apps.language.parties import PartyRecogniser
from apps.language.tokenising import tokenise

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
_LONG_NAME: Final = 8
_TYPOS: Final = 2


def gist_of(text: str, parties: PartyRecogniser | None = None, names: Collection[str] = ()) -> str:
    """Return the text without what frames it and with every party called alike; the text itself if nothing is left.

    ``names`` are parties' names, folded: one that is misspelled is called alike too, or its typos become a topic.
    """
    found = text
    for _ in range(4):
        shorter = _TAIL.sub("", _HEAD.sub("", found))
        if shorter == found or sum(map(str.isalpha, shorter)) < _LEAST_LETTERS:
            break
        found = shorter
    found = _without_parties(found, parties) if parties is not None else found
    found = _without_misspelled(found, names) if names else found
    return found.strip() or text


def names_of(names: Iterable[str]) -> frozenset[str]:
    """Return the names that are long enough to be known with a typo in them, folded."""
    return frozenset(folded for folded in map(fold, names) if len(folded) >= _LONG_NAME and " " not in folded)


def _without_misspelled(text: str, names: Collection[str]) -> str:
    from rapidfuzz.distance import OSA

    pieces, end = [], 0
    for token in tokenise(text):
        if len(token.folded) < _LONG_NAME - 1 or is_known(token.text, "de"):
            continue
        if any(OSA.distance(token.folded, name, score_cutoff=_TYPOS) <= _TYPOS for name in names):
            pieces += [text[end : token.start], _PARTY]
            end = token.end
    return "".join([*pieces, text[end:]])


def _without_parties(text: str, parties: PartyRecogniser) -> str:
    pieces, end = [], 0
    for mention in parties.find(text):
        if mention.start < end:
            continue
        pieces += [text[end : mention.start], _PARTY]
        end = mention.end
    return "".join([*pieces, text[end:]])
