"""A real llama.cpp server judges questions and names topics: shapes hold, and a server may be slow, odd or gone.

Needs requirements-llm.txt; skipped where that is not installed.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator

import pytest

from apps.answering.language_models import language_model_replaced
from apps.answering.language_models.chain import Link, ModelChain
from apps.answering.language_models.openai import OpenAIModel
from apps.answering.language_models.types import Endpoint
from apps.rag.model_types import ModelRequest
from apps.topics import tasks
from apps.topics.models import Asked, QueryText, Topic, TopicDay, TopicMember
from apps.topics.services import judging
from apps.topics.services.judging import questions_judge, topics_name
from apps.topics.services.log_reading import log_read
from tests.llama import Served, llama_served, needs_llama
from tests.topics.log import ask

pytestmark = [needs_llama, pytest.mark.django_db]
BY = "openai/smollm2/question-quality-1"


def chain(url: str) -> ModelChain:
    return ModelChain([Link(OpenAIModel(Endpoint("smollm2", url)))])


@pytest.fixture(autouse=True)
def _patience(monkeypatch) -> None:
    """The machine that tests may be as slow as it likes."""
    monkeypatch.setattr(judging, "_DEADLINES", judging.Deadlines(600.0, 900.0))
    monkeypatch.setattr(judging, "_SECONDS_TO_JUDGE", 3_600.0)
    monkeypatch.setattr(judging, "_SECONDS_TO_NAME", 3_600.0)


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with llama_served() as found:
        yield found


@pytest.fixture
def topic() -> Topic:
    topic = Topic.objects.create(label_auto="Rente, Alter", keywords=["Rente", "Alter"], state="active")
    for year in range(3):
        ask(f"Wie hoch ist die Rente im Jahr {year}?", days_ago=0.01)
    log_read()
    for text in QueryText.objects.all():
        TopicMember.objects.create(text=text, topic=topic, part=topic, similarity=0.9)
    return topic


def test_the_nightly_job_judges_every_question_in_the_wanted_shape(server: Served, topic: Topic) -> None:
    with language_model_replaced(chain(server.url)):
        assert tasks.judge() == 3
        assert tasks.judge() == 0
    for row in Asked.objects.all():
        assert row.judged_by == BY
        assert row.question_type in Asked.QuestionType.values
        assert {row.clear_intent, row.clear_subject, row.clear_names} <= {1, 2, 3}
    assert TopicDay.objects.get(scope="topic", party="").judged == 3


class _SaysWhatItLikes(OpenAIModel):
    """The same server, asked without the schema: a small model then talks."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[object, None]:  # type: ignore[override]
        free = ModelRequest(request.messages, request.deadlines, 40, answered_by=request.answered_by)
        async for piece in super().stream(free):
            yield piece


def test_what_a_model_says_in_another_shape_measures_nothing(server: Served, topic: Topic) -> None:
    model = ModelChain([Link(_SaysWhatItLikes(Endpoint("smollm2", server.url)))])
    assert questions_judge(model=model) == 0
    assert topics_name(topics=[topic], model=model) == 0
    topic.refresh_from_db()
    assert (topic.label_auto, topic.label_source) == ("Rente, Alter", "")


def test_a_name_is_one_that_passed_the_checks_or_none(server: Served, topic: Topic) -> None:
    named = topics_name(topics=[topic], model=chain(server.url))
    topic.refresh_from_db()
    assert topic.label_auto == "Rente, Alter" or "rente" in topic.label_auto.casefold()
    assert topic.label_source == ("openai/smollm2/topic-name-1" if named else "")


def test_a_server_that_is_too_slow_is_given_up_and_changes_nothing(server: Served, topic: Topic, monkeypatch) -> None:
    with monkeypatch.context() as hurried:
        hurried.setattr(judging, "_DEADLINES", judging.Deadlines(0.02, 0.02))
        assert questions_judge(model=chain(server.url)) == 0
    assert not Asked.objects.exclude(judged_by="").exists()
    # And the server is free for whoever comes next.
    assert questions_judge(model=chain(server.url), most=1) == 1


def test_what_was_judged_before_a_server_went_away_stays(topic: Topic, monkeypatch) -> None:
    monkeypatch.setattr(judging, "_KEPT_AT_ONCE", 1)
    with llama_served() as server:

        class Leaves(OpenAIModel):
            asked = 0

            async def stream(self, request: ModelRequest) -> AsyncGenerator[object, None]:  # type: ignore[override]
                Leaves.asked += 1
                async for piece in super().stream(request):
                    yield piece
                    # In the middle of the second reply.
                    if Leaves.asked == 2 and server.process.poll() is None:
                        server.process.kill()
                        server.process.wait()

        model = ModelChain([Link(Leaves(Endpoint("smollm2", server.url)))])
        assert questions_judge(model=model) == 1
    assert list(Asked.objects.exclude(judged_by="").values_list("judged_by", flat=True)) == [BY]
    assert topics_name(topics=[topic], model=model) == 0
