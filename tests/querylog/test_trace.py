"""The log's page of one turn: the whole way from the question to the answer, and no word for those who may not."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from apps.querylog import services
from apps.querylog.models import Conversation, Turn
from apps.querylog.records import share
from apps.querylog.trace import trace_of
from apps.rag.events import Decided, Done, Event, Notice, Retrieved, Sentence
from apps.rag.rewriting.types import Reference
from apps.rag.time_frames import TimeFrame
from apps.rag.types import Citation, Decision, NoticeKind, Outcome, Passage, PassageScores, Signals, Source
from apps.rag.understanding import PartyName, SubQuestion, Understanding
from tests.querylog.reading import staff

pytestmark = pytest.mark.django_db
SOURCE = Source("0b1f0d4e-8f0e-4a53-9c39-2f5a1f6f8f11", 1, "Programm", "programme")
PARTY = PartyName("morgen", "Morgenpartei")
QUESTION = "Und was kostet das in Hintertupfing?"
QUERY = "Was kostet Briefwahl in Hintertupfing?"
TIME = TimeFrame("seit der Wahl in Hintertupfing", 0, 30, date(2021, 1, 1))
UNDERSTOOD = Understanding("de", (PARTY,), QUERY, (SubQuestion(QUERY, PARTY),), times=(TIME,))
SIGNALS = Signals(
    confidence_score=0.876,
    source_diversity={"domains": ["zeitung.example"], "timestamps": [], "kinds": ["programme"], "parties": ["morgen"]},
    coverage_signals={
        "question_aspects_covered": ["Kosten in Hintertupfing"],
        "question_aspects_missing": ["Frist in Hintertupfing"],
        "coverage_ratio": 0.5,
    },
    retrieval_metadata={
        "embedding_model": "fake/hash",
        "chunk_size": 240,
        "top_k": 8,
        "reranker_applied": True,
        "filters": {"on": "2026-11-30", "party_slugs": []},
        "requeried": {"outcome": "searched", "aspects": ["Frist in Hintertupfing"], "before": 0.0, "after": 0.5},
    },
    recommendation="caveat",
)
CITATION = Citation(1, 7, SOURCE, 10, 29, "Es kostet nichts.")
WHOLE: tuple[Event, ...] = (
    Decided(
        Decision.REWRITE,
        QUERY,
        "referred",
        references=(Reference("das", "Briefwahl", 1),),
        turns_used=(1,),
        understood=(UNDERSTOOD,),
    ),
    Retrieved((Passage(7, SOURCE, "Text", 10, 60, scores=PassageScores(0.913, 14.2, 1, 3, 0.955, 1, 1.25)),), SIGNALS),
    Sentence("Es kostet nichts.", (CITATION,), group="Morgenpartei"),
    Notice(NoticeKind.CAVEAT, "coverage_low", subjects=("Frist in Hintertupfing",)),
    Done(
        Outcome.ANSWERED,
        {"retrieve": 120.5, "judge": 30.25},
        {"model": "m", "prompt": "answer_1", "grounding": "grounded", "faults": "uncited", "failure": ""},
    ),
)


@pytest.fixture
def turn() -> Turn:
    conversation = Conversation.objects.create(owner="x", session_day="y")
    made = Turn.objects.create(conversation=conversation, number=2, question=QUESTION)
    for event in WHOLE:
        services.turn_record(turn=made, event=event)
    return Turn.objects.get(pk=made.pk)


def page(turn: Turn, *permissions: str) -> str:
    return staff("view_turn", *permissions).get(reverse("admin:querylog_turn_change", args=[turn.pk])).text


def test_the_signals_are_stored_and_two_of_them_as_columns(turn: Turn) -> None:
    assert turn.signals["confidence_score"] == 0.876
    assert (turn.confidence, turn.coverage) == (0.876, 0.5)


@pytest.mark.parametrize(
    ("ratio", "stored"),
    [(float("nan"), None), (1.2, 1.0), (-0.1, 0.0), ("half", None), (None, None)],
    ids=["no number", "too much", "too little", "text", "nothing"],
)
def test_an_odd_signal_costs_no_answer(ratio: object, stored: float | None) -> None:
    assert share(ratio) == stored


def test_without_signals_the_columns_are_empty(turn: Turn) -> None:
    services.turn_record(turn=turn, event=Retrieved((), Signals(0.5, {}, {}, {}, "answer")))
    turn.refresh_from_db()
    assert (turn.confidence, turn.coverage) == (0.5, None)


@pytest.mark.parametrize(
    "words",
    [
        QUERY,
        "“das” stood for “Briefwahl” (turn 1).",
        "A word in it pointed at an earlier turn.",
        "Morgenpartei",
        "No rule matched",
        "0.913",
        "14.20",
        "0.955",
        "1.250",
        "with a probability of 88 %",
        "1 of 2 aspects (50 %)",
        "seit der Wahl in Hintertupfing",
        "Missing: Frist in Hintertupfing.",
        "searched once more for: Frist in Hintertupfing. Covered before: 0 %, now: 50 %.",
        "Es kostet nichts.",
        "stands word for word at the cited place",
        reverse("documents:passage", args=[SOURCE.uuid, 1, 10, 29]),
        "120.5 ms",
        "Model: m, prompt answer_1.",
        "uncited",
    ],
)
def test_the_page_has_the_whole_trace(turn: Turn, words: str) -> None:
    assert words in page(turn, "view_question").replace("&#x27;", "'")


def test_without_the_right_to_words_the_page_has_none_of_them(turn: Turn) -> None:
    text = page(turn)
    assert "Hintertupfing" not in text
    assert "kostet" not in text
    assert "Briefwahl" not in text
    assert "1 of 2 aspects (50 %)" in text
    assert "from 01/01/2021" in text
    assert "searched once more for: 1 aspect." in text


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("searched", "more was found: Frist in Hintertupfing."),
        ("nothing_new", "nothing new was found: Frist in Hintertupfing."),
        ("no_better", "answers no better: Frist in Hintertupfing."),
        ("failed", "The second search broke"),
    ],
)
def test_a_second_search_for_a_gap_has_words_of_its_own(turn: Turn, outcome: str, said: str) -> None:
    metadata = turn.signals["retrieval_metadata"]
    requeried = {**metadata["requeried"], "cause": "gap", "outcome": outcome}
    turn.signals = {**turn.signals, "retrieval_metadata": {**metadata, "requeried": requeried}}
    turn.save()
    text = page(turn, "view_question").replace("&#x27;", "'")
    assert "Something stood nowhere" in text or outcome == "failed"
    assert said in text


def test_a_reason_that_a_model_made_up_is_words_as_well(turn: Turn) -> None:
    turn.rewriting = {**turn.rewriting, "reason": "Der Leser meint Hintertupfing."}
    with translation.override("en"):
        assert trace_of(turn, with_words=True).reason == "Der Leser meint Hintertupfing."
        assert trace_of(turn, with_words=False).reason == ""


def test_the_longest_stage_fills_its_bar(turn: Turn) -> None:
    stages = trace_of(turn, with_words=False).stages
    assert [(stage.milliseconds, stage.share) for stage in stages] == [(120.5, 100), (30.2, 25)]


def test_a_turn_without_anything_has_a_page_too() -> None:
    conversation = Conversation.objects.create(owner="x", session_day="y")
    bare = Turn.objects.create(conversation=conversation, number=1, question="Hallo?")
    assert "No passages." in page(bare)


@pytest.mark.parametrize("key", ["0", "999999999999999999", "x", "1%27"])
def test_an_unknown_turn_is_not_there(turn: Turn, key: str) -> None:
    address = reverse("admin:querylog_turn_change", args=["1"]).replace("/1/", f"/{key}/")
    assert staff("view_turn").get(address).status_code == 404


def test_nothing_can_be_written_on_the_page(turn: Turn) -> None:
    client = staff("view_turn", "change_turn", "view_question")
    client.post(reverse("admin:querylog_turn_change", args=[turn.pk]), {"question": "Anders?", "outcome": "refused"})
    turn.refresh_from_db()
    assert (turn.question, turn.outcome) == (QUESTION, "answered")


def test_the_page_takes_the_same_queries_however_much_was_found(turn: Turn, django_assert_num_queries) -> None:
    def count(number: int) -> int:
        turn.passages = turn.passages[:1] * number
        turn.shown = turn.shown[:1] * number
        with django_assert_num_queries(2):
            trace_of(turn, with_words=True)
        return number

    assert [count(1), count(12)] == [1, 12]


# The list.


@pytest.fixture
def several(turn: Turn) -> Turn:
    for number, (confidence, coverage) in enumerate([(0.1, 0.5), (0.2, 1.0), (1.0, 1.0), (None, None)], 3):
        Turn.objects.create(
            conversation=turn.conversation, number=number, question="?", confidence=confidence, coverage=coverage
        )
    return turn


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, 5),
        ({"band": "0"}, 1),
        ({"band": "1"}, 1),
        ({"band": "4"}, 2),
        ({"band": "nonsense"}, 5),
        ({"open": "yes"}, 2),
        ({"handed": "yes"}, 0),
        ({"handed": "no"}, 5),
        ({"handed": "waiting"}, 0),
        ({"outcome__exact": "answered"}, 1),
        ({"decision__exact": "REWRITE"}, 1),
    ],
)
def test_the_list_can_be_narrowed(several: Turn, filters: dict[str, str], found: int) -> None:
    text = staff("view_turn").get(reverse("admin:querylog_turn_changelist"), filters).text
    assert text.partition("<tbody")[2].count("/change/") == found


def test_the_list_takes_the_same_queries_however_long_it_is(turn: Turn) -> None:
    client = staff("view_turn", "view_question", "view_handover")
    address = reverse("admin:querylog_turn_changelist")
    client.get(address)

    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as caught:
            client.get(address)
        return len(caught)

    few = queries()
    for number in range(3, 33):
        Turn.objects.create(conversation=turn.conversation, number=number, question="?", confidence=0.5)
    assert queries() == few


@pytest.mark.parametrize("lookup", ["understood__icontains", "handover__note__contains", "signals__icontains"])
def test_no_filter_in_the_address_tells_words(turn: Turn, lookup: str) -> None:
    assert (
        staff("view_turn", "view_question").get(reverse("admin:querylog_turn_changelist"), {lookup: "H"}).status_code
        == 400
    )
