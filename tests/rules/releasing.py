"""Releases for tests that need one to be live, written as a release is stored."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from apps.rules import live
from apps.rules.models import Release, ReleaseRule, RuleVersion
from apps.rules.serialising import rule_to_json
from apps.rules.types import DEFAULT_THRESHOLD, Phrase, RuleSpec


def rule(uid: str, *phrases: str, **fields: object) -> RuleSpec:
    """A rule with trigger phrases."""
    fields = {"title": uid.replace("-", " ").title(), "version": 1, **fields}
    return RuleSpec(uid=uid, phrases=tuple(Phrase(text) for text in phrases), **fields)  # type: ignore[arg-type]


def publish(*rules: RuleSpec, names: Sequence[tuple[str, list[str]]] = (), token_budget: int = 6_000) -> Release:
    """Store a release of these rules; this process looks at it at its next question."""
    # In one transaction: a release that stands never changes.
    with transaction.atomic():
        last = Release.objects.order_by("-number").first()
        release = Release.objects.create(
            number=last.number + 1 if last else 1,
            comment="Test",
            names=[list(name) for name in names],
            threshold=DEFAULT_THRESHOLD,
            token_budget=token_budget,
        )
        for spec in rules:
            version, _ = RuleVersion.objects.get_or_create(
                uid=spec.uid, number=spec.version, defaults={"data": rule_to_json(spec)}
            )
            ReleaseRule.objects.create(release=release, version=version)
    live.forget()
    return release
