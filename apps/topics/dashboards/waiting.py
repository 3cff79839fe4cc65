"""What is under way while a dashboard is looked at: silence and "not sorted yet" must not look alike."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.documents.models import Party
from apps.querylog.demo.progress import loading_note
from apps.querylog.models import Turn
from apps.topics.dashboards.reading import Filters
from apps.topics.modelling.discovery import LEAST_FOR_TOPICS
from apps.topics.models import Asked, QueryText, Topic, TopicRun


def under_way() -> str:
    """Say in a sentence what changes these pages just now: the demo is loaded, or a run is at work; "" for nothing."""
    loading = loading_note()
    if loading:
        return loading
    run = TopicRun.objects.filter(state__in=[TopicRun.State.QUEUED, TopicRun.State.RUNNING]).first()
    if run is None:
        return ""
    return _("The topics are being computed: %(percent)d %%. Look again in a few minutes.") % {"percent": run.progress}


def nobody_asked(filters: Filters) -> str:
    """Say that nothing was asked in a period: of a party's questions, where only those are looked at."""
    if not filters.party:
        return _("Nobody has asked anything in this period yet.")
    party = Party.objects.get(slug=filters.party).short_name
    return _("No question in this period names %(party)s.") % {"party": party}


def no_topics() -> str:
    """Say why the list of topics is empty; "" where there are some, hidden or retired ones too."""
    if Topic.objects.exists():
        return ""
    number = QueryText.objects.different()
    if number >= LEAST_FOR_TOPICS:
        return _("There are no topics yet. There are enough questions for topics: the next run groups them.")
    return _("There are no topics yet: %(number)d of %(needed)d different questions have been asked.") % {
        "number": number,
        "needed": LEAST_FOR_TOPICS,
    }


def no_runs() -> str:
    """Say why the list of runs is empty; "" where there are some."""
    if TopicRun.objects.exists():
        return ""
    return _("There has been no run yet. One begins each night, and as soon as there are enough questions for topics.")


def why_empty() -> str:
    """Say why a page has nothing to show although somebody has asked, or may have; "" where nobody has."""
    found = under_way()
    if found:
        return found
    newest = Turn.objects.filter(state=Turn.State.DONE).order_by("-pk").first()
    if newest is None or Asked.objects.filter(turn=newest).exists():
        return ""
    return _("Readers have asked; their questions are sorted within a minute. Look again then.")
