"""What editors write in the text fields of the rule form, and how it is read back."""

from __future__ import annotations

import pytest

from apps.rules.forms.writing import (
    path_read,
    path_text,
    phrases_read,
    phrases_text,
    slots_read,
    slots_text,
    words_read,
)
from apps.rules.types import Phrase, Slot, WordMode

PHRASES = {
    "one": ("Wie geht Briefwahl?", (Phrase("Wie geht Briefwahl?"),)),
    "exactly so": ("= Wie geht Briefwahl?", (Phrase("Wie geht Briefwahl?", is_fuzzy=False),)),
    "exactly so without a blank": ("=Briefwahl", (Phrase("Briefwahl", is_fuzzy=False),)),
    "blank lines": ("\n a \n\n  \nb\n", (Phrase("a"), Phrase("b"))),
    "runs of white space": ("Wie   geht\tdas", (Phrase("Wie geht das"),)),
    "only the sign": ("=\n = ", ()),
    "an equals sign inside": ("1 + 1 = 2", (Phrase("1 + 1 = 2"),)),
}
SLOTS = {
    "in any form": ("Miete", (Slot("Miete"),)),
    "exactly so": ('"SPD"', (Slot("SPD", WordMode.EXACTLY),)),
    "exactly so with German quotes": ("„SPD“", (Slot("SPD", WordMode.EXACTLY),)),
    "starts with": ("klima*", (Slot("klima", WordMode.STARTS),)),
    "ends with": ("*wahl", (Slot("wahl", WordMode.ENDS),)),
    "alternatives": ("München | Münchner", (Slot("München | Münchner"),)),
    "alternatives close together": ("München|Münchner", (Slot("München | Münchner"),)),
    "alternatives that end so": ("*wahl | *wahlen", (Slot("wahl | wahlen", WordMode.ENDS),)),
    "alternatives that start so": ("klima* | energie*", (Slot("klima | energie", WordMode.STARTS),)),
    "alternatives exactly so": ('"CDU" | "CSU"', (Slot("CDU | CSU", WordMode.EXACTLY),)),
    "several words": ("Nordrhein Westfalen", (Slot("Nordrhein Westfalen"),)),
    "a star inside": ("Bürger*innen", (Slot("Bürger*innen"),)),
    "nothing but signs": ('*\n""\n|', ()),
    "one quote alone": ('"', ()),
}


@pytest.mark.parametrize(("text", "phrases"), PHRASES.values(), ids=PHRASES)
def test_phrases_are_read_one_a_line(text, phrases):
    assert phrases_read(text) == phrases


@pytest.mark.parametrize(("text", "slots"), SLOTS.values(), ids=SLOTS)
def test_signs_around_a_word_say_how_it_counts(text, slots):
    assert slots_read(text) == slots


@pytest.mark.parametrize("mode", WordMode)
@pytest.mark.parametrize("text", ["Wahl", "Münchner Rathaus", "Wahl | Wahlen", "Bürger*innen", "Nordrhein-Westfalen"])
def test_a_stored_slot_comes_back_as_it_was(text, mode):
    assert slots_read(slots_text([Slot(text, mode)])) == (Slot(text, mode),)


@pytest.mark.parametrize("phrase", [Phrase("Wie geht das?"), Phrase("1 = 1"), Phrase("§ 218", is_fuzzy=False)])
def test_a_stored_phrase_comes_back_as_it_was(phrase):
    assert phrases_read(phrases_text([phrase])) == (phrase,)


def test_signs_that_an_import_left_at_the_edges_do_not_change_how_a_word_counts():
    assert slots_read(slots_text([Slot("Bürger*"), Slot('"Haus"')])) == (Slot("Bürger"), Slot("Haus"))
    assert phrases_read(phrases_text([Phrase("= gleich")])) == (Phrase("gleich"),)


def test_a_path_is_written_with_a_sign_between_its_headings():
    assert path_read(path_text(("Antrag", "Fristen"))) == ("Antrag", "Fristen")
    assert path_read(" Antrag›Fristen › ") == ("Antrag", "Fristen")


def test_words_stand_between_commas_each_once():
    assert words_read("Wahl, Fristen; Wahl,,  ") == ("Wahl", "Fristen")
