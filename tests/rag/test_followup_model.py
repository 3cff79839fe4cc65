"""Follow-up questions that a model words: offered where they have evidence, dropped where they add or go astray."""

from __future__ import annotations

import json
import logging

import pytest

from apps.rag.followup_model import SCHEMA, ModelWording, questions_of
from apps.rag.followups import FollowUps
from apps.rag.pipeline import AnswerPipeline
from apps.rag.scripted_model import ModelFault, Reply, ScriptedModel
from tests.rag.builders import DIRECTORY, MORGEN, passage, source
from tests.rag.test_followups import ASKED, OURS, PATIENT, RankingRetriever, events_of, offered

NEAR = passage(
    "Die Rente der Frauen heben wir auf das Niveau der Männer.", source(MORGEN), headings=("Rente", "Was wir wollen")
)


def replying(*questions: str) -> Reply:
    return Reply(json.dumps({"questions": questions}, ensure_ascii=False))


async def suggested(reply: Reply) -> tuple[tuple[str, ...], ScriptedModel]:
    """What is offered when a model has replied so; the sources hold one more sentence on the Rente of Frauen."""
    model = ScriptedModel(reply)
    follow_ups = FollowUps(DIRECTORY, PATIENT, wording=ModelWording(model, seconds=30.0))
    settings = PATIENT.__class__(**{**{n: getattr(PATIENT, n) for n in PATIENT.__slots__}, "party_characters": 20})
    answering = AnswerPipeline(RankingRetriever([OURS, NEAR]), DIRECTORY, settings, follow_ups=follow_ups)
    return offered(await events_of(answering, ASKED)), model


async def test_a_question_in_a_models_words_is_offered_with_evidence() -> None:
    found, model = await suggested(replying("Was gilt für die Rente der Frauen?"))
    assert found == ("Was gilt für die Rente der Frauen?",)
    [request] = model.requests
    assert request.schema is SCHEMA
    assert json.loads(request.messages[-1].text)["sections"] == ["Rente › Was wir wollen"]
    assert model.open == 0


@pytest.mark.parametrize(
    "question",
    [
        "Wie tief ist der Marianengraben?",
        "Wie hoch ist die Rente der Frauen im Jahr 2031?",
        "Bekommen Frauen zwölf Prozent mehr Rente?",
        "Was sagt der Talbund zur Rente der Frauen?",
        "Welche Partei soll ich wegen der Rente wählen?",
        "Was passiert mit der Rente der Frauen in den nächsten Jahren genau?",
        "Die Rente der Frauen.",
        ASKED,
    ],
    ids=[
        "no evidence",
        "a number of its own",
        "one in words",
        "another party",
        "advice",
        "too long",
        "no question",
        "asked already",
    ],
)
async def test_what_must_not_be_offered_is_dropped(question: str) -> None:
    found, _ = await suggested(replying(question))
    assert found == ()


@pytest.mark.parametrize("fault", [ModelFault.DOWN, ModelFault.EMPTY, ModelFault.WRONG_FORMAT, ModelFault.DIES])
async def test_a_model_that_fails_costs_nothing_but_its_words(fault: ModelFault) -> None:
    reply = replying("Was gilt für die Rente der Frauen?")
    found, model = await suggested(Reply(reply.text, fault))
    assert found == ()
    assert model.open == 0


async def test_a_model_that_never_begins_is_not_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    model = ScriptedModel(Reply("", ModelFault.SLOW))
    follow_ups = FollowUps(DIRECTORY, PATIENT, wording=ModelWording(model, seconds=0.01))
    answering = AnswerPipeline(RankingRetriever([OURS, NEAR]), DIRECTORY, PATIENT, follow_ups=follow_ups)
    assert offered(await events_of(answering, ASKED)) == ()
    assert "did not word follow-ups" in caplog.text
    assert model.open == 0


@pytest.mark.parametrize(
    ("reply", "questions"),
    [
        ('{"questions": ["Wann?", "Wo?"]}', ["Wann?", "Wo?"]),
        ('```json\n{"questions": [" Wann  gilt das? "]}\n```', ["Wann gilt das?"]),
        ('{"questions": ["a", "b", "c", "d", "e"]}', ["a", "b", "c", "d"]),
        ('{"questions": [1, null, {"a": 2}, "Wann?"]}', ["Wann?"]),
        ('{"questions": "Wann?"}', []),
        ("[]", []),
        ("Gerne! Wann?", []),
        ("", []),
        ("[" * 100_000, []),
    ],
)
def test_only_the_contract_is_read(reply: str, questions: list[str]) -> None:
    assert questions_of(reply) == questions
