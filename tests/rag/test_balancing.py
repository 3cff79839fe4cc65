"""Answers about parties are of like length, and the best statement is never given up for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apps.rag.attributing import in_one_voice
from apps.rag.balancing import choose_balanced
from apps.rag.events import Sentence
from apps.rag.types import Passage
from tests.rag.builders import MORGEN, SETTINGS, ask, passage, source
from tests.rag.test_extracting import evidence

ASKED = "Was sagt die Partei zum Lohn?"
WORDS = "Lohn und Arbeit gehören für uns zusammen"


def statements(lengths: Sequence[int]) -> Passage:
    """A programme whose sentences have so many characters and answer about as well as each other."""
    texts = [f"{WORDS} {chr(97 + at)}".ljust(length - 1, "x") + "." for at, length in enumerate(lengths)]
    closeness = [0.9 - 0.001 * at for at in range(len(lengths))]
    return passage(" ".join(texts), source(MORGEN), closeness=closeness)


def chosen(lengths: Sequence[int], *, limit: int = 4, characters: int = 330) -> list[str]:
    found = choose_balanced(evidence([statements(lengths)], ASKED), limit, characters, SETTINGS)
    return [sentence.text for sentence in found]


@pytest.mark.parametrize(
    "lengths",
    [[110] * 6, [60, 70, 200, 90, 110], [200, 60, 60, 120, 70, 90], [150, 170, 50, 50, 100], [80, 80, 80, 80, 80]],
)
def test_however_long_its_sentences_are_a_party_gets_the_same_room(lengths: Sequence[int]) -> None:
    texts = chosen(lengths)
    assert abs(sum(map(len, texts)) - 330) <= 33
    assert len(texts[0]) == lengths[0]
    assert len(texts) <= 4


def test_a_long_statement_is_shown_whole_and_alone() -> None:
    assert [len(text) for text in chosen([400, 90, 90])] == [400]


def test_where_there_is_nothing_more_to_say_the_answer_stays_short() -> None:
    assert [len(text) for text in chosen([100])] == [100]
    assert choose_balanced(evidence([], ASKED), 3, 330, SETTINGS) == []


def test_what_answers_much_worse_fills_no_room() -> None:
    own = passage("Der Lohn steigt auf 15 Euro.", source(MORGEN), closeness=[0.9])
    far = passage("Wälder kühlen die Luft und speichern Wasser für alle.", source(MORGEN), closeness=[0.6])
    found = choose_balanced(evidence([own, far], ASKED), 3, 330, SETTINGS)
    assert [sentence.text for sentence in found] == ["Der Lohn steigt auf 15 Euro."]


def test_what_stands_right_behind_the_answer_goes_on_with_it() -> None:
    text = "Der Lohn steigt auf 15 Euro. Das Handwerk bekommt dafür zwei Jahre Zeit."
    found = choose_balanced(evidence([passage(text, source(MORGEN), closeness=[0.9, 0.6])], ASKED), 3, 75, SETTINGS)
    assert len(found) == 2


def test_a_list_counts_with_all_that_belongs_to_it() -> None:
    text = "Beim Lohn wollen wir:\n\n• mehr Lohn,\n\n• gleichen Lohn."
    found = choose_balanced(evidence([passage(text, source(MORGEN))], ASKED), 3, 330, SETTINGS)
    assert [sentence.text for sentence in found] == ["Beim Lohn wollen wir:", "mehr Lohn,", "gleichen Lohn."]


def quotable(passages: Sequence[Passage]) -> list[str]:
    found = in_one_voice(evidence(passages, ASKED), MORGEN, SETTINGS)
    return [sentence.passage.source.party_slug for sentence in found.sentences if sentence.is_quotable]


def test_a_party_that_answers_speaks_alone() -> None:
    own = passage("Der Lohn steigt auf 15 Euro.", source(MORGEN), closeness=[0.88])
    paper = passage("Der Lohn soll nach dem Willen der Partei steigen.", source(), closeness=[0.9])
    assert quotable([paper, own]) == ["morgen"]


def test_where_a_report_answers_clearly_better_it_speaks_alone() -> None:
    own = passage("Wälder kühlen die Luft und speichern Wasser.", source(MORGEN), closeness=[0.7])
    paper = passage("Der Lohn soll nach dem Willen der Partei steigen.", source(uuid="best"), closeness=[0.9])
    other = passage("Über den Lohn wird gestritten.", source(uuid="other"), closeness=[0.85])
    found = in_one_voice(evidence([paper, other, own], ASKED), MORGEN, SETTINGS)
    assert {each.passage.source.uuid for each in found.sentences if each.is_quotable} == {"best"}
    assert quotable([own]) == ["morgen"]


@pytest.mark.parametrize(
    ("question", "speaks"),
    [
        ("Was sagt die Morgenpartei zum Lohn?", {"morgen"}),
        ("Wie reagierte die Morgenpartei auf den Streit um den Lohn?", {"", "morgen"}),
        ("Wie steht die Morgenpartei nach dem Streit um den Lohn in der Umfrage?", {"", "morgen"}),
    ],
)
def test_how_a_party_reacted_reports_may_tell(question: str, speaks: set[str]) -> None:
    own = passage("Der Lohn steigt auf 15 Euro.", source(MORGEN), closeness=[0.9])
    paper = passage("Der Lohn soll nach dem Willen der Partei steigen.", source(), closeness=[0.95])
    found = in_one_voice(evidence([paper, own], question), MORGEN, SETTINGS)
    assert {each.passage.source.party_slug for each in found.sentences if each.is_quotable} == speaks


async def test_a_party_is_heard_however_much_is_reported_on_it() -> None:
    reports = [passage(f"Die Morgenpartei will {n} Euro Lohn.", source(), fused=0.95) for n in range(11, 17)]
    own = passage("Beim Lohn sind 15 Euro unser Ziel.", source(MORGEN), fused=0.9)
    events = await ask([*reports, own], "Was sagt die Morgenpartei zum Lohn?")
    assert {event.group for event in events if isinstance(event, Sentence)} == {"Morgenpartei"}
