"""The rule form: one field for everything a rule says, in the order an editor thinks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.rules.forms.fields import (
    CHECKBOX,
    INPUT,
    SELECT,
    TEXTAREA,
    ChoiceField,
    DayField,
    LineField,
    LinesField,
    MomentField,
    NumberField,
    TickField,
    WordsField,
)
from apps.rules.forms.rows import DocumentRowSet, ExampleRowSet, KeyField, LinkRowSet
from apps.rules.models import Rule
from apps.rules.types import RuleSpec

LISTS: Final = ("core", "anchor", "exclude")
# "half" is at least 50 percent: the need that editors name most often has its own words.
NEEDS: Final = (
    ("all", gettext_lazy("all of")),
    ("half", gettext_lazy("at least half of")),
    ("any", gettext_lazy("any of")),
    ("count", gettext_lazy("at least so many of")),
    ("percent", gettext_lazy("at least so many percent of")),
)
_LONGEST_PHRASES: Final = 300_000
_LONGEST_WORDS: Final = 60_000


_short = lazy(lambda label: str(label).split(":")[0], str)


def _need(label: Any, usual: str = "all") -> ChoiceField:
    return ChoiceField(choices=NEEDS, label=label, initial=usual, required=False)


def _amount() -> NumberField:
    return NumberField(
        least=1,
        most=100,
        label=gettext_lazy("How many"),
        help_text=gettext_lazy("For example 2, or 60 for 60 percent."),
    )


def _slots(label: Any, help_text: Any) -> LinesField:
    return LinesField(max_length=_LONGEST_WORDS, line_length=206, rows=2, label=label, help_text=help_text)


class RuleForm(forms.Form):
    """Everything about one rule but its place among its siblings. ``base`` is the rule as it is stored, if it is."""

    version = forms.IntegerField(required=False, min_value=0, max_value=2_000_000_000, widget=forms.HiddenInput)
    title = LineField(
        max_length=200,
        required=True,
        label=gettext_lazy("Title"),
        help_text=gettext_lazy("As colleagues find it in the list, for example: Applying for a postal vote."),
    )
    uid = forms.SlugField(
        max_length=80,
        required=False,
        label=gettext_lazy("Short name"),
        help_text=gettext_lazy(
            "How logs and files call the rule, for example postal-vote. Empty: made from the title."
        ),
        widget=forms.TextInput(attrs={"class": INPUT}),
    )
    status = ChoiceField(
        choices=[(value, _short(label)) for value, label in Rule.Status.choices],
        label=gettext_lazy("Status"),
        initial=Rule.Status.ACTIVE,
        help_text=gettext_lazy("Active goes live with the next release; a draft waits, for example for a second look."),
    )

    # --- when readers ask ---
    phrases = LinesField(
        max_length=_LONGEST_PHRASES,
        line_length=514,
        label=gettext_lazy("Phrases"),
        help_text=gettext_lazy(
            "One question a line, for example: How do I vote by post? Similar questions count too. "
            "Begin a line with = if it must be asked exactly so."
        ),
    )
    core_need = _need(gettext_lazy("The question must hold"))
    core_amount = _amount()
    core_slots = _slots(
        gettext_lazy("these words (core)"),
        gettext_lazy(
            "One word a line, for example: heating. Also: heat pump | heat pumps (one of them), "
            '"SPD" (exactly so), climate* (starts with), *tax (ends with).'
        ),
    )
    anchor_need = _need(gettext_lazy("…and also"))
    anchor_amount = _amount()
    anchor_slots = _slots(
        gettext_lazy("these words (anchor)"),
        gettext_lazy("A second list that must hold as well, for example any of: Munich, Bavaria."),
    )
    exclude_need = _need(gettext_lazy("…but the rule keeps silent at"), usual="any")
    exclude_amount = _amount()
    exclude_slots = _slots(
        gettext_lazy("these words (exclude)"),
        gettext_lazy("For example: Austria. A phrase that is asked exactly so still counts."),
    )

    # --- and also ---
    extra = ChoiceField(
        choices=Rule.Extra.choices,
        label=gettext_lazy("Search for more"),
        initial=Rule.Extra.FILL,
        help_text=gettext_lazy("For example no, if only the linked documents may speak."),
    )
    fill_up_to = NumberField(
        least=1, most=20, initial=5, label=gettext_lazy("Fill up to"),
        help_text=gettext_lazy("So many passages in all, for example 5."),
    )  # fmt: skip
    answer_text = LinesField(
        max_length=20_000,
        label=gettext_lazy("Curated answer"),
        # The fields below it show once something stands here.
        widget=forms.Textarea(attrs={"class": TEXTAREA, "rows": 3, "placeholder": " "}),
        help_text=gettext_lazy("Shown above what the sources say, for example: You may apply until Friday, 3 p.m."),
    )
    answer_is_desk_text = TickField(
        label=gettext_lazy("This is the desk's own text"),
        help_text=gettext_lazy("Shown as the desk's words, signed. Otherwise every sentence must stand in a source."),
    )
    answer_owner = LineField(
        max_length=120,
        label=gettext_lazy("Signed by"),
        help_text=gettext_lazy("As readers see it, for example: Politics desk."),
    )
    answer_checked = DayField(
        label=gettext_lazy("As of"), help_text=gettext_lazy("The day it was last checked. Readers see it.")
    )
    answer_expires = DayField(
        label=gettext_lazy("Show until"),
        help_text=gettext_lazy("The last day, for example election day. Empty: for good."),
    )

    # --- limits ---
    parent = KeyField()
    parent_title = LineField(
        max_length=300,
        label=gettext_lazy("Below"),
        help_text=gettext_lazy(
            "This rule only counts where the rule above it holds too, for example below: Federal election. "
            "Empty: at the top."
        ),
        widget=forms.TextInput(attrs={"class": INPUT, "data-pick": "rule", "autocomplete": "off"}),
    )
    valid_from = MomentField(label=gettext_lazy("Valid from"), help_text=gettext_lazy("Empty: at once."))
    valid_until = MomentField(
        label=gettext_lazy("Valid until"),
        help_text=gettext_lazy("From this moment on it no longer counts, for example 6 p.m. on election day."),
    )
    languages = WordsField(
        word_length=8,
        label=gettext_lazy("Languages"),
        help_text=gettext_lazy("Two letters each, for example: de, en. Empty: every language."),
    )
    audiences = forms.MultipleChoiceField(
        choices=Rule.Audience.choices,
        required=False,
        label=gettext_lazy("Audiences"),
        help_text=gettext_lazy("Who must be asking. Nothing ticked: everybody."),
        widget=forms.CheckboxSelectMultiple(attrs={"class": CHECKBOX}),
    )
    builder_choices = WordsField(
        word_length=80,
        label=gettext_lazy("Choices in the question builder"),
        help_text=gettext_lazy("The reader must have clicked one of these, for example: housing. Empty: no matter."),
    )
    priority = NumberField(
        least=1, most=1000, initial=100, label=gettext_lazy("Priority"),
        help_text=gettext_lazy("When several rules match in the same way, the lower number wins. 100 is usual."),
    )  # fmt: skip
    hit_policy = ChoiceField(
        choices=Rule.HitPolicy.choices,
        label=gettext_lazy("When other rules match too"),
        initial=Rule.HitPolicy.STOP,
        help_text=gettext_lazy("For example “only this rule's documents”, if nothing may stand beside them."),
    )
    threshold = NumberField(
        least=0, most=100, label=gettext_lazy("Similarity in percent"),
        help_text=gettext_lazy(
            "From how much on a question is similar to a phrase, for example 85. Empty: as the rule above, else 90."
        ),
    )  # fmt: skip

    # --- why ---
    reason = LinesField(
        max_length=5000,
        rows=2,
        label=gettext_lazy("Why this rule exists"),
        help_text=gettext_lazy("For whoever finds it in a year, for example: search found only the old leaflet."),
    )
    owner = forms.ModelChoiceField(
        get_user_model().objects.none(),
        to_field_name="username",
        required=False,
        label=gettext_lazy("Owner"),
        help_text=gettext_lazy("Whom to ask about it."),
        widget=forms.Select(attrs={"class": SELECT}),
    )
    tags = WordsField(
        word_length=40,
        label=gettext_lazy("Tags"),
        help_text=gettext_lazy("For finding it in the list, for example: voting, deadlines."),
    )
    comment = LineField(
        max_length=300,
        label=gettext_lazy("What you changed"),
        help_text=gettext_lazy("Stands in the rule's history, for example: deadline corrected. May stay empty."),
    )

    def __init__(
        self, data: Any = None, *, initial: Any = None, rows: Any = None, base: RuleSpec | None = None
    ) -> None:
        super().__init__(data, initial=initial)
        self.base = base
        given = rows or {}
        kept: dict[str, dict[str, str]] = {"documents": {}, "links": {}}
        if base is not None:
            kept = {
                "documents": {each.uuid: each.title for each in base.documents},
                "links": {a: a for a in base.links},
            }
        for name, made in (("documents", DocumentRowSet), ("links", LinkRowSet), ("examples", ExampleRowSet)):
            options: dict[str, Any] = {"kept": kept[name]} if name in kept else {}
            options["stored"] = len(getattr(base, name)) if base else 0
            setattr(self, name, made(data, prefix=name, initial=given.get(name), **options))
        if data is None and base is None:
            self.fields["title"].widget.attrs["autofocus"] = True
        owners = Q(is_staff=True, is_active=True) | Q(username=base.owner if base else "")
        owner: Any = self.fields["owner"]
        owner.queryset = get_user_model().objects.filter(owners).order_by("username")
        if base is not None and base.version:
            del self.fields["uid"]

    documents: Any
    links: Any
    examples: Any

    @property
    def formsets(self) -> tuple[Any, ...]:
        return (self.documents, self.links, self.examples)

    def add_row_error(self, name: str, message: str) -> None:
        """Show an error above the rows of documents, links or examples. Call after ``is_valid()``."""
        rows: Any = getattr(self, name)
        rows.non_form_errors().append(message)

    def is_valid(self) -> bool:
        """Check everything, so that every error shows at once."""
        checked = [super().is_valid(), *(formset.is_valid() for formset in self.formsets)]
        return all(checked)

    def clean_uid(self) -> str:
        uid = str(self.cleaned_data["uid"]).lower()
        if uid and Rule.objects.filter(uid=uid).exists():
            raise ValidationError(_("Another rule has this short name already. Choose another one."))
        return uid

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = self.cleaned_data
        for name in LISTS:
            needs_amount = given.get(f"{name}_need") in ("count", "percent")
            is_missing = given.get(f"{name}_slots") and given.get(f"{name}_amount") is None
            if needs_amount and is_missing and f"{name}_amount" not in self.errors:
                self.add_error(f"{name}_amount", _("Say how many, for example 2."))
        start, end = given.get("valid_from"), given.get("valid_until")
        if start and end and start >= end:
            self.add_error("valid_until", _("This lies before the beginning. Choose a later moment."))
        is_signed = not given.get("answer_is_desk_text") or given.get("answer_owner") or not given.get("answer_text")
        if not is_signed and "answer_owner" not in self.errors:
            self.add_error("answer_owner", _("The desk's own text must be signed, for example: Politics desk."))
        self._find_parent(given)
        return given

    def _find_parent(self, given: Mapping[str, Any]) -> None:
        """Turn the title of the rule above into its short name."""
        typed = given.get("parent_title", "")
        if not typed:
            self.cleaned_data["parent"] = ""
            return
        wanted = Q(uid__in=[given.get("parent", ""), typed]) | Q(title__iexact=typed)
        found = dict(Rule.objects.filter(wanted).order_by("pk").values_list("uid", "title")[:20])
        key = given.get("parent", "")
        if found.get(key) == typed:
            return
        hits = (
            [typed] if typed in found else [uid for uid, title in found.items() if title.casefold() == typed.casefold()]
        )
        if len(hits) == 1:
            self.cleaned_data["parent"] = hits[0]
        elif hits:
            self.add_error("parent_title", _("Several rules are called so. Type the short name of the one you mean."))
        else:
            self.add_error("parent_title", _("No rule is called so. Choose one from the list, or leave it empty."))
