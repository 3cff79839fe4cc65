"""German articles before the name of a party: another party may need another one ("die Partei", but "der Bund").

The gender is taken from the names that a party is known by; where they do not tell, nothing is changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final


class Gender(StrEnum):
    """How German treats a party's name."""

    MASCULINE = "der"
    FEMININE = "die"
    NEUTER = "das"
    PLURAL = "die (plural)"


class Case(StrEnum):
    """The case that an article shows. The genitive changes the noun as well and is left alone."""

    NOMINATIVE = "nominative"
    ACCUSATIVE = "accusative"
    DATIVE = "dative"


_FORMS: Final[Mapping[Gender, Mapping[Case, str]]] = {
    Gender.MASCULINE: {Case.NOMINATIVE: "der", Case.ACCUSATIVE: "den", Case.DATIVE: "dem"},
    Gender.FEMININE: {Case.NOMINATIVE: "die", Case.ACCUSATIVE: "die", Case.DATIVE: "der"},
    Gender.NEUTER: {Case.NOMINATIVE: "das", Case.ACCUSATIVE: "das", Case.DATIVE: "dem"},
    Gender.PLURAL: {Case.NOMINATIVE: "die", Case.ACCUSATIVE: "die", Case.DATIVE: "den"},
}
# The last part of a name decides: Talbund as Bund does.
_HEADS: Final[Mapping[str, Gender]] = {
    **dict.fromkeys(("bund", "verband", "block", "verein", "aufbruch", "kreis", "rat"), Gender.MASCULINE),
    **dict.fromkeys(
        (
            "partei",
            "union",
            "liste",
            "allianz",
            "bewegung",
            "initiative",
            "alternative",
            "gemeinschaft",
            "front",
            "linke",
        ),
        Gender.FEMININE,
    ),
    **dict.fromkeys(("bündnis", "zentrum", "forum", "team"), Gender.NEUTER),
    **dict.fromkeys(("grüne", "grünen", "wähler", "piraten", "demokraten", "liberalen"), Gender.PLURAL),
}
_NAMED_WITH: Final = re.compile(r"(der|die|das)\s+(\S.*)", re.IGNORECASE)
_DATIVE_AFTER: Final = frozenset(["von", "bei", "mit", "zu", "nach", "aus", "laut", "gegenüber"])
_ACCUSATIVE_AFTER: Final = frozenset(["für", "gegen", "ohne", "durch", "um", "über"])
_JOINED: Final = {"zum": "zu", "zur": "zu", "vom": "von", "beim": "bei"}
_JOIN: Final = {
    ("zu", "dem"): "zum",
    ("zu", "der"): "zur",
    ("von", "dem"): "vom",
    ("bei", "dem"): "beim",
}
_BEFORE: Final = re.compile(
    r"(?P<words>\b(?:(?P<before>\w+)\s+)?(?P<article>der|die|das|den|dem)|\b(?P<joined>zum|zur|vom|beim))\s+$",
    re.IGNORECASE,
)


def gender_of(names: Sequence[str]) -> Gender | None:
    """Return the gender that a party's names tell, the first name first: its last part, or an article before it."""
    for name in names:
        match = _NAMED_WITH.fullmatch(name)
        for word in re.findall(r"[^\W\d_]+", name):
            for head, gender in _HEADS.items():
                if word.casefold().endswith(head):
                    return gender
        if match and any(match[2].casefold() == other.casefold() for other in names):
            return Gender(match[1].lower())
    return None


def before_name(before: str, old: Gender | None, new: Gender | None) -> str:
    """Return the text before a name with the article that ``new`` needs in the place of that of ``old``.

    Unchanged where there is none, where either gender is unknown, or where the case cannot be told.
    """
    match = _BEFORE.search(before)
    if match is None or old is None or new is None or old is new:
        return before
    joined = (match["joined"] or "").lower()
    preposition = _JOINED.get(joined) or (match["before"] or "").lower()
    case = Case.DATIVE if joined else _case((match["article"] or "").lower(), preposition, old)
    if case is None:
        return before
    article = _FORMS[new][case]
    start = match.start()
    if preposition in _JOINED.values():
        said = _JOIN.get((preposition, article), f"{preposition} {article}")
    else:
        said = f"{match['before']} {article}" if match["before"] else article
    first = before[start : start + 1]
    return f"{before[:start]}{said[0].upper() + said[1:] if first.isupper() else said} "


def _case(article: str, preposition: str, gender: Gender) -> Case | None:
    """The case of an article before a name; the subject of a question is meant where two are possible."""
    shown = [case for case, form in _FORMS[gender].items() if form == article]
    if preposition in _ACCUSATIVE_AFTER and Case.ACCUSATIVE in shown:
        return Case.ACCUSATIVE
    if Case.DATIVE in shown:
        # "der Fachwerkpartei" without a preposition is a genitive.
        return Case.DATIVE if preposition in _DATIVE_AFTER else None
    return shown[0] if shown else None
