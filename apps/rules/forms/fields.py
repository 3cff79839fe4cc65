"""Fields and widgets of the rule form: cleaned at the door, dressed for the back office, plain without scripts."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from unfold.widgets import (
    BASE_INPUT_CLASSES,
    CHECKBOX_CLASSES,
    SELECT_CLASSES,
    TEXTAREA_CLASSES,
    TEXTAREA_EXPANDABLE_CLASSES,
)

from apps.core.cleaning import clean_line, clean_text
from apps.rules.forms.writing import words_read

INPUT: Final = " ".join(BASE_INPUT_CLASSES)
# With the browser's own arrow: the skin draws none.
SELECT: Final = " ".join(kind for kind in SELECT_CLASSES if kind not in ("max-w-2xl", "appearance-none", "pr-8!"))
CHECKBOX: Final = " ".join(CHECKBOX_CLASSES)
# Grows with what is typed, by itself in the browsers that can.
TEXTAREA: Final = " ".join([*TEXTAREA_CLASSES, *TEXTAREA_EXPANDABLE_CLASSES]).replace("!max-w-2xl", "max-w-none")
# Beyond these a moment has no other zone's clock, and no election has a year.
FIRST_YEAR: Final = 1950
LAST_YEAR: Final = 2200


class LineField(forms.CharField):
    """Text on one line, cleaned; too long is an error, not a cut."""

    def __init__(self, *, max_length: int, **arguments: Any) -> None:
        arguments.setdefault("widget", forms.TextInput(attrs={"class": INPUT}))
        super().__init__(max_length=max_length, required=arguments.pop("required", False), **arguments)
        self._limit = max_length

    def to_python(self, value: Any) -> str:
        # One more than fits, so that the length check still sees what is too long.
        return clean_line(str(value or ""), limit=self._limit + 1)


class LinesField(forms.CharField):
    """Text of many lines, cleaned; each line has its own limit."""

    def __init__(
        self, *, max_length: int, line_length: int | None = None, most_lines: int = 2_000, **arguments: Any
    ) -> None:
        rows = arguments.pop("rows", 3)
        arguments.setdefault("widget", forms.Textarea(attrs={"class": TEXTAREA, "rows": rows}))
        super().__init__(max_length=max_length, required=False, **arguments)
        self._limit, self._line_limit, self._most_lines = max_length, line_length, most_lines

    def to_python(self, value: Any) -> str:
        return clean_text(str(value or ""), limit=self._limit + 1).strip()

    def validate(self, value: str) -> None:
        super().validate(value)
        if self._line_limit is None:
            return
        lines = value.split("\n")
        if len(lines) > self._most_lines:
            raise ValidationError(_("At most %(most)s lines fit here.") % {"most": self._most_lines})
        long = next((number for number, line in enumerate(lines, 1) if len(line) > self._line_limit), None)
        if long:
            raise ValidationError(
                _("Line %(number)s is longer than %(most)s characters. Shorten it.")
                % {"number": long, "most": self._line_limit}
            )


class WordsField(LineField):
    """Words between commas; the cleaned value is a tuple."""

    def __init__(self, *, word_length: int, **arguments: Any) -> None:
        super().__init__(max_length=1000, **arguments)
        self._word_length = word_length

    def clean(self, value: Any) -> Any:
        words = words_read(super().clean(value))
        long = next((word for word in words if len(word) > self._word_length), None)
        if long:
            raise ValidationError(
                _("“%(word)s…” is longer than %(most)s characters. Separate words with commas.")
                % {"word": long[:20], "most": self._word_length}
            )
        return words


class MomentField(forms.DateTimeField):
    """A date with time in the newsroom's zone, to the second, with the browser's own calendar."""

    def __init__(self, **arguments: Any) -> None:
        widget = forms.DateTimeInput(
            format="%Y-%m-%dT%H:%M:%S", attrs={"type": "datetime-local", "class": INPUT, "step": 1}
        )
        bounds = [
            MinValueValidator(datetime(FIRST_YEAR, 1, 1, tzinfo=UTC)),
            MaxValueValidator(datetime(LAST_YEAR, 1, 1, tzinfo=UTC)),
        ]
        super().__init__(required=False, widget=widget, validators=bounds, **arguments)


class DayField(forms.DateField):
    """A date with the browser's own calendar."""

    def __init__(self, **arguments: Any) -> None:
        widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": INPUT})
        bounds = [MinValueValidator(date(FIRST_YEAR, 1, 1)), MaxValueValidator(date(LAST_YEAR, 1, 1))]
        super().__init__(required=False, widget=widget, validators=bounds, **arguments)


class NumberField(forms.IntegerField):
    """A whole number."""

    def __init__(self, *, least: int, most: int, **arguments: Any) -> None:
        super().__init__(
            min_value=least,
            max_value=most,
            required=arguments.pop("required", False),
            widget=forms.NumberInput(attrs={"class": INPUT}),
            **arguments,
        )


class ChoiceField(forms.ChoiceField):
    """One of a few."""

    def __init__(self, **arguments: Any) -> None:
        required = arguments.pop("required", True)
        super().__init__(required=required, widget=forms.Select(attrs={"class": SELECT}), **arguments)


class TickField(forms.BooleanField):
    """Yes or no."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(required=False, widget=forms.CheckboxInput(attrs={"class": CHECKBOX}), **arguments)
