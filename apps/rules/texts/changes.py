"""Changes of a rule as sentences: for the history, the review of a release and the page of two editors."""

from __future__ import annotations

from datetime import date, datetime
from enum import Enum
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.rules.differences import Change, Kind, Value
from apps.rules.texts.words import CHOICES, FIELDS, PARTS, need_words, slot_words
from apps.rules.types import CuratedAnswer, Example, LinkedDocument, Phrase, ScopeKind, Slot, TokenList

_LONGEST: Final = 120
_SENTENCES: Final[dict[Kind, str | Promise]] = {
    Kind.CREATED: gettext_lazy("New rule: “%(after)s”."),
    Kind.DELETED: gettext_lazy("Rule removed: “%(before)s”."),
    Kind.CHANGED: gettext_lazy("%(field)s: %(before)s → %(after)s"),
    Kind.ADDED: gettext_lazy("%(field)s: %(after)s added"),
    Kind.REMOVED: gettext_lazy("%(field)s: %(before)s removed"),
    Kind.ORDERED: gettext_lazy("%(field)s: other order"),
}


def change_text(change: Change) -> str:
    """Return one change in the current language, before → after, moments in the newsroom's time."""
    if change.field == "position":
        return _("Moved to another place in the list")
    if change.part == "need" and isinstance(change.before, TokenList) and isinstance(change.after, TokenList):
        before, after = need_words(change.before), need_words(change.after)
    else:
        before, after = _words(change.field, change.before), _words(change.field, change.after)
    if change.kind in (Kind.CREATED, Kind.DELETED):
        before, after = str(change.before or ""), str(change.after or "")
    return str(_SENTENCES[change.kind]) % {"field": _field(change), "before": before, "after": after}


def _field(change: Change) -> str:
    field = str(FIELDS.get(change.field, change.field))
    part = PARTS.get(change.part)
    return f"{field}, {part}" if part else field


def _words(field: str, value: Value) -> str:
    if value is None or value == "":
        return _("empty")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, datetime):
        return date_format(timezone.localtime(value), "SHORT_DATETIME_FORMAT")
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    if isinstance(value, Enum):
        return str(CHOICES.get((field, value.value), value.value))
    if field == "audiences":
        return str(CHOICES.get((field, str(value)), value))
    if isinstance(value, int):
        return str(value)
    return _item(value)


def _item(value: str | Phrase | Slot | TokenList | LinkedDocument | Example | CuratedAnswer) -> str:
    match value:
        case Phrase():
            return _quoted(value.text) if value.is_fuzzy else f"{_quoted(value.text)} ({_('only exactly')})"
        case Slot():
            return slot_words(value)
        case TokenList():
            return f"{need_words(value)} {', '.join(map(slot_words, value.slots))}"
        case LinkedDocument():
            return f"{_quoted(value.title or value.uuid)} ({_scope(value)})"
        case Example():
            return _example(value)
        case CuratedAnswer():
            return _quoted(value.text)
    return _quoted(value)


def _quoted(text: str) -> str:
    return f"“{text[:_LONGEST]} …”" if len(text) > _LONGEST else f"“{text}”"


def _scope(linked: LinkedDocument) -> str:
    scope = linked.scope
    words = {
        ScopeKind.FULL: _("the whole document"),
        ScopeKind.FIRST: _first(scope.last or 0),
        ScopeKind.RANGE: _("passages %(first)s to %(last)s") % {"first": scope.first, "last": scope.last},
        ScopeKind.SECTION: _("section %(path)s") % {"path": " › ".join(scope.path)},
    }[scope.kind]
    if linked.most_tokens is None:
        return words
    return f"{words}, {_('at most %(most)s tokens') % {'most': linked.most_tokens}}"


def _first(count: int) -> str:
    return ngettext("the first passage", "the first %(count)s passages", count) % {"count": count}


def _example(example: Example) -> str:
    must = _("must match") if example.must_match else _("must not match")
    stage = f", {CHOICES[('stage', example.stage.value)]}" if example.stage else ""
    return f"{_quoted(example.question)} ({must}{stage})"
