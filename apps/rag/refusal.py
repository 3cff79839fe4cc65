"""Why a turn ends without an answer. Codes only; the sentences for readers come from templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from apps.rag.events import Notice
from apps.rag.types import NoticeKind, Passage


class RefusalCode(StrEnum):
    """What was missing."""

    OFF_TOPIC = "off_topic"
    NOT_ENOUGH = "not_enough"
    WRONG_PARTY = "wrong_party"
    EMPTY_CORPUS = "empty_corpus"


PARTY_SILENT = "party_silent"


def refuse(
    code: RefusalCode, nearest: Iterable[Passage] = (), *, at_most: int = 3, subjects: Sequence[str] = ()
) -> Notice:
    """Return the refusal with at most one passage per source to look at next. It carries no citations."""
    passages: dict[str, Passage] = {}
    for passage in nearest:
        passages.setdefault(passage.source.uuid, passage)
    # What has nothing to do with the question is no help to the reader.
    offered = () if code is RefusalCode.OFF_TOPIC else tuple(passages.values())[:at_most]
    return Notice(NoticeKind.REFUSAL, code.value, nearest=offered, subjects=tuple(subjects))


def parties_silent(names: Sequence[str]) -> Notice:
    """Return the caveat that some of the parties asked about say nothing on this."""
    return Notice(NoticeKind.CAVEAT, PARTY_SILENT, subjects=tuple(names))
