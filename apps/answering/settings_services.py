"""Writes of the settings of answers: draft, activate, roll back. Each way to other answers is one transaction."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.answering.models import AnswerSettings
from apps.answering.settings_fields import CONTENT, state_of
from apps.core.cleaning import clean_line

Author = User | None
_LONGEST_COMMENT: Final = 300
# Any constant: names the lock on the number of the next version.
_SETTINGS_LOCK: Final = 6_410_004


class SettingsRefusedError(Exception):
    """A write was refused and nothing was changed; repeating it does not help. The message is for the person."""

    permanent = True


class CommentMissingError(SettingsRefusedError):
    """Nobody said why."""

    def __init__(self) -> None:
        super().__init__(_("Say in a few words why, for colleagues who read the history."))


class OvertakenError(SettingsRefusedError):
    """Other settings went live since somebody looked at what would change."""

    def __init__(self) -> None:
        super().__init__(_("Another version went live meanwhile. Look through the changes again."))


class DraftChangedError(SettingsRefusedError):
    """Somebody saved the draft since its changes were looked at."""

    def __init__(self) -> None:
        super().__init__(_("Somebody has changed this draft meanwhile. Look through the changes again."))


class NotADraftError(SettingsRefusedError):
    """Only a draft can be activated, and only once."""

    def __init__(self) -> None:
        super().__init__(_("This version is not a draft any more."))


class SettingsInvalidError(SettingsRefusedError):
    """The draft contradicts itself or the set-up of this installation."""

    def __init__(self, error: ValidationError) -> None:
        super().__init__(_("This draft cannot go live: %(reasons)s") % {"reasons": " ".join(error.messages)})


def settings_draft(*, author: Author, title: str, like: AnswerSettings | None = None) -> AnswerSettings:
    """Begin a draft that says what ``like`` says; without it, what the product ships."""
    content = {name: getattr(like, name) for name in CONTENT} if like else {}
    return AnswerSettings.objects.create(
        title=clean_line(title, limit=120), author=author, author_name=_name(author), **content
    )


def settings_activate(
    *, draft_id: int, author: Author, comment: str, expected: int, seen: str | None = None
) -> AnswerSettings:
    """Put a draft in force. ``expected`` is the number that was in force when somebody looked at the changes.

    It is 0 as long as nothing was activated. ``seen`` is the state of the draft that they looked at. Raises
    CommentMissingError, OvertakenError, NotADraftError, DraftChangedError, SettingsInvalidError.
    """
    why = _comment(comment)
    with transaction.atomic():
        _lock()
        if _live_number() != expected:
            raise OvertakenError
        draft = AnswerSettings.objects.drafts().select_for_update().filter(pk=draft_id).first()
        if draft is None:
            raise NotADraftError
        if seen is not None and seen != state_of(draft):
            raise DraftChangedError
        return _put_in_force(draft, author, why)


def settings_rollback(*, number: int, author: Author, comment: str, expected: int) -> AnswerSettings:
    """Put what an old version says in force again, under a new number; 0 is what the product ships.

    Raises CommentMissingError, OvertakenError, NotADraftError where there is no such version, SettingsInvalidError.
    """
    why = _comment(comment)
    with transaction.atomic():
        _lock()
        if _live_number() != expected:
            raise OvertakenError
        old = AnswerSettings.objects.activated().filter(number=number).first()
        if old is None and number:
            raise NotADraftError
        title = old.title if old else _("As shipped")
        content = {name: getattr(old, name) for name in CONTENT} if old else {}
        return _put_in_force(AnswerSettings(title=title, restored_from=old, **content), author, why)


def _put_in_force(row: AnswerSettings, author: Author, comment: str) -> AnswerSettings:
    try:
        row.clean_fields()
        row.clean()
    except ValidationError as error:
        raise SettingsInvalidError(error) from error
    row.number, row.activated_at = _live_number() + 1, timezone.now()
    row.author, row.author_name, row.comment = author, _name(author), comment
    row.save()
    return row


def _lock() -> None:
    """Let one activation after the other choose its number."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_SETTINGS_LOCK])


def _live_number() -> int:
    live = AnswerSettings.objects.in_force()
    return live.number or 0 if live else 0


def _comment(comment: str) -> str:
    why = clean_line(comment, limit=_LONGEST_COMMENT)
    if not any(character.isalnum() for character in why):
        raise CommentMissingError
    return why


def _name(author: Author) -> str:
    return author.get_username()[:150] if author else ""
