"""What steers an answer, as one value: the shipped numbers and prompts, or what an editor-in-chief made of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from typing import Final

from apps.rag.generation import WriterSettings
from apps.rag.model_types import Deadlines
from apps.rag.settings import PipelineSettings
from apps.rag.verifying import MEASURED_EMBEDDER, Floors

# The name of what is in force before anybody has activated anything.
SHIPPED: Final = "shipped"
# How the name of a draft begins; its key follows.
DRAFT: Final = "draft"


class ModelChoice(StrEnum):
    """Which of the models that the operator configured may be asked."""

    CONFIGURED = "configured"
    FIRST = "first"
    SECOND = "second"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ModelLimits:
    """Limits of what a model does; None leaves the operator's deadlines and the floors measured for the embedder."""

    first_token_seconds: float | None = None
    whole_seconds: float | None = None
    rewrite_seconds: float = 3.0
    support_floor: float | None = None
    other_language_floor: float | None = None


@dataclass(frozen=True, slots=True)
class AnswerSettingsVersion:
    """One version. ``name`` is what turns record: its number, ``shipped``, or ``draft`` with the draft's key.

    ``rewrites`` lets the model make follow-up questions stand alone. ``cache_seconds`` is 0 for no cache.
    """

    name: str = SHIPPED
    model: ModelChoice = ModelChoice.CONFIGURED
    rewrites: bool = True
    pipeline: PipelineSettings = field(default_factory=PipelineSettings)
    writer: WriterSettings = field(default_factory=WriterSettings)
    limits: ModelLimits = field(default_factory=ModelLimits)
    cache_seconds: int = 3_600

    @property
    def digest(self) -> str:
        """Return eight characters that differ wherever anything but the name does, the shipped prompts included."""
        return sha256(repr(replace(self, name="")).encode()).hexdigest()[:8]

    def pipeline_settings(self, embedder: str) -> PipelineSettings:
        """Return the numbers of the pipeline over an embedder."""
        return replace(self.pipeline, embedder=embedder)

    def writer_settings(self, embedder: str, deadlines: Deadlines) -> WriterSettings:
        """Return the limits of a model's answer; ``deadlines`` are the operator's."""
        floors = Floors() if embedder == MEASURED_EMBEDDER else Floors.unmeasured()
        own = self.limits
        return replace(
            self.writer,
            deadlines=Deadlines(
                deadlines.first_token if own.first_token_seconds is None else own.first_token_seconds,
                deadlines.whole if own.whole_seconds is None else own.whole_seconds,
            ),
            floors=replace(
                floors,
                support=floors.support if own.support_floor is None else own.support_floor,
                cosine=floors.cosine if own.other_language_floor is None else own.other_language_floor,
            ),
        )
