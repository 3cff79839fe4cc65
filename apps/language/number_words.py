"""Numbers in words, German and English, so that "Fünf-Prozent-Hürde" and "5 %-Hürde" say the same number."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_CARDINALS: Final = {
    word: value
    for value, words in {
        0: "null zero", 1: "eins one", 2: "zwei zwo two", 3: "drei three", 4: "vier four", 5: "fuenf five",
        6: "sechs six", 7: "sieben seven", 8: "acht eight", 9: "neun nine", 10: "zehn ten", 11: "elf eleven",
        12: "zwoelf twelve", 13: "dreizehn thirteen", 14: "vierzehn fourteen", 15: "fuenfzehn fifteen",
        16: "sechzehn sixteen", 17: "siebzehn seventeen", 18: "achtzehn eighteen", 19: "neunzehn nineteen",
        20: "zwanzig twenty", 30: "dreissig thirty", 40: "vierzig forty", 50: "fuenfzig fifty", 60: "sechzig sixty",
        70: "siebzig seventy", 80: "achtzig eighty", 90: "neunzig ninety", 100: "hundert einhundert hundred",
        1000: "tausend eintausend thousand", 1_000_000: "million millionen", 1_000_000_000: "milliarde milliarden",
    }.items()
    for word in words.split()
}  # fmt: skip
_ORDINAL_STEMS: Final = {
    word: value
    for value, words in {
        1: "erst first", 2: "zweit second", 3: "dritt third", 4: "viert fourth", 5: "fuenft fifth", 6: "sechst sixth",
        7: "siebt siebent seventh", 8: "acht eighth", 9: "neunt ninth", 10: "zehnt tenth", 11: "elft eleventh",
        12: "zwoelft twelfth",
    }.items()
    for word in words.split()
}  # fmt: skip
_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "januar jaenner january", "februar feber february", "maerz marz march", "april", "mai may", "juni june",
            "juli july", "august", "september", "oktober october", "november", "dezember december",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_ROMAN: Final = {
    "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10, "xi": 11, "xii": 12,
    "xiii": 13, "xiv": 14, "xv": 15, "xvi": 16, "xvii": 17, "xviii": 18, "xix": 19, "xx": 20,
}  # fmt: skip
_UNITS: Final = "ein|zwei|drei|vier|fuenf|sechs|sieben|acht|neun"
_TENS: Final = "zwanzig|dreissig|vierzig|fuenfzig|sechzig|siebzig|achtzig|neunzig"
_COMPOUND: Final = re.compile(rf"({_UNITS})und({_TENS})")
_ENGLISH_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)")
_LONGEST_FIRST: Final = sorted(_CARDINALS, key=len, reverse=True)
_GERMAN: Final = "|".join(word for word in _LONGEST_FIRST if _CARDINALS[word] < 1_000_000)
# Heads after which a number word within a longer word counts: Dreijahresplan, Fünfprozenthürde, zweimal.
_HEADS: Final = (
    "prozent|jahr|tag|woche|monat|stunde|minute|parteien|partei|drittel|viertel|mal|fach|kind|eltern|personen|zimmer"
    "|klassen|stufig|koepfig|stellig|seit|spurig|euro|cent|staaten|staatlich|meter|kilo|punkt|laender|kammer|stimm"
)
_COUNTED: Final = re.compile(rf"(ein|{_GERMAN})(?={_HEADS})")
_ORDINAL: Final = re.compile(
    rf"(?:{'|'.join(sorted(_ORDINAL_STEMS, key=len, reverse=True))})(?:e[nmrs]?|ens|ly)?"
    rf"|(?:(?:{_UNITS})und)?(?:{_TENS})ste[nmrs]?|(?:dreizehn|vierzehn|fuenfzehn|sechzehn|siebzehn|achtzehn|neunzehn)te[nmrs]?"
)
# Erststimme and Zweitstimme, never Erstattung, erstellen or Zweitausend.
_FIRST_PART: Final = re.compile(
    r"(?:(erst)(?!att|ell|reck|arr|aun|ick|uerm|eh|eig|und|ochen|ritt|ummt|ick|unken|ink)|(zweit)(?!aus)|(dritt)|(viert)(?!el)"
    r"|(fuenft)(?!el|aus))(?=[a-z]{4})"
)


@lru_cache(maxsize=16_384)
def cardinal(token: str) -> int | None:
    """Return the number below a million that one folded token is in words (dreihundert), None for all others."""
    known = _CARDINALS.get(token)
    if known is not None:
        return known
    compound = _COMPOUND.fullmatch(token)
    if compound:
        return (1 if compound[1] == "ein" else _CARDINALS[compound[1]]) + _CARDINALS[compound[2]]
    for word, worth in (("tausend", 1000), ("hundert", 100)):
        before, found, after = token.partition(word)
        if not found:
            continue
        times = 1 if before in ("", "ein") else cardinal(before)
        rest = cardinal(after.removeprefix("und")) if after else 0
        return None if times is None or rest is None or rest >= worth else times * worth + rest
    return None


@lru_cache(maxsize=16_384)
def number_values(token: str) -> tuple[str, ...]:
    """Return the numbers that one folded token says, in order, each as digits without leading zeros; often none."""
    digits = re.findall(r"\d+", token)
    if digits:
        return tuple(each.lstrip("0") or "0" for each in digits)
    known = _CARDINALS.get(token, _ROMAN.get(token, _MONTHS.get(token)))
    if known is not None:
        return (str(known),)
    whole = _whole_word(token)
    if whole is not None:
        return (str(whole),)
    first = _FIRST_PART.match(token)
    if first:
        return (str(_ORDINAL_STEMS[first[first.lastindex or 0]]),)
    return _counted(token)


def _whole_word(token: str) -> int | None:
    compound = _COMPOUND.match(token)
    if compound and (token == compound[0] or token.startswith("ste", compound.end())):
        return (1 if compound[1] == "ein" else _CARDINALS[compound[1]]) + _CARDINALS[compound[2]]
    if not _ORDINAL.fullmatch(token):
        return None
    for stem in sorted(_ORDINAL_STEMS, key=len, reverse=True):
        if token.startswith(stem) and len(token) - len(stem) <= 3:
            return _ORDINAL_STEMS[stem]
    return next((_CARDINALS[word] for word in _LONGEST_FIRST if token.startswith(word)), None)


def _counted(token: str) -> tuple[str, ...]:
    """A number at the start of a longer word that counts what follows: zweidrittel is 2 and 3."""
    counted = _COUNTED.match(token)
    if not counted:
        return ()
    value = 1 if counted[1] == "ein" else _CARDINALS[counted[1]]
    rest = token[counted.end() :]
    third = {"drittel": ("3",), "viertel": ("4",)}
    return (str(value), *next((more for part, more in third.items() if rest.startswith(part)), ()))
