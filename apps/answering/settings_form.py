"""The form of a draft: shipped values stand in empty fields, shipped rules in the text areas."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from apps.answering.models import AnswerSettings
from apps.answering.settings_checks import numbers_as_shipped
from apps.answering.settings_fields import CONTENT, PROMPTS, number_text, range_text, shipped_text
from apps.answering.settings_ranges import RANGES
from apps.core.cleaning import clean_text


class AnswerSettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """Every field may be left as it is shipped. Rules that are the shipped ones are stored as "shipped"."""

    class Meta:
        model = AnswerSettings
        fields = ("title", *CONTENT)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._show_shipped_numbers()
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
        return cleaned
