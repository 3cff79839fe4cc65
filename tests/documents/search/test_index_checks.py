"""The start-up check and the command that repairs what it refuses."""

import io
from collections.abc import Iterator

import numpy as np
import pytest
from django.core.management import call_command

from apps.documents.checks import check_embedder
from apps.documents.embedding import embedder_replaced
from apps.documents.models import Chunk
from apps.documents.search import search
from apps.documents.search.vector_index import vector_index_create, vector_index_dimensions
from apps.rag.fakes import HashEmbedder
from apps.rag.protocols import Vectors
from tests.documents.search.building import asking, document

pytestmark = pytest.mark.django_db


class ShortEmbedder(HashEmbedder):
    """Another model, with vectors of 64 dimensions."""

    name = "fake/short"
    dimensions = 64

    def embed_question(self, text: str) -> Vectors:
        cut = super().embed_question(text)[:64]
        return cut / np.linalg.norm(cut)


@pytest.fixture
def vector_index_restored() -> Iterator[None]:
    """Later tests find the index of the migration again: emptying the tables does not bring it back."""
    yield
    vector_index_create(384)


def problems() -> list[str]:
    return [problem.id or "" for problem in check_embedder(None, databases=["default"])]


def test_an_index_of_the_same_embedder_passes() -> None:
    document("Der Mindestlohn steigt.")
    assert problems() == []


def test_an_index_of_another_model_is_refused_with_the_command() -> None:
    document("Der Mindestlohn steigt.")
    Chunk.objects.update(embedding_model="other/model")
    (problem,) = check_embedder(None, databases=["default"])
    assert problem.id == "documents.E001"
    assert "other/model" in problem.msg
    assert "manage.py reembed" in (problem.hint or "")


def test_another_dimension_is_refused_even_when_nothing_is_indexed_yet() -> None:
    with embedder_replaced(ShortEmbedder()):
        assert problems() == ["documents.E002"]


@pytest.mark.django_db(transaction=True)
def test_reembed_repairs_model_and_dimension(vector_index_restored: None) -> None:
    document("Der Mindestlohn steigt.", "Die Rente ist sicher.")
    with embedder_replaced(ShortEmbedder()):
        call_command("reembed", stdout=io.StringIO())
        assert problems() == []
        assert vector_index_dimensions() == {64}
        (first, _) = search(asking("Mindestlohn"))
        assert first.text == "Der Mindestlohn steigt."
        assert first.scores.cosine_rank == 1
        assert first.vectors.shape == (1, 64)


def test_reembed_leaves_chunks_of_the_same_model_alone() -> None:
    document("Der Mindestlohn steigt.")
    told = io.StringIO()
    call_command("reembed", stdout=told)
    assert told.getvalue() == "Embedded 0 chunks with fake/hash.\n"


def test_reembed_can_build_the_word_index_anew() -> None:
    document("Der Mindestlohn steigt.")
    told = io.StringIO()
    call_command("reembed", "--words", stdout=told)
    assert "Indexed the words of 1 chunks." in told.getvalue()
    assert search(asking("Mindestlohn"))[0].scores.bm25
