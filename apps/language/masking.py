"""Hides what would tell who asked, before the first write: `querylog` and the door call `mask` on each question."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.language.addresses import find_addresses
from apps.language.confessions import find_personal_statements
from apps.language.identifiers import find_identifiers
from apps.language.normalising import fold
from apps.language.own_clauses import find_own_clauses
from apps.language.personal_names import find_private_names

_Finding = tuple[int, int, str]

_DOT: Final = r"(?:\.|\s?[(\[{](?:dot|punkt)[)\]}]\s?)"
_EMAIL: Final = re.compile(
    r"(?<![\w.+%-])[\w.+%-]{1,64}(?:\s?@\s?|\s?[(\[{<](?:at|ät|a)[)\]}>]\s?)[\w-]{1,63}"
    + rf"(?:{_DOT}[\w-]{{2,63}}){{1,5}}",
    re.IGNORECASE,
)
# Never after a sign, a slash or a point: § 0150, 20/0123 and 1.000 are no numbers to call.
_PHONE: Final = re.compile(
    r"(?<![\w.,/§€$-])(?:\+\s?\d|00[1-9]|\(?0[1-9]|\(\d{3}\)\s?\d)(?:[\s/().-]{0,3}\d){5,15}"
    r"(?!\d|[.,]\d|\s?(?:€|Euro|Prozent|%))"
)
_FOREIGN_PHONE: Final = re.compile(r"(?<![\d.,/-])(?:\d{1,3}-)?\d{3}-\d{3}-\d{4}(?!\d)|(?<![\w.,/+-])1[3-9]\d{9}(?!\d)")
_LABELLED_PHONE: Final = re.compile(
    r"(?i:\b(?:tel|telefon|telefonnummer|handy|handynummer|mobil|mobilnummer|fax|whatsapp|rufnummer|durchwahl"
    r"|festnetz|phone|erreichbar\sunter|ruf(?:en\ssie)?\smich\san))\.?(?:\s?(?:ist|lautet|unter|nr\.?|:)){0,3}"
    r"[\s:]{0,3}(?P<n>\+?\(?\d(?:[\s/().-]{0,2}\d){4,15})(?!\d)"
)
_DATE_LIKE: Final = re.compile(r"\d{1,2}\.\s?\d{1,2}\.\s?(?:\d{4}|\d\d)\b|\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without personal data, and how many of each placeholder were put in."""

    text: str
    kinds: Counter[str]


def mask(text: str, *, known_names: Collection[str] = (), is_public: Callable[[str], bool] | None = None) -> Masked:
    """Replace personal data by German placeholders such as `[E-Mail]`; masking twice changes nothing more.

    `known_names` are public: politicians and parties. They stay readable, and so does a whole name that `is_public`
    knows, unless the writer says that it is their own, their family's or their friends'.
    """
    kinds: Counter[str] = Counter()
    names = _known(frozenset(known_names))
    for find in (_contacts, _identifiers, _phones, find_addresses):
        text = _replaced(text, find(text), kinds)
    # Statements in set words first: what they leave of a clause may be kept.
    text = _replaced(text, find_personal_statements(text, names), kinds)
    text = _replaced(text, find_own_clauses(text, names), kinds)
    text = _replaced(text, find_private_names(text, names, is_public), kinds)
    return Masked(text, kinds)


@lru_cache(maxsize=4)
def _known(names: frozenset[str]) -> frozenset[str]:
    """Whole names and their last words, folded: "Merkel" is known where "Angela Merkel" is, and so is "A. Merkel"."""
    known: set[str] = set()
    for name in names:
        words = fold(name).replace("-", " ").split()
        if not words:
            continue
        surname = fold(re.split(r"[\s/]+", name.strip())[-1])
        known |= {" ".join(fold(name).split()), " ".join(words)}
        known |= {surname} if len(surname) > 2 else set()
        if len(words) > 1:
            known |= {f"{words[0][:1]}. {surname}", f"{words[0][:1]}. {words[-1]}"}
    return frozenset(known)


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
