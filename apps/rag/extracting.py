"""The extractive answerer: chooses the sentences that answer, word for word, and the order they are shown in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from apps.rag.quoting import header_of, is_row
from apps.rag.reading import Evidence, ReadSentence
from apps.rag.settings import PipelineSettings
from apps.rag.units import Unit, ordered, says_the_same, units_of


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
    """Return sentences worth ``limit``, in the order to show them: quotable, no two alike, none without its other half.

    The best statement comes first, then the others as their sources print them. A short list counts little.
    """
    chosen: list[Unit] = []
    taken: list[ReadSentence] = []
    room = limit
    for unit in units_of(evidence, settings):
        if chosen and unit.score < chosen[0].score - settings.score_margin:
            break
        new = [each for each in unit.sentences if each not in taken]
        cost = unit.cost - (len(unit.sentences) - len(new))
        if not new or cost > room or any(says_the_same(each, other, settings) for each in new for other in taken):
            continue
        chosen.append(unit)
        taken += new
        room -= cost
    return ordered(chosen, settings)


def draft_answer(chosen: Sequence[ReadSentence], settings: PipelineSettings) -> list[Draft]:
    """Return the sentences of one answer in their order; what does not fit stands behind "more"."""
    return _drafts(_fitting(chosen, settings), chosen)


def draft_comparison(chosen: Sequence[Sequence[ReadSentence]], settings: PipelineSettings) -> list[Draft]:
    """Put one answer of several parties together, balanced: each party's best sentence comes before any second one.

    ``chosen`` has one list per party, best first, in the order in which the parties are named. The second sentences are
    shown at once only if all of them fit. What no party says itself comes behind the parties.
    """
    printed = [each for sentences in chosen for each in sentences]
    shown = _fitting(printed, settings)
    if len(shown) < len(printed):
        best = [each for sentences in chosen if sentences for each in sentences[: _needed(sentences)]]
        shown = _fitting(best, settings)
    return sorted(_drafts(shown, printed), key=lambda draft: (draft.is_more, not draft.group))


def _needed(sentences: Sequence[ReadSentence]) -> int:
    """How many make the first statement: a list needs an item, what points back what it points at."""
    first, *others = sentences
    if others and others[0].rank == first.rank and others[0].lead == first.order:
        return 2
    needed = 1
    for before, each in pairwise(sentences):
        if not (each.points_back and each.rank == before.rank and each.order == before.order + 1):
            break
        needed += 1
    return needed


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
