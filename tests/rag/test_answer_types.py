"""What a question word asks for."""

import pytest

from apps.rag.answer_types import AnswerType, asked_type, has_answer_type, is_strict


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Wann ist die Wahl?", AnswerType.DATE),
        ("In welchem Jahr wurde sie gegründet?", AnswerType.DATE),
        ("Wie viele Sitze hat der Bundestag?", AnswerType.NUMBER),
        ("Wie hoch soll der Mindestlohn sein?", AnswerType.NUMBER),
        ("Wer führt die Partei?", AnswerType.PERSON),
        ("Wo kann ich wählen?", AnswerType.PLACE),
        ("Warum steigen die Mieten?", AnswerType.REASON),
        ("Was sagt die Partei zur Rente?", AnswerType.ANY),
        ("When is election day?", AnswerType.DATE),
    ],
)
def test_the_question_word_tells(question: str, kind: AnswerType) -> None:
    assert asked_type(question) is kind


@pytest.mark.parametrize(
    ("kind", "sentence", "question", "has"),
    [
        (AnswerType.DATE, "Die Wahl ist am 23. Februar 2025.", "Wann ist die Wahl?", True),
        (AnswerType.DATE, "Die Wahl 2025 ist wichtig.", "Wann ist die Wahl 2025?", False),
        (AnswerType.DATE, "Die nächste Erhebung kommt Mitte Dezember.", "Wann kommt die nächste Umfrage?", True),
        (AnswerType.DATE, "Im Frühjahr wird gewählt.", "Wann wird gewählt?", True),
        (AnswerType.DATE, "Der Herbst wird schön.", "Wann wird gewählt?", False),
        (AnswerType.NUMBER, "Er hat 630 Sitze.", "Wie viele Sitze?", True),
        (AnswerType.NUMBER, "Helfer müssen mindestens 16 sein.", "Wie alt muss ein Helfer sein?", True),
        (AnswerType.NUMBER, "Helfer bekommen mindestens 16 Euro.", "Wie alt muss ein Helfer sein?", False),
        (AnswerType.NUMBER, "Er gilt 10 Jahre.", "Wie teuer ist der Pass?", False),
        (AnswerType.NUMBER, "Er kostet 37 Euro.", "Wie teuer ist der Pass?", True),
        (AnswerType.NUMBER, "Er hat viele Sitze.", "Wie viele Sitze?", False),
        (AnswerType.REASON, "Die Mieten steigen, weil Wohnungen fehlen.", "Warum?", True),
        (AnswerType.REASON, "Die Mieten steigen stark.", "Warum?", False),
        (AnswerType.ANY, "Irgendetwas.", "Was?", True),
        # Who holds an office is said by a name beside it, not by any noun.
        (AnswerType.PERSON, "Wir begrenzen die Amtszeit im Kanzleramt auf zwei Perioden.", "Wer ist Kanzler?", False),
        (AnswerType.PERSON, "Bundeskanzlerin Amsel Drossel tritt ab.", "Wer ist Bundeskanzler?", True),
        (AnswerType.PERSON, "Amsel Drossel war neunzehn Jahre im Rathaus.", "Wer ist Bundeskanzler?", False),
        (AnswerType.PERSON, "Das Ministerium bündelt die Netze.", "Wer leitet das Ministerium?", False),
        (AnswerType.PERSON, "Amsel Drossel leitet das Ministerium.", "Wer leitet das Ministerium?", True),
        (AnswerType.PERSON, "Wählen dürfen alle Deutschen.", "Wer darf wählen?", True),
    ],
)
def test_a_sentence_has_something_of_the_kind_that_is_new(
    kind: AnswerType, sentence: str, question: str, has: bool
) -> None:
    assert has_answer_type(kind, sentence, question, "de") is has


@pytest.mark.parametrize(
    ("question", "strict"),
    [
        ("Wer ist Bundeskanzler?", True),
        ("Who is the president?", True),
        ("Wer moderiert das Fernsehduell?", True),
        ("Wie alt muss man sein?", True),
        ("Wer ist Tilda Rosenquarz?", False),
        ("Wer führt die Sternwarte in den Wahlkampf?", False),
        ("Wer darf wählen?", False),
        ("Wer leitet das Innenministerium?", True),
        ("Wer leitet den islamischen Staat?", False),
    ],
)
def test_some_questions_take_nothing_else_for_an_answer(question: str, strict: bool) -> None:
    assert is_strict(question) is strict
