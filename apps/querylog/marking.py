"""What a question is and whom it names, noted when it is stored: counts, filters and topics go by these marks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from apps.answering.parties import party_directory
from apps.language.orders import find_orders
from apps.querylog.kinds import QuestionKind
from apps.rag.events import NoticeKind
from apps.rag.routing_advice import NO_ADVICE, NO_OPINION
from apps.rag.types import Outcome

# What masking has put in says nothing about the subject.
_PLACEHOLDER: Final = re.compile(r"\[(?:E-Mail|Telefon|Name|Adresse|IBAN|persönliche Angabe|\w{3,12}nummer)\]")
_SPOKEN: Final = re.compile(r"[^\W_]")
_LEAST: Final = 3
_ACRONYM: Final = re.compile(r"[A-ZÄÖÜ]{2}")
# Asked for in earnest, and refused on principle: neither small talk nor a gap.
NEUTRALITY: Final = frozenset({NO_ADVICE, NO_OPINION})
_ENDINGS: Final = frozenset({NoticeKind.CHAT, NoticeKind.CLARIFICATION, NoticeKind.REFUSAL})


@dataclass(frozen=True, slots=True)
class Marks:
    """What is known before it is answered: ``parties`` by slug, ``people`` by full name, as first named."""

    kind: QuestionKind
    parties: tuple[str, ...]
    people: tuple[str, ...]


def marks_of(text: str, language: str) -> Marks:
    """Return the marks of a masked question. At most two queries, which tell that no party has changed."""
    directory = party_directory()
    parties = tuple(dict.fromkeys(mention.key for mention in directory.mentions(text)))
    people = directory.people_in(text)
    return Marks(_kind_of(text, language, is_naming=bool(parties or people)), parties, people)


def _kind_of(text: str, language: str, *, is_naming: bool) -> QuestionKind:
    spoken = _SPOKEN.findall(_PLACEHOLDER.sub(" ", text))
    if not spoken:
        return QuestionKind.NO_TEXT
    if is_naming:
        return QuestionKind.BLOCKED if find_orders(text, language) else QuestionKind.TEXT
    if len(spoken) < _LEAST and not _ACRONYM.fullmatch("".join(spoken)):
        return QuestionKind.TOO_SHORT
    return QuestionKind.BLOCKED if find_orders(text, language) else QuestionKind.TEXT


def ending_of(shown: Sequence[Mapping[str, Any]]) -> str:
    """Return the code of the notice that a turn ended with: why it was refused, asked back or talked; "" for none."""
    codes = [item["code"] for item in shown if item["type"] == "notice" and item["kind"] in _ENDINGS]
    return codes[-1] if codes else ""


def kind_after(kind: str, outcome: Outcome, ending: str) -> str:
    """Return what a question turned out to be: who was answered with small talk has asked nothing."""
    if kind == QuestionKind.TEXT and outcome == Outcome.CHATTED and ending not in NEUTRALITY:
        return QuestionKind.SMALL_TALK
    return kind
