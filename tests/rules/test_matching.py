"""Which rule matches at which stage: the tables of ``rules:cases``, and what a match says about itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from apps.rules.index import compile_index
from apps.rules.matching import match
from apps.rules.suites.case_values import NAMES, NOW, every, exactly, phrase, some, words
from apps.rules.suites.cases import TABLES, outcomes
from apps.rules.types import Cut, HitPolicy, LostBy, MatchContext, RuleSet, RuleSpec, Stage, Status

CONTEXT = MatchContext(NOW)


def ask(rules, *texts, **fields):
    return match(texts, CONTEXT, compile_index(RuleSet(tuple(rules), NAMES, **fields)))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.title)
def test_a_table_comes_out_as_written(table):
    assert [(question, found) for (question, _), found in outcomes(table)] == list(table.rows)


def test_tables_have_names_of_their_own_and_enough_rows():
    assert len({table.title for table in TABLES}) == len(TABLES)
    assert sum(len(table.rows) for table in TABLES) >= 150


def test_a_hit_names_rule_version_stage_score_words_and_depth():
    rules = [RuleSpec("folder"), words(every("Miete", "Heizung", "Strom"), some("Kompass"), uid="a", parent="folder")]
    rules[1] = replace(rules[1], version=7, core=replace(rules[1].core, need="count", amount=2))
    hit = ask(rules, "Was sagt Kompass zu Mieten und Heizung?").winners[0]
    assert (hit.uid, hit.version, hit.stage, hit.score) == ("a", 7, Stage.TOKEN, 750)
    assert (hit.words, hit.depth, hit.text_number, hit.phrase) == (("Kompass", "Mieten", "Heizung"), 2, 0, "")


def test_words_are_those_of_the_question_as_written():
    hit = ask([words(every("Wahl-O-Mat"))], "Wo ist der „Wahl\u2011O\u2011Mat“ hin?").winners[0]
    assert hit.words == ("Wahl", "O", "Mat")


def test_a_phrase_is_named_with_the_score_it_reached():
    hit = ask([phrase("Ganz anders", "Wie beantrage ich Briefwahl?")], "Wie beantrage ich Breifwahl?").winners[0]
    assert (hit.stage, hit.score, hit.phrase) == (Stage.FUZZY, 962, "Wie beantrage ich Briefwahl?")


def test_the_first_text_with_a_candidate_decides():
    rules = [exactly("Frist", uid="a"), words(every("Briefwahl"), uid="b")]
    found = ask(rules, "Und bis wann?", "Bis wann geht Briefwahl?", "Frist")
    assert [(hit.uid, hit.text_number) for hit in found.winners] == [("b", 1)]


def test_no_text_no_match():
    assert ask([phrase("Wahl")]).winners == ()


def test_without_a_match_the_release_is_still_named():
    assert ask([phrase("Wahl")], "Miete", release=12).release == 12


@pytest.mark.parametrize(
    ("better", "worse", "point"),
    [
        (words(every("Wahl"), priority=1), words(every("Wahl")), LostBy.PRIORITY),
        (words(every("Wahl"), parent="folder"), words(every("Wahl")), LostBy.DEPTH),
        (words(every("Wahl", "Frist")), words(every("Wahl")), LostBy.WORDS),
        (words(every("Wahl")), words(some("Wahl", "Miete")), LostBy.SCORE),
        (words(every("Wahl"), valid_from=NOW, valid_until=NOW.replace(hour=13)), words(every("Wahl")), LostBy.VALIDITY),
        (words(every("Wahl")), words(every("Wahl")), LostBy.UID),
    ],
)
def test_a_rival_says_where_it_lost(better, worse, point):
    rules = [RuleSpec("folder"), replace(better, uid="a"), replace(worse, uid="b")]
    for order in (rules, rules[::-1]):
        found = ask(order, "Wahl Frist" if point is LostBy.WORDS else "Wahl")
        assert [hit.uid for hit in found.winners] == ["a"]
        assert [(hit.uid, hit.lost_by) for hit in found.rivals] == [("b", point)]


def test_rules_of_later_stages_are_no_rivals():
    found = ask([exactly("Wahl", uid="a"), words(every("Wahl"), uid="b")], "Wahl")
    assert [hit.uid for hit in found.winners] == ["a"]
    assert found.rivals == ()


def test_rivals_of_a_collecting_winner_are_those_behind_the_one_that_stops():
    rules = [words(every("Wahl"), uid=uid, hit_policy=HitPolicy.COLLECT) for uid in "ab"]
    rules += [words(every("Wahl"), uid=uid) for uid in "cd"]
    found = ask(rules, "Wahl")
    assert [hit.uid for hit in found.winners] == ["a", "b", "c"]
    assert [(hit.uid, hit.lost_by) for hit in found.rivals] == [("d", LostBy.UID)]


def test_a_question_counts_to_its_512th_character():
    filler = "ä" * 502
    assert ask([words(every("Wahl"))], f"{filler} Wahl").winners
    found = ask([words(every("Wahl"))], f"{filler}xxxxxx Wahl heute")
    assert found.winners == ()
    assert found.cut == Cut(characters=7, tokens=0)


def test_decomposed_text_counts_as_many_characters_as_composed():
    decomposed = "a\u0308" * 502
    assert ask([words(every("Wahl"))], f"{decomposed} Wahl").winners


def test_a_question_counts_to_its_64th_token():
    assert ask([words(every("Wahl"))], "a " * 63 + "Wahl").winners
    found = ask([words(every("Wahl"))], "a " * 64 + "Wahl")
    assert found.winners == ()
    assert found.cut == Cut(characters=0, tokens=1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "\ud800",
        "x" * 1_000_000,
        "ä " * 500_000,
        "a" + "\u0301" * 10_000,
        "1" * 5_000,
        "a-" * 5_000,
        "§" * 900,
    ],
    ids=["empty", "nul", "surrogate", "one word", "a million", "marks", "digits", "hyphens", "signs"],
)
def test_no_text_is_too_strange(text):
    rules = [phrase("Wie wähle ich richtig?", threshold=0, core=every("a-a"), exclude=some("§§"))]
    ask(rules, text)


def test_an_index_knows_its_rules_and_what_they_inherit():
    until = NOW.replace(year=2027)
    rules = (
        RuleSpec("top", threshold=70, valid_until=until, languages=("de", "en")),
        phrase("Wahl", uid="below", parent="top", languages=("en",)),
        phrase("Wahl", uid="off", parent="below", status=Status.PAUSED),
        phrase("Wahl", uid="lost", parent="gone"),
    )
    index = compile_index(RuleSet(rules))
    assert index.rule("below") is rules[1]
    assert (index.depth("below"), index.threshold("below")) == (2, 70)
    assert index.limits("below").valid_until == until
    assert index.limits("below").languages == {"en"}
    assert [index.is_live(uid) for uid in ("top", "below", "off", "lost")] == [True, True, False, False]
    assert "gone" not in index
    assert len(index) == 4
    with pytest.raises(KeyError):
        index.rule("gone")


def test_a_moment_without_a_zone_breaks_nothing():
    naive = datetime(2020, 1, 1)
    assert ask([phrase("Wahl", valid_from=naive)], "Wahl").winners


def test_of_two_rules_with_one_uid_the_first_counts():
    found = ask([phrase("Wahl", title="first"), phrase("Wahl", title="second")], "Wahl")
    assert len(found.winners) == 1
    assert found.rivals == ()
