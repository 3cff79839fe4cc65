"""Opens gaps, keeps their scores, and moves them over the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from apps.documents.models import CuratedLink
from apps.querylog.counting import berlin_today
from apps.topics.modelling import gap_score
from apps.topics.modelling.gap_score import Calibration, GapScore
from apps.topics.models import Asked, Gap, GapStep, Topic, VectorSpace

# Weak questions that are run again after the desk has done something.
MOST_EVIDENCE: Final = 50
_BUSY_QUANTILE: Final = 0.9
# More is as much as anybody wants to know beside a menu entry.
_MOST_COUNTED: Final = 99


class GapChangedError(Exception):
    """Somebody else has moved the gap meanwhile."""


def gaps_update(*, today: date | None = None) -> list[Gap]:
    """Score all topics on the last seven days and today; return the gaps that opened or opened again."""
    day = today or berlin_today()
    topics = list(Topic.objects.filter(state__in=["candidate", "active"], is_hidden=False))
    busy = float(np.quantile([topic.sessions_week for topic in topics], _BUSY_QUANTILE)) if topics else 0.0
    calibration = _calibration()
    asked = _asked_by_topic(topics, day - timedelta(days=7), day)
    fresh = []
    for topic in topics:
        score = gap_score.gap_score(asked.get(topic.pk, []), calibration, busy=busy, baseline=topic.sessions_before)
        gap = _gap_follow(topic, score)
        if gap is not None:
            fresh.append(gap)
        topic.gap_score, topic.was_weak = round(score.score, 2), gap_score.is_weak(score)
    Topic.objects.bulk_update(topics, ["gap_score", "was_weak"], batch_size=1_000)
    return fresh


def _gap_follow(topic: Topic, score: GapScore) -> Gap | None:
    """Bring the topic's gap up to date, or open one; return it where that is news."""
    gap = Gap.objects.open().filter(topic=topic).first()
    if gap is not None:
        gap.score, gap.parts = round(score.score, 2), parts_of(score)
        gap.save(update_fields=["score", "parts", "changed_at"])
        return None
    if not gap_score.opens(score, was_weak_before=topic.was_weak):
        return None
    last = Gap.objects.filter(topic=topic).order_by("-closed_at").first()
    if last is not None and last.state == Gap.State.DISMISSED:
        return None
    return _reopened(last, score) if last is not None else _opened(topic, score)


def _opened(topic: Topic, score: GapScore) -> Gap:
    with transaction.atomic():
        gap = Gap.objects.create(topic=topic, score=round(score.score, 2), parts=parts_of(score))
        GapStep.objects.create(gap=gap, kind="opened", data=gap.parts)
    return gap


def _reopened(gap: Gap, score: GapScore) -> Gap:
    with transaction.atomic():
        gap.state, gap.closed_at = Gap.State.REOPENED, None
        gap.score, gap.parts = round(score.score, 2), parts_of(score)
        gap.save()
        GapStep.objects.create(gap=gap, kind="reopened", data=gap.parts)
    return gap


def parts_of(score: GapScore) -> dict[str, Any]:
    """Return the parts of a score as they are stored and shown."""
    return {
        "sessions": score.sessions,
        "weak": round(score.weak, 4),
        "lower": round(score.lower, 4),
        "demand": round(score.demand, 4),
        "growth": round(score.growth, 4),
        "causes": {cause.value: round(share, 4) for cause, share in score.causes.items()},
    }


def _calibration() -> Calibration | None:
    space = VectorSpace.objects.exclude(tau=None).order_by("-fitted_at").first()
    return Calibration(space.tau, space.spread) if space and space.tau is not None and space.spread else None


def _asked_by_topic(topics: Sequence[Topic], first: date, last: date) -> dict[int, list[gap_score.Asked]]:
    rows = Asked.objects.of_days(first, last).filter(text__member__topic__in=[topic.pk for topic in topics])
    # What was asked before a gap was closed says nothing about whether it is closed.
    closed = dict(Gap.objects.filter(state=Gap.State.RESOLVED).order_by("closed_at").values_list("topic", "closed_at"))
    found: dict[int, list[gap_score.Asked]] = {}
    columns = ("text__member__topic", "asked_at", "session", "outcome", "is_refused", "is_disliked", "is_left_out")
    for topic, asked_at, session, outcome, is_refused, is_disliked, is_left_out, closeness in rows.values_list(
        *columns, "closeness"
    ):
        if topic in closed and asked_at <= closed[topic]:
            continue
        found.setdefault(topic, []).append(
            gap_score.Asked(
                session=session,
                is_refused=is_refused,
                is_disliked=is_disliked,
                is_left_out=is_left_out or outcome == "clarified",
                closeness=closeness,
            )
        )
    return found


def weak_texts(topic: Topic, most: int = MOST_EVIDENCE) -> list[Any]:
    """Return the topic's texts that were answered worst, the commonest first: the evidence of a gap."""
    from apps.topics.models import QueryText

    weak = Asked.objects.filter(text__member__topic=topic, is_left_out=False).exclude(outcome="clarified")
    counts: dict[int, list[int]] = {}
    for text, is_refused, is_disliked in weak.values_list("text", "is_refused", "is_disliked"):
        counted = counts.setdefault(text, [0, 0])
        counted[0] += is_refused or is_disliked
        counted[1] += 1
    order = sorted(counts, key=lambda text: (-counts[text][0], -counts[text][1], text))
    texts = QueryText.objects.in_bulk(order[:most])
    return [texts[text] for text in order[:most] if text in texts]


def open_label(request: HttpRequest) -> str:
    """Return how many gaps nobody works on yet: the number beside their entry in the menu, "" for none."""
    waiting = Gap.objects.filter(state__in=(Gap.State.OPEN, Gap.State.REOPENED), topic__is_hidden=False)
    count = waiting[: _MOST_COUNTED + 1].count()
    if not count:
        return ""
    return str(count) if count <= _MOST_COUNTED else f"{_MOST_COUNTED}+"


def gap_take(*, gap: Gap, editor: User | None) -> None:
    """Say who works on it."""
    gap_move(gap, (Gap.State.OPEN, Gap.State.REOPENED, Gap.State.TAKEN), Gap.State.TAKEN, editor, "taken", {})


def gap_dismiss(*, gap: Gap, editor: User | None, why: str) -> None:
    """Close it without an answer, for a reason; it does not open again by itself."""
    if why not in Gap.Dismissal.values:
        raise ValueError("A gap is dismissed for one of the known reasons.")
    now = timezone.now()
    gap_move(gap, _OPEN, Gap.State.DISMISSED, editor, "dismissed", {"why": why}, dismissal=why, closed_at=now)


def gap_reopen(*, gap: Gap, editor: User | None) -> None:
    """Open a closed gap again by hand."""
    if Gap.objects.open().filter(topic=gap.topic_id).exclude(pk=gap.pk).exists():
        raise GapChangedError
    gap_move(gap, (Gap.State.RESOLVED, Gap.State.DISMISSED), Gap.State.REOPENED, editor, "reopened", {},
          dismissal="", closed_at=None)  # fmt: skip


def gaps_follow(*, into: Topic, parts: Sequence[Topic], editor: User | None) -> list[dict[str, Any]]:
    """Let open gaps of topics that become part of another go on there; beside one of its own they are duplicates.

    Returns what ``gaps_return`` needs to take that back.
    """
    moved: list[dict[str, Any]] = []
    for gap in Gap.objects.open().select_for_update().filter(topic__in=parts).order_by("-score", "pk"):
        if Gap.objects.open().filter(topic=into).exists():
            moved.append({"gap": gap.pk, "state": gap.state})
            gap_dismiss(gap=gap, editor=editor, why=Gap.Dismissal.DUPLICATE)
        else:
            moved.append({"gap": gap.pk, "topic": gap.topic_id})
            gap.topic = into
            gap.save(update_fields=["topic", "changed_at"])
    return moved


def gaps_return(*, moved: Sequence[Mapping[str, Any]], editor: User | None) -> None:
    """Give gaps back to topics that are on their own again; what has been decided about one meanwhile stands."""
    for row in moved:
        gap = Gap.objects.select_for_update().filter(pk=row["gap"]).first()
        if gap is None:
            continue
        topic = row.get("topic", gap.topic_id)
        is_taken = Gap.objects.open().filter(topic=topic).exclude(pk=gap.pk).exists()
        if "topic" in row and (gap.is_closed or not is_taken):
            gap.topic_id = topic
            gap.save(update_fields=["topic", "changed_at"])
        elif "state" in row and gap.dismissal == Gap.Dismissal.DUPLICATE and not is_taken:
            gap_move(gap, (Gap.State.DISMISSED,), row["state"], editor, "reopened", {}, dismissal="", closed_at=None)


def gap_note(*, gap: Gap, editor: User | None, note: str) -> None:
    """Commission an article: what it should say."""
    gap_move(gap, _OPEN, Gap.State.TAKEN, editor, "note", {}, note=note)


def gap_link(*, gap: Gap, editor: User | None, link: CuratedLink) -> None:
    """Note which article answers it; readers get it through the rule or the party that it hangs on."""
    gap_move(gap, _OPEN, Gap.State.TAKEN, editor, "link", {"link": link.pk}, link=link, replay_wanted=True)


_OPEN: Final = (Gap.State.OPEN, Gap.State.TAKEN, Gap.State.REOPENED)


def gap_move(
    gap: Gap, allowed: Sequence[str], state: str, editor: User | None, kind: str, data: dict[str, Any], **fields: Any
) -> None:
    """Move a gap that stands where the editor saw it; raise GapChangedError where it does not."""
    with transaction.atomic():
        locked = Gap.objects.select_for_update().filter(pk=gap.pk, state__in=allowed).first()
        if locked is None:
            raise GapChangedError
        locked.state = state
        if editor is not None:
            locked.editor = editor
        for name, value in fields.items():
            setattr(locked, name, value)
        locked.save()
        GapStep.objects.create(gap=locked, kind=kind, data=data, editor=editor)
    gap.refresh_from_db()
