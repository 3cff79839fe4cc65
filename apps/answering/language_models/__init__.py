"""The language model of this process, chosen by settings; none is the default. The answer service asks here."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from apps.answering.language_models.anthropic import AnthropicModel, BedrockModel
from apps.answering.language_models.budget import TokenBudget, ValkeyStore
from apps.answering.language_models.chain import Link, ModelChain
from apps.answering.language_models.http import HttpModel
from apps.answering.language_models.openai import OpenAIModel
from apps.answering.language_models.types import Endpoint
from apps.answering.settings_versions import ModelChoice
from apps.core.valkey import valkey_url
from apps.rag.model_types import Deadlines, LanguageModel
from apps.rag.scripted_model import ScriptedModel, quoting_reply

__all__ = ["get_language_model", "language_model_replaced", "model_deadlines", "model_names"]

_PREFIXES: Final[Mapping[ModelChoice, tuple[str, ...]]] = {
    ModelChoice.CONFIGURED: ("ANSWER_MODEL", "ANSWER_SECOND_MODEL"),
    ModelChoice.FIRST: ("ANSWER_MODEL",),
    ModelChoice.SECOND: ("ANSWER_SECOND_MODEL",),
}
KINDS: dict[str, type[HttpModel]] = {"openai": OpenAIModel, "anthropic": AnthropicModel, "bedrock": BedrockModel}

_lock = threading.Lock()
_models: dict[ModelChoice, LanguageModel | None] = {}
_links: dict[str, Link] = {}
_budget: TokenBudget | None = None
_replaced: LanguageModel | None = None
_is_replaced = False


def get_language_model(choice: ModelChoice = ModelChoice.CONFIGURED) -> LanguageModel | None:
    """Return this process's model for a choice, None where there is none; raise ImproperlyConfigured.

    Whichever way a server is chosen, the process knows it once: its health and the day's budget are shared.
    """
    if choice is ModelChoice.NONE:
        return None
    with _lock:
        if _is_replaced:
            return _replaced
        if choice not in _models:
            _models[choice] = configured_model(choice)
        return _models[choice]


@contextmanager
def language_model_replaced(other: LanguageModel | None) -> Iterator[None]:
    """Let the process use another model, or none: for suites and benches, never while readers are served."""
    global _replaced, _is_replaced
    before = _replaced, _is_replaced
    _replaced, _is_replaced = other, True
    try:
        yield
    finally:
        _replaced, _is_replaced = before


def model_deadlines() -> Deadlines:
    """Return until when a model must have begun and ended."""
    return Deadlines(float(settings.ANSWER_MODEL_FIRST_SECONDS), float(settings.ANSWER_MODEL_SECONDS))


def configured_model(choice: ModelChoice = ModelChoice.CONFIGURED) -> LanguageModel | None:
    """Build the model that the settings name."""
    if choice is ModelChoice.NONE or not settings.ANSWER_MODEL:
        return None
    if settings.ANSWER_MODEL == "scripted":
        return None if choice is ModelChoice.SECOND else ScriptedModel(quoting_reply)
    links = [_link(prefix) for prefix in _PREFIXES[choice] if getattr(settings, prefix)]
    return ModelChain(links, budget=_shared_budget()) if links else None


def model_names() -> dict[ModelChoice, str]:
    """Return how the configured models are called, for people who choose; nothing of where they are or their keys."""
    names = {}
    for choice in (ModelChoice.FIRST, ModelChoice.SECOND):
        [prefix] = _PREFIXES[choice]
        kind = getattr(settings, prefix) if settings.ANSWER_MODEL else ""
        if kind and not (kind == "scripted" and choice is ModelChoice.SECOND):
            names[choice] = "/".join(part for part in (kind, getattr(settings, f"{prefix}_NAME")) if part)
    return names


def _link(prefix: str) -> Link:
    client = _client(prefix)
    known = _links.get(prefix)
    if known is None or known.client.name != client.name:
        _links[prefix] = known = Link(client)
    return known


def _shared_budget() -> TokenBudget:
    global _budget
    if _budget is None:
        url = valkey_url()
        store = ValkeyStore(url) if url else None
        _budget = TokenBudget(settings.ANSWER_TOKENS_PER_DAY, timezone.localdate, store)
    return _budget


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
