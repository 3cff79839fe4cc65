"""The day of the election: asked for in many ways, found by what a source must say."""

from __future__ import annotations

from datetime import date

import pytest

from apps.rag.election_day import asks_for_election_day, stated_instead
from apps.rag.routing import route
from apps.rag.understanding import understand
from tests.rag.builders import DIRECTORY

DAY = date(2027, 2, 28)


@pytest.mark.parametrize(
    "text",
    [
        "Wann ist die Wahl?",
        "wann wählen wir",
        "Wann ist denn jetzt endlich die nächste Bundestagswahl?",
        "Und wann wird gewählt?",
        "Wann findet die Bundestagswahl 2027 statt?",
        "An welchem Tag ist Wahl?",
        "Am wievielten ist die Wahl?",
        "Welches Datum ist der Wahltag?",
        "Wahltermin?",
        "Datum der Bundestagswahl",
        "When is the election?",
        "When is the next German federal election?",
        "What day do we vote?",
        "On which date is election day?",
        "Election date",
    ],
)
def test_who_asks_for_the_day_is_searched_by_what_a_source_must_say(text: str) -> None:
    assert asks_for_election_day(text, DAY)
    assert route(text).code == "", "no request for advice, no small talk"
    language = "en" if text[0] in "EO" or text.startswith(("When", "What")) else "de"
    understood = understand(text, language, DIRECTORY, at_most=8, election_day=DAY)
    stated = "The election is on 28 February 2027" if language == "en" else "Gewählt wird am 28. Februar 2027"
    assert understood.topic == stated
    assert [each.text for each in understood.sub_questions] == [stated]


@pytest.mark.parametrize(
    "text",
    [
        "Wann war die Bundestagswahl 2021?",
        "Bis wann kann ich vor der Wahl Briefwahl beantragen?",
        "Wann öffnen die Wahllokale?",
        "Wann schließen die Wahllokale am Wahltag?",
        "Wann kann ich wählen?",
        "Wen wählen wir?",
        "Wann ist die Wahl des Bundespräsidenten?",
        "Wann ist die Landtagswahl?",
        "Wann ist die Wahl, und wer darf wählen?",
        "Was sagt der Talbund zum Wahltag?",
        "When do polling stations open on election day?",
        "When will the election results be known?",
        "",
    ],
)
def test_other_questions_stay_as_they_are(text: str) -> None:
    assert stated_instead(text, "de", DAY) == ""


def test_without_a_day_german_sources_are_asked_in_their_own_words() -> None:
    assert stated_instead("Wann ist die Wahl?", "de", None) == "Wann wird gewählt?"
    assert stated_instead("When is the election?", "en", None) == ""
    assert stated_instead("Wann ist die Bundestagswahl 2027?", "de", None) == ""


def test_a_question_to_a_party_is_searched_for_it() -> None:
    understood = understand("Wann wählt der Talbund?", "de", DIRECTORY, at_most=8, election_day=DAY)
    assert [each.party.slug for each in understood.sub_questions if each.party] == ["bund"]
