"""Short questions must be recognised; doubt is German."""

import json

import pytest

from apps.language.guessing import guess_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wie wähle ich?", "de"),
        ("How do I vote?", "en"),
        ("Rente mit 63", "de"),
        ("Briefwahl", "de"),
        ("Wahl-O-Mat", "de"),
        ("SPD Rente", "de"),
        ("was will die fdp", "de"),
        ("Wer ist dran?", "de"),
        ("postal vote", "en"),
        ("climate policy", "en"),
        ("What about the SPD?", "en"),
        ("Quand est l'élection ?", "fr"),
        ("¿Cuándo son las elecciones?", "es"),
        ("Как голосовать?", "ru"),
        ("", "de"),
        ("2025 !?", "de"),
        ("🙂", "de"),
    ],
)
def test_the_language_of_a_question(text, language):
    assert guess_language(text) == language


def test_doubt_falls_to_the_default():
    assert guess_language("Xyzzy", default="en") == "en"
    assert guess_language("", default="fr") == "fr"


@pytest.mark.parametrize("language", ["de", "en"])
def test_real_questions_are_told_apart(data_sets, language):
    articles = json.loads((data_sets / "xquad-de" / f"xquad.{language}.json").read_text())["data"]
    questions = [
        question["question"]
        for article in articles
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    ]
    right = sum(guess_language(question) == language for question in questions)
    assert right / len(questions) >= 0.995
