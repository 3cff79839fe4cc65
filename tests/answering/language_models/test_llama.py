"""A real llama.cpp server with a tiny model: the wire is as we think, a schema holds, a reader may leave.

Needs requirements-llm.txt; skipped where that is not installed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from apps.answering.language_models.chain import Link, ModelChain
from apps.answering.language_models.openai import OpenAIModel
from apps.answering.language_models.types import Endpoint, Usage
from apps.rag.deadlines import within
from apps.rag.generation import ModelWriter, WriterSettings, Written
from apps.rag.model_types import Deadlines, Message, ModelRequest, Role
from apps.rag.types import Question
from tests.llama import llama_served, needs_llama
from tests.rag.builders import DIRECTORY, passage

pytestmark = needs_llama
DEADLINES = Deadlines(120.0, 240.0)
SCHEMA = {
    "type": "object",
    "properties": {"decision": {"enum": ["REWRITE", "SEARCH_AS_IS"]}},
    "required": ["decision"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def llama() -> Iterator[OpenAIModel]:
    with llama_served() as server:
        yield OpenAIModel(Endpoint("smollm2", server.url))


def request(text: str, **more: object) -> ModelRequest:
    return ModelRequest((Message(Role.USER, text),), DEADLINES, **more)  # type: ignore[arg-type]


async def test_a_reply_comes_in_pieces_and_with_its_cost(llama: OpenAIModel) -> None:
    schema = {"type": "array", "items": {"const": "ja"}, "minItems": 3, "maxItems": 3}
    pieces = [piece async for piece in llama.stream(request("Sage dreimal ja.", schema=schema, most_tokens=60))]
    assert len([piece for piece in pieces if isinstance(piece, str)]) > 1
    [usage] = [piece for piece in pieces if isinstance(piece, Usage)]
    assert usage.asked > 0
    assert usage.written > 0


async def test_a_schema_holds(llama: OpenAIModel) -> None:
    asked = request("Decide: is 'And the others?' a complete question?", schema=SCHEMA, most_tokens=60)
    text = "".join([piece async for piece in llama.stream(asked) if isinstance(piece, str)])
    assert json.loads(text)["decision"] in {"REWRITE", "SEARCH_AS_IS"}


async def test_a_reader_who_leaves_frees_the_server_for_the_next(llama: OpenAIModel) -> None:
    """The server has one slot: the second request waits for ever if the first goes on."""
    long = within(llama.stream(request("Tell me a very long story.", most_tokens=3000)), DEADLINES)
    await anext(long)
    await long.aclose()
    asked = request("Decide.", schema=SCHEMA, most_tokens=60)
    assert [piece async for piece in within(llama.stream(asked), Deadlines(60.0, 120.0))]


async def test_whatever_a_small_model_writes_the_gate_lets_through_only_what_is_cited(llama: OpenAIModel) -> None:
    """135 million parameters cannot follow the rules: the point is that nothing false gets out."""
    writer = ModelWriter(
        ModelChain([Link(llama)]), DIRECTORY, settings=WriterSettings(deadlines=DEADLINES, most_tokens=80)
    )
    passages = [passage("Der Bus fährt jede Stunde.")]
    *_, written = [event async for event in writer.write(Question("Wann fährt der Bus?"), passages)]
    assert isinstance(written, Written)
    assert all(sentence.citations for sentence in written.sentences)
