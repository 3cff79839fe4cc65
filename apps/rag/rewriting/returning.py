"""Finds the earlier turn that a reader goes back to."""

from __future__ import annotations

from apps.language.lemmas import lemma_set
from apps.rag.rewriting.subjects import content_tokens
from apps.rag.rewriting.types import PastTurn, RewriteContext
from apps.rag.understanding import PartyDirectory


def turn_about(topic: str, context: RewriteContext, directory: PartyDirectory) -> PastTurn | None:
    """Return the newest turn whose query speaks of ``topic`` or of the party that it names; None when none does."""
    turns = (*context.earlier, *context.turns)
    slugs = {party.slug for party in directory.named_in(topic)}
    if slugs:
        return next((turn for turn in reversed(turns) if slugs & set(turn.parties)), None)
    asked = [lemma_set(token.text, context.language) for token in content_tokens(topic, context.language)]
    if not asked:
        return None
    for turn in reversed(turns):
        forms = [lemma_set(token.text, context.language) for token in content_tokens(turn.query, context.language)]
        said = frozenset().union(*forms) if forms else frozenset()
        if any(words & said or any(_inside(words, form) for form in said) for words in asked):
            return turn
    return None


def _inside(words: frozenset[str], form: str) -> bool:
    """Compounds: "Briefwahl" for "Briefwahlunterlagen"."""
    return any(len(word) >= 5 and (word in form or form in word) and len(form) >= 5 for word in words)
