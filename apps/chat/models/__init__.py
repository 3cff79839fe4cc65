"""Tables of the reader's page: the question builder, shared answers, "How it works", and who has asked how often."""

from apps.chat.models.asking import AskCount
from apps.chat.models.builder import (
    BuilderPair,
    BuilderQuery,
    BuilderTemplate,
    Facet,
    Shown,
    ValidQuerySet,
    check_placeholders,
)
from apps.chat.models.guide import GuideSection
from apps.chat.models.sharing import SharedAnswer

__all__ = [
    "AskCount",
    "BuilderPair",
    "BuilderQuery",
    "BuilderTemplate",
    "Facet",
    "GuideSection",
    "SharedAnswer",
    "Shown",
    "ValidQuerySet",
    "check_placeholders",
]
