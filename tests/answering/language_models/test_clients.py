"""What each server is sent, and what its answers mean."""

import json
from collections.abc import Callable

import httpx2
import pytest

from apps.answering.language_models.anthropic import AnthropicModel, BedrockModel
from apps.answering.language_models.http import HttpModel
from apps.answering.language_models.openai import OpenAIModel
from apps.answering.language_models.types import Endpoint
from apps.rag.model_types import Message, ModelError, ModelRequest, Role

SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}}
REQUEST = ModelRequest((Message(Role.SYSTEM, "Regeln"), Message(Role.USER, "Frage")), schema=SCHEMA)


def client_of(answer: Callable[[httpx2.Request], httpx2.Response]) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.MockTransport(answer))


async def sent(kind: type[HttpModel], endpoint: Endpoint) -> tuple[httpx2.Request, dict[str, object]]:
    """The request that a client sends; the server then refuses it."""
    requests: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        requests.append(request)
        return httpx2.Response(503)

    with pytest.raises(ModelError):
        [piece async for piece in kind(endpoint, client=client_of(answer)).stream(REQUEST)]
    return requests[0], json.loads(requests[0].content)


async def test_an_openai_server_is_asked_for_structured_output_and_the_usage() -> None:
    request, body = await sent(OpenAIModel, Endpoint("m", "http://127.0.0.1:9/v1/", "key"))
    assert str(request.url) == "http://127.0.0.1:9/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer key"
    assert body["messages"] == [{"role": "system", "content": "Regeln"}, {"role": "user", "content": "Frage"}]
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA  # type: ignore[index]
    assert (body["stream"], body["stream_options"]) == (True, {"include_usage": True})
    assert (body["max_tokens"], body["temperature"]) == (700, 0)


async def test_openai_itself_gets_the_names_that_its_newer_models_know() -> None:
    request, body = await sent(OpenAIModel, Endpoint("m"))
    assert request.url.host == "api.openai.com"
    assert "authorization" not in request.headers
    assert body["max_completion_tokens"] == 700
    assert not {"max_tokens", "temperature"} & set(body)


async def test_anthropic_gets_the_rules_apart_and_a_tool_that_holds_the_reply() -> None:
    request, body = await sent(AnthropicModel, Endpoint("m", api_key="key"))
    assert str(request.url) == "https://api.anthropic.com/v1/messages"
    assert request.headers["x-api-key"] == "key"
    assert (body["system"], body["messages"]) == ("Regeln", [{"role": "user", "content": "Frage"}])
    assert body["tools"][0]["input_schema"] == SCHEMA  # type: ignore[index]
    assert body["model"] == "m"


async def test_bedrock_has_the_model_in_its_address() -> None:
    request, body = await sent(BedrockModel, Endpoint("a.b-v1:0", "https://bedrock.example", "key"))
    assert str(request.url) == "https://bedrock.example/model/a.b-v1%3A0/invoke-with-response-stream"
    assert request.headers["authorization"] == "Bearer key"
    assert "model" not in body
    assert body["anthropic_version"]


@pytest.mark.parametrize(
    ("status", "permanent"),
    [(400, True), (401, True), (404, True), (302, True), (408, False), (429, False), (500, False)],
)
async def test_a_status_says_whether_asking_again_can_help(status: int, permanent: bool) -> None:
    model = OpenAIModel(Endpoint("m"), client=client_of(lambda _: httpx2.Response(status, text="Frage")))
    with pytest.raises(ModelError) as caught:
        [piece async for piece in model.stream(REQUEST)]
    assert (caught.value.code, caught.value.permanent) == (f"http_{status}", permanent)


async def test_a_server_that_is_away_is_an_error_of_ours() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("no route for Frage")

    model = OpenAIModel(Endpoint("m"), client=client_of(answer))
    with pytest.raises(ModelError) as caught:
        [piece async for piece in model.stream(REQUEST)]
    assert (caught.value.code, caught.value.permanent) == ("no_connection", False)
    assert "Frage" not in str(caught.value)


def test_a_key_is_not_printed() -> None:
    assert "secret" not in repr(Endpoint("m", api_key="secret"))
