"""How close sources come to a question: crowded passages count for less, and what nobody can know is not made up."""

from __future__ import annotations

import numpy as np
import pytest

from apps.documents.models import Chunk
from apps.topics.modelling.closeness import closeness, crowding
from apps.topics.modelling.vectors import unit
from apps.topics.models import Asked, QueryText
from apps.topics.services.log_reading import log_read
from apps.topics.services.measuring import closeness_measure
from apps.topics.spaces import packed, space_freeze
from tests.documents.search.building import document
from tests.topics.log import DIMENSIONS, SUBJECTS, ask, subjects_embedded


def rows(*values):
    return unit(np.array(values, dtype=np.float32))


def test_a_passage_among_many_is_crowded_and_one_alone_is_not():
    passages = rows([1, 0, 0], [0, 1, 0])
    sample = rows([1, 0, 0], [1, 0.1, 0], [1, 0, 0.1], [0, 0, 1], [0, 1, 0])
    crowded = crowding(passages, sample)
    assert crowded[0] > crowded[1] + 0.3
    assert crowding(passages, sample[:0]).tolist() == [0.0, 0.0]
    assert crowding(passages[:1], passages[:1]).tolist() == [0.0], "itself is no neighbour"


def test_of_two_passages_as_near_the_one_that_stands_alone_is_closer():
    question = rows([1, 1, 0])[0]
    passages = rows([1, 0, 0], [0, 1, 0])
    alone, crowded = (closeness(question, passages[:1], np.array([value])) for value in (0.1, 0.8))
    assert alone == pytest.approx(0.7071 - 0.05, abs=1e-3)
    assert alone > crowded
    assert closeness(question, passages, np.array([0.1, 0.8])) == alone


@pytest.fixture
def passages(db):
    """Three passages of one document, each with a vector of its own."""
    with subjects_embedded():
        made = document(*SUBJECTS[:3])
        vectors = np.eye(DIMENSIONS, dtype=np.float32)
        for chunk, vector in zip(made.chunks.order_by("pk"), vectors, strict=False):
            Chunk.objects.filter(pk=chunk.pk).update(vector=vector)
        yield list(made.chunks.order_by("pk"))


def embedded(text: str, vector: object) -> None:
    QueryText.objects.filter(text=text).update(
        embedder="subjects", vector=packed(np.asarray(vector, dtype=np.float32)), gist_key=text
    )


def test_each_question_is_measured_once_from_the_passages_of_its_turn(passages):
    first, second, third = (passage.pk for passage in passages)
    ask("Nah", passages=[{"chunk": first}, {"chunk": second}])
    ask("Fern", passages=[{"chunk": third}])
    ask("Durch eine Regel", passages=[{"chunk": first}], rule_uid="rente")
    ask("Nichts gefunden", passages=[])
    ask("Quelle ist fort", passages=[{"chunk": 10**9}])
    log_read()
    for text in QueryText.objects.all():
        embedded(text.text, np.eye(DIMENSIONS)[0])
    space_freeze(embedder="subjects", vectors=np.zeros((1, DIMENSIONS), dtype=np.float32))
    assert closeness_measure(embedder="subjects") == set(Asked.objects.values_list("day", flat=True))
    found = dict(Asked.objects.values_list("text__text", "closeness"))
    assert found["Nah"] > found["Fern"]
    assert {name for name, value in found.items() if value is None} == {
        "Durch eine Regel",
        "Nichts gefunden",
        "Quelle ist fort",
    }
    assert closeness_measure(embedder="subjects") == set()
    space_freeze(embedder="subjects", vectors=np.ones((1, DIMENSIONS), dtype=np.float32))
    assert closeness_measure(embedder="subjects"), "another middle, another measure"


def test_without_a_space_nothing_is_measured_yet(passages):
    ask("Nah", passages=[{"chunk": passages[0].pk}])
    log_read()
    assert closeness_measure(embedder="subjects") == set()
    assert not Asked.objects.get().is_measured
