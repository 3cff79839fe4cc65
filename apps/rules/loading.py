"""Between tables and values: drafts as specs, releases as rule sets."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings

from apps.documents.models import Party
from apps.rules.models import ProtectedTerm, Release, Rule, RuleDocument, RuleVersion
from apps.rules.models import TokenList as TokenListRow
from apps.rules.serialising import rule_from_json
from apps.rules.types import (
    CuratedAnswer,
    Example,
    Extra,
    HitPolicy,
    LinkedDocument,
    Need,
    Phrase,
    ProtectedName,
    RuleSet,
    RuleSpec,
    Scope,
    ScopeKind,
    Slot,
    Stage,
    Status,
    TokenList,
    WordMode,
)


def rule_spec(rule: Rule) -> RuleSpec:
    """Return a rule with all its rows. Cheap after ``Rule.objects.whole()``."""
    lists = {row.role: _token_list(row) for row in rule.token_lists.all()}
    return RuleSpec(
        uid=rule.uid,
        title=rule.title,
        parent=rule.parent.uid if rule.parent else None,
        position=rule.position,
        status=Status(rule.status),
        priority=rule.priority,
        valid_from=rule.valid_from,
        valid_until=rule.valid_until,
        languages=tuple(rule.languages),
        audiences=tuple(rule.audiences),
        builder_choices=tuple(rule.builder_choices),
        hit_policy=HitPolicy(rule.hit_policy),
        extra=Extra(rule.extra),
        fill_up_to=rule.fill_up_to,
        threshold=rule.threshold,
        phrases=tuple(Phrase(row.text, row.is_fuzzy) for row in rule.phrases.all()),
        core=lists.get("core"),
        anchor=lists.get("anchor"),
        exclude=lists.get("exclude"),
        documents=tuple(_document(row) for row in rule.documents.all()),
        links=tuple(row.link.address for row in rule.links.all()),
        answer=_answer(rule),
        examples=tuple(
            Example(row.question, row.must_match, Stage(row.stage) if row.stage else None)
            for row in rule.examples.all()
        ),
        tags=tuple(rule.tags),
        owner=rule.owner.get_username() if rule.owner else "",
        reason=rule.reason,
        version=rule.version,
    )


def draft_set() -> RuleSet:
    """Return what a release made now would hold."""
    return rule_set([rule_spec(rule) for rule in Rule.objects.releasable().whole()])


def rule_set(rules: Iterable[RuleSpec]) -> RuleSet:
    """Return these rules with today's names and limits, as a draft."""
    return RuleSet(
        rules=tuple(rules),
        names=protected_names(),
        threshold=settings.RULE_FUZZY_THRESHOLD,
        token_budget=settings.RULE_TOKEN_BUDGET,
    )


def release_set(release: Release) -> RuleSet:
    """Return what a release froze. One query."""
    versions = RuleVersion.objects.filter(entries__release=release).values_list("data", "number")
    return RuleSet(
        rules=tuple(rule_from_json(data, version=number) for data, number in versions.iterator(chunk_size=2_000)),
        names=tuple(ProtectedName(key, tuple(aliases)) for key, aliases in release.names),
        threshold=release.threshold,
        token_budget=release.token_budget,
        release=release.number,
    )


def live_release() -> Release | None:
    """Return the release that readers get; None before the first."""
    return Release.objects.order_by("-number").first()


def protected_names() -> tuple[ProtectedName, ...]:
    """Return parties and the editors' list, with all their aliases."""
    parties = [
        ProtectedName(f"party:{slug}", tuple(dict.fromkeys([short, name, *aliases])))
        for slug, short, name, aliases in Party.objects.order_by("slug").values_list(
            "slug", "short_name", "name", "aliases"
        )
    ]
    terms = [
        ProtectedName(f"term:{pk}", tuple(dict.fromkeys([name, *aliases])))
        for pk, name, aliases in ProtectedTerm.objects.order_by("pk").values_list("pk", "name", "aliases")
    ]
    return (*parties, *terms)


def _token_list(row: TokenListRow) -> TokenList:
    slots = tuple(Slot(slot.text, WordMode(slot.mode)) for slot in row.slots.all())
    return TokenList(slots, Need(row.need), row.amount)


def _document(row: RuleDocument) -> LinkedDocument:
    scope = Scope(ScopeKind(row.scope), row.first, row.last, tuple(row.path))
    return LinkedDocument(str(row.document_uuid), row.document_title, scope, row.most_tokens)


def _answer(rule: Rule) -> CuratedAnswer | None:
    if not rule.answer_text:
        return None
    return CuratedAnswer(
        rule.answer_text, rule.answer_is_desk_text, rule.answer_owner, rule.answer_checked, rule.answer_expires
    )
