"""Times in questions, made absolute: a table of cases in both languages, and the days around clock changes."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from apps.rag.time_frames import TimeKind, TimeSense, read_times

BERLIN = ZoneInfo("Europe/Berlin")
# A Monday.
NOW = datetime(2026, 11, 30, 12, tzinfo=BERLIN)
ELECTION = date(2027, 2, 28)
CONTENT, PUBLISHED = TimeKind.CONTENT, TimeKind.PUBLICATION
SPAN, CURRENT, EARLIER = TimeSense.SPAN, TimeSense.CURRENT, TimeSense.EARLIER

SPANS = [
    # days
    ("Was passiert morgen?", "2026-12-01", "2026-12-01"),
    ("Was läuft übermorgen?", "2026-12-02", "2026-12-02"),
    ("Was geschah gestern?", "2026-11-29", "2026-11-29"),
    ("Was geschah vorgestern?", "2026-11-28", "2026-11-28"),
    ("What happens tomorrow?", "2026-12-01", "2026-12-01"),
    ("What happens the day after tomorrow?", "2026-12-02", "2026-12-02"),
    ("Wann ist am 28.2.2027 Wahl?", "2027-02-28", "2027-02-28"),
    ("Ist das Duell am 31. Januar 2027 um 20.15 Uhr?", "2027-01-31", "2027-01-31"),
    ("Was ist am 7. Februar?", "2027-02-07", "2027-02-07"),
    ("Was war am 9. November?", "2026-11-09", "2026-11-09"),
    ("Is there a debate on 28 February 2027?", "2027-02-28", "2027-02-28"),
    ("Is there a debate on February 28, 2027?", "2027-02-28", "2027-02-28"),
    ("Was gilt am 2027-02-28?", "2027-02-28", "2027-02-28"),
    ("Was läuft am Sonntag?", "2026-12-06", "2026-12-06"),
    ("Was war am Sonntag?", "2026-11-29", "2026-11-29"),
    ("Is there a debate next Monday?", "2026-12-07", "2026-12-07"),
    ("Was läuft am Wochenende?", "2026-12-05", "2026-12-06"),
    ("Was war am letzten Wochenende?", "2026-11-28", "2026-11-29"),
    ("Was gilt an Weihnachten?", "2026-12-24", "2026-12-26"),
    # weeks
    ("Was war letzte Woche?", "2026-11-23", "2026-11-29"),
    ("Was kommt nächste Woche?", "2026-12-07", "2026-12-13"),
    ("Was kommt diese Woche?", "2026-11-30", "2026-12-06"),
    ("Was war vorletzte Woche?", "2026-11-16", "2026-11-22"),
    ("Was war vor zwei Wochen?", "2026-11-16", "2026-11-22"),
    ("What happened two weeks ago?", "2026-11-16", "2026-11-22"),
    ("What happens next week?", "2026-12-07", "2026-12-13"),
    ("Was kommt Ende nächster Woche?", "2026-12-12", "2026-12-13"),
    # months
    ("Was passiert im Januar?", "2027-01-01", "2027-01-31"),
    ("What happens in January?", "2027-01-01", "2027-01-31"),
    ("Wie stark war sie in der Umfrage im Oktober?", "2026-10-01", "2026-10-31"),
    ("Umfrage im Oktober", "2026-10-01", "2026-10-31"),
    ("Was kostet es im Januar 2028?", "2028-01-01", "2028-01-31"),
    ("Wie stand sie Anfang November?", "2026-11-01", "2026-11-10"),
    ("Was galt Ende Oktober?", "2026-10-22", "2026-10-31"),
    ("What applied in early November?", "2026-11-01", "2026-11-10"),
    ("Warum wurde das Duell auf Februar verlegt?", "2027-02-01", "2027-02-28"),
    ("Why was the debate moved to February?", "2027-02-01", "2027-02-28"),
    ("Was wurde für den 7. Februar vereinbart?", "2027-02-07", "2027-02-07"),
    ("Was gilt im nächsten Oktober?", "2027-10-01", "2027-10-31"),
    ("Was war letzten Monat?", "2026-10-01", "2026-10-31"),
    ("Was kommt Anfang nächsten Monats?", "2026-12-01", "2026-12-10"),
    ("Was gilt in drei Monaten?", "2027-02-01", "2027-02-28"),
    ("What applies in three months?", "2027-02-01", "2027-02-28"),
    ("Will it apply in May?", "2027-05-01", "2027-05-31"),
    # quarters, halves, seasons
    ("Was ist im ersten Halbjahr 2027 geplant?", "2027-01-01", "2027-06-30"),
    ("Was war im 3. Quartal 2026?", "2026-07-01", "2026-09-30"),
    ("Was soll im Herbst 2028 beginnen?", "2028-09-01", "2028-11-30"),
    ("Was kommt im Sommer?", "2027-06-01", "2027-08-31"),
    ("Was ist im Winter?", "2026-12-01", "2027-02-28"),
    # years
    ("Was galt 2021?", "2021-01-01", "2021-12-31"),
    ("Was gilt nächstes Jahr?", "2027-01-01", "2027-12-31"),
    ("Was war letztes Jahr?", "2025-01-01", "2025-12-31"),
    ("Was gilt dieses Jahr?", "2026-01-01", "2026-12-31"),
    ("What happens next year?", "2027-01-01", "2027-12-31"),
    ("Was soll Ende 2027 gelten?", "2027-09-01", "2027-12-31"),
    ("Was kommt Mitte nächsten Jahres?", "2027-05-01", "2027-08-31"),
    ("Was kommt am Ende des Jahres?", "2026-09-01", "2026-12-31"),
    ("What comes at the end of the year?", "2026-09-01", "2026-12-31"),
    ("Wie war das in den 1990er Jahren?", "1990-01-01", "1999-12-31"),
    ("How was it in the 1990s?", "1990-01-01", "1999-12-31"),
    ("Wie war das in den 90er Jahren?", "1990-01-01", "1999-12-31"),
    # open on one side
    ("Was gilt seit 2021?", "2021-01-01", "2026-11-30"),
    ("What has applied since 2021?", "2021-01-01", "2026-11-30"),
    ("Gilt das seit dem 1. Januar?", "2026-01-01", "2026-11-30"),
    ("Was gilt seit drei Jahren?", "2023-11-30", "2026-11-30"),
    ("Was gilt ab 2026?", "2026-01-01", None),
    ("What applies from 2026?", "2026-01-01", None),
    ("Gilt es ab dem 1. Juli 2027?", "2027-07-01", None),
    ("Was soll bis 2030 passieren?", None, "2030-12-31"),
    ("What should happen by 2030?", None, "2030-12-31"),
    ("Was gilt bis Ende 2027?", None, "2027-12-31"),
    ("Was war vor 2020?", None, "2019-12-31"),
    ("Was kommt nach 2030?", "2031-01-01", None),
    ("Was will sie künftig?", "2026-11-30", None),
    ("What will it do in future?", "2026-11-30", None),
    ("Was galt bisher?", None, "2026-11-30"),
    ("What has been said so far?", None, "2026-11-30"),
    # from one time to another
    ("Wie viel Geld gibt es von 2025 bis 2029?", "2025-01-01", "2029-12-31"),
    ("Was passiert zwischen 2025 und 2029?", "2025-01-01", "2029-12-31"),
    ("How much money is there between 2025 and 2029?", "2025-01-01", "2029-12-31"),
    ("Was gilt vom 1. Januar bis zum 31. März 2027?", "2027-01-01", "2027-03-31"),
    ("Was hat sich in den letzten zwei Jahren geändert?", "2024-11-30", "2026-11-30"),
    ("What will change over the next five years?", "2026-11-30", "2031-11-30"),
    # elections and terms
    ("Was passiert nach der Wahl?", "2027-03-01", None),
    ("Was muss vor der Wahl passieren?", None, "2027-02-27"),
    ("Was ist bis zur Bundestagswahl zu tun?", None, "2027-02-28"),
    ("Was gilt am Wahltag?", "2027-02-28", "2027-02-28"),
    ("What happens after the election?", "2027-03-01", None),
    ("What must I do before the election?", None, "2027-02-27"),
    ("What applies on election day?", "2027-02-28", "2027-02-28"),
    ("Was wird in dieser Legislatur beschlossen?", None, "2027-02-28"),
    ("Was plant sie in der nächsten Legislaturperiode?", "2027-03-01", None),
    ("What is planned in the next legislative term?", "2027-03-01", None),
    ("Was geschah nach der Wahl 2021?", "2021-01-01", None),
]  # fmt: skip


def day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


@pytest.mark.parametrize(("text", "first", "last"), SPANS)
def test_a_time_becomes_absolute(text: str, first: str | None, last: str | None) -> None:
    (frame,) = read_times(text, NOW, ELECTION)
    assert (frame.first, frame.last, frame.kind, frame.sense) == (day(first), day(last), CONTENT, SPAN)


@pytest.mark.parametrize(
    "text",
    [
        "Was gilt aktuell beim Mindestlohn?",
        "Was gilt derzeit?",
        "Was gilt heute?",
        "Was will die Partei jetzt?",
        "Wie sieht die letzte Umfrage aus?",
        "Was ist der neueste Stand?",
        "What is the current minimum wage?",
        "What is the latest poll?",
        "What applies at the moment?",
    ],
)
def test_the_present_is_the_readers_day(text: str) -> None:
    (frame,) = read_times(text, NOW, ELECTION)
    assert (frame.first, frame.last, frame.sense) == (NOW.date(), NOW.date(), CURRENT)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Was wurde letzte Woche gemeldet?", "2026-11-23", "2026-11-29"),
        ("Was wurde heute gemeldet?", "2026-11-30", "2026-11-30"),
        ("Was meldete der Kurier vorgestern?", "2026-11-28", "2026-11-28"),
        ("Was stand im Oktober zum Dienstjahr?", "2026-10-01", "2026-10-31"),
        ("Was hat die Zeitung 2021 über die Rente geschrieben?", "2021-01-01", "2021-12-31"),
        ("Wie war die Umfrage vom 2. November?", "2026-11-02", "2026-11-02"),
        ("Was kündigte sie am Montag an?", "2026-11-23", "2026-11-23"),
        ("Was gab es in den letzten Tagen Neues?", "2026-11-27", "2026-11-30"),
        ("Was wurde diese Woche berichtet?", "2026-11-30", "2026-11-30"),
        ("What was reported last week?", "2026-11-23", "2026-11-29"),
        ("What did the paper report in October?", "2026-10-01", "2026-10-31"),
        ("What do the news from October say?", "2026-10-01", "2026-10-31"),
    ],
)
def test_a_question_about_reports_names_the_time_of_publication(text: str, first: str, last: str) -> None:
    (frame,) = read_times(text, NOW, ELECTION)
    assert (frame.first, frame.last, frame.kind) == (day(first), day(last), PUBLISHED)


@pytest.mark.parametrize(
    "text",
    [
        "Was hat die Partei 2021 beschlossen?",
        "Was gilt ab 2026?",
        "Was wird 2028 berichtet werden?",
        "Wahlprogramm 2021",
    ],
)
def test_a_year_is_what_is_asked_about_unless_reports_are_named(text: str) -> None:
    assert [frame.kind for frame in read_times(text, NOW, ELECTION)] == [CONTENT]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Wann sollte das Duell ursprünglich stattfinden?", "ursprünglich"),
        ("Wo stand die Partei früher?", "früher"),
        ("When was the debate originally planned?", "originally"),
    ],
)
def test_what_stood_before_has_no_days(text: str, said: str) -> None:
    (frame,) = read_times(text, NOW, ELECTION)
    assert (frame.said, frame.first, frame.last, frame.sense) == (said, None, None, EARLIER)


@pytest.mark.parametrize(
    "text",
    [
        "Guten Morgen, was will die Morgenpartei bei der Rente?",
        "Kann ich früher in Rente gehen?",
        "Will die Partei 2000 Stellen schaffen?",
        "2000 Polizisten will die Partei",
        "Wie viele von den 2030 Euro bleiben?",
        "Was steht in § 2021 BGB?",
        "May I vote by post?",
        "Was kostet ein Ticket für 49 Euro?",
        "Gilt das 31.02.2027?",
        "Was ist in 100000 Jahren?",
        "was kostet das?",
    ],
)
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert read_times(text, NOW, ELECTION) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Was geschah vor 400 Jahrzehnten?",
        "Was gilt in den nächsten 400 Jahrzehnten?",
        "Gilt das am 0.0.2020 oder am 99. Januar?",
        "von 2029 bis 2025",
        "seit " * 100,
        "vor 2 " * 80 + "Jahren",
        "1. 1. " * 80,
        "\0\ud800 im Januar \u202e 2027",
    ],
)
@pytest.mark.parametrize("year", [1, 2026, 9999])
def test_no_words_break_the_reading(text: str, year: int) -> None:
    frames = read_times(text, datetime(year, 12, 31, 23, 59, tzinfo=UTC), ELECTION)
    assert all(frame.first is None or frame.last is None or frame.first <= frame.last for frame in frames)


def test_two_times_are_two_frames() -> None:
    published, asked = read_times("Was stand im Oktober zum Dienstjahr 2028?", NOW, ELECTION)
    assert (published.kind, published.last) == (PUBLISHED, date(2026, 10, 31))
    assert (asked.kind, asked.first) == (CONTENT, date(2028, 1, 1))


def test_a_frame_knows_its_place_in_the_text() -> None:
    text = "Was galt seit dem Jahr 2021 beim Lohn?"
    (frame,) = read_times(text, NOW, ELECTION)
    assert text[frame.start : frame.end] == frame.said == "seit dem Jahr 2021"


@pytest.mark.parametrize(
    "text", ["Was passiert nach der Wahl?", "Was gilt am Wahltag?", "Was geschieht in dieser Legislatur?"]
)
def test_without_an_election_day_nothing_hangs_on_it(text: str) -> None:
    assert read_times(text, NOW) == ()


def test_the_last_election_is_unknown_while_only_the_next_is_set() -> None:
    assert read_times("Was hat sich seit der letzten Wahl geändert?", NOW, ELECTION) == ()
    assert read_times("Was geschah in der letzten Wahlperiode?", NOW, ELECTION) == ()


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Was hat sich seit der Wahl geändert?", "2027-03-01", "2027-04-12"),
        ("Was passierte nach der Wahl?", "2027-03-01", None),
        ("Was wird in dieser Legislatur beschlossen?", "2027-03-01", None),
        ("Was geschah in der letzten Wahlperiode?", None, "2027-02-28"),
    ],
)
def test_after_the_election_it_is_the_last_one(text: str, first: str | None, last: str | None) -> None:
    (frame,) = read_times(text, datetime(2027, 4, 12, 9, tzinfo=BERLIN), ELECTION)
    assert (frame.first, frame.last) == (day(first), day(last))


@pytest.mark.parametrize(
    ("now", "text", "first"),
    [
        # The clocks go back on 25 October: that day has 25 hours, and three in the morning comes twice.
        (datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=0), "Was geschah gestern?", "2026-10-24"),
        (datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=1), "Was geschah gestern?", "2026-10-24"),
        (datetime(2026, 10, 26, 0, 15, tzinfo=BERLIN), "Was geschah gestern?", "2026-10-25"),
        (datetime(2026, 10, 26, 0, 15, tzinfo=BERLIN), "Was geschah vor 24 Stunden?", "2026-10-25"),
        (datetime(2026, 10, 26, 23, 30, tzinfo=BERLIN), "Was geschah vor 48 Stunden?", "2026-10-25"),
        # They go forward on 28 March: that day has 23 hours.
        (datetime(2027, 3, 28, 0, 30, tzinfo=BERLIN), "Was passiert morgen?", "2027-03-29"),
        (datetime(2027, 3, 29, 0, 30, tzinfo=BERLIN), "Was geschah gestern?", "2027-03-28"),
        (datetime(2027, 3, 29, 0, 30, tzinfo=BERLIN), "Was geschah vor 24 Stunden?", "2027-03-27"),
        (datetime(2027, 3, 27, 23, 30, tzinfo=BERLIN), "Was passiert in 24 Stunden?", "2027-03-29"),
        (datetime(2027, 3, 29, 0, 30, tzinfo=BERLIN), "What happened in the last 24 hours?", "2027-03-27"),
    ],
)
def test_days_are_the_readers_across_clock_changes(now: datetime, text: str, first: str) -> None:
    (frame,) = read_times(text, now, ELECTION)
    assert frame.first == day(first)


def test_the_day_is_that_of_the_readers_zone() -> None:
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    assert read_times("Was geschah gestern?", late)[0].first == date(2026, 11, 29)
    assert read_times("Was geschah gestern?", late.astimezone(BERLIN))[0].first == date(2026, 11, 30)


def test_the_29th_of_february_has_no_year_before() -> None:
    leap = datetime(2028, 1, 10, 9, tzinfo=BERLIN)
    assert read_times("Gilt das seit dem 29. Februar 2028?", leap)[0].first == date(2028, 2, 29)
    assert read_times("Gilt das in zwölf Monaten?", datetime(2028, 2, 29, 9, tzinfo=BERLIN))[0].last == date(
        2029, 2, 28
    )
