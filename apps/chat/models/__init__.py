"""Tables of the reader's page: builder, shared answers, "How it works", suggestions, and who has asked how often."""

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
from apps.chat.models.suggestions import Suggestion

__all__ = [
    "AskCount",
    "BuilderPair",
    "BuilderQuery",
    "BuilderTemplate",
    "Facet",
    "GuideSection",
    "SharedAnswer",
    "Shown",
    "Suggestion",
    "ValidQuerySet",
    "check_placeholders",
]
