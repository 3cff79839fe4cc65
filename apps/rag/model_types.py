"""What the pipeline needs of a language model, whoever serves it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a model."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds until the first piece of text must be there, and until the last."""

    first_token: float = 8.0
    whole: float = 40.0


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What is asked of a model. ``schema`` is a JSON schema for the whole reply, where the server offers that.

    ``answered_by`` is told the name of the model that gives the first piece, where there are several.
    """

    messages: tuple[Message, ...]
    deadlines: Deadlines = Deadlines()
    most_tokens: int = 700
    schema: Mapping[str, object] | None = None
    answered_by: Callable[[str], None] | None = None


class ModelError(Exception):
    """A model gave no reply, or not all of it. ``code`` is for the log; ``permanent`` when asking again cannot help.

    The message never repeats what was asked or answered.
    """

    def __init__(self, code: str, *, permanent: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.permanent = permanent


class LanguageModel(Protocol):
    """Writes text. One instance serves many readers at once."""

    @property
    def name(self) -> str:
        """Return what the turn records: who serves it and the model's name."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[str, None]:
        """Yield the reply in pieces of any length; raise ModelError. Closing the generator stops the model."""
