"""A log for the tests of topics: turns as the pipeline leaves them, vectors that are known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
from django.utils import timezone

from apps.documents.embedding import embedder_replaced
from apps.querylog.models import Conversation, Turn
from apps.topics.modelling.vectors import unit

SUBJECTS = ("Rente", "Klima", "Wohnen", "Bildung", "Verkehr", "Pflege")
DIMENSIONS = 32


class SubjectEmbedder:
    """Gives each subject a direction of its own, and each text a place near it: the same text, the same vector."""

    name = "subjects"
    dimensions = DIMENSIONS
    subjects = (*SUBJECTS, "Heizung", "Wehrdienst", "Wahlbrief")

    def embed_question(self, text: str) -> np.ndarray:
        vector = np.zeros(DIMENSIONS)
        for number, subject in enumerate(self.subjects):
            if subject.casefold() in text.casefold():
                vector[number] += 1.0
        chance = np.random.default_rng(sum(map(ord, text)))
        return unit((vector + 0.06 * chance.normal(size=DIMENSIONS))[None].astype(np.float32))[0]

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([self.embed_question(text) for text in texts])

    def count_tokens(self, text: str) -> int:
        return len(text.split())


def subjects_embedded():
    return embedder_replaced(SubjectEmbedder())


def ask(text: str, *, session: str = "", days_ago: float = 1, **more: Any) -> Turn:
    """Store one finished turn."""
    moment = timezone.now() - timedelta(days=days_ago)
    conversation = Conversation.objects.create(owner="o", session_day=session or f"s-{Conversation.objects.count()}")
    fields = {"outcome": "answered", "decision": "SEARCH_AS_IS", "state": "done", "finished_at": moment, **more}
    turn = Turn.objects.create(conversation=conversation, number=1, question=text, **fields)
    Turn.objects.filter(pk=turn.pk).update(created_at=moment)
    turn.refresh_from_db()
    return turn


def ask_many(subjects: Sequence[str] = SUBJECTS, each: int = 12, **more: Any) -> None:
    """Ask ``each`` different questions on each subject."""
    for subject in subjects:
        for number in range(each):
            ask(f"Was soll bei {subject} in Ort {number} geschehen?", **more)
