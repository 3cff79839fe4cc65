"""First-person statements on health, belief, union, orientation or vote (Art. 9 GDPR); used by masking."""

import re
from collections.abc import Iterator
from typing import Final

from apps.language.normalising import fold
from apps.language.sensitive_words import BELIEF, HEALTH, ILLNESS, MEDICINES, ORIENTATION, PARTIES, UNION

_PLACEHOLDER: Final = "[persönliche Angabe]"
# Words that may stand between "ich bin" and the statement; anything else ("eine Frage zu Krebs") makes it none.
_FILLERS: Final = (
    r"(?:(?:seit|schon|auch|leider|sehr|schwer|an|unter|mit|eine?n?|einem|einer|ein|der|die|das|dem|den|meine?n?|immer"
    r"|chronische?r?|starke?n?|zu|\d{1,4}|jahren|jahre|monaten|langem|kurzem|selbst|selber|ja|nun|gerade|zwar|nämlich"
    r"|als|überzeugter?|gläubiger?|praktizierender?|strenger?|bekennender?|offen|stolzer?|a|%|prozent|von|geburt|im"
    r"|fortgeschrittenen|stadium|typ|diagnose|halt|eben|wohl|aber|vor|letztes|jahr|mal|bisher|stets|diesmal|wieder"
    r"|jedes|for|the|my|gern|gerne|lieber|am|liebsten|wahrscheinlich|sicher|wohl|für)\s){0,6}"
)
_I: Final = r"(?:ich|i|wir)"
# Readers drop the pronoun at the start: "Bin schwerbehindert, kann ich …?"
_I_AM: Final = r"(?:(?:ich|i|wir)\s(?:bin|war|wurde|sind|am|was|werde|lebe|fühle\smich)|(?:^|(?<=[.!?]\s))bin)"
_I_HAVE: Final = (
    r"(?:(?:ich|i|wir)\s(?:habe?|hatte|leide|litt|bekam|bin|have|had|suffer\sfrom|lebe)|(?:^|(?<=[.!?]\s))habe)"
)
_IS: Final = rf"(?:{HEALTH}|{BELIEF}|{ORIENTATION})(?!\w)"
_ILL: Final = rf"(?:{ILLNESS})(?!\w)"
_PARTY: Final = rf"(?:{PARTIES})(?!\w)"
_WORDS: Final = r"(?:[^\s.,;:!?\[\]]{1,30}\s){0,5}?"
_VOTE: Final = r"(?:stimme|erststimme|zweitstimme)"
# The statement ends where the clause does; the question behind it stays.
_REST: Final = r"(?:\s(?!und\b|oder\b|aber\b|wie\b|was\b|wer\b|wo\b|wann\b|and\b|but\b)[^\s.,;:!?\[\]]{1,40}){0,8}"
_MEMBER: Final = r"(?:mitglied|gewerkschafter\w{0,5}|aktiv|engagiert|organisiert|vertrauensmann)"
_FOLLOWER: Final = r"(?:mitglied|wähler(?:in)?|anhänger(?:in)?|stammwähler(?:in)?)"
_NOT_ASKED: Final = r"(?<!wie\s)(?<!wo\s)(?<!wann\s)(?<!warum\s)(?<!kann\s)(?<!womit\s)"

# "Wer hilft mir, wenn ich blind bin?" asks for a rule.
_NO_CONDITION: Final = r"(?<!wenn\s)(?<!falls\s)(?<!sobald\s)(?<!ob\s)"

_HEALTH_AND_BELIEF: Final = (
    rf"{_I_AM}\s{_FILLERS}{_IS}{_REST}",
    rf"i['’]m\s{_FILLERS}{_IS}{_REST}",
    rf"{_I_HAVE}\s{_FILLERS}{_ILL}{_REST}",
    rf"{_NO_CONDITION}{_I}\s{_FILLERS}{_IS}\s(?:bin|war|wurde|sind)",
    rf"{_NO_CONDITION}{_I}\s{_FILLERS}{_ILL}\s(?:habe|hatte|bekommen\shabe|leide|erkrankt\sbin)",
    rf"(?:bei\smir|mir)\s(?:wurde|ist)\s{_FILLERS}{_ILL}{_REST}",
    rf"{_I}\s(?:sitze|bin|lebe)\s{_FILLERS}(?:im|in\seinem)\srollstuhl{_REST}",
    rf"{_I}\s(?:nehme|brauche|bekomme)\s{_FILLERS}(?:{MEDICINES})(?!\w){_REST}",
    rf"als\s{_FILLERS}(?:{HEALTH}|{BELIEF}|{ORIENTATION})(?:er|e|en)?(?:\s(?:mann|frau|mensch|person))?"
    r"(?=,?\s(?:habe|bin|möchte|frage|finde|fühle|will|mache|muss)\sich)",
    r"meine?\s(?:glaube|religion|konfession|krankheit|diagnose|behinderung|sexualität|orientierung)\sist\b" + _REST,
    rf"{_I}\sgehöre\s{_WORDS}(?:[\w-]*kirche|[\w-]*gemeinde|religion\w*|gewerkschaft)\san",
    rf"{_I}\sbin\s{_WORDS}(?:aus|in)\sder\s[\w-]*kirche(?:\sausgetreten)?",
)
_UNION_AND_PARTY: Final = (
    rf"{_I}\sbin\s{_FILLERS}{_MEMBER}(?:\s(?:in|der|bei|im|beim|von|einer)){{0,3}}\s{_FILLERS}"
    rf"(?:{UNION}|{PARTIES})(?!\w){_REST}",
    rf"{_I}\sbin\s(?:in|bei)\s{_FILLERS}(?:{UNION})(?!\w){_REST}",
    rf"{_I}\sbin\s{_FILLERS}(?:{UNION}|{PARTIES})-?\s?{_FOLLOWER}{_REST}",
    rf"{_I}\s(?:bin|war)\s{_FILLERS}(?:gewerkschafter(?:in)?|gewerkschaftsmitglied|betriebsrat|betriebsrätin){_REST}",
)
_OWN_VOTE: Final = (
    rf"{_I}\s(?:habe|hab|hatte|haben)\s{_WORDS}{_PARTY}\s(?:\w{{1,20}}\s){{0,2}}"
    rf"(?:gewählt|angekreuzt|meine\s{_VOTE}\sgegeben)",
    rf"(?:habe|hab|hatte)\sich\s{_WORDS}{_PARTY}\s(?:\w{{1,20}}\s){{0,2}}gewählt",
    rf"{_I}\s(?:wähle|wählte|wählen|stimme|vote|voted)\s{_FILLERS}{_PARTY}{_REST}",
    rf"{_NOT_ASKED}wähle\sich\s{_FILLERS}{_PARTY}{_REST}",
    rf"{_I}\s(?:werde|würde|will|möchte|wollte)\s{_FILLERS}{_PARTY}(?:\s\w{{1,20}}){{0,2}}\swählen",
    rf"meine\s{_VOTE}\s(?:bekommt|bekam|erhält|kriegt|geht\san|ging\san|gehört){_REST}",
    rf"{_I}\s(?:gebe|gab)\s{_WORDS}(?:meine\s{_VOTE}\s{_FILLERS}{_PARTY}|{_PARTY}\s(?:meine\s){_VOTE}){_REST}",
)
_PATTERNS: Final = tuple(
    re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE | re.MULTILINE)
    for pattern in (*_HEALTH_AND_BELIEF, *_UNION_AND_PARTY, *_OWN_VOTE)
)
_CHOICE: Final = r"(?P<choice>[A-ZÄÖÜ][\w/.-]{0,30}(?:\s(?:(?:für|der|die|des)\s)?[A-ZÄÖÜ][\w/.-]{0,30}){0,3})"
# Votes for parties that only the operator's list knows.
_KNOWN_CHOICE: Final = (
    re.compile(rf"(?<!\w)(?i:{_I}\s(?:wähle|wählte|wählen))\s(?i:{_FILLERS}){_CHOICE}"),
    re.compile(rf"(?<!\w)(?i:{_I}\s(?:habe|hab|hatte))\s(?i:{_FILLERS}){_CHOICE}\sgewählt(?!\w)"),
    re.compile(rf"(?<!\w)(?i:{_I}\s(?:werde|würde|will|möchte))\s(?i:{_FILLERS}){_CHOICE}\swählen(?!\w)"),
)


def find_personal_statements(text: str, known: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Yield `(start, end, placeholder)` of what readers say about themselves that nobody may store.

    `known` holds folded public names, so that a vote for any of them is recognised. "Kann ich als
    Schwerbehinderter …?" asks for a rule and stays; "Ich bin schwerbehindert" is about a person.
    """
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield match.start(), match.end(), _PLACEHOLDER
    for pattern in _KNOWN_CHOICE:
        for match in pattern.finditer(text):
            if " ".join(fold(match["choice"]).split()) in known:
                yield match.start(), match.end(), _PLACEHOLDER
