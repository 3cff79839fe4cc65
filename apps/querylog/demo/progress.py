"""Says how far the demo's log is: ordered with the quickstart, loaded by the worker, told on the desk's pages."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.querylog.demo_models import DemoLoad
from apps.querylog.models import Conversation

# The order is one row, whoever gives it and however often.
_ONLY = 1


def demo_ordered(*, conversations: int) -> None:
    """Note that so many conversations are to come."""
    DemoLoad.objects.update_or_create(pk=_ONLY, defaults={"conversations": conversations})


def demo_done() -> None:
    """Note that nothing more is to come."""
    DemoLoad.objects.all().delete()


def loading_note() -> str:
    """Say in a sentence that the demo's log is being loaded, and how much of it is there; "" where none is."""
    order = DemoLoad.objects.on_its_way().first()
    if order is None:
        return ""
    loaded = Conversation.objects.filter(is_demo=True).count()
    if not loaded:
        return _(
            "The demo's questions are being loaded: first the sources are read, then the questions answered. "
            "Look again in a few minutes."
        )
    if loaded >= order.conversations:
        return ""
    return _(
        "The demo's questions are being loaded: %(share)d %% so far. What stands here counts only those; "
        "look again in a few minutes."
    ) % {"share": min(99, 100 * loaded // order.conversations)}
