"""Scores chunks that somebody else has chosen, so that they can be read beside those that search found."""

from __future__ import annotations

from collections.abc import Sequence

from apps.documents.embedding import cosine_spread, get_embedder
from apps.documents.models import Chunk
from apps.documents.reranking import Asked, get_reranker
from apps.documents.search.candidates import score_candidates
from apps.documents.search.passages import load_passages
from apps.documents.search.searching import SHORTLIST, question_vector
from apps.documents.search.weighing import weigh_question
from apps.rag.fusion import fuse
from apps.rag.protocols import Vectors
from apps.rag.types import Passage, SearchQuery


def recall(query: SearchQuery, chunk_ids: Sequence[int]) -> list[Passage]:
    """Return those of these chunks that the query's filters let through, in the order given, scored for the query.

    What was read anew or taken back since is gone.
    """
    allowed = set(Chunk.objects.searchable(query.filters).filter(pk__in=chunk_ids).values_list("pk", flat=True))
    kept = [chunk_id for chunk_id in chunk_ids if chunk_id in allowed]
    return score_chunks(query, question_vector(query.text), kept) if kept else []


def score_chunks(query: SearchQuery, vector: Vectors | None, chunk_ids: Sequence[int]) -> list[Passage]:
    """Return the chunks as passages in the order given, with the same scores as search gives; each text once.

    ``vector`` is that of the query's text, None when there is no embedder. Only the best are ranked again and carry
    the vectors of their sentences: of a whole programme nobody reads more. The caller has checked who may see them.
    """
    terms = weigh_question(query.text)
    spread = cosine_spread(get_embedder())
    candidates = score_candidates(terms, vector, chunk_ids)
    fused = fuse(candidates, spread=spread, on=query.filters.on, wanted=query.wanted)
    weights = {term.text: term.weight for term in terms}
    best = get_reranker().rerank(Asked(query.text, vector, weights, spread), load_passages(fused[:SHORTLIST]))
    others = load_passages(fused[SHORTLIST:], has_vectors=False)
    passages = {passage.chunk_id: passage for passage in (*best, *others)}
    return [passages[chunk_id] for chunk_id in dict.fromkeys(chunk_ids) if chunk_id in passages]
