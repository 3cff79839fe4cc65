"""Makes what a rewriter may use of the turns of a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from apps.rag.rewriting.types import MOST_EARLIER, MOST_TURNS, PastTurn, Reference, RewriteContext, Rewriting
from apps.rag.types import AnswerContext, Decision, HistoryTurn
from apps.rag.understanding import PartyDirectory, asked_parties

_SUMMARY_CHARACTERS: Final = 400
# Longer answers are no help: what they listed is in ``items``.
_ANSWER_CHARACTERS: Final = 1_500
_STANDS_FOR: Final = frozenset({"referred", "returned"})


def context_of(
    history: Sequence[HistoryTurn],
    language: str,
    context: AnswerContext,
    directory: PartyDirectory,
    *,
    turns: int = MOST_TURNS,
    versions: Mapping[str, str] | None = None,
) -> RewriteContext:
    """Return the context package: the last ``turns`` whole, of those before only what they asked. Chat is left out."""
    past: list[PastTurn] = []
    for place, turn in enumerate(history, 1):
        if turn.decision is not Decision.CHAT:
            past.append(_past_turn(turn, place, past[-1].query if past else "", directory))
    window = max(1, min(turns, MOST_TURNS))
    last, earlier = past[-window:], past[:-window][-MOST_EARLIER:]
    return RewriteContext(
        tuple(last),
        context.now,
        language,
        context.locale,
        str(context.now.tzinfo or ""),
        summary=_summary(earlier),
        earlier=tuple(earlier),
        versions=tuple((versions or {}).items()),
    )


def _past_turn(turn: HistoryTurn, place: int, before: str, directory: PartyDirectory) -> PastTurn:
    # A turn that asked back has searched nothing: the conversation is still where it was.
    query = (before or turn.question) if turn.decision is Decision.CLARIFY else (turn.query or turn.question)
    parties = tuple(party.slug for party in asked_parties(query, directory))
    answer = turn.answer[:_ANSWER_CHARACTERS]
    number = turn.number or place
    return PastTurn(
        number,
        turn.question,
        query,
        answer,
        turn.subject,
        parties,
        turn.offers,
        turn.items,
        turn.chunk_ids,
        was_asked_back=turn.decision is Decision.CLARIFY,
    )


def _summary(turns: Iterable[PastTurn]) -> str:
    """What was asked earlier, newest last, in the words of those turns: nothing in it can be made up."""
    return " ".join(turn.query for turn in turns)[-_SUMMARY_CHARACTERS:]


def turns_leaned_on(rewriting: Rewriting, context: RewriteContext) -> tuple[PastTurn, ...]:
    """Return the turns without which the reader's own words say too little; none for a question that stands alone."""
    if rewriting.decision not in (Decision.REWRITE, Decision.DECOMPOSE):
        return ()
    return tuple(turn for turn in (*context.earlier, *context.turns) if turn.number in rewriting.turns_used)


def subject_left(reason: str, references: Sequence[Reference]) -> str:
    """Return what a turn's pronouns stood for, "" without any: the next turn's may stand for the same."""
    return references[-1].means if reason in _STANDS_FOR and references else ""
