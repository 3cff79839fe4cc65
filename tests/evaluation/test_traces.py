"""Everything the pipeline says, as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from apps.evaluation.traces import TimedEvent, outcome_of, shown_items, trace_of
from apps.rag.events import Done, Failed, Notice, Restart, Retrieved
from apps.rag.remembering import shown_of
from apps.rag.types import NoticeKind, Outcome, Signals
from tests.evaluation.building import answered, passage, refused, sentence


def timed(events):
    return [TimedEvent(event, 10.0 * place) for place, event in enumerate(events)]


def kept(events):
    return json.loads(json.dumps(trace_of(timed(events))))


def test_a_trace_is_plain_json_in_the_order_of_the_events():
    trace = kept(answered(query="Wie hoch ist der Mindestlohn?"))
    assert [(item["type"], item["at"]) for item in trace] == [
        ("decided", 0.0),
        ("retrieved", 10.0),
        ("sentence", 20.0),
        ("done", 30.0),
    ]
    decided, retrieved, shown, done = trace
    assert (decided["decision"], decided["query"]) == ("SEARCH_AS_IS", "Wie hoch ist der Mindestlohn?")
    assert retrieved["passages"][0]["scores"]["cosine"] == 0.8
    assert shown["quotes"] == [shown["text"]]
    assert (done["outcome"], done["timings"]) == ("answered", {"search": 12.0})


def test_a_trace_holds_no_vectors_and_of_each_passage_only_its_beginning():
    [item] = kept([Retrieved((passage(),))])
    assert "sentences" not in item["passages"][0]
    assert item["passages"][0]["beginning"].startswith("Der Mindestlohn steigt.")


def test_signals_notices_and_failures_are_kept():
    signals = Signals(0.7, {"kinds": ("news",)}, {"coverage_ratio": 0.5}, {"top_k": 5}, "answer")
    trace = kept(
        [Retrieved((), signals), Notice(NoticeKind.CAVEAT, "x", as_of=date(2027, 1, 2)), Failed("took_too_long")]
    )
    assert trace[0]["signals"]["source_diversity"] == {"kinds": ["news"]}
    assert (trace[1]["kind"], trace[1]["as_of"]) == ("caveat", "2027-01-02")
    assert trace[2]["code"] == "took_too_long"


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class LaterEvent:
    """What a later version of the pipeline may say."""

    colour: Colour
    parts: tuple[int, ...]


def test_an_event_that_nobody_here_knows_is_kept_as_it_is():
    assert kept([LaterEvent(Colour.RED, (1, 2))]) == [
        {"type": "laterevent", "at": 0.0, "colour": "red", "parts": [1, 2]}
    ]


def test_what_stands_at_the_end_is_the_same_in_events_and_in_a_trace():
    desk = Notice(NoticeKind.DESK, "desk_answer", "Von der Redaktion.")
    first, second, third = (sentence(text) for text in ("Eins.", "Zwei.", "Drei."))
    events = [desk, first, second, Notice(NoticeKind.CAVEAT, "c", "Aber."), Restart(1), third, Done(Outcome.ANSWERED)]
    assert [item["text"] for item in shown_items(kept(events))] == [each.text for each in shown_of(events)]
    assert [item["text"] for item in shown_items(kept(events))] == ["Von der Redaktion.", "Eins.", "Drei."]


def test_a_turn_without_an_end_has_failed():
    assert outcome_of(timed(refused())) is Outcome.REFUSED
    assert outcome_of(timed(refused()[:-1])) is Outcome.FAILED
    assert outcome_of([]) is Outcome.FAILED
