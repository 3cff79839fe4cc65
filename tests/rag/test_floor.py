"""Whatever order a model writes in: parties speak one after the other, and nothing that was shown moves."""

from dataclasses import replace

import pytest

from apps.rag.events import Restart, Sentence
from apps.rag.floor import Floor, party_by_party
from apps.rag.generation import ModelWriter, WriterSettings, Written
from apps.rag.model_types import Deadlines
from apps.rag.party_order import party_place
from apps.rag.scripted_model import Reply, ScriptedModel
from apps.rag.types import Question
from tests.rag.builders import BUND, DIRECTORY, MORGEN, passage, source

VALLEY = passage("Wir lassen den Mindestlohn bei 13 Euro. Der Bus fährt jede Stunde.", source(BUND))
MORNING = passage("Wir erhöhen den Mindestlohn auf 15 Euro. Die Rente bleibt bei 48 Prozent.", source(MORGEN))
LAW = passage("Der Mindestlohn gilt für alle.", source())
M1 = "Die Morgenpartei erhöht den Mindestlohn auf 15 Euro."
M2 = "Die Rente bleibt bei 48 Prozent."
T1 = "Der Talbund lässt den Mindestlohn bei 13 Euro."
T2 = "Der Bus fährt jede Stunde."


def said(speaker: str, number: int = 1) -> Sentence:
    return Sentence(f"{speaker}{number}", (), group=speaker.strip("."))


def heard(speakers: str, *, parties: str = "ABC", draw: str = "") -> tuple[str, str]:
    """What is shown, one letter a sentence; small letters stand behind "more". And what of it at once."""
    floor = Floor([passage("Text.", source_of(party)) for party in parties], draw)
    at_once = [sentence for speaker in speakers for sentence in floor.hear(said(speaker))]
    whole = at_once + floor.close()
    letters = [(each.group or ".").lower() if each.is_more else each.group or "." for each in whole]
    return "".join(letters), "".join(letters[: len(at_once)])


def source_of(party: str):
    return replace(source(MORGEN), party_name=party, party_slug=party.lower())


@pytest.mark.parametrize(
    ("written", "whole", "at_once"),
    [
        ("AABBC", "AABBC", "AABBC"),
        # Before another may speak there is no waiting, and who is no party never waits.
        (".A.B.", ".A.B.", ".A.B."),
        ("...", "...", "..."),
        # Too early: it waits for those before it.
        ("BA", "AB", "A"),
        ("BBAABC", "AABBBC", "AABBBC"),
        ("ACB", "ABC", "AB"),
        ("C", "C", ""),
        # Too late: the next has begun.
        ("ABA", "ABa", "AB"),
        ("CBABA", "ABBCa", "ABB"),
    ],
)
def test_parties_speak_in_their_order(written, whole, at_once):
    assert heard(written) == (whole, at_once)


def test_one_party_alone_waits_for_nobody():
    assert heard("A.A", parties="A") == ("A.A", "A.A")


def test_a_draw_holds_for_what_a_model_writes_too():
    orders = {heard("CBA", draw=str(draw))[0] for draw in range(50)}
    assert len(orders) == 6
    for draw in range(50):
        whole, _ = heard("CBA", draw=str(draw))
        assert list(whole) == sorted("ABC", key=lambda name: party_place(name, str(draw)))


def test_a_model_is_given_the_parties_in_their_order_and_all_else_where_it_was():
    assert party_by_party([LAW, VALLEY, MORNING]) == [LAW, MORNING, VALLEY]
    assert party_by_party([VALLEY, LAW, MORNING]) == [MORNING, LAW, VALLEY]


async def write(*replies: str) -> tuple[list[str], list[Sentence | Restart], Written]:
    writer = ModelWriter(
        ScriptedModel(*map(Reply, replies)), DIRECTORY, settings=WriterSettings(deadlines=Deadlines(1.0, 1.0))
    )
    *events, written = [event async for event in writer.write(Question("Was gilt?"), [VALLEY, MORNING])]
    assert isinstance(written, Written)
    page: list[str] = []
    for event in events:
        if isinstance(event, Restart):
            del page[event.kept :]
        elif isinstance(event, Sentence):
            page.append(event.text)
    return page, events, written


async def test_a_model_that_begins_with_the_last_party_is_shown_from_the_first():
    page, _, written = await write(f"{T1} [doc:2#chunk:1] {M1} [doc:1#chunk:1] {T2} [doc:2#chunk:1]")
    assert page == [M1, T1, T2] == [sentence.text for sentence in written.sentences]


async def test_a_second_draft_keeps_the_order_and_what_waited():
    bad = f"{T1} [doc:2#chunk:1] Der Bus fährt 99 Stunden. [doc:2#chunk:1]"
    page, events, written = await write(bad, f"{M1} [doc:1#chunk:1] {T2} [doc:2#chunk:1]")
    assert page == [M1, T1, T2] == [sentence.text for sentence in written.sentences]
    assert [event.kept for event in events if isinstance(event, Restart)] == [0]
