"""Soft coverage of a question's words."""

import pytest

from apps.rag.coverage import Coverage, idf_over, match_value
from apps.rag.words import content_words


def value(asked: str, found: str) -> float:
    [left], [right] = content_words(asked, "de"), content_words(found, "de")
    return match_value(left, right, "de")


@pytest.mark.parametrize(
    ("asked", "found", "least", "most"),
    [
        ("Rente", "Rente", 1.0, 1.0),
        ("Renten", "Rente", 1.0, 1.0),
        ("Häuser", "Haus", 1.0, 1.0),
        ("Rente", "Rentenniveau", 0.8, 0.8),
        ("Niveau", "Rentenniveau", 0.8, 0.8),
        ("Rentenniveau", "Niveau", 0.3, 0.3),
        ("Mindestlohn", "Mindestlohnes", 0.8, 1.0),
        ("Klimaschutzgesetz", "Klimaschutzprogramm", 0.4, 0.8),
        ("Steuerpläne", "Steuern", 0.5, 0.5),
        ("Wasserstoff", "Wasser", 0.4, 0.4),
        ("Rente", "Miete", 0.0, 0.0),
        ("München", "Menschen", 0.0, 0.0),
        ("Kommission", "Komission", 0.8, 1.0),
        ("15", "16", 0.0, 0.0),
        ("2025", "2025", 1.0, 1.0),
        ("15", "Euro", 0.0, 0.0),
    ],
)
def test_words_answer_to_each_other(asked: str, found: str, least: float, most: float) -> None:
    assert least <= value(asked, found) <= most


def test_a_rare_word_weighs_more() -> None:
    words = content_words("Wohnen Mietendeckel", "de")
    coverage = Coverage(words, {words[0].stem: 1.0, words[1].stem: 3.0}, "de")
    assert coverage.share(coverage.matches("Der Mietendeckel kommt.")) == pytest.approx(0.75)


def test_a_word_the_statistics_lack_weighs_most() -> None:
    words = content_words("Wohnen Mietendeckel", "de")
    coverage = Coverage(words, {words[0].stem: 2.0}, "de")
    assert coverage.share(coverage.matches("Der Mietendeckel kommt.")) == pytest.approx(0.5)


def test_two_sentences_cover_more_than_one() -> None:
    words = content_words("Wohnen Rente", "de")
    coverage = Coverage(words, {}, "de")
    one, other = coverage.matches("Zum Wohnen."), coverage.matches("Zur Rente.")
    assert coverage.share(one) == pytest.approx(0.5)
    assert coverage.share(one, other) == pytest.approx(1.0)


def test_missing_words_are_named_as_written() -> None:
    coverage = Coverage(content_words("Mietendeckel und Rente", "de"), {}, "de")
    assert coverage.missing(coverage.matches("Die Renten steigen.")) == ("Mietendeckel",)


def test_a_question_of_function_words_covers_nothing() -> None:
    coverage = Coverage(content_words("Was ist das?", "de"), {}, "de")
    assert coverage.share(coverage.matches("Das ist es.")) == 0.0


def test_the_frame_of_a_question_is_no_subject() -> None:
    assert [word.text for word in content_words("Welche Position hat die Partei zum Mindestlohn?", "de")] == [
        "Mindestlohn"
    ]


def test_idf_over_passages_finds_the_rare_word() -> None:
    words = content_words("Rente Mietendeckel", "de")
    idf = idf_over(["Rente jetzt", "Renten später", "Mietendeckel"], words, "de")
    assert idf[words[0].stem] < idf[words[1].stem]


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("Was muss ich mitbringen?", "Bringen Sie mit:", 1.0),
        ("Wer will die Steuer abschaffen?", "Wir schaffen die Steuer noch in diesem Jahr ab.", 1.0),
        ("Sollen sie das Bürgergeld einführen?", "Die Partei führt das Bürgergeld ein und senkt Steuern.", 1.0),
        # The piece in front must close the clause, and the verb must be the same.
        ("Was muss ich mitbringen?", "Mit dem Bus kommen Sie hin.", 0.0),
        ("Wer will die Steuer abschaffen?", "Wir lehnen die Steuer ab.", 0.0),
    ],
)
def test_a_separable_verb_is_found_in_two_pieces(question: str, text: str, value: float) -> None:
    verb = [word for word in content_words(question, "de") if word.folded[-4:] in ("ngen", "ffen", "hren")]
    assert Coverage(verb, {}, "de").matches(text) == (pytest.approx(value),)


@pytest.mark.parametrize(
    ("question", "text", "language", "value"),
    [
        ("mit 17", "Das regelt § 17.", "de", 0.0),
        ("mit 17", "Erlaubt ist es mit 17 Jahren.", "de", 1.0),
        ("§ 17", "Das regelt § 17.", "de", 1.0),
        ("§ 17", "Erlaubt ist es mit 17 Jahren.", "de", 0.0),
        ("mit 2", "§ 36 Abs. 2 gilt.", "de", 0.0),
        ("Artikel 38", "Art. 38 GG gilt.", "de", 1.0),
        ("Artikel 38", "§ 38 GG gilt.", "de", 0.0),
        ("at 12", "as section 12 says", "en", 0.0),
        ("section 12", "so sagt es § 12", "en", 1.0),
    ],
)
def test_a_number_of_a_law_is_no_other_number(question: str, text: str, language: str, value: float) -> None:
    numbers = [word for word in content_words(question, language) if word.is_number]
    coverage = Coverage(numbers, {}, language)
    assert coverage.matches(text) == (value,)
