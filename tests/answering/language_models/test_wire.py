"""The bytes of a streamed reply say the same however they are cut."""

import base64
import binascii
import json
import struct
from collections.abc import AsyncGenerator, Sequence

import pytest

from apps.answering.language_models.anthropic import AnthropicModel, BedrockModel
from apps.answering.language_models.http import HttpModel
from apps.answering.language_models.openai import OpenAIModel
from apps.answering.language_models.types import Endpoint, Usage
from apps.rag.model_types import ModelError

TEXT = "Größe „15 €“ \u2028[doc:1#chunk:1]"
ENDPOINT = Endpoint("m", "https://models.example", "key")


def events(*found: object, end: str = "") -> bytes:
    lines = [": comment\r\n\r\n"] + [f"data: {json.dumps(each, ensure_ascii=False)}\n\n" for each in found]
    return ("".join(lines) + (f"data: {end}\n\n" if end else "")).encode()


def frame(found: object, headers: bytes = b"") -> bytes:
    payload = json.dumps({"bytes": base64.b64encode(json.dumps(found).encode()).decode()}).encode()
    head = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    body = head + struct.pack(">I", binascii.crc32(head)) + headers + payload
    return body + struct.pack(">I", binascii.crc32(body))


def openai_events(reason: str | None = "stop") -> list[object]:
    pieces = [{"choices": [{"delta": {"content": letter}}]} for letter in TEXT]
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
    return [*pieces, {"choices": [{"delta": {}, "finish_reason": reason}]}, usage]


def anthropic_events(reason: str | None = "end_turn") -> list[object]:
    return [
        {"type": "message_start", "message": {"usage": {"input_tokens": 7}}},
        *({"type": "content_block_delta", "delta": {"text": letter}} for letter in TEXT),
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    ]


OPENAI, ANTHROPIC, BEDROCK = OpenAIModel(ENDPOINT), AnthropicModel(ENDPOINT), BedrockModel(ENDPOINT)
GOOD = [
    (OPENAI, events(*openai_events(), end="[DONE]")),
    (ANTHROPIC, events(*anthropic_events())),
    (BEDROCK, b"".join(map(frame, anthropic_events()))),
]
BAD = [
    (OPENAI, events(*openai_events()[:3]), "cut_off"),
    (OPENAI, events(*openai_events(None), end="[DONE]"), "cut_off"),
    (OPENAI, events(*openai_events("length"), end="[DONE]"), "too_long"),
    (OPENAI, events(*openai_events("content_filter"), end="[DONE]"), "filtered"),
    (OPENAI, events({"error": {"message": "quoting the reader"}}), "server_error"),
    (OPENAI, b"data: {not json\n\n", "wrong_format"),
    (OPENAI, b"data: [1]\n\n", "wrong_format"),
    (OPENAI, b"data: " + b"x" * 1_000_001, "too_large"),
    (OPENAI, b"<html>", "cut_off"),
    (ANTHROPIC, events(*anthropic_events()[:3]), "cut_off"),
    (ANTHROPIC, events(*anthropic_events("max_tokens")), "too_long"),
    (ANTHROPIC, events(*anthropic_events("refusal")), "filtered"),
    (ANTHROPIC, events({"type": "error", "error": {}}), "server_error"),
    (BEDROCK, frame(anthropic_events()[0], b"\x0f:exception-type"), "server_error"),
    (BEDROCK, b"x" * 40, "broken_frame"),
    (BEDROCK, b"".join(map(frame, anthropic_events()[:3])), "cut_off"),
    (BEDROCK, frame(anthropic_events()[0])[:-3], "cut_off"),
]


async def chunks(parts: Sequence[bytes]) -> AsyncGenerator[bytes, None]:
    for each in parts:
        yield each


async def read(model: HttpModel, *parts: bytes) -> tuple[str, int, int]:
    found = [piece async for piece in model.read(chunks(parts))]
    usage = [piece for piece in found if isinstance(piece, Usage)]
    text = "".join(piece for piece in found if isinstance(piece, str))
    return text, sum(each.asked for each in usage), sum(each.written for each in usage)


@pytest.mark.parametrize(("model", "reply"), GOOD, ids=["openai", "anthropic", "bedrock"])
async def test_every_cut_of_the_bytes_gives_the_same_text_and_usage(model: HttpModel, reply: bytes) -> None:
    assert await read(model, reply) == (TEXT, 7, 3)
    assert await read(model, *(reply[place : place + 1] for place in range(len(reply)))) == (TEXT, 7, 3)
    for place in range(0, len(reply), 5):
        assert await read(model, reply[:place], reply[place:]) == (TEXT, 7, 3)


@pytest.mark.parametrize(("model", "reply", "code"), BAD, ids=[f"{model.kind} {code}" for model, _, code in BAD])
async def test_a_reply_that_does_not_end_well_is_an_error(model: HttpModel, reply: bytes, code: str) -> None:
    with pytest.raises(ModelError) as caught:
        await read(model, reply)
    assert caught.value.code == code
    assert "reader" not in str(caught.value)
