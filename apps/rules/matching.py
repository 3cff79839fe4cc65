"""Finds the rule that answers a question: exact, then fuzzy, then token, then none. Pure: no I/O, no clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from apps.rules.engine.asking import Asked
from apps.rules.engine.ordering import Standing, lost_by
from apps.rules.index import RuleIndex
from apps.rules.types import Cut, Hit, HitPolicy, LostBy, Match, MatchContext, Stage


def match(texts: Sequence[str], context: MatchContext, index: RuleIndex) -> Match:
    """Return the winner with its stage, words and score, what it collects, and the rivals at its stage.

    ``texts`` are the question as asked, then its rewritings: the first with any candidate decides. The same index,
    texts and context give the same answer everywhere. Any text is accepted; none raises.
    """
    return decide((Asked(text, context, index) for text in texts), index.rule_set.release)


def decide(texts: Iterable[Asked], release: int) -> Match:
    """Return the match of the first text that has any candidate; without one, what was cut of the first text."""
    cut: Cut | None = None
    for number, asked in enumerate(texts):
        cut = cut or asked.written.cut
        for stage in Stage:
            candidates = asked.candidates(stage)
            if candidates:
                return _decided(asked, stage, candidates, number)
    return Match(cut=cut or Cut(), release=release)


def _decided(asked: Asked, stage: Stage, candidates: Sequence[Standing], number: int) -> Match:
    first = candidates[0]
    winners = list(_walk(asked, stage, candidates))
    taken = {standing.number for standing in winners}
    rivals = (
        _hit(asked, standing, number, lost_by(standing, first))
        for standing in candidates
        if standing.number not in taken
    )
    return Match(
        tuple(_hit(asked, standing, number) for standing in winners),
        tuple(rivals),
        asked.written.cut,
        asked.index.rule_set.release,
    )


def _hit(asked: Asked, standing: Standing, text_number: int, lost: LostBy | None = None) -> Hit:
    rule, own = asked.index.tree.rules[standing.number], standing.own
    return Hit(
        rule.uid,
        rule.version,
        own.stage,
        own.score,
        asked.words_of(own.mask),
        text_number,
        standing.depth,
        rule.phrases[own.phrase].text if own.phrase >= 0 else "",
        lost,
    )


def _walk(asked: Asked, stage: Stage, candidates: Sequence[Standing]) -> Iterator[Standing]:
    """The winner and, if it collects, all that follow in the total order up to the first that stops."""
    seen: set[int] = set()
    rules = asked.index.tree.rules
    for later in list(Stage)[stage.rank :]:
        for standing in candidates if later is stage else asked.candidates(later):
            if standing.number not in seen:
                seen.add(standing.number)
                yield standing
                if rules[standing.number].hit_policy is HitPolicy.STOP:
                    return
