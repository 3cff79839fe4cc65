"""Small talk is answered without search; in doubt it searches."""

import pytest

from apps.rag.routing import Route, RoutedBy, route, small_talk


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Hallo", "greeting"),
        ("Guten Tag!", "greeting"),
        ("Hallo, lieber Bot", "greeting"),
        ("hi there", "greeting"),
        ("Wie geht es dir?", "how_are_you"),
        ("How are you today?", "how_are_you"),
        ("Danke schön!", "thanks"),
        ("Vielen Dank, tschüss", "thanks"),
        ("Thank you very much", "thanks"),
        ("Tschüß", "goodbye"),
        ("Wer bist du?", "about"),
        ("Hallo, wer bist du?", "about"),
        ("Bist du ein Mensch?", "about"),
        ("Are you a human?", "about"),
        ("What can you do?", "abilities"),
        ("Was kannst du alles?", "abilities"),
        ("Wer hat dich programmiert?", "maker"),
        ("Woher hast du dein Wissen?", "knowledge"),
        ("Du bist echt toll", "compliment"),
        ("Du nervst mich, du Idiot", "insult"),
        ("You are so stupid", "insult"),
        ("Erzähl mir bitte einen Witz", "joke"),
        ("Was ist dein Lieblingsessen?", "personal"),
        ("Do you have any siblings?", "personal"),
        ("Ich bin so müde", "feelings"),
        ("Wie wird das Wetter morgen?", "aside"),
        ("Ich habe dich nicht verstanden", "repeat"),
        ("Aha", "acknowledged"),
    ],
)
def test_small_talk_has_a_fitting_reply(text: str, code: str) -> None:
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
        "Kannst du mir sagen, wie ich Briefwahl beantrage?",
        "Weißt du, was die Auenpartei gegen hohe Mieten tun will?",
        "Ich bin Rentnerin. Was ändert sich für mich?",
        "Wie alt muss man sein, um zu wählen?",
        "Wie tief ist der Marianengraben?",
        "Wie schwer ist ein Nashorn?",
        "Was ist, wenn ich nur ein Kreuz mache?",
        "Wie viele Leute wissen noch nicht, was sie ankreuzen?",
        "Ist das Duell wirklich am 7. Februar?",
        "Hilfe für die Ukraine",
        "Drogenpolitik",
        "Wie geht es mit der Rente weiter?",
        "How do I vote by post?",
        "ja",
        "Gerne!",
        "ok",
        "ja, mehr bitte",
        "?!",
        "",
        " \u200b",
        "Hast du Geschwister? " * 30,
    ],
)
def test_everything_else_is_searched(text: str) -> None:
    assert route(text) == Route("", RoutedBy.DOUBT)


def test_a_party_in_small_talk_is_searched() -> None:
    assert small_talk("Erzähl mir etwas Lustiges") == "joke"
    assert small_talk("Erzähl mir etwas Lustiges von der SPD") == ""
    assert route("Erzähl mir etwas Lustiges vom Kompass", names=["Kompass"]).code == ""


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("Hallo, wen soll ich wählen?", RoutedBy.ADVICE),
        ("Hallo", RoutedBy.PATTERN),
        ("Hast du Geschwister?", RoutedBy.MODEL),
        ("Klimaschutz", RoutedBy.DOUBT),
    ],
)
def test_a_route_says_what_decided(text: str, by: RoutedBy) -> None:
    assert route(text).by is by


def test_a_long_text_is_searched_unless_it_asks_for_advice() -> None:
    story = "Ich wohne auf dem Land und arbeite in der Stadt. " * 6
    assert small_talk(story) == ""
    assert small_talk(story + "Wen soll ich wählen?") == "no_advice"


@pytest.mark.parametrize(
    "text", ["Warum?", "Und bis 2045?", "Wie hoch ist sie?", "Nein, ich meinte die Fachwerkpartei"]
)
def test_what_follows_a_question_is_searched(text: str) -> None:
    assert route(text, names=["Fachwerkpartei"], before="Was fordert die Auenpartei beim Klima?").code == ""


@pytest.mark.parametrize(("text", "code"), [("Danke!", "thanks"), ("Hast du Geschwister?", "personal")])
def test_small_talk_after_a_question_is_still_small_talk(text: str, code: str) -> None:
    assert route(text, before="Was fordert die Auenpartei beim Klima?").code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nein danke", "thanks"),
        ("Nee, danke dir!", "thanks"),
        ("Halt die Klappe", "insult"),
        ("you're a useless bot", "insult"),
        ("Und woher kommen deine Texte?", "knowledge"),
        ("Und wer hat dich programmiert?", "maker"),
    ],
)
def test_what_is_said_to_the_bot_behind_an_answer_needs_no_search(text: str, code: str) -> None:
    assert route(text, before="Was fordert die Auenpartei beim Klima?").code == code


@pytest.mark.parametrize("text", ["Ich habe keinen Ausweis.", "Ich wohne in München."])
def test_what_readers_tell_of_their_case_behind_an_answer_is_searched(text: str) -> None:
    assert route(text, before="Wie wähle ich?").code == ""
