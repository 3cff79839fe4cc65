"""Rerankers: what moves a passage up, and what happens when a server fails."""

import json
import logging
from itertools import pairwise
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured

from apps.documents.reranking import Asked, get_reranker
from apps.documents.reranking.cross_encoder import CrossEncoderReranker
from apps.documents.reranking.endpoint import EndpointReranker
from apps.documents.reranking.local import LocalReranker
from apps.rag.types import Passage, PassageScores, PassageSentence, Source


def passage(text: str, fused: float = 0.8, *, vectors: tuple[tuple[float, ...], ...] = ()) -> Passage:
    ends = [index + 1 for index, letter in enumerate(text) if letter == "."] or [len(text)]
    starts = [0, *ends[:-1]]
    sentences = tuple(PassageSentence(start, end) for start, end in zip(starts, ends, strict=True))
    rows = np.array(vectors, dtype=np.float32) if vectors else None
    source = Source(uuid="u", version=1, title="t", kind="news")
    scores = PassageScores(cosine=0.8, fused=fused)
    return Passage(1, source, text, 0, len(text), sentences=sentences, scores=scores, vectors=rows)


def order(asked: Asked, *passages: Passage) -> list[str]:
    return [one.text for one in LocalReranker().rerank(asked, passages)]


class TestLocal:
    """Needs no download and no network."""

    def test_the_better_sentence_wins_between_equal_passages(self) -> None:
        asked = Asked("Lohn", vector=np.array([1.0, 0.0], dtype=np.float32))
        weak = passage("Erstens. Zweitens.", vectors=((0.6, 0.8), (0.6, 0.8)))
        strong = passage("Drittens. Viertens.", vectors=((0.0, 1.0), (1.0, 0.0)))
        assert order(asked, weak, strong) == ["Drittens. Viertens.", "Erstens. Zweitens."]

    def test_words_close_together_beat_words_far_apart(self) -> None:
        asked = Asked("Mindestlohn 15", weights={"mindestlohn": 3.0, "15": 3.0})
        apart = passage("Der Mindestlohn. Nichts. Nichts. Etwa 15.")
        together = passage("Nichts. Nichts. Der Mindestlohn. Etwa 15.")
        assert order(asked, apart, together)[0] == together.text

    def test_a_part_of_a_compound_counts_as_covered(self) -> None:
        asked = Asked("Rente", weights={"rent": 3.0})
        assert order(asked, passage("Der Hafen ist tief."), passage("Das Rentenniveau steigt."))[0] == (
            "Das Rentenniveau steigt."
        )

    def test_a_pair_of_words_kept_together_wins(self) -> None:
        asked = Asked("soziale Arbeit")
        split = passage("Arbeit ist sozial, soziale und gute Arbeit.")
        kept = passage("Gute und soziale Arbeit, Arbeit ist sozial.")
        assert order(asked, split, kept)[0] == kept.text

    def test_the_fused_order_stays_where_nothing_speaks_against_it(self) -> None:
        first, second = passage("Der Hafen.", 0.9), passage("Das Meer.", 0.8)
        assert order(Asked("Lohn"), second, first) == ["Der Hafen.", "Das Meer."]

    def test_nothing_is_lost_and_scores_are_set(self) -> None:
        passages = [passage(f"Satz {number}.", 0.5 + number / 100) for number in range(12)]
        ranked = LocalReranker().rerank(Asked("Satz"), passages)
        assert {one.text for one in ranked} == {one.text for one in passages}
        assert all(left.scores.reranked >= right.scores.reranked for left, right in pairwise(ranked))

    def test_passages_without_sentence_vectors_are_ranked_by_the_rest(self) -> None:
        asked = Asked("Lohn", vector=np.ones(2, dtype=np.float32))
        assert order(asked, passage("Der Hafen."), passage("Das Meer.")) == ["Der Hafen.", "Das Meer."]


PASSAGES = [passage("eins"), passage("zwei"), passage("drei")]


def reply(*pairs: tuple[int, float]) -> bytes:
    return json.dumps({"results": [{"index": index, "relevance_score": score} for index, score in pairs]}).encode()


def server(answer: bytes | Exception, seen: list[Request] | None = None) -> EndpointReranker:
    def post(request: Request) -> bytes:
        if seen is not None:
            seen.append(request)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return EndpointReranker(
        url="https://rerank.example/v1", model="m", api_key="secret", fallback=LocalReranker(), post=post
    )


class TestEndpoint:
    """Cohere- and Jina-compatible servers."""

    def test_the_servers_scores_order_the_passages(self) -> None:
        seen: list[Request] = []
        ranked = server(reply((1, 0.9), (0, 0.5), (2, 0.1)), seen).rerank(Asked("Frage"), PASSAGES)
        assert [one.text for one in ranked] == ["zwei", "eins", "drei"]
        body = json.loads(seen[0].data)  # type: ignore[arg-type]
        assert (body["query"], body["documents"], body["top_n"]) == ("Frage", ["eins", "zwei", "drei"], 3)
        assert seen[0].get_header("Authorization") == "Bearer secret"

    @pytest.mark.parametrize(
        "answer",
        [
            pytest.param(URLError("down"), id="down"),
            pytest.param(TimeoutError(), id="slow"),
            pytest.param(HTTPError("https://x", 503, "no", None, None), id="busy"),  # type: ignore[arg-type]
            pytest.param(b"<html>", id="not JSON"),
            pytest.param(b"[]", id="not an object"),
            pytest.param(reply((0, 0.5)), id="a score is missing"),
            pytest.param(reply((0, float("nan")), (1, 1.0), (2, 1.0)), id="not a number"),
        ],
    )
    def test_a_failing_server_leaves_the_local_order_and_a_line_in_the_log(
        self, answer: bytes | Exception, caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.WARNING):
            ranked = server(answer).rerank(Asked("Frage einer Leserin"), PASSAGES)
        assert [one.text for one in ranked] == ["eins", "zwei", "drei"]
        assert "local reranker takes over" in caplog.text
        assert "Leserin" not in caplog.text

    def test_only_http_addresses_are_taken(self) -> None:
        with pytest.raises(ImproperlyConfigured, match="RERANKER_URL"):
            EndpointReranker(url="file:///etc/passwd", model="m", api_key="", fallback=LocalReranker())


class FakeCrossEncoder:
    """Scores by length, or fails."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails

    def predict(self, pairs: list[tuple[str, str]], **_: Any) -> list[float]:
        if self.fails:
            raise RuntimeError
        return [float(text == "drei") for _, text in pairs]


@pytest.mark.parametrize(("fails", "first"), [(False, "drei"), (True, "eins")])
def test_a_cross_encoder_orders_or_falls_back(fails: bool, first: str) -> None:
    reranker = CrossEncoderReranker(model="m", fallback=LocalReranker(), encoder=FakeCrossEncoder(fails=fails))
    assert reranker.rerank(Asked("Frage"), PASSAGES)[0].text == first


@pytest.mark.parametrize(
    ("kind", "problem"), [("oracle", "oracle"), ("endpoint", "RERANKER_URL"), ("cross-encoder", "RERANKER_MODEL")]
)
def test_nonsense_in_settings_is_refused_by_name(settings: Any, kind: str, problem: str) -> None:
    settings.RERANKER, settings.RERANKER_URL, settings.RERANKER_MODEL = kind, "", ""
    get_reranker.cache_clear()
    with pytest.raises(ImproperlyConfigured, match=problem):
        get_reranker()
