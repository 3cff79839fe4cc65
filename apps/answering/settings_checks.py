"""What a version of the settings may not say: numbers that contradict each other, prompts without what code needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.answering.language_models import model_deadlines, model_names
from apps.answering.settings_ranges import shipped_numbers
from apps.answering.settings_versions import ModelChoice
from apps.documents.embedding import get_embedder
from apps.rag.prompt_texts import MARKER_FORM

if TYPE_CHECKING:
    from apps.answering.models import AnswerSettings

_LONGEST_PROMPT: Final = 8_000
_ANSWER_PROMPTS: Final = ("answer_prompt_de", "answer_prompt_en")
_PROMPTS: Final = (*_ANSWER_PROMPTS, "rewrite_prompt_de", "rewrite_prompt_en")


def numbers_as_shipped() -> dict[str, float | None]:
    """Return what holds in this process where a field is left empty."""
    deadlines = model_deadlines()
    return shipped_numbers(get_embedder().name, deadlines.first_token, deadlines.whole)


def settings_errors(row: AnswerSettings) -> Mapping[str, str | Promise]:
    """Return a sentence for each field that cannot stay as it is."""
    errors: dict[str, str | Promise] = {}
    numbers = {
        name: getattr(row, name) if getattr(row, name) is not None else value
        for name, value in numbers_as_shipped().items()
    }
    if (numbers["passages_read"] or 0) > (numbers["top_k"] or 0):
        errors["passages_read"] = _("No more passages can be read than are found.")
    if (numbers["first_token_seconds"] or 0) > (numbers["whole_seconds"] or 0):
        errors["first_token_seconds"] = _("A model has to begin before it is done.")
    if row.model in (ModelChoice.FIRST, ModelChoice.SECOND) and ModelChoice(row.model) not in model_names():
        errors["model"] = _("This model is not set up. Ask the operator, or choose another.")
    for name in _PROMPTS:
        fault = _prompt_fault(name, getattr(row, name))
        if fault:
            errors[name] = fault
    return errors


def _prompt_fault(name: str, text: str) -> str | Promise:
    if len(text) > _LONGEST_PROMPT:
        return _("These rules are longer than %(most)s characters.") % {"most": _LONGEST_PROMPT}
    if text and name in _ANSWER_PROMPTS:
        for needed in (MARKER_FORM, "{unsupported}"):
            if needed not in text:
                return _("The rules must name %(needed)s: without it no answer passes the checks.") % {"needed": needed}
    return ""
