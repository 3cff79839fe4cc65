"""Any server that speaks OpenAI's chat completions: OpenAI, Azure, vLLM, Ollama, llama.cpp and others."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Final

from apps.answering.language_models.http import HttpModel
from apps.answering.language_models.types import Usage
from apps.answering.language_models.wire import Json, count, event_data, parsed, part
from apps.rag.model_types import ModelError, ModelRequest

_OWN_SERVER: Final = "https://api.openai.com/v1"
_END: Final = "[DONE]"


class OpenAIModel(HttpModel):
    """Structured output goes through ``response_format``."""

    kind = "openai"

    def address(self) -> str:
        """Return the address of the chat completions."""
        return f"{(self.endpoint.url or _OWN_SERVER).rstrip('/')}/chat/completions"

    def headers(self) -> Mapping[str, str]:
        """Return the bearer's key; a server of one's own may want none."""
        return {"Authorization": f"Bearer {self.endpoint.api_key}"} if self.endpoint.api_key else {}

    def body(self, request: ModelRequest) -> Json:
        """Return the request as JSON."""
        is_own = self.address().startswith(_OWN_SERVER)
        body: Json = {
            "model": self.endpoint.model,
            "messages": [{"role": each.role.value, "content": each.text} for each in request.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            # OpenAI's newer models refuse the old name and any temperature, other servers know only these.
            "max_completion_tokens" if is_own else "max_tokens": request.most_tokens,
        }
        if not is_own:
            body["temperature"] = 0
        if request.schema is not None:
            schema = {"name": "reply", "strict": True, "schema": dict(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    async def read(self, chunks: AsyncIterator[bytes]) -> AsyncGenerator[str | Usage, None]:
        """Yield the text of each choice's delta, and the usage."""
        reason: object = None
        async with aclosing(event_data(chunks)) as events:
            async for data in events:
                if data.strip() == _END:
                    break
                event = parsed(data)
                if event.get("error"):
                    raise ModelError("server_error")
                text = part(event, "choices", 0, "delta", "content")
                if isinstance(text, str) and text:
                    yield text
                reason = part(event, "choices", 0, "finish_reason") or reason
                if event.get("usage"):
                    yield Usage(count(event, "usage", "prompt_tokens"), count(event, "usage", "completion_tokens"))
        if reason != "stop":
            raise ModelError({"length": "too_long", "content_filter": "filtered"}.get(str(reason), "cut_off"))
