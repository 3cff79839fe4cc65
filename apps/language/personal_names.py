"""Names of private people in a question, known by what stands around them; used by masking."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from apps.language.given_names import find_named_by_given_name, may_be_surname
from apps.language.lemmas import is_known
from apps.language.normalising import fold
from apps.language.stopwords import stop_words

_PLACEHOLDER: Final = "[Name]"
_LONGEST_NAME: Final = 4
_ANY_WORD: Final = re.compile(r"[^\W\d_][\w’'.-]*(?<![.'’-])")
_PARTICLE: Final = r"(?:von|van|zu|vom|zum|zur|de|del|di|da|al|el|bin|ten|ter|le|la)(?:\s(?:der|den|dem|la))?"
_WORD: Final = r"(?:(?:al|el|ad|as|ar|an|ben)-)?[^\W\d_a-zà-öø-ÿ][\w’'.-]{0,40}(?<![.'’-])"
_INITIALS: Final = r"(?:[A-ZÄÖÜ]\.\s?){0,2}"
_NAME: Final = rf"(?P<name>{_INITIALS}{_WORD}(?:\s(?:{_PARTICLE}\s)?{_WORD}){{0,3}})"
_LOOSE: Final = r"[^\W\d_][\w’'-]{1,40}"
_ANY_CASE: Final = rf"(?P<name>{_LOOSE}(?:\s(?:{_PARTICLE}\s)?{_LOOSE})?)"
_TITLES: Final = r"(?:(?:Dr|Prof|Dipl|Ing|Med|Mag|Hr|Fr)\b\.?(?:-Ing\.)?\s{0,2}){0,3}"
_KIN: Final = (
    "mann|frau|sohn|tochter|vater|mutter|bruder|schwester|opa|oma|opi|omi|onkel|tante|cousin|cousine|neffe|nichte|enkel"
    "|enkelin|freund|freundin|partner|partnerin|nachbar|nachbarin|chef|chefin|kollege|kollegin|lehrer|lehrerin"
    "|arzt|ärztin|hausarzt|hausärztin|vermieter|vermieterin|kind|kinder|baby|ehemann|ehefrau|ex-mann|ex-frau|exmann|exfrau"
    "|lebensgefährte|lebensgefährtin|mitbewohner|mitbewohnerin|schwager|schwägerin|schwiegervater|schwiegermutter"
    "|schwiegersohn|schwiegertochter|verlobter|verlobte|stiefvater|stiefmutter|stiefsohn|stieftochter|patenkind|zwillinge"
    "|betreuer|betreuerin|pfleger|pflegerin|pfarrer|pfarrerin|anwalt|anwältin|steuerberater|steuerberaterin|trainer"
    "|hausverwalter|hausverwalterin|sachbearbeiter|sachbearbeiterin|friseur|friseurin|bekannter|bekannte|azubi|mieter"
    "|mieterin|bürgermeister|erzieher|erzieherin|schüler|schülerin|mitarbeiter|mitarbeiterin|bruders|papa|mama|kumpel"
)
_GREETINGS: Final = (
    r"(?:viele|liebe|beste|schöne|herzliche|freundliche|sonnige)n?\sgrü(?:ße|sse)n?|mit\sfreundlichen\sgrü(?:ßen|ssen)"
    r"|freundlichst|herzlichst|hochachtungsvoll|grü(?:ße|sse)|gruß|gruss|mfg|vg|lg|best\sregards|kind\sregards|regards"
    r"|cheers|yours\s(?:sincerely|faithfully)|sincerely|unterschrift|gezeichnet|gez\.?|absender(?:in)?"
)
# Who says who they are, or whose name it is, names somebody private: only a whole public name stays.
_INTRODUCED: Final = (
    # Who says who they are may write in lower case.
    re.compile(
        rf"(?i:\b(?:ich\sheiße|ich\sheisse|ich\snenne\smich|mein\sname\s(?:ist|lautet)|mein\s(?:vorname|nachname)\sist"
        rf"|my\sname\sis|name\s?:|i\sam\scalled|hier\sschreibt|hier\sspricht))\s{{1,3}}(?i:{_TITLES}){_ANY_CASE}"
    ),
    re.compile(rf"(?:^|(?<=[.!?,\n]\s)){_NAME}(?=,?\s(?i:mein\sname|hier\b|am\sapparat))"),
    re.compile(rf"(?i:\bich\sbin\s(?:der|die)\s){_NAME}(?!\w)"),
    re.compile(
        r"(?i:\b(?:hallo|hi|hey|moin|servus|guten\s(?:tag|morgen|abend)|grüß\sgott)[,!.]?\s(?:zusammen[,!.]?\s)?"
        rf"(?:ich\sbins?|ich\sbin's|hier\sist|hier\sspricht)),?\s{_NAME}(?!\w)"
    ),
    re.compile(rf"(?:^|(?<=[.!?\n]\s))(?i:hier\sist|danke,)\s(?P<name>{_WORD}\s{_WORD})(?=[,.!?]|\s*$)"),
    re.compile(rf"(?i:\b(?:ich\sbin|i\sam|i'm|i’m))\s(?i:{_TITLES})(?P<name>{_WORD}\s(?:{_PARTICLE}\s)?{_WORD})(?!\w)"),
    re.compile(rf"\b(?i:ich|wir),\s(?i:{_TITLES})(?P<name>{_WORD}\s(?:{_PARTICLE}\s)?{_WORD}),"),
    re.compile(rf"(?i:\b(?:mein|unser|dein|sein|ihr)(?:e|em|en|er|es)?\s(?:{_KIN})(?:s|es|n)?,?(?:\sheißt)?)\s{_NAME}"),
    re.compile(rf"(?i:\b(?:im\snamen\svon|in\svertretung\s(?:von|für)|vollmacht\s(?:für|von)|namens))\s{_NAME}"),
    re.compile(rf"\b(?i:der|die)\s[\w\s]{{0,40}}?(?i:heißt|hieß)\s(?P<name>{_WORD}\s(?:{_PARTICLE}\s)?{_WORD})(?!\w)"),
    re.compile(
        rf"(?i:\b(?:{_GREETINGS})(?:\s(?:aus|vom)\s(?:[^\W\d_][\w-]{{1,30}}(?:,\s|\s(?=[a-zäöü])|\s-\s)){{1,2}})?"
        rf"(?:\svon)?(?:(?!\s(?:aus|vom|an)\b)[\s,!:.-]){{1,6}}(?:(?:Ihr|Ihre|Dein|Deine|Euer|Eure)\s)?)"
        rf"{_TITLES}{_NAME}\s*(?:$|[.!\n,\[])"
    ),
)
_TITLED: Final = (
    re.compile(rf"\b(?:Herrn?|Frau|Hr\.|Fr\.|Fräulein|Mr\.?|Mrs\.?|Ms\.?)\s{{1,2}}{_TITLES}{_NAME}"),
    re.compile(rf"\b(?P<family>Familie|Eheleute|Ehepaar)\s{_NAME}"),
)
# "Ministerpräsident Günther" is no stranger's given name.
_OFFICE: Final = re.compile(
    r"(?:\b(?:Herrn?|Frau|Kolleg(?:e|in))|(?:minister|präsident|kanzler|bürgermeister|senator|chef|vorsitzende|kandidat)"
    r"(?:in|r|s|en)?)\s\Z",
    re.IGNORECASE,
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


def find_private_names(
    text: str, known: frozenset[str], is_public: Callable[[str], bool] | None = None
) -> Iterator[tuple[int, int, str]]:
    """Yield `(start, end, placeholder)` of private people's names; `known` holds folded public names and surnames.

    `is_public` is asked for a whole name that only its form has told, such as "Jana Probe".
    """
    public = _public_spans(text, known)
    for pattern in (*_INTRODUCED, *_TITLED):
        for match in pattern.finditer(text):
            # Families have children, and sorrows: only a word that no dictionary has is their name.
            if match.groupdict().get("family") and is_known(match["name"].split()[0], "de"):
                continue
            start, end = match.start("name"), _name_end(match)
            if end <= start or any(first < end and start < last for first, last in public):
                continue
            if pattern in _INTRODUCED or not _is_public(text[start:end], known):
                yield start, end, _PLACEHOLDER
    for start, end in find_named_by_given_name(text, public):
        alone = fold(text[start:end])
        if (alone in known or alone.removesuffix("s") in known) and _OFFICE.search(text, max(0, start - 30), start):
            continue
        if is_public is None or not _is_whole_and_public(text[start:end], is_public):
            yield start, end, _PLACEHOLDER


def _is_whole_and_public(name: str, is_public: Callable[[str], bool]) -> bool:
    forms = dict.fromkeys((name, name.removesuffix("s")))
    return " " in name and any(is_public(form) for form in forms)


def _public_spans(text: str, known: frozenset[str]) -> list[tuple[int, int]]:
    """Where the text has whole public names: two or more words, the last one also as "Merkels"."""
    words = list(_ANY_WORD.finditer(text))
    folded = [fold(word.group()).replace("-", " ") for word in words]
    spans: list[tuple[int, int]] = []
    for first in range(len(words)):
        for length in range(_LONGEST_NAME, 1, -1):
            last = first + length
            if last > len(words):
                continue
            name = " ".join(folded[first:last])
            if name in known or name.removesuffix("s") in known or _is_misspelt(folded[first], folded[last - 1], known):
                spans.append((words[first].start(), words[last - 1].end()))
                break
    return spans


def _is_misspelt(given: str, surname: str, known: frozenset[str]) -> bool:
    """ "Sarah Wagenknecht" is Sahra: the surname and the first letter of a public name."""
    return f"{given[:1]}. {surname.removesuffix('s')}" in known


def _name_end(match: re.Match[str]) -> int:
    """The end of the name proper: words that are no part of any name end it."""
    end = match.start("name")
    for word in re.finditer(r"\S+", match["name"]):
        folded = fold(word[0]).strip(".,'-")
        if _is_particle(word[0]):
            continue
        if folded in _NOT_NAMES or (end > match.start("name") and not may_be_surname(word[0].strip(".,'-"))):
            break
        end = match.start("name") + word.end()
    return end


def _is_particle(word: str) -> bool:
    return re.fullmatch(rf"{_PARTICLE}|der|den|dem", word) is not None


def _is_public(name: str, known: frozenset[str]) -> bool:
    """A name with a title is public as a whole or by a surname, so that "Frau Merkel" is, whatever noun follows."""
    words = fold(name).split()
    for count in range(1, len(words) + 1):
        last = words[count - 1]
        if " ".join(words[:count]) in known or last in known or last.removesuffix("s") in known:
            return True
    return not words
