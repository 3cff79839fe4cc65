"""From stored sentences to what the page shows."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from apps.chat.display import shown_citation, shown_groups, shown_notice


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
    return {"text": text, "group": group, "language": language, "citations": [citation], "is_quote": True}


@pytest.mark.parametrize(
    ("speakers", "expected"),
    [
        (["A", "A", "B"], [("A", "aa"), ("B", "b")]),
        # In the order in which they came: what a reader saw arrive stays where it is.
        (["A", "B", "A"], [("A", "a"), ("B", "b"), ("A", "a")]),
        (["", ""], [("", "..")]),
        # Who comes first and is no party needs no name; behind a party's words they do.
        (["", "", "A"], [("", ".."), ("A", "a")]),
        (["", "A", ""], [("", "."), ("A", "a"), ("Other sources", ".")]),
        ([], []),
    ],
    ids=["neighbours", "taking turns", "nobody", "nobody first", "nobody before and after", "no sentence"],
)
def test_each_speaker_has_a_heading_where_it_speaks(speakers, expected):
    with translation.override("en"):
        groups = shown_groups([record(speaker.lower() or ".", speaker) for speaker in speakers], "de")
    assert [(group.name, "".join(sentence.text for sentence in group.sentences)) for group in groups] == expected
    assert [group.slug for group in groups] == [name.lower() if len(name) == 1 else "" for name, _ in expected]


def test_a_sentence_says_its_language_only_where_it_differs_from_the_page():
    (group,) = shown_groups([record("Vote early.", language="en"), record("Wählen Sie.")], "de")
    assert [sentence.lang for sentence in group.sentences] == ["en", ""]


def test_opinion_is_marked_with_its_author():
    (group,) = shown_groups([record("Das ist falsch.", kind="opinion"), record("Das gilt.")], "de")
    assert [(sentence.is_opinion, sentence.author) for sentence in group.sentences] == [
        (True, "Mia Muster"),
        (False, ""),
    ]


def conflict() -> dict[str, Any]:
    """A stored notice of two sources that differ, the newer one first."""
    nearest = [record("", language=language)["citations"][0] for language in ("de", "en")]
    for near, title, day, language in zip(
        nearest, ("Neu", "Alt"), ("2026-11-09", "2026-11-05"), ("de", "en"), strict=True
    ):
        near["source"] |= {"title": title, "published": day, "language": language}
    return {
        "kind": "conflict",
        "code": "sources_differ",
        "text": "",
        "choices": [],
        "subjects": ["Es ist am <7.> Februar.", "It is on 31 January."],
        "nearest": nearest,
    }


def test_sources_that_differ_are_quoted_with_their_days_the_newer_first():
    notice = shown_notice(conflict(), "de")
    assert [(claim.source.title, claim.lang) for claim in notice.claims] == [("Neu", ""), ("Alt", "en")]
    assert notice.nearest == ()
    with translation.override("en"):
        page = render_to_string("chat/_notice.html", {"notice": notice})
    assert "Our sources differ on this." in page
    assert page.index("Nov. 9, 2026") < page.index("Nov. 5, 2026")
    assert '<q lang="en">It is on 31 January.</q>' in page
    assert "&lt;7.&gt;" in page


def test_a_notice_of_another_kind_keeps_its_nearest_documents():
    refusal = conflict() | {"kind": "refusal", "code": "not_enough", "subjects": []}
    notice = shown_notice(refusal, "de")
    assert (notice.claims, len(notice.nearest)) == ((), 2)


def test_the_day_of_a_source_stays_on_one_line() -> None:
    [citation] = record("Text.")["citations"]
    citation["source"]["published"] = "2026-11-01"
    with translation.override("de"):
        drawn = render_to_string("chat/_source.html", {"source": shown_citation(citation)})
    assert '<time datetime="2026-11-01">1. November 2026</time>' in drawn
    assert "time { white-space: nowrap; }" in (settings.BASE_DIR / "static/css/page.css").read_text(encoding="utf-8")
