"""A model rewrites under the contract: what it adds is refused, what it breaks costs one retry."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from apps.rag.pipeline import run_here
from apps.rag.rewriting import PastTurn, RewriteContext, Rewriting
from apps.rag.rewriting.by_model import SCHEMA, ModelRewriter, messages_of
from apps.rag.scripted_model import ModelFault, Reply, ScriptedModel
from apps.rag.types import Decision
from apps.rag.understanding import PartyDirectory, PartyName
from tests.rag.builders import DIRECTORY

POST = PastTurn(1, "Wie beantrage ich Briefwahl?", "Wie beantrage ich Briefwahl?", "Bei der Gemeinde.")
ASKED = "Wie lange dauert die Bearbeitung nach dem Antrag?"


def context(*turns: PastTurn) -> RewriteContext:
    return RewriteContext(turns or (POST,), datetime(2026, 11, 30, tzinfo=UTC))


def said(**changes: object) -> str:
    reply = {
        "decision": "REWRITE",
        "standalone_query": "Wie lange dauert die Bearbeitung nach dem Antrag der Briefwahl?",
        "reason": "ellipsis",
        "resolved_references": [{"said": "Antrag", "means": "Briefwahl", "turn": 1}],
        "sub_queries": [],
        "choices": [],
    }
    return json.dumps({**reply, **changes}, ensure_ascii=False)


async def asked(*replies: Reply, question: str = ASKED, seconds: float = 3.0) -> tuple[Rewriting, ScriptedModel]:
    model = ScriptedModel(*replies)
    return await ModelRewriter(model, run_here, seconds=seconds).rewrite(question, context(), DIRECTORY), model


async def test_a_good_reply_is_taken() -> None:
    found, model = await asked(Reply(said()))
    assert (found.decision, found.turns_used) == (Decision.REWRITE, (1,))
    assert found.standalone_query.endswith("Briefwahl?")
    assert found.resolved_references[0].means == "Briefwahl"
    assert model.requests[0].schema == SCHEMA
    assert model.open == 0


@pytest.mark.parametrize(
    "bad",
    [
        said(standalone_query="Was kostet die Briefwahl 2029?"),
        said(standalone_query="Was will die Morgenpartei bei der Briefwahl?"),
        said(decision="CLARIFY", choices=["Was kostet Briefwahl?"]),
        said(decision="CHAT"),
        said(standalone_query="x" * 501),
        "Gern! Die Frage lautet: Briefwahl?",
        "[" * 5000,
        "",
    ],
)
async def test_a_broken_contract_is_retried_once_and_then_the_question_stands(
    bad: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        found, model = await asked(Reply(bad))
    assert found == Rewriting(Decision.SEARCH_AS_IS, ASKED, "contract_broken")
    assert len(model.requests) == 2
    assert "fault_of_the_last_reply" in model.requests[1].messages[1].text
    assert "Briefwahl" not in caplog.text


async def test_the_second_try_counts() -> None:
    found, _ = await asked(Reply("Unsinn"), Reply(said()))
    assert found.decision is Decision.REWRITE


@pytest.mark.parametrize("fault", [ModelFault.DOWN, ModelFault.SLOW, ModelFault.HANGS, ModelFault.DIES])
async def test_a_model_that_is_down_or_late_leaves_it_to_the_rules(fault: ModelFault) -> None:
    found, model = await asked(Reply(said(), fault), question="Was kostet das?", seconds=0.05)
    assert found.standalone_query == "Was kostet Briefwahl?"
    assert len(model.requests) == 1
    assert model.open == 0


@pytest.mark.parametrize("question", ["die erste", "Suche auch in den internen Notizen", "gerne", "Danke!"])
async def test_what_answers_the_bots_own_offer_needs_no_model(question: str) -> None:
    model = ScriptedModel(Reply(said(standalone_query="Alle Notizen")))
    offering = PastTurn(1, "Wie wähle ich?", "Wie wähle ich?", offers=("Was ist Briefwahl?", "Wo wähle ich?"))
    await ModelRewriter(model, run_here).rewrite(question, context(offering), DIRECTORY)
    assert model.requests == []


async def test_a_first_question_is_not_sent() -> None:
    model = ScriptedModel(Reply(said()))
    first = RewriteContext((), datetime(2026, 11, 30, tzinfo=UTC))
    found = await ModelRewriter(model, run_here).rewrite("Was kostet Briefwahl?", first, DIRECTORY)
    assert (found.reason, model.requests) == ("first_turn", [])


async def test_two_readings_of_a_model_are_asked_back() -> None:
    choices = ["Wie lange dauert die Briefwahl?", "Wie lange dauert der Antrag?"]
    found, _ = await asked(Reply(said(decision="CLARIFY", choices=choices)))
    assert (found.decision, found.choices, found.reason) == (Decision.CLARIFY, tuple(choices), "which_reading")


def test_the_model_sees_a_few_turns_as_data_and_the_day() -> None:
    rules, data = messages_of("Was kostet das?", context(), DIRECTORY)
    package = json.loads(data.text)
    assert package["question"] == "Was kostet das?"
    assert [turn["turn"] for turn in package["turns"]] == [1]
    assert (package["today"], package["time_zone"]) == ("2026-11-30", "Europe/Berlin")
    assert "Briefwahl" not in rules.text


def test_the_model_sees_what_is_confirmed() -> None:
    about = PastTurn(1, "Was will sie?", "Was will die Auenpartei?", parties=("auen",), subject="Rente")
    directory = PartyDirectory([PartyName("auen", "Auenpartei")], {"auen": ["Auenpartei"]})
    _, data = messages_of("Und wann?", context(about), directory)
    assert json.loads(data.text)["turns"][0]["confirmed"] == ["Auenpartei", "Rente"]


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_rules_say_what_is_in_the_data(language: str) -> None:
    told = replace(context(), language=language)
    rules, data = messages_of("Und wann?", told, DIRECTORY, fault="Nobody said 'Rente'.")
    package = json.loads(data.text)
    fields = {*package, *package["turns"][0]}
    # Their names say it all.
    plain = {"turn", "answer", "standalone_query", "language", "locale", "time_zone", "today"}
    assert {name for name in fields - plain if not re.search(rf"\b{name}\b", rules.text)} == set()
    decisions = {each.value for each in Decision if each is not Decision.CHAT}
    assert {"choices", "sub_queries", *decisions} <= set(re.findall(r"\w+", rules.text))


async def test_a_query_in_another_language_is_refused() -> None:
    found, model = await asked(Reply(said(standalone_query="how much does that cost")), Reply(said()))
    assert (found.decision, len(model.requests)) == (Decision.REWRITE, 2)
    assert "language" in model.requests[1].messages[1].text
