"""Rules join inflected forms and nothing else."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.language import lemmas
from apps.language.lemmas import is_known, lemma_set


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mieten", "Miete"),
        ("mieten", "Miete"),
        ("Grüne", "Grünen"),
        ("Wahlen", "Wahl"),
        ("gewählt", "wählen"),
        ("Klimaschutzes", "Klimaschutz"),
        ("Wählern", "Waehler"),
        ("Waehlern", "Wähler"),
        ("BÜCHER", "Buch"),
    ],
)
def test_forms_of_one_word_meet(one, other):
    assert lemma_set(one, "de") & lemma_set(other, "de")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Wahl", "Wähler"), ("schön", "schon"), ("Masse", "Maße"), ("Kanzler", "Kanzlerin"), ("Münchner", "München")],
)
def test_other_words_do_not_meet(one, other):
    # Masse and Maße are one spelling after folding; their lemmas must still hold both readings.
    meets = bool(lemma_set(one, "de") & lemma_set(other, "de"))
    assert meets is ((one, other) == ("Masse", "Maße"))


def test_an_unknown_language_keeps_the_word():
    assert lemma_set("Wörter", "xx") == frozenset({"woerter"})
    assert not is_known("Wörter", "xx")


@pytest.mark.parametrize("word", ["", "\x00", "\ud800", "a" * 5000, "\u0301" * 10_000])
def test_any_string_has_lemmas_without_empty_ones(word):
    assert "" not in lemma_set(word, "de")


def test_a_dictionary_is_read_by_one_thread_while_the_others_wait(monkeypatch):
    reading: list[str] = []
    at_once: list[int] = []

    class Slow:
        def get_dictionary(self, language: str) -> None:
            reading.append(language)
            at_once.append(len(reading))
            time.sleep(0.05)
            reading.remove(language)

    monkeypatch.setattr(lemmas, "DEFAULT_DICTIONARY_FACTORY", Slow())
    lemmas._load.cache_clear()
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda word: is_known(word, "de"), ["Häuser", "Wahlen", "Renten", "Xqyzt"]))
    lemmas._load.cache_clear()
    assert found == [True, True, True, False]
    assert set(at_once) == {1}
