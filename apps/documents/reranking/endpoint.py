"""A rerank server that speaks the JSON of Cohere and Jina, as vLLM, Infinity and text-embeddings-inference do."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Sequence
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from django.core.exceptions import ImproperlyConfigured

from apps.documents.embedding.texts import embedded_text
from apps.documents.reranking.types import Asked, Reranker, ordered_by
from apps.rag.types import Passage

logger = logging.getLogger(__name__)

# A reader waits: a slow server is worth less than the local order at once.
_TIMEOUT_SECONDS: Final = 2.0
_LARGEST_REPLY: Final = 1_000_000

Post = Callable[[Request], bytes]


class EndpointReranker:
    """Asks the server once per search; whatever goes wrong, the fallback orders and the log says why."""

    def __init__(self, *, url: str, model: str, api_key: str, fallback: Reranker, post: Post | None = None) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise ImproperlyConfigured("RERANKER_URL must start with http:// or https://.")
        self.name = f"endpoint/{model}"
        self._url = url
        self._model = model
        self._api_key = api_key
        self._fallback = fallback
        self._post = post or _post

    def rerank(self, asked: Asked, passages: Sequence[Passage]) -> list[Passage]:
        """Return all passages, best first."""
        if not passages:
            return []
        try:
            reply = json.loads(self._post(self._request(asked.text, passages)))
            scores = _scores(reply, expected=len(passages))
        except HTTPError as error:
            logger.warning("The rerank server answered %s; the local reranker takes over.", error.code)
            return self._fallback.rerank(asked, passages)
        except (URLError, OSError, ValueError, KeyError, TypeError) as error:
            # Only the kind of error: its text may hold the reader's words.
            logger.warning("The rerank server failed (%s); the local reranker takes over.", type(error).__name__)
            return self._fallback.rerank(asked, passages)
        return ordered_by(passages, scores)

    def _request(self, question: str, passages: Sequence[Passage]) -> Request:
        body = {
            "model": self._model,
            "query": question,
            "documents": [embedded_text(passage.context, passage.text) for passage in passages],
            "top_n": len(passages),
            "return_documents": False,
        }
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        return Request(self._url, data=json.dumps(body).encode(), headers=headers, method="POST")


def _post(request: Request) -> bytes:
    with urlopen(request, timeout=_TIMEOUT_SECONDS) as reply:
        body: bytes = reply.read(_LARGEST_REPLY)
        return body


def _scores(reply: object, *, expected: int) -> list[float]:
    """Return one finite score per passage, in their order; raise ValueError when some are missing."""
    if not isinstance(reply, dict):
        raise ValueError("not an object")
    scores = {int(result["index"]): float(result["relevance_score"]) for result in reply["results"]}
    if set(scores) != set(range(expected)) or not all(math.isfinite(score) for score in scores.values()):
        raise ValueError("not one score per passage")
    return [scores[number] for number in range(expected)]
