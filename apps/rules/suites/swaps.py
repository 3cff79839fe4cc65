"""Does similarity ever take one party, number, year, § or negation for another, and does it still forgive spelling?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from rapidfuzz import fuzz

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.language.normalising import normalise
from apps.rules.index import compile_index
from apps.rules.matching import match
from apps.rules.suites.swap_texts import Pair, harmless_pairs, read_sources, swapped_pairs
from apps.rules.types import DEFAULT_THRESHOLD, MatchContext, Phrase, ProtectedName, RuleSet, RuleSpec

_PAIRS: Final = 500
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)


@suite("rules:swaps")
def swaps(context: SuiteContext) -> SuiteResult:
    """Questions with a party, number, year, § or negation swapped never match by similarity; slips still do."""
    sources = read_sources(context.folder)
    swapped, harmless = swapped_pairs(sources, _PAIRS), harmless_pairs(sources, _PAIRS)
    wrong = [pair for pair in swapped if is_matched(pair, sources.names)]
    lost = [pair for pair in harmless if not is_matched(pair, sources.names)]
    if "show" in context.options:
        for pair in (*wrong, *lost):
            context.say(f"{pair.kind}: {pair.phrase} | {pair.question}")
    tempting = sum(
        fuzz.ratio(normalise(pair.phrase), normalise(pair.question)) >= DEFAULT_THRESHOLD for pair in swapped
    )
    return SuiteResult(
        n=len(swapped) + len(harmless),
        figures={"wrong_matches": len(wrong), "kept_matches": 1 - len(lost) / len(harmless)},
        notes=[
            f"{tempting} of {len(swapped)} swapped questions reach {DEFAULT_THRESHOLD} % without protected terms.",
            f"Harmless changes lost by kind: {_by_kind(lost)}.",
        ],
    )


def is_matched(pair: Pair, names: tuple[ProtectedName, ...]) -> bool:
    """Say whether the phrase alone, as a rule at the default threshold, matches the question."""
    rule = RuleSpec("rule", phrases=(Phrase(pair.phrase),))
    return bool(match([pair.question], MatchContext(_NOW), compile_index(RuleSet((rule,), names))).winners)


def _by_kind(pairs: Iterable[Pair]) -> str:
    return (
        ", ".join(f"{kind} {count}" for kind, count in sorted(Counter(pair.kind for pair in pairs).items())) or "none"
    )
