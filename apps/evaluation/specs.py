"""A question of a set with what is expected of its answer. Pure; frozen and plain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apps.evaluation.question_files import Expected, FiledQuestion, Needs, Reference
from apps.evaluation.types import QuestionKind
from apps.rag.types import Decision


@dataclass(frozen=True, slots=True)
class QuestionSpec:
    """One question with what is expected. Questions with one ``key`` are the turns of one conversation.

    ``number`` counts the turns from 1. ``subkind`` is what the question is within its kind, such as one of the six
    unanswerable ones. None, or an empty tuple, stands for "not judged"; only an empty ``allowed`` says that the
    stand-alone query may name no party at all. ``must`` are words that the stand-alone query has to hold,
    ``forbidden_additions`` words that may not be added to it, ``forbidden`` what no reader may be shown outside a
    quotation. A reference names a document by its address, uuid or title, and words of it as they are stored.
    ``offers`` and ``items`` are what was offered and listed with this turn, for the next one to lean on; ``choices``
    were clicked in the question builder, which searches for ``queries``. ``absent`` are words that no text on the
    question could do without, and that no source has: they prove that it has no answer.
    """

    key: str
    text: str
    kind: QuestionKind
    number: int = 1
    language: str = "de"
    subkind: str = ""
    expected: Expected | None = None
    decision: Decision | None = None
    references: tuple[Reference, ...] = ()
    needs: Needs = Needs.ANY
    allowed: tuple[str, ...] | None = None
    must: tuple[str, ...] = ()
    forbidden_additions: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    topic: str = ""
    party: str = ""
    speaker: str = ""
    legal_basis: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    has_typo: bool = False
    note: str = ""


def conversations(questions: Iterable[QuestionSpec]) -> list[tuple[QuestionSpec, ...]]:
    """Return the questions, turns of one conversation together, in the order in which each begins."""
    found: dict[str, list[QuestionSpec]] = {}
    for question in questions:
        found.setdefault(question.key, []).append(question)
    return [tuple(sorted(turns, key=lambda turn: turn.number)) for turns in found.values()]


def filed_spec(kind: QuestionKind, filed: FiledQuestion) -> QuestionSpec:
    """Return a question of the product's files as a set holds it."""
    return QuestionSpec(
        key=filed.id,
        text=filed.question,
        kind=kind,
        language=filed.language,
        subkind=filed.kind,
        expected=filed.expected,
        references=filed.references,
        needs=filed.needs,
        forbidden=filed.forbidden,
        topic=filed.topic,
        party=filed.party or "",
        speaker=filed.speaker,
        legal_basis=filed.legal_basis,
        absent=filed.absent,
        has_typo=filed.has_typo,
        note=filed.note,
    )
