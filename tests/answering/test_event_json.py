"""Every event comes back from JSON as it was."""

from __future__ import annotations

import json
from datetime import date

import numpy as np
import pytest

from apps.answering.event_json import event_from_json, event_to_json
from apps.rag.desk import (
    AnswerUse,
    DeskAnswer,
    DeskDocument,
    DeskLink,
    DocumentCut,
    ExtraSearch,
    RuleHit,
    RuleMatch,
    RuleRival,
    RuleStage,
    RuleUse,
    TextKind,
)
from apps.rag.events import Decided, Done, Event, Failed, Notice, Restart, Retrieved, Sentence
from apps.rag.rewriting.types import Reference
from apps.rag.types import Citation, Decision, NoticeKind, Outcome, Passage, PassageScores, PassageSentence, Source

SOURCE = Source("u", 2, "Programm", "programme", party_slug="tal", published=date(2026, 9, 1))
PASSAGE = Passage(7, SOURCE, "Wir bauen.", 3, 13, heading_path=("Wohnen",), scores=PassageScores(cosine=0.9, fused=1.2))
HIT = RuleHit("brief", 3, "Briefwahl", RuleStage.FUZZY, 930, ("Briefwahl",), "briefwahl", (DeskDocument("u"),), ("a",))
RULE = RuleMatch(
    4,
    (HIT,),
    (RuleRival("r", 1, "R", RuleStage.TOKEN, 700, "stage"),),
    "Frage",
    TextKind.QUERY,
    DeskAnswer("Text", True, "Desk", date(2026, 1, 2), None),
    ExtraSearch.OFF,
)
EVENTS: list[Event] = [
    Decided(Decision.DECOMPOSE, "Frage", "two", RULE, (Reference("das", "Briefwahl", 1),), ("a",), ("b", "c"), (1, 2)),
    Decided(Decision.SEARCH_AS_IS, "Frage", versions={"index": "3"}),
    Retrieved((PASSAGE,), None, RuleUse((DocumentCut("u", "T", "r", 1, 2, 3, "budget"),), AnswerUse.CITED)),
    Sentence("Wir bauen.", (Citation(1, 7, SOURCE, 3, 13, "Wir bauen.", page=4),), group="Talbund", is_more=True),
    Notice(NoticeKind.DESK, "read_on", links=(DeskLink("https://a.example", "A"),), as_of=date(2026, 3, 4)),
    Notice(NoticeKind.REFUSAL, "not_enough", nearest=(PASSAGE,), subjects=("Talbund",)),
    Restart(2, "uncited"),
    Done(Outcome.ANSWERED, {"write": 1.5}, {"model": "m"}),
    Failed("search_down"),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_comes_back_as_it_was(event: Event) -> None:
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


def test_vectors_of_sentences_stay_behind() -> None:
    event = Retrieved(
        (Passage(7, SOURCE, "Wir bauen.", 3, 13, sentences=(PassageSentence(0, 10),), vectors=np.ones((1, 1))),)
    )
    back = event_from_json(event_to_json(event))
    assert isinstance(back, Retrieved)
    assert back.passages[0].sentences == ()
    assert back.passages[0].vectors is None
    assert back.passages[0].text == "Wir bauen."


@pytest.mark.parametrize("data", [{}, {"type": "Passage"}, {"type": "Decided", "decision": "MAYBE", "query": ""}])
def test_what_is_no_event_is_refused(data: dict[str, object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        event_from_json(data)
