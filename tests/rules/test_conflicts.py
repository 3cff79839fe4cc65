"""Two editors and one rule: whose change stays."""

from __future__ import annotations

import pytest

from apps.rules.conflicts import Clash, changed_fields, clash, merged
from apps.rules.types import Phrase, RuleSpec

BEFORE = RuleSpec("postal", title="Alt", priority=100, tags=("a",), version=1)
THEIRS = RuleSpec("postal", title="Von ihnen", priority=100, tags=("a", "b"), version=2)
CASES = {
    "only they changed something": (BEFORE, Clash(frozenset({"title", "tags"}), frozenset(), frozenset()), THEIRS),
    "I changed something else": (
        RuleSpec("postal", title="Alt", priority=7, tags=("a",), version=1),
        Clash(frozenset({"title", "tags"}), frozenset({"priority"}), frozenset()),
        RuleSpec("postal", title="Von ihnen", priority=7, tags=("a", "b"), version=2),
    ),
    "we both changed one field": (
        RuleSpec("postal", title="Von mir", priority=100, tags=("a",), version=1),
        Clash(frozenset({"tags"}), frozenset(), frozenset({"title"})),
        RuleSpec("postal", title="Von mir", priority=100, tags=("a", "b"), version=2),
    ),
    "we both changed it to the same": (
        RuleSpec("postal", title="Von ihnen", priority=100, tags=("a",), version=1),
        Clash(frozenset({"tags"}), frozenset(), frozenset()),
        THEIRS,
    ),
    "I emptied what they left": (
        RuleSpec("postal", title="Alt", priority=100, tags=(), version=1),
        Clash(frozenset({"title"}), frozenset(), frozenset({"tags"})),
        RuleSpec("postal", title="Von ihnen", priority=100, tags=(), version=2),
    ),
}


@pytest.mark.parametrize(("mine", "expected", "result"), CASES.values(), ids=CASES)
def test_what_i_changed_goes_on_top_and_the_rest_stays_theirs(mine, expected, result):
    assert clash(BEFORE, mine, THEIRS) == expected
    assert merged(BEFORE, mine, THEIRS) == result


def test_a_version_number_is_no_change():
    assert changed_fields(BEFORE, RuleSpec("postal", title="Alt", tags=("a",), version=9)) == frozenset()
    assert changed_fields(BEFORE, RuleSpec("postal", title="Alt", phrases=(Phrase("?"),))) == {"tags", "phrases"}
