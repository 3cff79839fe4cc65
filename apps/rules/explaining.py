"""Says what became of a question: the match, who else would have matched, and the nearest misses. Pure, same index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from apps.rules.engine.asking import Asked
from apps.rules.engine.levels import levels_of, most_similar
from apps.rules.engine.ordering import Standing, lost_by
from apps.rules.index import RuleIndex
from apps.rules.matching import decide
from apps.rules.reports import Explanation, RuleReport, Verdict
from apps.rules.types import LostBy, Match, MatchContext, Stage

MOST_REPORTS: Final = 10
# So many percent points under its threshold a phrase is still a near miss.
NEAR_POINTS: Final = 15
# More rivals than this would crowd out the misses.
_MOST_RIVALS: Final = 6
# A rule is near where at most this share of the slots it needs is missing.
_NEAR_SHARE: Final = 2 / 3
_PROTECTED: Final = 0.5
_FAR: Final = 9.0


@dataclass(frozen=True, slots=True)
class _Judged:
    """What became of a rule at one text; the smaller ``distance``, the nearer it came."""

    verdict: Verdict
    distance: float
    text_number: int
    number: int
    lost: LostBy | None = None


def explain(texts: Sequence[str], context: MatchContext, index: RuleIndex, uids: Sequence[str] = ()) -> Explanation:
    """Return ``match()``'s answer with its reasons: at most about ten rules, and those asked for by ``uids``.

    Where a text decided, everything is said about that one; else a rule is reported for the text it came nearest to.
    """
    asked = [Asked(text, context, index) for text in texts]
    decided = decide(asked, index.rule_set.release)
    candidates = _candidates(asked, decided)
    read = [decided.winners[0].text_number] if decided.winners else range(len(asked))
    rivals = [each for each in candidates if each.verdict is Verdict.LOST]
    judged = [each for each in candidates if each.verdict is not Verdict.LOST] + rivals[:_MOST_RIVALS]
    known = {each.number: each for each in candidates}
    misses = (each for each in _misses(asked, read) if each.number not in known)
    judged += islice(misses, max(0, MOST_REPORTS - len(judged)))
    done = {each.number for each in judged}
    wanted = dict.fromkeys(index.tree.numbers[uid] for uid in uids if uid in index and asked)
    judged += [known.get(each) or _nearest(asked, read, each) for each in wanted if each not in done]
    reports = tuple(_report(asked[each.text_number], each) for each in judged)
    named = {hit.uid for hit in (*decided.winners, *decided.rivals)}
    named |= {level.uid for report in reports for level in report.levels}
    tokens = tuple(_tokens(each) for each in asked)
    return Explanation(decided, tokens, reports, {uid: index.rule(uid).title for uid in sorted(named)})


def _tokens(asked: Asked) -> tuple[str, ...]:
    reading = asked.written.reading
    return (*reading.tokens, *("".join(reading.tokens[start:end]) for start, end in reading.runs))


def _report(asked: Asked, judged: _Judged) -> RuleReport:
    rule = asked.index.tree.rules[judged.number]
    levels = levels_of(asked, judged.number)
    return RuleReport(rule.uid, rule.title, judged.verdict, levels, judged.lost, judged.text_number)


def _candidates(asked: Sequence[Asked], decided: Match) -> list[_Judged]:
    """The winner, what it collected, then all that would also have matched, whatever the stage, best first."""
    if not decided.winners:
        return []
    at = decided.winners[0].text_number
    standings: dict[int, Standing] = {}
    for stage in Stage:
        for standing in asked[at].candidates(stage):
            standings.setdefault(standing.number, standing)
    numbers = asked[at].index.tree.numbers
    first, *collected = (numbers[hit.uid] for hit in decided.winners)
    judged = [_Judged(Verdict.WON, 0, at, first)]
    judged += [_Judged(Verdict.COLLECTED, 0, at, number) for number in collected]
    for number, standing in standings.items():
        if number != first and number not in collected:
            judged.append(_Judged(Verdict.LOST, 0, at, number, lost_by(standing, standings[first])))
    return judged


def _misses(asked: Sequence[Asked], read: Iterable[int]) -> list[_Judged]:
    """The rules that came near at any of the texts, each once, nearest first."""
    best: dict[int, _Judged] = {}
    for at in read:
        for number in _woken(asked[at]):
            judged = _judge(asked[at], at, number)
            if judged.verdict is Verdict.NO_MATCH:
                continue
            if number not in best or judged.distance < best[number].distance:
                best[number] = judged
    return sorted(best.values(), key=lambda each: (each.distance, asked[0].index.tree.rules[each.number].uid))


def _woken(asked: Asked) -> Iterator[int]:
    """The rules that share enough with a text to be judged one by one."""
    woken: set[int] = set()
    for shelf in (asked.index.live, asked.index.sleeping):
        woken.update(number for form in asked.forms for number in shelf.equal(form))
        woken.update(each.rule for each in shelf.phrases.similar(asked.forms, NEAR_POINTS))
        for number, (missing, needed) in shelf.lists.missing(asked.found(shelf)).items():
            if missing <= needed * _NEAR_SHARE:
                woken.add(number)
    return iter(sorted(woken))


def _nearest(asked: Sequence[Asked], read: Iterable[int], number: int) -> _Judged:
    return min((_judge(asked[at], at, number) for at in read), key=lambda each: (each.distance, each.text_number))


def _judge(asked: Asked, at: int, number: int) -> _Judged:
    """Say what became of a rule that is no candidate at a text."""
    if asked.own(number):
        return _Judged(Verdict.OUTSIDE if _is_outside(asked, number) else Verdict.GATED, 0, at, number)
    if asked.is_vetoed(number) and asked.unvetoed(number):
        return _Judged(Verdict.VETOED, 0, at, number)
    distance = _distance(asked, number)
    return _Judged(Verdict.NEAR if distance <= 1 else Verdict.NO_MATCH, distance, at, number)


def _is_outside(asked: Asked, number: int) -> bool:
    return any(level.outside for level in levels_of(asked, number))


def _distance(asked: Asked, number: int) -> float:
    """How far a rule is from matching: 0 to 1 is near."""
    return min(_phrase_distance(asked, number), _list_distance(asked, number))


def _phrase_distance(asked: Asked, number: int) -> float:
    best = most_similar(asked, number)
    if best is None:
        return _FAR
    gap = asked.index.tree.places[number].threshold - 200 * best.common / best.total
    # What is similar enough was kept out by its protected terms.
    return gap / NEAR_POINTS if gap > 0 else _PROTECTED


def _list_distance(asked: Asked, number: int) -> float:
    shelf = asked.index.shelf(number)
    missing, needed = shelf.lists.missing_of(number, asked.found(shelf))
    share = missing / needed if needed else 1.0
    return share if share <= _NEAR_SHARE else _FAR
