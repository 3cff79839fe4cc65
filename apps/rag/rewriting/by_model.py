"""The rewriter that asks a model, under the same contract: checked by code, one retry, then the question stands."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Any, Final

from apps.rag.deadlines import within
from apps.rag.model_types import Deadlines, LanguageModel, Message, ModelError, ModelRequest, Role
from apps.rag.prompt_texts import Prompts, prompt_language
from apps.rag.protocols import Offload
from apps.rag.rewriting.checking import RewriteFormatError, rewriting_from_json
from apps.rag.rewriting.making import as_is
from apps.rag.rewriting.rules import rewrite
from apps.rag.rewriting.types import (
    CANNOT_WIDEN,
    MOST_CHOICES,
    MOST_QUERY_CHARACTERS,
    MOST_SUB_QUERIES,
    PastTurn,
    RewriteContext,
    Rewriting,
)
from apps.rag.routing import RoutedBy, route
from apps.rag.types import Decision
from apps.rag.understanding import PartyDirectory

logger = logging.getLogger(__name__)

_ANSWER_CHARACTERS: Final = 400
_MOST_TOKENS: Final = 400
_TRIES: Final = 2
# What the bot itself has shown, and what no wording can change, needs no model.
_BY_CODE: Final = frozenset({"accepted", "which_offer", "which_one", "more", CANNOT_WIDEN})
_TEXT: Final[Mapping[str, object]] = {"type": "string", "maxLength": MOST_QUERY_CHARACTERS}
SCHEMA: Final[Mapping[str, object]] = {
    "type": "object",
    "properties": {
        "decision": {"enum": [each.value for each in Decision if each is not Decision.CHAT]},
        "standalone_query": _TEXT,
        "reason": {"type": "string", "maxLength": 200},
        "resolved_references": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"said": _TEXT, "means": _TEXT, "turn": {"type": "integer"}},
                "required": ["said", "means", "turn"],
                "additionalProperties": False,
            },
        },
        "sub_queries": {"type": "array", "items": _TEXT, "maxItems": MOST_SUB_QUERIES},
        "choices": {"type": "array", "items": _TEXT, "maxItems": MOST_CHOICES},
    },
    "required": ["decision", "standalone_query", "reason", "resolved_references", "sub_queries", "choices"],
    "additionalProperties": False,
}


class ModelRewriter:
    """Implements ``rag.protocols.Rewriter`` with a language model.

    First turns, small talk and answers to the bot's own offers are decided by rule. A model that is down or late leaves
    the work to the rules; one that breaks the contract twice leaves the question as it stands.
    """

    def __init__(
        self, model: LanguageModel, offload: Offload, *, prompts: Prompts | None = None, seconds: float = 3.0
    ) -> None:
        self._model = model
        self._offload = offload
        self._prompts = prompts or Prompts()
        self._deadlines = Deadlines(seconds, seconds)

    async def rewrite(self, question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting:
        """Return the decision; both tries together take at most ``seconds``."""
        by_rule = await self._offload(lambda: rewrite(question, context, directory))
        if not context.turns or by_rule.reason in _BY_CODE or route(question).by is RoutedBy.PATTERN:
            return by_rule
        try:
            async with asyncio.timeout(self._deadlines.whole):
                return await self._by_model(question, context, directory)
        except ModelError as error:
            logger.warning("The model did not rewrite: %s.", error.code)
        except TimeoutError:
            logger.warning("The model did not rewrite: late.")
        return by_rule

    async def _by_model(self, question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting:
        fault = ""
        for _ in range(_TRIES):
            reply = await self._ask(question, context, directory, fault)
            try:
                return await self._offload(partial(_read, reply, question, context, directory))
            except RewriteFormatError as error:
                # The message may name a word that nobody said: it goes to the model, not into the log.
                logger.warning("The model broke the contract of the rewriter.")
                fault = str(error)
        return as_is(question, "contract_broken")

    async def _ask(self, question: str, context: RewriteContext, directory: PartyDirectory, fault: str) -> str:
        messages = messages_of(question, context, directory, fault, self._prompts)
        request = ModelRequest(messages, self._deadlines, _MOST_TOKENS, SCHEMA)
        async with aclosing(within(self._model.stream(request), self._deadlines)) as stream:
            return "".join([piece async for piece in stream])


def messages_of(
    question: str,
    context: RewriteContext,
    directory: PartyDirectory,
    fault: str = "",
    prompts: Prompts | None = None,
) -> tuple[Message, ...]:
    """Return what to send: the rules, then the conversation as data; ``fault`` says what was wrong before."""
    data: dict[str, Any] = {
        "question": question,
        "turns": [_turn_data(turn, directory) for turn in context.turns],
        "earlier": context.summary,
        "language": context.language,
        "locale": context.locale,
        "time_zone": context.time_zone,
        "today": context.now.date().isoformat(),
    }
    if fault:
        data["fault_of_the_last_reply"] = fault
    rules = (prompts or Prompts()).rewrite[prompt_language(context.language)].text
    return Message(Role.SYSTEM, rules), Message(Role.USER, json.dumps(data, ensure_ascii=False))


def _turn_data(turn: PastTurn, directory: PartyDirectory) -> dict[str, Any]:
    """What a model sees of a turn; ``confirmed`` are the entities that were settled in it."""
    parties = [party.name for party in directory.parties if party.slug in turn.parties]
    return {
        "turn": turn.number,
        "question": turn.question,
        "standalone_query": turn.query,
        "answer": turn.answer[:_ANSWER_CHARACTERS],
        "offers": list(turn.offers),
        "list": list(turn.items),
        "confirmed": [*parties, *([turn.subject] if turn.subject else [])],
    }


def _read(reply: str, question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting:
    plain = re.sub(r"^```(?:json)?\s*|\s*```$", "", reply.strip())
    try:
        data = json.loads(plain)
    except (ValueError, RecursionError) as error:
        raise RewriteFormatError("The reply must be JSON.") from error
    said: list[str] = [context.summary]
    for turn in context.turns:
        said += [turn.question, turn.query, turn.answer, *turn.offers, *turn.items]
        said += [party.name for party in directory.parties if party.slug in turn.parties]
    found = rewriting_from_json(data, question, said, context.language)
    if found.decision is Decision.CHAT:
        raise RewriteFormatError("decision must be one of the four that search or ask back.")
    if found.decision is not Decision.DECOMPOSE:
        found = replace(found, sub_queries=())
    if found.decision is Decision.CLARIFY:
        return replace(found, standalone_query=question, reason="which_reading", turns_used=_numbers(context))
    if found.decision is Decision.SEARCH_AS_IS:
        return replace(found, standalone_query=question, choices=())
    return replace(found, choices=(), turns_used=_numbers(context))


def _numbers(context: RewriteContext) -> tuple[int, ...]:
    return tuple(turn.number for turn in context.turns)
