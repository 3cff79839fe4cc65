"""The form of a draft: shipped values stand in empty fields, shipped rules in the text areas."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.answering.models import AnswerSettings
from apps.answering.settings_checks import numbers_as_shipped
from apps.answering.settings_fields import CONTENT, PROMPTS, number_text, range_text, shipped_text, state_of
from apps.answering.settings_ranges import RANGES
from apps.core.cleaning import clean_text


class AnswerSettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """Every field may be left as it is shipped. Rules that are the shipped ones are stored as "shipped".

    Two editors may have one draft open: whoever saves second is told once, and nothing of either is lost.
    """

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = AnswerSettings
        fields = ("title", *CONTENT)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._show_shipped_numbers()
        if self.instance.pk and "seen" in self.fields:
            self.initial["seen"] = state_of(self.instance)
        for name in PROMPTS:
            if name in self.fields:
                self.fields[name].required = False
                self.fields[name].widget.attrs.update({"rows": 18, "lang": name[-2:], "spellcheck": "true"})
                if not self.initial.get(name):
                    self.initial[name] = shipped_text(name)

    def _show_shipped_numbers(self) -> None:
        shipped = numbers_as_shipped()
        for name in RANGES:
            field = self.fields.get(name)
            if field is None:
                continue
            value = shipped[name]
            said = number_text(value) if value is not None else _("as measured")
            field.widget.attrs["placeholder"] = said
            allowed = _("%(range)s; empty: as shipped (%(value)s).") % {"range": range_text(name), "value": said}
            field.help_text = f"{field.help_text} {allowed}"

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for name in PROMPTS:
            text = clean_text(cleaned.get(name) or "").replace("\r\n", "\n").replace("\r", "\n").strip()
            cleaned[name] = "" if text == shipped_text(name).strip() or not text else f"{text}\n"
        self._check_unchanged(cleaned)
        return cleaned

    def _check_unchanged(self, cleaned: dict[str, Any]) -> None:
        """Refuse once what would be written over another's words; the next save is meant so."""
        stored = self.instance
        seen, now = cleaned.get("seen"), state_of(stored) if stored.pk else ""
        differing = [name for name in ("title", *CONTENT) if name in cleaned and cleaned[name] != getattr(stored, name)]
        if not (seen and now and seen != now and differing):
            return
        data = cast(QueryDict, self.data).copy()
        data["seen"] = now
        self.data = data
        labels = ", ".join(str(self.fields[name].label) for name in differing)
        said = _(
            "Nothing was saved: somebody else has changed this draft meanwhile. Theirs differs from yours in: "
            "%(fields)s. What you wrote is still here; save again to put it in the place of theirs."
        )
        raise forms.ValidationError(said % {"fields": labels})
