"""Pairs of topics that may be one subject: proposed by runs, decided by editors."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from apps.language.normalising import fold
from apps.topics import spaces
from apps.topics.modelling.routine import similar_topics
from apps.topics.models import MergeProposal, Topic
from apps.topics.services.edits import topics_merge

_MOST_OPEN: Final = 20
# Shorter beginnings are chance.
_LEAST_STEM: Final = 5


class ProposalDecidedError(Exception):
    """Somebody else has decided meanwhile, or one of the topics is not there any more."""


def merges_propose(*, embedder: str) -> int:
    """Propose the pairs of today and forget open ones that no longer hold; return how many are open."""
    topics = list(Topic.objects.shown().filter(embedder=embedder).exclude(centre=b"").order_by("pk"))
    decided = MergeProposal.objects.exclude(state=MergeProposal.State.OPEN)
    known = set(decided.values_list("one", "other"))
    found = [
        MergeProposal(one=topics[other], other=topics[one], similarity=round(similarity, 4), shared=shared)
        for one, other, similarity in similar_topics(spaces.centres(topics))
        if (shared := _shared(topics[one], topics[other]))
        and (topics[other].pk, topics[one].pk) not in known
        and not _is_split(topics[one], topics[other])
    ][:_MOST_OPEN]
    with transaction.atomic():
        MergeProposal.objects.filter(state=MergeProposal.State.OPEN).delete()
        MergeProposal.objects.bulk_create(found, ignore_conflicts=True)
    return len(found)


def _shared(one: Topic, other: Topic) -> list[str]:
    """Return the keywords in common, also where one is the beginning of the other: "Böller" and "Böllerverbot"."""
    pairs = [(mine, word, fold(mine), fold(word)) for mine in one.keywords for word in other.keywords]
    found = [
        mine if len(first) <= len(second) else word
        for mine, word, first, second in pairs
        if first == second or (min(len(first), len(second)) >= _LEAST_STEM and _is_beginning(first, second))
    ]
    return list(dict.fromkeys(found))


def _is_beginning(first: str, second: str) -> bool:
    return first.startswith(second) or second.startswith(first)


def _is_split(one: Topic, other: Topic) -> bool:
    """Say whether an editor has cut one off the other."""
    return any(each.is_split_by_hand and each.split_from_id == whole.pk for each, whole in ((one, other), (other, one)))


def merge_accept(*, proposal: MergeProposal, editor: User | None) -> Topic:
    """Bring the two together, under the one with a name of the desk's, else the one that more readers ask."""
    with transaction.atomic():
        locked = _open(proposal)
        into, part = sorted(
            (locked.one, locked.other), key=lambda topic: (not topic.is_kept, -topic.sessions_week, topic.pk)
        )
        _decide(locked, MergeProposal.State.ACCEPTED, editor)
        topics_merge(into=into, others=[part], editor=editor)
    return into


def merge_decline(*, proposal: MergeProposal, editor: User | None) -> None:
    """Leave them apart; they are not proposed again."""
    with transaction.atomic():
        _decide(_open(proposal), MergeProposal.State.DECLINED, editor)


def open_merges_label(request: HttpRequest) -> str:
    """Return how many proposals wait: the number beside their entry in the menu, "" for none."""
    count = MergeProposal.objects.filter(state=MergeProposal.State.OPEN).count()
    return str(count) if count else ""


def _open(proposal: MergeProposal) -> MergeProposal:
    waiting = MergeProposal.objects.select_for_update(of=("self",)).select_related("one", "other")
    locked = waiting.filter(pk=proposal.pk, state=MergeProposal.State.OPEN).first()
    if locked is None or Topic.State.MERGED in (locked.one.state, locked.other.state):
        raise ProposalDecidedError
    return locked


def _decide(proposal: MergeProposal, state: str, editor: User | None) -> None:
    proposal.state, proposal.editor, proposal.decided_at = state, editor, timezone.now()
    proposal.save(update_fields=["state", "editor", "decided_at"])
