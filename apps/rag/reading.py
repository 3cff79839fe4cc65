"""Reads the best passages against one question: per sentence its closeness, coverage and kind of answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from apps.language.sentences import split_sentences
from apps.rag.answer_types import AnswerType, asked_type, has_answer_type, without_question_word
from apps.rag.coverage import Coverage, ideas_in, idf_over
from apps.rag.protocols import Vectors
from apps.rag.quoting import header_of, is_quotable, is_row, is_unfinished, leads_in, points_back, quoted_span
from apps.rag.settings import PipelineSettings
from apps.rag.types import Passage
from apps.rag.weighing import light_words, weighed
from apps.rag.words import Word, content_words

# So many of the nearest sentences tell how near anything lies.
BACKGROUND: Final = 20


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """One sentence of a passage with what was measured on it.

    ``start`` and ``end`` are characters of the passage's text; ``rank`` is the passage's place and ``order`` the
    sentence's, from 0. ``cosine`` is -1 to 1. ``matches`` has one value from 0 to 1 per word of the question. ``lead``
    is the order of the sentence that leads in a list, for its items: they are judged with it and shown after it.
    """

    passage: Passage
    rank: int
    order: int
    start: int
    end: int
    cosine: float
    matches: tuple[float, ...]
    has_type: bool
    is_quotable: bool
    points_back: bool
    score: float
    lead: int | None = None

    @property
    def text(self) -> str:
        """The words as the source has them."""
        return self.passage.text[self.start : self.end]

    @property
    def span(self) -> tuple[int, int]:
        """Characters of the version's text."""
        return self.passage.start + self.start, self.passage.start + self.end


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages that were read, best first, and their sentences in reading order.

    ``question`` is what they were read against. ``others`` were found as well, and read no further than their
    sentences' cosines, which are in ``background`` with those of the passages, best first.
    """

    passages: tuple[Passage, ...]
    sentences: tuple[ReadSentence, ...]
    coverage: Coverage
    asked: AnswerType
    language: str
    has_vector: bool = True
    question: str = ""
    others: tuple[Passage, ...] = ()
    background: tuple[float, ...] = ()

    def of(self, rank: int) -> tuple[ReadSentence, ...]:
        """Return the sentences of one passage."""
        return tuple(sentence for sentence in self.sentences if sentence.rank == rank)


def relevance(passage: Passage) -> float:
    """Return the fused score without what age and party added: how well the passage answers, nothing else."""
    return passage.scores.fused - passage.scores.recency - passage.scores.party_bonus


def subject_words(topic: str, language: str) -> tuple[Word, ...]:
    """Return the words that an answer should hold; "wie hoch" and the like are answered by a number instead."""
    return content_words(without_question_word(topic), language) or content_words(topic, language)


def question_coverage(topic: str, language: str, passages: Sequence[Passage], idf: Mapping[str, float]) -> Coverage:
    """Return the coverage of a question's subject; without corpus statistics, idf is taken over the passages."""
    asked = subject_words(topic, language)
    weights = idf or idf_over([passage.text for passage in passages], asked, language)
    light = light_words(asked, topic, language)
    return Coverage(asked, weighed(asked, weights, topic, language), language, ideas_in(topic, language), light)


def read(
    question: str,
    vector: Vectors | None,
    passages: Sequence[Passage],
    coverage: Coverage,
    language: str,
    settings: PipelineSettings,
    others: Sequence[Passage] = (),
) -> Evidence:
    """Read the sentences of ``passages``. ``vector`` is the question's, None when there is none.

    ``others`` were found too: they tell how near anything at all lies to the question.
    """
    kind = asked_type(question)
    sentences = tuple(
        sentence
        for rank, passage in enumerate(passages)
        for sentence in _sentences(rank, passage, question, vector, coverage, kind, language, settings)
    )
    has_vector = vector is not None
    cosines = [cosine for each in (*passages, *others) for cosine in _cosines(each, vector, len(_spans(each)))]
    background = tuple(sorted(cosines, reverse=True)[:BACKGROUND]) if has_vector else ()
    read_in = tuple(passages), sentences, coverage, kind, language, has_vector
    return Evidence(*read_in, question=question, others=tuple(others), background=background)


def _sentences(
    rank: int,
    passage: Passage,
    question: str,
    vector: Vectors | None,
    coverage: Coverage,
    kind: AnswerType,
    language: str,
    settings: PipelineSettings,
) -> Iterator[ReadSentence]:
    spans = _spans(passage)
    # Words of another language meet by accident: "minimum" is not "Mini-Jobs".
    words_count = settings.coverage_weight if passage.source.language == language else 0.0
    cosines = _cosines(passage, vector, len(spans))
    lead: int | None = None
    for order, ((whole_start, whole_end), cosine) in enumerate(zip(spans, cosines, strict=True)):
        start, end = quoted_span(passage, whole_start, whole_end)
        if order and start == whole_start and is_unfinished(passage.text[slice(*spans[order - 1])]):
            start = whole_start = spans[order - 1][0]
        text = passage.text[start:end]
        is_item = start != whole_start
        if not is_item:
            lead = order if leads_in(text) else None
        # "Ihren Ausweis" answers what to bring only under "Bringen Sie mit:".
        is_led = is_item and lead is not None
        before = passage.text[slice(*spans[lead])] if is_led and lead is not None else ""
        if is_row(text):
            # A row says what its columns are called.
            before = header_of(passage, start, end)
        matches = coverage.matches(f"{before} {text}" if before else text, passage.source.language)
        if is_led and lead is not None:
            cosine = max(cosine, (cosine + cosines[lead]) / 2)
        # An office stands above the rows that name who holds it.
        said = f"{before} {text}" if before and kind is AnswerType.PERSON else text
        has_type = has_answer_type(kind, said, question, passage.source.language)
        typed = 0.0 if kind is AnswerType.ANY else settings.answer_type_weight * (1 if has_type else -1)
        yield ReadSentence(
            passage=passage,
            rank=rank,
            order=order,
            start=start,
            end=end,
            cosine=cosine,
            matches=matches,
            has_type=has_type,
            is_quotable=is_quotable(passage, start, end, is_item=is_item, is_led=is_led),
            points_back=points_back(text),
            score=cosine
            + words_count * coverage.share(matches)
            + typed
            + settings.passage_weight * passage.scores.fused,
            lead=lead if is_led else None,
        )


def _spans(passage: Passage) -> list[tuple[int, int]]:
    if passage.sentences:
        return [(sentence.start, sentence.end) for sentence in passage.sentences]
    return [(span.start, span.end) for span in split_sentences(passage.text, passage.source.language)]


def _cosines(passage: Passage, vector: Vectors | None, count: int) -> list[float]:
    """A sentence without a vector of its own is as close as its passage."""
    if vector is None or passage.vectors is None or len(passage.vectors) != count:
        return [passage.scores.cosine or 0.0] * count
    cosines: list[float] = (passage.vectors @ vector).tolist()
    return cosines
