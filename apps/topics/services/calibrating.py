"""Fits what counts as a weak score with the embedder in use: on answers that nobody disliked, once a week."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from apps.topics.modelling.gap_score import calibrated
from apps.topics.models import Asked, VectorSpace

_FIT_EVERY: Final = timedelta(days=7)
_MOST: Final = 20_000


def space_calibrate(*, embedder: str, is_due: bool = False) -> bool:
    """Fit tau and spread anew where a week has passed; return whether it was done."""
    space = VectorSpace.objects.filter(embedder=embedder).first()
    now = timezone.now()
    if space is None or not (is_due or space.fitted_at is None or space.fitted_at < now - _FIT_EVERY):
        return False
    answered = Asked.objects.filter(
        outcome="answered", is_disliked=False, is_left_out=False, closeness__isnull=False, text__embedder=embedder
    )
    found = calibrated(
        [float(value or 0) for value in answered.order_by("-pk").values_list("closeness", flat=True)[:_MOST]]
    )
    if found is None:
        return False
    space.tau, space.spread, space.fitted_at = found.tau, found.spread, now
    space.save(update_fields=["tau", "spread", "fitted_at"])
    return True
