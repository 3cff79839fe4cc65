"""The words of codes: reasons of runs, causes of gaps, trends, refusals of changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REASONS: Final[Mapping[str, Promise]] = {
    "no_texts": _("There is no question yet."),
    "too_few_texts": _(
        "Too few different questions for topics: from 30 on they are grouped. Until then they are listed."
    ),
    "too_few_topics": _("Fewer than three topics were found. The topics of before stay."),
    "one_topic_swallows_all": _(
        "One topic would have held more than half of all questions. The topics of before stay."
    ),
    "too_many_unplaced": _("More than 60 percent of the questions fitted nowhere. The topics of before stay."),
    "too_many_lost": _("Too many topics would have lost their identity. The topics of before stay."),
    "by_hand": _("Somebody has cancelled it. The topics of before stay."),
    "edited_meanwhile": _(
        "Editors went on changing topics while it ran. The topics of before stay; the next run goes on from them."
    ),
    "unfinished": _("Its topics stand; counts and charts follow with the next run. The log of the worker says why."),
    "worker_lost": _(
        "Its worker or the database was lost five times, perhaps for want of memory. The topics of before stay; look"
        " into the log of the worker before you start another run."
    ),
    "error": _("It failed; the log of the worker says where. The topics of before stay."),
}
METHODS: Final[Mapping[str, Promise]] = {
    "none": _("none"),
    "listed": _("a list without topics"),
    "agglomerative": _("hierarchical clustering"),
    "density": _("density clustering"),
    "sampled": _("density clustering of a sample"),
    "routine": _("going on with what there is"),
    "average link": _("average linkage"),
    "broad": _("broad groups"),
    "capped": _("groups of limited size"),
    "fine": _("fine groups"),
}
CAUSES: Final[Mapping[str, Promise]] = {
    "no_source": _("no source answers it"),
    "disliked": _("readers said that the answer was of no use"),
    "unfaithful": _("the answer did not follow from its sources"),
    "weak_source": _("the sources hardly touch it"),
    "none": _("answered well"),
}
MOVEMENTS: Final[Mapping[str, Promise]] = {
    "new": _("new"),
    "growing": _("growing"),
    "steady": _("steady"),
    "fading": _("fading"),
    "silent": _("silent"),
}
REFUSED: Final[Mapping[str, Promise]] = {
    "public_needs_name": _("Give the topic a name first: readers never see the machine's words."),
    "nothing_to_merge": _("Choose at least one other topic to bring together with this one."),
    "merged_already": _("One of these topics is part of another one already. Undo that first."),
    "split_needs_some_not_all": _("Choose at least two questions, and not all of them."),
    "split_needs_vectors": _("These questions are not ready yet. Try again in a minute."),
    "undone_already": _("This change has been undone already."),
    "undo_later_first": _("A later change rests on this one. Undo that one first."),
}
STEPS: Final[Mapping[str, Promise]] = {
    "opened": _("opened"),
    "taken": _("taken"),
    "rule": _("a rule was drafted"),
    "link": _("a link was chosen"),
    "note": _("an article was commissioned"),
    "replayed": _("asked again: not yet better"),
    "resolved": _("asked again: resolved"),
    "dismissed": _("dismissed"),
    "reopened": _("open again"),
}


def cause_words(causes: Mapping[str, float]) -> str:
    """Return the heaviest cause of a gap in words."""
    weak = {cause: share for cause, share in causes.items() if cause != "none" and share}
    if not weak:
        return str(CAUSES["weak_source"])
    return str(CAUSES.get(max(weak, key=lambda cause: weak[cause]), CAUSES["weak_source"]))
