"""Who answers when a model does not: retries before the first piece, the second model, the budget, the breaker."""

from collections.abc import AsyncGenerator
from datetime import date

import pytest

from apps.answering.language_models.breaker import CircuitBreaker
from apps.answering.language_models.budget import TokenBudget, ValkeyStore
from apps.answering.language_models.chain import Link, ModelChain
from apps.answering.language_models.types import Usage
from apps.core.valkey import valkey_url
from apps.rag.model_types import Deadlines, Message, ModelError, ModelRequest, Role
from apps.rag.scripted_model import ModelFault, Reply, ScriptedModel

DAY = date(2026, 11, 30)
REQUEST = ModelRequest((Message(Role.USER, "x" * 30),), Deadlines(0.05, 0.05))
DOWN, GOOD = Reply("", ModelFault.DOWN), Reply("gut")


class CountingModel(ScriptedModel):
    """Says what its reply has cost."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Usage, None]:  # type: ignore[override]
        yield Usage(asked=50)
        async for piece in super().stream(request):
            yield piece
        yield Usage(written=20)


class RefusingModel(ScriptedModel):
    """Its key is wrong."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str, None]:
        self.requests.append(request)
        raise ModelError("http_401", permanent=True)
        yield ""


class BrokenStore:
    """Cannot be reached."""

    async def add(self, day: date, tokens: int) -> int:
        raise OSError("away")


def chain(*models: ScriptedModel, budget: TokenBudget | None = None, pauses: list[float] | None = None) -> ModelChain:
    async def sleep(seconds: float) -> None:
        if pauses is not None:
            pauses.append(seconds)

    return ModelChain([Link(model) for model in models], budget=budget, sleep=sleep, jitter=lambda low, high: high)


async def said(model: ModelChain, request: ModelRequest = REQUEST) -> str:
    return "".join([piece async for piece in model.stream(request)])


async def failed(model: ModelChain) -> str:
    with pytest.raises(ModelError) as caught:
        await said(model)
    return caught.value.code


async def test_a_model_that_does_not_begin_is_asked_again_after_growing_pauses() -> None:
    first, pauses = ScriptedModel(DOWN, DOWN, GOOD), list[float]()
    assert await said(chain(first, pauses=pauses)) == "gut"
    assert pauses == [0.5, 1.0]


@pytest.mark.parametrize(
    ("first", "asked"),
    [(ScriptedModel(DOWN), 3), (ScriptedModel(Reply("", ModelFault.SLOW)), 1), (RefusingModel(), 1)],
    ids=["down", "late", "refused"],
)
async def test_the_second_model_takes_over(first: ScriptedModel, asked: int) -> None:
    second, names = ScriptedModel(GOOD), list[str]()
    second.name = "second"
    request = ModelRequest(REQUEST.messages, REQUEST.deadlines, answered_by=names.append)
    assert await said(chain(first, second), request) == "gut"
    assert (len(first.requests), names) == (asked, ["second"])


@pytest.mark.parametrize(("fault", "code"), [(ModelFault.DIES, "died"), (ModelFault.HANGS, "whole_late")])
async def test_a_model_that_breaks_off_is_not_replaced(fault: ModelFault, code: str) -> None:
    first, second = ScriptedModel(Reply("halbe Antwort", fault)), ScriptedModel(GOOD)
    assert await failed(chain(first, second)) == code
    assert not second.requests


async def test_when_no_model_begins_the_last_error_is_told() -> None:
    assert await failed(chain(ScriptedModel(DOWN), RefusingModel())) == "http_401"
    assert await failed(chain()) == "no_model"


async def test_an_empty_reply_is_a_reply() -> None:
    assert await said(chain(ScriptedModel(Reply("")))) == ""


async def test_a_spent_budget_asks_nobody() -> None:
    budget, model = TokenBudget(100, lambda: DAY), CountingModel(GOOD)
    assert await said(chain(model, budget=budget)) == "gut"
    assert await said(chain(model, budget=budget)) == "gut"
    assert await failed(chain(model, budget=budget)) == "budget_spent"
    assert len(model.requests) == 2


async def test_what_a_leaving_reader_has_used_is_estimated() -> None:
    budget = TokenBudget(11, lambda: DAY)
    stream = chain(ScriptedModel(Reply("y" * 300, size=30)), budget=budget).stream(REQUEST)
    await anext(stream)
    await stream.aclose()
    # 30 characters asked and 30 written, three to a token: 20.
    assert not await budget.allows()


async def test_a_new_day_has_a_new_budget() -> None:
    days = [DAY]
    budget = TokenBudget(10, lambda: days[0])
    budget.spent(10)
    assert not await budget.allows()
    days[0] = date(2026, 12, 1)
    assert await budget.allows()


async def test_without_its_store_a_process_counts_alone() -> None:
    budget = TokenBudget(10, lambda: DAY, BrokenStore())
    assert await budget.allows()
    budget.spent(10)
    assert not await budget.allows()


async def test_processes_share_a_budget_in_valkey() -> None:
    day = date(1999, 1, 2)
    store = ValkeyStore(valkey_url())
    await store.add(day, -await store.add(day, 0))
    one, other = (TokenBudget(10, lambda: day, ValkeyStore(valkey_url())) for _ in range(2))
    one.spent(10)
    assert not await one.allows()
    assert not await other.allows()


async def test_a_store_that_is_away_is_an_error_of_the_system() -> None:
    with pytest.raises(OSError, match="Valkey"):
        await ValkeyStore("redis://127.0.0.1:1/0").add(DAY, 1)


def test_a_breaker_opens_after_failures_in_a_row_and_lets_one_try_after_the_pause() -> None:
    now = [0.0]
    breaker = CircuitBreaker(failures=2, pause=30, clock=lambda: now[0])
    breaker.failed()
    assert breaker.allows()
    breaker.failed()
    assert not breaker.allows()
    now[0] = 31
    assert [breaker.allows(), breaker.allows()] == [True, False]
    breaker.succeeded()
    assert [breaker.allows(), breaker.allows()] == [True, True]


def test_a_failure_between_successes_opens_nothing() -> None:
    breaker = CircuitBreaker(failures=2)
    for _ in range(5):
        breaker.failed()
        breaker.succeeded()
    assert breaker.allows()


async def test_an_open_breaker_skips_the_model() -> None:
    first, second = ScriptedModel(DOWN), ScriptedModel(GOOD)
    both = chain(first, second)
    await said(both)
    assert len(first.requests) == 3
    await said(both)
    assert len(first.requests) == 3


@pytest.mark.parametrize("code", ["too_long", "filtered", "http_400", "http_413"])
async def test_a_server_is_not_left_alone_for_what_lies_in_the_question(code: str) -> None:
    """Three questions that a filter takes offence at must not cost all others the model."""

    class ChoosyModel(ScriptedModel):
        async def stream(self, request: ModelRequest) -> AsyncGenerator[str, None]:
            self.requests.append(request)
            raise ModelError(code, permanent=True)
            yield ""

    choosy = ChoosyModel()
    models = chain(choosy)
    for _ in range(5):
        assert await failed(models) == code
    assert len(choosy.requests) == 5


async def test_a_server_that_is_down_is_left_alone() -> None:
    refusing = RefusingModel()
    models = chain(refusing)
    for _ in range(5):
        await failed(models)
    assert len(refusing.requests) == 3
