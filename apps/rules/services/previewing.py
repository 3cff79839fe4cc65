"""What a release would hold and change: the live set overlaid with the chosen drafts. Reads only."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from apps.rules.checking import Code, Finding, Level, check_set
from apps.rules.differences import Change, rule_changes
from apps.rules.facts import gather_facts
from apps.rules.loading import live_release, release_set, rule_set, rule_spec
from apps.rules.models import Rule, RuleVersion
from apps.rules.services.errors import UnknownRuleError
from apps.rules.types import ProtectedName, RuleSet, RuleSpec, Status

RELEASABLE: Final = (Status.ACTIVE, Status.PAUSED)
# What is wrong between rules stops a release that only touches one of them; the rest is for whoever chooses the rule.
_BETWEEN_RULES: Final = frozenset(
    {
        Code.PHRASE_IN_OTHER_RULE,
        Code.PARENT_CYCLE,
        Code.PARENT_MISSING,
        Code.TOO_DEEP,
        Code.OUTSIDE_PARENT,
        Code.EXAMPLE_LOST,
        Code.EXAMPLE_UNMATCHED,
        Code.EXAMPLE_MATCHES,
        Code.EXAMPLE_STAGE,
    }
)


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """A rule that enters, changes or leaves. ``author_name`` and ``saved_at`` are those of its last save."""

    uid: str
    title: str
    changes: tuple[Change, ...]
    enters: bool = False
    leaves: bool = False
    author_name: str = ""
    saved_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReleasePreview:
    """A release that could be made. ``live_number`` is to be given back when publishing; 0 before the first.

    ``names`` are protected names that were added or changed, by their first alias. ``limits`` are threshold and token
    budget as (name, before, after) where they differ.
    """

    rule_set: RuleSet
    live_number: int
    differences: tuple[RuleDifference, ...]
    findings: tuple[Finding, ...]
    names: tuple[str, ...] = ()
    limits: tuple[tuple[str, int, int], ...] = ()
    uids: frozenset[str] | None = None

    @property
    def blockers(self) -> tuple[Finding, ...]:
        """What must be put right first: of a partial release only what it touches."""
        return tuple(finding for finding in self.findings if finding.blocks_release and self._concerns(finding))

    @property
    def is_empty(self) -> bool:
        return not (self.differences or self.names or self.limits)

    @property
    def may_publish(self) -> bool:
        return not self.is_empty and not self.blockers

    def _concerns(self, finding: Finding) -> bool:
        return self.uids is None or finding.uid in self.uids or finding.code in _BETWEEN_RULES


def release_preview(*, uids: Collection[str] | None = None) -> ReleasePreview:
    """Return what publishing the draft would do, or only these rules of it; the rest stays as it is live.

    A chosen rule that is paused goes live as paused; one that is a draft, archived or deleted leaves. Raises
    UnknownRuleError for a rule that is neither in the draft nor live.
    """
    release = live_release()
    live = release_set(release) if release else RuleSet(())
    chosen = None if uids is None else frozenset(uids)
    drafts = _drafts(chosen)
    before = {rule.uid: rule for rule in live.rules}
    if chosen is not None and (unknown := sorted(chosen - set(drafts) - set(before))):
        raise UnknownRuleError(unknown[0])
    proposed, notes = _propose(before, drafts, chosen)
    proposal = rule_set(proposed.values())
    findings = [*notes, *check_set(proposal, gather_facts(proposal))]
    return ReleasePreview(
        rule_set=proposal,
        live_number=release.number if release else 0,
        differences=_differences(before, proposed),
        findings=tuple(findings),
        names=_changed_names(live.names, proposal.names) if release else (),
        limits=_changed_limits(live, proposal) if release else (),
        uids=chosen,
    )


def release_proposal(*, uids: Collection[str] | None = None) -> RuleSet:
    """Return the set that a release would hold, without any look at what changes or is wrong."""
    release = live_release()
    before = {rule.uid: rule for rule in release_set(release).rules} if release else {}
    chosen = None if uids is None else frozenset(uids)
    return rule_set(_propose(before, _drafts(chosen), chosen)[0].values())


def _drafts(chosen: frozenset[str] | None) -> dict[str, RuleSpec]:
    rules = Rule.objects.all() if chosen is None else Rule.objects.filter(uid__in=chosen)
    return {rule.uid: rule_spec(rule) for rule in rules.whole()}


def _propose(
    before: dict[str, RuleSpec], drafts: dict[str, RuleSpec], chosen: frozenset[str] | None
) -> tuple[dict[str, RuleSpec], list[Finding]]:
    """Return the rules of the release to be, and what to say about those that were left out."""
    proposed = {} if chosen is None else {uid: rule for uid, rule in before.items() if uid not in chosen}
    proposed |= {uid: draft for uid, draft in drafts.items() if draft.status in RELEASABLE}
    notes = [
        Finding(Code.NOT_ACTIVE, Level.WARNING, uid, "status", {"status": draft.status.value})
        for uid, draft in drafts.items()
        if chosen is not None and draft.status is Status.DRAFT and uid not in before
    ]
    while orphans := [rule for rule in proposed.values() if rule.parent is not None and rule.parent not in proposed]:
        for orphan in orphans:
            del proposed[orphan.uid]
            notes.append(_left_out(orphan, drafts, chosen))
    return dict(sorted(proposed.items())), notes


def _left_out(orphan: RuleSpec, drafts: dict[str, RuleSpec], chosen: frozenset[str] | None) -> Finding:
    """A rule whose parent is not in the release: refused where somebody asked for just this rule."""
    parent = orphan.parent or ""
    row = Rule.objects.filter(uid=parent).values_list("title", "status").first()
    title, status = row or (drafts[parent].title if parent in drafts else parent, Status.ARCHIVED)
    was_asked_for = chosen is not None and orphan.uid in chosen
    level = Level.BLOCKER if was_asked_for else Level.WARNING
    code = Code.PARENT_NOT_PUBLISHED if was_asked_for and status in RELEASABLE else Code.LEAVES_WITH_PARENT
    return Finding(code, level, orphan.uid, "parent", {"parent": title or parent}, (parent,))


def _differences(before: dict[str, RuleSpec], after: dict[str, RuleSpec]) -> tuple[RuleDifference, ...]:
    changes = {uid: _changes(before.get(uid), after.get(uid)) for uid in sorted({*before, *after})}
    changed = {uid: made for uid, made in changes.items() if made}
    saves = _last_saves(changed)
    return tuple(
        RuleDifference(
            uid,
            (after.get(uid) or before[uid]).title,
            made,
            enters=uid not in before,
            leaves=uid not in after,
            author_name=saves[uid][0] if uid in saves else "",
            saved_at=saves[uid][1] if uid in saves else None,
        )
        for uid, made in changed.items()
    )


def _changes(before: RuleSpec | None, after: RuleSpec | None) -> tuple[Change, ...]:
    """What readers could notice: not where a rule stands in the list."""
    if before is not None and after is not None:
        before = replace(before, position=after.position)
    return rule_changes(before, after)


def _last_saves(uids: Collection[str]) -> dict[str, tuple[str, datetime]]:
    rows = RuleVersion.objects.filter(uid__in=uids).order_by("uid", "-number").distinct("uid")
    return {uid: (name, saved) for uid, name, saved in rows.values_list("uid", "author_name", "created_at")}


def _changed_names(before: tuple[ProtectedName, ...], after: tuple[ProtectedName, ...]) -> tuple[str, ...]:
    changed = set(before) ^ set(after)
    return tuple(sorted({name.aliases[0] if name.aliases else name.key for name in changed}))


def _changed_limits(before: RuleSet, after: RuleSet) -> tuple[tuple[str, int, int], ...]:
    values = ((name, getattr(before, name), getattr(after, name)) for name in ("threshold", "token_budget"))
    return tuple(value for value in values if value[1] != value[2])
