"""What the next question may lean on: the earlier turns of a conversation as the pipeline reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from apps.querylog.models import Turn
from apps.rag.rewriting.history import subject_left
from apps.rag.rewriting.types import MOST_EARLIER, MOST_TURNS, Reference
from apps.rag.types import Decision, HistoryTurn

MOST_READ: Final = MOST_TURNS + MOST_EARLIER
# What an answer rested on; more would crowd out what is found anew.
_MOST_CHUNKS: Final = 8
_MOST_ITEMS: Final = 6
_MARKED: Final = re.compile(r"^\s*(?:[-–•*]|\d{1,2}[.)])\s+(?P<item>\S.*)$")
_THING: Final = r"(?:(?:die|der|das|den|ein(?:e[nrs]?)?|the|an?) )?(?:[a-zäöüß]+e[nrs]? )?[A-ZÄÖÜ][\w-]+"
# "Briefwahl, Wahlschein und vorzeitige Abgabe": three at least.
_LISTED: Final = re.compile(rf"{_THING}(?:, {_THING})+,? (?:und|oder|and|or) {_THING}")


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
    """The chunks that the answer cites, then the best of the others."""
    cited = [
        (citation["source"]["uuid"], citation["start"], citation["end"])
        for item in turn.shown
        for citation in item.get("citations", ())
    ]

    def is_cited(passage: dict[str, Any]) -> bool:
        return any(
            uuid == passage["uuid"] and passage["start"] <= start and end <= passage["end"]
            for uuid, start, end in cited
        )

    ordered = sorted(turn.passages, key=lambda passage: not is_cited(passage))
    return tuple(passage["chunk"] for passage in ordered[:_MOST_CHUNKS])


def answer_text(shown: Sequence[dict[str, Any]]) -> str:
    """Return the words of a stored answer, as history for the next turn."""
    return " ".join(item["text"] for item in shown if item["text"])


def listed_items(sentences: Iterable[str]) -> tuple[str, ...]:
    """Return what an answer lists, so that "die erste" can mean something: marked lines, or names in a row."""
    texts = list(sentences)
    marked = [match["item"] for text in texts for line in text.splitlines() if (match := _MARKED.match(line))]
    if len(marked) > 1:
        return tuple(marked[:_MOST_ITEMS])
    for text in texts:
        found = _LISTED.search(text)
        if found:
            return tuple(re.split(r",? (?:und|oder|and|or) |, ", found.group()))[:_MOST_ITEMS]
    return ()
