"""Which numbers of an answer editors may change, from what to what; one table for form, database and loading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from apps.answering.settings_versions import AnswerSettingsVersion
from apps.rag.sufficiency import MODELS
from apps.rag.verifying import Floors


@dataclass(frozen=True, slots=True)
class Range:
    """From ``least`` to ``most``, both included."""

    least: float
    most: float


# DESIGN.md section 5 caps what is shown without a model: the upper ends of those ranges are part of the contract.
RANGES: Final[Mapping[str, Range]] = {
    "turns": Range(1, 5),
    "top_k": Range(3, 30),
    "passages_read": Range(1, 10),
    "desk_passages_read": Range(1, 20),
    "passages_nearest": Range(0, 6),
    "parties_compared": Range(2, 8),
    "links_per_party": Range(0, 5),
    "search_seconds": Range(1, 10),
    "sentences": Range(1, 5),
    "sentences_per_party": Range(1, 2),
    "shown_sentences": Range(1, 5),
    "shown_words": Range(30, 90),
    "sufficient": Range(0.01, 0.99),
    "on_topic": Range(0, 1.5),
    "other_language": Range(0, 1),
    "support_floor": Range(-6, 3),
    "other_language_floor": Range(0.5, 1),
    "model_passages": Range(1, 12),
    "model_sentences": Range(1, 10),
    "model_tokens": Range(100, 2_000),
    "first_token_seconds": Range(1, 20),
    "whole_seconds": Range(5, 55),
    "rewrite_seconds": Range(0.5, 8),
    "cache_minutes": Range(0, 1_440),
}
# Fields of PipelineSettings and of what belongs to a model, under the names of the form.
PIPELINE: Final = (
    "turns",
    "top_k",
    "passages_read",
    "desk_passages_read",
    "passages_nearest",
    "parties_compared",
    "links_per_party",
    "search_seconds",
    "sentences",
    "sentences_per_party",
    "shown_sentences",
    "shown_words",
)
THRESHOLDS: Final = ("sufficient", "on_topic", "other_language")
WRITER: Final = {"model_passages": "passages", "model_sentences": "sentences", "model_tokens": "most_tokens"}
LIMITS: Final = ("first_token_seconds", "whole_seconds", "rewrite_seconds", "support_floor", "other_language_floor")


def shipped_numbers(embedder: str, first_token_seconds: float, whole_seconds: float) -> dict[str, float | None]:
    """Return what holds where a field is left empty; None where nobody has measured the embedder.

    The deadlines are the operator's.
    """
    shipped = AnswerSettingsVersion()
    model = MODELS.get(embedder)
    floors = Floors()
    numbers: dict[str, float | None] = {name: getattr(shipped.pipeline, name) for name in PIPELINE}
    numbers |= {name: getattr(model.thresholds, name) if model else None for name in THRESHOLDS}
    numbers |= {name: getattr(shipped.writer, field) for name, field in WRITER.items()}
    numbers |= {
        "support_floor": floors.support if model else None,
        "other_language_floor": floors.cosine if model else None,
        "first_token_seconds": first_token_seconds,
        "whole_seconds": whole_seconds,
        "rewrite_seconds": shipped.limits.rewrite_seconds,
        "cache_minutes": shipped.cache_seconds // 60,
    }
    return numbers
