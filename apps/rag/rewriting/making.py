"""How the forms of the rewriter put their result together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apps.rag.rewriting import forms
from apps.rag.rewriting.types import BUILT, MOST_CHOICES, PastTurn, Reference, Rewriting
from apps.rag.types import Decision


def as_is(question: str, reason: str) -> Rewriting:
    """Return the question unchanged."""
    return Rewriting(Decision.SEARCH_AS_IS, question, reason)


def rewritten(query: str, reason: str, turn: PastTurn, references: Sequence[Reference] = ()) -> Rewriting:
    """Return another query, resting on one turn."""
    return Rewriting(Decision.REWRITE, tidy(query), reason, tuple(references), turns_used=(turn.number,))


def asks_back(question: str, reason: str, choices: Sequence[str], turn: PastTurn) -> Rewriting:
    """Return a question back to the reader; each choice can be sent as the next question."""
    shown = tuple(dict.fromkeys(choices))[:MOST_CHOICES]
    return Rewriting(Decision.CLARIFY, question, reason, choices=shown, turns_used=(turn.number,))


def tidy(query: str) -> str:
    """One blank between words, a capital first, a question mark behind a question."""
    query = re.sub(r"\s+", " ", query).strip(" ,;:–-")
    query = query[:1].upper() + query[1:]
    asks = forms.QUESTION_WORD.match(query) or forms.VERB_FIRST.match(query)
    return f"{query}?" if asks and not query.endswith(("?", ".", "!")) else query


def as_built(question: str, sub_queries: tuple[str, ...]) -> Rewriting:
    """Return what editors have laid down for a combination of the question builder: it leans on no earlier turn."""
    if len(sub_queries) == 1:
        return Rewriting(Decision.REWRITE, sub_queries[0], BUILT)
    return Rewriting(Decision.DECOMPOSE, question, BUILT, sub_queries=sub_queries)
