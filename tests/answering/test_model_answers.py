"""A model writes from real rows; without it the same question is quoted."""

from __future__ import annotations

from apps.answering.language_models import language_model_replaced
from apps.documents.models import Party
from apps.rag.events import Done, Sentence
from apps.rag.scripted_model import ModelFault, Reply, ScriptedModel
from tests.answering.test_services import ask, corpus  # noqa: F401

QUESTION = "Was plant die Morgenpartei beim Mindestlohn?"
GOOD = Reply("Die Morgenpartei erhöht den Mindestlohn auf 15 Euro je Stunde. [doc:1#chunk:1]")


async def test_the_model_of_the_process_writes_and_every_sentence_leads_to_its_place(corpus: list[Party]) -> None:  # noqa: F811
    with language_model_replaced(ScriptedModel(GOOD)):
        events = await ask(QUESTION)
    [sentence] = [event for event in events if isinstance(event, Sentence)]
    assert (sentence.is_quote, sentence.group) == (False, "Morgenpartei")
    assert "15 Euro" in sentence.citations[0].quote
    assert isinstance(events[-1], Done)
    assert events[-1].writing["grounding"] == "grounded"


async def test_a_model_that_is_down_costs_no_answer(corpus: list[Party]) -> None:  # noqa: F811
    with language_model_replaced(ScriptedModel(Reply("", ModelFault.DOWN))):
        events = await ask(QUESTION)
    sentences = [event for event in events if isinstance(event, Sentence)]
    assert sentences
    assert all(sentence.is_quote for sentence in sentences)
    assert isinstance(events[-1], Done)
    assert events[-1].writing["failure"] == "no_connection"


async def test_no_model_leaves_no_trace_of_one(corpus: list[Party]) -> None:  # noqa: F811
    events = await ask(QUESTION)
    assert isinstance(events[-1], Done)
    assert events[-1].writing == {}
