"""The word index: exact BM25, right while the corpus and its vocabulary grow and shrink."""

import math
from collections import Counter

import pytest
from django.db.models import Sum

from apps.documents.models import Chunk, CorpusChange, IndexedChunk, Posting, Term, Word
from apps.documents.search.postings import _CHANGES_KEPT, chunks_index_terms, terms_rebuild
from apps.documents.search.searching import rank
from apps.documents.search.vocabulary import analyser
from tests.documents.search.building import asking, document

pytestmark = pytest.mark.django_db

TEXTS = [
    "Die Rente steigt. Die Rente ist sicher, sagt die Regierung.",
    "Das Rentenniveau bleibt bei 48 Prozent, und das Niveau der Löhne steigt mit der Rente.",
    "Der Mindestlohn steigt auf 15 Euro.",
    "Mieten und Wohnen: Die Mietpreisbremse bleibt, die Miete steigt nicht mehr so schnell wie der Mindestlohn.",
]


def index_content() -> dict[str, Counter[str]]:
    """Every chunk's terms as the index holds them."""
    content: dict[str, Counter[str]] = {}
    rows = Posting.objects.values_list("chunk__text", "term__language", "term__text", "frequency")
    for text, language, term, frequency in rows:
        content.setdefault(text, Counter())[f"{language}:{term}"] = frequency
    return content


def expected_bm25(question: str) -> dict[str, float]:
    """The textbook formula, computed from the texts and not from the index."""
    reader = analyser("de")
    vocabulary = {word for text in TEXTS for word in reader.words(text) if len(word) >= 4}
    documents = [reader.terms(text, vocabulary) for text in TEXTS]
    mean = sum(terms.total() for terms in documents) / len(documents)
    scores = {}
    for text, terms in zip(TEXTS, documents, strict=True):
        score = 0.0
        for term, count in reader.terms(question, vocabulary).items():
            frequency = sum(term in other for other in documents)
            idf = math.log(1 + (len(documents) - frequency + 0.5) / (frequency + 0.5))
            length = 1.2 * (1 - 0.75 + 0.75 * terms.total() / mean)
            score += count * idf * terms[term] * 2.2 / (terms[term] + length)
        scores[text] = score
    return scores


@pytest.mark.parametrize("question", ["Rente", "Rentenniveau Rente", "Steigt der Mindestlohn?", "Mietpreisbremse"])
def test_scores_are_bm25_to_the_last_digit(question: str) -> None:
    document(*TEXTS)
    texts = dict(Chunk.objects.values_list("id", "text"))
    found = {texts[item.candidate.chunk_id]: item.candidate.bm25 for item in rank(asking(question)).fused}
    assert found == pytest.approx(expected_bm25(question))


def test_a_new_word_cuts_the_compounds_of_older_chunks() -> None:
    document("Das Rentenniveau bleibt.")
    assert "de:niveau" not in index_content()["Das Rentenniveau bleibt."]
    document("Die Renten und ihr Niveau.")
    assert "de:niveau" in index_content()["Das Rentenniveau bleibt."]


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
def test_the_order_of_arrival_does_not_matter(order: list[int]) -> None:
    for number in order:
        document(TEXTS[number])
    grown = index_content()
    terms_rebuild()
    assert grown == index_content()


def test_indexing_again_changes_nothing() -> None:
    document(*TEXTS)
    before = index_content()
    chunks_index_terms(list(Chunk.objects.values_list("id", flat=True)))
    assert index_content() == before
    assert size() == (len(TEXTS), sum(terms.total() for terms in before.values()))


def size() -> tuple[int, int]:
    sums = CorpusChange.objects.aggregate(chunks=Sum("chunks"), length=Sum("length"))
    return sums["chunks"], sums["length"]


def test_a_deleted_document_leaves_no_trace_in_the_scores() -> None:
    document(*TEXTS)
    gone = document("Die Rente der Bergleute steigt.", "Rente und Rente.")
    gone.delete()
    assert IndexedChunk.objects.count() == len(TEXTS)
    assert size()[0] == len(TEXTS)
    texts = dict(Chunk.objects.values_list("id", "text"))
    found = {texts[item.candidate.chunk_id]: item.candidate.bm25 for item in rank(asking("Mindestlohn")).fused}
    assert found == pytest.approx(expected_bm25("Mindestlohn"))


def test_changes_are_added_up_now_and_then() -> None:
    document(*TEXTS)
    CorpusChange.objects.bulk_create(
        CorpusChange(language="de", chunks=sign, length=7 * sign) for _ in range(_CHANGES_KEPT) for sign in (1, -1)
    )
    before = size()
    document("Ein Satz mehr.")
    assert CorpusChange.objects.count() < _CHANGES_KEPT
    assert size()[0] == before[0] + 1


def test_each_language_has_its_own_words_and_frequencies() -> None:
    document("The pension level stays.", language="en")
    document("Die Pension bleibt, das Level auch.")
    languages = set(Term.objects.values_list("language", "text"))
    assert {("en", "pension"), ("de", "pension")} <= languages
    assert Word.objects.filter(language="en", text="level").exists()
    german, english = (item.candidate.bm25 for item in rank(asking("pension")).fused)
    assert german > 0
    assert english > 0


def test_a_very_long_word_is_cut_and_not_refused() -> None:
    document("Siehe " + "a" * 400 + " und die Rente.")
    assert rank(asking("Rente")).fused[0].candidate.bm25 > 0
