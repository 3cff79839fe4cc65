"""Tells the desk of gaps: in the back office, by mail and webhook; once per gap, a few a day, a digest of the rest."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core.mail import send_mail
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from apps.querylog.counting import berlin_span, berlin_today
from apps.topics.models import Gap, GapNotice
from apps.topics.wording import cause_words

logger = logging.getLogger(__name__)
_SILENCE: Final = timedelta(days=7)
_DOUBLED: Final = 2.0
_TIMEOUT: Final = 10.0

Post = Callable[[str, bytes], None]


def notices_send(*, fresh: Sequence[Gap], post: Post | None = None) -> list[GapNotice]:
    """Note what is news about open gaps, and mail and post it as far as the day's limit goes."""
    news = [gap for gap in Gap.objects.open().select_related("topic") if _is_news(gap)]
    del fresh
    left = settings.TOPICS_NOTICES_PER_DAY - _sent_today()
    made = []
    for gap in sorted(news, key=lambda each: -each.score):
        notice = GapNotice.objects.create(gap=gap, score=gap.score, is_digest=left <= 0)
        if left > 0:
            left -= 1
            _deliver(notice, post or post_json)
        made.append(notice)
    return made


def _is_news(gap: Gap) -> bool:
    """Say whether the desk has not heard of it for a week, or it has become twice as bad."""
    last = gap.notices.order_by("-created_at").first()
    if gap.topic.is_hidden or (gap.state == Gap.State.TAKEN and last is not None):
        return False
    if last is None:
        return True
    return last.created_at < timezone.now() - _SILENCE or gap.score >= _DOUBLED * max(last.score, 1.0)


def _sent_today() -> int:
    since, _end = berlin_span(berlin_today())
    return GapNotice.objects.filter(created_at__gte=since, is_digest=False).count()


def _deliver(notice: GapNotice, post: Post) -> None:
    """Mail and post one notice; a server that is away costs the mail, never the run."""
    subject, body = notice_words(notice.gap)
    if settings.TOPICS_NOTICE_MAIL:
        try:
            send_mail(subject, body, None, list(settings.TOPICS_NOTICE_MAIL))
            notice.mailed_at = timezone.now()
        except OSError as error:
            logger.warning("The notice about a gap could not be mailed: %s", type(error).__name__)
    if settings.TOPICS_NOTICE_WEBHOOK:
        try:
            post(settings.TOPICS_NOTICE_WEBHOOK, webhook_body(notice.gap))
            notice.posted_at = timezone.now()
        except OSError as error:
            logger.warning("The notice about a gap could not be posted: %s", type(error).__name__)
    notice.save(update_fields=["mailed_at", "posted_at"])


def notice_words(gap: Gap) -> tuple[str, str]:
    """Return subject and text of a notice. Names and figures only: no reader's words leave the back office."""
    with translation.override(settings.LANGUAGE_CODE):
        parts = gap.parts
        subject = _("Gap: %(topic)s") % {"topic": gap.topic.name}
        body = _(
            "%(sessions)d readers asked about “%(topic)s” in seven days; %(weak)d %% of it was answered badly."
            " Mostly: %(cause)s."
        ) % {
            "sessions": parts.get("sessions", 0),
            "topic": gap.topic.name,
            "weak": round(100 * parts.get("weak", 0)),
            "cause": cause_words(parts.get("causes", {})),
        }
    return subject, body


def webhook_body(gap: Gap) -> bytes:
    """Return what is posted: ``text`` is what Slack, Mattermost and Teams show."""
    subject, body = notice_words(gap)
    data: dict[str, Any] = {"text": f"{subject}\n{body}", "topic": gap.topic.name, "score": gap.score, **gap.parts}
    return json.dumps(data, ensure_ascii=False).encode()


def post_json(url: str, body: bytes) -> None:
    """Post to the operator's own address; raises OSError when it is not taken."""
    import httpx2 as httpx

    try:
        answer = httpx.post(url, content=body, headers={"Content-Type": "application/json"}, timeout=_TIMEOUT)
        answer.raise_for_status()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise OSError(type(error).__name__) from error


def digest_send(*, post: Post | None = None) -> int:
    """Send what the day's limit held back, in one mail and one post; return how many gaps these name.

    Each way for itself: what could not be mailed at once is mailed, what could not be posted is posted, and what a
    server does not take either waits for the next morning.
    """
    mailed = _told(settings.TOPICS_NOTICE_MAIL, "mailed_at", _digest_mailed)
    posted = _told(settings.TOPICS_NOTICE_WEBHOOK, "posted_at", lambda named: _digest_posted(named, post or post_json))
    return len(mailed | posted)


def _told(is_wanted: object, field: str, tell: Callable[[Sequence[GapNotice]], None]) -> set[int]:
    """Tell of what this way has not told of yet; return the gaps. ``field`` says when a notice went this way."""
    if not is_wanted:
        return set()
    since = timezone.now() - _SILENCE
    # What is older has been told again since, or is closed: a way that is set up late does not begin with old news.
    waiting = GapNotice.objects.filter(**{field: None}, created_at__gte=since).select_related("gap__topic")
    held = list(waiting.order_by("pk"))
    named = {notice.gap_id: notice for notice in held if _concerns(notice.gap)}
    if named:
        try:
            tell(list(named.values()))
        except OSError as error:
            logger.warning("The digest of gaps could not be sent (%s): %s", field, type(error).__name__)
            return set()
    GapNotice.objects.filter(pk__in=[notice.pk for notice in held]).update(**{field: timezone.now()})
    return set(named)


def _concerns(gap: Gap) -> bool:
    """Say whether the desk still wants to hear of it."""
    return not gap.is_closed and not gap.topic.is_hidden


def _digest_mailed(notices: Sequence[GapNotice]) -> None:
    send_mail(*_digest_words(notices), None, list(settings.TOPICS_NOTICE_MAIL))


def _digest_posted(notices: Sequence[GapNotice], post: Post) -> None:
    post(settings.TOPICS_NOTICE_WEBHOOK, _digest_body(notices))


def _digest_words(notices: Sequence[GapNotice]) -> tuple[str, str]:
    with translation.override(settings.LANGUAGE_CODE):
        subject = _("%(number)d more gaps in what readers ask") % {"number": len(notices)}
    return subject, "\n\n".join("\n".join(notice_words(notice.gap)) for notice in notices)


def _digest_body(notices: Sequence[GapNotice]) -> bytes:
    gaps = [{"topic": notice.gap.topic.name, "score": notice.gap.score, **notice.gap.parts} for notice in notices]
    return json.dumps({"text": "\n".join(_digest_words(notices)), "gaps": gaps}, ensure_ascii=False).encode()
