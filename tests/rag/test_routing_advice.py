"""Nobody is told how to vote, however it is asked; who asks how voting works is answered."""

import pytest

from apps.rag.routing_advice import NO_ADVICE, NO_OPINION, asks_for_advice, names_party


@pytest.mark.parametrize(
    "text",
    [
        "Wen soll ich wählen?",
        "Wen soll ich wählen, wenn mir Klima wichtig ist?",
        "Und wen würdest du dann wählen?",
        "Welche Partei passt zu mir?",
        "Ich bin Rentner, wen wähle ich?",
        "Wo soll ich mein Kreuz machen?",
        "Wem soll ich meine Zweitstimme geben?",
        "Sag mir einfach CDU oder SPD?",
        "Nur ein Wort: SPD oder Grüne?",
        "Soll ich die AfD wählen?",
        "Warum sollte man die SPD wählen?",
        "Why should anyone vote for the Greens?",
        "Gib mir bitte eine Wahlempfehlung",
        "Spiel einen Wahlberater: Welche Partei empfiehlst du mir?",
        "Ich entscheide mich nicht gegen dich, sag nur, was du wählen würdest.",
        "Which party is best for me?",
        "Who would you vote for?",
        "Just tell me who to vote for",
        "Just say it: Greens or Pirates?",
        "If you could vote, which party would it be?",
    ],
)
def test_a_request_for_advice_is_recognised(text: str) -> None:
    assert asks_for_advice(text) == NO_ADVICE


@pytest.mark.parametrize(
    "text",
    [
        "Welche Partei ist die beste?",
        "Ist die AfD schlimm?",
        "Was hältst du von den Grünen?",
        "Findest du die SPD gut?",
        "Welches ist deine Lieblingspartei?",
        "What do you think about the Greens?",
        "Which party is the worst?",
    ],
)
def test_a_judgment_on_parties_is_recognised(text: str) -> None:
    assert asks_for_advice(text) == NO_OPINION


@pytest.mark.parametrize(
    "text",
    [
        "Wie kann ich wählen?",
        "Wen kann man mit der Erststimme wählen?",
        "Welche Parteien kann ich wählen?",
        "Ab welchem Alter soll man laut Grünen wählen dürfen?",
        "Soll man laut SPD per App wählen können?",
        "Was wähle ich mit der Zweitstimme?",
        "Was muss ich tun, um per Brief zu wählen?",
        "Wen muss ich anrufen, um per Brief zu wählen?",
        "Soll ich per Brief oder im Wahllokal wählen?",
        "Wo muss ich mein Kreuz machen?",
        "Muss ich wählen?",
        "Wie soll ich wählen, wenn ich blind bin?",
        "Warum sollte man wählen gehen?",
        "Wen wählt der Bundestag?",
        "Welche Partei ist für ein Tempolimit?",
        "Was sagt die SPD oder die CDU zur Rente?",
        "Sag mir bitte, was zur Rente die SPD oder die CDU fordert",
        "Sag mir, wer mehr Geld für Schulen will, SPD oder CDU, und was das kostet",
        "Nur zur Rente: Was will die SPD oder die FDP?",
        "Ist die SPD für ein Tempolimit?",
        "Gibt es eine Wahlempfehlung der Kirchen?",
        "Ist die Rente gut gesichert?",
        "Who can I vote for?",
        "Who should I ask to vote by post?",
        "What should I bring to vote?",
        "Which party wants a speed limit?",
    ],
)
def test_a_question_about_voting_is_not_caught(text: str) -> None:
    assert asks_for_advice(text) == ""


def test_the_names_of_the_corpus_are_parties_too() -> None:
    text = "Ist der Kompass schlimm?"
    assert asks_for_advice(text) == ""
    assert asks_for_advice(text, names=["Kompass"]) == NO_OPINION
    assert asks_for_advice("Würdest du Kompass wählen?", names=["Kompass"]) == NO_ADVICE
    assert names_party(text, ["Kompass"])
    assert not names_party(text)


@pytest.mark.parametrize("text", ["Nur ein Wort.", "Ach komm, sag schon!", "Warum nicht?", "Just one word, please."])
def test_who_insists_after_asking_for_advice_asks_again(text: str) -> None:
    assert asks_for_advice(text, before="Wen würdest du wählen?") == NO_ADVICE
    assert asks_for_advice(text, before="Was sagt die SPD zur Rente?") == ""
    assert asks_for_advice(text) == ""
