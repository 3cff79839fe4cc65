"""The extractive answerer: chooses the sentences that answer, word for word, and the order they are shown in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apps.language.normalising import normalise
from apps.rag.quoting import header_of, is_row
from apps.rag.reading import Evidence, ReadSentence
from apps.rag.settings import PipelineSettings


@dataclass(frozen=True, slots=True)
class QuotedSpan:
    """A claim on a source: characters of the version's text behind one chunk; ``context`` is a table's header."""

    chunk_id: int
    start: int
    end: int
    context: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence before the gate."""

    text: str
    spans: tuple[QuotedSpan, ...]
    group: str = ""
    is_quote: bool = True
    is_more: bool = False
    language: str = "de"


def choose(evidence: Evidence, limit: int, settings: PipelineSettings) -> list[ReadSentence]:
    """Return at most ``limit`` sentences, best first: quotable, no two alike, none that points at a missing one.

    A sentence that points back brings the one before it along, an item of a list the sentence that leads it in; they
    stay away where there is no room for both.
    """
    ranked = sorted((each for each in evidence.sentences if each.is_quotable), key=lambda each: -each.score)
    chosen: list[ReadSentence] = []
    best = 0.0
    for sentence in ranked:
        if chosen and sentence.score < best - settings.score_margin:
            break
        needed = [sentence]
        if sentence.points_back or sentence.lead is not None:
            before = _before(sentence, evidence)
            if before is None:
                continue
            needed = [sentence] if before in chosen else [before, sentence]
        if len(chosen) + len(needed) > limit or any(_repeats(each, chosen, settings) for each in needed):
            continue
        best = sentence.score if not chosen else best
        chosen.extend(needed)
        if sentence.lead is not None:
            room = limit - len(chosen)
            chosen.extend([each for each in _siblings(sentence, evidence) if each not in chosen][:room])
    return chosen


def _siblings(item: ReadSentence, evidence: Evidence) -> list[ReadSentence]:
    """The other items of a list, the nearest first: half a list would say something else."""
    others = [each for each in evidence.of(item.rank) if each.lead == item.lead and each.is_quotable]
    return sorted((each for each in others if each != item), key=lambda each: abs(each.order - item.order))


def _before(sentence: ReadSentence, evidence: Evidence) -> ReadSentence | None:
    """The sentence before, if it can be shown and needs none before it either; for an item, what leads it in."""
    for other in evidence.of(sentence.rank):
        if other.order == sentence.lead:
            return other
        if sentence.lead is None and other.order == sentence.order - 1:
            return other if other.is_quotable and not other.points_back else None
    return None


def _repeats(sentence: ReadSentence, chosen: Iterable[ReadSentence], settings: PipelineSettings) -> bool:
    return any(_same(sentence, other, settings.duplicate_overlap) for other in chosen)


def _same(left: ReadSentence, right: ReadSentence, overlap: float) -> bool:
    """Overlapping chunks repeat the same characters; programme and summary repeat the same words."""
    if left.passage.source.uuid == right.passage.source.uuid:
        (start, end), (other_start, other_end) = left.span, right.span
        if start < other_end and other_start < end:
            return True
    words, others = set(normalise(left.text).split()), set(normalise(right.text).split())
    return len(words & others) >= overlap * max(1, len(words | others))


def draft_answer(chosen: Sequence[ReadSentence], settings: PipelineSettings) -> list[Draft]:
    """Put the sentences of one answer into reading order: best source first, inside a source as it is printed."""
    sources: dict[str, float] = {}
    for sentence in chosen:
        uuid = sentence.passage.source.uuid
        sources[uuid] = max(sources.get(uuid, sentence.score), sentence.score)
    places = {uuid: place for place, uuid in enumerate(sorted(sources, key=lambda uuid: -sources[uuid]))}
    ordered = sorted(chosen, key=lambda each: (places[each.passage.source.uuid], each.span))
    shown = _fitting(ordered, settings)
    return _drafts(shown, ordered)


def draft_comparison(chosen: Sequence[Sequence[ReadSentence]], settings: PipelineSettings) -> list[Draft]:
    """Put one answer of several parties together, balanced: each party's best sentence comes before any second one.

    ``chosen`` has one list per party, best first, in the order in which the parties are named. The second sentences are
    shown at once only if all of them fit.
    """
    printed = [each for sentences in chosen for each in sorted(sentences, key=lambda each: each.span)]
    shown = _fitting(printed, settings)
    if len(shown) < len(printed):
        best = [each for sentences in chosen if sentences for each in sentences[: _needed(sentences)]]
        shown = _fitting(best, settings)
    return _drafts(shown, printed)


def _needed(sentences: Sequence[ReadSentence]) -> int:
    """How many make one statement: what leads in a list says nothing without its first item."""
    return 2 if len(sentences) > 1 and sentences[1].lead == sentences[0].order else 1


def _fitting(ordered: Sequence[ReadSentence], settings: PipelineSettings) -> list[ReadSentence]:
    """Return the sentences before "more": what fits into the limits, at least one."""
    shown: list[ReadSentence] = []
    words = 0
    for sentence in ordered:
        length = len(sentence.text.split())
        if len(shown) < settings.shown_sentences and words + length <= settings.shown_words:
            shown.append(sentence)
            words += length
    return shown or list(ordered[:1])


def _drafts(shown: Sequence[ReadSentence], ordered: Sequence[ReadSentence]) -> list[Draft]:
    hidden = [_draft(sentence, is_more=True) for sentence in ordered if sentence not in shown]
    return [_draft(sentence) for sentence in shown] + hidden


def _draft(sentence: ReadSentence, *, is_more: bool = False) -> Draft:
    passage = sentence.passage
    header = header_of(passage, sentence.start, sentence.end) if is_row(sentence.text) else ""
    return Draft(
        text=sentence.text,
        spans=(QuotedSpan(passage.chunk_id, *sentence.span, header),),
        group=passage.source.party_name,
        is_more=is_more,
        language=passage.source.language,
    )
