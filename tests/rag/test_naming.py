"""A name in a model's sentence is one that its source has."""

import pytest

from apps.rag.naming import unknown_names

SOURCE = [
    "Eine Kommission prüft den Mindestlohn. Der Deutsche Bundestag entscheidet. Anna Muster leitet die GRK.",
    "Programm der Auenpartei",
]


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("Die Kommission prüft ihn, sagt Anna Muster.", []),
        ("Nach Angaben des Deutschen Bundestages gilt das.", []),
        ("Eine Mindestlohnkommission prüft das.", []),
        ("Höhere Steuern für Unternehmen plant sie auch.", []),
        ("Der Bundestag entscheidet, sagt Olaf Beispiel.", ["Olaf", "Beispiel"]),
        ("Die XYZ lehnt das ab.", ["XYZ"]),
        ("Leiterin der GRK ist sie.", []),
        ("Was sagt man zum Thema Abschaffung der Quote?", []),
        ("Was sagt man zum Thema Fossile Brennstoffe?", []),
        ("Was sagt man zum Thema Olaf Xantermann?", ["Xantermann"]),
    ],
)
def test_a_name_that_no_source_has_is_found(text: str, unknown: list[str]) -> None:
    assert unknown_names(text, "de", SOURCE, "de") == unknown


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("The Bundestag decides on Monday, says Anna Muster.", []),
        ("According to Xaver Grünwald, that holds.", ["Xaver", "Grünwald"]),
        ("The XYZ rejects this.", ["XYZ"]),
    ],
)
def test_across_languages_only_words_that_cannot_be_translated_count(text: str, unknown: list[str]) -> None:
    assert unknown_names(text, "en", SOURCE, "de") == unknown
