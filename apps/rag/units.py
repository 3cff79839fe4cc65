"""Which sentences belong together: what points back and what it points at, items of a list and what leads them in.

A unit is shown whole or not at all, in the order of its source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from apps.language.normalising import normalise
from apps.rag.answer_types import AnswerType
from apps.rag.quoting import states_intent
from apps.rag.reading import Evidence, ReadSentence
from apps.rag.settings import PipelineSettings

_LONGEST_CHAIN: Final = 2
_MOST_ITEMS: Final = 6
# A short list reads like two sentences, however many items it has.
_LIST_COST: Final = 2
_SHORT_LIST: Final = 45
_EXACT: Final = frozenset({AnswerType.DATE, AnswerType.NUMBER, AnswerType.PERSON})


@dataclass(frozen=True, slots=True)
class Unit:
    """One statement. ``score`` is that of its best sentence, ``cost`` how many sentences it reads like."""

    sentences: tuple[ReadSentence, ...]
    score: float
    cost: int

    @property
    def words(self) -> int:
        return sum(len(each.text.split()) for each in self.sentences)


def units_of(evidence: Evidence, settings: PipelineSettings) -> list[Unit]:
    """Return the statements that can be quoted, best first; a sentence may be in several."""
    scores = {_key(each): each.score + _bonus(each, evidence, settings) for each in evidence.sentences}
    units: list[Unit] = []
    lists: set[tuple[int, int]] = set()
    for sentence in evidence.sentences:
        if not sentence.is_quotable:
            continue
        if sentence.lead is None:
            units += _chain(sentence, evidence, scores)
            units += _pairs(sentence, evidence, settings)
        elif (sentence.rank, sentence.lead) not in lists:
            lists.add((sentence.rank, sentence.lead))
            units += _list(sentence.rank, sentence.lead, evidence, scores)
    return sorted(units, key=lambda unit: -unit.score)


def _key(sentence: ReadSentence) -> tuple[int, int]:
    return sentence.rank, sentence.order


def _bonus(sentence: ReadSentence, evidence: Evidence, settings: PipelineSettings) -> float:
    """What a party will do counts more than how it sees things."""
    source = sentence.passage.source
    is_plan = source.party_slug and evidence.asked is AnswerType.ANY and states_intent(sentence.text, source.language)
    return settings.intent_weight if is_plan else 0.0


def _pairs(sentence: ReadSentence, evidence: Evidence, settings: PipelineSettings) -> Iterator[Unit]:
    """ "Das Fernsehduell wird verschoben. Neuer Termin ist der 7. Februar": asked when, the two answer as one."""
    if evidence.asked not in _EXACT or not sentence.has_type or not sentence.order or sentence.points_back:
        return
    before = next((each for each in evidence.of(sentence.rank) if each.order == sentence.order - 1), None)
    if before is None or not before.is_quotable or before.has_type or before.points_back or before.lead is not None:
        return
    share = evidence.coverage.share
    gained = share(before.matches, sentence.matches) - share(before.matches)
    typed = 2 * settings.answer_type_weight
    score = before.score + settings.coverage_weight * gained + typed - settings.pair_loss
    yield Unit((before, sentence), score, 2)


def _chain(sentence: ReadSentence, evidence: Evidence, scores: dict[tuple[int, int], float]) -> Iterator[Unit]:
    """A sentence with those before it that it cannot do without; none where one of them cannot be shown."""
    chain = [sentence]
    inside = {each.order: each for each in evidence.of(sentence.rank)}
    while chain[0].points_back:
        before = inside.get(chain[0].order - 1)
        if before is None or not before.is_quotable or before.lead is not None or len(chain) > _LONGEST_CHAIN:
            return
        chain.insert(0, before)
    yield Unit(tuple(chain), scores[_key(sentence)], len(chain))


def _list(rank: int, lead: int, evidence: Evidence, scores: dict[tuple[int, int], float]) -> Iterator[Unit]:
    """What leads in a list with its items around the best one: half a list would say something else."""
    inside = evidence.of(rank)
    first = next((each for each in inside if each.order == lead), None)
    items = [each for each in inside if each.lead == lead and each.is_quotable]
    if first is None or not items:
        return
    best = max(items, key=lambda each: scores[_key(each)])
    near = sorted(items, key=lambda each: (abs(each.order - best.order), each.order))[:_MOST_ITEMS]
    for kept in (near, near[:1]):
        sentences = (first, *sorted(kept, key=lambda each: each.order))
        words = sum(len(each.text.split()) for each in sentences)
        cost = _LIST_COST if words <= _SHORT_LIST else len(sentences)
        yield Unit(sentences, scores[_key(best)], max(_LIST_COST, cost))


def ordered(units: Sequence[Unit], settings: PipelineSettings) -> list[ReadSentence]:
    """Return the sentences of chosen units, each once: the best statement first, then source by source as printed.

    What stands before the best in the same source and is nearly as good keeps its place.
    """
    if not units:
        return []
    best = max(units, key=lambda unit: unit.score)
    sources: dict[str, float] = {}
    for unit in units:
        uuid = unit.sentences[0].passage.source.uuid
        sources[uuid] = max(sources.get(uuid, unit.score), unit.score)

    def place(unit: Unit) -> tuple[bool, float, str, tuple[int, int]]:
        uuid = unit.sentences[0].passage.source.uuid
        leads = unit.score >= best.score - settings.print_order_margin and uuid == best.sentences[0].passage.source.uuid
        return not leads, -sources[uuid], uuid, unit.sentences[0].span

    return list(dict.fromkeys(each for unit in sorted(units, key=place) for each in unit.sentences))


def says_the_same(left: ReadSentence, right: ReadSentence, settings: PipelineSettings) -> bool:
    """Overlapping chunks repeat the same characters; programme and summary repeat the same words."""
    if left.passage.source.uuid == right.passage.source.uuid:
        (start, end), (other_start, other_end) = left.span, right.span
        if start < other_end and other_start < end:
            return True
    words, others = set(normalise(left.text).split()), set(normalise(right.text).split())
    return len(words & others) >= settings.duplicate_overlap * max(1, len(words | others))
