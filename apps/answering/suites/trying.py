"""How long an editor waits for "Try a question" among thousands of rules, the unsaved rule included."""

from __future__ import annotations

import os
import statistics
import time
import uuid
from collections.abc import Callable
from itertools import count
from typing import Final

from django.contrib.auth.models import User
from django.db import connection
from django.http import QueryDict
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.core.suites import MissingDataError, SuiteContext, SuiteResult, bench
from apps.rules import live
from apps.rules.forms import RuleForm, initial_from
from apps.rules.loading import rule_spec
from apps.rules.models import Rule
from apps.rules.suites.desk import store_rules

_REPEATS: Final = 15


@bench("try-question", needs_database=True)
def try_question(context: SuiteContext) -> SuiteResult:
    """Try beside the rule form at 5,000 rules: a keystroke in the question, one in the rule, after another's save."""
    rules = int(context.options.get("rules", "5000"))
    if not str(connection.settings_dict["NAME"]).startswith(("measure_", "test_")):
        raise MissingDataError("This bench fills the database with made-up rules. Run it without --live.")
    store_rules(rules)
    client = Client()
    client.force_login(User.objects.create_superuser(f"bench-{uuid.uuid4()}"))
    rule = Rule.objects.whole().get(uid="rule-7")
    form, phrase = sent_form(rule), rule.phrases.all()[0].text
    other = Rule.objects.exclude(pk=rule.pk).order_by("pk")[0]
    serial = count(1)

    def ask(**changes: str) -> None:
        data = {**form, "try_question": f"{phrase} genau {next(serial)}", **changes}
        answer = client.post(reverse("answering:try_result"), data)
        if answer.status_code != 200 or b"try-verdict" not in answer.content:
            raise RuntimeError("Try gave no answer.")

    def after_save() -> None:
        Rule.objects.filter(pk=other.pk).update(version=1000 + next(serial))
        ask()

    live.forget()
    figures: dict[str, float | int] = {}
    with override_settings(ALLOWED_HOSTS=["testserver"], SECURE_SSL_REDIRECT=False):
        context.say(f"Stored {rules} rules.")
        figures["first_s"] = round(_seconds(ask), 2)
        asks: dict[str, Callable[[], None]] = {
            "question": ask,
            "rule": lambda: ask(phrases=f"{phrase} {next(serial)}"),
            "after_save": after_save,
        }
        for name, one in asks.items():
            times = sorted(_seconds(one) * 1000 for _ in range(_REPEATS))
            figures[f"{name}_p50_ms"] = round(statistics.median(times), 1)
            figures[f"{name}_p95_ms"] = round(times[-1], 1)
        with CaptureQueriesContext(connection) as queries:
            ask()
        figures["question_requests"] = len(queries)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    notes = [
        f"Load of the machine (1, 5, 15 minutes): {load}",
        f"Of {_REPEATS} requests the slowest stands as p95. The first reads and compiles the whole draft.",
    ]
    return SuiteResult(n=rules, figures=figures, notes=notes)


def sent_form(rule: Rule) -> dict[str, str]:
    """Return what a browser sends for the form of a stored rule, as far as Try reads it."""
    spec = rule_spec(rule)
    data = QueryDict(mutable=True)
    form = RuleForm(**initial_from(spec), base=spec)
    for field in [*form, *(field for rows in form.formsets for row in rows for field in row)]:
        shown = field.field.widget.format_value(field.value())
        if isinstance(shown, list):
            data.setlist(field.html_name, shown)
        elif shown is not None:
            data[field.html_name] = str(shown)
    for rows in form.formsets:
        data.update({field.html_name: str(field.value()) for field in rows.management_form})
    return {**{name: str(data[name]) for name in data}, "rule_id": str(rule.pk)}


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
