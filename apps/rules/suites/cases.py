"""Tables of rules, questions and what must become of them; each row is one case."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.rules.index import compile_index
from apps.rules.matching import match
from apps.rules.suites.case_values import Table
from apps.rules.suites.cases_phrases import PHRASES
from apps.rules.suites.cases_trees import TREES
from apps.rules.suites.cases_words import WORDS

TABLES: Final = (*PHRASES, *WORDS, *TREES)


@suite("rules:cases", needs_data=False)
def cases(context: SuiteContext) -> SuiteResult:
    """Tables of rules and questions, German and English: which rule matches at which stage."""
    results = [(table, row, found) for table in TABLES for row, found in outcomes(table)]
    wrong = [(table, row, found) for table, row, found in results if row[1] != found]
    for table, (question, expected), found in wrong:
        context.say(f"{table.title}: {question!r} should be {expected!r}, is {found!r}.")
    return SuiteResult(n=len(results), figures={"correct": 1 - len(wrong) / len(results)})


def outcomes(table: Table) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield each row of a table with what the engine makes of it."""
    index = compile_index(table.rule_set())
    for row in table.rows:
        yield row, table.told(match([row[0]], table.context, index))
