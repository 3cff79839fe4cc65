"""First-person statements on health, belief, union, orientation or vote (Art. 9 GDPR); used by masking."""

import re
from collections.abc import Iterator
from typing import Final

_HEALTH_IS: Final = (
    "krank|schwerkrank|chronisch krank|psychisch krank|depressiv|behindert|schwerbehindert|gehbehindert|sehbehindert"
    "|blind|taub|gehörlos|schwerhörig|schwanger|hiv-?positiv|querschnittsgelähmt|dement|autist|autistin|autistisch"
    "|alkoholiker|alkoholikerin|süchtig|drogensüchtig|abhängig|diabetiker|diabetikerin|epileptiker|epileptikerin"
    "|rollstuhlfahrer|rollstuhlfahrerin|schwerbehinderter|schwerbehinderte|pflegebedürftig|suizidgefährdet|magersüchtig"
    "|disabled|pregnant|depressed|diabetic|deaf|autistic|erwerbsunfähig|berufsunfähig|krebskrank|herzkrank|nierenkrank"
)
_ILLNESS: Final = (
    r"krebs|\w{0,20}krebs|aids|hiv|diabetes|depressionen?|multiple\ sklerose|ms|parkinson|alzheimer|demenz|epilepsie"
    r"|asthma|rheuma|adhs|autismus|borderline|schizophrenie|psychosen?|migräne|long[- ]covid|me/cfs|cfs|burn-?out"
    r"|angststörungen?|essstörung|zöliakie|endometriose|hepatitis|tuberkulose|leukämie|schlaganfall|herzinfarkt"
    r"|(?:eine\ )?behinderung|schwerbehindertenausweis|schwerbehinderung|pflegegrad(?:\ \d)?|\w{0,20}erkrankung"
    r"|\w{2,20}krankheit|abtreibung|fehlgeburt|cancer|depression|dyslexia"
)
_BELIEF: Final = (
    "muslim|muslima|muslimin|moslem|christ|christin|katholik|katholikin|katholisch|protestant|protestantin|evangelisch"
    "|jude|jüdin|jüdisch|muslimisch|buddhist|buddhistin|hindu|alevit|alevitin|atheist|atheistin|zeuge jehovas"
    "|orthodox|sunnit|schiit|konfessionslos|gläubig|gläubiger christ|freikirchlich|konvertiert|muslim|jewish|christian"
)
_ORIENTATION: Final = (
    "schwul|lesbisch|bisexuell|homosexuell|heterosexuell|asexuell|pansexuell|queer|trans|transgender|transsexuell"
    "|nichtbinär|non-?binary|intersexuell|lesbe|schwuler|gay|lesbian|bisexual|trans ?frau|trans ?mann"
)
_UNION: Final = (
    r"gewerkschaft\w*|ver\.?di|ig[ -]metall|ig[ -]?bau|ig[ -]?bce|gew|gdp|ngg|evg|dgb|marburger\ bund|betriebsrat"
)
_PARTIES: Final = (
    r"spd|cdu|csu|cdu/csu|afd|fdp|bsw|grüne?n?|linken?|linkspartei|union|volt|piraten(?:partei)?|freien?\ wähler|npd"
    r"|ödp|ssw|die\ partei|tierschutzpartei|werteunion|sozialdemokraten|liberalen?|bündnis\ (?:90|sahra\ wagenknecht)"
)
_FILLERS: Final = (
    r"(?:(?:seit|schon|auch|leider|sehr|schwer|an|unter|mit|eine?n?|einem|einer|ein|der|die|das|meine?n?|immer|chronische?r?"
    r"|starke?n?|zu|\d{1,4}|jahren|jahre|monaten|langem|kurzem|selbst|selber|ja|nun|gerade|zwar|nämlich|als|überzeugter?"
    r"|gläubiger?|praktizierender?|strenger?|bekennender?|offen|stolzer?|a|an|%|prozent|von|geburt|im|fortgeschrittenen"
    r"|stadium|typ|dem|den|diagnose|halt|eben|wohl|aber|vor|letztes|jahr|mal|bisher|stets|diesmal|wieder|jedes|for|my)\s){0,6}"
)
_I: Final = r"(?:ich|i|wir)"
_IS: Final = rf"{_HEALTH_IS}|{_BELIEF}|{_ORIENTATION}"
# The statement ends where the clause does; the question behind it stays.
_REST: Final = r"(?:\s(?!und\b|oder\b|aber\b|wie\b|was\b|wer\b|wo\b|wann\b|and\b|but\b)[^\s.,;:!?\[\]]{1,40}){0,8}"
_MEMBER: Final = (
    r"(?:mitglied|gewerkschafter\w{{0,5}}|aktiv|engagiert|organisiert|vertrauensmann|betriebsrat|betriebsrätin)"
)
_PATTERNS: Final = tuple(
    re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)
    for pattern in (
        rf"{_I}\s(?:bin|war|wurde|sind|am|was|werde|lebe|fühle\smich)\s{_FILLERS}(?:{_IS})(?!\w){_REST}",
        rf"i['’]m\s{_FILLERS}(?:{_IS})(?!\w){_REST}",
        rf"{_I}\s(?:habe?|hatte|leide|litt|bekam|erkrankte|bin|have|had|suffer\sfrom)\s{_FILLERS}(?:{_ILLNESS})(?!\w){_REST}",
        rf"{_I}\s{_FILLERS}(?:{_IS})\s(?:bin|war|wurde|sind)",
        rf"{_I}\s{_FILLERS}(?:{_ILLNESS})\s(?:habe|hatte|bekommen\shabe|leide|erkrankt\sbin)",
        rf"(?:bei\smir|mir)\s(?:wurde|ist)\s{_FILLERS}(?:{_ILLNESS})(?!\w){_REST}",
        rf"als\s{_FILLERS}(?:{_IS})(?:er|e|en)?(?:\s(?:mann|frau|mensch|person))?(?=,?\s(?:habe|bin|möchte|frage|finde|fühle|will|mache|muss)\sich)",
        rf"mein(?:e)?\s(?:glaube|religion|konfession|krankheit|diagnose|behinderung|sexualität|orientierung)\sist\b{_REST}",
        rf"{_I}\sbin\s{_FILLERS}{_MEMBER}(?:\s(?:in|der|bei|im|beim|von|bei\sder|in\sder|einer)){{0,3}}\s{_FILLERS}(?:{_UNION}|{_PARTIES})(?!\w){_REST}",
        rf"{_I}\sbin\s(?:in|bei)\s{_FILLERS}(?:{_UNION})(?!\w){_REST}",
        rf"{_I}\sbin\s{_FILLERS}(?:{_PARTIES})-?\s?(?:mitglied|wähler|wählerin|anhänger|anhängerin|stammwähler){_REST}",
        rf"{_I}\s(?:bin|war)\s{_FILLERS}(?:gewerkschafter|gewerkschafterin|gewerkschaftsmitglied|betriebsrat|betriebsrätin){_REST}",
        rf"{_I}\s(?:habe|hab|hatte)\s(?:[^\s.,;:!?\[\]]{{1,30}}\s){{0,5}}?(?:{_PARTIES})\s(?:\w{{1,20}}\s){{0,2}}(?:gewählt|angekreuzt|meine\sstimme\sgegeben)",
        rf"{_I}\s(?:wähle|wählte|stimme|vote|voted)\s{_FILLERS}(?:für\s(?:die\s)?|for\s(?:the\s)?)?(?:{_PARTIES})(?!\w){_REST}",
        rf"{_I}\s(?:werde|würde|will|möchte|wollte)\s{_FILLERS}(?:für\s(?:die\s)?)?(?:{_PARTIES})(?:\s\w{{1,20}}){{0,2}}\swählen",
        rf"meine\s(?:stimme|erststimme|zweitstimme)\s(?:bekommt|bekam|erhält|kriegt|geht\san|ging\san|gehört)\s{_FILLERS}(?:{_PARTIES})(?!\w){_REST}",
        rf"{_I}\s(?:gebe|gab)\s{_FILLERS}(?:{_PARTIES})\s(?:meine\s)(?:stimme|erststimme|zweitstimme){_REST}",
    )
)  # fmt: skip


def find_personal_statements(text: str, known: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Yield `(start, end, placeholder)` of what readers say about themselves that nobody may store.

    "Kann ich als Schwerbehinderter …?" asks for a rule and stays; "Ich bin schwerbehindert" is about a person.
    """
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield match.start(), match.end(), "[persönliche Angabe]"
