"""Names of private people in a question, known by what stands around them; used by masking."""

import re
from collections.abc import Iterator
from typing import Final

from apps.language.lemmas import is_known
from apps.language.normalising import fold
from apps.language.stopwords import stop_words

_PARTICLE: Final = r"(?:von|van|de|der|den|del|di|da|al|el|bin|ten|le|la)"
_WORD: Final = r"[^\W\d_a-zà-öø-ÿ][\w’'.-]{0,40}(?<![.'’-])"
_INITIALS: Final = r"(?:[A-ZÄÖÜ]\.\s?){0,2}"
_NAME: Final = rf"(?P<name>{_INITIALS}{_WORD}(?:\s(?:{_PARTICLE}\s){{0,2}}{_WORD}){{0,3}})"
_LOOSE: Final = r"[^\W\d_][\w’'-]{1,40}"
_ANY_CASE: Final = rf"(?P<name>{_LOOSE}(?:\s(?:{_PARTICLE}\s){{0,2}}{_LOOSE})?)"
_TITLES: Final = r"(?:(?:Dr|Prof|Dipl|Ing|Med|Mag|Hr|Fr)\b\.?(?:-Ing\.)?\s{0,2}){0,3}"
_KIN: Final = (
    "mann|frau|sohn|tochter|vater|mutter|bruder|schwester|opa|oma|onkel|tante|cousin|cousine|neffe|nichte|enkel"
    "|enkelin|freund|freundin|partner|partnerin|nachbar|nachbarin|chef|chefin|kollege|kollegin|lehrer|lehrerin"
    "|arzt|ärztin|vermieter|vermieterin|kind|baby|ehemann|ehefrau|lebensgefährte|lebensgefährtin|mitbewohner"
    "|mitbewohnerin|schwager|schwägerin|schwiegervater|schwiegermutter|verlobter|verlobte"
)
_PATTERNS: Final = (
    # Who says who they are may write in lower case.
    re.compile(
        rf"(?i:\b(?:ich\sheiße|ich\sheisse|ich\snenne\smich|mein\sname\sist|mein\s(?:vorname|nachname)\sist|my\sname\sis"
        rf"|name\s?:|i\sam\scalled|hier\sschreibt|hier\sspricht))\s{{1,3}}(?i:{_TITLES}){_ANY_CASE}"
    ),
    re.compile(rf"(?i:\bich\sbin\s(?:der|die)\s){_NAME}(?!\w)"),
    re.compile(
        r"(?i:\b(?:hallo|hi|hey|moin|servus|guten\s(?:tag|morgen|abend)|grüß\sgott)[,!.]?\s(?:zusammen[,!.]?\s)?"
        rf"(?:ich\sbin|hier\sist|hier\sspricht))\s{_NAME}(?!\w)"
    ),
    re.compile(rf"(?:^|(?<=[.!?\n]\s))(?i:hier\sist|danke,)\s(?P<name>{_WORD}\s{_WORD})(?=[,.!?]|\s*$)"),
    re.compile(rf"(?i:\b(?:ich\sbin|i\sam|i'm|i’m))\s(?i:{_TITLES})(?P<name>{_WORD}\s(?:{_PARTICLE}\s)?{_WORD})(?!\w)"),
    re.compile(rf"\b(?:Herrn?|Frau|Hr\.|Fr\.|Fräulein|Mr\.?|Mrs\.?|Ms\.?)\s{{1,2}}{_TITLES}{_NAME}"),
    re.compile(rf"\b(?P<family>Familie)\s{_NAME}"),
    re.compile(rf"(?i:\b(?:mein|unser|dein)(?:e|em|en|er|es)?\s(?:{_KIN})(?:s|es|n)?,?(?:\sheißt)?)\s{_NAME}"),
    re.compile(
        r"(?i:\b(?:(?:viele|liebe|beste|schöne|herzliche|freundliche|sonnige)n?\sgrü(?:ße|sse)n?|mit\sfreundlichen\s"
        r"grü(?:ßen|ssen)|freundlichst|herzlichst|hochachtungsvoll|grü(?:ße|sse)|gruß|gruss|mfg|vg|lg|best\sregards"
        r"|kind\sregards|regards|cheers|yours\s(?:sincerely|faithfully)|sincerely))"
        r"(?:\s(?:aus|von|vom)(?:\s(?!mir)[^\W\d_][\w-]{1,30}){0,2}?)?[\s,!.-]{1,6}"
        r"(?:(?:Ihr|Ihre|Dein|Deine|Euer|Eure)\s)?"
        rf"{_TITLES}{_NAME}\s*(?:$|[.!\n,\[])"
    ),
)
# What follows "Herr" or "ich bin" without being anybody's name.
_OFFICE_WORDS: Final = (
    "bundeskanzler bundeskanzlerin kanzler kanzlerin minister ministerin ministerpraesident ministerpraesidentin"
    " praesident praesidentin bundespraesident bundespraesidentin buergermeister buergermeisterin abgeordneter"
    " abgeordnete abgeordneten doktor dr prof ing professor herr herrn frau hr fr familie professorin vorsitzender"
    " vorsitzende landrat landraetin"
    " wahlleiter wahlleiterin bundeswahlleiter bundeswahlleiterin kandidat kandidatin holle und oder im in am"
)
_STATUS_WORDS: Final = (
    "deutscher deutsche deutsch buerger buergerin waehler waehlerin student studentin rentner rentnerin mutter vater"
    " schueler schuelerin auslaender auslaenderin eu mitglied mieter mieterin beamter beamtin lehrer lehrerin"
    " erstwaehler erstwaehlerin alleinerziehend freund freundin meinung bundestag kind azubi tuerke tuerkin"
    " oesterreicher oesterreicherin pole polin neu hier nicht auch sehr wahlhelfer wahlhelferin anfaenger anfaengerin"
    " journalist journalistin unternehmer unternehmerin selbststaendig arbeitslos arzt aerztin pfleger pflegerin"
    " soldat soldatin bauer landwirt landwirtin handwerker handwerkerin angestellter angestellte pensionaer"
)
_NOT_NAMES: Final = frozenset(_OFFICE_WORDS.split()) | frozenset(_STATUS_WORDS.split()) | stop_words("de")


def find_private_names(text: str, known: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Yield `(start, end, placeholder)` of private people's names; `known` holds folded public names and words."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            # Families have children, and sorrows: only a word that no dictionary has is their name.
            if match.groupdict().get("family") and is_known(match["name"].split()[0], "de"):
                continue
            end = _name_end(match)
            if end > match.start("name") and not _is_public(text[match.start("name") : end], known):
                yield match.start("name"), end, "[Name]"


def _name_end(match: re.Match[str]) -> int:
    """The end of the name proper: words that are no part of any name end it."""
    end = match.start("name")
    for word in re.finditer(r"\S+", match["name"]):
        folded = fold(word[0]).strip(".,'-")
        if _is_particle(word[0]):
            continue
        if folded in _NOT_NAMES:
            break
        end = match.start("name") + word.end()
    return end


def _is_particle(word: str) -> bool:
    return re.fullmatch(_PARTICLE, word) is not None


def _is_public(name: str, known: frozenset[str]) -> bool:
    """A name is public as a whole or by its last word, so that "Frau Merkel" is."""
    words = fold(name).split()
    if not words:
        return True
    last = words[-1]
    return " ".join(words) in known or last in known or last.removesuffix("s") in known
