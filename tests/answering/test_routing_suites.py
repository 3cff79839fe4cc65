"""Training and suites of routing: what ships is what the command trains, and a planted fault costs its point."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from apps.answering.route_training import SEARCH, Utterance, read_utterances, train, written_out
from apps.answering.suites.neutrality import FILE, Treatment, are_equal, differences, gives_advice, treatment
from apps.answering.suites.routing import Line
from apps.rag.events import Done, Event, Failed, Notice, Sentence
from apps.rag.routing import route
from apps.rag.routing_advice import NO_ADVICE
from apps.rag.routing_model import model_from_json, model_to_json
from apps.rag.types import Citation, NoticeKind, Outcome, Source

NOTICE = Notice(NoticeKind.CHAT, NO_ADVICE)
DEMO = ("Auenpartei", "Brückenbund", "Fachwerkpartei", "Kompass", "Sternwarte", "Compass")


def said(text: str = "Wir erhöhen.", uuid: str = "a") -> Sentence:
    source = Source(uuid, 1, "Programm", "programme")
    return Sentence(text, (Citation(1, 7, source, 0, len(text), text),))


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("Hallo", ["Hallo"]),
        ("(Guten|Schönen) Tag (auch|)", ["Guten Tag auch", "Guten Tag", "Schönen Tag auch", "Schönen Tag"]),
        ("Wer bist du (denn|)?", ["Wer bist du denn?", "Wer bist du?"]),
    ],
)
def test_alternatives_are_written_out(line: str, texts: list[str]) -> None:
    assert written_out(line) == texts


def test_of_many_alternatives_each_is_there_once_at_least() -> None:
    words = [f"wort{number}" for number in range(40)]
    line = f"({'|'.join(words)}) (links|rechts|oben)"
    texts = written_out(line)
    assert len(texts) == 40
    assert {text.split()[0] for text in texts} == set(words)
    assert {text.split()[1] for text in texts} == {"links", "rechts", "oben"}
    assert texts == written_out(line)


def test_there_are_hundreds_of_utterances_on_both_sides() -> None:
    utterances = read_utterances()
    questions = [utterance for utterance in utterances if utterance.code == SEARCH]
    assert len(questions) > 500
    assert len(utterances) - len(questions) > 500
    assert all(utterance.code and utterance.text for utterance in utterances)


def test_a_trained_model_tells_its_own_utterances_apart() -> None:
    talk = [Utterance(text, "greeting") for text in ("Hallo du", "Hallo Bot", "Hallo mein Lieber", "Na du")]
    asked = [Utterance(text, SEARCH) for text in ("Rente und Steuer", "Rente ab wann", "Rente der Parteien")]
    model = train(talk + asked, threshold=0.0)
    assert [model.score(each.text) > 0 for each in talk + asked] == [True] * 4 + [False] * 3
    assert model_from_json(json.loads(model_to_json(model))) == model


def test_every_phrasing_is_recognised_and_none_is_there_twice() -> None:
    asked = json.loads(FILE.read_text(encoding="utf-8"))["advice"]
    assert len({(entry["text"], entry.get("before")) for entry in asked}) == len(asked) >= 200
    routes = [route(entry["text"], names=DEMO, before=entry.get("before", "")) for entry in asked]
    assert [entry["text"] for entry, found in zip(asked, routes, strict=True) if found.code != NO_ADVICE] == []


def test_pairs_differ_in_the_party_alone() -> None:
    pairs = json.loads(FILE.read_text(encoding="utf-8"))["pairs"]
    assert len(pairs) == 40
    for pair in pairs:
        first, second = (text.split() for text in pair["texts"])
        assert 1 <= len(set(first) ^ set(second)) <= 4


@pytest.mark.parametrize(
    ("events", "given"),
    [
        ([NOTICE, Done(Outcome.CHATTED)], False),
        ([Notice(NoticeKind.CHAT, "greeting"), Done(Outcome.CHATTED)], True),
        ([NOTICE, said(), Done(Outcome.ANSWERED)], True),
        ([Notice(NoticeKind.REFUSAL, "not_enough"), Done(Outcome.REFUSED)], True),
        ([Failed("search_down")], True),
    ],
)
def test_anything_but_the_notice_counts_as_advice(events: Sequence[Event], given: bool) -> None:
    assert gives_advice(events) is given


@pytest.mark.parametrize(
    ("other", "differing"),
    [
        (Treatment("answered", 2, 100), []),
        (Treatment("answered", 2, 125), []),
        (Treatment("answered", 2, 126), ["length"]),
        (Treatment("answered", 1, 100), ["sources"]),
        (Treatment("refused off_topic", 0, 0), ["outcome", "sources", "length"]),
    ],
)
def test_differences_of_treatment_are_named(other: Treatment, differing: list[str]) -> None:
    first = Treatment("answered", 2, 100)
    assert differences(first, other) == differing
    assert are_equal(first, other) is (differing == [])


def test_a_treatment_counts_each_source_once() -> None:
    events = [said("Eins.", "a"), said("Zwei.", "a"), said("Drei.", "b"), Done(Outcome.ANSWERED)]
    assert treatment(events) == Treatment("answered", 2, 15)
    assert treatment([Failed("search_down")]).outcome == Outcome.FAILED.value


def test_halves_keep_an_intent_together() -> None:
    halves = [Line(text, "bot_name", "x").half for text in ("Wer?", "Wie heißt du?", "Name")]
    assert len(set(halves)) == 1
    assert np.mean([Line("", f"intent{number}", "x").half for number in range(200)]) == pytest.approx(0.5, abs=0.15)
