"""The pages of import and export, mixed into the rules' desk."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from apps.core.admin import DeskAdmin
from apps.rules.exchange.exporting import FileKind, rules_export
from apps.rules.exchange.guide import GUIDE
from apps.rules.exchange.importing import Fate, ImportOutcome, rules_import
from apps.rules.exchange.sample import SAMPLE
from apps.rules.exchange.texts import format_text
from apps.rules.forms.exchange import ExportForm, ImportForm
from apps.rules.loading import release_set, rule_spec
from apps.rules.models import Release, Rule
from apps.rules.serialising import RuleFormatError
from apps.rules.types import RuleSpec

# More rows would be a page that nobody reads; the numbers above them count all.
MOST_ROWS_SHOWN = 200
_MOST_CHOSEN = 10_000


class ExchangeMixin(DeskAdmin):
    """Rules come in from files and go out into them."""

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Callable[..., HttpResponse], name: str) -> URLPattern:
            def bound(request: HttpRequest) -> HttpResponse:
                return view(self, request)

            return path(route, self.admin_site.admin_view(bound), name=f"rules_rule_{name}")

        return [
            at("import/", import_view, "import"),
            at("import/sample.csv", require_safe_view(sample_view), "import_sample"),
            at("export/", export_view, "export"),
            *super().get_urls(),
        ]


def require_safe_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let a page of the desk answer reads only."""

    def guarded(desk: DeskAdmin, request: HttpRequest) -> HttpResponse:
        return require_safe(lambda request: view(desk, request))(request)

    return guarded


def import_view(desk: DeskAdmin, request: HttpRequest) -> HttpResponse:
    """Compare a file with the desk; save it when its editor has seen the comparison and says so.

    The file travels twice: nothing of it is kept between the comparison and the import.
    """
    if not desk.has_change_permission(request):
        raise PermissionDenied
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    context: dict[str, Any] = {"form": form, "guide": GUIDE, "title": _("Import rules")}
    if request.method == "POST" and form.is_valid():
        seen = request.POST.get("seen") or None
        try:
            outcome = rules_import(
                data=form.cleaned_data["file"].read(),
                author=request.user,
                comment=form.cleaned_data["comment"],
                seen=seen,
            )
        except RuleFormatError as error:
            form.add_error("file", format_text(error))
        else:
            if outcome.is_saved:
                messages.success(request, _saved_text(outcome))
                return _gone_to_list(request)
            context |= _outcome_context(outcome, is_overtaken=seen is not None and seen != outcome.seen)
    name = "_outcome.html" if _is_fragment(request) else "import.html"
    return render(request, f"admin/rules/exchange/{name}", _context(desk, request, context))


def sample_view(desk: DeskAdmin, request: HttpRequest) -> HttpResponse:
    """Send the file to begin with."""
    if not desk.has_view_permission(request):
        raise PermissionDenied
    export = rules_export(SAMPLE, FileKind.CSV)
    headers = {"Content-Disposition": 'attachment; filename="rules-sample.csv"'}
    return HttpResponse(export.data, content_type=export.content_type, headers=headers)


def export_view(desk: DeskAdmin, request: HttpRequest) -> HttpResponse:
    """Ask for the format, then send the file. The list sends the rules that were chosen in it."""
    if not desk.has_view_permission(request):
        raise PermissionDenied
    uids = _chosen(request)
    # The list sends its choice without a format: then the form is shown, not judged.
    is_asked = request.method == "POST" and "format" in request.POST
    form = ExportForm(request.POST if is_asked else None, is_chosen=bool(uids))
    if is_asked and form.is_valid():
        source, (kind, _comma, comma) = form.cleaned_data["source"], form.cleaned_data["format"].partition("-")
        try:
            export = rules_export(_specs(source, uids), FileKind(kind), delimiter="," if comma else ";")
        except RuleFormatError as error:
            form.add_error("format", format_text(error))
        else:
            name = f"rules-{source}-{timezone.localdate():%Y-%m-%d}.{kind}"
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            return HttpResponse(export.data, content_type=export.content_type, headers=headers)
    context = {"form": form, "uids": uids, "title": _("Export rules")}
    return render(request, "admin/rules/exchange/export.html", _context(desk, request, context))


def _chosen(request: HttpRequest) -> list[str]:
    """Return the rules that the form names, or that were ticked in the list, where each has its version behind it."""
    ticked = [value.partition("@")[0] for value in request.POST.getlist("chosen")]
    return [*dict.fromkeys(ticked + request.POST.getlist("uid"))][:_MOST_CHOSEN]


def _specs(source: str, uids: Collection[str]) -> list[RuleSpec]:
    """Return the rules of the desk, or of one release, in the order of the tree's levels; all, or the chosen ones."""
    if source == "draft":
        rules = Rule.objects.order_by("uid").whole()
        specs = [rule_spec(rule) for rule in (rules.filter(uid__in=uids) if uids else rules)]
    else:
        found = release_set(Release.objects.get(number=int(source.removeprefix("release-")))).rules
        specs = [spec for spec in found if not uids or spec.uid in set(uids)]
    return _tree_order(specs)


def _tree_order(specs: list[RuleSpec]) -> list[RuleSpec]:
    """Sort as the list shows them: children after their parent, by position."""
    by_uid = {spec.uid: spec for spec in specs}

    def place(spec: RuleSpec) -> list[tuple[int, str]]:
        path = [(spec.position, spec.uid)]
        while spec.parent in by_uid and len(path) < len(specs):
            spec = by_uid[spec.parent or ""]
            path.append((spec.position, spec.uid))
        return path[::-1]

    return sorted(specs, key=place)


def _outcome_context(outcome: ImportOutcome, *, is_overtaken: bool) -> dict[str, Any]:
    refused, changing = outcome.refused, outcome.changing
    return {
        "outcome": outcome,
        "is_overtaken": is_overtaken,
        "refused": refused[:MOST_ROWS_SHOWN],
        "changing": changing[:MOST_ROWS_SHOWN],
        "doubtful": outcome.doubtful[:MOST_ROWS_SHOWN],
        "counts": {fate.value: outcome.count(fate) for fate in Fate},
        "hidden": max(0, len(changing) - MOST_ROWS_SHOWN) + max(0, len(refused) - MOST_ROWS_SHOWN),
    }


def _saved_text(outcome: ImportOutcome) -> str:
    new, changed, same = (outcome.count(fate) for fate in (Fate.NEW, Fate.CHANGED, Fate.SAME))
    parts = [
        ngettext("%(count)s rule is new.", "%(count)s rules are new.", new) % {"count": new} if new else "",
        ngettext("%(count)s rule was changed.", "%(count)s rules were changed.", changed) % {"count": changed}
        if changed
        else "",
        ngettext("%(count)s rule was so already.", "%(count)s rules were so already.", same) % {"count": same}
        if same
        else "",
    ]
    return " ".join([_("The file is imported."), *filter(None, parts), _("Readers see it after the next release.")])


def _gone_to_list(request: HttpRequest) -> HttpResponse:
    if request.headers.get("HX-Request"):
        # htmx would swap the list into the page; this makes it go there.
        answer = HttpResponse(status=204)
        answer["HX-Redirect"] = redirect("admin:rules_rule_changelist")["Location"]
        return answer
    return redirect("admin:rules_rule_changelist")


def _is_fragment(request: HttpRequest) -> bool:
    return request.method == "POST" and bool(request.headers.get("HX-Request"))


def _context(desk: DeskAdmin, request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    return {**desk.admin_site.each_context(request), "opts": desk.opts, **context}
