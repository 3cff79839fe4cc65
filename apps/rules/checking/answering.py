"""Checks that ask the engine: examples, phrases that a rule above stops, rules that answer too much. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from apps.language.guessing import guess_language
from apps.rules.checking.types import Code, Facts, Finding, Level, Question
from apps.rules.engine.asking import Asked
from apps.rules.engine.tree import Limits
from apps.rules.index import RuleIndex
from apps.rules.matching import match
from apps.rules.types import Example, Match, MatchContext, RuleSpec

_USUAL_AUDIENCE = "readers"
_USUAL_LANGUAGE = "de"
# Of fewer questions a share says little.
_LEAST_QUESTIONS = 50


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks a set of rules as a reader for whom a rule is meant would."""

    index: RuleIndex
    now: datetime

    def context(self, rule: RuleSpec, question: str | None = None) -> MatchContext | None:
        """Return the moment and the reader for whom a rule counts; None if there is none left or it is not active."""
        if rule.uid not in self.index or not self.index.is_live(rule.uid):
            return None
        limits = self.index.limits(rule.uid)
        now = max(self.now, limits.valid_from) if limits.valid_from else self.now
        context = MatchContext(
            now,
            self._language(limits, question),
            _one_of(limits.audiences, _USUAL_AUDIENCE),
            limits.builder_choices or frozenset(),
        )
        return None if limits.outside(context) else context

    def _language(self, limits: Limits, question: str | None) -> str:
        if limits.languages is not None and len(limits.languages) == 1:
            return next(iter(limits.languages))
        return _one_of(limits.languages, guess_language(question) if question else _USUAL_LANGUAGE)


def example_findings(rule: RuleSpec, asker: Asker) -> Iterator[Finding]:
    """Yield the examples that do not come out as the editor wrote. Each blocks the release."""
    for example in rule.examples:
        context = asker.context(rule, example.question)
        if context is None:
            return
        yield from _outcome(rule, example, match([example.question], context, asker.index), asker.index)


def phrase_findings(rule: RuleSpec, asker: Asker) -> Iterator[Finding]:
    """Yield the phrases that cannot match even word for word, because a rule above does not let them through."""
    tree = asker.index.tree
    number = tree.numbers.get(rule.uid)
    if number is None or not rule.phrases:
        return
    gates = [at for at in reversed([*tree.ancestors(number)]) if not tree.is_folder(at)]
    context = asker.context(rule) if gates else None
    if context is None:
        return
    for phrase in rule.phrases:
        asked = Asked(phrase.text, context, asker.index)
        stopping = next((at for at in gates if asked.own(at) is None), None)
        if stopping is not None:
            above = tree.rules[stopping]
            params = {"phrase": phrase.text, "rule": above.title or above.uid}
            yield Finding(Code.PHRASE_GATED, Level.WARNING, rule.uid, "phrases", params, (above.uid,))


def broad_findings(rules: Iterable[RuleSpec], facts: Facts, index: RuleIndex) -> Iterator[Finding]:
    """Yield the rules that would have matched more of the recent questions than a rule should."""
    count = len(facts.questions)
    if count < _LEAST_QUESTIONS:
        return
    hits = _hits(facts.questions, facts.now, index)
    for rule in rules:
        share = 100 * hits[rule.uid] // count
        if hits[rule.uid] * 100 > facts.broad_share * count:
            params = {"share": share, "count": count, "most": facts.broad_share}
            yield Finding(Code.TOO_BROAD, Level.WARNING, rule.uid, "phrases", params)


def _hits(questions: Collection[Question], now: datetime, index: RuleIndex) -> Counter[str]:
    hits: Counter[str] = Counter()
    for question in questions:
        context = MatchContext(now, question.language, _USUAL_AUDIENCE, question.builder_choices)
        found = match([question.text], context, index)
        hits.update({hit.uid for hit in (*found.winners, *found.rivals)})
    return hits


def _outcome(rule: RuleSpec, example: Example, found: Match, index: RuleIndex) -> Iterator[Finding]:
    hit = next((hit for hit in found.winners if hit.uid == rule.uid), None)
    question = example.question
    if not example.must_match:
        if hit is not None and example.stage in (None, hit.stage):
            yield _failed(rule, Code.EXAMPLE_MATCHES, question=question, stage=hit.stage.value)
    elif hit is not None:
        if example.stage not in (None, hit.stage):
            wanted = example.stage.value if example.stage else ""
            yield _failed(rule, Code.EXAMPLE_STAGE, question=question, stage=hit.stage.value, wanted=wanted)
    elif found.winners:
        winner = index.rule(found.winners[0].uid)
        finding = _failed(rule, Code.EXAMPLE_LOST, question=question, rule=winner.title or winner.uid)
        yield Finding(finding.code, finding.level, rule.uid, "examples", finding.params, (winner.uid,))
    else:
        yield _failed(rule, Code.EXAMPLE_UNMATCHED, question=question)


def _failed(spec: RuleSpec, code: Code, **params: str | int) -> Finding:
    return Finding(code, Level.BLOCKER, spec.uid, "examples", params)


def _one_of(limit: frozenset[str] | None, usual: str) -> str:
    if not limit or usual in limit:
        return usual
    return sorted(limit)[0]
