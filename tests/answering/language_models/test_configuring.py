"""Which model the settings name; wrong values say what to do."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from apps.answering.language_models import (
    configured_model,
    get_language_model,
    language_model_replaced,
    model_deadlines,
    model_names,
)
from apps.answering.settings_versions import ModelChoice
from apps.rag.generation import Grounding, ModelWriter, Written
from apps.rag.model_types import Deadlines
from apps.rag.scripted_model import ScriptedModel
from apps.rag.types import Question
from tests.rag.builders import DIRECTORY, MORGEN, passage, source


def test_none_is_the_default(settings) -> None:  # type: ignore[no-untyped-def]
    assert configured_model() is None
    assert model_deadlines() == Deadlines(8.0, 40.0)


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"": "openai", "_NAME": "m"}, "openai/m"),
        ({"": "anthropic", "_NAME": "m", "_API_KEY": "k"}, "anthropic/m"),
        ({"": "bedrock", "_NAME": "m", "_API_KEY": "k", "_URL": "https://b.example"}, "bedrock/m"),
        ({"": "scripted"}, "scripted"),
    ],
)
def test_a_model_is_named_by_kind_and_name(settings, values: dict[str, str], name: str) -> None:  # type: ignore[no-untyped-def]
    for ending, value in values.items():
        setattr(settings, f"ANSWER_MODEL{ending}", value)
    model = configured_model()
    assert model is not None
    assert model.name == name


def test_a_second_model_stands_behind_the_first(settings) -> None:  # type: ignore[no-untyped-def]
    settings.ANSWER_MODEL, settings.ANSWER_MODEL_NAME = "openai", "one"
    settings.ANSWER_SECOND_MODEL, settings.ANSWER_SECOND_MODEL_NAME = "openai", "two"
    model = configured_model()
    assert model is not None
    assert model.name == "openai/one > openai/two"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"": "gpt"}, "must be anthropic, bedrock, openai"),
        ({"": "openai"}, "needs ANSWER_MODEL_NAME"),
        ({"": "openai", "_NAME": "m", "_URL": "models.example"}, "must begin with http"),
        ({"": "anthropic", "_NAME": "m"}, "needs ANSWER_MODEL_API_KEY"),
        ({"": "bedrock", "_NAME": "m", "_API_KEY": "k"}, "needs ANSWER_MODEL_URL"),
    ],
)
def test_a_wrong_value_says_what_is_missing(settings, values: dict[str, str], words: str) -> None:  # type: ignore[no-untyped-def]
    for ending, value in values.items():
        setattr(settings, f"ANSWER_MODEL{ending}", value)
    with pytest.raises(ImproperlyConfigured, match=words):
        configured_model()


async def test_the_scripted_model_quotes_and_passes_the_gate(settings) -> None:  # type: ignore[no-untyped-def]
    settings.ANSWER_MODEL = "scripted"
    model = configured_model()
    assert model is not None
    passages = [passage("Wir erhöhen den Mindestlohn auf 15 Euro. Das gilt.", source(MORGEN))]
    *_, written = [event async for event in ModelWriter(model, DIRECTORY).write(Question("Was gilt?"), passages)]
    assert isinstance(written, Written)
    assert written.grounding is Grounding.GROUNDED
    assert [sentence.text for sentence in written.sentences] == [
        "Dort steht: „Wir erhöhen den Mindestlohn auf 15 Euro.“"
    ]


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        (ModelChoice.CONFIGURED, "openai/one > openai/two"),
        (ModelChoice.FIRST, "openai/one"),
        (ModelChoice.SECOND, "openai/two"),
    ],
)
def test_a_version_may_choose_among_the_models(settings, choice: ModelChoice, name: str) -> None:  # type: ignore[no-untyped-def]
    settings.ANSWER_MODEL, settings.ANSWER_MODEL_NAME = "openai", "one"
    settings.ANSWER_SECOND_MODEL, settings.ANSWER_SECOND_MODEL_NAME = "openai", "two"
    model = configured_model(choice)
    assert model is not None
    assert model.name == name


def test_a_version_may_choose_none(settings) -> None:  # type: ignore[no-untyped-def]
    settings.ANSWER_MODEL, settings.ANSWER_MODEL_NAME = "openai", "one"
    assert configured_model(ModelChoice.NONE) is None
    with language_model_replaced(ScriptedModel()):
        assert get_language_model(ModelChoice.NONE) is None
        assert get_language_model(ModelChoice.FIRST) is not None


def test_a_second_model_that_is_not_there_is_none(settings) -> None:  # type: ignore[no-untyped-def]
    settings.ANSWER_MODEL, settings.ANSWER_MODEL_NAME = "openai", "one"
    assert configured_model(ModelChoice.SECOND) is None
    settings.ANSWER_MODEL = "scripted"
    assert configured_model(ModelChoice.SECOND) is None


def test_people_who_choose_see_names_and_no_secrets(settings) -> None:  # type: ignore[no-untyped-def]
    assert model_names() == {}
    settings.ANSWER_MODEL, settings.ANSWER_MODEL_NAME = "openai", "one"
    settings.ANSWER_MODEL_URL, settings.ANSWER_MODEL_API_KEY = "https://models.example", "geheim"
    assert model_names() == {ModelChoice.FIRST: "openai/one"}


def test_a_server_is_known_once_however_it_is_chosen(settings) -> None:  # type: ignore[no-untyped-def]
    settings.ANSWER_MODEL, settings.ANSWER_MODEL_NAME = "openai", "one"
    both, first = configured_model(ModelChoice.CONFIGURED), configured_model(ModelChoice.FIRST)
    assert both._links[0] is first._links[0]  # type: ignore[union-attr]
