"""How well each kind of rule tells the same sentence in other words from a different one: STS benchmark, German."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.language.stopwords import stop_words
from apps.language.tokenising import tokenise
from apps.rules.index import compile_index
from apps.rules.matching import match
from apps.rules.types import MatchContext, Need, Phrase, RuleSet, RuleSpec, Slot, TokenList

_SAME: Final = 4.5
_DIFFERENT: Final = 2.5
_SHARE: Final = 75
_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)


@suite("rules:near-misses")
def near_misses(context: SuiteContext) -> SuiteResult:
    """Precision and recall of exact, fuzzy and token rules on sentence pairs rated the same or different."""
    pairs = _read(context)
    kinds: dict[str, Callable[[str], RuleSpec | None]] = {
        "exact": lambda text: RuleSpec("rule", phrases=(Phrase(text, is_fuzzy=False),)),
        "fuzzy": lambda text: RuleSpec("rule", phrases=(Phrase(text),)),
        "token": _token_rule,
    }
    figures: dict[str, float | int] = {}
    for kind, make in kinds.items():
        hits = [_matches(make(phrase), question) for _, phrase, question in pairs]
        right = sum(hit and same for hit, (same, _, _) in zip(hits, pairs, strict=True))
        figures[f"{kind}_precision"] = right / sum(hits) if any(hits) else 0.0
        figures[f"{kind}_recall"] = right / sum(same for same, _, _ in pairs)
    same = sum(same for same, _, _ in pairs)
    return SuiteResult(
        n=len(pairs),
        figures=figures,
        notes=[
            f"{same} pairs rated {_SAME} or more, {len(pairs) - same} rated {_DIFFERENT} or less.",
            "A fuzzy rule also matches what is exactly its phrase.",
        ],
    )


def _read(context: SuiteContext) -> Sequence[tuple[bool, str, str]]:
    """Return the clear pairs as (same, phrase, question)."""
    pairs = []
    for name in ("stsb_de_dev.csv", "stsb_de_test.csv"):
        with (context.folder("stsb-de") / name).open(encoding="utf-8", newline="") as file:
            for rating, left, right in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if not _DIFFERENT < float(rating) < _SAME:
                    pairs.append((float(rating) >= _SAME, left, right))
    return pairs


def _token_rule(text: str) -> RuleSpec | None:
    """Return a rule whose core is the sentence's content words, 75 % of them needed."""
    words = dict.fromkeys(token.text for token in tokenise(text) if token.folded not in stop_words("de"))
    if not words:
        return None
    return RuleSpec("rule", core=TokenList(tuple(map(Slot, words)), Need.PERCENT, _SHARE))


def _matches(rule: RuleSpec | None, question: str) -> bool:
    return rule is not None and bool(match([question], MatchContext(_NOW), compile_index(RuleSet((rule,)))).winners)
