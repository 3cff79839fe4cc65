"""What a refusal names."""

from __future__ import annotations

import pytest

from apps.rag.events import Notice
from apps.rag.refusal import RefusalCode, names_joined
from tests.rag.builders import ask, passage


@pytest.mark.parametrize(
    ("words", "question", "joined"),
    [
        (["Mount", "Everest"], "Wie hoch ist der Mount Everest?", ["Mount Everest"]),
        (["Everest", "Mount"], "Wie hoch ist der Mount Everest?", ["Everest", "Mount"]),
        (["Kiel", "Lübeck"], "Was gilt in Kiel und Lübeck?", ["Kiel", "Lübeck"]),
        (["Rio", "Grande", "Sul"], "Wo liegt Rio Grande do Sul?", ["Rio Grande", "Sul"]),
        (["17 %", "18 %"], "Stimmt es, dass 17 % 18 % sind?", ["17 %", "18 %"]),
        ([], "Wie hoch?", []),
    ],
)
def test_neighbours_are_one_name(words: list[str], question: str, joined: list[str]) -> None:
    assert names_joined(words, question) == joined


async def test_a_refusal_names_a_mountain_by_its_whole_name() -> None:
    found = passage("Der Fernsehturm am Hafen ist 200 Meter hoch.", closeness=[0.8])
    events = await ask([found], "Wie hoch ist der Mount Everest?")
    [refusal] = [event for event in events if isinstance(event, Notice)]
    assert (refusal.code, refusal.subjects) == (RefusalCode.NOT_STATED, ("Mount Everest",))
