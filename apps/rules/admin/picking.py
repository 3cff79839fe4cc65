"""Suggestions for the fields of the rule form that name something: a document, a section, a link, a rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.core.cleaning import clean_line
from apps.documents.models import CuratedLink, Document, Section
from apps.rules.forms.rows import is_uuid
from apps.rules.forms.writing import path_text
from apps.rules.models import Rule

MOST_SUGGESTED: Final = 12
_MOST_SECTIONS: Final = 400
Suggestion = dict[str, str]


def pick_view(desk: Any, request: HttpRequest) -> HttpResponse:
    """Answer with a few suggestions as JSON, best first."""
    if not desk.has_view_or_change_permission(request):
        raise PermissionDenied
    suggest = _KINDS.get(request.GET.get("kind", ""))
    if suggest is None:
        raise Http404
    typed = clean_line(request.GET.get("q", ""), limit=200)
    return JsonResponse({"results": suggest(typed, request.GET.get("of", ""))})


def _documents(typed: str, _of: str) -> list[Suggestion]:
    found = _best(Document.objects.select_related("party"), "title", typed, Q(publisher__icontains=typed))
    return [
        {"key": str(one.uuid), "title": one.title, "note": _document_note(one)}
        for one in found.order_by("rank", "sort_key", "pk")[:MOST_SUGGESTED]
    ]


def _document_note(document: Document) -> str:
    speaker = document.party.short_name if document.party else document.publisher
    parts = [str(document.get_kind_display()), speaker, document.published.isoformat() if document.published else ""]
    if document.status != Document.Status.READY:
        parts.append(str(document.get_status_display()))
    return " · ".join(part for part in parts if part)


def _links(typed: str, _of: str) -> list[Suggestion]:
    found = _best(CuratedLink.objects.all(), "title", typed, Q(address__icontains=typed))
    rows = found.order_by("rank", "title", "pk")[:MOST_SUGGESTED]
    return [{"key": one.address, "title": one.title, "note": one.address} for one in rows]


def _rules(typed: str, of: str) -> list[Suggestion]:
    found = _best(Rule.objects.select_related("parent").exclude(uid=of), "title", typed, Q(uid__icontains=typed))
    found = found.exclude(status=Rule.Status.ARCHIVED)
    return [
        {"key": one.uid, "title": one.title, "note": _rule_note(one)}
        for one in found.order_by("rank", "title", "uid")[:MOST_SUGGESTED]
    ]


def _rule_note(rule: Rule) -> str:
    return f"{rule.uid} · {_('below')} {rule.parent.title}" if rule.parent else rule.uid


def _sections(typed: str, of: str) -> list[Suggestion]:
    if not is_uuid(of):
        return []
    here = Section.objects.filter(version__document__uuid=of, version=_current_version(of)).exclude(path=[])
    paths = dict.fromkeys(
        tuple(path) for path in here.order_by("order").values_list("path", flat=True)[:_MOST_SECTIONS]
    )
    found = [path for path in paths if typed.casefold() in path_text(path).casefold()]
    return [{"key": path_text(path), "title": path_text(path), "note": _depth(path)} for path in found[:MOST_SUGGESTED]]


def _current_version(uuid: str) -> Any:
    return Document.objects.filter(uuid=uuid).values("current_version")[:1]


def _depth(path: tuple[str, ...]) -> str:
    return ngettext("level %(count)s", "level %(count)s", len(path)) % {"count": len(path)}


def _best(rows: QuerySet[Any], column: str, typed: str, elsewhere: Q) -> QuerySet[Any]:
    """Narrow to what holds the text, what begins with it first."""
    rank = Case(
        When(**{f"{column}__istartswith": typed}, then=Value(0)),
        When(**{f"{column}__icontains": typed}, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    return rows.filter(Q(**{f"{column}__icontains": typed}) | elsewhere).annotate(rank=rank)


_KINDS: Final[dict[str, Callable[[str, str], list[Suggestion]]]] = {
    "document": _documents,
    "link": _links,
    "rule": _rules,
    "section": _sections,
}
