"""Takes a question apart that asks for several things: "Wie beantrage ich Briefwahl und bis wann muss sie da sein?"."""

from __future__ import annotations

import re
from typing import Final

from apps.rag.rewriting import forms
from apps.rag.rewriting.subjects import content_tokens
from apps.rag.rewriting.types import MOST_SUB_QUERIES

_FEWEST_WORDS: Final = 3
_PLACES: Final = re.compile(
    r"[?]\s+(?:(?:und|and|außerdem|also)\s+)?|,?\s+(?:und außerdem|und|sowie|and also|and)\s+", re.IGNORECASE
)
# "und brauche ich", "and do I": a verb that is followed by who does it.
_VERB_AND_WHO: Final = re.compile(
    r"^\w+\s+(?:ich|man|wir|es|das|die|der|sie|er|i|it|we|you|they|the|that|there)\b", re.IGNORECASE
)


def parts_of(question: str, language: str) -> tuple[str, ...]:
    """Return the questions of which a text consists, at most MOST_SUB_QUERIES; one where it asks for one thing.

    The last holds all that is left where there are more.
    """
    plain = forms.FILLER.sub("", question.strip())
    if not _asks(plain) or forms.ALSO.match(plain):
        return (question,)
    parts: list[str] = []
    start = 0
    for place in _PLACES.finditer(plain):
        if len(parts) == MOST_SUB_QUERIES - 1:
            break
        before, after = plain[start : place.start()], plain[place.end() :]
        if _stands(before, language) and _begins(after):
            parts.append(before)
            start = place.end()
    parts.append(plain[start:])
    return tuple(parts) if len(parts) > 1 else (question,)


def _asks(text: str) -> bool:
    return bool(forms.QUESTION_WORD.match(text) or forms.VERB_FIRST.match(text))


def _stands(part: str, language: str) -> bool:
    """Not the "wann" of "wann und wo"."""
    return len(part.split()) >= _FEWEST_WORDS and bool(content_tokens(part, language))


def _begins(rest: str) -> bool:
    """Say whether another whole question begins here: not "und wer nicht", not "und welche Partei"."""
    clause = re.split(r"[?;]|,?\s+(?:und|sowie|and)\s+", rest, maxsplit=1)[0]
    if len(clause.split()) < _FEWEST_WORDS:
        return False
    if forms.QUESTION_WORD.match(rest):
        return True
    return bool(forms.VERB_FIRST.match(rest) and _VERB_AND_WHO.match(rest))
