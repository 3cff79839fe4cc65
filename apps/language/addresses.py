"""Where somebody lives: street with house number, postal code with town; used by masking."""

import re
from collections.abc import Iterator
from typing import Final

from apps.language.normalising import fold
from apps.language.stopwords import stop_words

_PLACEHOLDER: Final = "[Adresse]"
_NAME: Final = r"[A-ZÄÖÜ][\w’'-]{1,40}"
# Without the hyphen, so that "A-B-C-…" can be read in one way only and the search stays linear.
_PART: Final = r"[A-ZÄÖÜ][\w’']{1,30}"
# At most three digits: "Dritter Weg 2021" is a year.
_HOUSE: Final = (
    r"\s{1,2}\d{1,3}(?:\s?[a-zA-Z](?!\w))?(?:\s?[-–/]\s?\d{1,3}[a-z]?)?(?![\w.,]?\d|\s?(?:Prozent|%|Euro|€))"
)
# A round number before a noun counts something: 50000 Haushalte.
_TOWN: Final = (
    rf"(?:D-?)?(?!\d{{3}}00)\d{{5}}\s{{1,2}}{_NAME}(?:[ -](?:am|an\sder|im|in\sder|ob\sder|a\.\s?d\.)\s{_NAME})?"
)
_STREET_ENDS: Final = r"straße|strasse|str\.|allee|gasse|chaussee|ufer|weg|platz|damm|ring|steig|pfad|promenade"
_STREET: Final = re.compile(
    rf"(?:(?<!\w)(?P<words>(?:{_PART}[ -]){{1,3}})(?i:{_STREET_ENDS})"
    rf"|(?<![\w-])(?P<word>[A-Za-zÄÖÜäöüß-]{{2,40}}?(?i:{_STREET_ENDS})))"
    rf"{_HOUSE}(?:,?\s{{1,3}}(?:in\s)?{_TOWN})?"
)
# "Straße der Jugend 71": the kind of street comes first.
_STREET_OF: Final = re.compile(
    r"(?<!\w)(?:Straße|Strasse|Platz|Allee|Weg|Ring|Ufer)\s(?:der|des|am|an\sder|zum|zur|von)\s"
    rf"(?:{_PART}[ -]){{0,2}}{_PART}{_HOUSE}(?:,?\s{{1,3}}(?:in\s)?{_TOWN})?"
)
# Any name with a house number and a postal code behind it, whatever streets are called.
_WITH_TOWN: Final = re.compile(
    rf"(?<![\w-])(?:{_PART}[ -]){{0,3}}{_PART}{_HOUSE}(?:\s\([^()]{{2,20}}\))?,?\s{{1,3}}(?:in\s)?{_TOWN}"
)
# Any name with a house number where somebody says where they live or where something is to be sent.
_AT: Final = re.compile(rf"(?<![\w-])(?:(?:{_PART}|der|den|dem)[ -]){{0,3}}{_PART}{_HOUSE}")
# "Listenplatz 3" and "Ausweg 2" have no letter box.
_NOT_A_STREET: Final = (
    "listenplatz startplatz tabellenplatz ausweg umweg mittelweg arbeitsplatz parkplatz stehplatz sitzplatz"
    " kitaplatz studienplatz spielplatz rechtsweg loesungsweg bildungsweg boxring hering ausbildungsplatz"
)
_NOT_STREETS: Final = frozenset(_NOT_A_STREET.split())
_LANE: Final = re.compile(
    r"(?<!\w)(?i:am|an\sder|an\sden|auf\sder|auf\sdem|im|in\sder|zum|zur|unter\sden|hinter\sder|vor\sdem)\s"
    rf"{_NAME}{_HOUSE}(?P<town>,?\s{{1,3}}(?:in\s)?{_TOWN})?"
)
_TOWN_ALONE: Final = re.compile(
    r"(?i:\b(?:wohne|lebe|wohnhaft|gemeldet|plz|postleitzahl|adresse|anschrift|aus|in|nach))[:,]?\s{1,2}(?:in\s)?"
    rf"(?P<town>{_TOWN})"
)
_POSTCODE: Final = re.compile(r"(?i:\b(?:plz|postleitzahl))\s?:?\s{0,2}(?:ist\s)?(?P<code>(?!00)\d{5})(?!\d)")
_AT_HOME: Final = re.compile(r"(?i)\b(?:wohn\w*|adresse|anschrift|gemeldet|ziehe|umgezogen|zieh\w*|lebe|hause)\b")
# After these a name with a number is a place: an address, or where the post goes.
_LABEL: Final = re.compile(
    r"(?i)(?:\b(?:wohn\w*|\w*adresse|anschrift|gemeldet|zieh\w*|umzug\w*|umgezogen|lebe|hause|ummeldung|wohnsitz|zweitwohnung"
    r"|wahllokal|stimmbezirk|wahlkreis|unterlagen|schicken\ssie|zuständig)\b[^.?!\n]{0,40})\Z"
)
_NO_PLACE: Final = re.compile(
    r"(?i)\b(?:artikel|art|paragraf|paragraph|absatz|nummer|nr|wahlkreis|platz|listenplatz|kapitel|seite|stufe|klasse|phase"
    r"|raum|zimmer|block|gruppe|teil|frage|punkt|grad|pflegegrad|jahr|januar|februar|märz|april|mai|juni|juli|august|september"
    r"|oktober|november|dezember|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|uhr|agenda|hartz|version)\W*\d"
)
_NEARBY: Final = 60
_COUNTED: Final = re.compile(
    r"(?i)\w+\s(?:fällen?|menschen|haushalten?|betrieben?|schulen?|stimmen|euro|personen|wohnungen|unternehmen)\b"
)


def find_addresses(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield `(start, end, placeholder)` of addresses; a town or a postal code alone only where somebody lives."""
    for match in _STREET.finditer(text):
        if _is_street(match):
            yield match.start(), match.end(), _PLACEHOLDER
    for pattern in (_STREET_OF, _WITH_TOWN):
        for match in pattern.finditer(text):
            if not _NO_PLACE.search(match.group().split(",")[0]):
                yield match.start(), match.end(), _PLACEHOLDER
    for match in _AT.finditer(text):
        if not _NO_PLACE.search(match.group()) and _LABEL.search(text, max(0, match.start() - _NEARBY), match.start()):
            yield match.start(), match.end(), _PLACEHOLDER
    for match in _LANE.finditer(text):
        if match["town"] or _AT_HOME.search(text, max(0, match.start() - _NEARBY), match.start()):
            yield match.start(), match.end(), _PLACEHOLDER
    for match in _TOWN_ALONE.finditer(text):
        if not _COUNTED.match(match["town"]):
            yield match.start("town"), match.end("town"), _PLACEHOLDER
    for match in _POSTCODE.finditer(text):
        yield match.start("code"), match.end("code"), _PLACEHOLDER


def _is_street(match: re.Match[str]) -> bool:
    """Streets are named; "Auf Platz 3" is a rank and "Listenplatz 3" another."""
    if match["words"]:
        return fold(match["words"]).split()[0] not in stop_words("de")
    return fold(match["word"]) not in _NOT_STREETS
