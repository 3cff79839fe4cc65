"""One search from question to passages. Sync: the retriever, the suites and the back office call it."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from apps.documents.embedding import cosine_spread, get_embedder
from apps.documents.reranking import Asked, get_reranker
from apps.documents.search.candidates import find_candidates
from apps.documents.search.parties import AskedParties, asked_parties
from apps.documents.search.passages import load_passages
from apps.documents.search.weighing import WeighedTerm, weigh_question
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
    parties = asked_parties(query.text, query.filters)
    terms = weigh_question(parties.text, parties.names)
    vector = _question_vector(parties.text)
    shortlist = rank(query, parties, terms, vector)[: max(SHORTLIST, query.top_k)]
    asked = Asked(
        text=parties.text,
        vector=vector,
        weights={term.text: term.weight for term in terms if not term.is_name},
        spread=cosine_spread(get_embedder()),
    )
    return get_reranker().rerank(asked, load_passages(shortlist))[: query.top_k]


def rank(
    query: SearchQuery, parties: AskedParties, terms: Sequence[WeighedTerm], vector: Vectors | None
) -> Sequence[Fused]:
    """Return all candidates in fused order, without their texts."""
    return fuse(
        find_candidates(terms, vector, query.filters, speaking=parties.speaking),
        spread=cosine_spread(get_embedder()),
        on=query.filters.on,
        preferred_party_slugs={*parties.speaking, *query.preferred_party_slugs},
    )


def _question_vector(text: str) -> Vectors | None:
    """Return the question's vector; None when the embedder is down, so that words still find something."""
    try:
        return get_embedder().embed_question(text)
    except Exception:
        logger.exception("The question could not be embedded; searching by words alone.")
        return None
