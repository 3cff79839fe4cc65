"""The forms of the evaluation: a question, an import, an export, an order."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from import_export.widgets import Widget
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.answering.models import AnswerSettings
from apps.core.cleaning import clean_line, clean_text
from apps.evaluation.exchange.cells import LanguageCell, LinesCell, ReferencesCell, TurnCell
from apps.evaluation.exchange.files import MOST_BYTES
from apps.evaluation.models import EvaluationRun, Question, QuestionSet
from apps.evaluation.serialising import LISTS
from apps.rules.exchange.formulas import unguard

MOST_QUESTIONS: Final = 100_000


class CellField(forms.CharField):
    """Lines of a text field, read and written as a cell of a table is."""

    def __init__(self, cell: LinesCell | ReferencesCell, **arguments: Any) -> None:
        widget = UnfoldAdminTextareaWidget(attrs={"rows": 3})
        super().__init__(required=False, widget=widget, max_length=20_000, strip=False, **arguments)
        self.cell = cell

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return value
        # A form calculates nothing: what keeps spreadsheet programs from it stays out.
        return unguard(self.cell.render(value))

    def clean(self, value: Any) -> Any:
        text = clean_text(str(super().clean(value) or ""))
        return _cleaned(self.cell, text)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return str(self.prepare_value(initial) or "").strip() != str(data or "").replace("\r\n", "\n").strip()


def _cleaned(cell: Widget, value: Any) -> Any:
    """Return a value as the same cell of a file is read."""
    try:
        return cell.clean(value)
    except ValueError as error:
        raise ValidationError(str(error)) from error


def _field(name: str, cell: LinesCell | ReferencesCell, help_text: Any = None) -> CellField:
    column: Any = Question._meta.get_field(name)
    return CellField(cell, label=column.verbose_name, help_text=help_text or column.help_text)


class QuestionForm(forms.ModelForm):  # type: ignore[type-arg]
    """One question with what is expected. Lists stand in lines."""

    references = _field(
        "references",
        ReferencesCell(),
        _("One per line: the document's address or title, “|”, and words as they stand there."),
    )
    allowed = _field(
        "allowed",
        LinesCell(nobody=True),
        _("In the stand-alone query, one per line; “-” for none at all. Empty: not judged."),
    )
    forbidden, must, forbidden_additions, offers, items, choices, queries, legal_basis, absent = (
        _field(name, LinesCell()) for name in LISTS
    )

    class Meta:
        model = Question
        labels = {"number": _("place in the conversation")}
        fields = (
            *("question_set", "key", "number", "text", "language", "kind", "subkind"),
            *("expected", "decision", "references", "needs", "speaker", "forbidden"),
            *("allowed", "must", "forbidden_additions", "offers", "items", "choices", "queries"),
            *("topic", "party", "legal_basis", "absent", "has_typo", "note"),
        )

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        for field in self.fields.values():
            field.label = capfirst(field.label)

    def clean_text(self) -> str:
        return clean_line(self.cleaned_data["text"], limit=500)

    def clean_language(self) -> str:
        return str(_cleaned(LanguageCell(), self.cleaned_data["language"]))

    def clean_number(self) -> int:
        return int(_cleaned(TurnCell(), self.cleaned_data["number"]))

    def clean_key(self) -> str:
        return clean_line(self.cleaned_data["key"], limit=80)


class ImportForm(forms.Form):
    """A file of questions. Without a set it makes one, which needs a name."""

    file = forms.FileField(
        label=_("File"),
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.json,text/csv,application/json"}),
        help_text=_("CSV (UTF-8, with commas or semicolons) or JSON; up to 10 MB."),
        allow_empty_file=True,
    )
    name = forms.CharField(
        label=_("Name of the new set"), max_length=120, required=False, widget=UnfoldAdminTextInputWidget
    )
    is_whole = forms.BooleanField(
        label=_("The file is the whole set"),
        required=False,
        widget=UnfoldBooleanSwitchWidget,
        help_text=_("Questions that it lacks are removed from the set. Otherwise they stay."),
    )

    def __init__(self, *arguments: Any, is_new: bool = False, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        del self.fields["is_whole" if is_new else "name"]
        if is_new:
            self.fields["name"].required = True

    def clean_name(self) -> str:
        return clean_line(self.cleaned_data["name"], limit=120)

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            # Before it is read into memory.
            raise ValidationError(_("The file is larger than %(size)s MB."), params={"size": MOST_BYTES // 2**20})
        return file


class ExportForm(forms.Form):
    """In which format a set is sent."""

    format = forms.ChoiceField(
        label=_("Format"),
        widget=UnfoldAdminSelectWidget,
        choices=[
            ("csv", _("CSV with semicolons, for German spreadsheet programs")),
            ("csv-comma", _("CSV with commas")),
            ("json", _("JSON")),
        ],
        help_text=_("Every format holds everything and can be imported again."),
    )


class OrderForm(forms.Form):
    """Which sets are asked."""

    sets = forms.ModelMultipleChoiceField(
        QuestionSet.objects.none(),
        label=_("Question sets"),
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        error_messages={"required": _("Choose at least one set.")},
    )
    answer_settings = forms.ModelChoiceField(
        AnswerSettings.objects.none(),
        label=_("Answer settings"),
        required=False,
        empty_label=_("those in force"),
        widget=UnfoldAdminSelectWidget,
        help_text=_("Another version, or a draft, shows what readers would get with it."),
    )
    note = forms.CharField(
        label=_("Note"),
        max_length=200,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("What is tried out, for example a new prompt. It stands beside the run in the list."),
    )
    most = forms.IntegerField(
        label=_("At most"),
        min_value=1,
        max_value=MOST_QUESTIONS,
        required=False,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text=_("So many questions or conversations, evenly spread over the sets. Empty: all."),
    )

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        sets: Any = self.fields["sets"]
        sets.queryset = QuestionSet.objects.counted().order_by("name")
        sets.label_from_instance = lambda each: f"{each.name} ({each.question_count})"
        versions: Any = self.fields["answer_settings"]
        versions.queryset = AnswerSettings.objects.order_by("-number", "-updated_at")
        versions.label_from_instance = settings_label

    def clean_note(self) -> str:
        return clean_line(self.cleaned_data["note"], limit=200)


class CompareForm(forms.Form):
    """The run that another is compared with."""

    before = forms.ModelChoiceField(
        EvaluationRun.objects.none(), label=_("Compare with"), widget=UnfoldAdminSelectWidget
    )

    def __init__(self, run: EvaluationRun, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        others: Any = self.fields["before"]
        others.queryset = EvaluationRun.objects.comparable_with(run)
        others.label_from_instance = _run_label


def settings_label(version: AnswerSettings) -> str:
    """Return a version of the answer settings as lists name it."""
    if version.number is None:
        return _("Draft: %(title)s") % {"title": version.title}
    return _("Version %(number)s: %(title)s") % {"number": version.number, "title": version.title}


def _run_label(run: EvaluationRun) -> str:
    from django.utils.formats import date_format
    from django.utils.timezone import localtime

    parts = [date_format(localtime(run.created_at), "SHORT_DATETIME_FORMAT"), run.title, run.note]
    return " · ".join(part for part in parts if part)
