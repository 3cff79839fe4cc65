"""Tokens keep their place in the original text; rules see hyphenated words split and joined."""

import pytest

from apps.language.tokenising import RULE_TOKENS, rule_tokens, tokenise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Was kostet’s?", ["Was", "kostet’s"]),
        ("„Süd“ (Nord)", ["Süd", "Nord"]),
        ("Su\u0308d!", ["Su\u0308d"]),
        ("Wahl\u00adkreis 5", ["Wahl\u00adkreis", "5"]),
        ("§ 36 BWO", ["§", "36", "BWO"]),
        ("CDU/CSU", ["CDU", "CSU"]),
        ("1.000 Euro", ["1.000", "Euro"]),
        ("Straße", ["Straße"]),
        ("", []),
    ],
)
def test_tokens_are_slices_of_the_text(text, expected):
    tokens = tokenise(text)
    assert [token.text for token in tokens] == expected
    assert [text[token.start : token.end] for token in tokens] == expected


def test_tokens_know_what_they_are():
    kinds = [token.kind for token in tokenise("§ 218a kostet 1.000 Euro")]
    assert kinds == ["sign", "word", "word", "number", "word"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wahl-O-Mat", ["wahl", "o", "mat", "wahlomat"]),
        ("Wahl in Nordrhein-Westfalen heute", ["wahl", "in", "nordrhein", "westfalen", "heute", "nordrheinwestfalen"]),
        ("2021-2025", ["2021", "2025"]),
        ("§218", ["§", "218"]),
        ("Ein- und Ausfuhr", ["ein", "und", "ausfuhr"]),
        ("16-Jährige", ["16", "jaehrige", "16jaehrige"]),
    ],
)
def test_hyphenated_words_count_split_and_joined(text, expected):
    assert [token.folded for token in rule_tokens(text)] == expected


def test_neighbours_stay_neighbours_across_a_joined_word():
    folded = [token.folded for token in rule_tokens("Nordrhein-Westfalen wählt")]
    assert folded[folded.index("westfalen") + 1] == "waehlt"


def test_a_long_question_is_cut():
    assert len(rule_tokens("wort " * 500)) == RULE_TOKENS
    assert max(token.end for token in rule_tokens("langeswort " * 500)) <= 512
