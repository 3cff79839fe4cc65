"""Requests for advice how to vote, and for the bot's opinion on parties: found anywhere in a text, never searched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from apps.language.normalising import normalise
from apps.rag.routing_patterns import ADVICE, INSISTS, NAMES, OPINION, PARTY

NO_ADVICE: Final = "no_advice"
NO_OPINION: Final = "no_opinion"

# "Ab wann soll man laut Auenpartei wählen dürfen?" is about the right to vote.
_RIGHT_TO_VOTE: Final = re.compile(r"\bwaehlen (?:duerfen|koennen)\b")
_IS_ADVICE: Final = re.compile("|".join(f"(?:{pattern})" for pattern in ADVICE))
_IS_OPINION: Final = re.compile("|".join(f"(?:{pattern})" for pattern in OPINION))


def asks_for_advice(text: str, *, names: Sequence[str] = (), before: str = "") -> str:
    """Return NO_ADVICE for a request for advice, NO_OPINION for a judgment on parties, "" for everything else.

    ``names`` are the parties' names as they stand in the text; well-known German ones are found without. ``before`` is
    the question of the turn before: whoever insists after a request for advice asks for it again.
    """
    words = _RIGHT_TO_VOTE.sub("wahlrecht haben", _with_parties(text, names))
    if _IS_ADVICE.search(words):
        return NO_ADVICE
    if before and INSISTS.fullmatch(words) and _IS_ADVICE.search(_with_parties(before, names)):
        return NO_ADVICE
    return NO_OPINION if _IS_OPINION.search(words) else ""


def names_party(text: str, names: Sequence[str] = ()) -> bool:
    """Say whether the text names a party: one of ``names`` or a well-known German one."""
    return PARTY in _with_parties(text, names)


def _with_parties(text: str, names: Sequence[str]) -> str:
    words = normalise(text)
    known = sorted((normalise(name) for name in names if normalise(name)), key=len, reverse=True)
    if known:
        words = re.sub(rf"\b(?:{'|'.join(map(re.escape, known))})\b", PARTY, words)
    return NAMES.sub(PARTY, words)
