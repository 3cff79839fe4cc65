"""Names of private people told by a given name: "Jana Probe", "Probe, Jana", or "Jana" alone; used by masking.

The list holds what is common in Germany, whatever its origin. A name that is not on it passes, unless the words around
it tell (`personal_names`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from apps.language.lemmas import is_known
from apps.language.normalising import fold
from apps.language.stopwords import stop_words

_FILE: Final = Path(__file__).with_suffix(".txt")
_WORD: Final = re.compile(r"(?<![\w.@/’'-])[^\W\d_][\w’']*(?:-[^\W\d_][\w’']*)*(?![\w@/-])")
_BETWEEN: Final = re.compile(
    r"\s(?:[A-ZÄÖÜ]\.\s?){0,2}(?:(?:von|van|zu|vom|zum|zur|de|del|di|da|al|el|bin|ten|ter|le|la)\s(?:(?:der|den|dem|la)\s)?)?"
)
_ARABIC: Final = re.compile(r"\s(?:[aA][lnrsd]|[eE]l|[bB]en)-?[A-ZÄÖÜ][\w’'-]{1,30}(?!\w)")
# Before a given name these make a saint, a ruler, a storm or a place of it.
_NOT_AFTER_WORDS: Final = (
    "sankt st saint san santa fort port lake mount new koenig koenigin kaiser kaiserin papst prinz prinzessin zar zarin"
    " heilige heiliger heiligen hurrikan sturm orkan herzog graf gruppe band firma marke hotel schiff stadt insel staat"
    " lied film serie roman album operation projekt gesetz lex reederei"
)
_NOT_AFTER: Final = frozenset(_NOT_AFTER_WORDS.split())
_NUMBERED: Final = re.compile(r"\s(?:[IVX]+\b\.?|der\s(?:Große|Erste|Zweite|Dritte|Vierte|Fünfte|I)|die\sGroße)")
# After a given name a dictionary word may still be a surname (Müller, Rauscher); these are none.
_NO_SURNAME: Final = re.compile(
    r"(?:wahl|stimm|brief|erst|zweit|bundes|landes|partei|rent|steuer|kind|geld|asyl|miet|klima|buerger|kandidat|schul"
    r"|europa|pflege|eltern|partner|staat|deutsch|ausweis|pass|post|job|arbeit|recht|hilfe|termin|frage|antwort|bafoeg)"
    r"|.*(?:ung|heit|keit|schaft|tion|recht|zettel|schein|amt|helfer|helferin|geld|steuer|lokal|unterlagen|pflicht|hilfe"
    r"|kandidat|kandidatin|minister|ministerin|chef|chefin|mitglied|bundestag|haushalt|jahre?|tage?|wochen?|monate?|euro|prozent|uhr|kinder|buch|schule|partei|programm|gesetz|ismus|ieren)$"
)


@dataclass(frozen=True, slots=True)
class _Given:
    """A given name in a text: where, and whether it needs a surname to be one."""

    start: int
    end: int
    is_ambiguous: bool


@lru_cache(maxsize=1)
def _names() -> dict[str, bool]:
    """Folded given names, and whether each is an everyday word as well."""
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    words = [word for line in lines if not line.startswith("#") for word in line.split()]
    return {fold(word.rstrip("*")): word.endswith("*") for word in words}


def find_named_by_given_name(text: str, public: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield `(start, end)` of names that begin with, or consist of, a given name; none overlaps a `public` name."""
    done = 0
    for given in _given_names(text):
        if given.start < done or any(start < given.end and given.start < end for start, end in public):
            continue
        if _is_no_person(text, given):
            continue
        end = _with_surname(text, given, public)
        start = _with_surname_before(text, given.start)
        if end > given.end or start < given.start or not given.is_ambiguous:
            done = end
            yield start, end


def _given_names(text: str) -> Iterator[_Given]:
    for match in _WORD.finditer(text):
        word = match.group()
        if not word[0].isupper() or word.isupper():
            continue
        parts = [_listed(part) for part in word.split("-")]
        # "Jens-Peter" is a name, the "Alfred-Nobel-Preis" is none.
        if None not in parts:
            yield _Given(match.start(), match.end(), any(parts))


def _listed(word: str) -> bool | None:
    """Say whether a given name is an everyday word as well; None for what is none. "Jans" is Jan's, "Hans" himself."""
    folded = fold(word)
    for form in (folded, folded.removesuffix("s")):
        if len(form) > 1 and form in _names():
            return _names()[form]
    return None


def _with_surname(text: str, given: _Given, public: list[tuple[int, int]]) -> int:
    """The end of what follows a given name: more given names and one surname; its own end where nothing does."""
    end, has_surname = given.end, False
    for _ in range(3):
        arabic = _ARABIC.match(text, end)
        if arabic:
            return arabic.end()
        between = _BETWEEN.match(text, end)
        word = _WORD.match(text, between.end()) if between else None
        if word is None or any(start <= word.start() < stop for start, stop in public):
            return end
        if not word.group()[0].isupper() or not may_be_surname(word.group()):
            return end
        if has_surname and is_known(word.group(), "de"):
            return end
        end = word.end()
        has_surname = has_surname or _listed(word.group()) is None
    return end


def may_be_surname(word: str) -> bool:
    """Say whether a capitalised word after a given name or a title may be part of the name."""
    folded = fold(word)
    if folded in stop_words("de") or (len(word) > 1 and word.isupper()):
        return False
    if _listed(word) is not None:
        return True
    return not (_NO_SURNAME.match(folded) and is_known(word, "de"))


def _with_surname_before(text: str, start: int) -> int:
    """The start of "Probe, Jana": an unknown word and a comma before a given name."""
    before = re.search(r"([^\W\d_][\w’'-]+),\s\Z", text[max(0, start - 40) : start])
    if before is None or not before[1][0].isupper() or is_known(before[1], "de") or _listed(before[1]) is not None:
        return start
    # "Hamburg, Anna …" begins anew; a list has its surname at its own beginning.
    lead = text[max(0, start - 40) : start][: before.start()].rstrip()
    return start - (before.end() - before.start()) if not lead or lead.endswith((":", ";")) else start


def _is_no_person(text: str, given: _Given) -> bool:
    """Say whether a given name alone is a saint, a ruler or a thing."""
    before = re.search(r"([\w.]+)\s\Z", text[max(0, given.start - 30) : given.start])
    if before and fold(before[1]).strip(".") in _NOT_AFTER:
        return True
    return _NUMBERED.match(text, given.end) is not None
