"""Writes whole rules into the draft tables, many at once, and keeps each state as a version. Services call it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db.models import Max

from apps.rules.loading import rule_spec
from apps.rules.models import Rule, RuleVersion
from apps.rules.serialising import rule_to_json
from apps.rules.services import rows
from apps.rules.types import RuleSpec

_BATCH: Final = 1_000
# Part of a rule's row; the rest of a spec stands in tables of its own.
_COLUMNS: Final = (
    "title",
    "position",
    "status",
    "priority",
    "valid_from",
    "valid_until",
    "hit_policy",
    "extra",
    "fill_up_to",
    "threshold",
    "reason",
)
_LISTED: Final = ("languages", "audiences", "builder_choices", "tags")
_WRITTEN: Final = (
    *_COLUMNS,
    *_LISTED,
    "parent",
    "owner",
    "version",
    "updated_at",
    "answer_text",
    "answer_is_desk_text",
    "answer_owner",
    "answer_checked",
    "answer_expires",
)


@dataclass(frozen=True, slots=True)
class Written:
    """What a write left behind: the rules' rows by uid, and which of them really changed."""

    rules: dict[str, Rule]
    changed: frozenset[str]


def existing_rules(uids: Collection[str]) -> dict[str, Rule]:
    """Return these rules as they stand, with all their rows."""
    return {rule.uid: rule for rule in Rule.objects.filter(uid__in=uids).whole()}


def write_rules(
    specs: Sequence[RuleSpec], *, author: User | None, comment: str, existing: dict[str, Rule] | None = None
) -> Written:
    """Write these rules and a version of each that changed. They are cleaned, and their errors were looked for.

    A rule that is new goes on from the last version that its name ever had. The caller holds the lock and the
    transaction.
    """
    stored = existing_rules([spec.uid for spec in specs]) if existing is None else dict(existing)
    owners = _owners(specs)
    titles = rows.document_titles(specs)
    wanted = [_as_stored(spec, owners, titles) for spec in specs]
    old = {uid: rule_spec(rule) for uid, rule in stored.items()}
    changed = [spec for spec in wanted if spec.uid not in old or _differs(old[spec.uid], spec)]
    if not changed:
        return Written(stored, frozenset())
    numbers = _next_numbers([spec.uid for spec in changed])
    changed = [replace(spec, version=numbers[spec.uid]) for spec in changed]
    pks = _write_rows(changed, {uid: rule.pk for uid, rule in stored.items()}, owners)
    rows.write(changed, old, pks)
    RuleVersion.objects.bulk_create([make_version(spec, author, comment) for spec in changed], batch_size=_BATCH)
    fresh = existing_rules([spec.uid for spec in changed])
    return Written({**stored, **fresh}, frozenset(fresh))


def make_version(spec: RuleSpec, author: User | None, comment: str) -> RuleVersion:
    """Return an unsaved version that holds a rule as it is."""
    return RuleVersion(
        uid=spec.uid,
        number=spec.version,
        data=rule_to_json(spec),
        author=author,
        author_name=author.get_username()[:150] if author else "",
        comment=comment[:300],
    )


def _differs(old: RuleSpec, new: RuleSpec) -> bool:
    return replace(old, version=0) != replace(new, version=0)


def _as_stored(spec: RuleSpec, owners: dict[str, Any], titles: dict[str, str]) -> RuleSpec:
    """The spec as the tables will give it back: unknown owners gone, documents with a name."""
    documents = tuple(replace(linked, title=linked.title or titles.get(linked.uuid, "")) for linked in spec.documents)
    return replace(spec, owner=spec.owner if spec.owner in owners else "", documents=documents)


def _owners(specs: Iterable[RuleSpec]) -> dict[str, Any]:
    names = {spec.owner for spec in specs if spec.owner}
    if not names:
        return {}
    user_model = get_user_model()
    field = user_model.USERNAME_FIELD
    return {user.get_username(): user for user in user_model._default_manager.filter(**{f"{field}__in": names})}


def _next_numbers(uids: Collection[str]) -> dict[str, int]:
    last = RuleVersion.objects.filter(uid__in=uids).order_by().values_list("uid").annotate(Max("number"))
    return dict.fromkeys(uids, 1) | {uid: number + 1 for uid, number in last}


def _write_rows(specs: Sequence[RuleSpec], pks: dict[str, int], owners: dict[str, Any]) -> dict[str, int]:
    """Write the rules' own rows, parents first, and return the keys of all rules concerned."""
    parents = {spec.parent for spec in specs if spec.parent} - set(pks)
    pks = pks | dict(Rule.objects.filter(uid__in=parents).values_list("uid", "pk"))
    waiting = list(specs)
    while waiting:
        level = [spec for spec in waiting if spec.parent is None or spec.parent in pks]
        if not level:
            # Checked before; a parent that vanishes under the lock cannot be.
            raise ValueError("Some rules stand below rules that are not there.")
        made = Rule.objects.bulk_create(
            [_row(spec, pks, owners) for spec in level],
            batch_size=_BATCH,
            update_conflicts=True,
            unique_fields=["uid"],
            update_fields=_WRITTEN,
        )
        pks |= {rule.uid: rule.pk for rule in made}
        written = {spec.uid for spec in level}
        waiting = [spec for spec in waiting if spec.uid not in written]
    return pks


def _row(spec: RuleSpec, pks: dict[str, int], owners: dict[str, Any]) -> Rule:
    answer = spec.answer
    return Rule(
        uid=spec.uid,
        parent_id=pks[spec.parent] if spec.parent else None,
        owner=owners.get(spec.owner),
        version=spec.version,
        answer_text=answer.text if answer else "",
        answer_is_desk_text=answer.is_desk_text if answer else False,
        answer_owner=answer.owner if answer else "",
        answer_checked=answer.checked if answer else None,
        answer_expires=answer.expires if answer else None,
        **{name: _plain(getattr(spec, name)) for name in _COLUMNS},
        **{name: list(getattr(spec, name)) for name in _LISTED},
    )


def _plain(value: Any) -> Any:
    return getattr(value, "value", value)
