"""Embeddings from any OpenAI-compatible server: vLLM, Ollama, Azure, Bedrock's endpoint and others."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.documents.embedding.texts import (
    QUESTION_CHARACTERS,
    estimated_tokens,
    readable,
    readable_passages,
    unit_rows,
)
from apps.rag.protocols import Vectors

if TYPE_CHECKING:
    from openai import OpenAI

logger = logging.getLogger(__name__)

_BATCH: Final = 64
_ATTEMPTS: Final = 4
_TIMEOUT_SECONDS: Final = 30.0
_QUESTION_TIMEOUT_SECONDS: Final = 5.0


class EmbeddingError(Exception):
    """The embedding server did not give vectors. ``permanent`` when asking again cannot help."""

    def __init__(self, message: str, *, permanent: bool) -> None:
        super().__init__(message)
        self.permanent = permanent


class EndpointEmbedder:
    """Asks the server in batches; learns the dimension from the first answer.

    E5 models want to be told what they read; other models get the bare text.
    """

    cosine_spread = 0.1

    def __init__(
        self,
        *,
        model: str,
        url: str,
        api_key: str,
        client: OpenAI | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        from openai import OpenAI

        self.name = f"openai/{model}"
        self._model = model
        self._dimensions = 0
        self._sleep = sleep
        self._client = client or OpenAI(
            base_url=url or None, api_key=api_key or "none", timeout=_TIMEOUT_SECONDS, max_retries=0
        )
        self._passage_prefix, self._question_prefix = ("passage: ", "query: ") if "e5" in model.casefold() else ("", "")

    @property
    def dimensions(self) -> int:
        """Ask the server once, so that a start-up check can compare it with the index."""
        if not self._dimensions:
            self._dimensions = self._ask(["dimension"], attempts=1, timeout=_QUESTION_TIMEOUT_SECONDS).shape[1]
        return self._dimensions

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Return one unit row per text; raise EmbeddingError when the server gives none."""
        ready = [self._passage_prefix + text for text in readable_passages(texts)]
        if not ready:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return np.vstack([self._ask(ready[start : start + _BATCH]) for start in range(0, len(ready), _BATCH)])

    def embed_question(self, text: str) -> Vectors:
        """Return the unit vector of a question; a reader waits, so there is one quick second try and no more."""
        ready = self._question_prefix + readable(text, limit=QUESTION_CHARACTERS)
        vector: Vectors = self._ask([ready], attempts=2, timeout=_QUESTION_TIMEOUT_SECONDS)[0]
        return vector

    def count_tokens(self, text: str) -> int:
        """Estimate: the server's tokeniser is out of reach."""
        return estimated_tokens(text)

    def _ask(self, texts: list[str], *, attempts: int = _ATTEMPTS, timeout: float = _TIMEOUT_SECONDS) -> Vectors:
        import openai

        for attempt in range(1, attempts + 1):
            try:
                reply = self._client.embeddings.create(
                    model=self._model, input=texts, encoding_format="float", timeout=timeout
                )
            except openai.APIStatusError as error:
                passing = error.status_code in (408, 409, 429) or error.status_code >= 500
                if not passing or attempt == attempts:
                    raise EmbeddingError(
                        f"The embedding server answered {error.status_code}.", permanent=not passing
                    ) from error
            except openai.APIConnectionError as error:
                if attempt == attempts:
                    raise EmbeddingError("The embedding server does not answer.", permanent=False) from error
            else:
                return self._rows(reply, expected=len(texts))
            # Full jitter: many workers that were refused together must not come back together.
            self._sleep(random.uniform(0, min(8.0, 0.5 * 2**attempt)))
            logger.info("Asking the embedding server again, attempt %s.", attempt + 1)
        raise AssertionError("unreachable")

    def _rows(self, reply: object, *, expected: int) -> Vectors:
        data = sorted(reply.data, key=lambda row: row.index)  # type: ignore[attr-defined]
        if len(data) != expected:
            raise EmbeddingError(f"Asked for {expected} vectors, got {len(data)}.", permanent=True)
        try:
            rows = unit_rows([row.embedding for row in data], dimensions=self._dimensions or None)
        except ValueError as error:
            raise EmbeddingError(str(error), permanent=True) from error
        self._dimensions = rows.shape[1]
        return rows
