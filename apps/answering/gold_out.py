"""Measures questions twice in the production code: with the paragraph that answers them, and without it.

Two leaks once gave 99 % right refusals, and both are shut here. In either case exactly one paragraph is gone, the gold
one or one of an article far away: a corpus of 240 against one of 239 would be told apart by idf alone. And it is
deleted from the index, not filtered out of the results: no weight or frequency remembers it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from django.db import transaction
from django.utils import timezone

from apps.answering.parties import party_directory
from apps.answering.statistics import corpus_idf
from apps.answering.suites.corpora import AskedParagraph
from apps.answering.training import Case, Pair
from apps.documents.embedding import get_embedder
from apps.documents.models import Document
from apps.documents.search.searching import search
from apps.documents.services import documents_delete
from apps.rag.features import measure
from apps.rag.reading import Evidence, question_coverage, read, subject_words
from apps.rag.settings import PipelineSettings
from apps.rag.sufficiency import judge
from apps.rag.types import SearchFilters, SearchQuery
from apps.rag.understanding import understand

Measured = TypeVar("Measured")


def measure_pairs(asked: Sequence[AskedParagraph], say: Callable[[str], None]) -> list[Pair]:
    """Return each question's case with and without its paragraph; the corpus is whole again afterwards."""
    cases = with_and_without(asked, lambda entry: measure_case(entry.question), say)
    return [Pair(entry.article, *case) for entry, case in zip(asked, cases, strict=True)]


def with_and_without(
    asked: Sequence[AskedParagraph], measured: Callable[[AskedParagraph], Measured], say: Callable[[str], None]
) -> list[tuple[Measured, Measured]]:
    """Return ``measured`` of each question, first with its paragraph and then without it.

    Raises ValueError where every paragraph is of one article: there is none to take out instead.
    """
    questions: dict[str, list[int]] = defaultdict(list)
    for place, entry in enumerate(asked):
        questions[entry.document_uuid].append(place)
    missing_instead = _stand_ins(asked)
    kept: dict[int, Measured] = {}
    lost: dict[int, Measured] = {}
    for number, (gone, unanswered) in enumerate(questions.items(), 1):
        with without_document(gone):
            lost |= {place: measured(asked[place]) for place in unanswered}
            kept |= {place: measured(asked[place]) for place in questions[missing_instead[gone]]}
        if number % 40 == 0:
            say(f"{number} of {len(questions)} paragraphs taken out and put back")
    return [(kept[place], lost[place]) for place in range(len(asked))]


@contextmanager
def without_document(uuid: str) -> Iterator[None]:
    """Delete a document from the corpus and its statistics; put everything back at the end."""
    with transaction.atomic():
        documents_delete(documents=Document.objects.filter(uuid=uuid))
        yield
        transaction.set_rollback(True)


def measure_case(question: str) -> Case:
    """Return what production sees of a question on this thread's connection, up to its verdict."""
    settings = PipelineSettings(embedder=get_embedder().name)
    evidence = _evidence(question, settings)
    return Case(measure(evidence).features, judge(evidence, settings.embedder).refusal is not None)


def _evidence(question: str, settings: PipelineSettings) -> Evidence:
    understood = understand(question, "de", party_directory(), at_most=settings.parties_compared)
    language, topic = understood.language, understood.topic
    filters = SearchFilters(on=timezone.localdate())
    passages = search(SearchQuery(understood.sub_questions[0].text, filters, language, top_k=settings.top_k))
    idf = corpus_idf([word.stem for word in subject_words(topic, language)], language)
    coverage = question_coverage(topic, language, passages, idf)
    vector = get_embedder().embed_question(topic)
    read_first = settings.passages_read
    return read(topic, vector, passages[:read_first], coverage, language, settings, passages[read_first:])


def _stand_ins(asked: Sequence[AskedParagraph]) -> dict[str, str]:
    """Pair each paragraph with the one half the corpus further on, so that each is taken out once for either case."""
    articles = {entry.document_uuid: entry.article for entry in asked}
    uuids = list(articles)
    middle = len(uuids) // 2
    pairs = dict(zip(uuids, uuids[middle:] + uuids[:middle], strict=True))
    if any(articles[one] == articles[other] for one, other in pairs.items()):
        raise ValueError("The questions must be on paragraphs of several articles of about the same size.")
    return pairs
