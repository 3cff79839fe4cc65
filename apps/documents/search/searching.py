"""One search from question to passages. Sync: the retriever, the suites and the back office call it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from apps.documents.embedding import cosine_spread, embed_question, get_embedder
from apps.documents.reranking import Asked, get_reranker
from apps.documents.search.candidates import find_candidates
from apps.documents.search.parties import asked_parties
from apps.documents.search.passages import load_passages
from apps.documents.search.weighing import weigh_question
from apps.rag.fusion import Fused, fuse
from apps.rag.protocols import Vectors
from apps.rag.types import Passage, SearchQuery

logger = logging.getLogger(__name__)

# So many are read and ranked again; the caller's top_k of them (5 as a rule) remain.
SHORTLIST: Final = 12


@dataclass(frozen=True, slots=True)
class Ranked:
    """All candidates of a question in fused order, without their texts, and the question as search read it."""

    asked: Asked
    fused: Sequence[Fused]


def search(query: SearchQuery, index: str = "") -> list[Passage]:
    """Return at most ``query.top_k`` passages, best first; none for an empty question.

    The filters are the server's. Parties that the question names narrow the search further and never widen it.
    ``index`` is the index version under which what is read of the sources is kept (see ``keeping``); "" keeps nothing.
    """
    if not query.text.strip():
        return []
    return rerank(rank(query, index), shortlist=max(SHORTLIST, query.top_k), index=index)[: query.top_k]


def rank(query: SearchQuery, index: str = "") -> Ranked:
    """Return every candidate of both searches in fused order."""
    parties = asked_parties(query.text, query.filters, index)
    # Next year's number is looked for as a word; the vector is that of what the reader wrote.
    terms = weigh_question(f"{parties.text} {query.wanted.words}".strip(), parties.names, index)
    vector = question_vector(parties.text)
    spread = cosine_spread(get_embedder())
    fused = fuse(
        find_candidates(terms, vector, query.filters, speaking=parties.speaking, index=index),
        spread=spread,
        on=query.filters.on,
        preferred_party_slugs={*parties.speaking, *query.preferred_party_slugs},
        wanted=query.wanted,
    )
    weights = {term.text: term.weight for term in terms if not term.is_name}
    return Ranked(Asked(parties.text, vector, weights, spread), fused)


def rerank(ranked: Ranked, *, shortlist: int = SHORTLIST, index: str = "") -> list[Passage]:
    """Read the best of a ranking and order them again."""
    return get_reranker().rerank(ranked.asked, load_passages(ranked.fused[:shortlist], index=index))


def question_vector(text: str) -> Vectors | None:
    """Return the question's vector; None when the embedder is down, so that words still find something."""
    try:
        return embed_question(text)
    except Exception as error:
        # Without its message: a server's answer may quote what it was asked.
        logger.error("The question could not be embedded; searching by words alone: %s", type(error).__name__)
        return None
