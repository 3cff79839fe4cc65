"""What the next question may lean on: the earlier turns of a conversation as the pipeline reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from apps.querylog.models import Turn
from apps.rag.remembering import evidence_kept, listed_items
from apps.rag.rewriting.history import subject_left
from apps.rag.rewriting.types import MOST_EARLIER, MOST_TURNS, Reference
from apps.rag.types import Decision, HistoryTurn

MOST_READ: Final = MOST_TURNS + MOST_EARLIER


def history_before(turn: Turn) -> list[HistoryTurn]:
    """Return the turns before this one, oldest first: also one that was interrupted or failed. One query."""
    earlier = turn.conversation.turns.filter(number__lt=turn.number, finished_at__isnull=False).order_by("-number")
    return [_history_turn(row) for row in earlier[:MOST_READ]][::-1]


def _history_turn(turn: Turn) -> HistoryTurn:
    kept = turn.rewriting
    references = [Reference(each["said"], each["means"], each["turn"]) for each in kept.get("references", [])]
    return HistoryTurn(
        question=turn.question,
        answer=answer_text(turn.shown),
        number=turn.number,
        decision=Decision(turn.decision) if turn.decision else None,
        query=turn.query,
        subject=subject_left(kept.get("reason", ""), references),
        offers=tuple(choice for item in turn.shown for choice in item.get("choices", ())),
        items=listed_items(item["text"] for item in turn.shown if item["type"] == "sentence"),
        chunk_ids=_evidence(turn),
    )


def _evidence(turn: Turn) -> tuple[int, ...]:
    """The chunks that the answer cites, those behind what it offers, then the best of the others."""
    cited = {
        (citation["source"]["uuid"], citation["start"], citation["end"])
        for item in turn.shown
        for citation in item.get("citations", ())
    }
    passages = [(each["chunk"], (each["uuid"], each["start"], each["end"])) for each in turn.passages]
    offered = [chunk for item in turn.shown for chunk in item.get("evidence", ())]
    return evidence_kept(passages, cited, offered)


def answer_text(shown: Sequence[dict[str, Any]]) -> str:
    """Return the words of a stored answer, as history for the next turn."""
    return " ".join(item["text"] for item in shown if item["text"])
