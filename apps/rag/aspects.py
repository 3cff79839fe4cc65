"""The parts of a question as a person would name them: "Wer zahlt was und ab wann?" has three.

A whole answer speaks of each. Without a parser: question words that stand beside each other, and things that do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from apps.rag.answer_types import AnswerType, asked_type, without_question_word
from apps.rag.coordinating import Member, members_of
from apps.rag.words import content_words

MOST_ASPECTS: Final = 6
# The share of covered aspects under which the missing ones are searched for once more.
LOW_COVERAGE: Final = 0.7
_LEAD: Final = r"(?:(?:ab|bis|seit|von|in|an|bei|nach|zu|mit|aus|um|auf|unter|from|until|since|in|at|by|to)\s+){0,2}"
_ASKS: Final = re.compile(
    rf"\b{_LEAD}(?:wie\s+(?:viele?[rn]?|hoch|lang|lange|oft|teuer|groß|gross|alt|weit|stark|schnell)\b"
    r"|welche[rnms]?\b|wann\b|wer\b|wen\b|wem\b|wessen\b|was\b(?!\s+für\b)|wo\b|wohin\b|woher\b|warum\b|weshalb\b|wieso\b"
    r"|womit\b|wofür\b|wodurch\b|wovon\b|woraus\b|wozu\b|wogegen\b|wie\b"
    r"|how\s+(?:much|many|long|high|old|often|big|far)\b|who\b|whom\b|what\b|when\b|where\b|why\b|which\b|how\b)",
    re.IGNORECASE,
)
# Question words that may stand in the middle of a German clause: "Wer zahlt was wann?".
_INNER: Final = re.compile(r"(?:was|wem|wen|wann|wo|wie\s+viele?)", re.IGNORECASE)
_JOINED: Final = re.compile(r"(?:^|[;?]|\b(?:und|and|sowie)(?:\s+(?:auch|also))?|[,])\s*$", re.IGNORECASE)
_EDGES: Final = " ,;:.?!–-"
_TRAILING: Final = re.compile(r"[\s,;]*\b(?:und|and|sowie|oder|or)?[\s,;?.!]*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Aspect:
    """One part of a question. ``text`` is what the reader wrote of it, ``query`` what to look for on its own.

    ``own`` are the content words that tell it from the other parts, ``shared`` those that it has in common with them.
    ``asks`` says what kind of answer it wants.
    """

    text: str
    query: str
    own: tuple[str, ...]
    shared: tuple[str, ...] = ()
    asks: AnswerType = AnswerType.ANY


@dataclass(frozen=True, slots=True)
class CoveredAspect:
    """An aspect and whether the passages speak of it. ``text`` names the party as well where parties are compared.

    ``best`` is the sentence that speaks of it: chunk, start and end in its passage.
    """

    text: str
    aspect: Aspect
    party_slug: str
    probability: float
    is_covered: bool
    best: tuple[int, int, int] | None = None


def coverage_ratio(covered: Sequence[CoveredAspect]) -> float:
    """Return the share of the aspects that are covered, 0 to 1."""
    return sum(each.is_covered for each in covered) / len(covered) if covered else 1.0


def aspects_of(text: str, language: str, names: Sequence[tuple[int, int]] = ()) -> tuple[Aspect, ...]:
    """Return the parts of a question in their order, at least one, at most MOST_ASPECTS.

    ``names`` are the places of parties: they belong to every part and to none.
    """
    bare = text
    for start, end in names:
        bare = bare[:start] + " " * (end - start) + bare[end:]
    clauses = _clauses(bare, language)
    found: list[Aspect] = []
    for start, end in clauses:
        found += _of_clause(text, bare, start, end, clauses, language)
    return tuple({aspect.text.casefold(): aspect for aspect in found}.values())[:MOST_ASPECTS]


def _clauses(bare: str, language: str) -> list[tuple[int, int]]:
    """Cut where another question word begins another question; the words before the first belong to it."""
    starts: list[int] = []
    for match in _ASKS.finditer(bare):
        before = bare[: match.start()]
        if not starts:
            starts.append(0 if not _JOINED.search(before) or not content_words(before, language) else match.start())
            continue
        joined = _JOINED.search(before)
        between = bare[starts[-1] : match.start()]
        if joined and joined.group().strip() != ",":
            starts.append(match.start())
        elif joined and not without_question_word(between).strip(_EDGES):
            # "Wer, wann und wo": nothing but question words in a row.
            starts.append(match.start())
        elif not joined and language == "de" and _INNER.fullmatch(match.group()):
            starts.append(match.start())
    if not starts:
        return [(0, len(bare))]
    starts[0] = 0
    return list(zip(starts, [*starts[1:], len(bare)], strict=True))


def _of_clause(
    text: str, bare: str, start: int, end: int, clauses: Sequence[tuple[int, int]], language: str
) -> list[Aspect]:
    clause = bare[start:end]
    common = _common(bare, (start, end), clauses, language)
    members = members_of(clause, language)
    named = [(member, _words(clause[member.start : member.end], language)) for member in members]
    named = [(member, own) for member, own in named if own]
    if len(named) < 2:
        return [_aspect(text[start:end], clause, common, language)]
    outside = _outside(clause, members, language)
    return [_member(clause, member, own, (*outside, *common), language) for member, own in named]


def _aspect(shown: str, clause: str, common: tuple[str, ...], language: str) -> Aspect:
    own = _subject(clause, language) or (() if common else _words(clause, language))
    shared = tuple(word for word in common if word not in own)
    shown = re.sub(r"\s+", " ", _TRAILING.sub("", shown).strip(_EDGES))
    query = " ".join((re.sub(r"\s+", " ", _TRAILING.sub("", clause)).strip(_EDGES), *shared))
    text = shown if own or not shared else f"{shown} ({', '.join(shared)})"
    return Aspect(text, query, own, shared, asked_type(clause))


def _member(clause: str, member: Member, own: tuple[str, ...], around: Sequence[str], language: str) -> Aspect:
    text = clause[member.start : member.end]
    if member.shared:
        text = f"{text} {clause[slice(*member.shared)]}"
    text = re.sub(r"\s+", " ", text).strip(_EDGES)
    words = _words(text, language)
    shared = tuple(dict.fromkeys(word for word in (*words, *around) if word not in own))
    query = " ".join((text, *(word for word in around if word not in words)))
    return Aspect(text, query, own, shared, asked_type(clause))


def _common(bare: str, clause: tuple[int, int], clauses: Sequence[tuple[int, int]], language: str) -> tuple[str, ...]:
    """What the other clauses are about, for one that says too little by itself: "ab wann", "wer bekommt es"."""
    words = [word for each in clauses if each != clause for word in _subject(bare[slice(*each)], language)]
    return tuple(dict.fromkeys(words))


def _subject(clause: str, language: str) -> tuple[str, ...]:
    """The content words without those that only ask: "Bis wann", "Wie hoch"."""
    return _words(without_question_word(_ASKS.sub(" ", clause)), language)


def _outside(clause: str, members: Sequence[Member], language: str) -> tuple[str, ...]:
    """The content words that are in none of the things side by side."""
    rest = clause
    for member in members:
        for start, end in filter(None, ((member.start, member.end), member.shared)):
            rest = rest[:start] + " " * (end - start) + rest[end:]
    return _subject(rest, language)


def _words(text: str, language: str) -> tuple[str, ...]:
    return tuple(word.text for word in content_words(text, language))
