"""The pages of import and export of a set, and the button that asks the question builder."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from apps.core import ports
from apps.core.admin import DeskAdmin
from apps.evaluation.exchange.exporting import FileKind, questions_export
from apps.evaluation.exchange.files import QuestionFormatError
from apps.evaluation.exchange.guide import GUIDE
from apps.evaluation.exchange.importing import Fate, ImportOutcome, questions_import
from apps.evaluation.forms import ExportForm, ImportForm
from apps.evaluation.models import QuestionSet
from apps.evaluation.shipping import builder_refresh, free_slug

# More rows would be a page that nobody reads; the numbers above them count all.
MOST_ROWS_SHOWN = 200


def import_view(desk: DeskAdmin, request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Compare a file with a set, or with an empty one; save it when its owner has seen the comparison and says so.

    The file travels twice: nothing of it is kept between the comparison and the import.
    """
    if not desk.has_change_permission(request) or (pk is None and not desk.has_add_permission(request)):
        raise PermissionDenied
    question_set = None if pk is None else _set(pk)
    is_sent = request.method == "POST"
    form = ImportForm(*((request.POST, request.FILES) if is_sent else ()), is_new=question_set is None)
    context: dict[str, Any] = {"form": form, "question_set": question_set, "guide": GUIDE, "title": _import_title(pk)}
    if is_sent and form.is_valid():
        try:
            target, outcome = _import(question_set, form, request.POST.get("seen") or None)
        except QuestionFormatError as error:
            form.add_error("file", str(error))
        else:
            if outcome.is_saved:
                messages.success(request, _saved_text(outcome))
                return _gone_to(request, target.pk)
            context |= _outcome_context(outcome, request.POST.get("seen"))
    name = "_outcome.html" if is_sent and request.headers.get("HX-Request") else "import.html"
    return render(request, f"admin/evaluation/set/{name}", _context(desk, request, context))


def export_view(desk: DeskAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for the format, then send the file."""
    if not desk.has_view_permission(request):
        raise PermissionDenied
    question_set = _set(pk)
    form = ExportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        kind, _bar, comma = form.cleaned_data["format"].partition("-")
        export = questions_export(question_set, FileKind(kind), delimiter="," if comma else ";")
        name = f"questions-{question_set.slug}-{timezone.localdate():%Y-%m-%d}.{kind}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(export.data, content_type=export.content_type, headers=headers)
    context = {"form": form, "question_set": question_set, "title": _("Export questions")}
    return render(request, "admin/evaluation/set/export.html", _context(desk, request, context))


def refresh_view(desk: DeskAdmin, request: HttpRequest) -> HttpResponse:
    """Make the set of the question builder what its combinations ask now."""

    def refresh(request: HttpRequest) -> HttpResponse:
        if not desk.has_change_permission(request):
            raise PermissionDenied
        if not ports.has_builder_questions():
            raise Http404
        made = builder_refresh()
        if made is None:
            messages.info(request, _("Nothing can be combined in the question builder yet."))
            return redirect("admin:evaluation_questionset_changelist")
        count = made.questions.count()
        text = ngettext(
            "The question builder asks %(count)s question.", "The question builder asks %(count)s questions.", count
        )
        messages.success(request, text % {"count": count})
        return redirect("admin:evaluation_questionset_change", made.pk)

    return require_POST(refresh)(request)


def _import(question_set: QuestionSet | None, form: ImportForm, seen: str | None) -> tuple[QuestionSet, ImportOutcome]:
    """Import into the set, or into one that is made for it and only stays when the file is saved."""
    data, is_whole = form.cleaned_data["file"].read(), bool(form.cleaned_data.get("is_whole"))
    with transaction.atomic():
        name = form.cleaned_data.get("name", "")
        target = question_set or QuestionSet.objects.create(name=name, slug=free_slug(name))
        outcome = questions_import(question_set=target, data=data, is_whole=is_whole, seen=seen)
        if question_set is None and not outcome.is_saved:
            transaction.set_rollback(True)
    return target, outcome


def _set(pk: int) -> QuestionSet:
    found = QuestionSet.objects.filter(pk=pk).first() if pk < 2**63 else None
    if found is None:
        raise Http404
    return found


def _import_title(pk: int | None) -> str:
    return _("New set from a file") if pk is None else _("Import questions")


def _outcome_context(outcome: ImportOutcome, seen: str | None) -> dict[str, Any]:
    refused, changing = outcome.refused, outcome.changing
    return {
        "outcome": outcome,
        "is_overtaken": bool(seen) and seen != outcome.seen,
        "refused": refused[:MOST_ROWS_SHOWN],
        "changing": changing[:MOST_ROWS_SHOWN],
        "counts": {fate.value: outcome.count(fate) for fate in Fate},
        "hidden": max(0, len(changing) - MOST_ROWS_SHOWN) + max(0, len(refused) - MOST_ROWS_SHOWN),
    }


def _saved_text(outcome: ImportOutcome) -> str:
    new, changed = outcome.count(Fate.NEW), outcome.count(Fate.CHANGED)
    removed = len(outcome.removed)
    parts = [
        ngettext("%(count)s question is new.", "%(count)s questions are new.", new) % {"count": new} if new else "",
        ngettext("%(count)s question was changed.", "%(count)s questions were changed.", changed) % {"count": changed}
        if changed
        else "",
        ngettext("%(count)s question was removed.", "%(count)s questions were removed.", removed) % {"count": removed}
        if removed
        else "",
    ]
    return " ".join([_("The file is imported."), *filter(None, parts)])


def _gone_to(request: HttpRequest, pk: int) -> HttpResponse:
    answer = redirect("admin:evaluation_questionset_change", pk)
    if request.headers.get("HX-Request"):
        # htmx would swap the page into the form; this makes it go there.
        gone = HttpResponse(status=204)
        gone["HX-Redirect"] = answer["Location"]
        return gone
    return answer


def _context(desk: DeskAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    return {**desk.admin_site.each_context(request), "opts": desk.opts, **context}
