"""Whether a model's sentence says the opposite of its source: denial, direction, amounts. Only clear cases count.

A sentence that says something else in the same words passes every other check: they compare words and figures, and
"nicht" is one word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from apps.language.opposites import turning
from apps.language.sentences import split_sentences
from apps.language.tokenising import tokenise
from apps.rag.amounts import Amount, amounts_in, other_amount, without_units
from apps.rag.substance import ordinary_words
from apps.rag.time_names import MONTHS, WEEKDAYS

_TEXTS_KEPT: Final = 2_000
_NO_DENIAL: Final = re.compile(
    r"\bnicht (?:nur|allein|bloß|zuletzt|mehr als|weniger als)\b|\bnot (?:only|just|least)\b"
    r"|\bno (?:more|less|fewer) than\b"
    r"|\bohne (?:weiteres|dies|hin)\b|\bwenn nicht\b|\bob oder nicht\b",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(
    r"\b(?:nichts?|kein(?:e[mnrs]?)?|nie|niemals|niemand(?:em|en)?|weder|ohne|lehn(?:t|en|te|ten)|ablehn\w*|abzulehnen|abgelehnt\w*"
    r"|untersag\w*|not|no|never|nobody|nothing|neither|nor|without|reject(?:s|ed|ing)?|oppos(?:e[sd]?|ing)|refus(?:e[sd]?|ing))\b"
    r"|\w+n['’]t\b",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"\b(?:abschaff\w*|abgeschafft\w*|abzuschaffen|schaff(?:t|en)\b.*\bab|streich(?:t|en)|gestrichen\w*|verbiet\w*|verbot(?:en\w*)?"
    r"|abolish\w*|scrap(?:s|ped)?|ban(?:s|ned)?|prohibit\w*)\b",
    re.IGNORECASE,
)
# Where one says "ab 18 Uhr" the other may say "nicht vor 18 Uhr": these words make two sayings one.
_TOLERANT: Final = re.compile(
    r"\b(?:erst|nur|lediglich|ausschließlich|allein|statt|stattdessen|anstelle|gegen|verzicht\w*|end(?:et|en|ete)|auslauf\w*|aus"
    r"|ausgenommen|weg\w*|entf[aä]ll\w*|aufheb\w*|aufgehoben|aufgeb\w*|zurück\w*|beend\w*|stopp\w*|kürz\w*|senk\w*|reduzier\w*|verhinder\w*"
    r"|vermeid\w*|ausgeschlossen|ausschl\w*|frei|befrei\w*|un\w{5,}|only|instead|against|avoid\w*|prevent\w*|end(?:s|ed|ing)?|cut(?:s|ting)?"
    r"|stop(?:s|ped)?|exempt\w*|free|skip(?:s|ped)?|drop(?:s|ped)?|fail(?:s|ed)?|exclud\w*)\b",
    re.IGNORECASE,
)
# Why and under which condition is beside what is said: "..., weil niemand arm sein darf".
_BESIDE: Final = re.compile(
    r",\s*(?:weil|damit|obwohl|obgleich|denn|während|wenn|falls|because|although|so that|while|if)\b[^,;.:]*",
    re.IGNORECASE,
)
_PIECES: Final = re.compile(
    r"[,;:–—()]|\b(?:und|sowie|aber|sondern|doch|jedoch|denn|weil|während|obwohl|and|but|because|while|although|whereas)\b",
    re.IGNORECASE,
)
# "Ohne Ausnahmen", "keine neuen Steuern": in German the noun has a capital.
_DENIED_NOUN: Final = {
    "de": re.compile(r"\b(?:ohne|[Kk]ein(?:e[mnrs]?)?|Ohne)\s+(?:[a-zäöüß]+\s+){0,2}([A-ZÄÖÜ][\w-]+)"),
    "en": re.compile(r"\b(?:without|no)\s+(?:any\s+)?(\w+)", re.IGNORECASE),
}
_OPPOSITE: Final = (
    (frozenset({"erhoeh", "steig", "zunehm"}), frozenset({"senk", "sink", "abnehm"})),
    (frozenset({"einfuehr"}), frozenset({"abschaff"})),
    (frozenset({"verbiet"}), frozenset({"erlaub"})),
    (frozenset({"staerk"}), frozenset({"schwaech"})),
    (frozenset({"gewinn"}), frozenset({"verlier"})),
    (frozenset({"belast"}), frozenset({"entlast"})),
    (frozenset({"pflicht"}), frozenset({"freiwillig"})),
)
# A date is no subject.
_TIME_WORDS: Final = re.compile(rf"\b(?:{'|'.join((*MONTHS, *WEEKDAYS))})\b", re.IGNORECASE)
_FEWEST_SHARED: Final = 2
_ENOUGH_SHARED: Final = 0.5
_BESIDE_THE_BEST: Final = 0.7
_COVERED: Final = 0.8
_LONG: Final = 5
_LONGER: Final = 3
# What somebody wants or says is said in other words than the source's own "wir".
_INTENDS: Final = (
    "forder", "plan", "moecht", "streb", "setz", "verlang", "befuerwort", "sprech", "spricht", "sieht", "sag",
    "schreib", "erklaer", "kuendig", "want", "demand", "support", "call", "propos",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Read:
    """One sentence or a piece of one: what it speaks of, whether it denies, and which way it points."""

    text: str
    words: frozenset[str]
    denies: bool
    ends: bool
    sides: frozenset[str]
    denied: frozenset[str] = frozenset()


def contradicts(
    text: str, language: str, sources: Sequence[str], source_language: str, near: Collection[str] = ()
) -> bool:
    """Say whether every sentence of the sources that speaks of the same says the opposite of ``text``.

    ``near`` are the sentences nearest in meaning: words of two languages cannot be compared.
    """
    said = _read(text, language)
    bearing = [
        read
        for source in sources
        for read in _sentences(source, source_language)
        if (read.text in near if language != source_language else bool(read.words & said.words))
    ]
    if language == source_language:
        bearing = _on_the_same(said, bearing)
    if not bearing:
        return False
    if all(_turned(said, each) for each in bearing):
        return True
    return _denial_differs(said, bearing, language, source_language)


def amounts_differ_from(text: str, language: str, sources: Sequence[str], source_language: str) -> bool:
    """Say whether a number has another unit or the opposite bound in the sources, or belongs to another subject."""
    said = amounts_in(text, language)
    if not said:
        return False
    if other_amount(said, [each for source in sources for each in _amounts(source, source_language)]):
        return True
    numbers = {each.number for each in said}
    return language == source_language and _is_of_another(text, numbers, language, sources)


def _is_of_another(text: str, numbers: Collection[str], language: str, sources: Sequence[str]) -> bool:
    """Say whether a figure stands only where nothing else of the sentence does, while its subject stands elsewhere."""
    words = _subject_words(text, language)
    for source in sources:
        read = _sentences(source, language)
        about = [bool(_subject_words(each.text, language) & words) for each in read]
        holding = [{each.number for each in _amounts(sentence.text, language)} for sentence in read]
        for number in numbers:
            places = [at for at, held in enumerate(holding) if number in held]
            # A sentence may go on from the one before: "Neuer Termin ist der 7. Februar."
            if places and any(about) and not any(about[at] or about[max(0, at - 1)] for at in places):
                return True
    return False


@lru_cache(maxsize=_TEXTS_KEPT)
def _subject_words(text: str, language: str) -> frozenset[str]:
    return ordinary_words(_TIME_WORDS.sub(" ", without_units(text)), language)


def _on_the_same(said: _Read, read: Sequence[_Read]) -> list[_Read]:
    shared = [len(each.words & said.words) for each in read]
    best = max(shared, default=0)
    if best < _FEWEST_SHARED and best < _ENOUGH_SHARED * len(said.words):
        return []
    return [each for each, count in zip(read, shared, strict=True) if count >= _BESIDE_THE_BEST * best]


def _turned(said: _Read, source: _Read) -> bool:
    """Up for down, with the word of its own side nowhere in the source's sentence, and neither of them denied."""
    if said.denies or source.denies:
        return False
    return any(
        (said.sides & one and source.sides & other and not (source.sides & one or said.sides & other))
        or (said.sides & other and source.sides & one and not (source.sides & other or said.sides & one))
        for one, other in _OPPOSITE
    )


def _denial_differs(said: _Read, bearing: Sequence[_Read], language: str, source_language: str) -> bool:
    is_foreign = language != source_language
    if said.denies or said.ends:
        denied = [each for each in _pieces(said.text, language) if each.words and (each.denies or each.ends)]
        return any(is_foreign or _is_covered(piece, bearing) for piece in denied) and not any(
            each.denies or each.ends or _TOLERANT.search(_plain(each.text)) for each in bearing
        )
    if _TOLERANT.search(_plain(said.text)):
        return False
    if not is_foreign and all(said.words & each.denied for each in bearing):
        return True
    if not is_foreign and not _is_covered(said, bearing):
        return False
    return all(_denies_it_all(said, each, source_language, is_foreign=is_foreign) for each in bearing)


def _is_covered(said: _Read, bearing: Sequence[_Read]) -> bool:
    """Say whether one sentence has nearly every word: "nicht steigen" is no denial of "einfrieren"."""
    words = {word for word in said.words if not word.startswith(_INTENDS)}
    if not words:
        return False
    return any(sum(_has(each.words, word) for word in words) > _COVERED * len(words) for each in bearing)


def _has(words: frozenset[str], word: str) -> bool:
    """Say whether a word is there in some form: verbs change their stems ("erhöht", "erhöhen", "gefördert")."""
    start = word.removeprefix("ge")[:_LONG]
    length = len(word.removeprefix("ge"))
    if word in words or len(start) < _LONG:
        return word in words
    return any(
        each.removeprefix("ge").startswith(start) and abs(len(each.removeprefix("ge")) - length) <= _LONGER
        for each in words
    )


def _denies_it_all(said: _Read, source: _Read, language: str, *, is_foreign: bool) -> bool:
    """Whether the pieces of a source's sentence that speak of it all deny; "weil niemand arm sein darf" is beside."""
    pieces = _pieces(source.text, language)
    on_it = [each for each in pieces if each.words] if is_foreign else _on_the_same(said, pieces)
    return bool(on_it) and all(each.denies or each.ends for each in on_it)


@lru_cache(maxsize=_TEXTS_KEPT)
def _sentences(text: str, language: str) -> tuple[_Read, ...]:
    return tuple(_read(text[span.start : span.end], language) for span in split_sentences(text, language))


@lru_cache(maxsize=_TEXTS_KEPT)
def _amounts(text: str, language: str) -> tuple[Amount, ...]:
    return tuple(amounts_in(text, language))


@lru_cache(maxsize=_TEXTS_KEPT)
def _pieces(text: str, language: str) -> tuple[_Read, ...]:
    read = [_read(piece, language) for piece in _PIECES.split(_plain(text)) if piece.strip()]
    # "Ein Tempolimit, wie andere es fordern, lehnen wir ab", "Wir lehnen es ab, dass ...": it denies all of it.
    whole = any(each.denies and not each.words for each in read)
    return tuple(_denying(each) if whole else each for each in read)


def _plain(text: str) -> str:
    return _BESIDE.sub(" ", _NO_DENIAL.sub(" ", text))


def _denying(read: _Read) -> _Read:
    return _Read(read.text, read.words, True, read.ends, read.sides, read.denied)


@lru_cache(maxsize=_TEXTS_KEPT)
def _read(text: str, language: str) -> _Read:
    plain = _plain(text)
    sides = {turning(token.folded) for token in tokenise(plain)}
    saying = _ENDS.sub(" ", _DENIES.sub(" ", plain))
    nouns = _DENIED_NOUN.get(language)
    denied = {word for noun in (nouns.findall(plain) if nouns else ()) for word in ordinary_words(noun, language)}
    return _Read(
        text,
        ordinary_words(saying, language) - {"ab"},
        bool(_DENIES.search(plain)),
        bool(_ENDS.search(plain)),
        frozenset(side for side in sides if side),
        frozenset(denied),
    )
