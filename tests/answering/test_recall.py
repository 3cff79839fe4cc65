"""The evidence of an earlier turn is fetched again from real rows, within the limits of the search and no further."""

from __future__ import annotations

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.utils import timezone

from apps.answering.services import answer_stream
from apps.documents.models import Chunk, Collection, Document, Party
from apps.documents.search.scoring import recall
from apps.rag.events import Decided, Retrieved, Sentence
from apps.rag.types import AnswerContext, HistoryTurn, Question, SearchFilters, SearchQuery
from tests.documents.builders import ready

WAGE = "# Arbeit\n\nWir erhöhen den Mindestlohn auf 15 Euro je Stunde.\n"
POST = "# Wählen\n\nDie Briefwahl beantragen Sie bei Ihrer Gemeinde, auch online.\n"


def filters(**limits: object) -> SearchFilters:
    return SearchFilters(on=timezone.localdate(), **limits)  # type: ignore[arg-type]


def chunks(document: Document) -> list[int]:
    return list(Chunk.objects.filter(document=document).order_by("pk").values_list("pk", flat=True))


@pytest.mark.django_db
def test_chunks_come_back_in_their_order_and_scored() -> None:
    first, second = ready(WAGE, "lohn.md"), ready(POST, "post.md")
    asked = [*chunks(second), 987_654, *chunks(first)]
    found = recall(SearchQuery("Wie beantrage ich Briefwahl?", filters()), asked)
    assert [passage.chunk_id for passage in found] == [*chunks(second), *chunks(first)]
    assert found[0].scores.reranked > found[-1].scores.reranked
    assert all(passage.scores.cosine is not None for passage in found)


@pytest.mark.django_db
def test_nothing_comes_back_that_the_filters_do_not_let_through() -> None:
    party = Party.objects.create(slug="morgen", name="Morgenpartei", short_name="Morgen", order=1)
    own = ready(WAGE, "lohn.md", facts={"kind": "programme", "party": party, "language": "de"})
    hidden, expired, held = ready(POST, "post.md"), ready(POST + "Alt.\n", "alt.md"), ready(POST + "Neu.\n", "neu.md")
    shelf = Collection.objects.create(slug="desk", name="Desk", visibility="desk")
    Document.objects.filter(pk=hidden.pk).update(collection=shelf)
    Document.objects.filter(pk=expired.pk).update(valid_until=timezone.localdate() - timedelta(days=1))
    Chunk.objects.filter(document=held).update(review="waiting", suspicions=["order"])
    asked = [chunk for document in (own, hidden, expired, held) for chunk in chunks(document)]

    def found(limits: SearchFilters) -> set[int]:
        return {passage.chunk_id for passage in recall(SearchQuery("Briefwahl", limits), asked)}

    assert found(filters()) == set(chunks(own))
    assert found(filters(party_slugs=("andere",))) == set()
    assert found(filters(includes_desk=True)) == {*chunks(own), *chunks(hidden)}


@pytest.mark.django_db(transaction=True)
async def test_an_accepted_offer_is_answered_from_the_turn_that_made_it() -> None:
    def prepare() -> list[int]:
        try:
            ready(WAGE, "lohn.md")
            return chunks(ready(POST, "post.md"))
        finally:
            connection.close()

    behind = await sync_to_async(prepare, thread_sensitive=False)()
    offering = HistoryTurn("Wie wähle ich?", "", 1, offers=("Wie beantrage ich Briefwahl?",), chunk_ids=tuple(behind))
    stream = answer_stream(
        question=Question("gerne"), history=[offering], context=AnswerContext(now=timezone.localtime())
    )
    events = [event async for event in stream]
    assert next(event for event in events if isinstance(event, Decided)).query == "Wie beantrage ich Briefwahl?"
    candidates = next(event for event in events if isinstance(event, Retrieved)).passages
    assert set(behind) <= {passage.chunk_id for passage in candidates}
    assert any("Briefwahl" in event.text for event in events if isinstance(event, Sentence))
