"""How readers name times, German and English: the patterns that ``time_frames`` reads a question by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from apps.rag.time_names import COUNTS, MONTHS, ORDINALS, SEASONS, STEPS, WEEKDAYS

_FLAGS: Final = re.IGNORECASE


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


_YEAR: Final = r"(?:19|20)\d\d"
# May, march and august are words too: in English they need a capital, and something that makes them months.
_MONTH: Final = _any(name for name in MONTHS if name not in ("may", "march"))
_PART: Final = (
    r"(?:(?P<part>anfang|mitte|ende|early|mid|late|(?:the )?(?:beginning|end)(?: of)?)[\s-]+(?:des |der |im |in )?)?"
)
_STEP: Final = rf"(?P<step>{_any(STEPS)})(?:e[mnrs]?|s)?"
_COUNT: Final = rf"(?P<count>\d{{1,4}}|{_any(COUNTS)})"
_UNIT: Final = (
    r"(?P<unit>stunde|tag|woche|monat|quartal|jahrzehnt|jahr|hour|day|week|month|quarter|decade|year)(?:e?n|es?|s)?"
)
_ABOUT: Final = r"(?:(?:etwa|rund|gut|knapp|circa|ca\.|about|around|some|nearly) )?"
_COUNTED: Final = (
    r"€|euro|prozent|%|menschen|wohnungen|sozialwohnungen|polizist\w*|stellen|lehr\w+|soldat\w*|kilometer|km|meter"
    r"|windr\w+|unterschriften|stimmen|delegierte\w*|wahlberechtigte\w*|mitglieder\w*|megawatt|gigawatt|watt|kwh|tonnen"
    r"|seiten|plätze\w*|people|homes|jobs|flats|metres|tons|votes|members|pages|places|percent"
)

# Each is looked for where none before it has found anything.
AGO: Final = re.compile(
    rf"\bvor {_ABOUT}{_COUNT} {_UNIT}\b"
    rf"|\b{_ABOUT}{_COUNT.replace('count', 'count2')} {_UNIT.replace('unit', 'unit2')} ago\b",
    _FLAGS,
)
LAST_FEW: Final = re.compile(
    rf"\b(?:in den |in der |während der |seit |in |over |within |during |for )?(?:die |der |den |the )?"
    r"(?P<step>letzte|vergangene|last|past|nächste|naechste|kommende|next|coming)[nr]? (?:(?:few|paar|wenigen) )?"
    rf"{_ABOUT}(?:{_COUNT} )?"
    r"(?P<unit>stunden|tagen?|wochen|monaten?|jahren?|jahrzehnten?|hours|days|weeks|months|years|decades)\b",
    _FLAGS,
)
SINCE_COUNT: Final = re.compile(rf"\b(?:seit|for) {_ABOUT}{_COUNT} {_UNIT}\b", _FLAGS)
IN_COUNT: Final = re.compile(rf"\bin {_ABOUT}{_COUNT} {_UNIT}\b(?!\s+(?:nach|vor|after|before)\b)", _FLAGS)
ISO: Final = re.compile(rf"\b(?P<y>{_YEAR})-(?P<m>\d\d)-(?P<d>\d\d)\b")
NUMERIC: Final = re.compile(rf"(?<![\d.])(?P<d>\d{{1,2}})\.\s?(?P<m>\d{{1,2}})\.\s?(?P<y>{_YEAR}|\d\d(?![\d.]))?(?!\d)")
DAY_OF_MONTH: Final = re.compile(
    rf"(?<![\d.,])(?P<d>\d{{1,2}})(?:\.|st|nd|rd|th)?\s+(?:of )?(?P<m>{_MONTH}|may|march)\b(?:,? (?P<y>{_YEAR})\b)?",
    _FLAGS,
)
MONTH_DAY: Final = re.compile(
    rf"\b(?P<m>{_MONTH}|may|march) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?![.,]?\d)(?:,? (?P<y>{_YEAR})\b)?", _FLAGS
)
MONTH: Final = re.compile(
    rf"\b{_PART}(?:{_STEP} )?(?:(?P<m>{_MONTH})|(?<=in )(?P<m2>may|march)|(?P<m3>may|march)(?= {_YEAR}\b))\b"
    rf"(?:,? (?:of )?(?:(?P<y>{_YEAR})\b"
    r"|(?P<ystep>dieses|letzten|vergangenen|nächsten|kommenden|this|last|next) (?:jahres|year)\b))?",
    _FLAGS,
)
SEASON: Final = re.compile(
    rf"\b(?:im|diesen|diesem|letzten|vergangenen|nächsten|kommenden|vom|seit|bis|ab|in|in the|this|last|next) "
    r"(?:dem |the )?"
    rf"(?P<s>{_any(SEASONS)})\b(?: (?:of )?(?P<y>{_YEAR})\b)?",
    _FLAGS,
)
QUARTER: Final = re.compile(
    rf"\b(?P<n>{_any(ORDINALS)})(?:e[mnrs]?|\.)? (?P<u>quartal|halbjahr|quarter|half)s?\b"
    rf"(?: (?:of |des jahres )?(?P<y>{_YEAR})\b)?",
    _FLAGS,
)
DECADE: Final = re.compile(
    r"\b(?P<y>(?:19|20)\d0)(?:er|ern|s)\b(?:[ -]jahren?)?|\b(?P<y2>[2-9]0)er[ -]jahren?\b", _FLAGS
)
RELATIVE: Final = re.compile(
    rf"\b{_PART}{_STEP} (?P<unit>wochenende|weekend|legislaturperiode|legislatur|wahlperiode|parliament(?:ary term)?"
    r"|legislative (?:term|period)|term|tag|woche|monat|quartal|jahrzehnt|jahr|day|week|month|quarter|decade|year)"
    r"(?:e?s)?\b",
    _FLAGS,
)
TURN_OF_YEAR: Final = re.compile(
    r"\b(?:(?P<end>jahresende|ende des jahres|(?:the )?end of the year|year[- ]end)"
    r"|(?P<start>jahresanfang|anfang des jahres|(?:the )?(?:beginning|start) of the year))\b",
    _FLAGS,
)
YEAR: Final = re.compile(
    rf"(?<![\d.,§/-])(?<!§ )\b{_PART}(?:(?P<sure>(?:im|dem|des|das|the|in the) (?:jahre?s?|year)) )?(?P<y>{_YEAR})\b"
    rf"(?![.,/]\d|-\d|\s?(?:{_COUNTED})\b|€|%)",
    _FLAGS,
)
DAY_WORD: Final = re.compile(
    r"\b(?:(?P<d2>vorgestern|(?:the )?day before yesterday)|(?P<d1>gestern|yesterday)|(?P<n2>übermorgen|uebermorgen"
    r"|(?:the )?day after tomorrow)|(?P<n1>(?-i:(?<!uten )(?<!eden )morgen)(?! früh um)|tomorrow)"
    r"|(?P<d0>heute|today|tonight))\b",
    _FLAGS,
)
WEEKDAY: Final = re.compile(
    r"\b(?:am|an diesem|vom|seit|bis|ab|zum|diesen|letzten|vergangenen|nächsten|kommenden|on|this|last|next|until|since"
    r"|by)(?: (?:letzten|vergangenen|nächsten|kommenden|last|next))?"
    rf" (?P<w>{_any(WEEKDAYS)}|wochenende|(?:the )?weekend)\b",
    _FLAGS,
)
ELECTION_DAY: Final = re.compile(
    r"\b(?:wahltag(?:es)?|wahlsonntag|wahlabend|election (?:day|night)|polling day)\b", _FLAGS
)
ELECTION: Final = re.compile(
    rf"\b(?P<before>vor|nach|seit|ab|bis|before|after|since|until|till|by)(?: zur?| the| der| einer)*"
    rf"(?: (?P<step>letzten|vergangenen|nächsten|kommenden|last|next|coming|upcoming))?"
    rf" (?:bundestags|parlaments|winter|federal |general |bundestag )?(?:wahl|election)\b"
    rf"(?: (?:of |in |im jahr )?(?P<y>{_YEAR})\b)?",
    _FLAGS,
)
HOLIDAY: Final = re.compile(
    r"\b(?:(?P<c>weihnachten|christmas)|(?P<e>silvester|new year's eve)|(?P<n>neujahr|new year's day))\b", _FLAGS
)
NEWEST: Final = (
    r"(?:letzte[nr]?|neueste[nr]?|jüngste[nr]?|latest|most recent) (?=(?:umfragen?|stand|meldungen?|zahlen|nachrichten"
    r"|polls?|news|figures|state)\b)"
)
CURRENT: Final = re.compile(
    rf"\b(?:stand heute|aktuell\w*|derzeit\w*|gegenwärtig\w*|momentan\w*|zurzeit|zur zeit|im (?:moment|augenblick)"
    rf"|jetzt|jetzig\w*|heutig\w*|heutzutage|mittlerweile|inzwischen|current|currently|now(?! on\b)|nowadays|at present"
    rf"|at the moment|presently|as of today|these days|{NEWEST})(?:\b|(?<=\s))",
    _FLAGS,
)
FUTURE: Final = re.compile(
    r"\b(?:künftig\w*|zukünftig\w*|in zukunft|demnächst|ab (?:sofort|jetzt)|von nun an|in (?:the )?future"
    r"|from now on)\b",
    _FLAGS,
)
SO_FAR: Final = re.compile(
    r"\b(?:bisher(?!ig)|bislang|bis jetzt|bis heute|so far|until now|up to now|to date)\b", _FLAGS
)
EARLIER: Final = re.compile(
    r"\b(?:ursprünglich\w*|urspruenglich\w*|damals|ehemals|vormals|originally|initially|formerly|original"
    r"|at that time)\b",
    _FLAGS,
)
# "Früher in Rente" asks about an age: a time only where the past is spoken of.
EARLIER_IN_PAST: Final = re.compile(r"\b(?:früher|zuerst|zunächst|vorher|zuvor|previously|earlier|at first)\b", _FLAGS)

# What stands before a time and turns it: since, from, until, before, after.
PREFIX: Final = re.compile(
    r"\b(?P<p>seit|ab|von|vom|bis|vor|nach|zwischen|since|from|until|till|by|before|after|between)"
    r"(?: (?:zum|zur|dem|den|der|die|das|the|einschließlich|spätestens|zu|am|in))*\s+$",
    _FLAGS,
)
TOWARDS: Final = re.compile(r"\b(?:auf(?: den)?|für(?: den)?|zum|to|for)\s+$", _FLAGS)
JOINT: Final = re.compile(
    r"\s*(?:bis|und|to|until|and|through|–|—|-)\s*(?:(?:zum|zur|dem|den|der|die|the|zu|am)\s+)*", _FLAGS
)
# "Was" is German for "what": the English verb only beside what makes it one.
PAST: Final = re.compile(
    r"\b(?:wurden?|war(?:en)?|hatten?|hat|haben|(?-i:stand(?:en)?)|gab(?:en)?|galt(?:en)?|kam(?:en)?|lag(?:en)?"
    r"|lief(?:en)?|ging(?:en)?|schrieb(?:en)?|hieß(?:en)?|(?:sag|kündig|forder|woll|soll|muss|konn|durf|melde|berichte"
    r"|erklär|plan|nann|lehn|koste|erreich|führ|stimm|einig|verlang|zeig|leg|änder|dach)ten?|verschob(?:en)?|beschloss(?:en)?"
    r"|entschied(?:en)?|versprach(?:en)?|schlug(?:en)?|betrug(?:en)?|sank(?:en)?|stieg(?:en)?|gewann(?:en)?|verlor(?:en)?"
    r"|blieb(?:en)?|fand(?:en)?|passierten?|geschah(?:en)?|(?:what|when|where|who|why|how|which|it|there|that) was"
    r"|was (?:the|it|there|this|that|any)|were|did|had|has|have|said|wrote|stood|came|gave|got|[a-z]{2,}(?<!i)ed)\b",
    _FLAGS,
)
AHEAD: Final = re.compile(
    r"\b(?:wird|werden|soll|sollen|kommt|kommen|geplant|plant|planen|will|shall|going to|upcoming)\b",
    _FLAGS,
)
# A question about what sources reported, and when.
REPORTED: Final = re.compile(
    r"\b(?:gemeldet|meldeten?|meldung(?:en)?|berichtete?n?|berichten?|berichtet|berichterstattung|veröffentlicht\w*"
    r"|erschien(?:en)?|geschrieben|schrieb(?:en)?|zu lesen|gelesen|schlagzeilen?|nachrichten|artikeln?|kommentier\w+"
    r"|was\b.{0,60}?\b(?-i:stand(?:en)?)|hieß es|bekannt(?:gegeben|geworden)?|neues|neuigkeiten"
    r"|(?:der|die) (?:zeitung|kurier)|report(?:ed|s)?|published|news|headlines?|articles?|wrote"
    r"|written|appeared|in the (?:papers?|news))\b",
    _FLAGS,
)
# What somebody did at a time was reported at that time.
DONE_THEN: Final = re.compile(
    r"\b(?:sagten?|gesagt|kündigten?|angekündigt|beschloss(?:en)?|forderten?|gefordert|erklärten?|erklärt|verschob(?:en)?"
    r"|verschoben|verlegt|verlegten?|entschied(?:en)?|said|announced|decided|demanded|postponed|promised|versprach(?:en)?)\b",
    _FLAGS,
)
# A document and its date: "die Umfrage vom 2. November", "der Artikel aus dem Oktober".
DATED: Final = re.compile(
    r"\b(?:news|umfragen?|erhebung|artikel|bericht|meldung|kommentar|fassung|interview|gutachten|studie|polls?|articles?"
    r"|reports?|commentary|version)\s+(?:(?:von|vom|aus|of|from)(?: dem| der| the)?\s+)$",
    _FLAGS,
)
# What only says that reports are asked for.
ABOUT_REPORTS: Final = re.compile(
    r"\b(?:gemeldet|meldeten?|meldung(?:en)?|berichtete?n?|berichte[nt]?|berichterstattung|veröffentlicht|geschrieben"
    r"|schrieb(?:en)?|zu lesen|gelesen|schlagzeilen?|nachrichten|neues|neuigkeiten|bekannt(?: geworden)?|kurier|zeitung"
    r"|(?-i:stand(?:en)?)|report(?:ed|s)?|published|news|headlines?|articles?|papers?)\b",
    _FLAGS,
)
