"""How fast a question meets 10,000 to 1,000,000 rules, how long an index takes to compile, and what it weighs."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
from rapidfuzz import fuzz, process

from apps.core.suites import SuiteContext, SuiteResult, bench
from apps.language.lemmas import lemma_set
from apps.language.normalising import normalise
from apps.rules.index import RuleIndex, compile_index
from apps.rules.matching import match
from apps.rules.suites.synthetic import made_up_questions, made_up_rules
from apps.rules.types import DEFAULT_THRESHOLD, MatchContext, RuleSet

_SIZES: Final = "10000,100000,1000000"
_QUESTIONS: Final = 300
_LONG_QUESTIONS: Final = 60
_LOOPS: Final = 20
# Of several tries the fastest counts: others' work on the machine is not ours.
_TRIES: Final = 3
_CONTEXT: Final = MatchContext(datetime(2026, 1, 1, tzinfo=UTC))
# "Worst path": about 60 characters, no phrase equal or similar, so that every stage is tried.
_CHARACTERS: Final = range(56, 65)
_WORDS: Final = range(6, 10)
_LONG_WORDS: Final = (61, 62)


@bench("rules")
def rules(context: SuiteContext) -> SuiteResult:
    """The whole cascade on made-up rules: 60 characters, worst path, and 64 words; compile time; memory per rule."""
    sizes = [int(size) for size in context.options.get("sizes", _SIZES).split(",")]
    for language in ("de", "en"):
        lemma_set("Haus", language)
    figures: dict[str, float | int] = {}
    for size in sizes:
        label = f"{size // 1000}k" if size < 1_000_000 else f"{size // 1_000_000}m"
        rule_set = made_up_rules(size)
        index, seconds, weight = _compiled(rule_set)
        context.say(f"Compiled {size} rules in {seconds:.2f} s.")
        figures |= {f"compile_{label}_s": seconds, f"rule_{label}_bytes": weight / size}
        figures |= _cascade(label, index, rule_set)
        del rule_set, index
        gc.collect()
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    notes = [
        f"Load of the machine (1, 5, 15 minutes): {load}; {os.cpu_count()} processors.",
        f"Each question {_TRIES} times, the fastest counts; dictionaries loaded, words not yet looked up.",
        "Each rule has a phrase and two to four words; the loop is rapidfuzz over all phrases, the fuzzy stage alone.",
    ]
    return SuiteResult(n=_QUESTIONS * len(sizes), figures=figures, notes=notes)


def _compiled(rule_set: RuleSet) -> tuple[RuleIndex, float, float]:
    """Compile, and say how long it took in seconds and how many bytes the process grew."""
    gc.collect()
    before = _resident()
    started = time.perf_counter()
    index = compile_index(rule_set)
    seconds = time.perf_counter() - started
    gc.collect()
    return index, seconds, _resident() - before


def _resident() -> int:
    """Return the memory of this process in bytes, 0 where the system does not tell."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if status.exists() else 0


def _cascade(label: str, index: RuleIndex, rule_set: RuleSet) -> dict[str, float]:
    short = [text for text in made_up_questions(2 * _QUESTIONS, _WORDS, _CHARACTERS) if _is_worst(text, index)]
    short = short[:_QUESTIONS]
    taken = _timed(short, lambda text: match([text], _CONTEXT, index))
    keys = [normalise(rule.phrases[0].text) for rule in rule_set.rules]
    loop = _timed(
        [normalise(text) for text in short[:_LOOPS]],
        lambda key: process.extractOne(key, keys, scorer=fuzz.ratio, score_cutoff=DEFAULT_THRESHOLD),
    )
    long = _timed(made_up_questions(_LONG_QUESTIONS, _LONG_WORDS), lambda text: match([text], _CONTEXT, index))
    return {
        f"cascade_{label}_p50_ms": _quantile(taken, 0.5),
        f"cascade_{label}_p95_ms": _quantile(taken, 0.95),
        f"cascade_{label}_p99_ms": _quantile(taken, 0.99),
        f"long_question_{label}_p50_ms": _quantile(long, 0.5),
        f"loop_{label}_p50_ms": _quantile(loop, 0.5),
        f"loop_{label}_ratio": _quantile(loop, 0.5) / _quantile(taken, 0.5),
    }


def _is_worst(text: str, index: RuleIndex) -> bool:
    found = match([text], _CONTEXT, index)
    return not found.winners or found.winners[0].stage == "token"


def _timed(texts: Sequence[str], work: Callable[[str], object]) -> list[float]:
    """Return for each text the milliseconds of its fastest try."""
    taken = []
    for text in texts:
        tries = []
        for _ in range(_TRIES):
            started = time.perf_counter()
            work(text)
            tries.append(1000 * (time.perf_counter() - started))
        taken.append(min(tries))
    return taken


def _quantile(values: Sequence[float], share: float) -> float:
    return float(np.quantile(values, share))
