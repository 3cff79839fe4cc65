"""Old and new sources, and the sentences of a time, from the question to the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from apps.rag.conflicts import SOURCES_DIFFER
from apps.rag.events import Event, Notice, Sentence
from apps.rag.generation import ModelWriter, WriterSettings
from apps.rag.model_types import Deadlines
from apps.rag.pipeline import AnswerPipeline
from apps.rag.scripted import ScriptedRetriever
from apps.rag.scripted_model import Reply, ScriptedModel
from apps.rag.telling import ONLY_OPINION, OTHER_TIME, OUTDATED_SOURCE
from apps.rag.timely import worth_reading
from apps.rag.types import AnswerContext, NoticeKind, Passage, PassageScores, Question, Source
from apps.rag.understanding import understand
from tests.rag.builders import BUND, DIRECTORY, SETTINGS, passage, source

NOW = datetime(2026, 11, 30, 12, tzinfo=ZoneInfo("Europe/Berlin"))
NEWER = replace(source(uuid="new", publisher="Kurier"), title="Duell verlegt", published=date(2026, 11, 9))
OLDER = replace(
    source(uuid="old", publisher="Kurier"),
    title="Duell im Januar",
    published=date(2026, 11, 5),
    superseded_by=("new",),
    superseded_on=date(2026, 11, 9),
)
MOVED = "Das Fernsehduell wird um eine Woche verschoben. Neuer Termin ist Sonntag, der 7. Februar 2027, um 20.15 Uhr."
PLANNED = "Das Fernsehduell beginnt am 31. Januar 2027 in der Stadthalle. Karten werden im Dezember verlost."


def old_and_new(older: Source = OLDER, newer: Source = NEWER) -> list[Passage]:
    """The older passage is nearer: only its time speaks for the newer one."""
    return [passage(PLANNED, older, fused=0.92), passage(MOVED, newer, fused=0.91)]


async def ask(passages: Sequence[Passage], text: str, *, election: date | None = None) -> list[Event]:
    answering = AnswerPipeline(ScriptedRetriever(passages), DIRECTORY, SETTINGS, election_day=election)
    return [event async for event in answering.stream(Question(text), [], AnswerContext(now=NOW))]


def texts(events: Sequence[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Sentence)]


def notices(events: Sequence[Event]) -> dict[str, Notice]:
    return {event.code: event for event in events if isinstance(event, Notice)}


async def test_the_sentence_with_the_date_is_quoted_though_it_does_not_name_the_subject() -> None:
    shown = texts(await ask([passage(MOVED, NEWER)], "Wann ist das Fernsehduell?"))
    assert shown[:2] == [
        "Das Fernsehduell wird um eine Woche verschoben.",
        "Neuer Termin ist Sonntag, der 7. Februar 2027, um 20.15 Uhr.",
    ]


async def test_a_paragraph_ends_what_a_sentence_can_continue() -> None:
    apart = MOVED.replace(" Neuer", "\n\nNeuer")
    shown = texts(await ask([passage(apart, NEWER)], "Wann ist das Fernsehduell?"))
    assert shown[0] == "Das Fernsehduell wird um eine Woche verschoben."


async def test_a_superseded_source_is_named_and_not_quoted_beside_the_newer_one() -> None:
    events = await ask(old_and_new(), "Wann ist das Fernsehduell?")
    assert any("7. Februar 2027" in text for text in texts(events))
    assert not any("31. Januar" in text for text in texts(events))
    told = notices(events)[SOURCES_DIFFER]
    assert told.kind is NoticeKind.CONFLICT
    assert [each.source.title for each in told.nearest] == ["Duell verlegt", "Duell im Januar"]
    assert ["7. Februar" in told.subjects[0], "31. Januar" in told.subjects[1]] == [True, True]
    assert OUTDATED_SOURCE not in notices(events)


async def test_what_is_named_of_a_conflict_stands_at_its_address_word_for_word() -> None:
    passages = old_and_new()
    told = notices(await ask(passages, "Wann ist das Fernsehduell?"))[SOURCES_DIFFER]
    for quote, near in zip(told.subjects, told.nearest, strict=True):
        whole = next(each for each in passages if each.source.uuid == near.source.uuid)
        assert whole.text[near.start - whole.start : near.end - whole.start] == quote


async def test_who_asks_for_what_stood_before_gets_the_older_source() -> None:
    events = await ask(old_and_new(), "Wann sollte das Fernsehduell ursprünglich stattfinden?")
    assert "31. Januar 2027" in texts(events)[0]
    assert SOURCES_DIFFER not in notices(events)


async def test_reports_of_a_time_come_from_that_time() -> None:
    events = await ask(old_and_new(), "Was stand am 6. November über das Fernsehduell?")
    assert OTHER_TIME in notices(events)
    events = await ask(old_and_new(), "Was wurde am 5. November über das Fernsehduell gemeldet?")
    assert {event.citations[0].source.uuid for event in events if isinstance(event, Sentence)} == {"old"}
    assert OTHER_TIME not in notices(events)


async def test_an_outdated_source_that_answers_alone_says_so() -> None:
    events = await ask(old_and_new()[:1], "Wann ist das Fernsehduell?")
    assert notices(events)[OUTDATED_SOURCE].subjects == ("Duell im Januar",)


async def test_a_source_superseded_only_later_is_not_outdated_yet() -> None:
    later = replace(OLDER, superseded_on=date(2026, 12, 24))
    assert OUTDATED_SOURCE not in notices(await ask([passage(PLANNED, later)], "Wann ist das Fernsehduell?"))


async def test_an_outdated_source_stays_where_the_newer_one_does_not_answer() -> None:
    older = passage("Im Fernsehduell gelten Antworten von höchstens 75 Sekunden Länge.", OLDER, fused=0.95)
    newer = passage("Die Runde ist am 8. Februar.", NEWER, fused=0.8, closeness=[0.5])
    shown = texts(await ask([older, newer], "Wie lang dürfen die Antworten im Fernsehduell sein?"))
    assert shown == ["Im Fernsehduell gelten Antworten von höchstens 75 Sekunden Länge."]


def party_and_press(press_says: str, *, publisher: str = "Kurier") -> list[Passage]:
    programme = replace(source(BUND), published=date(2026, 10, 3))
    press = replace(source(publisher=publisher), title="Talbund ändert Pläne", published=date(2026, 11, 20))
    return [
        passage("Wir zahlen ein Klimageld von 300 Euro je Kopf im Jahr 2028.", programme, fused=0.93),
        passage(press_says, press, fused=0.9),
    ]


@pytest.mark.parametrize(
    ("press_says", "is_named"),
    [
        pytest.param("Der Talbund will nur noch ein Klimageld von 200 Euro zahlen.", True, id="another amount"),
        pytest.param("Der Talbund zahlt das Klimageld später als im Programm angekündigt.", True, id="tells of change"),
        pytest.param("Der Talbund will ein Klimageld von 300 Euro zahlen.", False, id="the same amount"),
        pytest.param("Die Flutliste will ein Klimageld von 200 Euro zahlen.", False, id="another party"),
        pytest.param("Für das Klimageld des Talbunds stimmten 88 Delegierte.", False, id="another unit"),
    ],
)
async def test_a_report_that_contradicts_the_programme_is_named(press_says: str, is_named: bool) -> None:
    events = await ask(party_and_press(press_says), "Wie hoch ist das Klimageld beim Talbund?")
    assert (SOURCES_DIFFER in notices(events)) is is_named
    if is_named:
        assert texts(events)[0] == press_says


async def test_who_asks_for_the_programme_gets_it_first_and_the_report_named() -> None:
    passages = party_and_press("Der Talbund will nur noch ein Klimageld von 200 Euro zahlen.")
    events = await ask(passages, "Wie hoch ist das Klimageld laut Programm des Talbunds?")
    assert texts(events)[0].startswith("Wir zahlen ein Klimageld von 300 Euro")
    assert SOURCES_DIFFER in notices(events)


async def test_two_reports_of_two_things_are_no_contradiction() -> None:
    earlier, later = (replace(source(publisher="Kurier"), published=date(2026, 11, day)) for day in (5, 20))
    passages = [
        passage("Der Talbund stellt am 3. Dezember 2026 sein Konzept für Busse und Bahnen auf dem Land vor.", earlier),
        passage("Der Talbund stellt am 8. Dezember 2026 sein Konzept zur Rente vor.", later),
    ]
    events = await ask(passages, "Wann stellt der Talbund sein Konzept für Busse und Bahnen auf dem Land vor?")
    assert SOURCES_DIFFER not in notices(events)


async def test_one_affirming_and_one_denying_the_same_differ() -> None:
    programme = replace(source(BUND), published=date(2026, 10, 3))
    press = replace(source(publisher="Kurier"), published=date(2026, 11, 20))
    passages = [
        passage("Der Talbund will das Tempolimit auf Autobahnen einführen.", programme),
        passage("Der Talbund will das Tempolimit auf Autobahnen nicht einführen.", press),
    ]
    events = await ask(passages, "Will der Talbund ein Tempolimit auf Autobahnen einführen?")
    assert "nicht" in notices(events)[SOURCES_DIFFER].subjects[0]


async def test_sources_of_the_same_day_are_not_old_and_new() -> None:
    same = [replace(each, source=replace(each.source, published=NOW.date())) for each in party_and_press("")[:1]]
    press = replace(source(publisher="Kurier"), published=NOW.date())
    passages = [*same, passage("Der Talbund will nur ein Klimageld von 200 Euro zahlen.", press)]
    assert SOURCES_DIFFER not in notices(await ask(passages, "Wie hoch ist das Klimageld beim Talbund?"))


async def test_opinion_gives_way_to_a_report() -> None:
    opinion = replace(source(kind="opinion", author="J. Zeile"), published=date(2026, 11, 21))
    passages = [
        passage("Das Dienstjahr kostet 9 Milliarden Euro im Jahr, ein Irrsinn.", opinion, fused=0.93),
        passage("Die Partei rechnet beim Dienstjahr mit Kosten von 9 Milliarden Euro.", NEWER, fused=0.9),
    ]
    events = await ask(passages, "Wie viel kostet das Dienstjahr?")
    assert texts(events) == ["Die Partei rechnet beim Dienstjahr mit Kosten von 9 Milliarden Euro."]
    asked = await ask(passages, "Was sagt der Kommentar zu den Kosten des Dienstjahrs?")
    assert any("Irrsinn" in text for text in texts(asked))


async def test_opinion_alone_is_shown_and_called_so() -> None:
    opinion = replace(source(kind="opinion", author="J. Zeile"), published=date(2026, 11, 21))
    events = await ask(
        [passage("Das Dienstjahr kostet 9 Milliarden Euro im Jahr.", opinion)], "Wie viel kostet das Dienstjahr?"
    )
    assert texts(events) == ["Das Dienstjahr kostet 9 Milliarden Euro im Jahr."]
    assert ONLY_OPINION in notices(events)


async def test_a_sentence_that_names_the_time_stands_before_one_that_names_another() -> None:
    passages = [
        passage("Das Ticket kostet ab 2028 nur 29 Euro.", closeness=[0.82]),
        passage("Das Ticket kostet im Jahr 2027 noch 49 Euro.", closeness=[0.8]),
    ]
    assert "49 Euro" in texts(await ask(passages, "Wie viel kostet das Ticket nächstes Jahr?"))[0]
    assert "29 Euro" in texts(await ask(passages, "Wie viel kostet das Ticket ab 2028?"))[0]


async def test_a_time_in_other_words_is_searched_by_its_year() -> None:
    retriever = ScriptedRetriever(old_and_new())
    answering = AnswerPipeline(retriever, DIRECTORY, SETTINGS)
    question, context = Question("Was kostet das Ticket nächstes Jahr?"), AnswerContext(now=NOW)
    _ = [event async for event in answering.stream(question, [], context)]
    assert {query.wanted.words for query in retriever.queries} == {"2027"}


async def test_the_decision_carries_what_was_understood() -> None:
    events = await ask(old_and_new(), "Was passiert nach der Wahl?", election=date(2027, 2, 28))
    (understood,) = next(event.understood for event in events if hasattr(event, "understood"))
    assert understood.times[0].first == date(2027, 3, 1)
    assert understood.today == NOW.date()


UNDERSTOOD = understand("Was kostet das Dienstjahr?", "de", DIRECTORY, at_most=8, now=NOW)


def ranked(*kinds: str) -> list[Passage]:
    """Passages, best first: n(ews), o(pinion), or s(uperseded), which lost a tenth for that."""
    passages = []
    for place, kind in enumerate(kinds):
        made = passage("Ein Satz.", source(kind="opinion" if kind == "o" else "news"))
        penalty = -0.1 if kind == "s" else 0.0
        scores = PassageScores(reranked=1.0 - place / 100 + penalty, recency=penalty)
        passages.append(replace(made, scores=scores))
    return sorted(passages, key=lambda each: -each.scores.reranked)


@pytest.mark.parametrize(
    ("kinds", "read"),
    [
        pytest.param("nnnn", "nnn", id="the best three"),
        pytest.param("onnn", "onnn", id="opinion takes no report's place"),
        pytest.param("snnn", "nnns", id="age keeps nothing from being read"),
        pytest.param("nnns", "nnn", id="what is outdated is not read for that"),
        pytest.param("ooo", "ooo", id="opinion alone"),
    ],
)
def test_what_is_worth_reading(kinds: str, read: str) -> None:
    names = {"opinion": "o", "news": "n"}
    chosen = worth_reading(ranked(*kinds), UNDERSTOOD, 3)
    assert "".join("s" if each.scores.recency else names[each.source.kind] for each in chosen) == read


def test_who_asks_for_opinion_reads_it_like_any_source() -> None:
    asked = understand("Was meint der Kommentar zum Dienstjahr?", "de", DIRECTORY, at_most=8, now=NOW)
    assert len(worth_reading(ranked(*"onnn"), asked, 3)) == 3


async def test_a_model_does_not_get_what_gave_way() -> None:
    model = ScriptedModel(Reply("Das Fernsehduell ist am 7. Februar 2027. [doc:1#chunk:1]"))
    writer = ModelWriter(model, DIRECTORY, settings=WriterSettings(deadlines=Deadlines(1.0, 1.0)))
    answering = AnswerPipeline(ScriptedRetriever(old_and_new()), DIRECTORY, SETTINGS, writer=writer)
    question, context = Question("Wann ist das Fernsehduell?"), AnswerContext(now=NOW)
    events = [event async for event in answering.stream(question, [], context)]
    asked = "".join(message.text for request in model.requests for message in request.messages)
    assert "7. Februar 2027" in asked
    assert "31. Januar" not in asked
    assert SOURCES_DIFFER in notices(events)


PLAN = "Wir senken die Steuer auf Benzin um 21 Cent je Liter. Ein Liter Benzin darf nicht mehr als 1,50 Euro kosten."


@pytest.mark.parametrize(
    ("question", "is_answered"),
    [
        ("Was kostet heute ein Liter Benzin?", False),
        ("Wie teuer ist derzeit ein Liter Benzin?", False),
        ("Wie teuer soll ein Liter Benzin sein?", True),
        ("Was kostet aktuell ein Liter Benzin nach dem Plan vom Talbund?", True),
    ],
)
async def test_a_plan_of_a_party_is_no_price_of_today(question: str, is_answered: bool) -> None:
    programme = replace(source(uuid="plan", party=BUND), title="Programm")
    assert bool(texts(await ask([passage(PLAN, programme, fused=0.95)], question))) is is_answered


async def test_a_price_of_today_that_is_reported_is_told() -> None:
    told = passage("Ein Liter Benzin kostet derzeit 1,82 Euro.", replace(NEWER, title="Preise"), fused=0.95)
    assert texts(await ask([told], "Was kostet heute ein Liter Benzin?"))


async def test_of_the_rows_of_a_table_the_newest_tells_how_things_stand() -> None:
    rows = "2026-07-03 | Pegel | 22 | 28\n2026-11-27 | Pegel | 26 | 24\n2026-09-04 | Pegel | 23 | 27"
    table = passage(rows, replace(NEWER, title="Die Umfragen"), fused=0.95, context="Umfrage | Institut | Rote | Blaue")
    assert texts(await ask([table], "Wie steht es in den Umfragen?"))[0].startswith("2026-07-03")
    assert texts(await ask([table], "Wie steht es aktuell in den Umfragen?"))[0].startswith("2026-11-27")


@pytest.mark.parametrize(
    ("told", "is_answered"),
    [
        ("Der Mindestlohn beträgt 13,90 Euro in der Stunde.", True),
        ("Der Mindestlohn soll von derzeit 13,90 Euro auf 16,50 Euro steigen.", True),
        ("Zwei Parteien fordern einen Mindestlohn von 16,50 Euro.", False),
        ("Der Verband schlägt für den Mindestlohn 15,50 Euro vor.", False),
        ("Nach den Plänen liegt der Mindestlohn künftig bei 16,50 Euro.", False),
        ("Der Verband hält einen Mindestlohn von 15 Euro für gerecht.", False),
    ],
)
async def test_what_others_report_of_plans_is_no_price_of_today_either(told: str, is_answered: bool) -> None:
    reported = [passage(told, source(uuid="kurier", publisher="Kurier"))]
    assert bool(texts(await ask(reported, "Wie hoch ist der Mindestlohn heute?"))) is is_answered
    assert texts(await ask(reported, "Wie hoch soll der Mindestlohn sein?")), "plans are told where plans are asked for"


async def test_where_no_source_tells_the_day_of_the_election_the_refusal_does_not_tell_it_either() -> None:
    silent = passage("Der Wahlkampf beginnt. Die Wahl wird spannend.", source(uuid="kurier", publisher="Kurier"))
    told = notices(await ask([silent], "Wann ist die Wahl?", election=date(2027, 2, 28)))
    assert told["not_enough"].subjects == ()
