"""The forms of import and export."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from apps.core.cleaning import clean_line
from apps.rules.exchange.files import MOST_BYTES
from apps.rules.models import Release

_MOST_RELEASES = 50


class ImportForm(forms.Form):
    """A file of rules, and why they come."""

    file = forms.FileField(
        label=_("File"),
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.xlsx,.json,text/csv"}),
        help_text=_("CSV (UTF-8, with commas or semicolons), XLSX or JSON; up to 20 MB."),
        allow_empty_file=True,
    )
    comment = forms.CharField(
        label=_("Why"),
        max_length=300,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Stands in the history of every rule that changes."),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            # Before it is read into memory.
            raise forms.ValidationError(_("The file is larger than %(size)s MB."), params={"size": MOST_BYTES // 2**20})
        return file

    def clean_comment(self) -> str:
        return clean_line(self.cleaned_data["comment"], limit=300)


class ExportForm(forms.Form):
    """Which rules, as they stand where, and in which format."""

    source = forms.ChoiceField(label=_("Rules"), widget=UnfoldAdminSelectWidget)
    format = forms.ChoiceField(
        label=_("Format"),
        widget=UnfoldAdminSelectWidget,
        choices=[
            ("csv", _("CSV with semicolons, for German spreadsheet programs")),
            ("csv-comma", _("CSV with commas")),
            ("xlsx", _("XLSX")),
            ("json", _("JSON")),
        ],
        help_text=_("Every format holds everything and can be imported again."),
    )

    def __init__(self, *arguments: Any, is_chosen: bool = False, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        draft = _("the chosen rules as they are on the desk") if is_chosen else _("all rules as they are on the desk")
        releases = Release.objects.order_by("-number").values_list("number", "comment")[:_MOST_RELEASES]
        label = _("Release %(number)s: %(comment)s")
        labels = [
            (f"release-{number}", label % {"number": number, "comment": comment[:60]}) for number, comment in releases
        ]
        source: Any = self.fields["source"]
        source.choices = [("draft", draft), *labels]
