"""The thesaurus: what stands for the same idea, and that its file says what it means."""

from __future__ import annotations

import pytest

from apps.language.thesaurus import read_thesaurus, term_stem, thesaurus

SMALL = read_thesaurus("# Ein Kommentar\ncannabis, kiffen | weed\ntempolimit | speed limit\n~abschaffen | scrap\n")


def ideas(word: str, language: str) -> frozenset[int]:
    return SMALL.ideas_of([term_stem(each, language) for each in word.split()], language)[0]


def test_words_of_one_line_share_an_idea_across_languages() -> None:
    assert ideas("kiffen", "de") == ideas("Cannabis", "de") == ideas("weed", "en") == {0}


def test_several_words_are_one_idea_only_together() -> None:
    assert ideas("speed limit", "en") == {1}
    assert ideas("speed", "en") == frozenset()


def test_a_compound_holds_the_idea_of_its_part() -> None:
    assert SMALL.holds(0, term_stem("Cannabisgesetz", "de"), "de")
    assert not SMALL.holds(0, term_stem("Kanne", "de"), "de")


@pytest.mark.parametrize(("compound", "is_held"), [("Bürgerrente", True), ("Rentenniveau", True), ("Torrente", False)])
def test_a_short_part_needs_as_much_beside_it(compound: str, is_held: bool) -> None:
    pensions = read_thesaurus("rente | pension")
    assert pensions.holds(0, term_stem(compound, "de"), "de") is is_held


@pytest.mark.parametrize(
    ("word", "is_held"), [("Haftstrafe", True), ("Kreislaufwirtschaft", False), ("dauerhaft", False)]
)
def test_the_ending_of_a_word_is_no_part_of_a_compound(word: str, is_held: bool) -> None:
    assert read_thesaurus("haft | prison").holds(0, term_stem(word, "de"), "de") is is_held


def test_light_ideas_are_marked() -> None:
    assert SMALL.light == {2}
    assert SMALL.words(2) == ("abschaffen", "scrap")


def test_a_line_without_german_words_is_refused() -> None:
    with pytest.raises(ValueError, match="no German words"):
        read_thesaurus("| weed")


def test_the_product_has_a_thesaurus_without_an_empty_word() -> None:
    ours = thesaurus()
    assert len(ours.ideas) > 200
    assert all(all(words) for words in ours.written)
