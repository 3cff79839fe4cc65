"""The suites of the model's side find what is wrong when it is planted."""

import asyncio
from collections.abc import Iterator

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections

from apps.answering.suites import streaming
from apps.answering.suites.streaming import SlowServer, cut_sentences, has_leaked
from apps.answering.suites.support import auc, german_sentences
from apps.core.suites import SUITES, SuiteContext, load_suites
from apps.rag.markers import WrittenSentence


@pytest.fixture
def no_database() -> Iterator[None]:
    """Keep the end of a response from looking at a connection that an earlier test has left in this process."""
    request_finished.disconnect(close_old_connections)
    yield
    request_finished.connect(close_old_connections)


CONTEXT = SuiteContext(None, lambda line: None, {"readers": "20"})


def test_the_suites_are_registered() -> None:
    load_suites()
    assert {"support:mtrag", "stream:cuts", "stream:faults"} <= set(SUITES)


def test_an_area_counts_ties_half() -> None:
    assert auc([3.0, 1.0], [True, False]) == 1.0
    assert auc([1.0, 3.0], [True, False]) == 0.0
    assert auc([1.0, 1.0], [True, False]) == 0.5


def test_there_are_sixty_german_sentences_half_of_them_borne_out() -> None:
    sentences = list(german_sentences("supported", "unsupported"))
    assert (len(sentences), sum(each.is_faithful for each in sentences)) == (60, 30)


def test_a_piece_of_a_marker_in_a_shown_sentence_is_a_leak() -> None:
    assert has_leaked(WrittenSentence("Der Lohn steigt [doc:1"))
    assert not has_leaked(WrittenSentence("Der Lohn steigt [doc:1", is_broken=True))
    assert not has_leaked(WrittenSentence("Der Lohn steigt [2024]."))


def test_cutting_at_every_place_differs_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "ANSWERS", streaming.ANSWERS[:1])
    assert SUITES["stream:cuts"].measure(CONTEXT).figures == {"differing": 0, "leaked": 0, "answers": 1}


def test_a_cut_that_changes_the_text_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "ANSWERS", streaming.ANSWERS[:1])
    monkeypatch.setattr(
        streaming, "cut_sentences", lambda pieces: [each for piece in pieces for each in cut_sentences([piece])]
    )
    assert SUITES["stream:cuts"].measure(CONTEXT).figures["differing"] > 0


@pytest.mark.usefixtures("no_database")
def test_readers_who_leave_leave_nothing_open() -> None:
    figures = SUITES["stream:faults"].measure(CONTEXT).figures
    assert figures["open"] == 0
    assert figures["reached_server"] > 0


@pytest.mark.usefixtures("no_database")
def test_a_connection_that_stays_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def stay(self: SlowServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1

    monkeypatch.setattr(SlowServer, "answer", stay)
    assert SUITES["stream:faults"].measure(CONTEXT).figures["open_connections"]
