"""The order of a backtest: which questions, how many, and which rules."""

from __future__ import annotations

import csv
import io
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from apps.core.cleaning import clean_line
from apps.rules.exchange.decoding import decode
from apps.rules.exchange.texts import format_text
from apps.rules.models import Backtest
from apps.rules.serialising import RuleFormatError, gettext_noop
from apps.rules.services.backtests import MOST_QUESTIONS

MOST_BYTES: Final = 5 * 2**20
_COLUMN_NAMES: Final = ("question", "questions", "frage", "fragen")


class BacktestForm(forms.Form):
    """Which questions are asked of the draft and of what is live."""

    origin = forms.ChoiceField(label=_("Questions"), choices=Backtest.Origin.choices, widget=UnfoldAdminSelectWidget)
    limit = forms.IntegerField(
        label=_("How many"),
        min_value=1,
        max_value=MOST_QUESTIONS,
        initial=1000,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text=_("The newest ones; at most 10,000."),
    )
    file = forms.FileField(
        label=_("List"),
        required=False,
        allow_empty_file=True,
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".txt,.csv,text/plain,text/csv"}),
        help_text=_(
            "Only for an uploaded list: a text file with one question per line, or a CSV file with a column "
            "“question”. Personal data is masked, and the list is deleted after 30 days."
        ),
    )

    def clean(self) -> dict[str, Any]:
        """Read the list, so that a bad file is told at its field."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        given["lines"] = []
        if given.get("origin") == Backtest.Origin.LIST and "file" not in self.errors:
            file = given.get("file")
            if file is None:
                self.add_error("file", _("Choose the file with the questions."))
            elif file.size > MOST_BYTES:
                self.add_error("file", _("The file is larger than %(size)s MB.") % {"size": MOST_BYTES // 2**20})
            else:
                self._read(given, file.read(), file.name or "")
        return given

    def _read(self, given: dict[str, Any], data: bytes, name: str) -> None:
        try:
            given["lines"] = read_questions(data, is_csv=name.lower().endswith(".csv"))
        except RuleFormatError as error:
            self.add_error("file", format_text(error))


def read_questions(data: bytes, *, is_csv: bool) -> list[str]:
    """Return the questions of a file: its lines, or the column of a table. Raises RuleFormatError."""
    text = decode(data)
    lines = _column(text) if is_csv else text.splitlines()
    questions = [line for line in (clean_line(line, limit=2_000) for line in lines) if line]
    if not questions:
        raise RuleFormatError(gettext_noop("The file has no questions."))
    if len(questions) > MOST_QUESTIONS:
        sentence = gettext_noop("The file has %(count)s questions. At most %(most)s can be asked; shorten it.")
        raise RuleFormatError(sentence, count=len(questions), most=MOST_QUESTIONS)
    return questions


def _column(text: str) -> list[str]:
    """Return the column with a known name, else the first one whole."""
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]
    except csv.Error as error:
        raise RuleFormatError(gettext_noop("The table cannot be read: a cell is far too long.")) from error
    names = [cell.strip().lower() for cell in rows[0]] if rows else []
    place = next((names.index(name) for name in _COLUMN_NAMES if name in names), None)
    if place is None:
        return [row[0] for row in rows]
    return [row[place] for row in rows[1:] if len(row) > place]
