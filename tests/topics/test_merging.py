"""Runs propose pairs of topics, editors decide; what was declined or split is not proposed."""

from __future__ import annotations

import numpy as np
import pytest
from django.contrib.auth.models import Permission, User
from django.db import IntegrityError, transaction
from django.urls import reverse

from apps.topics.models import MergeProposal, Topic
from apps.topics.services.edits import edit_undo
from apps.topics.services.merging import (
    ProposalDecidedError,
    merge_accept,
    merge_decline,
    merges_propose,
    open_merges_label,
)
from apps.topics.spaces import packed_centre

pytestmark = pytest.mark.django_db
LIST = "admin:topics_mergeproposal_changelist"


def topic(name: str, angle: float, *keywords: str, **more) -> Topic:
    centre = packed_centre(np.array([np.cos(angle), np.sin(angle)], dtype=np.float32))
    fields = {"state": "active", "embedder": "e", "centre": centre, "keywords": list(keywords), **more}
    return Topic.objects.create(label_auto=name, **fields)


@pytest.fixture
def pair() -> tuple[Topic, Topic]:
    return topic("Miete", 0.0, "Miete", "Stadt", sessions_week=5), topic("Mieten", 0.5, "miete", sessions_week=9)


def propose() -> MergeProposal:
    assert merges_propose(embedder="e") == 1
    return MergeProposal.objects.get(state="open")


def test_near_topics_with_a_word_in_common_are_proposed_once(pair):
    topic("Wetter", 0.2, "Regen")
    topic("Stadt", 2.0, "Stadt")
    proposal = propose()
    assert (proposal.one, proposal.other, proposal.shared) == (*pair, ["miete"])
    assert propose().pk != proposal.pk
    assert MergeProposal.objects.count() == 1


@pytest.mark.parametrize(("word", "shared"), [("Mietendeckel", ["Miete"]), ("Mie", []), ("Vermieter", [])])
def test_the_beginning_of_a_compound_is_a_word_in_common(pair, word, shared):
    for topic, keywords in zip(pair, (["Miete"], [word]), strict=True):
        topic.keywords = keywords
        topic.save()
    merges_propose(embedder="e")
    assert list(MergeProposal.objects.values_list("shared", flat=True)) == ([shared] if shared else [])


def test_accepting_merges_into_the_larger_one_and_can_be_undone(pair):
    small, large = pair
    assert merge_accept(proposal=propose(), editor=None) == large
    small.refresh_from_db()
    assert small.merged_into == large
    assert merges_propose(embedder="e") == 0
    edit_undo(edit=large.edits.get(), editor=None)
    assert merges_propose(embedder="e") == 0, "an editor has decided"


def test_the_desks_name_wins_over_size(pair):
    pair[0].label_editor = "Wohnen"
    pair[0].save()
    assert merge_accept(proposal=propose(), editor=None) == pair[0]


def test_what_was_declined_or_split_by_hand_is_not_proposed(pair):
    merge_decline(proposal=propose(), editor=None)
    assert merges_propose(embedder="e") == 0
    MergeProposal.objects.all().delete()
    pair[1].split_from, pair[1].is_split_by_hand = pair[0], True
    pair[1].save()
    assert merges_propose(embedder="e") == 0


def test_two_editors_decide_once(pair):
    proposal = propose()
    merge_decline(proposal=proposal, editor=None)
    with pytest.raises(ProposalDecidedError):
        merge_accept(proposal=proposal, editor=None)


def test_a_pair_stands_there_in_one_order_only(pair):
    with pytest.raises(IntegrityError), transaction.atomic():
        MergeProposal.objects.create(one=pair[1], other=pair[0], similarity=1.0)


def test_the_page_and_its_buttons(client, rf, pair):
    user = User.objects.create_user("desk", is_staff=True)
    client.force_login(user)
    proposal = propose()
    assert client.get(reverse(LIST)).status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="view_topic"))
    page = client.get(reverse(LIST)).text
    assert "Mieten" in page
    decide = reverse("admin:topics_merge_decide", args=[proposal.pk])
    assert decide not in page
    assert client.post(decide, {"what": "accept"}).status_code == 403
    assert client.get(decide).status_code == 405
    user.user_permissions.add(Permission.objects.get(codename="change_topic"))
    assert open_merges_label(rf.get("/")) == "1"
    assert decide in client.get(reverse(LIST)).text
    client.post(decide, {"what": "accept"})
    assert MergeProposal.objects.get().editor == user
    assert open_merges_label(rf.get("/")) == ""
    assert client.post(decide, {"what": "decline"}, follow=True).status_code == 200
    assert MergeProposal.objects.get().state == "accepted"
    assert client.post(reverse("admin:topics_merge_decide", args=[10**9])).status_code == 404
