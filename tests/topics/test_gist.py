"""What a question is about: frames and parties out, subjects and meaning in."""

from __future__ import annotations

import pytest

from apps.language.parties import PartyRecogniser
from apps.topics.modelling.gist import gist_of, names_of
from apps.topics.modelling.words import Analyser

PARTIES = PartyRecogniser({"auen": ["Auenpartei"], "bund": ["Brückenbund"]})


@pytest.mark.parametrize(
    ("text", "gist"),
    [
        ("Kurze Frage: Wann kommt das Klimageld? Vielen Dank.", "Wann kommt das Klimageld"),
        ("Hallo, Wie beantrage ich Briefwahl? 🙂", "Wie beantrage ich Briefwahl?"),
        ("Ich wüsste gern: Wer senkt die Steuern? Danke!", "Wer senkt die Steuern"),
        ("Was sagt die Auenpartei zum Klimageld?", "Was sagt die Partei zum Klimageld?"),
        # These begin like frames and are none.
        ("Will die Partei das Rentenalter erhöhen?", "Will die Partei das Rentenalter erhöhen?"),
        ("Bittere Armut im Alter", "Bittere Armut im Alter"),
        ("Moin", "Moin"),
        ("Danke!", "Danke!"),
        ("", ""),
    ],
)
def test_frames_and_parties_go_and_the_subject_stays(text, gist):
    assert gist_of(text, PARTIES) == gist


def test_the_same_question_about_two_parties_has_one_gist():
    assert gist_of("Was plant der Brückenbund?", PARTIES).replace("der", "die") == gist_of(
        "Was plant die Auenpartei?", PARTIES
    )


@pytest.mark.parametrize("typed", ["Brückebnund", "brüückenbund", "bruekcenbund", "Brükenbund"])
def test_a_misspelled_party_is_called_like_the_others(typed):
    names = names_of(["Auenpartei", "Brückenbund", "Bund"])
    assert gist_of(f"Was plant der {typed} bei der Rente?", PARTIES, names) == "Was plant der Partei bei der Rente?"


@pytest.mark.parametrize("word", ["Brückenbau", "Auenlandschaft", "Staatenbund", "Rente"])
def test_a_word_that_is_none_of_the_names_stays(word):
    names = names_of(["Auenpartei", "Brückenbund"])
    assert gist_of(f"Was ist mit {word}?", PARTIES, names) == f"Was ist mit {word}?"


def test_misspelled_parties_are_no_keywords():
    analyser = Analyser(("de",), PARTIES, names=("Auenpartei", "Brückenbund"))
    assert analyser("Was sagt die Auenpareti zum Klimageld?") == ["klimageld"]
