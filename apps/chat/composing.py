"""What a combination of the question builder becomes: a question in readable words and the queries behind it. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

MOST_PARTIES: Final = 8
MOST_TOPICS: Final = 3
MOST_QUERIES: Final = 4
MOST_CHARACTERS: Final = 500
_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
_AND: Final = {"de": "und", "en": "and"}


class FacetKind(StrEnum):
    """What a choice is."""

    ROLE = "role"
    TOPIC = "topic"
    PARTY = "party"


class Takes(StrEnum):
    """How many choices of a kind a template is for."""

    NONE = "none"
    ONE = "one"
    SEVERAL = "several"


class Problem(StrEnum):
    """Why a combination becomes no question."""

    NOTHING = "nothing"
    TOO_MANY_ROLES = "too_many_roles"
    TOO_MANY_TOPICS = "too_many_topics"
    TOO_MANY_PARTIES = "too_many_parties"
    NO_TEMPLATE = "no_template"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Choice:
    """One button that was pressed; ``phrase`` is how it stands in a question, ``slug`` what rules know it by."""

    slug: str
    kind: FacetKind
    phrase: str


@dataclass(frozen=True, slots=True)
class Template:
    """What editors wrote for a kind of combination, in one language. ``only`` are slugs that must all be chosen."""

    name: str
    takes: tuple[Takes, Takes, Takes]
    question: str
    queries: tuple[str, ...] = ()
    only: frozenset[str] = frozenset()
    order: int = 0

    def fits(self, choices: Sequence[Choice]) -> bool:
        """Say whether the template is for so many roles, topics and parties, and for these."""
        counts = [sum(choice.kind is kind for choice in choices) for kind in FacetKind]
        return self.only <= {choice.slug for choice in choices} and all(
            _counts(takes, count) for takes, count in zip(self.takes, counts, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Composed:
    """The question as it stands in the field, and what is searched for it; or why there is none."""

    question: str = ""
    queries: tuple[str, ...] = ()
    template: str = ""
    problem: Problem | None = field(default=None)


def compose(choices: Sequence[Choice], templates: Iterable[Template], language: str) -> Composed:
    """Return what a combination becomes; the template for the most particular choices counts, then the first one.

    Several topics become one query each, at most MOST_QUERIES; parties stay together in one query, since the answer
    compares them. Never raises.
    """
    problem = _too_many(choices)
    if problem is not None:
        return Composed(problem=problem)
    fitting = [template for template in templates if template.fits(choices)]
    if not fitting:
        return Composed(problem=Problem.NO_TEMPLATE)
    best = min(fitting, key=lambda each: (-len(each.only), each.order, each.name))
    question = filled(best.question, choices, language)
    if len(question) > MOST_CHARACTERS:
        return Composed(template=best.name, problem=Problem.TOO_LONG)
    queries = dict.fromkeys(query for text in best.queries for query in _spread(text, choices, language))
    return Composed(question, tuple(queries)[:MOST_QUERIES], best.name)


def filled(text: str, choices: Sequence[Choice], language: str) -> str:
    """Return a template's text with its placeholders replaced by the choices' phrases."""
    words = {kind.value: _listed([c.phrase for c in choices if c.kind is kind], language) for kind in FacetKind}
    return _PLACEHOLDER.sub(lambda found: words.get(found[1], found[0]), text)


def wrong_placeholders(text: str, takes: Collection[tuple[FacetKind, Takes]]) -> tuple[str, ...]:
    """Return the placeholders that nothing will be put into: unknown ones, and those of a kind that is not chosen."""
    known = {kind.value for kind, count in takes if count is not Takes.NONE}
    return tuple(dict.fromkeys(name for name in _PLACEHOLDER.findall(text) if name not in known))


def missing_placeholders(text: str, takes: Collection[tuple[FacetKind, Takes]]) -> tuple[str, ...]:
    """Return the kinds that are chosen and would not be named in the question."""
    named = set(_PLACEHOLDER.findall(text))
    return tuple(kind.value for kind, count in takes if count is not Takes.NONE and kind.value not in named)


def _counts(takes: Takes, count: int) -> bool:
    match takes:
        case Takes.NONE:
            return count == 0
        case Takes.ONE:
            return count == 1
        case Takes.SEVERAL:
            return count > 1


def _too_many(choices: Sequence[Choice]) -> Problem | None:
    counts = {kind: sum(choice.kind is kind for choice in choices) for kind in FacetKind}
    if not choices:
        return Problem.NOTHING
    if counts[FacetKind.ROLE] > 1:
        return Problem.TOO_MANY_ROLES
    if counts[FacetKind.TOPIC] > MOST_TOPICS:
        return Problem.TOO_MANY_TOPICS
    return Problem.TOO_MANY_PARTIES if counts[FacetKind.PARTY] > MOST_PARTIES else None


def _spread(text: str, choices: Sequence[Choice], language: str) -> list[str]:
    """One query for each topic; other choices stay together."""
    topics = [choice for choice in choices if choice.kind is FacetKind.TOPIC]
    if "{topic}" not in text or len(topics) < 2:
        return [filled(text, choices, language)]
    others = [choice for choice in choices if choice.kind is not FacetKind.TOPIC]
    return [filled(text, [*others, topic], language) for topic in topics]


def _listed(phrases: Sequence[str], language: str) -> str:
    if len(phrases) < 2:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} {_AND.get(language, _AND['en'])} {phrases[-1]}"
