"""The masking suites' own sentences: marked by hand, with numbers whose check digits are right."""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from apps.language.identifiers import (
    is_health_insurance_number,
    is_iban,
    is_identity_card_number,
    is_payment_card,
    is_social_insurance_number,
    is_tax_id,
)

_FOLDER: Final = Path(__file__).parent
_MARK: Final = re.compile(r"\[\[(?P<kind>\w+)\|(?P<words>[^\]]*(?:\[at\][^\]]*)?)\]\]")
_SLOT: Final = re.compile(r"\{(?P<name>\w+)\}")


@dataclass(frozen=True, slots=True)
class Marked:
    """A stretch of a sentence: ``kind`` is what it is, ``telling`` the word that gives a statement away."""

    kind: str
    words: str
    telling: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as a reader types it, and what in it must go (or, of kind ``public``, must stay)."""

    text: str
    marked: tuple[Marked, ...]

    @property
    def half(self) -> int:
        """Return the half it is in, 0 or 1: by its own checksum, so the same everywhere."""
        return zlib.crc32(self.text.encode()) % 2


def own_sentences() -> list[Sentence]:
    """Return the 300 sentences with names, addresses and numbers."""
    return list(_read("masking_sentences.txt"))


def own_statements() -> list[Sentence]:
    """Return 100 statements that readers make about themselves, and sentences that tell nothing."""
    return list(_read("masking_statements.txt"))


def _read(name: str) -> Iterator[Sentence]:
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line and not line.startswith("#"):
            yield sentence_of(line)


def sentence_of(line: str) -> Sentence:
    """Read one marked line; its numbers are drawn by the line, so the same every time."""
    draw = random.Random(zlib.crc32(line.encode()))
    filled = _SLOT.sub(lambda slot: _NUMBERS[slot["name"]](draw), line)
    marked: list[Marked] = []
    parts: list[str] = []
    done = 0
    for match in _MARK.finditer(filled):
        telling = re.search(r"\*(.+?)\*", match["words"])
        words = match["words"].replace("*", "")
        marked.append(Marked(match["kind"], words, telling[1] if telling else ""))
        parts += (filled[done : match.start()], words)
        done = match.end()
    return Sentence("".join((*parts, filled[done:])), tuple(marked))


def _until(draw: random.Random, make: Callable[[random.Random], str], is_right: Callable[[str], bool]) -> str:
    while True:
        number = make(draw)
        if is_right(number):
            return number


def _digits(draw: random.Random, count: int) -> str:
    return "".join(draw.choice("0123456789") for _ in range(count))


def iban(draw: random.Random) -> str:
    """Return a German account number with its check digits."""
    account = _digits(draw, 18)
    check = 98 - int(f"{account}131400") % 97
    number = f"DE{check:02}{account}"
    assert is_iban(number)
    return number


def tax_id(draw: random.Random) -> str:
    return _until(draw, lambda each: each.choice("123456789") + _digits(each, 10), is_tax_id)


def pension(draw: random.Random) -> str:
    return _until(
        draw,
        lambda each: (
            f"{each.randint(10, 89)}{each.randint(1, 28):02}{each.randint(1, 12):02}{each.randint(40, 99)}"
            f"{each.choice('ABCDEFGHKLMNPRSTW')}{_digits(each, 3)}"
        ),
        is_social_insurance_number,
    )


def health(draw: random.Random) -> str:
    return _until(draw, lambda each: each.choice("ABCDEFGHKLMNPRSTW") + _digits(each, 9), is_health_insurance_number)


def id_card(draw: random.Random) -> str:
    letters = "0123456789CFGHJKLMNPRTVWXYZ"
    return _until(
        draw,
        lambda each: (
            each.choice("CFGHJKLMNPRTVWXYZ") + "".join(each.choice(letters) for _ in range(8)) + _digits(each, 1)
        ),
        is_identity_card_number,
    )


def card(draw: random.Random) -> str:
    return _until(draw, lambda each: each.choice(("4", "52", "55")) + _digits(each, 14), _is_card)


def _is_card(number: str) -> bool:
    return len(number) == 16 and is_payment_card(number)


def _grouped(number: str, *sizes: int, by: str = " ") -> str:
    parts, at = [], 0
    for size in sizes:
        parts.append(number[at : at + size])
        at += size
    return by.join(part for part in (*parts, number[at:]) if part)


_NUMBERS: Final[Mapping[str, Callable[[random.Random], str]]] = {
    "iban": iban,
    "iban_spaced": lambda draw: _grouped(iban(draw), 4, 4, 4, 4, 4),
    "iban_dashed": lambda draw: _grouped(iban(draw), 4, 4, 4, 4, 4, by="-"),
    "iban_lower": lambda draw: iban(draw).lower(),
    "tax_id": tax_id,
    "tax_id_spaced": lambda draw: _grouped(tax_id(draw), 2, 3, 3),
    "pension": pension,
    "pension_spaced": lambda draw: _grouped(pension(draw), 2, 6, 1),
    "health": health,
    "id_card": id_card,
    "card": card,
    "card_spaced": lambda draw: _grouped(card(draw), 4, 4, 4),
    "card_dashed": lambda draw: _grouped(card(draw), 4, 4, 4, by="-"),
}
