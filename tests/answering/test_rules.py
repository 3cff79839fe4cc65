"""Rules in real answers: releases, documents, search, links, all from rows."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.answering.retrieval import desk_links, rule_passages
from apps.answering.ruling import rule_match
from apps.answering.services import answer_stream
from apps.documents.embedding import get_embedder
from apps.documents.models import Chunk, Collection, CuratedLink, Document, Party
from apps.documents.search import retriever
from apps.documents.search.retriever import run_search
from apps.documents.search.scoring import score_chunks
from apps.rag.desk import AskedLinks, DeskDocument, RuleHit, RuleMatch, RuleStage
from apps.rag.events import Decided, Done, Event, Notice, Retrieved, Sentence
from apps.rag.types import AnswerContext, Decision, NoticeKind, Outcome, Question
from apps.rules.live import compiled
from apps.rules.types import (
    CuratedAnswer,
    Extra,
    HitPolicy,
    LinkedDocument,
    RuleSet,
    RuleSpec,
    Scope,
    ScopeKind,
    Slot,
    Stage,
    TokenList,
)
from tests.documents.builders import ready, shelf
from tests.documents.search.building import asking, document, party
from tests.rules.releasing import publish, rule

ASKED = "Wie beantrage ich Briefwahl?"
GUIDE = """# Wählen per Brief

## Antrag

Die Briefwahl beantragen Sie schriftlich bei Ihrer Gemeinde. Der Antrag geht auch im Internet.

## Fristen

Der rote Umschlag muss am Wahltag bis 18 Uhr im Wahlamt liegen.
"""
NEWS = """# Mehr Briefwahl

Immer mehr Menschen wollen die Briefwahl beantragen, sagt das Wahlamt in der Hauptstadt.
"""


def linked(made: Document, scope: Scope | None = None) -> LinkedDocument:
    return LinkedDocument(str(made.uuid), made.title, scope or Scope())


@pytest.fixture
def guide(transactional_db: None) -> Document:
    return ready(GUIDE, "guide.md", facts={"kind": "explainer", "language": "de"})


@pytest.fixture
def news(guide: Document) -> Document:
    return ready(NEWS, "news.md", collection=shelf("nachrichten"), facts={"kind": "news", "language": "de"})


async def ask(text: str = ASKED, **limits: object) -> list[Event]:
    context = AnswerContext(now=timezone.localtime(), **limits)  # type: ignore[arg-type]
    return [event async for event in answer_stream(question=Question(text), history=(), context=context)]


async def published(*rules: RuleSpec, **limits: int) -> None:
    await run_search(partial(publish, *rules, **limits))  # type: ignore[arg-type]


def sentences(events: Sequence[Event]) -> list[Sentence]:
    return [event for event in events if isinstance(event, Sentence)]


def notices(events: Sequence[Event]) -> list[Notice]:
    return [event for event in events if isinstance(event, Notice)]


def retrieved(events: Sequence[Event]) -> Retrieved:
    [event] = [event for event in events if isinstance(event, Retrieved)]
    return event


def decided(events: Sequence[Event]) -> Decided:
    [event] = [event for event in events if isinstance(event, Decided)]
    return event


async def test_a_published_rule_answers_from_its_document(guide: Document, news: Document) -> None:
    await published(rule("briefwahl", ASKED, documents=(linked(guide),), extra=Extra.OFF))
    events = await ask("wie beantrage ich BRIEFWAHL")
    found = decided(events).rule
    assert found is not None
    assert found.winner is not None
    assert (found.release, found.winner.uid, found.winner.stage) == (1, "briefwahl", RuleStage.EXACT)
    assert {passage.reason for passage in retrieved(events).passages} == {"rule:briefwahl"}
    assert {sentence.citations[0].source.uuid for sentence in sentences(events)} == {str(guide.uuid)}
    assert sentences(events)[0].text.startswith("Die Briefwahl beantragen Sie schriftlich")


async def test_search_answers_while_a_rules_only_document_cannot_be_read(guide: Document, news: Document) -> None:
    await published(rule("briefwahl", ASKED, documents=(linked(guide),), extra=Extra.OFF))
    await run_search(lambda: guide.delete())
    events = await ask()
    found = decided(events).rule
    assert found is not None
    assert found.winner is not None
    assert {sentence.citations[0].source.uuid for sentence in sentences(events)} == {str(news.uuid)}


async def test_before_the_first_release_questions_are_searched(guide: Document) -> None:
    events = await ask()
    assert decided(events).rule == RuleMatch(0)
    assert sentences(events)


async def test_search_fills_up_behind_the_rules_passages_without_repeats(guide: Document, news: Document) -> None:
    await published(rule("briefwahl", ASKED, documents=(linked(guide),), fill_up_to=9))
    passages = retrieved(await ask()).passages
    own = await run_search(lambda: list(guide.chunks.order_by("order").values_list("pk", flat=True)))
    assert [passage.chunk_id for passage in passages[: len(own)]] == own
    assert len({passage.chunk_id for passage in passages}) == len(passages)
    assert str(news.uuid) in {passage.source.uuid for passage in passages[len(own) :]}
    assert not any(passage.reason.startswith("rule:") for passage in passages[len(own) :])


async def test_the_scope_holds_in_the_answer(guide: Document) -> None:
    path = await run_search(lambda: tuple(guide.current_version.sections.get(heading="Fristen").path))
    scope = Scope(ScopeKind.SECTION, path=path)
    await published(rule("briefwahl", ASKED, documents=(linked(guide, scope),), extra=Extra.OFF))
    events = await ask()
    assert ["18 Uhr" in passage.text for passage in retrieved(events).passages] == [True]


async def test_what_the_budget_cuts_is_in_the_trace(guide: Document, news: Document) -> None:
    tokens = await run_search(lambda: sum(guide.chunks.values_list("token_count", flat=True)))
    await published(
        rule("briefwahl", ASKED, documents=(linked(guide), linked(news)), extra=Extra.OFF), token_budget=tokens
    )
    events = await ask()
    assert {passage.source.uuid for passage in retrieved(events).passages} == {str(guide.uuid)}
    use = retrieved(events).use
    assert use is not None
    [cut] = use.cuts
    assert (cut.uuid, cut.kept, cut.cut_by, cut.rule_uid) == (str(news.uuid), 0, "budget", "briefwahl")
    assert cut.left_out
    assert cut.tokens_left_out


async def test_collected_rules_add_their_documents_in_order(guide: Document, news: Document) -> None:
    tokens = TokenList((Slot("Briefwahl"),))
    await published(
        rule("eins", ASKED, documents=(linked(news),), hit_policy=HitPolicy.COLLECT, extra=Extra.OFF),
        RuleSpec("zwei", "Zwei", version=1, core=tokens, documents=(linked(guide), linked(news))),
    )
    events = await ask()
    found = decided(events).rule
    assert found is not None
    assert [hit.uid for hit in found.hits] == ["eins", "zwei"]
    reasons = list(dict.fromkeys(passage.reason for passage in retrieved(events).passages))
    assert reasons == ["rule:eins", "rule:zwei"]


@pytest.mark.parametrize("why", ["desk", "expired", "held back"])
async def test_no_rule_shows_readers_what_they_may_not_see(guide: Document, why: str) -> None:
    def hide() -> None:
        if why == "desk":
            Collection.objects.update(visibility="desk")
        elif why == "expired":
            Document.objects.update(valid_until=timezone.localdate() - timedelta(1))
        else:
            Chunk.objects.update(review="waiting", suspicions=[[0, 5, ["order"]]])

    await run_search(hide)
    await published(rule("briefwahl", ASKED, documents=(linked(guide),)))
    events = await ask()
    assert retrieved(events).passages == ()
    use = retrieved(events).use
    assert use is not None
    assert [cut.cut_by for cut in use.cuts] == ["unavailable"]
    assert events[-1].outcome is Outcome.REFUSED  # type: ignore[union-attr]


async def test_a_page_that_is_about_one_party_gets_no_other_by_a_rule(guide: Document) -> None:
    await published(rule("briefwahl", ASKED, documents=(linked(guide),), extra=Extra.OFF))
    assert retrieved(await ask(party_slugs=("morgen",))).passages == ()


async def test_who_asks_and_what_was_clicked_reach_the_rules(guide: Document) -> None:
    await published(
        rule("eingebettet", ASKED, audiences=("embed",)),
        rule("geklickt", "Wann ist die Wahl?", builder_choices=("erstwahl",)),
    )

    async def hits(text: str, **context: object) -> list[str]:
        found = decided(await ask(text, **context)).rule
        return [hit.uid for hit in found.hits] if found else []

    assert await hits(ASKED) == []
    assert await hits(ASKED, audience="embed") == ["eingebettet"]
    assert await hits("Wann ist die Wahl?", builder_choices=("andere",)) == []
    assert await hits("Wann ist die Wahl?", builder_choices=("erstwahl", "andere")) == ["geklickt"]


async def test_small_talk_that_an_editor_has_named_is_a_search(guide: Document) -> None:
    await published(rule("bot", "Wer bist du?", documents=(linked(guide),), extra=Extra.OFF))
    assert decided(await ask("Wer bist du?")).decision is Decision.SEARCH_AS_IS
    assert decided(await ask("Danke!")).decision is Decision.CHAT


async def test_a_curated_answer_is_cited_from_the_stored_text(guide: Document) -> None:
    answer = CuratedAnswer("Der Antrag geht auch im Internet.")
    await published(rule("briefwahl", ASKED, documents=(linked(guide),), answer=answer))
    first = sentences(await ask())[0]
    text = await run_search(lambda: guide.versions.get().text)
    [citation] = first.citations
    assert text[citation.start : citation.end] == first.text == answer.text


async def test_the_desks_own_text_comes_signed(guide: Document) -> None:
    answer = CuratedAnswer("Wir raten dazu.", is_desk_text=True, owner="Politik", checked=date(2026, 1, 2))
    await published(rule("briefwahl", ASKED, documents=(linked(guide),), answer=answer))
    events = await ask()
    [notice] = notices(events)
    assert (notice.kind, notice.text, notice.signed, notice.as_of) == (
        NoticeKind.DESK,
        "Wir raten dazu.",
        "Politik",
        date(2026, 1, 2),
    )
    assert sentences(events)


# With parts down.


class Down:
    """An embedder that does not answer."""

    name = "down"
    dimensions = 384

    def embed_passages(self, texts: Sequence[str]) -> None:
        raise OSError("down")

    def embed_question(self, text: str) -> None:
        raise OSError("down")


async def test_with_the_embedder_down_a_rule_answers(guide: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    await published(rule("briefwahl", ASKED, documents=(linked(guide),), extra=Extra.ON))
    monkeypatch.setattr("apps.documents.embedding._embedder", Down())
    assert sentences(await ask())


async def test_with_the_search_down_a_rule_answers(
    guide: Document, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await published(rule("briefwahl", ASKED, documents=(linked(guide),), extra=Extra.ON))

    def down(*_: object) -> None:
        raise OSError("no index of vectors")

    monkeypatch.setattr(retriever, "search", down)
    with caplog.at_level(logging.ERROR):
        events = await ask()
    assert sentences(events)
    assert isinstance(events[-1], Done)
    assert "Briefwahl" not in caplog.text


# Scores.


@pytest.mark.django_db
def test_a_rules_passages_have_the_scores_that_search_gives_them() -> None:
    made = document("Die Briefwahl beantragt man im Rathaus.", "Der Garten blüht im Mai.", title="Wählen")
    query = asking("Briefwahl beantragen")
    searched = {passage.chunk_id: passage for passage in Chunk.objects.search(query)}
    ids = list(made.chunks.order_by("-order").values_list("pk", flat=True))
    scored = score_chunks(query, get_embedder().embed_question(query.text), ids)
    assert [passage.chunk_id for passage in scored] == ids
    for passage in scored:
        other = searched[passage.chunk_id]
        assert passage.scores.cosine == pytest.approx(other.scores.cosine)
        assert passage.scores.bm25 == pytest.approx(other.scores.bm25)
        assert passage.scores.fused == pytest.approx(other.scores.fused)
        assert passage.scores.reranked == pytest.approx(other.scores.reranked)
        assert passage.sentences == other.sentences


@pytest.mark.django_db
def test_of_a_long_document_only_the_best_passages_carry_vectors() -> None:
    texts = [f"Absatz {number} handelt von der Gartenarbeit im Monat {number}." for number in range(30)]
    texts[25] = "Die Briefwahl beantragt man im Rathaus."
    made = document(*texts, title="Wählen")
    ids = list(made.chunks.order_by("order").values_list("pk", flat=True))
    query = asking("Briefwahl beantragen")
    scored = score_chunks(query, get_embedder().embed_question(query.text), ids)
    assert [passage.chunk_id for passage in scored] == ids
    with_vectors = [passage for passage in scored if passage.vectors is not None]
    assert len(with_vectors) == 12
    assert max(scored, key=lambda each: each.scores.reranked).text == texts[25]
    assert all(passage.sentences for passage in scored)


@pytest.mark.django_db
def test_the_queries_of_a_rule_do_not_grow_with_its_documents() -> None:
    made = [document(f"Die Briefwahl in Ort {number}.", title=str(number)) for number in range(8)]

    def counted(documents: Sequence[Document]) -> int:
        linked_documents = tuple(DeskDocument(str(each.uuid), each.title) for each in documents)
        hit = RuleHit("briefwahl", 1, "Briefwahl", RuleStage.EXACT, documents=linked_documents)
        with CaptureQueriesContext(connection) as queries:
            handed = rule_passages(RuleMatch(1, (hit,), token_budget=6_000), asking("Briefwahl"), None)
        assert len(handed.passages) == len(documents)
        return len(queries)

    assert counted(made) == counted(made[:1]) <= 6


# Links.


def link(name: str, **fields: object) -> CuratedLink:
    return CuratedLink.objects.create(title=name, address=f"https://zeitung.example/{name}", **fields)


ON = date(2026, 2, 1)


@pytest.mark.django_db
def test_links_come_in_the_rules_order_and_only_while_they_hold(django_assert_num_queries: object) -> None:
    for name in ("b", "a"):
        link(name)
    link("alt", valid_until=date(2026, 1, 31))
    link("neu", valid_from=date(2026, 2, 2))
    link("heute", valid_from=ON, valid_until=ON)
    link("tot", state="dead", reason="There is no page at this address.")
    names = ("b", "fehlt", "alt", "heute", "tot", "neu", "a")
    asked = AskedLinks(ON, tuple(f"https://zeitung.example/{name}" for name in names))
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = desk_links(asked)
    assert [each.title for each in found] == ["b", "heute", "a"]


@pytest.mark.django_db
def test_a_link_that_moved_is_still_found_by_the_release_that_names_it() -> None:
    moved, other = link("alt"), link("fremd")
    CuratedLink.objects.filter(pk=moved.pk).update(address="https://zeitung.example/zwischen")
    moved.refresh_from_db()
    moved.address = "https://zeitung.example/neu"
    moved.save()
    old = AskedLinks(ON, ("https://zeitung.example/alt", "https://zeitung.example/zwischen"))
    assert [each.address for each in desk_links(old)] == ["https://zeitung.example/neu"]
    # An address that another link has taken over leads to that one.
    CuratedLink.objects.filter(pk=other.pk).update(address="https://zeitung.example/alt")
    assert [each.title for each in desk_links(AskedLinks(ON, ("https://zeitung.example/alt",)))] == ["fremd"]
    # Back at its first address, it has not been anywhere else but between.
    CuratedLink.objects.filter(pk=other.pk).delete()
    CuratedLink.objects.filter(pk=moved.pk).update(address="https://zeitung.example/alt")
    moved.refresh_from_db()
    assert moved.former_addresses == ["https://zeitung.example/zwischen", "https://zeitung.example/neu"]


@pytest.mark.django_db
def test_links_of_parties_follow_and_favour_none() -> None:
    one, two = party("morgen", "Morgenpartei"), party("tal", "Talbund")
    for name in ("m1", "m2", "m3"):
        link(name).parties.add(one)
    link("t1").parties.add(two)
    beide = link("beide")
    beide.parties.add(one, two)
    titles = [each.title for each in desk_links(AskedLinks(ON, (beide.address,), ("morgen",)))]
    assert titles == ["beide", "m3"]
    assert [each.title for each in desk_links(AskedLinks(ON, (), ("morgen", "tal")))] == ["beide"]
    beide.parties.clear()
    assert {each.title for each in desk_links(AskedLinks(ON, (), ("morgen", "tal")))} == {"m3", "t1"}
    party("flut", "Flutliste")
    assert desk_links(AskedLinks(ON, (), ("morgen", "flut"))) == []


async def test_a_refusal_leads_with_the_rules_links(guide: Document) -> None:
    made = await run_search(partial(link, "ratgeber", teaser="Alles über die Wahl."))
    asked = "Wie füttert man Eulen im Zoo?"
    await published(rule("eulen", asked, documents=(linked(guide),), links=(made.address,), extra=Extra.OFF))
    [notice] = notices(await ask(asked))
    assert notice.kind is NoticeKind.REFUSAL
    assert [(each.address, each.title, each.teaser) for each in notice.links] == [
        (made.address, "ratgeber", "Alles über die Wahl.")
    ]


async def test_a_question_about_a_party_brings_its_links(guide: Document) -> None:
    def prepare() -> None:
        made = Party.objects.create(slug="morgen", name="Morgenpartei Deutschlands", short_name="Morgenpartei")
        link("porträt").parties.add(made)

    await run_search(prepare)
    events = await ask("Was sagt die Morgenpartei zur Briefwahl?")
    assert [each.title for notice in notices(events) for each in notice.links] == ["porträt"]


# What the engine said, in plain values.


def test_rivals_say_why_they_lost_and_the_winner_what_it_links() -> None:
    rules = compiled(
        RuleSet(
            (
                rule("erste", ASKED, priority=10, links=("https://zeitung.example/a",), fill_up_to=3),
                rule("zweite", ASKED, priority=20, version=4),
            ),
            token_budget=1234,
            release=9,
        )
    )
    found = rule_match(rules, [ASKED], "de", AnswerContext(now=timezone.now()))
    assert (found.release, found.token_budget, found.fill_up_to, found.text) == (9, 1234, 3, ASKED)
    assert found.links == ("https://zeitung.example/a",)
    [rival] = found.rivals
    assert (rival.uid, rival.version, rival.stage, rival.lost_by) == ("zweite", 4, RuleStage.EXACT, "priority")
    assert Stage.EXACT.value == RuleStage.EXACT.value


def test_without_rules_nothing_matches() -> None:
    assert rule_match(None, [ASKED], "de", AnswerContext(now=timezone.now())) == RuleMatch(0)
