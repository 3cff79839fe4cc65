"""Topics are told apart by two models where e5-small is the embedder, by the configured one alone elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from apps.documents.embedding import embedder_replaced
from apps.documents.embedding.nano import NanoEmbedder
from apps.documents.models import Chunk
from apps.rag.fakes import HashEmbedder
from apps.topics.embedding import PairedEmbedder, SentenceEncoder, passage_embedder, topic_embedder
from apps.topics.models import Asked, QueryText, Topic, TopicMember, TopicRun
from apps.topics.services.log_reading import log_read
from apps.topics.services.measuring import closeness_measure
from apps.topics.services.ordering import run_order
from apps.topics.services.running import run_execute
from apps.topics.spaces import packed, space_freeze
from tests.documents.search.building import document
from tests.topics.log import DIMENSIONS, SUBJECTS, SubjectEmbedder, ask, ask_many, subjects_embedded


class NamedEmbedder(SubjectEmbedder):
    """An embedder under the name of another."""

    def __init__(self, name: str) -> None:
        self.name = name


def test_e5_small_is_not_alone_and_any_other_embedder_is():
    with embedder_replaced(NamedEmbedder(NanoEmbedder.name)):
        assert topic_embedder().name == f"{NanoEmbedder.name}+use-multilingual-3"
        assert topic_embedder().dimensions == DIMENSIONS + 512
    with embedder_replaced(NamedEmbedder("openai/large")) as large:
        assert topic_embedder() is large
    assert passage_embedder(f"{NanoEmbedder.name}+use-multilingual-3") == NanoEmbedder.name
    assert passage_embedder("openai/large") == "openai/large"


def test_both_models_vectors_stand_side_by_side_at_length_one():
    paired = PairedEmbedder(HashEmbedder(), SentenceEncoder())
    row = paired.embed_question("Wie hoch ist die Rente?")
    own = HashEmbedder().embed_question("Wie hoch ist die Rente?")
    assert row.shape == (paired.dimensions,)
    assert np.linalg.norm(row) == pytest.approx(1.0, abs=1e-5)
    share = row[: len(own)] / np.linalg.norm(row[: len(own)])
    assert share @ own == pytest.approx(1.0, abs=1e-5)


def test_the_encoder_knows_german_and_takes_whatever_comes():
    encoder = SentenceEncoder()
    pension, retire, cats = map(
        encoder.embed_question,
        ("Wie hoch soll die Rente sein?", "Welches Rentenniveau ist geplant?", "Meine Katze schläft gern."),
    )
    assert pension @ retire > pension @ cats + 0.1
    for odd in ("😀😀", "?", "a" * 10_000, "\u202eabc", "e\u0301" * 400, "Ren\x00te", "\ud800Rente"):
        vector = encoder.embed_question(odd)
        assert vector.shape == (512,)
        assert np.isfinite(vector).all()
    with pytest.raises(ValueError, match="empty"):
        encoder.embed_question(" \x00")


@pytest.mark.django_db
def test_passages_are_compared_with_the_embedders_part_alone():
    name = f"subjects+{SentenceEncoder.name}"
    eye = np.eye(DIMENSIONS, dtype=np.float32)
    with subjects_embedded():
        passages = list(document(*SUBJECTS[:3]).chunks.order_by("pk"))
    for each, vector in zip(passages, eye, strict=False):
        Chunk.objects.filter(pk=each.pk).update(vector=vector)
    passage = passages[0]
    for text, own in (("Nah", eye[0]), ("Fern", eye[1])):
        ask(text, passages=[{"chunk": passage.pk}])
        log_read()
        # Whatever the second model says: it is not what the passage was embedded with.
        second = np.ones(512, dtype=np.float32) if text == "Fern" else np.zeros(512, dtype=np.float32)
        vector = packed(np.concatenate([own, second]))
        QueryText.objects.filter(text=text).update(embedder=name, vector=vector, gist_key=text)
    space_freeze(embedder=name, vectors=np.zeros((1, DIMENSIONS + 512), dtype=np.float32))
    assert closeness_measure(embedder=name)
    found = dict(Asked.objects.values_list("text__text", "closeness"))
    assert found["Nah"] > found["Fern"] + 0.5


def run() -> TopicRun:
    ordered = run_order(kind="night")
    run_execute(pk=ordered.pk)
    ordered.refresh_from_db()
    return ordered


@pytest.mark.django_db(transaction=True)
def test_after_a_change_of_the_embedder_the_kept_questions_are_read_again_and_the_topics_live_on():
    ask_many()
    log_read()
    with embedder_replaced(NamedEmbedder("the/first")):
        assert run().state == TopicRun.State.ACCEPTED
    before = dict(TopicMember.objects.values_list("text", "topic"))
    assert set(QueryText.objects.values_list("embedder", flat=True)) == {"the/first"}
    with embedder_replaced(NamedEmbedder("the/second")):
        assert run().state == TopicRun.State.ACCEPTED
    assert set(QueryText.objects.values_list("embedder", flat=True)) == {"the/second"}
    assert set(Topic.objects.placeable().values_list("embedder", flat=True)) == {"the/second"}
    assert dict(TopicMember.objects.values_list("text", "topic")) == before
