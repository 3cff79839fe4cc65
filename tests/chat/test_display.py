"""From stored sentences to what the page shows."""

from __future__ import annotations

from typing import Any

import pytest

from apps.chat.display import shown_groups


def record(text: str, group: str = "", *, language: str = "de", kind: str = "programme") -> dict[str, Any]:
    source = {
        "uuid": "0b1f0d4e-8f0e-4a53-9c39-2f5a1f6f8f11",
        "version": 1,
        "title": "Programm",
        "kind": kind,
        "publisher": "",
        "author": "Mia Muster",
        "party_name": group,
        "party_slug": group.lower(),
        "published": "",
    }
    citation = {"number": 1, "source": source, "start": 0, "end": 9, "page": None, "heading_path": []}
    return {"text": text, "group": group, "language": language, "citations": [citation]}


@pytest.mark.parametrize(
    ("speakers", "expected"),
    [
        (["A", "A", "B"], [("A", "aa"), ("B", "b")]),
        (["A", "B", "A", "B"], [("A", "aa"), ("B", "bb")]),
        (["", "", "A"], [("", ".."), ("A", "a")]),
        (["", "A", ""], [("", "."), ("A", "a"), ("", ".")]),
        ([], []),
    ],
    ids=["neighbours", "taking turns", "nobody first", "nobody before and after", "no sentence"],
)
def test_each_speaker_has_one_heading(speakers, expected):
    groups = shown_groups([record(speaker.lower() or ".", speaker) for speaker in speakers], "de")
    assert [(group.name, "".join(sentence.text for sentence in group.sentences)) for group in groups] == expected
    assert [group.slug for group in groups] == [name.lower() for name, _ in expected]


def test_a_sentence_says_its_language_only_where_it_differs_from_the_page():
    (group,) = shown_groups([record("Vote early.", language="en"), record("Wählen Sie.")], "de")
    assert [sentence.lang for sentence in group.sentences] == ["en", ""]


def test_opinion_is_marked_with_its_author():
    (group,) = shown_groups([record("Das ist falsch.", kind="opinion"), record("Das gilt.")], "de")
    assert [(sentence.is_opinion, sentence.author) for sentence in group.sentences] == [
        (True, "Mia Muster"),
        (False, ""),
    ]
