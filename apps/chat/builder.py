"""The question builder for readers: its buttons, what a combination becomes, and what has no sources."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.chat.composing import (
    MOST_PARTIES,
    MOST_TOPICS,
    Choice,
    Composed,
    FacetKind,
    Problem,
    Takes,
    Template,
    compose,
)
from apps.chat.models import BuilderPair, BuilderTemplate, Facet
from apps.language.normalising import fold

RANDOM: Final = "random"
# Far more than there are buttons: what is sent by hand is not looked up without end.
_MOST_SENT: Final = 40
_SLUG: Final = re.compile(r"[-\w]{1,50}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Button:
    """One button as a page shows it."""

    slug: str
    kind: str
    label: str
    party_slug: str
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class Builder:
    """All buttons by kind, and the pairs of a topic with a party or role that have no answer in the sources.

    ``is_random`` tells that the parties are shuffled for every reader, else they stand by name.
    """

    roles: tuple[Button, ...]
    topics: tuple[Button, ...]
    parties: tuple[Button, ...]
    unsourced: tuple[tuple[str, str], ...]
    is_random: bool

    def __bool__(self) -> bool:
        return bool(self.topics or self.parties)

    @property
    def kinds(self) -> list[tuple[str, str, tuple[Button, ...]]]:
        """Return kind, heading and buttons in the order of the page."""
        return [
            ("topic", _("Topic"), self.topics),
            ("party", _("Parties"), self.parties),
            ("role", _("Your situation"), self.roles),
        ]

    @property
    def for_script(self) -> dict[str, object]:
        """Return what the script needs to switch buttons off, with the sentence for each."""
        labels = {button.slug: button.label for button in (*self.roles, *self.topics, *self.parties)}
        pairs = [
            [topic, other, unsourced_text(labels[topic], labels[other])]
            for topic, other in self.unsourced
            if topic in labels and other in labels
        ]
        return {"pairs": pairs, "mostTopics": MOST_TOPICS, "mostParties": MOST_PARTIES}


def builder_for(language: str, chosen: Collection[str] = (), random: Random | None = None) -> Builder:
    """Return the builder as a reader sees it now. Two queries."""
    facets = list(Facet.objects.shown(timezone.localdate()).select_related("party"))
    is_random = settings.BUILDER_PARTY_ORDER == RANDOM
    by_kind: dict[str, list[Button]] = {kind.value: [] for kind in FacetKind}
    for facet in facets:
        by_kind[facet.kind].append(
            Button(
                facet.slug,
                facet.kind,
                facet.shown_label(language),
                facet.party.slug if facet.party else "",
                facet.slug in chosen,
            )
        )
    parties = sorted(by_kind["party"], key=lambda button: fold(button.label))
    if is_random:
        (random or Random()).shuffle(parties)
    pairs = BuilderPair.objects.filter(is_sourced=False).values_list("topic__slug", "other__slug")
    return Builder(tuple(by_kind["role"]), tuple(by_kind["topic"]), tuple(parties), tuple(pairs), is_random)


def choices_of(slugs: Iterable[str], language: str) -> tuple[Choice, ...]:
    """Return the choices behind these names that readers may press now, each once, in the order of the desk.

    Parties stand by name, whatever the desk's order. Unknown names are left out: a button may have been switched off
    while the page was open.
    """
    wanted = list(dict.fromkeys(slugs))[:_MOST_SENT]
    known = [slug for slug in wanted if _SLUG.fullmatch(slug)]
    facets = sorted(
        Facet.objects.shown(timezone.localdate()).filter(slug__in=known),
        key=lambda each: fold(each.shown_label(language)) if each.kind == Facet.Kind.PARTY else "",
    )
    return tuple(Choice(each.slug, FacetKind(each.kind), each.shown_phrase(language)) for each in facets)


def composed(choices: Sequence[Choice], language: str) -> Composed:
    """Return what a combination becomes by the templates of now."""
    return compose(choices, templates_for(language), language) if choices else Composed(problem=Problem.NOTHING)


def templates_for(language: str) -> list[Template]:
    """Return the templates that are switched on. Three queries, however many there are."""
    rows = BuilderTemplate.objects.shown(timezone.localdate()).prefetch_related("queries", "only")
    return [template_of(row, language) for row in rows]


def template_of(row: BuilderTemplate, language: str) -> Template:
    """Return one template in a language."""
    is_english = language == "en"
    return Template(
        name=row.name,
        takes=(Takes(row.roles), Takes(row.topics), Takes(row.parties)),
        question=row.question_en if is_english else row.question,
        queries=tuple(query.text_en if is_english else query.text for query in row.queries.all()),
        only=frozenset(facet.slug for facet in row.only.all()),
        order=row.order,
    )


def queries_behind(question: str, slugs: Sequence[str], language: str) -> tuple[str, ...]:
    """Return the queries of a combination; none where the reader has changed the question: it stands for itself."""
    if not slugs:
        return ()
    becomes = composed(choices_of(slugs, language), language)
    return becomes.queries if becomes.question == question else ()


def unsourced_among(choices: Sequence[Choice]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of phrases, topic first, that a check found no answer for."""
    topics = {choice.slug: choice.phrase for choice in choices if choice.kind is FacetKind.TOPIC}
    others = {choice.slug: choice.phrase for choice in choices if choice.kind is not FacetKind.TOPIC}
    pairs = BuilderPair.objects.filter(is_sourced=False, topic__slug__in=topics, other__slug__in=others)
    return tuple((topics[topic], others[other]) for topic, other in pairs.values_list("topic__slug", "other__slug"))


def unsourced_text(topic: str, other: str) -> str:
    """Return the sentence for a pair without sources."""
    return _("Our sources say nothing on %(topic)s together with %(other)s.") % {"topic": topic, "other": other}


def problem_text(problem: Problem) -> str:
    """Return what a reader can do where a combination becomes no question."""
    match problem:
        case Problem.NOTHING:
            return _("Choose a topic or a party.")
        case Problem.TOO_MANY_ROLES:
            return _("Choose one role at most.")
        case Problem.TOO_MANY_TOPICS:
            return ngettext("Choose %(most)d topic at most.", "Choose %(most)d topics at most.", MOST_TOPICS) % {
                "most": MOST_TOPICS
            }
        case Problem.TOO_MANY_PARTIES:
            return ngettext("Choose %(most)d party at most.", "Choose %(most)d parties at most.", MOST_PARTIES) % {
                "most": MOST_PARTIES
            }
        case Problem.NO_TEMPLATE:
            return _("There is no question for this combination yet. Add a topic or a party, or take one away.")
        case Problem.TOO_LONG:
            return _("This combination makes a question that is too long. Take something away.")


def builder_choices() -> frozenset[str]:
    """Return the names of all buttons, for the rules' desk. Port ``rules.builder_choices``."""
    return frozenset(Facet.objects.values_list("slug", flat=True))
