"""The language model of this process, chosen by settings; none is the default. The answer service asks here."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from apps.answering.language_models.anthropic import AnthropicModel, BedrockModel
from apps.answering.language_models.budget import TokenBudget, ValkeyStore
from apps.answering.language_models.chain import Link, ModelChain
from apps.answering.language_models.http import HttpModel
from apps.answering.language_models.openai import OpenAIModel
from apps.answering.language_models.types import Endpoint
from apps.rag.model_types import Deadlines, LanguageModel
from apps.rag.scripted_model import ScriptedModel, quoting_reply

__all__ = ["get_language_model", "language_model_replaced", "model_deadlines"]

KINDS: dict[str, type[HttpModel]] = {"openai": OpenAIModel, "anthropic": AnthropicModel, "bedrock": BedrockModel}

_lock = threading.Lock()
_model: LanguageModel | None = None
_is_known = False


def get_language_model() -> LanguageModel | None:
    """Return the one model of this process, None where ANSWER_MODEL is empty; raise ImproperlyConfigured."""
    global _model, _is_known
    with _lock:
        if not _is_known:
            _model, _is_known = configured_model(), True
    return _model


@contextmanager
def language_model_replaced(other: LanguageModel | None) -> Iterator[None]:
    """Let the process use another model, or none: for suites and benches, never while readers are served."""
    global _model, _is_known
    before = _model, _is_known
    _model, _is_known = other, True
    try:
        yield
    finally:
        _model, _is_known = before


def model_deadlines() -> Deadlines:
    """Return until when a model must have begun and ended."""
    return Deadlines(float(settings.ANSWER_MODEL_FIRST_SECONDS), float(settings.ANSWER_MODEL_SECONDS))


def configured_model() -> LanguageModel | None:
    """Build the model that the settings name."""
    if not settings.ANSWER_MODEL:
        return None
    if settings.ANSWER_MODEL == "scripted":
        return ScriptedModel(quoting_reply)
    links = [Link(_client("ANSWER_MODEL"))]
    if settings.ANSWER_SECOND_MODEL:
        links.append(Link(_client("ANSWER_SECOND_MODEL")))
    broker = str(settings.CELERY_BROKER_URL)
    store = ValkeyStore(broker) if broker.startswith(("redis://", "rediss://", "redis+socket://")) else None
    budget = TokenBudget(settings.ANSWER_TOKENS_PER_DAY, timezone.localdate, store)
    return ModelChain(links, budget=budget)


def _client(prefix: str) -> HttpModel:
    kind = getattr(settings, prefix)
    if kind not in KINDS:
        raise ImproperlyConfigured(f"{prefix} is {kind!r}; it must be {', '.join(sorted(KINDS))}, or empty.")
    endpoint = Endpoint(
        getattr(settings, f"{prefix}_NAME"), getattr(settings, f"{prefix}_URL"), getattr(settings, f"{prefix}_API_KEY")
    )
    if not endpoint.model:
        raise ImproperlyConfigured(f"{prefix}={kind} needs {prefix}_NAME, the name of the model.")
    if endpoint.url and not endpoint.url.startswith(("http://", "https://")):
        raise ImproperlyConfigured(f"{prefix}_URL must begin with http:// or https://.")
    if kind == "bedrock" and not endpoint.url:
        raise ImproperlyConfigured(f"{prefix}=bedrock needs {prefix}_URL, the address of Bedrock in your region.")
    if kind in ("anthropic", "bedrock") and not endpoint.api_key:
        raise ImproperlyConfigured(f"{prefix}={kind} needs {prefix}_API_KEY.")
    return KINDS[kind](endpoint)
