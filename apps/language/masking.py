"""Hides what would tell who asked, before the first write: `querylog` and the door call `mask` on each question."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.language.confessions import find_personal_statements
from apps.language.identifiers import find_identifiers
from apps.language.normalising import fold
from apps.language.personal_names import find_private_names

_Finding = tuple[int, int, str]

_EMAIL: Final = re.compile(
    r"(?<![\w.+%-])[\w.+%-]{1,64}(?:@|\s?[(\[](?:at|ät)[)\]]\s?)[\w-]{1,63}(?:(?:\.|\s?[(\[](?:dot|punkt)[)\]]\s?)[\w-]{2,63}){1,5}",
    re.IGNORECASE,
)
_PHONE: Final = re.compile(
    r"(?<![\w.,/§€$-])(?:\+\s?\d|00[1-9]|\(?0[1-9]|\(\d{3}\)\s?\d)(?:[\s/().-]{0,3}\d){5,15}(?!\d|[.,]\d|\s?(?:€|Euro|Prozent|%))"
)
_FOREIGN_PHONE: Final = re.compile(r"(?<![\d.,/-])(?:\d{1,3}-)?\d{3}-\d{3}-\d{4}(?!\d)|(?<![\w.,/+-])1[3-9]\d{9}(?!\d)")
_LABELLED_PHONE: Final = re.compile(
    r"(?i:\b(?:tel|telefon|telefonnummer|handy|handynummer|mobil|mobilnummer|fax|whatsapp|rufnummer|durchwahl"
    r"|festnetz|phone|erreichbar\ unter|ruf(?:en\ sie)?\ mich\ an))\.?(?:\s?(?:ist|lautet|unter|nr\.?|:)){0,3}[\s:]{0,3}"
    r"(?P<n>\+?\(?\d(?:[\s/().-]{0,2}\d){4,15})(?!\d)"
)
_DATE_LIKE: Final = re.compile(r"\d{1,2}\.\s?\d{1,2}\.\s?(?:\d{4}|\d\d)\b|\d{4}-\d\d-\d\d")

_NAME: Final = r"[A-ZÄÖÜ][\w’'-]{1,40}"
# Without the hyphen, so that "A-B-C-…" can be read in one way only and the search stays linear.
_PART: Final = r"[A-ZÄÖÜ][\w’']{1,30}"
_HOUSE: Final = (
    r"\s{1,2}\d{1,4}(?:\s?[a-zA-Z](?![\w]))?(?:\s?[-–/]\s?\d{1,4}[a-z]?)?(?![\w.,]?\d|\s?(?:Prozent|%|Euro|€))"
)
_TOWN: Final = (
    rf"(?:D-?)?(?!\d{{3}}00)\d{{5}}\s{{1,2}}{_NAME}(?:[ -](?:am|an\ der|im|in\ der|ob\ der|a\.\s?d\.)\s{_NAME})?"
)
_STREET_ENDS: Final = "straße|strasse|str\\.|allee|gasse|chaussee|ufer|weg|platz|damm|ring|steig|pfad|promenade"
# "Listenplatz 3" and "Ausweg 2" have no letter box.
_NO_STREET: Final = (
    "listenplatz startplatz tabellenplatz ausweg umweg mittelweg arbeitsplatz parkplatz stehplatz sitzplatz"
    " kitaplatz studienplatz marktplatz spielplatz rechtsweg lösungsweg bildungsweg boxring hering"
)
_STREET: Final = re.compile(
    rf"(?:(?<!\w)(?:{_PART}[ -]){{1,3}}(?i:straße|strasse|str\.|allee|gasse|chaussee|ufer|weg|platz|damm|ring|steig|pfad)"
    rf"|(?<![\w-])(?P<one>[A-Za-zÄÖÜäöüß-]{{2,40}}?(?i:{_STREET_ENDS})))"
    rf"{_HOUSE}(?:,?\s{{1,3}}(?:in\s)?{_TOWN})?"
)
_LANE: Final = re.compile(
    rf"(?<!\w)(?i:am|an\ der|an\ den|auf\ der|auf\ dem|im|in\ der|zum|zur|unter\ den|hinter\ der|vor\ dem)\s{_NAME}{_HOUSE}"
    rf"(?P<town>,?\s{{1,3}}(?:in\s)?{_TOWN})?"
)
_TOWN_ALONE: Final = re.compile(
    rf"(?i:\b(?:wohne|lebe|wohnhaft|gemeldet|plz|postleitzahl|adresse|anschrift|aus|in|nach))[:,]?\s{{1,2}}(?:in\s)?(?P<town>{_TOWN})"
)
_POSTCODE: Final = re.compile(r"(?i:\b(?:plz|postleitzahl))\s?:?\s{0,2}(?:ist\s)?(?P<n>(?!00)\d{5})(?!\d)")
_AT_HOME: Final = re.compile(r"(?i)\b(?:wohn\w*|adresse|anschrift|gemeldet|ziehe|umgezogen|zieh\w*|lebe|hause)\b")
_COUNTED: Final = re.compile(
    r"(?i)\w+\s(?:fällen?|menschen|haushalten?|betrieben?|schulen?|stimmen|euro|personen|wohnungen|unternehmen)\b"
)


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without personal data, and how many of each placeholder were put in."""

    text: str
    kinds: Counter[str]


def mask(text: str, *, known_names: Collection[str] = ()) -> Masked:
    """Replace personal data by German placeholders such as `[E-Mail]`; masking twice changes nothing more.

    `known_names` are public: politicians, people named in the corpus, parties. They stay readable.
    """
    kinds: Counter[str] = Counter()
    names = _known(frozenset(known_names))
    for find in (_contacts, _identifiers, _phones, _addresses):
        text = _replaced(text, find(text), kinds)
    text = _replaced(text, find_personal_statements(text, names), kinds)
    text = _replaced(text, find_private_names(text, names), kinds)
    return Masked(text, kinds)


@lru_cache(maxsize=4)
def _known(names: frozenset[str]) -> frozenset[str]:
    """Whole names and each of their words, folded: "Merkel" is known where "Angela Merkel" is."""
    words = {fold(word) for name in names for word in re.split(r"[\s/]+", name) if len(word) > 2}
    return frozenset(words | {" ".join(fold(name).split()) for name in names})


def _replaced(text: str, findings: Iterator[_Finding], kinds: Counter[str]) -> str:
    """Put the placeholders in; of overlapping findings the one that starts first, then the longest, wins."""
    parts: list[str] = []
    done = 0
    for start, end, placeholder in sorted(findings, key=lambda finding: (finding[0], -finding[1])):
        if start < done:
            continue
        parts += (text[done:start], placeholder)
        kinds[placeholder] += 1
        done = end
    return "".join((*parts, text[done:]))


def _contacts(text: str) -> Iterator[_Finding]:
    for match in _EMAIL.finditer(text):
        yield match.start(), match.end(), "[E-Mail]"


def _identifiers(text: str) -> Iterator[_Finding]:
    for found in find_identifiers(text):
        yield found.start, found.end, found.placeholder


def _phones(text: str) -> Iterator[_Finding]:
    for match in _LABELLED_PHONE.finditer(text):
        yield match.start("n"), match.end("n"), "[Telefon]"
    for pattern in (_PHONE, _FOREIGN_PHONE):
        for match in pattern.finditer(text):
            digits = sum(character.isdigit() for character in match.group())
            if 7 <= digits <= 15 and not _DATE_LIKE.search(match.group()):
                yield match.start(), match.end(), "[Telefon]"


def _addresses(text: str) -> Iterator[_Finding]:
    for match in _STREET.finditer(text):
        if match["one"] is None or match["one"].lower() not in _NO_STREET.split():
            yield match.start(), match.end(), "[Adresse]"
    for match in _LANE.finditer(text):
        if match["town"] or _AT_HOME.search(text, max(0, match.start() - 40), match.start()):
            yield match.start(), match.end(), "[Adresse]"
    for match in _TOWN_ALONE.finditer(text):
        if not _COUNTED.match(match["town"]):
            yield match.start("town"), match.end("town"), "[Adresse]"
    for match in _POSTCODE.finditer(text):
        yield match.start("n"), match.end("n"), "[Adresse]"
