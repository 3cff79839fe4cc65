"""Every state of the page with invented words, for developers: what the gallery shows (DEBUG only)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.utils import timezone

from apps.chat.display import shown_turn
from apps.chat.shown import ShownTurn
from apps.querylog.models import Turn

_UUID = "00000000-0000-4000-8000-000000000000"


def gallery_citation(number: int, *, kind: str = "programme", party: str = "", published: str = "") -> dict[str, Any]:
    """Return an invented citation in the log's shape."""
    source = {
        "uuid": _UUID,
        "version": 1,
        "title": f"Ein Titel, der nicht ganz kurz ist, Nummer {number}",
        "kind": kind,
        "language": "de",
        "publisher": "" if party else "Der Kurier",
        "author": "Mia Muster" if kind == "opinion" else "",
        "party_slug": party.lower(),
        "party_name": party,
        "published": published or date(2026, 10, 1).isoformat(),
        "address": "",
    }
    return {"number": number, "source": source, "start": 0, "end": 9, "page": 3, "heading_path": ["Arbeit", "Lohn"]}


def gallery_sentence(
    text: str, citation: dict[str, Any], *, is_more: bool = False, language: str = "de"
) -> dict[str, Any]:
    return {
        "type": "sentence",
        "text": text,
        "citations": [citation],
        "group": citation["source"]["party_name"],
        "is_quote": True,
        "is_more": is_more,
        "language": language,
    }


def gallery_notice(kind: str, code: str, **more: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {"text": "", "choices": [], "subjects": [], "nearest": [], "links": []}
    return {"type": "notice", "kind": kind, "code": code, **empty, **more}


def _turn(question: str, shown: Sequence[dict[str, Any]], **fields: Any) -> ShownTurn:
    values = {"state": Turn.State.DONE, "finished_at": timezone.now(), "outcome": "answered", "language": "de"}
    return shown_turn(Turn(question=question, shown=list(shown), **{**values, **fields}), "de")


def gallery_turns() -> list[tuple[str, ShownTurn]]:
    """Return a name and a turn for each state of an answer."""
    link = {"address": "https://example.org/a", "title": "Mehr dazu", "teaser": "Ein Satz.", "picture": ""}
    comparison = [
        gallery_sentence("Wir heben den Lohn auf 15 Euro an.", gallery_citation(1, party="Hügelpartei")),
        gallery_sentence("Über den Lohn entscheidet die Kommission.", gallery_citation(2, party="Auenpartei")),
        gallery_sentence("The wage has been raised twice.", gallery_citation(3, kind="news"), language="en"),
        gallery_sentence("Außerdem gilt das für Praktika.", gallery_citation(1, party="Hügelpartei"), is_more=True),
        gallery_notice("offer", "offer", choices=["Was gilt für Praktika?", "Ab wann gilt das?"]),
        gallery_notice("desk", "read_on", links=[link]),
    ]
    old = gallery_citation(1, kind="opinion", published="2021-03-01")
    differing = [gallery_citation(1, kind="news"), gallery_citation(2, kind="news", published="2026-09-01")]
    return [
        ("comparison", _turn("Was planen die Parteien beim Mindestlohn?", comparison)),
        ("opinion, old source", _turn("Ist das gut?", [gallery_sentence("Das ist falsch.", old)])),
        (
            "conflict",
            _turn(
                "Wann ist die Wahl?",
                [
                    gallery_notice(
                        "conflict", "sources_differ", subjects=["Am 7. Februar.", "Am 31. Januar."], nearest=differing
                    )
                ],
            ),
        ),
        (
            "refusal",
            _turn(
                "Wie hoch ist der Everest?",
                [
                    gallery_notice(
                        "refusal", "not_enough", subjects=["Everest"], nearest=[gallery_citation(0)], links=[link]
                    )
                ],
                outcome="refused",
            ),
        ),
        (
            "clarification",
            _turn(
                "Und die?",
                [gallery_notice("clarification", "which_party", choices=["Die Auenpartei?", "Die Hügelpartei?"])],
            ),
        ),
        ("interrupted", _turn("Was kostet das?", comparison[:1], state=Turn.State.INTERRUPTED, outcome="interrupted")),
        ("failed", _turn("Was kostet das?", [], state=Turn.State.FAILED, outcome="failed")),
    ]
