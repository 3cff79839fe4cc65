"""An article that speaks of several parties is quoted only for the one that was asked about."""

import pytest

from apps.rag.events import Decided, Sentence
from apps.rag.pipeline import AnswerPipeline
from apps.rag.scripted import ScriptedRetriever
from apps.rag.types import Passage
from apps.rag.understanding import PartyDirectory
from tests.rag.builders import BUND, FLUT, MORGEN, SETTINGS, ask, events_of, passage, source

WILL = "Die Flutliste will einen Mindestlohn von 15 Euro."
SO_THAT = "Für den Mindestlohn brauche es dann ein eigenes Gesetz."
AGAINST = "Der Talbund lehnt einen Mindestlohn von 15 Euro ab."
BOTH = "Flutliste und Talbund streiten über den Mindestlohn."


def article(*sentences: str) -> Passage:
    return passage(" ".join(sentences), source(), closeness=[0.9] * len(sentences))


@pytest.mark.parametrize(
    ("sentences", "quoted"),
    [
        ((WILL, AGAINST), [WILL]),
        ((AGAINST, WILL), [WILL]),
        ((WILL, SO_THAT), [WILL, SO_THAT]),
        ((AGAINST, SO_THAT, WILL), [WILL]),
        ((WILL, SO_THAT, AGAINST, SO_THAT.replace("brauche", "braucht")), [WILL, SO_THAT]),
        ((BOTH, SO_THAT), [BOTH, SO_THAT]),
    ],
)
async def test_what_is_said_of_others_is_left_out(sentences: tuple[str, ...], quoted: list[str]) -> None:
    events = await ask([article(*sentences)], "Was sagt die Flutliste zum Mindestlohn?")
    assert [event.text for event in events if isinstance(event, Sentence)] == quoted


async def test_a_party_may_name_others_in_its_own_words() -> None:
    text = "Anders als die Flutliste wollen wir keinen Mindestlohn von 15 Euro."
    events = await ask([passage(text, source(BUND))], "Was sagt der Talbund zum Mindestlohn?")
    assert [event.text for event in events if isinstance(event, Sentence)] == [text]


PEOPLE = PartyDirectory(
    [MORGEN, BUND, FLUT], {"bund": ["Talbund"]}, {"Tilda Quarz": ("Quarz",), "Kasimir Moor": ("Moor",)}
)
QUARZ = "Tilda Quarz sagte, der Mindestlohn müsse auf 15 Euro steigen."
SHE = "Beim Mindestlohn dürfe es keine Ausnahmen geben."
MOOR = "Kasimir Moor hält einen Mindestlohn von 15 Euro für falsch."


@pytest.mark.parametrize(
    ("sentences", "quoted"),
    [
        ((QUARZ, MOOR), [QUARZ]),
        ((MOOR, QUARZ, SHE), [QUARZ, SHE]),
        ((QUARZ, MOOR, SHE), [QUARZ]),
    ],
    ids=["another person", "goes on about her", "goes on about him"],
)
async def test_what_others_say_is_not_laid_in_somebodys_mouth(sentences: tuple[str, ...], quoted: list[str]) -> None:
    answering = AnswerPipeline(ScriptedRetriever([article(*sentences)]), PEOPLE, SETTINGS)
    events = await events_of(answering, "Was sagt Quarz zum Mindestlohn?")
    assert [event.text for event in events if isinstance(event, Sentence)] == quoted
    assert next(event for event in events if isinstance(event, Decided)).understood[0].people == ("Tilda Quarz",)


async def test_whom_no_list_has_is_known_by_the_full_name_in_a_source() -> None:
    said = "Leonore Nordstern nannte den Mindestlohn von 15 Euro ein Gift."
    other = "Tilda Quarz lobte den Mindestlohn von 15 Euro."
    events = await ask(
        [article(said, other.replace("Tilda Quarz", "Kasimir Moor"))], "Was sagt Nordstern zum Mindestlohn?"
    )
    assert [event.text for event in events if isinstance(event, Sentence)][:1] == [said]


@pytest.mark.parametrize("question", ["Was sagte Nordstern zum Mindestlohn?", "Wie fand Zeilenbruch den Mindestlohn?"])
async def test_what_a_party_has_written_is_no_answer_about_a_person(question: str) -> None:
    said = article("Leonore Nordstern nannte den Mindestlohn ein Gift.")
    comment = passage("Der Mindestlohn ist ein Segen.", source(kind="opinion", author="Jonas Zeilenbruch"))
    ours = passage("Der Mindestlohn steigt mit uns auf 15 Euro.", source(BUND), closeness=[0.95])
    events = await ask([ours, said, comment], question)
    assert {event.group for event in events if isinstance(event, Sentence)} == {""}


async def test_a_noun_of_the_question_is_nobody() -> None:
    ours = passage("Der Mindestlohn steigt mit uns auf 15 Euro.", source(BUND))
    events = await ask(
        [ours, article("Der Talbund will 15 Euro Mindestlohn.")], "Was sagt der Talbund zum Mindestlohn?"
    )
    assert {event.group for event in events if isinstance(event, Sentence)} == {"Talbund"}


async def test_somebody_of_another_party_may_speak_of_the_party_where_both_are_asked_about() -> None:
    said = "Kasimir Moor vom Talbund nannte den Mindestlohn von 15 Euro falsch."
    answering = AnswerPipeline(ScriptedRetriever([article(WILL.replace("will", "wolle"), said)]), PEOPLE_AND, SETTINGS)
    events = await events_of(answering, "Was sagte Moor zum Mindestlohn der Flutliste?")
    assert said in [event.text for event in events if isinstance(event, Sentence)]
    events = await events_of(answering, "Was ist mit dem Mindestlohn der Flutliste?")
    assert said not in [event.text for event in events if isinstance(event, Sentence)]


PEOPLE_AND = PartyDirectory(
    [MORGEN, BUND, FLUT], {"bund": ["Talbund"], "flut": ["Flutliste"]}, {"Kasimir Moor": ("Moor",)}
)
