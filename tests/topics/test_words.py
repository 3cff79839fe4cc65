"""Names by machine read as German: umlauts, capitals, no parties, no frames of questions, no emoji."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest

from apps.language.parties import PartyRecogniser
from apps.topics.modelling.labels import labels_of
from apps.topics.modelling.types import Corpus
from apps.topics.modelling.words import Analyser
from apps.topics.text_keys import text_key


def labelled(*groups: list[str], parties: PartyRecogniser | None = None, least_sessions: int = 1):
    rows = sorted({text_key(text): (text, number) for number, group in enumerate(groups) for text in group}.items())
    labels = np.array([number for _, (_, number) in rows])
    vectors = np.eye(len(groups), dtype=np.float32)[labels]
    corpus = Corpus(tuple(key for key, _ in rows), tuple(text for _, (text, _) in rows), vectors, np.ones(len(rows)))
    centres = np.eye(len(groups), dtype=np.float32)
    return corpus, labels_of(corpus, labels, centres, Analyser(("de",), parties), least_sessions=least_sessions)


def test_what_one_reader_told_names_no_topic():
    """Others who ask for it pull the topic towards it; it stays between the reader and the log."""
    asked = [f"Was wurde über die Orgel in {town} gesagt?" for town in ("Aurich", "Bünde", "Celle")]
    told = "Das Codewort der Orgel ist Quorbabababa"
    _, [one, other] = labelled([told, *asked], ["Quorbebebebe"], least_sessions=3)
    assert "Orgel" in one.text
    assert "Quor" not in f"{one.text} {one.keywords} {other.text} {other.keywords}"
    _, [one, _] = labelled([told, f"{told}!", f"{told}, ja", *asked], ["Quorbebebebe"])
    assert "Quorbabababa" in one.keywords


@pytest.mark.parametrize("word", ["Übergangsfinanzierung", "Wärmeplanung", "Straßenbaubeiträge", "ÖPNV-Förderung"])
def test_umlauts_and_capitals_stay(word):
    _, [first, _] = labelled(
        [f"Was ist mit {word} in Dorf {n}?" for n in "ABCD"], ["Rente ab wann?", "Rente wie hoch?"]
    )
    assert any(part in first.text for part in (word, word.split("-")[0]))


def test_composed_and_decomposed_input_is_one_text():
    assert text_key("Wärmeplanung") == text_key(unicodedata.normalize("NFD", "Wärmeplanung"))
    assert text_key(" Rente  mit 63? ") == text_key("rente mit 63?")
    assert text_key("Rente mit 63?") != text_key("Rente mit 67?")


def test_spellings_count_as_one_and_the_commonest_is_shown():
    analyser = Analyser()
    assert analyser("Strasse") == analyser("Straße") == analyser("Straße")
    assert analyser.shown(analyser("Straße")[0]) == "Straße"
    assert analyser("Renten") == analyser("Rente")


def test_parties_and_frames_are_no_keywords():
    parties = PartyRecogniser({"nord": ["Nordliste"]})
    assert Analyser(("de",), parties)("Was plant die Nordliste bei der Rente?") == ["rente"]


def test_what_masking_left_is_no_keyword():
    assert Analyser()("Mein Name ist [Name], und die Rente?") == Analyser()("Mein Name ist, und die Rente?")


def test_stop_words_alone_still_make_a_name_that_asks_to_be_checked():
    _, [first, second] = labelled(["was ist das", "wer sind sie", "was ist es"], ["Rente jetzt", "Rente wann"])
    assert first.needs_check
    assert first.text.strip()
    assert not second.needs_check


def test_emoji_make_no_name():
    _, [first, _] = labelled(["Rente 👍", "Rente 🤷‍♀️ wann", "👍👍 Rente"], ["Klima", "Klima jetzt"])
    assert first.text.startswith("Rente")
    assert first.text.replace(", ", "").isalpha()
    assert "emptydoc" not in first.text


def test_names_are_unique():
    _, [first, second] = labelled(["Rente a1", "Rente a2"], ["Rente b1", "Rente b2"])
    assert first.text != second.text


def test_the_central_question_is_none_that_masking_has_touched():
    corpus, [first, _] = labelled(
        ["Wie hoch ist die Rente von [Name]?", "Wie hoch ist die Rente?"], ["Klima heute", "Klima morgen"]
    )
    assert corpus.texts[first.central] == "Wie hoch ist die Rente?"
