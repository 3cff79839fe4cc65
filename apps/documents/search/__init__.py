"""Search: the word index, the vectors, and what makes passages of them."""

from apps.documents.search.postings import chunks_index_terms
from apps.documents.search.searching import search

__all__ = ["chunks_index_terms", "search"]
