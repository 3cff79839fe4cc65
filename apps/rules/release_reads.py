"""What one release changed against another: counts for the list, differences in full for one page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.rules.differences import rule_changes
from apps.rules.models import Release, ReleaseRule, RuleVersion
from apps.rules.serialising import rule_from_json
from apps.rules.services import RuleDifference
from apps.rules.types import RuleSpec

# In words on one page; the rest is counted.
MOST_IN_WORDS: Final = 200


@dataclass(frozen=True, slots=True)
class ChangeCounts:
    """How many rules came in, changed and went."""

    entered: int = 0
    changed: int = 0
    left: int = 0

    def sentence(self) -> str:
        """Return it in words, what is zero left out."""
        parts = [
            ngettext("%(count)s new", "%(count)s new", self.entered) % {"count": self.entered} if self.entered else "",
            ngettext("%(count)s changed", "%(count)s changed", self.changed) % {"count": self.changed}
            if self.changed
            else "",
            ngettext("%(count)s taken out", "%(count)s taken out", self.left) % {"count": self.left}
            if self.left
            else "",
        ]
        return ", ".join(part for part in parts if part) or _("no rule changed")


def change_counts(releases: Iterable[Release]) -> dict[int, ChangeCounts]:
    """Count what each release changed against the one numbered before it. Two queries for all."""
    numbers = [release.number for release in releases]
    came = _missing_from(numbers, -1)
    # What the one before held and this one does not, under this one's number.
    went = {number + 1: uids for number, uids in _missing_from([number - 1 for number in numbers], +1).items()}
    counts = {}
    for number in numbers:
        new, old = came.get(number, set()), went.get(number, set())
        counts[number] = ChangeCounts(len(new - old), len(new & old), len(old - new))
    return counts


def _missing_from(numbers: list[int], step: int) -> dict[int, set[str]]:
    """Return by release the rules whose version is not in the release ``step`` numbers further."""
    other = ReleaseRule.objects.filter(release__number=OuterRef("other"), version=OuterRef("version"))
    entries = ReleaseRule.objects.filter(release__number__in=numbers).annotate(other=F("release__number") + step)
    found: dict[int, set[str]] = {}
    for number, uid in entries.filter(~Exists(other)).values_list("release__number", "version__uid"):
        found.setdefault(number, set()).add(uid)
    return found


def set_differences(old: Release | None, new: Release | None) -> tuple[RuleDifference, ...]:
    """Return what differs from the old release to the new one, by title. Reads only the versions that differ."""
    before, after = _only_in(old, new), _only_in(new, old)
    found = [
        RuleDifference(
            uid=uid,
            title=(after.get(uid) or before[uid]).title or uid,
            changes=rule_changes(before.get(uid), after.get(uid)),
            enters=uid not in before,
            leaves=uid not in after,
        )
        for uid in {*before, *after}
    ]
    return tuple(sorted((each for each in found if each.changes), key=lambda each: (each.title.casefold(), each.uid)))


def _only_in(one: Release | None, other: Release | None) -> Mapping[str, RuleSpec]:
    if one is None:
        return {}
    versions: Any = RuleVersion.objects.filter(entries__release=one)
    if other is not None:
        versions = versions.exclude(pk__in=ReleaseRule.objects.filter(release=other).values("version"))
    rows = versions.values_list("data", "number").iterator(chunk_size=2_000)
    specs = (replace(rule_from_json(data), version=number) for data, number in rows)
    return {spec.uid: spec for spec in specs}
