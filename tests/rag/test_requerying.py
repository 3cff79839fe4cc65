"""A second search for what the first has not found: once, logged, within all limits, and never at the answer's cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from apps.rag.desk import ExtraSearch
from apps.rag.events import Done, Event, Notice, Retrieved
from apps.rag.pipeline import AnswerPipeline
from apps.rag.scripted import ScriptedMatcher, ScriptedRetriever, ScriptedShelf
from apps.rag.types import NoticeKind, Outcome, Passage, Question, SearchQuery, Signals
from tests.rag.builders import BUND, CONTEXT, DIRECTORY, MORGEN, SETTINGS, ask, events_of, passage, sentences, source
from tests.rag.test_rules import guide, match

PENSION = "Wir sichern das Rentenniveau bei 50 Prozent. Die Rente bleibt sicher für alle."
WAGE = "Wir erhöhen den Mindestlohn auf 15 Euro. Er gilt für alle Beschäftigten."
BOTH = "Was will die Morgenpartei bei Rente und Mindestlohn?"


class TopicRetriever(ScriptedRetriever):
    """Finds by the last word that it knows in a query: a search for two things finds only the first."""

    def __init__(self, found: Mapping[str, Sequence[Passage]], **fields: object) -> None:
        super().__init__([each for passages in found.values() for each in passages])
        self._found = found
        self.breaks_on = fields.get("breaks_on")

    async def retrieve(self, query: SearchQuery) -> Sequence[Passage]:
        self.queries.append(query)
        if self.breaks_on == query.text:
            raise OSError("no search")
        known = next((word for word in self._found if word in query.text), "")
        allowed = query.filters.party_slugs
        return [each for each in self._found.get(known, ()) if not allowed or each.source.party_slug in allowed]


def pension() -> Passage:
    return passage(PENSION, source(MORGEN), closeness=[0.9, 0.8])


def wage() -> Passage:
    return passage(WAGE, source(MORGEN), closeness=[0.7, 0.6])


def two_topics(**fields: object) -> TopicRetriever:
    return TopicRetriever({"Rente": [pension()], "Mindestlohn": [wage()]}, **fields)


async def asked(retriever: ScriptedRetriever, question: str = BOTH) -> list[Event]:
    return await events_of(AnswerPipeline(retriever, DIRECTORY, SETTINGS), question)


def searched(retriever: ScriptedRetriever) -> list[str]:
    """What was searched for, each text once: a party's own words are searched beside everybody's."""
    return list(dict.fromkeys(query.text for query in retriever.queries))


def signals_in(events: Sequence[Event]) -> Signals:
    [retrieved] = [event for event in events if isinstance(event, Retrieved)]
    assert retrieved.signals is not None
    return retrieved.signals


def requery_in(events: Sequence[Event]) -> Mapping[str, object] | None:
    return signals_in(events).retrieval_metadata["requeried"]  # type: ignore[return-value]


def caveats(events: Sequence[Event]) -> list[tuple[str, tuple[str, ...]]]:
    notices = [event for event in events if isinstance(event, Notice)]
    return [(notice.code, notice.subjects) for notice in notices if notice.kind is NoticeKind.CAVEAT]


async def test_what_is_missing_is_searched_once_and_found() -> None:
    retriever = two_topics()
    events = await asked(retriever)
    assert searched(retriever)[1:] == ["Mindestlohn"]
    assert requery_in(events) == {
        "cause": "coverage",
        "outcome": "searched",
        "aspects": ["Mindestlohn"],
        "before": 0.5,
        "after": 1.0,
    }
    assert signals_in(events).coverage_signals == {
        "question_aspects_covered": ["Rente", "Mindestlohn"],
        "question_aspects_missing": [],
        "coverage_ratio": 1.0,
    }


async def test_the_answer_speaks_of_every_covered_aspect() -> None:
    shown = " ".join(sentence.text for sentence in sentences(await asked(two_topics())))
    assert "Rente" in shown
    assert "Mindestlohn" in shown


async def test_an_aspect_far_down_the_list_is_quoted_without_a_second_search() -> None:
    others = [passage(f"Wir bauen {count} neue Schulen im Land.", source(MORGEN)) for count in range(2, 6)]
    retriever = ScriptedRetriever([pension(), *others, wage()])
    events = await asked(retriever)
    assert len(searched(retriever)) == 1
    assert any("Mindestlohn" in sentence.text for sentence in sentences(events))


async def test_enough_is_not_searched_again() -> None:
    retriever = ScriptedRetriever([pension(), wage()])
    events = await asked(retriever)
    assert len(searched(retriever)) == 1
    assert requery_in(events) is None
    assert caveats(events) == []


async def test_what_stays_missing_is_named_and_only_that() -> None:
    events = await asked(TopicRetriever({"Rente": [pension()]}))
    assert caveats(events) == [("coverage_low", ("Mindestlohn",))]
    assert requery_in(events) == {
        "cause": "coverage",
        "outcome": "nothing_new",
        "aspects": ["Mindestlohn"],
        "before": 0.5,
        "after": 0.5,
    }
    assert all("Rente" in sentence.text for sentence in sentences(events))


async def test_one_of_four_missing_is_searched_and_not_worth_a_word() -> None:
    school = passage("Jede Schule bekommt einen Garten mit Beeten.", source(MORGEN))
    traffic = passage("Der Verkehr auf dem Land wird leiser.", source(MORGEN))
    retriever = ScriptedRetriever([pension(), wage(), school, traffic])
    events = await asked(retriever, "Was will die Morgenpartei bei Rente, Mindestlohn, Schule und Hundesteuer?")
    assert signals_in(events).coverage_signals["coverage_ratio"] == 0.75
    assert caveats(events) == []
    [again] = searched(retriever)[1:]
    assert again.startswith("Hundesteuer")
    assert requery_in(events)["cause"] == "gap"  # type: ignore[index]


async def test_a_refused_question_is_searched_once_more_by_its_bare_words_and_what_else_they_are_called() -> None:
    retriever = TopicRetriever({"Hundesteuer in Berlin": [passage("Der Himmel ist heute blau und weit.", source())]})
    events = await asked(retriever, "Wie hoch ist denn eigentlich die Hundesteuer in Berlin?")
    [again] = searched(retriever)[1:]
    assert again.startswith("Hundesteuer Berlin ")
    assert "haustiere" in again.split()
    assert isinstance(events[-1], Done)
    assert events[-1].outcome is Outcome.REFUSED
    assert signals_in(events).coverage_signals["coverage_ratio"] == 0.0


async def test_a_refused_question_that_the_second_search_answers_is_answered() -> None:
    tax = passage("Die Hundesteuer in Berlin beträgt 120 Euro im Jahr.", source())
    retriever = TopicRetriever(
        {"Hundesteuer Berlin": [tax], "Hundesteuer in Berlin": [passage("Der Himmel ist blau.")]}
    )
    events = await asked(retriever, "Wie hoch ist die Hundesteuer in Berlin?")
    assert sentences(events)[0].text == tax.text
    assert requery_in(events) == {
        "cause": "coverage",
        "outcome": "searched",
        "aspects": ["Wie hoch ist die Hundesteuer in Berlin"],
        "before": 0.0,
        "after": 1.0,
    }


async def test_what_a_second_search_finds_by_its_words_alone_is_no_answer() -> None:
    question = "Was ist mit der Hundesteuer in Berlin am Markttag im Mai?"
    alike = passage("Die Hundesteuer in Bremen bleibt, der Markttag entfällt.", source())
    sky = passage("Der Himmel ist blau.")
    retriever = TopicRetriever({"Hundesteuer Berlin": [alike], "Hundesteuer in Berlin": [sky]})
    found = await asked_evenly(retriever, question)
    assert requery_in(found)["outcome"] == "searched"  # type: ignore[index]
    assert not sentences(found)
    # What was found by the whole question may fit no better.
    assert sentences(await asked_evenly(TopicRetriever({"Hundesteuer": [alike]}), question))


async def test_a_second_search_that_breaks_costs_no_answer() -> None:
    events = await asked(two_topics(breaks_on="Mindestlohn"))
    assert any("Rente" in sentence.text for sentence in sentences(events))
    assert requery_in(events) == {
        "cause": "coverage",
        "outcome": "failed",
        "aspects": ["Mindestlohn"],
        "before": 0.5,
        "after": 0.5,
    }
    assert caveats(events) == [("coverage_low", ("Mindestlohn",))]


async def test_there_are_never_more_searches_than_allowed() -> None:
    retriever = TopicRetriever({"Rente": [pension()]})
    answering = AnswerPipeline(retriever, DIRECTORY, replace(SETTINGS, further_searches=2))
    await events_of(answering, "Was will die Morgenpartei bei Rente, Maut, Polizei, Kultur und Sport?")
    assert searched(retriever)[1:] == ["Maut", "Polizei"]


async def test_the_second_search_has_the_limits_of_the_first() -> None:
    retriever = two_topics()
    context = replace(CONTEXT, party_slugs=("morgen",), includes_desk=False)
    answering = AnswerPipeline(retriever, DIRECTORY, SETTINGS)
    async for _ in answering.stream(Question(BOTH), (), context):
        pass
    assert len(retriever.queries) == 2
    assert {query.filters for query in retriever.queries} == {retriever.queries[0].filters}
    assert retriever.queries[1].preferred_party_slugs == ("morgen",)


async def test_each_compared_party_has_aspects_of_its_own() -> None:
    found = {"Rente": [pension()], "Mindestlohn": [passage(WAGE, source(BUND)), wage()]}
    events = await asked(TopicRetriever(found), "Was wollen Morgenpartei und Talbund bei der Rente?")
    assert signals_in(events).coverage_signals["question_aspects_missing"] == ["Talbund: Rente"]
    # The silent party is named once, not twice.
    assert caveats(events) == [("party_silent", ("Talbund",))]


async def test_where_the_parties_are_asked_about_one_that_speaks_is_enough() -> None:
    events = await asked(TopicRetriever({"Rente": [pension()]}), "Was sagen die Parteien zur Rente?")
    assert signals_in(events).coverage_signals["coverage_ratio"] == 1.0


async def test_another_party_speaks_for_no_aspect() -> None:
    found = {"Rente": [pension()], "Mindestlohn": [passage(WAGE, source(BUND))]}
    events = await asked(TopicRetriever(found))
    assert signals_in(events).coverage_signals["question_aspects_missing"] == ["Mindestlohn"]
    assert all(sentence.group == "Morgenpartei" for sentence in sentences(events))


@pytest.mark.parametrize(("extra", "searches"), [(ExtraSearch.OFF, 0), (ExtraSearch.ON, 2)])
async def test_a_rule_that_wants_no_search_gets_none(extra: ExtraSearch, searches: int) -> None:
    question = "Wie geht Briefwahl und Wahlprüfung?"
    retriever = TopicRetriever({"Briefwahl": [guide()]})
    answering = AnswerPipeline(
        retriever,
        DIRECTORY,
        SETTINGS,
        matcher=ScriptedMatcher({question: match(extra=extra)}),
        shelf=ScriptedShelf([guide()]),
    )
    events = await events_of(answering, question)
    assert len(retriever.queries) == searches
    requery = requery_in(events)
    assert requery is not None
    assert requery["outcome"] == ("rule_forbids" if extra is ExtraSearch.OFF else "nothing_new")
    # What was not looked for is not said to be missing.
    assert ("coverage_low" in {code for code, _ in caveats(events)}) is (extra is ExtraSearch.ON)


FAMILIES = "Bei wie viel Prozent sichert die Morgenpartei das Rentenniveau kinderreicher Familien?"


class EvenStatistics:
    """Every word is as rare as any other."""

    async def idf(self, terms: Sequence[str], language: str) -> Mapping[str, float]:
        return dict.fromkeys(terms, 1.0)


async def asked_evenly(retriever: ScriptedRetriever, question: str = FAMILIES) -> list[Event]:
    return await events_of(AnswerPipeline(retriever, DIRECTORY, SETTINGS, statistics=EvenStatistics()), question)


def families() -> Passage:
    text = "Für kinderreiche Familien sichern wir das Rentenniveau bei 50 Prozent und geben mehr dazu."
    return passage(text, source(MORGEN))


async def test_a_gap_alone_is_searched_once_for_the_words_that_stand_nowhere() -> None:
    retriever = TopicRetriever({"Rentenniveau": [pension()], "Familien": [families()]})
    events = await asked_evenly(retriever)
    assert signals_in(events).coverage_signals["coverage_ratio"] == 1.0
    [again] = searched(retriever)[1:]
    assert again.startswith("kinderreicher Familien")
    assert "Rentenniveau" not in again
    assert requery_in(events) == {
        "cause": "gap",
        "outcome": "searched",
        "aspects": ["kinderreicher", "Familien"],
        "before": 1.0,
        "after": 1.0,
    }
    assert any("Familien" in sentence.text for sentence in sentences(events))
    assert signals_in(events).recommendation == "answer"


async def test_what_closes_no_gap_is_left_out_again() -> None:
    other = passage("Familienfeste finden im Sommer statt, mit Musik und Kuchen für alle.", source(MORGEN))
    first = await asked_evenly(TopicRetriever({"Rentenniveau": [pension()]}))
    events = await asked_evenly(TopicRetriever({"Rentenniveau": [pension()], "kinderreicher": [other]}))
    assert requery_in(events)["outcome"] == "no_better"  # type: ignore[index]
    assert [each.text for each in sentences(events)] == [each.text for each in sentences(first)]
    assert signals_in(events).recommendation == "caveat"


async def test_a_gap_that_nothing_new_is_found_for_leaves_the_answer() -> None:
    events = await asked_evenly(TopicRetriever({"Rentenniveau": [pension()]}))
    assert requery_in(events)["outcome"] == "nothing_new"  # type: ignore[index]
    assert sentences(events)


async def test_a_search_for_a_gap_that_breaks_costs_no_answer() -> None:
    found = {"Rentenniveau": [pension()], "Familien": [families()]}
    retriever = TopicRetriever(found)
    await asked_evenly(retriever)
    [again] = searched(retriever)[1:]
    events = await asked_evenly(TopicRetriever(found, breaks_on=again))
    assert requery_in(events)["outcome"] == "failed"  # type: ignore[index]
    assert sentences(events)


async def test_a_turn_is_searched_once_more_at_most() -> None:
    # Too little is covered and a verdict has a gap: one second search, for the aspects.
    retriever = TopicRetriever({"Rente": [pension()]})
    events = await asked(retriever, "Was will die Morgenpartei bei Rente kinderreicher Familien und Mindestlohn?")
    assert requery_in(events)["cause"] == "coverage"  # type: ignore[index]
    assert len({query.text for query in retriever.queries[1:]} - {retriever.queries[0].text}) <= 2


async def test_small_talk_has_no_signals_and_no_search() -> None:
    retriever = two_topics()
    events = await asked(retriever, "Hallo!")
    assert retriever.queries == []
    assert not any(isinstance(event, Retrieved) for event in events)


async def test_the_confidence_is_a_probability_whatever_was_found() -> None:
    for passages in ([], [pension()], [pension(), wage()], [passage("Nichts dazu.")]):
        events = await ask(passages, BOTH)
        assert 0.0 <= signals_in(events).confidence_score <= 1.0


async def test_better_evidence_gives_more_confidence() -> None:
    good = signals_in(await ask([wage()], "Wie hoch soll der Mindestlohn der Morgenpartei sein?"))
    bad = signals_in(await ask([wage()], "Wie hoch soll die Hundesteuer der Morgenpartei sein?"))
    assert good.confidence_score > 0.5 > bad.confidence_score


async def test_the_recommendation_is_one_of_the_outcomes() -> None:
    assert signals_in(await asked(two_topics())).recommendation in {"answer", "caveat"}
    assert signals_in(await ask([], BOTH)).recommendation == "refuse"
