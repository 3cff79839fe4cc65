"""The rows of the rule form: documents, links to read on, examples. Rows name things by key and by title.

With scripts the key comes from a list of suggestions; without, the title that was typed is looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final
from uuid import UUID

from django import forms
from django.db.models import Q
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.core.cleaning import clean_line
from apps.documents.models import CuratedLink, Document
from apps.rules.forms.fields import INPUT, ChoiceField, LineField, NumberField
from apps.rules.models import Example, RuleDocument

MOST_ROWS: Final = 100
_MOST_TOKENS: Final = 1_000_000
_SUGGESTED: Final = 3


@dataclass(frozen=True, slots=True)
class Known:
    """Something a row can name."""

    key: str
    title: str


class KeyField(forms.CharField):
    """What a row means, hidden; anything unknown counts as nothing chosen."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.HiddenInput(attrs={"data-key": ""}))

    def clean(self, value: Any) -> str:
        return clean_line(str(value or ""), limit=600)


class DocumentRow(forms.Form):
    """One document and how much of it."""

    key = KeyField()
    title = LineField(
        max_length=300,
        label=gettext_lazy("Document"),
        help_text=gettext_lazy("Type part of the title, for example: postal vote."),
        widget=forms.TextInput(
            attrs={"class": INPUT, "data-pick": "document", "autocomplete": "off", "placeholder": " "}
        ),
    )
    scope = ChoiceField(
        choices=RuleDocument.Scope.choices, label=gettext_lazy("How much"), required=False, initial="full"
    )
    first = NumberField(least=1, most=100_000, label=gettext_lazy("From passage"))
    last = NumberField(least=1, most=100_000, label=gettext_lazy("Up to passage"))
    section = LineField(
        max_length=3000,
        label=gettext_lazy("Section"),
        help_text=gettext_lazy("Its headings from the top, for example: Application › Deadlines."),
        widget=forms.TextInput(attrs={"class": INPUT, "data-pick": "section", "autocomplete": "off"}),
    )
    most_tokens = NumberField(
        least=1,
        most=_MOST_TOKENS,
        label=gettext_lazy("At most tokens"),
        help_text=gettext_lazy("Whole passages up to this size, for example 2000. Empty: no limit of its own."),
    )

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        scope, first, last = given.get("scope") or "full", given.get("first"), given.get("last")
        given["scope"] = scope
        if not given.get("title"):
            return given
        if scope in ("first", "range") and last is None and "last" not in self.errors:
            self.add_error("last", _("Say up to which passage, for example 3."))
        if scope == "range" and first is None and "first" not in self.errors:
            self.add_error("first", _("Say from which passage, for example 2."))
        if scope == "range" and first and last and first > last:
            self.add_error("last", _("The last passage stands before the first. Swap the two numbers."))
        if scope == "section" and not given.get("section") and "section" not in self.errors:
            self.add_error("section", _("Choose the section, or hand over the whole document."))
        return given


class LinkRow(forms.Form):
    """One curated link."""

    key = KeyField()
    title = LineField(
        max_length=500,
        label=gettext_lazy("Curated link"),
        help_text=gettext_lazy("Type part of its title or its address, for example: what the parties want."),
        widget=forms.TextInput(attrs={"class": INPUT, "data-pick": "link", "autocomplete": "off"}),
    )


class ExampleRow(forms.Form):
    """One question that proves the rule."""

    question = LineField(
        max_length=512,
        label=gettext_lazy("Question"),
        help_text=gettext_lazy("As a reader would write it, for example: How do I vote by post?"),
    )
    must_match = ChoiceField(
        choices=[("yes", gettext_lazy("this rule must answer")), ("no", gettext_lazy("this rule must not answer"))],
        label=gettext_lazy("Expected"),
        required=False,
        initial="yes",
    )
    stage = ChoiceField(
        choices=[("", gettext_lazy("no matter how")), *Example.Stage.choices],
        label=gettext_lazy("How"),
        required=False,
    )


class OrderedFormSet(BaseFormSet):
    """Rows in the editor's order, also while some of them are wrong. ``stored`` is how many there were before."""

    absolute_max: int

    def __init__(self, *arguments: Any, stored: int = 0, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # Rows beyond the limit, which a file brought in, must not vanish when somebody saves the form.
        self.absolute_max = max(self.absolute_max, stored + 1)

    def rows(self) -> list[dict[str, Any]]:
        """Return what could be read of the rows that stay, in their order. Call after is_valid()."""
        kept = [form.cleaned_data for form in self.forms if form.cleaned_data and not form.cleaned_data.get("DELETE")]
        return sorted(kept, key=lambda row: (row.get("ORDER") is None, row.get("ORDER") or 0))

    def add_fields(self, form: forms.Form, index: int | None) -> None:
        super().add_fields(form, index)
        form.fields["ORDER"].widget.attrs.update({"class": INPUT, "data-order": ""})
        form.fields["ORDER"].label = gettext_lazy("Position")
        form.fields["DELETE"].widget.attrs["data-delete"] = ""
        form.fields["DELETE"].label = gettext_lazy("Remove")


class PickedFormSet(OrderedFormSet):
    """Rows that name something. ``kept`` are those that were linked before: they stay even when they are gone."""

    missing: ClassVar[Any] = ""
    several: ClassVar[Any] = ""

    def __init__(self, *arguments: Any, kept: Mapping[str, str] | None = None, **options: Any) -> None:
        self._kept = dict(kept or {})
        super().__init__(*arguments, **options)

    def find(self, keys: set[str], texts: set[str]) -> list[Known]:
        """Return what has one of these keys, or one of these texts in its title. One query."""
        raise NotImplementedError

    def clean(self) -> None:
        rows = [form for form in self.forms if form.cleaned_data.get("title") and not form.cleaned_data.get("DELETE")]
        if not rows:
            return
        keys = {form.cleaned_data["key"] for form in rows} | {form.cleaned_data["title"] for form in rows}
        known = self.find(keys, {form.cleaned_data["title"] for form in rows if not self._is_kept(form.cleaned_data)})
        by_key = {one.key: one for one in known}
        for form in rows:
            self._resolve(form, by_key, known)

    def _is_kept(self, row: Mapping[str, Any]) -> bool:
        return self._kept.get(row["key"]) == row["title"]

    def _resolve(self, form: forms.Form, by_key: Mapping[str, Known], known: Iterable[Known]) -> None:
        row = form.cleaned_data
        chosen = by_key.get(row["key"])
        if self._is_kept(row) or (chosen and chosen.title == row["title"]):
            return
        typed = row["title"].casefold()
        if row["title"] in by_key:
            hits = [by_key[row["title"]]]
        else:
            near = [one for one in known if typed in one.title.casefold()]
            hits = [one for one in near if one.title.casefold() == typed] or near
        if len(hits) == 1:
            row["key"], row["title"] = hits[0].key, hits[0].title
            return
        message = self.several if hits else self.missing
        titles = "; ".join(one.title for one in hits[:_SUGGESTED])
        form.add_error("title", message % {"text": row["title"][:80], "titles": titles})


class DocumentRows(PickedFormSet):
    missing = gettext_lazy("No document is called “%(text)s”. Type part of its title and choose it from the list.")
    several = gettext_lazy("Several documents are called so: %(titles)s. Choose one from the list.")

    def find(self, keys: set[str], texts: set[str]) -> list[Known]:
        wanted = Q(uuid__in=[UUID(key) for key in keys if is_uuid(key)])
        for text in texts:
            wanted |= Q(title__icontains=text)
        rows = Document.objects.filter(wanted).order_by("sort_key", "pk").values_list("uuid", "title")
        return [Known(str(uuid), title) for uuid, title in rows[:500]]


class LinkRows(PickedFormSet):
    missing = gettext_lazy("No curated link is called “%(text)s”. Add it under “Curated links” first.")
    several = gettext_lazy("Several curated links are called so: %(titles)s. Choose one from the list.")

    def find(self, keys: set[str], texts: set[str]) -> list[Known]:
        wanted = Q(address__in=keys)
        for text in texts:
            wanted |= Q(title__icontains=text)
        rows = CuratedLink.objects.filter(wanted).order_by("title", "pk").values_list("address", "title")
        return [Known(address, title) for address, title in rows[:500]]


def is_uuid(text: str) -> bool:
    """Say whether a text is a UUID as we write it."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _rows(row: type[forms.Form], rows: type[BaseFormSet]) -> Any:
    return formset_factory(
        row, rows, extra=1, can_order=True, can_delete=True, max_num=MOST_ROWS, absolute_max=MOST_ROWS + 1
    )


DocumentRowSet: Final = _rows(DocumentRow, DocumentRows)
LinkRowSet: Final = _rows(LinkRow, LinkRows)
ExampleRowSet: Final = _rows(ExampleRow, OrderedFormSet)
