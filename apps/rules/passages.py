"""Which chunks the documents of a rule hand over, and how many tokens they have. Production, budget bar and Try ask."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils import timezone

from apps.documents.models import Chunk
from apps.rag.types import SearchFilters
from apps.rules.types import LinkedDocument, Scope, ScopeKind


class CutBy(StrEnum):
    """Why a linked document did not hand over all of its scope."""

    # Gone, expired, not yet valid, kept by the desk or waiting for review.
    UNAVAILABLE = "unavailable"
    # The document is there, but has nothing at this place.
    EMPTY_SCOPE = "empty_scope"
    # The link's own limit.
    DOCUMENT_LIMIT = "document_limit"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class ScopedChunk:
    """A chunk as far as a budget needs to know it. ``order`` counts from 0 in its document, ``path`` are headings."""

    pk: int
    order: int
    tokens: int
    content_hash: str = ""
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentHandover:
    """What one link hands over: ``chunks`` in reading order, and how much of its scope was left out and why."""

    linked: LinkedDocument
    chunks: tuple[ScopedChunk, ...]
    left_out: int = 0
    tokens_left_out: int = 0
    cut_by: CutBy | None = None

    @property
    def tokens(self) -> int:
        return sum(chunk.tokens for chunk in self.chunks)


def scope_tokens(linked: LinkedDocument, filters: SearchFilters | None = None) -> int:
    """Return the tokens of a link's scope as readers would get it today, before any limit. One query."""
    return sum(chunk.tokens for chunk in scope_chunks(linked, filters))


def scope_chunks(linked: LinkedDocument, filters: SearchFilters | None = None) -> tuple[ScopedChunk, ...]:
    """Return the chunks of a link's scope in reading order, as readers would get them today. One query."""
    return in_scope(readable([linked], filters).get(linked.uuid, ()), linked.scope)


def hand_over(
    documents: Sequence[LinkedDocument], budget: int, filters: SearchFilters | None = None
) -> tuple[DocumentHandover, ...]:
    """Return what each link hands over within ``budget`` tokens, in the order given. One query.

    ``filters`` are the server's limits; without them, those of a reader today.
    """
    return share_out(documents, readable(documents, filters), budget)


def share_out(
    documents: Sequence[LinkedDocument], readable: Mapping[str, Sequence[ScopedChunk]], budget: int
) -> tuple[DocumentHandover, ...]:
    """Take whole chunks, document after document, until one does not fit any more; from there on all is left out.

    ``readable`` has the chunks of each document by its uuid, in reading order. A text that an earlier link has brought
    is neither brought nor counted twice.
    """
    handovers: list[DocumentHandover] = []
    seen: set[str] = set()
    rest = budget
    for linked in documents:
        chunks = readable.get(linked.uuid, ())
        scoped = in_scope(chunks, linked.scope)
        if not scoped:
            cut_by = CutBy.EMPTY_SCOPE if chunks else CutBy.UNAVAILABLE
            handovers.append(DocumentHandover(linked, (), cut_by=cut_by))
            continue
        fresh = [chunk for chunk in scoped if (chunk.content_hash or str(chunk.pk)) not in seen]
        own = rest if linked.most_tokens is None else min(rest, linked.most_tokens)
        taken = _fitting(fresh, own)
        seen.update(chunk.content_hash or str(chunk.pk) for chunk in taken)
        handover = _handover(linked, fresh, taken, is_own_limit=own < rest)
        rest = 0 if handover.cut_by is CutBy.BUDGET else rest - handover.tokens
        handovers.append(handover)
    return tuple(handovers)


def in_scope(chunks: Iterable[ScopedChunk], scope: Scope) -> tuple[ScopedChunk, ...]:
    """Return the chunks that a scope means. Chunks are counted from 1 there; a section includes those below it."""
    if scope.kind is ScopeKind.SECTION:
        return tuple(chunk for chunk in chunks if chunk.path[: len(scope.path)] == scope.path and scope.path)
    first = (scope.first or 1) if scope.kind is ScopeKind.RANGE else 1
    last = None if scope.kind is ScopeKind.FULL else scope.last
    return tuple(chunk for chunk in chunks if first <= chunk.order + 1 and (last is None or chunk.order + 1 <= last))


def _fitting(chunks: Sequence[ScopedChunk], tokens: int) -> tuple[ScopedChunk, ...]:
    taken: list[ScopedChunk] = []
    for chunk in chunks:
        if chunk.tokens > tokens:
            break
        tokens -= chunk.tokens
        taken.append(chunk)
    return tuple(taken)


def _handover(
    linked: LinkedDocument, scoped: Sequence[ScopedChunk], taken: tuple[ScopedChunk, ...], *, is_own_limit: bool
) -> DocumentHandover:
    left = scoped[len(taken) :]
    if not left:
        return DocumentHandover(linked, taken)
    cut_by = CutBy.DOCUMENT_LIMIT if is_own_limit else CutBy.BUDGET
    return DocumentHandover(linked, taken, len(left), sum(chunk.tokens for chunk in left), cut_by)


def readable(
    documents: Collection[LinkedDocument], filters: SearchFilters | None = None
) -> dict[str, list[ScopedChunk]]:
    """Return what may be quoted of each document, by uuid; ``filters`` as above. One query.

    Headings are read only where a scope needs them.
    """
    if not documents:
        return {}
    limits = filters or SearchFilters(on=timezone.localdate())
    needs_path = any(linked.scope.kind is ScopeKind.SECTION for linked in documents)
    chunks = Chunk.objects.searchable(limits).filter(document__uuid__in={linked.uuid for linked in documents})
    columns = ["document__uuid", "pk", "order", "token_count", "content_hash"]
    found: dict[str, list[ScopedChunk]] = {}
    for uuid, *row in chunks.order_by("document_id", "order").values_list(
        *columns, *(["section__path"] if needs_path else [])
    ):
        pk, order, tokens, content_hash, *path = row
        chunk = ScopedChunk(pk, order, tokens, content_hash, tuple(path[0]) if path else ())
        found.setdefault(str(uuid), []).append(chunk)
    return found
