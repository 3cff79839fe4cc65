"""The suites of the rewriter find what is wrong: each figure falls when its fault is planted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from apps.answering.suites.dialogues import judge_turn, limits_kept, load_dialogues
from apps.answering.suites.rewriting import RewrittenTurn, _result, overlap
from apps.core.suites import SUITES, load_suites
from apps.rag.events import Decided, Event, Retrieved
from apps.rag.types import AnswerContext, Decision, HistoryTurn, Passage, SearchFilters, Source
from apps.rag.understanding import PartyDirectory, PartyName

DIRECTORY = PartyDirectory(
    [PartyName("auen", "Auenpartei"), PartyName("stern", "Sternwarte")],
    {"auen": ["Auenpartei"], "stern": ["Sternwarte"]},
)
HISTORY = [HistoryTurn("Was will die Auenpartei bei der Rente?", "", 1, query="Was will die Auenpartei bei der Rente?")]
TURN = {
    "question": "Und die Sternwarte?",
    "decision": "REWRITE",
    "allowed": ["Sternwarte"],
    "must": ["Rente", "Sternwarte"],
    "forbidden": ["67"],
    "sources": ["programme/stern.md"],
}
TITLES = {"programme/stern.md": "Weiter sehen"}
GOOD = Decided(Decision.REWRITE, "Was will die Sternwarte bei der Rente?")
TODAY = AnswerContext(datetime(2026, 11, 30, tzinfo=UTC))
LIMITS = SearchFilters(TODAY.now.date())


def found(title: str = "Weiter sehen", shelf: str = "programme") -> Retrieved:
    return Retrieved((Passage(1, Source("u", 1, title, "programme", collection_slug=shelf), "Text.", 0, 5),))


def judged(events: Sequence[Event]) -> dict[str, object]:
    verdict = judge_turn(TURN, events, HISTORY, DIRECTORY, TITLES, language="de", filters_unchanged=True)
    return {name: getattr(verdict, name) for name in ("decision", "resolved", "added", "source_found")}


RIGHT = {"decision": True, "resolved": True, "added": (), "source_found": True}


def test_a_right_turn_has_every_point() -> None:
    assert judged([GOOD, found()]) == RIGHT


@pytest.mark.parametrize(
    ("events", "wrong"),
    [
        ([replace(GOOD, decision=Decision.SEARCH_AS_IS), found()], {"decision": False}),
        ([replace(GOOD, query="Was will die Sternwarte?"), found()], {"resolved": False}),
        ([GOOD, found("Etwas anderes")], {"source_found": False}),
        ([GOOD], {"source_found": False}),
        ([replace(GOOD, query="Was will die Sternwarte bei der Rente mit 67?"), found()], {"added": ("67", "67")}),
        (
            [replace(GOOD, query="Was will die Sternwarte, nicht die Auenpartei, bei der Rente?"), found()],
            {"added": ("Auenpartei",)},
        ),
        (
            [replace(GOOD, query="Was will die Sternwarte bei der Rente in Bayern?"), found()],
            {"added": ("Bayern",)},
        ),
    ],
)
def test_a_planted_fault_costs_its_point(events: Sequence[Event], wrong: dict[str, object]) -> None:
    assert judged(events) == {**RIGHT, **wrong}


@pytest.mark.parametrize(
    ("filters", "shelf", "kept"),
    [
        ([LIMITS], "programme", True),
        ([replace(LIMITS, party_slugs=("stern",))], "programme", True),
        ([replace(LIMITS, party_slugs=("auen",))], "programme", False),
        ([LIMITS, replace(LIMITS, includes_desk=True)], "programme", False),
        ([replace(LIMITS, on=datetime(2025, 1, 1, tzinfo=UTC).date())], "programme", False),
        ([LIMITS], "redaktion", False),
    ],
)
def test_a_search_beyond_the_limits_is_seen(filters: list[SearchFilters], shelf: str, kept: bool) -> None:
    assert limits_kept(filters, [GOOD, found(shelf=shelf)], TODAY, DIRECTORY) is kept


def test_the_dialogues_are_as_many_and_as_mixed_as_promised() -> None:
    dialogues = load_dialogues()
    assert len(dialogues) == len({dialogue["id"] for dialogue in dialogues}) == 60
    assert sum(dialogue["language"] == "en" for dialogue in dialogues) == 12
    assert min(Counter(dialogue["kind"] for dialogue in dialogues).values()) >= 5
    assert all(2 <= len(dialogue["turns"]) <= 5 for dialogue in dialogues)
    assert {turn["decision"] for dialogue in dialogues for turn in dialogue["turns"]} == {
        each.value for each in Decision
    }


def test_overlap_counts_words() -> None:
    assert overlap("Was kostet das?", "was kostet das") == 1
    assert overlap("Was kostet das?", "Was kostet Briefwahl?") == pytest.approx(2 / 3)
    assert overlap("", "Was?") == 0


def test_turns_are_told_apart_by_what_a_person_did_to_them() -> None:
    conversation = [
        RewrittenTurn("What is throat cancer?", "What is throat cancer?"),
        RewrittenTurn("Is it treatable?", "Is throat cancer treatable?"),
        RewrittenTurn("Who is the pope", None),
    ]
    figures = _result([conversation]).figures
    assert (figures["standing_alone"], figures["dependent"]) == (1, 1)
    assert figures["left_alone"] == 1
    assert figures["overlap"] == 1
    assert figures["overlap_raw"] == pytest.approx(2 * 2 / 7)


def test_the_suites_are_registered() -> None:
    load_suites()
    assert {"rewrite:cast", "rewrite:mtrag", "rewrite:dialogues"} <= set(SUITES)
