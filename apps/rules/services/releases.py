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


def release_rollback(*, number: int, author: Author, comment: str, expected_release: int | None = None) -> Release:
    """Publish the set of an old release under a new number and make the draft the same.

    Rules come back with all their rows, deleted ones too. Those made since become drafts, or are archived where a
    phrase of theirs belongs to another rule again; their work stays in their history. ``expected_release`` is the
    number that was live when somebody looked at what would change.
    """
    why = _comment(comment)
    with refusals(), transaction.atomic(), rules_later():
        rules_lock()
        live = live_release()
        if expected_release is not None and (live.number if live else 0) != expected_release:
            raise ReleaseOvertakenError(live)
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
    paused = replace(running, status=Status.PAUSED)
    draft = Rule.objects.filter(uid=running.uid).whole().first()
    if draft is None:
        return _next_version(paused, author, comment)
    spec = rule_spec(draft)
    has_unpublished_work = replace(spec, version=0, position=0) != replace(running, version=0, position=0)
    fresh = _next_version(paused, author, comment) if has_unpublished_work else paused
    if spec.status is not Status.ACTIVE:
        return fresh
    # What is not published yet stays, on top of what is live now.
    asleep = replace(spec, status=Status.PAUSED)
    written = write_rules([asleep], author=author, comment=comment, existing={draft.uid: draft})
    return fresh if has_unpublished_work else replace(paused, version=written.rules[draft.uid].version)


def _next_version(spec: RuleSpec, author: Author, comment: str) -> RuleSpec:
    fresh = replace(spec, version=_last_number(spec.uid) + 1)
    make_version(fresh, author, comment).save()
    return fresh


def _last_number(uid: str) -> int:
    last = RuleVersion.objects.filter(uid=uid).order_by("-number").values_list("number", flat=True).first()
    return last or 0


def _versions(rules: Iterable[RuleSpec], author: Author) -> list[int]:
    """Return the keys of the versions that hold these rules; what was changed past the desk gets a version now."""
    specs = list(rules)
    numbers = {spec.uid: spec.version for spec in specs}
    kept = {
        version.uid: version
        for version in RuleVersion.objects.filter(uid__in=numbers)
        if version.number == numbers[version.uid]
    }
    strays = [spec for spec in specs if spec.uid not in kept or not _is_same(kept[spec.uid], spec)]
    keys = [version.pk for uid, version in kept.items() if uid not in {spec.uid for spec in strays}]
    return keys + [_adopt(spec, author) for spec in strays]


def _is_same(version: RuleVersion, spec: RuleSpec) -> bool:
    """Whether a version is the rule as it stands, its place in the list aside."""
    return rule_from_json(version.data, version=version.number) == replace(spec, position=version.data["position"])


def _adopt(spec: RuleSpec, author: Author) -> int:
    fresh = replace(spec, version=max(_last_number(spec.uid), spec.version) + 1)
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
