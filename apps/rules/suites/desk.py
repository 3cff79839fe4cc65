"""How long an editor waits for the rule list: the page, one opened level, a search, a filter, at thousands of rules."""

from __future__ import annotations

import os
import statistics
import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apps.core.suites import MissingDataError, SuiteContext, SuiteResult, bench
from apps.documents.models import Collection, Document
from apps.documents.suites.synthetic import pseudo_words
from apps.language.normalising import normalised_forms
from apps.rules.loading import rule_spec
from apps.rules.models import (
    Release,
    ReleaseRule,
    Rule,
    RuleDocument,
    RuleHitDay,
    RuleVersion,
    TokenList,
    TokenSlot,
    TriggerPhrase,
)
from apps.rules.serialising import rule_to_json

# Of twenty rules one is a root, four stand below it and fifteen below these.
_FAMILY: Final = 20
_BRANCHES: Final = 4
_REPEATS: Final = 9


@bench("rules-list", needs_database=True)
def rules_list(context: SuiteContext) -> SuiteResult:
    """The rule list at 5,000 rules: page, opened level, search, filter, through the whole stack of the back office."""
    count = int(context.options.get("rules", "5000"))
    if not str(connection.settings_dict["NAME"]).startswith(("measure_", "test_")):
        raise MissingDataError("This bench fills the database with made-up rules. Run it without --live.")
    store_rules(count)
    client = Client()
    client.force_login(User.objects.create_superuser(f"bench-{uuid.uuid4()}"))
    page = reverse("admin:rules_rule_changelist")
    fragment = {"HX-Request": "true", "HX-Target": "rules-tree"}
    asks: dict[str, Callable[[], int]] = {
        "page": lambda: client.get(page).status_code,
        "opened": lambda: client.get(reverse("admin:rules_rule_children"), {"of": "rule-0"}).status_code,
        "search": lambda: client.get(page, {"q": "regel 49"}, headers=fragment).status_code,
        "unhit": lambda: client.get(page, {"only": "unhit"}, headers=fragment).status_code,
        "changed": lambda: client.get(page, {"only": "changed"}, headers=fragment).status_code,
        "history": lambda: client.get(reverse("admin:rules_release_changelist")).status_code,
    }
    figures: dict[str, float | int] = {}
    with override_settings(ALLOWED_HOSTS=["testserver"], SECURE_SSL_REDIRECT=False):
        context.say(f"Stored {count} rules.")
        figures["unchecked_page_ms"] = round(_seconds(asks["page"]) * 1000, 1)
        figures["first_check_s"] = round(_seconds(lambda: client.get(page, {"only": "warning"}).status_code), 2)
        figures["review_s"] = round(_seconds(lambda: client.get(reverse("admin:rules_release_review")).status_code), 2)
        for name, ask in asks.items():
            times = sorted(_seconds(ask) * 1000 for _ in range(_REPEATS))
            figures[f"{name}_p50_ms"] = round(statistics.median(times), 1)
            figures[f"{name}_p95_ms"] = round(times[-1], 1)
            with CaptureQueriesContext(
                connection,
            ) as queries:
                ask()
            figures[f"{name}_requests"] = len(queries)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    notes = [
        f"Load of the machine (1, 5, 15 minutes): {load}",
        f"Of {_REPEATS} requests the slowest stands as p95; *_requests counts database queries.",
    ]
    return SuiteResult(n=count, figures=figures, notes=notes)


@transaction.atomic
def store_rules(count: int, *, first: int = 0) -> None:
    """Write rules in families of twenty with phrases, words, documents, hits and one release, past the services.

    ``first`` is the number of the first, a multiple of twenty.
    """
    rules = [_rule(number) for number in range(first, first + count)]
    for depth in range(3):
        Rule.objects.bulk_create(rule for number, rule in enumerate(rules) if _depth(number) == depth)
        for number, rule in enumerate(rules):
            if _depth(number) == depth + 1:
                rule.parent = rules[_parent(number)]
    # Roots are folders, branches have a word, leaves have phrases with the word of their branch.
    words: dict[Rule | None, str] = dict(
        zip(rules, (word.capitalize() for word in pseudo_words(first + count)[first:]), strict=True)
    )
    branches = [rule for number, rule in enumerate(rules) if _depth(number) == 1]
    lists = TokenList.objects.bulk_create(TokenList(rule=rule, role="core") for rule in branches)
    TokenSlot.objects.bulk_create(
        TokenSlot(list=each, text=words[each.rule], key=words[each.rule].casefold()) for each in lists
    )
    leaves = [rule for number, rule in enumerate(rules) if _depth(number) == 2]
    texts = {rule: f"Wie steht es um {words[rule.parent]} im Fall {rule.uid[5:]}" for rule in leaves}
    TriggerPhrase.objects.bulk_create(
        TriggerPhrase(rule=rule, text=text, keys=list(normalised_forms(text))) for rule, text in texts.items()
    )
    shelf = Collection.objects.get_or_create(slug="bench", defaults={"name": "Bench"})[0]
    document = Document.objects.create(title="Programm", collection=shelf)
    RuleDocument.objects.bulk_create(
        RuleDocument(rule=rule, document=document, document_uuid=document.uuid, document_title="Programm")
        for rule in leaves
    )
    _store_release(rules)
    _store_hits(rules)


def _rule(number: int) -> Rule:
    return Rule(
        uid=f"rule-{number}",
        title=f"Regel {number}",
        position=number,
        status=Rule.Status.PAUSED if number % 11 == 5 else Rule.Status.ACTIVE,
        tags=[f"tag-{number % 7}"],
        version=1 if number % 10 else 2,
    )


def _depth(number: int) -> int:
    place = number % _FAMILY
    return 0 if place == 0 else 1 if place <= _BRANCHES else 2


def _parent(number: int) -> int:
    root = number - number % _FAMILY
    return root if _depth(number) == 1 else root + 1 + number % _BRANCHES


def _store_release(rules: list[Rule]) -> None:
    """Keep each rule as it is, and release it so; each tenth as it was before it got its title."""
    drafts = [rule_spec(rule) for rule in Rule.objects.filter(pk__in=[rule.pk for rule in rules]).whole()]
    old = [replace(spec, title="Vorher", version=1) for spec in drafts if spec.version > 1]
    versions = RuleVersion.objects.bulk_create(
        RuleVersion(uid=spec.uid, number=spec.version, data=rule_to_json(spec)) for spec in [*drafts, *old]
    )
    release = Release.objects.create(
        number=Release.objects.count() + 1, comment="Bench", threshold=90, token_budget=6_000
    )
    ReleaseRule.objects.bulk_create(
        ReleaseRule(release=release, version=version) for version in versions if version.number == 1
    )


def _store_hits(rules: list[Rule]) -> None:
    now = timezone.now()
    RuleHitDay.objects.bulk_create(
        RuleHitDay(
            uid=rule.uid, version=1, stage="exact", day=(now - timedelta(days=day)).date(), count=day, last_at=now
        )
        for number, rule in enumerate(rules)
        if number % 3
        for day in range(1, 30)
    )


def _seconds(ask: Callable[[], int]) -> float:
    started = time.perf_counter()
    status = ask()
    if status != 200:
        raise RuntimeError(f"The list answered {status}.")
    return time.perf_counter() - started
