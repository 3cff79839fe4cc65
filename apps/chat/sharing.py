"""Shares an answer: a frozen copy behind an unguessable link, and what has happened to its sources since."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from apps.answering.door import names_to_keep
from apps.chat.models import SharedAnswer
from apps.documents.models import Document
from apps.language.masking import mask
from apps.querylog.feedback import may_be_rated
from apps.querylog.models import Turn
from apps.rag.followups import OFFER

# Of a stored notice, what a stranger has no use for: what might be asked next, and what lay behind it.
_OWN: Final = ("choices", "evidence")


class NotSharedError(Exception):
    """This turn is no answer, or it is gone."""


def answer_share(*, turn: Turn) -> SharedAnswer:
    """Freeze an answer as it stands now; a second time returns the same link. Raises NotSharedError."""
    with transaction.atomic():
        locked = Turn.objects.select_for_update().filter(pk=turn.pk).first()
        if locked is None or not may_be_rated(locked):
            raise NotSharedError
        # Masked once more: the names to keep may have changed since it was asked.
        copy = {
            "question": mask(locked.question, known_names=names_to_keep()).text,
            "shown": [_for_strangers(item) for item in locked.shown if item.get("code") != OFFER],
            "language": locked.language,
        }
        shared, _ = SharedAnswer.objects.get_or_create(turn=locked, defaults=copy)
        return shared


def answer_unshare(*, turn: Turn) -> None:
    """Take a shared answer back: its link leads nowhere from now on."""
    SharedAnswer.objects.filter(turn=turn).delete()


def _for_strangers(item: dict[str, Any]) -> dict[str, Any]:
    return {**item, **{name: [] for name in _OWN if name in item}}


def changed_sources(shared: SharedAnswer) -> list[str]:
    """Return the titles of cited sources that have a newer version by now, or that readers may not see any more."""
    cited = {
        citation["source"]["uuid"]: citation["source"]
        for item in shared.shown
        if item["type"] == "sentence"
        for citation in item["citations"]
    }
    rows = Document.objects.filter(uuid__in=cited).answerable(timezone.localdate())
    current = {str(uuid): number for uuid, number in rows.values_list("uuid", "current_version__number")}
    return [source["title"] for uuid, source in cited.items() if current.get(uuid) != source["version"]]
