"""Finds what a stand-alone query says that nobody said: names, numbers, dates. For the rules and for every model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from apps.language.guessing import guess_language
from apps.language.normalising import fold
from apps.language.stemming import stem
from apps.language.stopwords import stop_words
from apps.language.tokenising import tokenise
from apps.rag.quantities import said_quantities, stated_quantities
from apps.rag.rewriting.types import (
    MOST_CHOICES,
    MOST_QUERY_CHARACTERS,
    MOST_SUB_QUERIES,
    Reference,
    Rewriting,
)
from apps.rag.types import Decision

# Few words of other languages are taken for theirs.
_TOLD_APART: Final = frozenset({"de", "en"})
_CAPITAL: Final = re.compile(r"[A-ZÄÖÜ]")


class RewriteFormatError(ValueError):
    """A model's reply is not the contract; the message names the field."""


def additions(query: str, said: Iterable[str], language: str) -> tuple[str, ...]:
    """Return the names, numbers and dates of ``query`` that none of the texts ``said`` holds, as written.

    A name is a word in capitals; in German every noun is one, so there all content words count.
    """
    texts = list(said)
    known = {
        form for text in texts for token in tokenise(text) for form in (token.folded, stem(token.folded, language))
    }
    stated = frozenset(value for text in texts for value in stated_quantities(text, language))
    left_out = stop_words(language)
    new = [
        token.text
        for at, token in enumerate(tokenise(query))
        if token.kind == "word"
        and token.folded not in left_out
        and ((_CAPITAL.match(token.text) and at > 0) or language == "de")
        and token.folded not in known
        and stem(token.folded, language) not in known
        and not any(_is_part(token.folded, word) for word in known)
    ]
    return (*new, *sorted(value.text for value in said_quantities(query, language) - stated))


def _is_part(word: str, known: str) -> bool:
    """Inflected further than the stemmer knows: plant for planen."""
    shorter = min(len(word), len(known))
    return shorter >= 4 and word[: max(4, shorter - 2)] == known[: max(4, shorter - 2)]


def rewriting_from_json(data: Any, question: str, said: Iterable[str], language: str) -> Rewriting:
    """Read a model's reply strictly; raise RewriteFormatError where it is not the contract or adds what nobody said."""
    if not isinstance(data, Mapping):
        raise RewriteFormatError("The reply must be an object.")
    try:
        decision = Decision(str(data.get("decision")))
    except ValueError as error:
        raise RewriteFormatError("decision must be one of the five.") from error
    query = _text(data, "standalone_query") or question
    subs = _texts(data, "sub_queries", MOST_SUB_QUERIES)
    choices = _texts(data, "choices", MOST_CHOICES)
    if decision is Decision.CLARIFY and len(choices) < 2:
        raise RewriteFormatError("CLARIFY needs at least two choices.")
    if decision is Decision.DECOMPOSE and len(subs) < 2:
        raise RewriteFormatError("DECOMPOSE needs at least two sub_queries.")
    texts = [question, *said]
    for text in (query, *subs, *choices):
        if new := additions(text, texts, language):
            raise RewriteFormatError(f"Nobody said {new[0]!r}.")
        if _is_in_another_language(text, question, language):
            raise RewriteFormatError(f"{text!r} must keep the language of the question.")
    if decision is Decision.SEARCH_AS_IS and fold(query) != fold(question):
        raise RewriteFormatError("SEARCH_AS_IS must keep the question.")
    return Rewriting(decision, query, _text(data, "reason")[:200], _references(data), subs, choices)


def _is_in_another_language(text: str, question: str, language: str) -> bool:
    """Say whether a text is plainly German or English where the question is not."""
    guessed = guess_language(text, language)
    return guessed in _TOLD_APART and guessed not in (language, guess_language(question, language))


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name, "")
    if not isinstance(value, str) or len(value) > MOST_QUERY_CHARACTERS:
        raise RewriteFormatError(f"{name} must be a text of at most {MOST_QUERY_CHARACTERS} characters.")
    return value.strip()


def _texts(data: Mapping[str, Any], name: str, most: int) -> tuple[str, ...]:
    value = data.get(name) or []
    if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
        raise RewriteFormatError(f"{name} must be a list of texts.")
    if len(value) > most or any(len(each) > MOST_QUERY_CHARACTERS for each in value):
        raise RewriteFormatError(f"{name} is too long.")
    return tuple(each.strip() for each in value)


def _references(data: Mapping[str, Any]) -> tuple[Reference, ...]:
    value = data.get("resolved_references") or []
    if not isinstance(value, list):
        raise RewriteFormatError("resolved_references must be a list.")
    found = []
    for each in value[:10]:
        if not isinstance(each, Mapping) or not all(isinstance(each.get(key), str) for key in ("said", "means")):
            raise RewriteFormatError("A reference needs said and means.")
        turn = each.get("turn", 0)
        found.append(Reference(each["said"][:200], each["means"][:200], turn if isinstance(turn, int) else 0))
    return tuple(found)
