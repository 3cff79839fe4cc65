"""What the next question of a conversation may lean on of a turn: asked by the chat's history, the bench and suites."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from apps.rag.events import Decided, Event, Notice, Restart, Retrieved, Sentence
from apps.rag.rewriting.history import subject_left
from apps.rag.types import HistoryTurn, NoticeKind, Passage

# What an answer rested on; more would crowd out what is found anew.
_MOST_CHUNKS: Final = 12
_MOST_ITEMS: Final = 6
_MARKED: Final = re.compile(r"^\s*(?:[-–•*]|\d{1,2}[.)])\s+(?P<item>\S.*)$")
_THING: Final = r"(?:(?:die|der|das|den|ein(?:e[nrs]?)?|the|an?) )?(?:[a-zäöüß]+e[nrs]? )?[A-ZÄÖÜ][\w-]+"
# "Briefwahl, Wahlschein und vorzeitige Abgabe": three at least.
_LISTED: Final = re.compile(rf"{_THING}(?:, {_THING})+,? (?:und|oder|and|or) {_THING}")

# A document with characters of its version's text.
Place = tuple[str, int, int]


def history_turn(number: int, question: str, events: Sequence[Event]) -> HistoryTurn:
    """Return a turn as the next one sees it, made of its events; ``question`` is cleaned and masked."""
    decided = next((event for event in events if isinstance(event, Decided)), None)
    passages = [passage for event in events if isinstance(event, Retrieved) for passage in event.passages]
    shown = shown_of(events)
    sentences = [event for event in shown if isinstance(event, Sentence)]
    cited = {(each.source.uuid, each.start, each.end) for sentence in sentences for each in sentence.citations}
    offered = [chunk for event in shown if isinstance(event, Notice) for chunk in event.evidence]
    return HistoryTurn(
        question=question,
        answer=" ".join(event.text for event in shown if event.text),
        number=number,
        decision=decided.decision if decided else None,
        query=decided.query if decided else "",
        subject=subject_left(decided.reason, decided.references) if decided else "",
        offers=tuple(choice for event in shown if isinstance(event, Notice) for choice in event.choices),
        items=listed_items(sentence.text for sentence in sentences),
        chunk_ids=evidence_kept([(each.chunk_id, _place(each)) for each in passages], cited, offered),
    )


def shown_of(events: Iterable[Event]) -> list[Sentence | Notice]:
    """Return what stands on the page after these events, in its order."""
    shown: list[Sentence | Notice] = []
    for event in events:
        if isinstance(event, Sentence | Notice):
            shown.append(event)
        elif isinstance(event, Restart):
            # What the desk says itself never was in doubt.
            desk = [each for each in shown if isinstance(each, Notice) and each.kind is NoticeKind.DESK]
            shown = [*desk, *[each for each in shown if isinstance(each, Sentence)][: event.kept]]
    return shown


def evidence_kept(
    passages: Iterable[tuple[int, Place]], cited: Collection[Place], offered: Iterable[int] = ()
) -> tuple[int, ...]:
    """Return the numbers of the chunks that an answer cites, those behind what it offers, the best of the others."""

    def is_cited(place: Place) -> bool:
        return any(uuid == place[0] and place[1] <= start and end <= place[2] for uuid, start, end in cited)

    shown = {chunk: is_cited(place) for chunk, place in passages}
    first = [chunk for chunk, is_shown in shown.items() if is_shown]
    return tuple(dict.fromkeys((*first, *offered, *shown)))[:_MOST_CHUNKS]


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


def _place(passage: Passage) -> Place:
    return passage.source.uuid, passage.start, passage.end
