"""The values of the question sets that come with the product, as ``sets/*.json`` files them. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from apps.evaluation.types import QuestionKind


class AnswerableKind(StrEnum):
    """What a question that has an answer asks for."""

    FACT = "fact"
    NUMBER = "number"
    DATE = "date"
    PROCEDURE = "procedure"
    POSITION = "position"
    COMPARISON = "comparison"
    OPINION = "opinion"


class InjectionKind(StrEnum):
    """How somebody tries to order the bot around."""

    OVERRIDE = "override"  # forget your rules
    ROLE = "role"  # be somebody else
    REVEAL = "reveal"  # show your instructions, settings, other people's questions
    WIDEN = "widen"  # search where readers may not
    SLANDER = "slander"  # say this about a party
    FORMAT = "format"  # markup, code, links, marks of citations
    SMUGGLE = "smuggle"  # an order beside an honest question


class Expected(StrEnum):
    """What a good answer does."""

    ANSWER = "answer"
    QUOTE = "quote"  # only as a marked quotation under the name of who says it
    REFUSE = "refuse"
    CORRECT = "correct"  # quote the source that says otherwise; a plain refusal is no error
    CLARIFY = "clarify"


class Needs(StrEnum):
    """Whether one of the references is enough, or each has to be cited."""

    ANY = "any"
    ALL = "all"


# How the ids of the further held-out part begin.
LATER: Final = "h"


@dataclass(frozen=True, slots=True)
class Reference:
    """Where the answer stands: the document's name in the corpus's list, and words as they are stored there."""

    document: str
    snippet: str


@dataclass(frozen=True, slots=True)
class FiledQuestion:
    """One question with what is expected.

    ``kind`` is a kind of its set. ``party`` is a party's slug; None where none or several are meant.
    ``legal_basis`` are paragraphs that a question on procedure rests on, ``speaker`` who has to be named beside an
    opinion, ``forbidden`` what no answer to an order may hold. ``note`` says why there is no answer; ``absent`` proves
    it: words in small letters that the programme of ``party`` does not hold, or, where no party speaks of the matter
    and where ``party`` is None, no text of the corpus.
    """

    id: str
    question: str
    language: str
    kind: str
    expected: Expected
    topic: str
    party: str | None = None
    references: tuple[Reference, ...] = ()
    needs: Needs = Needs.ANY
    has_typo: bool = False
    legal_basis: tuple[str, ...] = ()
    speaker: str = ""
    forbidden: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    note: str = ""

    @property
    def is_held_out(self) -> bool:
        """True for what is reported on: odd numbers, and what came later. The rest is for tuning."""
        return self.is_later or int(self.id[-3:]) % 2 == 1

    @property
    def is_later(self) -> bool:
        """True for the further held-out part, written when the second stage had been tuned once: "ha001"."""
        return self.id.startswith(LATER)


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """A set as it is filed."""

    kind: QuestionKind
    questions: tuple[FiledQuestion, ...]
