"""Anthropic's messages, at Anthropic itself and on Amazon Bedrock."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Final
from urllib.parse import quote

from apps.answering.language_models.http import HttpModel
from apps.answering.language_models.types import Usage
from apps.answering.language_models.wire import Json, count, event_data, frame_payloads, parsed, part
from apps.rag.model_types import ModelError, ModelRequest, Role

_OWN_SERVER: Final = "https://api.anthropic.com"
_VERSION: Final = "2023-06-01"
_BEDROCK_VERSION: Final = "bedrock-2023-05-31"
_ENDS: Final = frozenset({"end_turn", "stop_sequence", "tool_use"})


class AnthropicModel(HttpModel):
    """Structured output is a tool that the model must fill in and nobody runs."""

    kind = "anthropic"

    def address(self) -> str:
        """Return the address of the messages."""
        return f"{(self.endpoint.url or _OWN_SERVER).rstrip('/')}/v1/messages"

    def headers(self) -> Mapping[str, str]:
        """Return the key and the version of the protocol."""
        return {"x-api-key": self.endpoint.api_key, "anthropic-version": _VERSION}

    def body(self, request: ModelRequest) -> Json:
        """Return the request as JSON."""
        return {"model": self.endpoint.model, "stream": True, **messages_body(request)}

    def read(self, chunks: AsyncIterator[bytes]) -> AsyncGenerator[str | Usage, None]:
        """Yield the text of each delta, and the usage."""
        return read_messages(event_data(chunks))


class BedrockModel(HttpModel):
    """The same messages behind Amazon's address, with a Bedrock API key."""

    kind = "bedrock"

    def address(self) -> str:
        """Return the address of the model; the region is part of the base address."""
        return (
            f"{self.endpoint.url.rstrip('/')}/model/{quote(self.endpoint.model, safe='')}/invoke-with-response-stream"
        )

    def headers(self) -> Mapping[str, str]:
        """Return the bearer's key."""
        return {"Authorization": f"Bearer {self.endpoint.api_key}"}

    def body(self, request: ModelRequest) -> Json:
        """Return the request as JSON."""
        return {"anthropic_version": _BEDROCK_VERSION, **messages_body(request)}

    def read(self, chunks: AsyncIterator[bytes]) -> AsyncGenerator[str | Usage, None]:
        """Yield the text of each delta, and the usage."""
        return read_messages(frame_payloads(chunks))


def messages_body(request: ModelRequest) -> Json:
    """Return what both servers are told: rules apart from messages, no randomness."""
    body: Json = {
        "max_tokens": request.most_tokens,
        "temperature": 0,
        "system": "\n\n".join(each.text for each in request.messages if each.role is Role.SYSTEM),
        "messages": [
            {"role": each.role.value, "content": each.text} for each in request.messages if each.role is not Role.SYSTEM
        ],
    }
    if request.schema is not None:
        body["tools"] = [{"name": "reply", "description": "The reply.", "input_schema": dict(request.schema)}]
        body["tool_choice"] = {"type": "tool", "name": "reply"}
    return body


async def read_messages(events: AsyncGenerator[str, None]) -> AsyncGenerator[str | Usage, None]:
    """Yield text and usage of a stream of events; raise ModelError when it does not end as it should."""
    reason: object = None
    async with aclosing(events):
        async for data in events:
            event = parsed(data)
            kind = event.get("type")
            if kind == "error":
                raise ModelError("server_error")
            if kind == "message_start":
                yield Usage(asked=count(event, "message", "usage", "input_tokens"))
            elif kind == "content_block_delta":
                text = part(event, "delta", "text") or part(event, "delta", "partial_json")
                if isinstance(text, str) and text:
                    yield text
            elif kind == "message_delta":
                reason = part(event, "delta", "stop_reason") or reason
                yield Usage(written=count(event, "usage", "output_tokens"))
            elif kind == "message_stop":
                break
    if reason not in _ENDS:
        raise ModelError({"max_tokens": "too_long", "refusal": "filtered"}.get(str(reason), "cut_off"))
