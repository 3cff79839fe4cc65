"""Why a turn ends without an answer. Codes only; the sentences for readers come from templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from apps.rag.desk import DeskLink
from apps.rag.events import Notice
from apps.rag.types import NoticeKind, Passage


class RefusalCode(StrEnum):
    """What was missing."""

    OFF_TOPIC = "off_topic"
    NOT_ENOUGH = "not_enough"
    WRONG_PARTY = "wrong_party"
    EMPTY_CORPUS = "empty_corpus"
    # A party that neither the newsroom nor a source knows.
    UNKNOWN_PARTY = "unknown_party"
    # A figure, year, name or place of the question that stands nowhere on the subject.
    NOT_STATED = "not_stated"
    # On the subject, without what the question word asks for.
    NO_DATE = "no_date"
    NO_NUMBER = "no_number"
    NO_PERSON = "no_person"
    NO_PLACE = "no_place"
    NO_REASON = "no_reason"


# What says that the passages are on the subject and have no answer of the kind asked for.
LACKS_ITS_KIND: Final = frozenset(
    {RefusalCode.NO_DATE, RefusalCode.NO_NUMBER, RefusalCode.NO_PERSON, RefusalCode.NO_PLACE, RefusalCode.NO_REASON}
)

PARTY_SILENT = "party_silent"
PART_UNANSWERED = "part_unanswered"
COVERAGE_LOW = "coverage_low"
# Below the desk's own text, when the sources hold nothing to go with it.
ONLY_THE_DESK = "only_the_desk"
# Below sentences of a model whose rest did not come or did not pass.
CUT_SHORT = "cut_short"


def refuse(
    code: RefusalCode,
    nearest: Iterable[Passage] = (),
    *,
    at_most: int = 3,
    subjects: Sequence[str] = (),
    links: Sequence[DeskLink] = (),
) -> Notice:
    """Return the refusal with at most one passage per source to look at next. It carries no citations.

    ``links`` are what the desk recommends: they lead.
    """
    passages: dict[str, Passage] = {}
    for passage in nearest:
        passages.setdefault(passage.source.uuid, passage)
    # What has nothing to do with the question is no help to the reader.
    offered = () if code is RefusalCode.OFF_TOPIC else tuple(passages.values())[:at_most]
    return Notice(NoticeKind.REFUSAL, code.value, nearest=offered, subjects=tuple(subjects), links=tuple(links))


def names_joined(words: Sequence[str], question: str) -> list[str]:
    """Return words that are neighbours in the question as one name: "Mount Everest"."""
    joined: list[str] = []
    for word in words:
        if joined and word[:1].isupper() and f"{joined[-1]} {word}" in question:
            joined[-1] = f"{joined[-1]} {word}"
        else:
            joined.append(word)
    return joined


def parties_silent(names: Sequence[str]) -> Notice:
    """Return the caveat that some of the parties asked about say nothing on this."""
    return Notice(NoticeKind.CAVEAT, PARTY_SILENT, subjects=tuple(names))


def part_unanswered(parts: Sequence[str]) -> Notice:
    """Return the caveat that some parts of the question have no answer."""
    return Notice(NoticeKind.CAVEAT, PART_UNANSWERED, subjects=tuple(parts))


def coverage_low(aspects: Sequence[str]) -> Notice:
    """Return the caveat that nothing was found on a good part of what was asked."""
    return Notice(NoticeKind.CAVEAT, COVERAGE_LOW, subjects=tuple(aspects))


def only_the_desk() -> Notice:
    """Return the caveat that no source stands beside what the desk says."""
    return Notice(NoticeKind.CAVEAT, ONLY_THE_DESK)


def cut_short() -> Notice:
    """Return the caveat that an answer may lack something: its rest did not come or was not borne out."""
    return Notice(NoticeKind.CAVEAT, CUT_SHORT)
