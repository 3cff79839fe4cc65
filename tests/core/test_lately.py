"""What was computed lately is computed once, whoever asks for it at the same time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.core.lately import Lately


def test_only_the_values_asked_for_last_are_kept() -> None:
    kept: Lately[str, str] = Lately(most=2)
    computed: list[str] = []

    def ask(text: str) -> None:
        assert kept.get(text, lambda: computed.append(text) or text.upper()) == text.upper()

    for text in ("eins", "zwei", "eins", "drei", "eins", "zwei"):
        ask(text)
    assert computed == ["eins", "zwei", "drei", "zwei"]


def test_of_several_only_the_new_ones_are_computed_and_all_come_in_their_order() -> None:
    kept: Lately[int, int] = Lately(most=10)
    computed: list[Sequence[int]] = []

    def squares(keys: Sequence[int]) -> list[int]:
        computed.append(keys)
        return [key * key for key in keys]

    assert kept.get_all([3, 1, 3], squares) == [9, 1, 9]
    assert kept.get_all([2, 3, 1], squares) == [4, 9, 1]
    assert kept.get_all([], squares) == []
    assert computed == [[3, 1], [2]]
    kept.forget()
    assert kept.get_all([1], squares) == [1]
    assert computed[-1] == [1]


def test_more_than_is_kept_comes_whole() -> None:
    kept: Lately[int, int] = Lately(most=2)
    assert kept.get_all(range(5), lambda keys: [-key for key in keys]) == [0, -1, -2, -3, -4]


def test_two_that_need_each_others_values_do_not_wait_for_ever() -> None:
    kept: Lately[str, str] = Lately(most=10)
    both = threading.Barrier(2)
    computed: list[str] = []

    def compute(keys: Sequence[str]) -> list[str]:
        # Both have said by now what they compute.
        both.wait(10)
        computed.extend(keys)
        return [key.upper() for key in keys]

    def ask(keys: str) -> list[str]:
        return kept.get_all(keys, compute)

    # "ab" claims both of its own; "bc" may only claim "c", and the other way round.
    with ThreadPoolExecutor(2) as threads:
        results = list(threads.map(ask, ["ab", "bc"], timeout=10))
    assert results == [["A", "B"], ["B", "C"]]
    assert sorted(computed) == ["a", "b", "c"]


def test_an_error_is_told_to_all_that_wait_and_is_not_kept() -> None:
    kept: Lately[str, str] = Lately(most=10)
    begun, claimed, go_on = threading.Event(), threading.Event(), threading.Event()

    def broken(_keys: Sequence[str]) -> list[str]:
        begun.set()
        go_on.wait(10)
        raise ConnectionError("down")

    def upper(keys: Sequence[str]) -> list[str]:
        claimed.set()
        return [key.upper() for key in keys]

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(kept.get_all, ["a", "b"], broken)
        begun.wait(10)
        second = threads.submit(kept.get_all, ["b", "c"], upper)
        claimed.wait(10)
        go_on.set()
        for task in (first, second):
            with pytest.raises(ConnectionError):
                task.result(10)
    assert kept.get_all("abc", lambda keys: [key.upper() for key in keys]) == ["A", "B", "C"]


@pytest.mark.parametrize(("values", "told"), [("A", "shorter"), ("ABC", "longer")])
def test_a_function_that_returns_too_few_or_too_many_values_is_an_error(values: str, told: str) -> None:
    kept: Lately[str, str] = Lately(most=10)
    with pytest.raises(ValueError, match=told):
        kept.get_all("ab", lambda keys: list(values))
    assert kept.get_all("ab", lambda keys: [key.upper() for key in keys]) == ["A", "B"]
