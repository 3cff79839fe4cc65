"""What a turn leaves for the next one."""

from __future__ import annotations

import pytest

from apps.rag.remembering import listed_items


@pytest.mark.parametrize(
    ("sentences", "items"),
    [
        (["Sie haben drei Wege: Briefwahl, Wahlschein und vorzeitige Abgabe."], ["Briefwahl", "Wahlschein"]),
        (["1. Antrag stellen", "2. Brief abschicken"], ["Antrag stellen", "Brief abschicken"]),
        (["Die Frist endet um 18 Uhr."], []),
        ([], []),
    ],
)
def test_what_an_answer_lists_can_be_picked(sentences, items):
    assert list(listed_items(sentences))[: len(items) or None] == items
