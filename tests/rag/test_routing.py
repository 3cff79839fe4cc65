"""Small talk is answered without search; in doubt it searches."""

import pytest

from apps.rag.routing import small_talk


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Hallo", "greeting"),
        ("Guten Tag!", "greeting"),
        ("Hallo, lieber Bot", "greeting"),
        ("hi there", "greeting"),
        ("Danke schön!", "thanks"),
        ("Vielen Dank, tschüss", "thanks"),
        ("Thank you very much", "thanks"),
        ("Tschüß", "goodbye"),
        ("Wer bist du?", "about"),
        ("Hallo, wer bist du?", "about"),
        ("Bist du ein Mensch?", "about"),
        ("What can you do?", "about"),
        ("Wen soll ich wählen?", "no_advice"),
        ("Welche Partei soll ich wählen?", "no_advice"),
        ("Who should I vote for?", "no_advice"),
    ],
)
def test_small_talk_is_recognised(text: str, code: str) -> None:
    assert small_talk(text) == code


@pytest.mark.parametrize(
    "text",
    [
        "Hallo, was sagt die Morgenpartei zur Rente?",
        "Danke. Und die Rente?",
        "Rente",
        "Wer ist Kanzlerkandidat?",
        "Wie wählen Deutsche im Ausland?",
        "Was ist die Erststimme?",
        "Wen soll ich wählen, wenn mir Klima wichtig ist?",
        "Hilfe für die Ukraine",
        "Wie geht es mit der Rente weiter?",
        "?!",
        "",
    ],
)
def test_everything_else_is_searched(text: str) -> None:
    assert small_talk(text) == ""
