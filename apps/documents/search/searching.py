"""One search from question to passages. Sync: the retriever, the suites and the back office call it."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from apps.documents.embedding import cosine_spread, get_embedder
from apps.documents.reranking import get_reranker
from apps.documents.search.candidates import find_candidates
from apps.documents.search.parties import named_parties
from apps.documents.search.passages import load_passages
from apps.documents.search.weighing import weigh_question
from apps.rag.fusion import Fused, fuse
from apps.rag.protocols import Vectors
from apps.rag.types import Passage, SearchQuery

logger = logging.getLogger(__name__)

# So many are read and ranked again; the caller's top_k of them (5 as a rule) remain.
SHORTLIST = 12


def search(query: SearchQuery) -> list[Passage]:
    """Return at most ``query.top_k`` passages, best first; none for an empty question.

    The filters are the server's. Parties that the question names narrow the search further and never widen it.
    """
    if not query.text.strip():
        return []
    vector = _question_vector(query.text) if query.vector is None else query.vector
    shortlist = rank(query, vector)[: max(SHORTLIST, query.top_k)]
    passages = load_passages(shortlist)
    return list(get_reranker().rerank(query.text, vector, passages))[: query.top_k]


def rank(query: SearchQuery, vector: Vectors | None) -> Sequence[Fused]:
    """Return all candidates in fused order, without their texts."""
    named = named_parties(query.text)
    terms = weigh_question(query.text)
    candidates = find_candidates(terms, vector, query.filters, speaking=named)
    return fuse(
        candidates,
        spread=cosine_spread(get_embedder()),
        on=query.filters.on,
        preferred_party_slugs={*named, *query.preferred_party_slugs},
    )


def _question_vector(text: str) -> Vectors | None:
    """Return the question's vector; None when the embedder is down, so that words still find something."""
    try:
        return get_embedder().embed_question(text)
    except Exception:
        logger.exception("The question could not be embedded; searching by words alone.")
        return None
