"""What a reader says when asked what is meant: "Den Wahlschein meine ich" after "Was kostet das?"."""

from __future__ import annotations

import re
from typing import Final

from apps.rag.rewriting import forms
from apps.rag.rewriting.making import rewritten
from apps.rag.rewriting.referring import pronoun_in
from apps.rag.rewriting.types import Reference, RewriteContext, Rewriting
from apps.rag.routing import RoutedBy, route
from apps.rag.understanding import PartyDirectory

_MOST_WORDS: Final = 8
_FRAME: Final = re.compile(
    r"^(?:(?:na|ach|also|ja|nein|eben|ich (?:mein(?:e|te)?|rede von)|es geht (?:um|mir um)|i mean(?:t)?|well"
    r"|it is about|(?:zum )?thema|zum|zur|vom|von|um|über|about)[\s,:]+)+"
    r"|[\s,]+(?:mein(?:e|te)? ich|war gemeint|natürlich|bitte|please|i mean(?:t)?|of course)[\s.!]*$",
    re.IGNORECASE,
)
_ARTICLE: Final = re.compile(r"^(?:die|der|das|den|dem|des|the|eine?[mnrs]?|an?)\s+", re.IGNORECASE)


def completed(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """Return the question that was asked back, with what the reader now says put in."""
    last = context.turns[-1]
    if not last.was_asked_back or last.offers or not _names_something(question):
        return None
    said = _FRAME.sub("", question.strip()).strip(" .,!")
    if not said:
        return None
    query = _put_in(last.question, said, context.language, directory)
    return rewritten(query, "completed", last, [Reference(question.strip(), query, last.number)])


def _names_something(question: str) -> bool:
    plain = question.strip()
    if plain.endswith("?") or len(plain.split()) > _MOST_WORDS:
        return False
    if any(form.match(plain) for form in (forms.QUESTION_WORD, forms.VERB_FIRST, forms.NO, forms.RETURN, forms.ALSO)):
        return False
    return route(plain, before=plain).by not in (RoutedBy.PATTERN, RoutedBy.ADVICE)


def _put_in(asked: str, said: str, language: str, directory: PartyDirectory) -> str:
    """In the place of "die Partei" or of the pronoun that pointed nowhere; in brackets where there is neither."""
    name = _ARTICLE.sub("", said)
    party = forms.THE_PARTY.search(asked) if directory.mentions(said) else None
    match = party or pronoun_in(asked, language, directory)
    if match is None:
        return f"{asked.rstrip(' ?.!')} ({said})?"
    if match.re is forms.ADVERB:
        name = f"{forms.ADVERBS[match.group().lower()]} {name}"
    elif match.re in (forms.POSSESSIVE, forms.DEMONSTRATIVE):
        return f"{asked.rstrip(' ?.!')} ({said})?"
    return asked[: match.start()] + name + asked[match.end() :]
