"""What a linked document hands over: its scope, whole chunks, within the budget, in the editor's order."""

from __future__ import annotations

from datetime import date, timedelta
from uuid import UUID

import pytest

from apps.documents.models import Document, DocumentVersion
from apps.rag.types import SearchFilters
from apps.rules.passages import CutBy, ScopedChunk, hand_over, in_scope, scope_chunks, scope_tokens, share_out
from apps.rules.types import LinkedDocument, Scope, ScopeKind
from tests.documents.builders import ready, shelf
from tests.documents.search.building import TODAY, collection, document

CHUNKS = tuple(
    ScopedChunk(pk=100 + order, order=order, tokens=10, content_hash=f"hash-{order}", path=path)
    for order, path in enumerate([("A",), ("A", "B"), ("A", "B"), ("A", "C"), ("AB",)])
)


def link(uuid: str = "one", scope: Scope | None = None, most_tokens: int | None = None) -> LinkedDocument:
    return LinkedDocument(uuid, "Titel", scope or Scope(), most_tokens)


@pytest.mark.parametrize(
    ("scope", "orders"),
    [
        (Scope(), [0, 1, 2, 3, 4]),
        (Scope(ScopeKind.FIRST, last=2), [0, 1]),
        (Scope(ScopeKind.FIRST, last=99), [0, 1, 2, 3, 4]),
        (Scope(ScopeKind.RANGE, first=2, last=3), [1, 2]),
        (Scope(ScopeKind.RANGE, first=5, last=9), [4]),
        (Scope(ScopeKind.RANGE, first=6, last=9), []),
        (Scope(ScopeKind.SECTION, path=("A",)), [0, 1, 2, 3]),
        (Scope(ScopeKind.SECTION, path=("A", "B")), [1, 2]),
        (Scope(ScopeKind.SECTION, path=("B",)), []),
        (Scope(ScopeKind.SECTION), []),
    ],
)
def test_a_scope_names_its_chunks(scope: Scope, orders: list[int]) -> None:
    assert [chunk.order for chunk in in_scope(CHUNKS, scope)] == orders


def three(tokens: int) -> dict[str, list[ScopedChunk]]:
    """Three documents of three chunks each."""
    return {
        name: [ScopedChunk(number * 10 + order, order, tokens, f"{name}-{order}") for order in range(3)]
        for number, name in enumerate(["one", "two", "three"])
    }


def test_the_last_document_is_cut_to_whole_chunks_and_the_rest_is_told() -> None:
    documents = [link("one"), link("two"), link("three")]
    first, second, last = share_out(documents, three(20_000), 100_000)
    assert [len(each.chunks) for each in (first, second, last)] == [3, 2, 0]
    assert (second.left_out, second.tokens_left_out, second.cut_by) == (1, 20_000, CutBy.BUDGET)
    assert (last.left_out, last.tokens_left_out, last.cut_by) == (3, 60_000, CutBy.BUDGET)
    assert first.cut_by is None


def test_nothing_small_slips_past_what_did_not_fit() -> None:
    readable = {"one": [ScopedChunk(1, 0, 90, "a")], "two": [ScopedChunk(2, 0, 5, "b")]}
    handed = share_out([link("one"), link("two")], readable, 80)
    assert [each.chunks for each in handed] == [(), ()]


def test_a_links_own_limit_leaves_the_rest_of_the_budget_to_others() -> None:
    first, second = share_out([link("one", most_tokens=25), link("two")], three(10), 100)
    assert (len(first.chunks), first.cut_by) == (2, CutBy.DOCUMENT_LIMIT)
    assert (len(second.chunks), second.cut_by) == (3, None)


def test_a_limit_above_the_budget_is_no_limit_of_its_own() -> None:
    [only] = share_out([link("one", most_tokens=1_000)], three(10), 20)
    assert (len(only.chunks), only.cut_by) == (2, CutBy.BUDGET)


def test_a_text_that_came_already_is_not_counted_again() -> None:
    twice = [link("one", Scope(ScopeKind.FIRST, last=2)), link("one")]
    first, second = share_out(twice, three(10), 30)
    assert [chunk.order for chunk in first.chunks] == [0, 1]
    assert [chunk.order for chunk in second.chunks] == [2]
    assert second.cut_by is None


def test_what_is_missing_and_what_is_empty_are_told_apart() -> None:
    nowhere = Scope(ScopeKind.SECTION, path=("Z",))
    gone, empty = share_out([link("gone"), link("one", nowhere)], three(10), 100)
    assert (gone.cut_by, empty.cut_by) == (CutBy.UNAVAILABLE, CutBy.EMPTY_SCOPE)


@pytest.mark.django_db
def test_the_tokens_of_a_scope_are_those_of_its_chunks() -> None:
    made = document("Erster Absatz hier.", "Zweiter Absatz hier und dort.", title="Wählen")
    whole = link(str(made.uuid))
    assert [chunk.order for chunk in scope_chunks(whole)] == [0, 1]
    assert scope_tokens(whole) == sum(made.chunks.values_list("token_count", flat=True))
    assert scope_tokens(link(str(made.uuid), Scope(ScopeKind.FIRST, last=1))) == 3


@pytest.mark.django_db
def test_a_section_is_found_by_its_headings() -> None:
    made = ready(collection=shelf())
    path = made.current_version.sections.get(heading="Wohnen").path
    chunks = scope_chunks(link(str(made.uuid), Scope(ScopeKind.SECTION, path=tuple(path))))
    texts = [made.chunks.get(pk=chunk.pk).text for chunk in chunks]
    assert texts
    assert all("Rentenniveau" not in text for text in texts)


@pytest.mark.django_db
@pytest.mark.parametrize("why", ["desk", "expired", "early", "review", "deleted"])
def test_what_readers_may_not_see_is_not_handed_over(why: str) -> None:
    made = document("Ein Absatz.", title="Wählen", shelf=collection("eigenes", visibility="public"))
    if why == "desk":
        made.collection.visibility = "desk"
        made.collection.save()
    elif why == "review":
        DocumentVersion.objects.update(needs_review=True)
    elif why == "deleted":
        Document.objects.update(current_version=None, status=Document.Status.QUEUED)
    else:
        field = {"valid_until": TODAY - timedelta(1)} if why == "expired" else {"valid_from": TODAY + timedelta(1)}
        Document.objects.update(**field)
    [handed] = hand_over([link(str(made.uuid))], 1_000, SearchFilters(on=TODAY))
    assert (handed.chunks, handed.cut_by) == ((), CutBy.UNAVAILABLE)


@pytest.mark.django_db
def test_documents_of_many_links_cost_one_query(django_assert_num_queries: object) -> None:
    links = [link(str(document(f"Absatz {number}.", title=str(number)).uuid)) for number in range(3)]
    assert all(UUID(each.uuid) for each in links)
    with django_assert_num_queries(1):  # type: ignore[operator]
        handed = hand_over(links, 1_000, SearchFilters(on=date(2026, 2, 1)))
    assert [len(each.chunks) for each in handed] == [1, 1, 1]
