"""What went wrong with a file of rules, in the language of whoever looks."""

from __future__ import annotations

from django.utils.translation import gettext

from apps.rules.serialising import RuleFormatError


def format_text(error: RuleFormatError) -> str:
    """Return the error as a sentence in the language that is switched on."""
    return gettext(error.sentence) % error.params
