"""What "Try a question" asks for: the question, and who asks it when."""

from __future__ import annotations

from typing import Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from apps.language.guessing import guess_language
from apps.rules.forms.fields import ChoiceField, LineField, MomentField, WordsField
from apps.rules.models import Rule
from apps.rules.types import MatchContext

# Longer than a reader may write, so that the desk sees what the engine cuts.
MOST_CHARACTERS: Final = 2_000


class TryForm(forms.Form):
    """A question as a reader would send it. Nothing of it is stored."""

    try_question = LineField(
        max_length=MOST_CHARACTERS,
        label=gettext_lazy("A reader's question"),
        help_text=gettext_lazy("For example: How do I vote by post? Nothing of it is stored."),
    )
    try_language = LineField(
        max_length=8,
        label=gettext_lazy("Language"),
        help_text=gettext_lazy("Two letters, for example en. Empty: told from the question."),
    )
    try_audience = ChoiceField(
        choices=Rule.Audience.choices, label=gettext_lazy("Who asks"), required=False, initial=Rule.Audience.READERS
    )
    try_choices = WordsField(
        word_length=80,
        label=gettext_lazy("Clicked in the question builder"),
        help_text=gettext_lazy("For example: housing, rent."),
    )
    try_moment = MomentField(
        label=gettext_lazy("Moment"), help_text=gettext_lazy("For example the evening of election day. Empty: now.")
    )

    def context(self) -> MatchContext:
        """Return who asks and when; what cannot be read counts as left empty. Call after ``is_valid()``."""
        given = self.cleaned_data
        return MatchContext(
            now=given.get("try_moment") or timezone.now(),
            language=given.get("try_language", "").lower() or guess_language(given.get("try_question", "")),
            audience=given.get("try_audience") or Rule.Audience.READERS.value,
            builder_choices=frozenset(given.get("try_choices", ())),
        )
