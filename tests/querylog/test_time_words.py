"""Times that were read out of a question, as the desk reads them."""

from __future__ import annotations

import pytest
from django.utils import translation

from apps.querylog.time_words import time_words


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def record(first: str = "", last: str = "", *, kind: str = "content", sense: str = "span") -> dict[str, str]:
    return {"said": "letzte Woche", "first": first, "last": last, "kind": kind, "sense": sense}


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        (record("2026-11-23", "2026-11-29"), "11/23/2026 to 11/29/2026"),
        (record("2026-11-23", "2026-11-29", kind="publication"), "published 11/23/2026 to 11/29/2026"),
        (record("2026-11-30", "2026-11-30", sense="current"), "11/30/2026"),
        (record("2027-03-01"), "from 03/01/2027"),
        (record(last="2027-02-27"), "until 02/27/2027"),
        (record(sense="earlier"), "what stood before the newest"),
    ],
)
def test_the_days_are_told_and_the_readers_words_only_to_who_may_read_them(kept: dict[str, str], words: str) -> None:
    assert time_words(kept, with_words=False) == words
    assert time_words(kept, with_words=True) == f"{words} (“letzte Woche”)"
