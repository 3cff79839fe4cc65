"""The values of an evaluation: a question with what is expected of its answer. Pure; frozen and plain."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from apps.rag.types import Decision, Outcome


class QuestionKind(StrEnum):
    """What a question is asked for; it decides which figures count it."""

    ANSWERABLE = "answerable"
    UNANSWERABLE = "unanswerable"
    DIALOGUE = "dialogue"
    PROCEDURE = "procedure"
    OPINION = "opinion"
    INJECTION = "injection"
    BUILDER = "builder"


class UnanswerableKind(StrEnum):
    """Why a question that looks answerable is not."""

    NOT_IN_CORPUS = "not_in_corpus"
    WRONG_PARTY = "wrong_party"
    WRONG_VALUE = "wrong_value"  # a number or date that the sources have for something else
    FALSE_PREMISE = "false_premise"
    UNDERSPECIFIED = "underspecified"
    OFF_TOPIC = "off_topic"


@dataclass(frozen=True, slots=True)
class ExpectedSource:
    """Where the answer stands: a document's address, uuid or title, and words of it, both as they are stored.

    Several documents with ``|`` between them are each as good; an empty snippet takes any place in the document.
    """

    document: str
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSpec:
    """One question of a set with what is expected. Questions with one ``key`` are the turns of one conversation.

    ``number`` counts the turns from 1. None, or an empty tuple, stands for "not judged"; only an empty ``allowed``
    says that the stand-alone query may name no party at all. ``outcomes`` are all that are right; without any, the
    kind decides. ``must`` are words that the stand-alone query has to hold, ``forbidden`` words that may not be added
    to it; ``unsaid`` are words that no reader may be shown outside a quotation. All of ``sources`` have to be found.
    ``offers`` and ``items`` are what was offered and listed with this turn, for the next one to lean on; ``choices``
    were clicked in the question builder.
    """

    key: str
    text: str
    kind: QuestionKind
    language: str = "de"
    number: int = 1
    unanswerable_kind: UnanswerableKind | None = None
    decision: Decision | None = None
    outcomes: tuple[Outcome, ...] = ()
    allowed: tuple[str, ...] | None = None
    must: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    sources: tuple[ExpectedSource, ...] = ()
    offers: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class SetSpec:
    """A whole set as a file has it. ``slug`` names it for commands and for good."""

    slug: str
    name: str
    questions: tuple[QuestionSpec, ...]
    description: str = ""
