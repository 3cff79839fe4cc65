"""Search from async code: threads, connections, results."""

import asyncio

import pytest
from django.db import connection

from apps.documents.search import retriever as module
from apps.documents.search.retriever import HybridRetriever, run_search
from tests.documents.search.building import asking, document


@pytest.mark.django_db(transaction=True)
async def test_many_searches_at_once_all_come_back() -> None:
    await run_search(lambda: document("Der Mindestlohn steigt.", "Die Rente ist sicher."))
    results = await asyncio.gather(*(HybridRetriever().retrieve(asking("Mindestlohn")) for _ in range(30)))
    assert {found[0].text for found in results} == {"Der Mindestlohn steigt."}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("breaks", [False, True])
async def test_a_search_gives_its_connection_back(breaks: bool) -> None:
    held = []

    def work() -> None:
        connection.ensure_connection()
        held.append(connection.connection)
        if breaks:
            raise RuntimeError

    if breaks:
        with pytest.raises(RuntimeError):
            await run_search(work)
    else:
        await run_search(work)
    assert held[0].closed


async def test_no_more_threads_than_the_pool_has_connections() -> None:
    assert module._threads()._max_workers <= 8


@pytest.mark.django_db(transaction=True)
async def test_the_question_vector_is_the_one_of_the_search() -> None:
    vector = await HybridRetriever().embed_question("Mindestlohn")
    assert vector.shape == (384,)
    with pytest.raises(ValueError, match="empty"):
        await HybridRetriever().embed_question("  ")
