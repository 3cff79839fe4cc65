"""How long a backtest takes: thousands of questions on thousands of rules, as a worker runs it."""

from __future__ import annotations

import os
import time
from random import Random
from typing import Final

from django.db import connection

from apps.core.suites import MissingDataError, SuiteContext, SuiteResult, bench
from apps.language.normalising import normalised_forms
from apps.rules.models import Backtest, Rule, TriggerPhrase
from apps.rules.services.backtests import MOST_QUESTIONS, Outcome, backtest_run, backtest_start
from apps.rules.suites.desk import store_rules

# One phrase in so many says something else in the draft than in the release.
_CHANGED: Final = 20
_FILLERS: Final = ["bitte", "heute", "eigentlich", "genau", "überhaupt", "denn", "noch", "schon", "wirklich", "jetzt"]


@bench("backtest", needs_database=True)
def backtest(context: SuiteContext) -> SuiteResult:
    """A backtest of 10,000 questions on 5,000 rules, one phrase in twenty changed since the release."""
    count = int(context.options.get("rules", "5000"))
    asked = int(context.options.get("questions", str(MOST_QUESTIONS)))
    if not str(connection.settings_dict["NAME"]).startswith(("measure_", "test_")):
        raise MissingDataError("This bench fills the database with made-up rules. Run it without --live.")
    store_rules(count)
    lines = _questions(asked)
    _change_phrases()
    context.say(f"Stored {count} rules and made {asked} questions.")
    started = time.perf_counter()
    ordered = backtest_start(author=None, origin=Backtest.Origin.LIST, limit=asked, lines=lines)
    order_seconds = time.perf_counter() - started
    started = time.perf_counter()
    outcome = backtest_run(pk=ordered.pk)
    run_seconds = time.perf_counter() - started
    if outcome is not Outcome.DONE:
        raise RuntimeError(f"The backtest ended as {outcome.value}.")
    ordered.refresh_from_db()
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return SuiteResult(
        n=asked,
        figures={
            "run_s": round(run_seconds, 2),
            "order_s": round(order_seconds, 2),
            "questions_per_s": round(asked / run_seconds, 1),
            "differences": len(ordered.result["cases"]),
        },
        notes=[f"Load of the machine (1, 5, 15 minutes): {load}", "order_s is the masking of an uploaded list."],
    )


def _questions(count: int) -> list[str]:
    """Return the rules' own phrases, with words in between, with one word less, and questions of nobody's."""
    phrases = list(TriggerPhrase.objects.order_by("pk").values_list("text", flat=True))
    random = Random(count)
    questions = []
    for number in range(count):
        words = random.choice(phrases).split()
        if number % 4 == 1:
            words.insert(random.randrange(len(words)), random.choice(_FILLERS))
        elif number % 4 == 2:
            del words[random.randrange(len(words))]
        elif number % 4 == 3:
            words = [random.choice(phrases).split()[random.randrange(4)] for _ in range(7)]
        questions.append(" ".join(words) + "?")
    return questions


def _change_phrases() -> None:
    phrases = list(TriggerPhrase.objects.order_by("pk")[::_CHANGED])
    for phrase in phrases:
        phrase.text = phrase.text.replace("Wie steht es um", "Wer bezahlt die Kosten von")
        phrase.keys = list(normalised_forms(phrase.text))
    TriggerPhrase.objects.bulk_update(phrases, ["text", "keys"])
    changed = Rule.objects.filter(pk__in=[phrase.rule_id for phrase in phrases])
    for rule in changed:
        rule.version += 1
    Rule.objects.bulk_update(changed, ["version"])
