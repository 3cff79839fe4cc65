"""One spelling for words that readers and editors write in many."""

import random
import unicodedata

import pytest

from apps.language.normalising import fold, fold_with_offsets, normalise, normalised_forms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wahl in München", "wahl in muenchen"),
        ("wahl in MUENCHEN?", "wahl in muenchen"),
        ("Wahl in Mu\u0308nchen", "wahl in muenchen"),
        ("STRASSE sperren", "strasse sperren"),
        ("Straße sperren", "strasse sperren"),
        ("STRAẞE", "strasse"),
        ("neue aktuelle Fragen", "neue aktuelle fragen"),
        ("Café Citroën São Łódź Øre", "cafe citroen sao lodz ore"),
        ("Wie geht’s, wie geht's?", "wie gehts wie gehts"),
        ("Wahl\u00adkreis Wahl\u200bkreis", "wahlkreis wahlkreis"),
        ("§218 abschaffen", "§ 218 abschaffen"),
        ("§ 218 abschaffen", "§ 218 abschaffen"),
        ("§§ 5, 6", "§ 5 6"),
        ("Wahl-O-Mat", "wahl o mat"),
        ("Wahl\u2011O\u2011Mat", "wahl o mat"),
        ("CO₂-Preis", "co2 preis"),
        ("1.000 Euro, 23.02.2025", "1000 euro 23 02 2025"),
        ("ﬁnden Ⅳ", "finden iv"),
        ("ŉ", "n"),
        ("??? 🙂 ❤️ ...", ""),
        ("", ""),
        ("Выборы и й", "выборы и и"),
        ("हिन्दी में", "हिन्दी में"),
        ("한국어", "한국어"),
    ],
)
def test_words_are_spelled_in_one_way(text, expected):
    assert normalise(text) == expected


@pytest.mark.parametrize("text", ["Süd", "Ärger über Öl", "é", "한국어", "が"])
def test_composed_and_decomposed_text_are_the_same(text):
    decomposed = unicodedata.normalize("NFD", text)
    assert normalise(decomposed) == normalise(text)
    assert fold_with_offsets(decomposed)[0] == fold_with_offsets(text)[0]


@pytest.mark.parametrize("text", ["Wahl-O-Mat", "wahlomat", "Wahl O Mat", "Wahl\u2011O\u2011Mat"])
def test_a_hyphenated_phrase_shares_a_form_with_each_of_its_spellings(text):
    assert set(normalised_forms("Wahl-O-Mat")) & set(normalised_forms(text))


@pytest.mark.parametrize("text", ["2021-2025", "eine - andere", "Ein- und Ausfuhr"])
def test_only_hyphens_inside_a_word_join(text):
    assert len(normalised_forms(text)) == 1


@pytest.mark.parametrize(
    "text", ["Müller’s „Straße“ …", "Su\u0308d\u200b-West", "ÄÖÜ\u0301\u0301\u0301\u0301\u0301\u0301!", "a\ud800b\x00c"]
)
def test_offsets_point_into_the_original_text(text):
    folded, offsets = fold_with_offsets(text)
    assert folded == fold(text)
    assert len(offsets) == len(folded) + 1
    assert offsets == sorted(offsets)
    assert offsets[-1] == len(text)
    for index, character in enumerate(folded):
        assert character in fold(text[offsets[index] :])


def test_a_folded_range_gives_back_the_written_words():
    text = "Die Wähler in der Großstadt"
    folded, offsets = fold_with_offsets(text)
    start = folded.index("grossstadt")
    assert text[offsets[start] : offsets[start + len("grossstadt")]] == "Großstadt"


def test_normalising_twice_is_normalising_once():
    alphabet = [
        *"aäöüßÄÖÜẞŉ eE.,-–'’„“§%1239\n@½²ﬁİΣçñ",
        "\u0301",
        "\u00ad",
        "\u200b",
        "\u2011",
        "\ud800",
        "\x00",
        "🙂",
    ]
    draw = random.Random(7)
    for _ in range(2_000):
        text = "".join(draw.choice(alphabet) for _ in range(draw.randint(0, 14)))
        assert fold(fold(text)) == fold(text) == fold_with_offsets(text)[0]
        assert normalise(normalise(text)) == normalise(text)
