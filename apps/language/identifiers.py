"""Numbers that name a person, told from other numbers by their check digits; used by masking."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

# Length of an IBAN by country (ISO 13616 registry).
_IBAN_LENGTHS: Final = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28,
    "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
    "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
    "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18,
    "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24, "SC": 31,
    "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29,
    "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip
_ID_LETTERS: Final = {letter: index for index, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ", start=10)}


@dataclass(frozen=True, slots=True)
class Identifier:
    """A number found in a text, as a half-open range of characters, with the placeholder that hides it."""

    start: int
    end: int
    placeholder: str


def find_identifiers(text: str) -> Iterator[Identifier]:
    """Yield bank accounts, tax, insurance, identity card and payment card numbers; they may overlap."""
    yield from _ibans(text)
    for pattern, placeholder, is_valid in _CHECKED:
        for match in pattern.finditer(text):
            if is_valid(re.sub(r"[\s/-]", "", match.group()).upper()):
                yield Identifier(match.start(), match.end(), placeholder)
    for match in _LABELLED_TAX.finditer(text):
        yield Identifier(match.start("n"), match.end("n"), "[Steuernummer]")


_IBAN_START: Final = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[\s-]?[A-Za-z0-9]{2})")


def _ibans(text: str) -> Iterator[Identifier]:
    for match in _IBAN_START.finditer(text):
        length = _IBAN_LENGTHS.get(match.group()[:2].upper())
        if length is None:
            continue
        taken: list[str] = []
        end = match.start()
        while end < len(text) and len(taken) < length and end - match.start() < 3 * length:
            character = text[end]
            if character.isascii() and character.isalnum():
                taken.append(character.upper())
            elif character not in " -\u00a0\u202f":
                break
            end += 1
        follows = text[end : end + 1]
        if len(taken) == length and not (follows.isascii() and follows.isalnum()) and is_iban("".join(taken)):
            yield Identifier(match.start(), end, "[IBAN]")


def is_iban(number: str) -> bool:
    """Check length and the remainder by 97 (ISO 7064); `number` in capitals without blanks."""
    if _IBAN_LENGTHS.get(number[:2]) != len(number) or not number.isalnum() or not number.isascii():
        return False
    digits = "".join(str(int(character, 36)) for character in number[4:] + number[:4])
    return int(digits) % 97 == 1


def is_payment_card(number: str) -> bool:
    """Check the Luhn digit and that a card network begins with these digits."""
    if not 12 <= len(number) <= 19 or not re.match(r"1\d{14}$|[3-6]|2[2-7]", number):
        return False
    total = 0
    for index, digit in enumerate(reversed(number)):
        value = int(digit) * (1 + index % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0 and len(set(number)) > 1


def is_tax_id(number: str) -> bool:
    """Check the identification number of § 139b AO: ISO 7064 mod 11,10, no digit three times in a row."""
    if len(number) != 11 or number[0] == "0" or re.search(r"(\d)\1\1", number[:10]):
        return False
    product = 10
    for digit in number[:10]:
        total = (int(digit) + product) % 10 or 10
        product = 2 * total % 11
    return (11 - product) % 10 == int(number[10])


def is_social_insurance_number(number: str) -> bool:
    """Check the pension insurance number of § 147 SGB VI: a birth date and the weighted sum of digits."""
    if not re.fullmatch(r"\d{8}[A-Z]\d{3}", number):
        return False
    day, month = int(number[2:4]), int(number[4:6])
    if not (1 <= day <= 31 or 51 <= day <= 81) or not 1 <= month <= 12:
        return False
    letter = _ID_LETTERS[number[8]] - 9
    digits = f"{number[:8]}{letter:02}{number[9:11]}"
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    total = sum(sum(divmod(int(digit) * weight, 10)) for digit, weight in zip(digits, weights, strict=True))
    return total % 10 == int(number[11])


def is_health_insurance_number(number: str) -> bool:
    """Check the lifelong number of § 290 SGB V: a letter, eight digits, a modulo 10 digit."""
    if not re.fullmatch(r"[A-Z]\d{9}", number):
        return False
    digits = f"{_ID_LETTERS[number[0]] - 9:02}{number[1:9]}"
    total = sum(sum(divmod(int(digit) * (1 + index % 2), 10)) for index, digit in enumerate(digits))
    return total % 10 == int(number[9])


def is_identity_card_number(number: str) -> bool:
    """Check a German identity card or passport number: weights 7, 3, 1 over nine or ten characters (ICAO 9303).

    Nine characters without their check digit count when they are of the old form, a T and eight digits.
    """
    if re.fullmatch(r"T\d{8}", number):
        return True
    if not re.fullmatch(r"[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{7,8}\d", number):
        return False
    weights = (7, 3, 1) * 3
    total = sum(
        int(character, 36) * weight for character, weight in zip(number[:-1], weights[: len(number) - 1], strict=True)
    )
    return total % 10 == int(number[-1]) and any(character.isdigit() for character in number[:-1])


_B: Final = r"(?<![A-Za-z0-9_@/.-])"
_E: Final = r"(?![A-Za-z0-9_])"
_CHECKED: Final[tuple[tuple[re.Pattern[str], str, Callable[[str], bool]], ...]] = (
    (re.compile(rf"{_B}\d(?:[ -]?\d){{11,18}}{_E}"), "[Kartennummer]", is_payment_card),
    (re.compile(rf"{_B}\d{{2}}[ /]?\d{{3}}[ /]?\d{{3}}[ /]?\d{{3}}{_E}"), "[Steuernummer]", is_tax_id),
    (
        re.compile(rf"{_B}\d{{2}}[ ]?\d{{6}}[ ]?[A-Za-z][ ]?\d{{2}}[ ]?\d{_E}"),
        "[Versicherungsnummer]",
        is_social_insurance_number,
    ),
    (
        re.compile(rf"{_B}[A-Za-z]\d{{3}}[ ]?\d{{3}}[ ]?\d{{3}}{_E}"),
        "[Versicherungsnummer]",
        is_health_insurance_number,
    ),
    (
        re.compile(rf"{_B}[C-Zc-z][0-9C-Zc-z]{{7,8}}\d{_E}"),
        "[Ausweisnummer]",
        is_identity_card_number,
    ),
    (re.compile(rf"{_B}\d{{2,3}}/\d{{3,4}}/\d{{4,5}}{_E}"), "[Steuernummer]", lambda number: 9 <= len(number) <= 11),
    (re.compile(rf"{_B}(?:0[1-9]|1[0-6])\d{{11}}{_E}"), "[Steuernummer]", lambda number: True),
)  # fmt: skip
_LABELLED_TAX: Final = re.compile(
    r"(?i:\b(?:steuer-?(?:nummer|nr|id|identifikationsnummer)|st\.?-?nr|idnr)\b)\.?[\s:]{0,3}(?:ist|lautet)?[\s:]{0,3}"
    r"(?P<n>\d(?:[ /]?\d){9,12})(?!\d)"
)
