"""The contract of the rewriter: what goes in, what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from apps.rag.types import Decision

MOST_TURNS: Final = 5
# Of turns before those only what they asked is known.
MOST_EARLIER: Final = 7
MOST_QUERY_CHARACTERS: Final = 500
MOST_SUB_QUERIES: Final = 4
MOST_CHOICES: Final = 4
# A reason: the reader wants to search where readers may not.
CANNOT_WIDEN: Final = "cannot_widen"
# A reason: the question builder knows what its combinations ask for.
BUILT: Final = "builder"


@dataclass(frozen=True, slots=True)
class PastTurn:
    """One earlier turn, masked. ``query`` is its stand-alone query, ``parties`` are slugs it was about.

    ``subject`` is what its pronouns stood for, empty without any. ``offers`` are follow-up questions or choices that
    were shown with the answer, ``items`` what the answer listed, ``chunk_ids`` the evidence behind it. ``number``
    counts from 1. ``was_asked_back``: the question said too little, and the reader was asked to complete it.
    """

    number: int
    question: str
    query: str
    answer: str = ""
    subject: str = ""
    parties: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    chunk_ids: tuple[int, ...] = ()
    was_asked_back: bool = False


@dataclass(frozen=True, slots=True)
class RewriteContext:
    """What the rewriter may use: the last turns, oldest first, and fields that the server fills.

    ``earlier`` are a few turns before those, to return to; ``summary`` is what they asked, in one text. No personal
    data, never the whole history. ``now`` is aware of its zone; ``versions`` name rules, index and settings.
    """

    turns: tuple[PastTurn, ...]
    now: datetime
    language: str = "de"
    locale: str = "de"
    time_zone: str = "Europe/Berlin"
    summary: str = ""
    earlier: tuple[PastTurn, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """What the reader said and what it stands for, such as "das" for "Briefwahl"; ``turn`` is where that was said."""

    said: str
    means: str
    turn: int


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The decision. ``standalone_query`` is the question itself when it is as-is.

    ``choices`` are the readings of a CLARIFY, ``sub_queries`` the parts of a DECOMPOSE. ``turns_used`` are the numbers
    of the turns whose words or evidence it rests on. ``reason`` is a stable code for trace and log.
    """

    decision: Decision
    standalone_query: str
    reason: str
    resolved_references: tuple[Reference, ...] = ()
    sub_queries: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    turns_used: tuple[int, ...] = field(default=())
