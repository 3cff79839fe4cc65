"""Nothing here may crash, hang or lose its place on text that no reader would type."""

import signal
from collections.abc import Callable

import pytest

from apps.language.compounds import split_compound
from apps.language.guessing import guess_language
from apps.language.lemmas import lemma_set
from apps.language.masking import mask
from apps.language.normalising import fold, fold_with_offsets, normalise, normalised_forms
from apps.language.numbers import values
from apps.language.parties import PartyRecogniser
from apps.language.searching import SearchAnalyser
from apps.language.sentences import split_sentences
from apps.language.stemming import stem
from apps.language.tokenising import rule_tokens, tokenise

_PARTIES = PartyRecogniser({"spd": ["SPD"], "linke": ["Die Linke"], "morgen": ["Partei für Morgen"]})
_VOCABULARY = frozenset({"rente", "niveau", "aaaa"})

FUNCTIONS: dict[str, Callable[[str], object]] = {
    "fold": fold,
    "fold_with_offsets": fold_with_offsets,
    "normalise": normalise,
    "normalised_forms": normalised_forms,
    "tokenise": tokenise,
    "rule_tokens": rule_tokens,
    "split_sentences": split_sentences,
    "split_sentences_en": lambda text: split_sentences(text, "en"),
    "split_sentences_fr": lambda text: split_sentences(text, "fr"),
    "stem": lambda text: stem(text, "de"),
    "lemma_set": lambda text: lemma_set(text, "de"),
    "guess_language": guess_language,
    "find": _PARTIES.find,
    "words": SearchAnalyser("de").words,
    "terms": lambda text: SearchAnalyser("de").terms(text, _VOCABULARY),
    "terms_en": lambda text: SearchAnalyser("en").terms(text, _VOCABULARY),
    "split_compound": lambda text: split_compound(text, _VOCABULARY),
    "values": lambda text: values(text, "de"),
    "values_en": lambda text: values(text, "en"),
    "mask": mask,
}

SHORT = {
    "empty": "",
    "blank": " \t\n\r\u00a0\u2003",
    "nul": "a\x00b\x00",
    "lone surrogates": "Wahl \ud800 und \udfff\ud83d!",
    "right to left": "\u202eNEKNIL\u202c \u200f העברית \u202d",
    "combining marks": "a" + "\u0301" * 10_000,
    "mixed marks": "a" + "\u0301\u0323\u0334" * 4_000,
    "only marks": "\u0301" * 10_000,
    "emoji": "👩‍👩‍👧‍👦 ❤️ 1️⃣ 🇩🇪",
    "tags": "".join(chr(0xE0000 + code) for code in range(1, 120)),
    "controls": "".join(chr(code) for code in range(160)),
    "other digits": "٣٤ ४५ ߁ ２０２５ Ⅳ ½ ²",
    "noncharacters": "\ufffe\uffff\U0010ffff",
    "hangul pieces": "\u1100\u1161\u11a8" * 50,
    "line separators": "a\u2028b\u2029c\x85d\x0b e\x0c",
    "brackets": "([{<„“‚‘»«›‹>}])" * 30,
    "markup": "<script>alert(1)</script> {{7*7}} ${x} '; DROP TABLE--",
}
PIECES = [
    "a", "1", "1 ", "A. ", "Aa-", "Aa ", "Herr ", "ich bin ", "ich habe seit ", "a@", "a. ", "a.", "+49 ", "DE89 ",
    "(030) ", "..", "?! ", "Am A 1 ", "1. ", "1,", "12-", "1.1. ", "grüße ", "straße ", "mein mann ", "tel ", "\u0301",
    "\u200b", "| ", "\n", "und -a ", "a- und ", "„", "- ", "1. Mai ", "plz 1", "als ", "[at]",
    "Anna ", "Anna-Lena-", "wegen meiner ", "ich wähle ", "ich wohne A ", "unter den A ", "Nowak, ",
    "viele grüße aus A, ",
]  # fmt: skip
# Masking reads whatever readers send; the others read what the door has cut or a parser has parted.
LONG = [("mask", piece, 100_000) for piece in PIECES]
LONG += [(name, piece, 20_000) for name in FUNCTIONS for piece in ("a- und ", "Aa-", "\u0301", "1.1. ")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_odd_text_is_read_without_error(name):
    for text in SHORT.values():
        FUNCTIONS[name](text)


@pytest.mark.parametrize(("name", "piece", "length"), LONG)
def test_long_text_ends(name, piece, length):
    """Quadratic work would run for minutes; the alarm only guards against a hanging test run."""
    signal.signal(signal.SIGALRM, _too_slow)
    signal.alarm(60)
    try:
        FUNCTIONS[name](piece * (length // len(piece)))
    finally:
        signal.alarm(0)


def _too_slow(*_: object) -> None:
    raise AssertionError("Reading this text does not end.")


@pytest.mark.parametrize("kind", SHORT)
def test_masking_twice_is_masking_once(kind):
    once = mask(SHORT[kind]).text
    assert mask(once).text == once


@pytest.mark.parametrize("kind", SHORT)
def test_offsets_stay_inside_the_text(kind):
    text = SHORT[kind]
    for token in tokenise(text):
        assert 0 <= token.start < token.end <= len(text)
        assert token.text == text[token.start : token.end]
        assert token.folded in fold(token.text).replace(".", "") or token.kind == "sign"
