"""A commentary that is asked about is answered from commentaries, and names from where they stand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apps.rag.opinion_words import asks_for_opinion, names_commentary
from apps.rag.pipeline import AnswerPipeline
from apps.rag.scripted import ScriptedRetriever
from apps.rag.types import Passage, SearchQuery
from tests.rag.builders import DIRECTORY, MORGEN, SETTINGS, ask, events_of, passage, sentences, source

PLAN = "Wir führen das Dienstjahr für alle jungen Menschen im Land ein."
VIEW = "Das Dienstjahr ist die falsche Idee zur falschen Zeit."


class ByKind(ScriptedRetriever):
    """Finds opinion only where it is looked for apart, as behind many better reports."""

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        found = await super().retrieve(query)
        return [each for each in found if (each.source.kind == "opinion") is bool(query.filters.kinds)]


@pytest.mark.parametrize(
    ("question", "is_commentary", "is_opinion"),
    [
        ("Was meint der Kommentar zum Dienstjahr?", True, True),
        ("Was meint der Komentar zum Dienstjahr?", True, True),
        ("Was missfällt der Kommentatorin am Dienstjahr?", True, True),
        ("What does the columnist think of it?", True, True),
        ("Wie bewertet der Morgen-Kurier das Dienstjahr?", True, True),
        ("Was meint die Zeitung zum Dienstjahr?", True, True),
        ("How does the newspaper judge the service year?", True, True),
        ("Wie bewertet die Morgenpartei das Dienstjahr?", False, False),
        ("Welche Zeitung erscheint am Wahltag?", False, False),
        ("Welche Meinung hat die Morgenpartei zum Dienstjahr?", False, True),
        ("Kann man Gesetze im Netz kommentieren lassen?", False, True),
        ("Wann beginnt das Dienstjahr?", False, False),
    ],
)
def test_a_commentary_is_told_from_any_opinion(question: str, is_commentary: bool, is_opinion: bool) -> None:
    assert (names_commentary(question), asks_for_opinion(question)) == (is_commentary, is_opinion)


@pytest.mark.parametrize(
    "question",
    [
        "Was meint der Kommentar zum Dienstjahr?",
        "Wie kommentiert die Zeitung das Dienstjahr?",
        "Wie beurteilt der Morgen-Kurier das Dienstjahr?",
    ],
)
async def test_who_asks_about_a_commentary_gets_no_programme(question: str) -> None:
    retriever = ByKind([passage(PLAN, source(MORGEN)), passage(VIEW, source(kind="opinion", author="J. Zeile"))])
    events = await events_of(AnswerPipeline(retriever, DIRECTORY, SETTINGS), question)
    assert [each.text for each in sentences(events)] == [VIEW]


async def test_without_a_commentary_reports_answer() -> None:
    events = await ask([passage(PLAN, source(MORGEN))], "Was meint der Kommentar zum Dienstjahr?")
    assert [each.text for each in sentences(events)] == [PLAN]


async def test_a_passage_without_the_names_asked_about_gives_way() -> None:
    named = passage("Xaver Quendel lobte das Gutachten zur Steuer als gute Nachricht.", source())
    other = passage("Ein Gutachten zur Steuer darf nicht unter Verschluss bleiben.", source(MORGEN))
    events = await ask([other, named], "Wie reagierte Xaver Quendel auf das Gutachten zur Steuer?")
    assert [each.text for each in sentences(events)] == [named.text]


async def test_a_passage_without_one_name_may_still_answer() -> None:
    short = passage("Die DNB verleiht das Gutachten zur Steuer.", source())
    written_out = passage("Das Gutachten zur Steuer verleiht die Bibliothek am Hafen.", source(MORGEN))
    events = await ask([written_out, short], "Wo verleiht die DNB das Gutachten zur Steuer?")
    assert {each.text for each in sentences(events)} == {short.text, written_out.text}
