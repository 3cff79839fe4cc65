"""What a reader types."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from apps.core.cleaning import clean_line


class QuestionForm(forms.Form):
    """One question, cleaned at the door: typed, or one of the offered ones that the reader pressed."""

    question = forms.CharField(
        label=_("Your question"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={
                "rows": 2,
                "maxlength": settings.QUESTION_MAX_CHARACTERS,
                "autocomplete": "off",
                "enterkeyhint": "send",
                "aria-describedby": "question-hint",
                "required": True,
            }
        ),
    )
    conversation = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        attrs = self.fields["question"].widget.attrs
        # The second takes the first one's place once there is an answer (static/js/chat.js).
        attrs["placeholder"] = _("For example: How do I apply for a postal vote?")
        attrs["data-next"] = _("Ask a follow-up …")
        if self.initial.get("conversation"):
            attrs["placeholder"] = attrs["data-next"]

    def clean_question(self) -> str:
        """Return the question on one line; a longer one is refused rather than cut in the middle of its meaning."""
        # A pressed suggestion has a name of its own: the empty field is sent beside it.
        words = str(self.data.get("suggestion", "")) or self.cleaned_data["question"]
        text = clean_line(words, limit=settings.QUESTION_MAX_CHARACTERS + 1)
        if not text:
            raise forms.ValidationError(_("Please type a question first."))
        if len(text) > settings.QUESTION_MAX_CHARACTERS:
            raise forms.ValidationError(
                _("Please shorten your question to %(limit)d characters.") % {"limit": settings.QUESTION_MAX_CHARACTERS}
            )
        return text
