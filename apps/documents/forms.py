"""The forms of the documents' desk: upload files, fetch an address."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    INPUT_CLASSES,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldAdminURLInputWidget,
)

from apps.core.cleaning import clean_line
from apps.documents.models import Collection, Document, Party
from apps.documents.services import DocumentFacts


class _ManyFilesInput(UnfoldAdminFileFieldWidget):
    """The skin's own: its script writes the file's name into the nearest text field, which must not be one of ours."""

    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """Several files at once; the cleaned value is a list."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(widget=_ManyFilesInput(), **arguments)

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        files = data if isinstance(data, (list, tuple)) else [data]
        files = files or [None]
        # An empty file is told in its own line of the outcome, beside those that went well.
        self.allow_empty_file = True
        return [super(ManyFilesField, self).clean(file, initial) for file in files]


class FactsForm(forms.Form):
    """What an editor says about documents that come in together."""

    collection = forms.ModelChoiceField(
        Collection.objects.all(),
        label=_("Collection"),
        widget=UnfoldAdminSelectWidget,
        help_text=_("Decides who may see the documents and how they are cut."),
    )
    kind = forms.ChoiceField(
        choices=[("", "---------"), *Document.Kind.choices], label=_("Kind"), widget=UnfoldAdminSelectWidget
    )
    party = forms.ModelChoiceField(
        Party.objects.all(),
        label=_("Party"),
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text=_("Only when the party itself speaks, as in its programme."),
    )
    publisher = forms.CharField(label=_("Publisher"), max_length=120, required=False, widget=UnfoldAdminTextInputWidget)
    language = forms.CharField(
        label=_("Language"),
        max_length=8,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Two letters, e.g. de. Empty: told from each text."),
    )
    published = forms.DateField(
        label=_("Published"),
        required=False,
        # The browser's own calendar: no script is needed.
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": " ".join(INPUT_CLASSES)}),
        help_text=_("Empty: as the file says, if it says so."),
    )

    def facts(self) -> DocumentFacts:
        """Return what was filled in. Call after is_valid()."""
        given = self.cleaned_data
        return DocumentFacts(
            title=clean_line(given.get("title", ""), limit=300),
            kind=given["kind"],
            party=given["party"],
            publisher=given["publisher"],
            language=given["language"].lower(),
            published=given["published"],
        )


class UploadForm(FactsForm):
    """Files from the editor's machine."""

    uploads = ManyFilesField(
        label=_("Files"),
        help_text=_(
            "PDF, DOCX, ODT, HTML, Markdown, text, CSV, XLSX, e-mail, RSS or Atom; up to 50 files of 50 MB each. "
            "A file that is here already is left alone."
        ),
    )
    field_order = ("uploads",)


class FetchForm(FactsForm):
    """A web address: a page, a PDF or a feed."""

    address = forms.URLField(
        label=_("Address"),
        max_length=500,
        assume_scheme="https",
        widget=UnfoldAdminURLInputWidget,
        help_text=_("Of a page or a file; a feed brings all its articles. A known address becomes a new version."),
    )
    title = forms.CharField(
        label=_("Title"),
        max_length=300,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Empty: as the page calls itself."),
    )
    field_order = ("address", "title")
