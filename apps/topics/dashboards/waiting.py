"""What is under way while a dashboard is looked at: silence and "not sorted yet" must not look alike."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.querylog.demo.progress import loading_note
from apps.querylog.models import Turn
from apps.topics.models import Asked, TopicRun


def under_way() -> str:
    """Say in a sentence what changes these pages just now: the demo is loaded, or a run is at work; "" for nothing."""
    loading = loading_note()
    if loading:
        return loading
    run = TopicRun.objects.filter(state__in=[TopicRun.State.QUEUED, TopicRun.State.RUNNING]).first()
    if run is None:
        return ""
    return _("The topics are being computed: %(percent)d %%. Look again in a few minutes.") % {"percent": run.progress}


def why_empty() -> str:
    """Say why a page has nothing to show although somebody has asked, or may have; "" where nobody has."""
    found = under_way()
    if found:
        return found
    newest = Turn.objects.filter(state=Turn.State.DONE).order_by("-pk").first()
    if newest is None or Asked.objects.filter(turn=newest).exists():
        return ""
    return _("Readers have asked; their questions are sorted within a minute. Look again then.")
