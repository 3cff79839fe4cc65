"""Editors' decisions on passages that give orders to a machine."""

from __future__ import annotations

from django.db import transaction

from apps.documents.models import Chunk, Document


def chunk_review(*, chunk: Chunk, is_approved: bool) -> int:
    """Approve a suspicious chunk or keep it out, and every other chunk of its document that holds the same passage.

    Returns how many chunks changed. What is approved is found at once; a decision can be taken back at any time.
    """
    with transaction.atomic():
        # Under the lock of indexing, which takes the decisions over to the new chunks.
        Document.objects.select_for_update(of=("self",)).get(pk=chunk.document_id)
        suspicious = Chunk.objects.filter(document=chunk.document_id).exclude(review=Chunk.Review.FREE)
        chunks = list(suspicious.only("pk", "review", "suspicions"))
        decided = {key for _start, _end, _kinds, key in chunk.suspicions}
        changed = [each for each in chunks if _follows(each, decided, is_approved)]
        for each in changed:
            each.review = Chunk.Review.APPROVED if is_approved else Chunk.Review.KEPT_OUT
        Chunk.objects.bulk_update(changed, ["review"])
    return len(changed)


def _follows(chunk: Chunk, decided: set[str], is_approved: bool) -> bool:
    """One bad passage keeps a chunk out; to approve it, all of its passages must be approved."""
    keys = {key for _start, _end, _kinds, key in chunk.suspicions}
    return keys <= decided if is_approved else bool(keys & decided)
