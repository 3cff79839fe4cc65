"""What the engine reads a rule's phrases and words as; shown to the editor while typing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from apps.documents.models.search import Word
from apps.language.opposites import NOT
from apps.rules.engine.fuzzy import is_comparable
from apps.rules.engine.protecting import NameFinder, protected_terms
from apps.rules.engine.reading import read
from apps.rules.engine.slots import ALL_LANGUAGES, Row, WordTest, slot_test
from apps.rules.keys import slot_alternatives
from apps.rules.loading import protected_names
from apps.rules.types import SHORTEST_ENDING, Phrase, ProtectedName, RuleSpec, Slot, TokenList, WordMode

_SHOWN: Final = 8
_MOST_LOOKED_UP: Final = 24
_ENDINGS: Final = (WordMode.STARTS, WordMode.ENDS)
_MEETS: Final[dict[WordMode, Callable[[str, str], bool]]] = {
    WordMode.STARTS: str.startswith,
    WordMode.ENDS: str.endswith,
}
Part = tuple[WordMode, str]


@dataclass(frozen=True, slots=True)
class PhraseReading:
    """A phrase as the engine compares it. ``number`` is its line's, from 0, without blank lines.

    ``protected`` are the words that a similar question must have too.
    """

    number: int
    text: str
    key: str
    is_fuzzy: bool
    is_too_short: bool
    protected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SlotReading:
    """A slot as the engine meets words: all forms it knows, or words of our documents that begin or end so."""

    text: str
    mode: WordMode
    words: tuple[str, ...]
    has_more: bool = False
    is_too_short: bool = False


def read_phrases(phrases: Iterable[Phrase]) -> tuple[PhraseReading, ...]:
    """Return each phrase as it is compared; an empty key means that no word is left. Two queries, for the names."""
    phrases = tuple(phrases)
    listed = protected_names() if phrases else ()
    finder = NameFinder(listed)
    return tuple(_read_phrase(number, phrase, finder, listed) for number, phrase in enumerate(phrases))


def protected_words(terms: Iterable[str], names: Iterable[ProtectedName]) -> tuple[str, ...]:
    """Return protected terms as a person would say them: a listed name instead of its key, a negation by that word."""
    known = {name.key: name.aliases[0] for name in names if name.aliases}
    said = ("/".join(known.get(key, key) for key in term.split("+")) for term in terms)
    return tuple(_("a negation") if word == NOT else word for word in said)


def _read_phrase(number: int, phrase: Phrase, finder: NameFinder, names: Iterable[ProtectedName]) -> PhraseReading:
    reading = read(phrase.text)
    forms = reading.forms()
    is_short = phrase.is_fuzzy and not any(is_comparable(form) for form in forms)
    protected = protected_words(protected_terms(reading.tokens, finder), names) if phrase.is_fuzzy else ()
    return PhraseReading(number, phrase.text, forms[0] if forms else "", phrase.is_fuzzy, is_short, protected)


def read_lists(rule: RuleSpec) -> dict[str, tuple[SlotReading, ...]]:
    """Return the slots of each list as they are met. At most one query, for words that begin or end so."""
    lists = {"core": rule.core, "anchor": rule.anchor, "exclude": rule.exclude}
    languages = rule.languages or ALL_LANGUAGES
    parts = {part for tokens in lists.values() if tokens for slot in tokens.slots for part in _parts(slot)}
    found = _words_like(sorted(parts)[:_MOST_LOOKED_UP], languages)
    return {name: _read_list(tokens, languages, found) for name, tokens in lists.items()}


def _read_list(
    tokens: TokenList | None, languages: tuple[str, ...], found: dict[Part, list[str]]
) -> tuple[SlotReading, ...]:
    return tuple(_read_slot(slot, languages, found) for slot in tokens.slots) if tokens else ()


def _read_slot(slot: Slot, languages: tuple[str, ...], found: dict[Part, list[str]]) -> SlotReading:
    if slot.mode in _ENDINGS:
        parts = _parts(slot)
        words = list(dict.fromkeys(word for part in parts for word in found.get(part, [])))
        is_short = any(len(part) < SHORTEST_ENDING for _kind, part in parts)
        return SlotReading(slot.text, slot.mode, tuple(words[:_SHOWN]), len(words) > _SHOWN, is_short)
    test = slot_test(slot, languages)
    rows = sorted({_said(row) for row in test.rows}) if test else []
    return SlotReading(slot.text, slot.mode, tuple(rows))


def _said(row: Row) -> str:
    return " ".join(_forms(test) for test in row)


def _forms(test: WordTest) -> str:
    """Return a word with its other forms between slashes: mieten/miete."""
    return "/".join([test.word, *sorted(test.forms - {test.word})])


def _parts(slot: Slot) -> list[Part]:
    """Return what words must begin or end with: of several words the last begins, the first ends."""
    if slot.mode not in _ENDINGS:
        return []
    at = -1 if slot.mode is WordMode.STARTS else 0
    return [(slot.mode, each.split()[at]) for each in slot_alternatives(slot.text)]


def _words_like(parts: list[Part], languages: tuple[str, ...]) -> dict[Part, list[str]]:
    """Return a few words of our documents for each part, in one query."""
    wanted = [part for part in parts if len(part[1]) >= SHORTEST_ENDING]
    if not wanted:
        return {}
    selects = [
        Word.objects.filter(language__in=languages, **{f"text__{mode.value}with": text})
        .order_by("text")
        .values_list("text", flat=True)[: _SHOWN + 1]
        for mode, text in wanted
    ]
    words = list(dict.fromkeys(selects[0] if len(selects) == 1 else selects[0].union(*selects[1:])))
    return {(mode, text): [word for word in words if _MEETS[mode](word, text)] for mode, text in wanted}
