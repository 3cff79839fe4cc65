"""What the form shows of how the engine reads phrases and words."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from apps.documents.models import Party
from apps.documents.models.search import Word
from apps.rules.reading import protected_words, read_lists, read_phrases
from apps.rules.summaries import summaries
from apps.rules.types import (
    CuratedAnswer,
    Example,
    Extra,
    Need,
    Phrase,
    ProtectedName,
    RuleSpec,
    Slot,
    TokenList,
    WordMode,
)

pytestmark = pytest.mark.django_db


def test_phrases_are_shown_as_they_are_compared():
    Party.objects.create(slug="au", name="Die Auenpartei", short_name="Auenpartei")
    phrases = (
        Phrase("Was will die Auenpartei 2029?"),
        Phrase("Straße", is_fuzzy=False),
        Phrase("Bus?"),
        Phrase("???"),
    )
    named, exact, short, empty = read_phrases(phrases)
    assert (named.key, named.protected) == ("was will die auenpartei 2029", ("Auenpartei", "2029"))
    assert (exact.key, exact.is_fuzzy, exact.protected) == ("strasse", False, ())
    assert (short.is_too_short, exact.is_too_short) == (True, False)
    assert empty.key == ""


def test_protected_terms_are_said_as_people_say_them():
    names = (ProtectedName("party:au", ("Auenpartei", "Aue")), ProtectedName("term:7", ("Erna Beispiel",)))
    with override("en"):
        said = protected_words(("party:au", "term:7+party:au", "not", "5", "fuer"), names)
    assert said == ("Auenpartei", "Erna Beispiel/Auenpartei", "a negation", "5", "fuer")


def test_words_are_shown_with_their_forms_or_with_words_of_our_documents(django_assert_num_queries):
    Word.objects.bulk_create(Word(language="de", text=text) for text in ("auswahl", "wahl", "wahlkampf", "klimageld"))
    rule = RuleSpec(
        "r",
        core=TokenList((Slot("Mieten"), Slot("CDU | CSU", WordMode.EXACTLY), Slot("wahl", WordMode.ENDS))),
        anchor=TokenList((Slot("klima", WordMode.STARTS), Slot("tax", WordMode.ENDS))),
        languages=("de",),
    )
    with django_assert_num_queries(1):
        lists = read_lists(rule)
    forms, exactly, ending = lists["core"]
    assert forms.words == ("mieten/miete",)
    assert exactly.words == ("cdu", "csu")
    assert ending.words == ("auswahl", "wahl")
    beginning, short = lists["anchor"]
    assert (beginning.words, short.is_too_short) == (("klimageld",), True)
    assert lists["exclude"] == ()


def test_nothing_is_looked_up_for_plain_words(django_assert_num_queries):
    with django_assert_num_queries(0):
        read_lists(RuleSpec("r", core=TokenList((Slot("Wahl"),))))


SUMMARIES = {
    "an empty rule": (RuleSpec("r"), "words", "no words yet"),
    "one word": (RuleSpec("r", core=TokenList((Slot("Wahl"),))), "words", "Wahl"),
    "a half": (
        RuleSpec("r", core=TokenList((Slot("a"), Slot("b")), Need.PERCENT, 50), exclude=TokenList((Slot("c"),))),
        "words",
        "at least half of a, b; but not at c",
    ),
    "two lists": (
        RuleSpec("r", core=TokenList((Slot("a"), Slot("b")), Need.COUNT, 1), anchor=TokenList((Slot("c"),))),
        "words",
        "at least 1 of a, b and c",
    ),
    "many words": (
        RuleSpec("r", core=TokenList(tuple(Slot(letter) for letter in "abcdefgh"), Need.ANY)),
        "words",
        "any of a, b, c, d, e, f, 2 more",
    ),
    "no search, with an answer": (
        RuleSpec("r", extra=Extra.OFF, answer=CuratedAnswer("Ja.", is_desk_text=True, owner="x")),
        "also",
        "no further search; the desk's own text",
    ),
    "no limits": (RuleSpec("r"), "limits", "always, for everybody"),
    "a priority and zero percent": (
        RuleSpec("r", priority=5, threshold=0, parent="top"),
        "limits",
        "below “top”; priority 5; similar from 0 %",
    ),
    "examples of both kinds": (
        RuleSpec("r", examples=(Example("a"), Example("b", must_match=False))),
        "examples",
        "1 that must match; 1 that must not",
    ),
    "a reason and an owner": (RuleSpec("r", reason="Weil\nes so ist.", owner="ada"), "why", "Weil es so ist.; ada"),
}


@pytest.mark.parametrize(("rule", "part", "line"), SUMMARIES.values(), ids=SUMMARIES)
def test_a_folded_part_says_in_one_line_what_it_holds(rule, part, line):
    with override("en"):
        assert summaries(rule)[part] == line
