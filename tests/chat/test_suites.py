"""What the benches of the page measure with: a model that keeps a real one's time, readers who hear streams."""

from __future__ import annotations

from collections import Counter

import pytest

from apps.chat.suites import slow_model, small_site
from apps.chat.suites.readers import Visit, _hear
from apps.core.suites import BENCHES, load_suites
from apps.rag.model_types import Message, ModelRequest
from apps.rag.scripted_model import ModelFault


def test_both_benches_are_registered():
    load_suites()
    assert {"page", "streams"} <= set(BENCHES)


def test_of_a_hundred_requests_two_hang_two_die_and_one_is_turned_away():
    kinds = Counter(slow_model._fault(number / 1000) for number in range(1000))
    assert kinds == {
        ModelFault.NONE: 950,
        ModelFault.HANGS: 20,
        ModelFault.DIES: 20,
        ModelFault.DOWN: 10,
    }


def test_the_model_waits_before_its_first_word_and_between_pieces():
    reply = slow_model.timed_reply(ModelRequest((Message("user", "Wie wähle ich?"),)))
    assert (reply.first_seconds, reply.piece_seconds, reply.size) == (0.3, 0.1, 16)


@pytest.mark.parametrize(
    ("lines", "first", "whole", "told"),
    [
        (["event: status", "event: sentence", "event: sentence", "event: answer"], True, True, False),
        (["event: answer"], True, True, False),
        (["event: status", "event: busy"], False, False, True),
        (["data: event: answer", ": still here"], False, False, False),
    ],
)
def test_a_reader_hears_the_first_sentence_and_the_whole_answer(lines, first, whole, told):
    made = Visit(0.0)
    for line in lines:
        _hear(line, made)
    assert (made.first_ms is not None, made.whole_ms is not None, made.was_told_to_come_back) == (first, whole, told)


def test_every_question_of_the_bench_is_on_one_of_its_documents():
    assert len(small_site.questions()) == len(set(small_site.questions())) == 16
