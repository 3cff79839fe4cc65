"""What the clients of language models share: where a server is, and what a reply cost."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Protocol

from apps.rag.model_types import ModelRequest


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model on a server. ``url`` is the base address; the key never appears in a representation."""

    model: str
    url: str = ""
    api_key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one reply, as the server counted them."""

    asked: int = 0
    written: int = 0

    @property
    def total(self) -> int:
        """Return what counts against the budget."""
        return self.asked + self.written


class ModelClient(Protocol):
    """One model on one server."""

    @property
    def name(self) -> str:
        """Return who serves it and the model's name."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[str | Usage, None]:
        """Yield pieces of text and what is known of the cost; raise ModelError. Asks the server once."""
