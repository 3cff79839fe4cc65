"""What readers have handed to the desk: the list, who works on what, and the form to say so."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import action, display

from apps.core.admin import DeskAdmin, StateColours
from apps.querylog.admin.words import WordsAdmin
from apps.querylog.handing_over import HandoverChangedError, handover_change
from apps.querylog.models import Handover
from apps.rules.admin.people import author_of


class HandoverForm(forms.ModelForm):
    """State and note, with the moment at which the editor saw them."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=40)

    class Meta:
        model = Handover
        fields = ("state", "note")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.fields["seen"].initial = self.instance.changed_at.isoformat()

    def clean(self) -> dict[str, Any] | None:
        """Refuse to write over what a colleague has written since."""
        cleaned = super().clean()
        seen = self.cleaned_data.get("seen", "")
        current = Handover.objects.select_related("editor").filter(pk=self.instance.pk).first()
        if current is None or (seen and _moment(seen) != current.changed_at):
            self.add_error(None, _changed(current))
        return cleaned


@admin.register(Handover)
class HandoverAdmin(WordsAdmin, DeskAdmin):
    """Questions that the sources left open and that their readers want the desk to see."""

    words_permission = "querylog.view_handover"
    words = ("question_words", "answer_words", "missing_words")
    form = HandoverForm
    list_display = ("handed_at", "question_words", "missing_words", "state_label", "editor")
    list_display_links = ("handed_at", "question_words")
    list_filter = ("state", ("editor", admin.RelatedOnlyFieldListFilter), "turn__outcome", "turn__language")
    list_select_related = ("turn", "editor")
    ordering = ("-turn__handed_over_at",)
    actions = ("take_them",)
    actions_submit_line = ("take_it",)
    readonly_fields = ("question_words", "answer_words", "missing_words", "handed_at", "editor", "trace_link")
    fieldsets = (
        (
            gettext_lazy("What a reader asked…"),
            {"fields": ("question_words", "answer_words", "missing_words", "handed_at", "trace_link")},
        ),
        (gettext_lazy("…and who works on it"), {"fields": ("state", "note", "editor", "seen")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Handover]:
        found: QuerySet[Handover] = super().get_queryset(request)
        return found

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """It goes with the question, when its reader or its time says so."""
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Nothing in the address may ask for words; what the list shows is enough."""
        known = ("state", "editor", "turn__outcome", "turn__language")
        return lookup.startswith(known) and bool(super().lookup_allowed(lookup, value, request))

    def save_model(self, request: HttpRequest, obj: Handover, form: Any, change: bool) -> None:
        """Write through the service, which names the editor and looks once more whether somebody was faster."""
        data = form.cleaned_data
        try:
            handover_change(
                handover=obj,
                editor=author_of(request),
                state=data["state"],
                note=data["note"],
                seen=_moment(data["seen"]),
            )
        except HandoverChangedError as error:
            messages.error(request, _changed(error.current))
            return
        for pressed in self.get_actions_submit_line(request, obj.pk):
            if pressed.action_name in request.POST:
                pressed.method(request, obj)

    @action(description=gettext_lazy("I take it"), permissions=["change"])
    def take_it(self, request: HttpRequest, obj: Handover) -> None:
        """A button beside “Save”: whatever else was written in the form is saved before."""
        self._take(request, Handover.objects.select_related("editor").get(pk=obj.pk))

    @admin.action(description=gettext_lazy("I take these"), permissions=["change"])
    def take_them(self, request: HttpRequest, queryset: QuerySet[Handover]) -> None:
        for handover in queryset.waiting():  # type: ignore[attr-defined]
            self._take(request, handover)

    @staticmethod
    def _take(request: HttpRequest, handover: Handover) -> None:
        """Take what nobody has; what a colleague has stays theirs."""
        if handover.state != Handover.State.OPEN:
            messages.warning(request, _changed(handover))
            return
        try:
            handover_change(
                handover=handover,
                editor=author_of(request),
                state=Handover.State.TAKEN,
                note=handover.note,
                seen=handover.changed_at,
            )
        except HandoverChangedError as error:
            messages.warning(request, _changed(error.current))
        else:
            messages.success(request, _("You work on this question now. Colleagues see that."))

    @display(description=gettext_lazy("question"))
    def question_words(self, handover: Handover) -> str:
        return handover.turn.question

    @display(description=gettext_lazy("what the reader got"))
    def answer_words(self, handover: Handover) -> str:
        said = [item["text"] for item in handover.turn.shown if item["type"] == "sentence"]
        return "\n".join(said) or _("No answer: the sources did not hold one.")

    @display(description=gettext_lazy("missing"))
    def missing_words(self, handover: Handover) -> str:
        missing = handover.turn.signals.get("coverage_signals", {}).get("question_aspects_missing", [])
        return "; ".join(missing) or "–"

    @display(description=gettext_lazy("handed over"), ordering="turn__handed_over_at")
    def handed_at(self, handover: Handover) -> datetime | None:
        return handover.turn.handed_over_at

    @display(
        description=gettext_lazy("state"),
        ordering="state",
        label=StateColours(open="warning", taken="info", answered="success"),
    )
    def state_label(self, handover: Handover) -> tuple[str, str]:
        return handover.state, handover.get_state_display()

    @display(description=gettext_lazy("how it was answered"))
    def trace_link(self, handover: Handover) -> str:
        address = reverse("admin:querylog_turn_change", args=[handover.turn_id])
        return format_html('<a href="{}">{}</a>', address, _("The whole trace"))


def _moment(text: str) -> datetime | None:
    try:
        return parse_datetime(text)
    except ValueError:
        return None


def _changed(current: Handover | None) -> str:
    """Say how it stands now."""
    if current is None:
        return _("This question is gone: its reader deleted it, or its time was over.")
    who = current.editor.get_username() if current.editor else _("nobody")
    return _("This was changed meanwhile: it is “%(state)s” now, with %(editor)s. Please look again.") % {
        "state": current.get_state_display(),
        "editor": who,
    }
