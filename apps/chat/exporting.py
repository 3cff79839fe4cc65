"""A conversation as a file for its reader: everything that is kept of it and was shown or said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from apps.chat.display import source_address
from apps.chat.texts import notice_text
from apps.querylog.models import Conversation, Turn

Absolute = Callable[[str], str]


def conversation_export(conversation: Conversation, absolute: Absolute) -> dict[str, Any]:
    """Return the conversation as plain data; ``absolute`` makes a whole address of a path."""
    turns = conversation.turns.select_related("feedback").prefetch_related("sentence_reports")
    return {
        "conversation": str(conversation.uuid),
        "begun": conversation.created_at.isoformat(timespec="seconds"),
        "exported": timezone.now().isoformat(timespec="seconds"),
        "language": conversation.language,
        "turns": [_turn(turn, absolute) for turn in turns],
    }


def _turn(turn: Turn, absolute: Absolute) -> dict[str, Any]:
    feedback = getattr(turn, "feedback", None)
    return {
        "number": turn.number,
        "asked": turn.created_at.isoformat(timespec="seconds"),
        "question": turn.question,
        "question_builder": turn.builder_choices,
        "blacked_out": turn.masked_kinds,
        "outcome": turn.outcome or turn.state,
        "answer": [_item(item, absolute) for item in turn.shown],
        "feedback": {"verdict": feedback.verdict, "reasons": feedback.reasons, "comment": feedback.comment}
        if feedback
        else None,
        "reported_sentences": [report.sentence for report in turn.sentence_reports.all()],
    }


def _item(item: dict[str, Any], absolute: Absolute) -> dict[str, Any]:
    if item["type"] == "sentence":
        return {
            "sentence": item["text"],
            "speaker": item["group"],
            "sources": [_source(citation, absolute) for citation in item["citations"]],
        }
    words = item["text"] or str(notice_text(item["code"], item["subjects"]).says)
    return {"notice": words, "kind": item["kind"], "choices": item["choices"]}


def _source(citation: dict[str, Any], absolute: Absolute) -> dict[str, Any]:
    source = citation["source"]
    path = source_address(source["uuid"], source["version"], citation["start"], citation["end"])
    return {
        "number": citation["number"],
        "title": source["title"],
        "party": source["party_name"],
        "publisher": source["publisher"],
        "published": source["published"],
        "page": citation["page"],
        "passage": absolute(path),
        "original": source["address"],
    }
