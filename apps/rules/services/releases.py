"""Writes of releases: publish, pause at once, roll back. Each is one transaction and one new release."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from apps.core.cleaning import clean_line
from apps.rules.loading import live_release, release_set, rule_spec
from apps.rules.models import Release, ReleaseRule, Rule, RuleVersion
from apps.rules.serialising import rule_from_json
from apps.rules.services.errors import (
    ChecksFailedError,
    CommentMissingError,
    NothingToPublishError,
    NotLiveError,
    ReleaseOvertakenError,
    UnknownRuleError,
)
from apps.rules.services.locking import rules_later, rules_lock
from apps.rules.services.previewing import ReleasePreview, RuleDifference, release_preview, release_proposal
from apps.rules.services.refusals import refusals
from apps.rules.services.resetting import drafts_reset
from apps.rules.services.storing import make_version, write_rules
from apps.rules.types import RuleSet, RuleSpec, Status

__all__ = [
    "ReleasePreview",
    "RuleDifference",
    "release_preview",
    "release_proposal",
    "release_publish",
    "release_rollback",
    "rule_pause_now",
]

Author = User | None
_LONGEST_COMMENT: Final = 300


def release_publish(
    *, author: Author, comment: str, uids: Collection[str] | None = None, expected_release: int
) -> Release:
    """Publish the draft, or only these rules of it. ``expected_release`` is the number that the preview named.

    Raises CommentMissingError, ReleaseOvertakenError, ChecksFailedError, NothingToPublishError, UnknownRuleError.
    """
    why = _comment(comment)
    with transaction.atomic():
        rules_lock()
        live = live_release()
        if (live.number if live else 0) != expected_release:
            raise ReleaseOvertakenError(live)
        preview = release_preview(uids=uids)
        if preview.blockers:
            raise ChecksFailedError(preview.blockers)
        if preview.is_empty:
            raise NothingToPublishError
        versions = _versions(preview.rule_set.rules, author)
        return _release(preview.rule_set, versions, kind=Release.Kind.PUBLISH, author=author, comment=why)


def rule_pause_now(*, uid: str, author: Author, comment: str) -> Release:
    """Take one rule and those below it out of the live set, and nothing else; unpublished work stays unpublished.

    Asks no checks: what is wrong must be stopped. Raises NotLiveError, CommentMissingError.
    """
    why = _comment(comment)
    with refusals(uid), transaction.atomic():
        rules_lock()
        live = live_release()
        rules = release_set(live) if live else RuleSet(())
        running = next((rule for rule in rules.rules if rule.uid == uid and rule.status is Status.ACTIVE), None)
        if running is None:
            raise NotLiveError(uid)
        paused = _pause_in_draft(running, author, why)
        others = [rule for rule in rules.rules if rule.uid != uid]
        fresh = replace(rules, rules=(*others, paused))
        versions = _version_keys(fresh.rules)
        return _release(fresh, versions, kind=Release.Kind.PAUSE, author=author, comment=why)


def release_rollback(*, number: int, author: Author, comment: str) -> Release:
    """Publish the set of an old release under a new number and make the draft the same.

    Rules come back with all their rows, deleted ones too. Those made since become drafts, or are archived where a
    phrase of theirs belongs to another rule again; their work stays in their history.
    """
    why = _comment(comment)
    with refusals(), transaction.atomic(), rules_later():
        rules_lock()
        old = Release.objects.filter(number=number).first()
        if old is None:
            raise UnknownRuleError(str(number))
        rules = release_set(old)
        note = _("Rolled back to release %(number)s") % {"number": number}
        restored = drafts_reset(rules, author=author, comment=note)
        versions = _versions(restored, author)
        fresh = replace(rules, rules=tuple(restored))
        return _release(fresh, versions, kind=Release.Kind.ROLLBACK, author=author, comment=why, restored_from=old)


def _comment(comment: str) -> str:
    why = clean_line(comment, limit=_LONGEST_COMMENT)
    if not why:
        raise CommentMissingError
    return why


def _pause_in_draft(running: RuleSpec, author: Author, comment: str) -> RuleSpec:
    """Pause the live version and the draft; return the live one with the number of its new version."""
    draft = Rule.objects.filter(uid=running.uid).whole().first()
    paused = replace(running, status=Status.PAUSED)
    spec = rule_spec(draft) if draft else None
    if spec is not None and replace(spec, version=0) == replace(running, version=0):
        written = write_rules([paused], author=author, comment=comment, existing={draft.uid: draft} if draft else {})
        return replace(paused, version=written.rules[running.uid].version)
    last = RuleVersion.objects.filter(uid=running.uid).order_by("-number").values_list("number", flat=True).first()
    paused = replace(paused, version=(last or running.version) + 1)
    make_version(paused, author, comment).save()
    if draft is not None and spec is not None and spec.status is Status.ACTIVE:
        # Its unpublished changes stay on top of what is live now.
        write_rules([replace(spec, status=Status.PAUSED)], author=author, comment=comment, existing={draft.uid: draft})
    return paused


def _versions(rules: Iterable[RuleSpec], author: Author) -> list[int]:
    """Return the keys of the versions that hold these rules; what was changed past the desk gets a version now."""
    specs = list(rules)
    numbers = {spec.uid: spec.version for spec in specs}
    kept = {
        version.uid: version
        for version in RuleVersion.objects.filter(uid__in=numbers)
        if version.number == numbers[version.uid]
    }
    strays = [spec for spec in specs if spec.uid not in kept or _as_kept(kept[spec.uid]) != spec]
    keys = [version.pk for uid, version in kept.items() if uid not in {spec.uid for spec in strays}]
    return keys + [_adopt(spec, author) for spec in strays]


def _as_kept(version: RuleVersion) -> RuleSpec:
    return rule_from_json(version.data, version=version.number)


def _adopt(spec: RuleSpec, author: Author) -> int:
    last = RuleVersion.objects.filter(uid=spec.uid).order_by("-number").values_list("number", flat=True).first()
    fresh = replace(spec, version=max(last or 0, spec.version) + 1)
    version = make_version(fresh, author, _("Found changed outside the rule desk"))
    version.save()
    Rule.objects.filter(uid=spec.uid).update(version=fresh.version)
    return version.pk


def _version_keys(rules: Iterable[RuleSpec]) -> list[int]:
    numbers = {rule.uid: rule.version for rule in rules}
    rows = RuleVersion.objects.filter(uid__in=numbers).values_list("uid", "number", "pk")
    return [pk for uid, number, pk in rows if numbers[uid] == number]


def _release(
    rules: RuleSet,
    versions: Collection[int],
    *,
    kind: Release.Kind,
    author: Author,
    comment: str,
    restored_from: Release | None = None,
) -> Release:
    live = live_release()
    release = Release.objects.create(
        number=live.number + 1 if live else 1,
        kind=kind,
        comment=comment,
        author=author,
        author_name=author.get_username()[:150] if author else "",
        restored_from=restored_from,
        names=[[name.key, list(name.aliases)] for name in rules.names],
        threshold=rules.threshold,
        token_budget=rules.token_budget,
    )
    ReleaseRule.objects.bulk_create(
        [ReleaseRule(release=release, version_id=version) for version in versions], batch_size=1_000
    )
    return release
