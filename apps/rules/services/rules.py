"""Writes of single rules: save, move, status, copy, delete, restore. Every change leaves a version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from apps.rules.checking import Code, Finding, Level, save_errors
from apps.rules.loading import rule_spec
from apps.rules.models import ReleaseRule, Rule, RuleVersion
from apps.rules.serialising import rule_from_json
from apps.rules.services import rows
from apps.rules.services.cleaning import cleaned
from apps.rules.services.errors import ChecksFailedError, OvertakenError, UnknownRuleError
from apps.rules.services.locking import rules_later, rules_lock
from apps.rules.services.refusals import refusals
from apps.rules.services.storing import existing_rules, make_version, write_rules
from apps.rules.services.surroundings import surroundings
from apps.rules.types import RuleSpec, Status

Author = User | None
# Room between neighbours, so that a rule moves without renumbering the others.
STEP: Final = 1_024


def rule_save(*, spec: RuleSpec, author: Author, expected_version: int | None = None, comment: str = "") -> Rule:
    """Write a rule with all its rows, new or not; nothing changed means no new version.

    ``expected_version`` is the version that the editor began with, 0 for a new rule. Raises OvertakenError if it is
    another one by now, ChecksFailedError for what can never be right.
    """
    expected = {} if expected_version is None else {spec.uid: expected_version}
    return rules_save(specs=[spec], author=author, comment=comment, expected_versions=expected)[0]


def rules_save(
    *,
    specs: Sequence[RuleSpec],
    author: Author,
    comment: str = "",
    expected_versions: Mapping[str, int] | None = None,
) -> list[Rule]:
    """Write many rules or none, in any order; phrases and places may change hands among them.

    Raises ChecksFailedError with the errors of all of them. Each uid may occur once.
    """
    tidy = [cleaned(spec) for spec in specs]
    with refusals(tidy[0].uid if tidy else ""), transaction.atomic(), rules_later():
        rules_lock()
        stored = existing_rules([spec.uid for spec in tidy])
        for uid, expected in (expected_versions or {}).items():
            _refuse_overtaken(uid, stored.get(uid), expected)
        _refuse_errors(tidy)
        written = write_rules(tidy, author=author, comment=comment, existing=stored)
        rows.documents_see([written.rules[uid].pk for uid in written.changed])
        return [written.rules[spec.uid] for spec in tidy]


def rule_status_set(
    *, uid: str, status: Status, author: Author, expected_version: int | None = None, comment: str = ""
) -> Rule:
    """Set where a rule stands. Waking it up may be refused: another rule may have its phrases by now."""
    with refusals(uid), transaction.atomic():
        rules_lock()
        rule = _stored(uid)
        if expected_version is not None:
            _refuse_overtaken(uid, rule, expected_version)
        spec = replace(rule_spec(rule), status=Status(status))
        _refuse_errors([spec])
        return write_rules([spec], author=author, comment=comment, existing={uid: rule}).rules[uid]


def rule_move(*, uid: str, parent: str | None, position: int, author: Author) -> Rule:
    """Put a rule below ``parent`` (None: at the top), as number ``position`` among the rules there, from 0."""
    with refusals(uid), transaction.atomic():
        rules_lock()
        rule = _stored(uid)
        if parent is not None and not Rule.objects.filter(uid=parent).exists():
            raise UnknownRuleError(parent)
        neighbours = list(
            Rule.objects.filter(parent__uid=parent) if parent else Rule.objects.filter(parent__isnull=True)
        )
        neighbours = [each for each in neighbours if each.uid != uid]
        place = max(0, min(position, len(neighbours)))
        number, renumbered = _make_room([each.position for each in neighbours], place)
        spec = replace(rule_spec(rule), parent=parent, position=number)
        _refuse_errors([spec])
        if renumbered:
            # Where a rule stands among its neighbours matters to nobody but the list: no version of them.
            for each, fresh in zip(neighbours, renumbered, strict=True):
                each.position = fresh
            Rule.objects.bulk_update(neighbours, ["position"], batch_size=1_000)
        return write_rules([spec], author=author, comment=_("Moved"), existing={uid: rule}).rules[uid]


def rule_copy(*, uid: str, new_uid: str, author: Author, title: str = "") -> Rule:
    """Copy a rule with everything under a new short name. The copy is paused: two rules cannot own one phrase."""
    with refusals(new_uid), transaction.atomic():
        rules_lock()
        source = rule_spec(_stored(uid))
        _refuse_overtaken(new_uid, Rule.objects.filter(uid=new_uid).first(), 0)
        spec = replace(
            source,
            uid=new_uid,
            title=title or _("%(title)s (copy)") % {"title": source.title[:180]},
            status=Status.PAUSED,
            position=source.position + 1,
        )
        spec = cleaned(spec)
        _refuse_errors([spec])
        comment = _("Copied from %(uid)s") % {"uid": uid}
        return write_rules([spec], author=author, comment=comment, existing={}).rules[new_uid]


def rule_delete(*, uid: str, author: Author) -> Rule | None:
    """Delete a rule that no release ever held; archive any other and return it. Its history stays, to restore it."""
    with refusals(uid), transaction.atomic():
        rules_lock()
        rule = _stored(uid)
        children = Rule.objects.filter(parent=rule).count()
        if children:
            raise ChecksFailedError([Finding(Code.HAS_CHILDREN, Level.ERROR, uid, "", {"count": children})])
        if ReleaseRule.objects.filter(version__uid=uid).exists():
            spec = replace(rule_spec(rule), status=Status.ARCHIVED)
            return write_rules([spec], author=author, comment=_("Archived"), existing={uid: rule}).rules[uid]
        last = RuleVersion.objects.filter(uid=uid).order_by("-number").values_list("number", flat=True).first()
        spec = replace(rule_spec(rule), version=(last or rule.version) + 1)
        make_version(spec, author, _("Deleted")).save()
        rule.delete()
        return None


def rule_restore(*, uid: str, version: int, author: Author) -> Rule:
    """Bring back a rule as it was in a version, deleted or not, as a new version on top of all others."""
    kept = RuleVersion.objects.filter(uid=uid, number=version).first()
    if kept is None:
        raise UnknownRuleError(f"{uid} {version}")
    spec = rule_from_json(kept.data)
    with refusals(uid), transaction.atomic():
        rules_lock()
        _refuse_errors([spec])
        comment = _("Restored version %(number)s") % {"number": version}
        return write_rules([spec], author=author, comment=comment).rules[uid]


def rule_documents_see(*, uid: str) -> None:
    """Note that an editor has looked at the linked documents as they are now; the rule itself stays as it is."""
    with transaction.atomic():
        rows.documents_see([_stored(uid).pk])


def next_position(parent: str | None) -> int:
    """Return the position that puts a new rule last among those below ``parent``."""
    siblings = Rule.objects.filter(parent__uid=parent) if parent else Rule.objects.filter(parent__isnull=True)
    last = siblings.order_by("-position").values_list("position", flat=True).first()
    return STEP if last is None else last + STEP


def _stored(uid: str) -> Rule:
    rule = existing_rules([uid]).get(uid)
    if rule is None:
        raise UnknownRuleError(uid)
    return rule


def _refuse_overtaken(uid: str, rule: Rule | None, expected: int) -> None:
    if (rule.version if rule else 0) != expected:
        raise OvertakenError(uid, RuleVersion.objects.filter(uid=uid).order_by("-number").first())


def _refuse_errors(specs: Sequence[RuleSpec]) -> None:
    errors = save_errors(specs, surroundings(specs))
    if errors:
        raise ChecksFailedError(errors)


def _make_room(positions: Sequence[int], place: int) -> tuple[int, list[int]]:
    """Return a free number before the neighbour at ``place``, and new numbers for all of them where it was tight."""
    before = positions[place - 1] if place else 0
    after = positions[place] if place < len(positions) else before + 2 * STEP
    is_sorted = all(one < other for one, other in pairwise(positions))
    if is_sorted and after - before > 1:
        return (before + after) // 2, []
    fresh = [STEP * number for number in range(1, len(positions) + 2)]
    return fresh.pop(place), fresh
