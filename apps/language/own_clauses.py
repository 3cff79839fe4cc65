"""Clauses in which readers tell something about themselves that nobody may store; used by masking.

A clause counts when its subject is the writer, its verb says how the writer is or votes, and one of the listed words
stands in it. Clauses that ask ("darf ich als …", "ob ich …") and verbs of asking, reading or opining are left alone.
"""

import re
from collections.abc import Iterator
from typing import Final

from apps.language.normalising import fold
from apps.language.sensitive_words import (
    BELIEF,
    HEALTH,
    ILLNESS,
    LEANINGS,
    MEDICINES,
    ORIENTATION,
    PARTIES,
    PRACTICE,
    TREATMENT,
    UNION,
)

_PLACEHOLDER: Final = "[persönliche Angabe]"
# Where a clause ends: at a mark, before "und", before a question that begins without one.
_CLAUSE: Final = re.compile(
    r"(?:[^\s.,;:!?()\[\]\n–-]|(?<=\w)[.-](?=\w)|[^\S\n](?!(?:und|aber|oder|doch|was|wer|wie|wo|wann|wen|wem|welche[rsnm]?|warum"
    r"|wieso|gibt|and|but|what|who|how|can|may)\b|[-–]\s))+",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(r"\s*(?:(?:und|aber|oder|doch|weil|da|denn|also|and|but|because|since)\s)*", re.IGNORECASE)
_ASKS: Final = re.compile(
    r"(?:wie|wo|wann|warum|wieso|weshalb|was|wer|wen|wem|welche\w?|womit|ob|wenn|falls|dass|damit|kann|kannst|könnte|darf"
    r"|dürfte|muss|müsste|soll|sollte|gibt|ist|sind|hat|haben|werden|wird|würde|bekomme|how|what|who|can|may|should|if|do)\b",
    re.IGNORECASE,
)
_SELF: Final = re.compile(r"\b(?:ich|wir|mir|mich|mein(?:e[mnrs]?)?|unser(?:e[mnrs]?)?|i|my|we)\b", re.IGNORECASE)
_DROPPED: Final = re.compile(r"(?:bin|habe|hab|hatte|war|leide|nehme|wähle|wählte)\s", re.IGNORECASE)
_ASKING_OR_OPINING: Final = re.compile(
    r"\b(?:frage|fragen|suche|wissen|weiß|interessier\w*|les(?:e|en)|gelesen|versteh\w*|finde|sehe|seh|höre|gehört|meine\b(?!\s)"
    r"|position|meinung|angst|gegen|für|dafür|dagegen|über|arbeite|arbeitgeber|wohne|kenne|pflege|unsicher|unentschieden"
    r"|unentschlossen|question|wonder|werde\s(?:nie|niemals|nicht))\b",
    re.IGNORECASE,
)
_BE_OR_HAVE: Final = re.compile(
    r"\b(?:bin|war|waren|wurde|sind|lebe|leben|leide|litt|habe?|hatten?|haben|bekam|bekomme|nehme|brauche|sitze|warte|warten"
    r"|gehöre|gehören|trage|mache|machen|faste|fasten|bete|beten|liege|gehe|gehen|besuche|liebe|wird|wurden|dauert|ist|fühle"
    r"|kämpfe|steht|erkrankte|streike|streiken|am|have|had|suffer)\b",
    re.IGNORECASE,
)
_STATE: Final = rf"{HEALTH}|{ILLNESS}|{BELIEF}|{ORIENTATION}|{UNION}|{MEDICINES}|{PRACTICE}|{TREATMENT}"
_ENDING: Final = r"(?:e|er|en|em|es|s|in|innen)?"
_SENSITIVE: Final = re.compile(rf"(?<![\w-])(?:{_STATE}){_ENDING}(?!\w)(?!-?steuer)", re.IGNORECASE)
# Said with "since" or "because of", the word alone tells: "Seit dem Schlaganfall kann ich …", "Meine Epilepsie …".
_OF_MINE: Final = re.compile(
    r"\b(?:(?:seit|wegen|nach|trotz|aufgrund|durch)\s(?:de[mrs]|meine[mnrs]?|eine[mnrs]?)|mein(?:e[mnrs]?)?|my)\s"
    rf"(?:\w{{2,20}}\s)?(?:{ILLNESS}|{TREATMENT}|{HEALTH}){_ENDING}(?!\w)",
    re.IGNORECASE,
)
_VOTES: Final = re.compile(
    r"\b(?:wähle|wählte|wählten|wählen|gewählt|angekreuzt|ankreuzen|kreuz\w*|(?:erst|zweit)?stimme[n]?|tendiere|unterstütze"
    r"|unterstützte|eingetreten|beigetreten|mitglied\w*|\w*wähler(?:in)?|anhänger(?:in)?|parteibuch|plakatiere|vote|voted|voting"
    r"|member)\b",
    re.IGNORECASE,
)
_PARTY: Final = re.compile(rf"(?<![\w-])(?:{PARTIES}|{LEANINGS}){_ENDING}(?!\w)", re.IGNORECASE)
_MEMBERSHIP: Final = re.compile(
    rf"(?<![\w-])(?:{PARTIES})-?(?:mitglied|wähler|wählerin|anhänger|genosse)\w*", re.IGNORECASE
)
_FOLLOWER: Final = re.compile(
    r"\bbin\s(?:\w{2,20}\s){0,2}(?:sozialdemokrat|christdemokrat|liberaler|grüner|linker|konservativer|sozialist|kommunist)"
    r"(?:in)?(?!\w)",
    re.IGNORECASE,
)
_CAPITAL: Final = re.compile(r"[A-ZÄÖÜ][\w-]{2,40}")


def find_own_clauses(text: str, known: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Yield `(start, end, placeholder)` of clauses that tell what their writer is, has, believes in or votes for.

    `known` holds folded public names, so that a vote for a party that only the operator's list has is recognised.
    """
    for match in _CLAUSE.finditer(text):
        clause = match.group()
        lead = _LEAD.match(clause)
        start = match.start() + (lead.end() if lead else 0)
        end = match.start() + len(clause.rstrip())
        if start < end and _tells(text[start:end], known):
            yield start, end, _PLACEHOLDER


def _tells(clause: str, known: frozenset[str]) -> bool:
    if _ASKS.match(clause) or not (_SELF.search(clause) or _DROPPED.match(clause)):
        return False
    if _OF_MINE.search(clause) or _FOLLOWER.search(clause) or _MEMBERSHIP.search(clause):
        return True
    if _votes_for(clause, known):
        return True
    if _ASKING_OR_OPINING.search(clause) and not clause.lower().startswith("als "):
        return False
    is_stated = _BE_OR_HAVE.search(clause) or _DROPPED.match(clause) or clause.lower().startswith("als ")
    return bool(is_stated and _SENSITIVE.search(clause))


def _votes_for(clause: str, known: frozenset[str]) -> bool:
    if not _VOTES.search(clause):
        return False
    if _PARTY.search(clause):
        return True
    words = [fold(word.group()) for word in _CAPITAL.finditer(clause)]
    return any(word in known for word in words if not word.endswith(("stimme", "wahl")))
