"""The list of topics and the page of each, with what editors may do to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe
from unfold.decorators import display

from apps.core.admin import ReadOnlyAdmin, StateColours
from apps.querylog.access import reading_of
from apps.rules.admin.people import author_of
from apps.topics.admin import pages
from apps.topics.dashboards.overview import Page
from apps.topics.dashboards.reading import filters_of
from apps.topics.dashboards.topic import topic_facts
from apps.topics.dashboards.waiting import no_topics, under_way
from apps.topics.models import Topic, TopicEdit
from apps.topics.services import edits
from apps.topics.services.edits import TopicRefusedError
from apps.topics.wording import MOVEMENTS, REFUSED

_MOST_TEXTS = 2_000


class MovementFilter(admin.SimpleListFilter):
    """Topics by their trend, in words."""

    title = gettext_lazy("trend")
    parameter_name = "movement"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(code, str(word)) for code, word in MOVEMENTS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Topic]) -> QuerySet[Topic]:
        return queryset.filter(movement=self.value()) if self.value() in MOVEMENTS else queryset


@admin.register(Topic)
class TopicAdmin(ReadOnlyAdmin):
    """Topics: the machine proposes, the desk names. Nobody adds or deletes one by hand."""

    list_display = (
        "name_word",
        "state_word",
        "sessions_week",
        "movement_word",
        "answered_word",
        "gap_word",
        "public_word",
    )
    list_filter = ("state", "is_public", "is_pinned", "is_hidden", "needs_check", MovementFilter)
    search_fields = ("label_editor", "label_auto")
    ordering = ("-is_pinned", "-sessions_week", "pk")
    actions = None
    list_before_template = "admin/topics/_under_way.html"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Topic]:
        topics: QuerySet[Topic] = super().get_queryset(request)
        return topics.defer("centre", "named_for").exclude(state=Topic.State.MERGED)

    def get_urls(self) -> list[URLPattern]:
        def at(route: str, view: Callable[..., HttpResponse], name: str) -> URLPattern:
            return path(route, self.admin_site.admin_view(view), name=name)

        board = self.admin_site.admin_view(require_safe(pages.dashboard))
        boards = [path(f"{name}/", board, kwargs={"name": name}, name=f"topics_{name}") for name in pages.PAGES]
        return [
            *boards,
            at("<str:name>/<str:chart>.csv", require_safe(pages.dashboard_csv), "topics_csv"),
            at("<int:pk>/change/rename/", require_POST(self.rename), "topics_rename"),
            at("<int:pk>/change/set/", require_POST(self.set_flag), "topics_set"),
            at("<int:pk>/change/merge/", require_POST(self.merge), "topics_merge"),
            at("<int:pk>/change/split/", require_POST(self.split), "topics_split"),
            at("<int:pk>/change/undo/<int:edit>/", require_POST(self.undo), "topics_undo"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return super().changelist_view(request, {**(extra_context or {}), "under_way": under_way() or no_topics()})

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None) -> Any:
        """Show the page of a topic."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        topic = get_object_or_404(Topic, pk=object_id) if object_id.isdecimal() and len(object_id) < 16 else None
        if topic is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        filters = filters_of(request.GET)
        reading = reading_of(request)
        facts = topic_facts(topic, filters, may_read=reading.is_open)
        if reading.is_open:
            central = [topic.central_id] if topic.central_id else []
            pages.words_note(request, {*(text.pk for text in facts.typical), *central})
        context = {
            **pages.page_context(request, topic.name),
            "opts": self.opts,
            "topic": topic,
            "facts": facts,
            "page": Page(facts.finding, facts.charts),
            "filters": filters,
            "may_edit": request.user.has_perm("topics.change_topic"),
            "may_approve": request.user.has_perm("topics.approve_topic"),
            "reading": reading,
        }
        return render(request, "admin/topics/topic.html", context)

    def rename(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Give a topic the desk's name."""
        topic, may_approve = _topic(request, pk), request.user.has_perm("topics.approve_topic")
        said = _("The name stands. No run changes it.")
        if topic.is_public and not may_approve:
            said = _("The name stands. Readers see the topic again once somebody has approved it under this name.")
        return _done(
            request, topic, lambda: edits.topic_rename(topic=topic, name=request.POST.get("name", ""),
                                                       editor=author_of(request), may_approve=may_approve),
            said,
        )  # fmt: skip

    def set_flag(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Pin, hide or approve a topic, or take that back."""
        topic, kind = _topic(request, pk), request.POST.get("kind", "")
        if kind not in {"pin", "hide", "public"}:
            raise PermissionDenied
        if kind == "public" and not request.user.has_perm("topics.approve_topic"):
            raise PermissionDenied
        value = request.POST.get("value") == "1"
        question = request.POST.get("question", "")
        return _done(
            request, topic, lambda: edits.topic_set(topic=topic, kind=kind, value=value, editor=author_of(request),
                                                    question=question),
            _("Done. You can undo it below."),
        )  # fmt: skip

    def merge(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Bring other topics into this one."""
        topic = _topic(request, pk)
        others = list(Topic.objects.living().filter(pk__in=_numbers(request, "other")))
        return _done(
            request, topic, lambda: edits.topics_merge(into=topic, others=others, editor=author_of(request)),
            _("The topics are one now, and stay so in every run."),
        )  # fmt: skip

    def split(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Cut questions off into a topic of their own."""
        if not request.user.has_perm("querylog.view_question"):
            raise PermissionDenied
        topic, texts = _topic(request, pk), _numbers(request, "text")
        name, editor = request.POST.get("name", ""), author_of(request)
        return _done(
            request, topic, lambda: edits.topic_split(topic=topic, text_ids=texts, name=name, editor=editor),
            _("The questions are a topic of their own now, and stay so in every run."),
        )  # fmt: skip

    def undo(self, request: HttpRequest, pk: int, edit: int) -> HttpResponse:
        """Take a change back."""
        topic = _topic(request, pk)
        found = get_object_or_404(TopicEdit, pk=edit, topic=topic)
        if found.kind == TopicEdit.Kind.PUBLIC and not request.user.has_perm("topics.approve_topic"):
            raise PermissionDenied
        may_approve = request.user.has_perm("topics.approve_topic")
        return _done(
            request, topic, lambda: edits.edit_undo(edit=found, editor=author_of(request), may_approve=may_approve),
            _("The change is undone."),
        )  # fmt: skip

    @display(description=gettext_lazy("Topic"), ordering="label_auto")
    def name_word(self, topic: Topic) -> str:
        return f"{'★ ' if topic.is_pinned else ''}{topic.name}"

    @display(
        description=gettext_lazy("State"), ordering="state", label=StateColours(active="success", candidate="info")
    )
    def state_word(self, topic: Topic) -> tuple[str, str]:
        return topic.state, topic.get_state_display()

    @display(description=gettext_lazy("Trend"), ordering="trend_z")
    def movement_word(self, topic: Topic) -> str:
        return str(MOVEMENTS.get(topic.movement, "–"))

    @display(description=gettext_lazy("Answered"), ordering="answered_share")
    def answered_word(self, topic: Topic) -> str:
        return "–" if topic.answered_share is None else f"{round(100 * topic.answered_share)} %"

    @display(description=gettext_lazy("Gap"), ordering="gap_score")
    def gap_word(self, topic: Topic) -> str:
        return f"{topic.gap_score:.0f}" if topic.gap_score else "–"

    @display(description=gettext_lazy("For readers"), boolean=True, ordering="is_public")
    def public_word(self, topic: Topic) -> bool:
        return topic.is_public


def _topic(request: HttpRequest, pk: int) -> Topic:
    """Return the topic of an editor, or refuse."""
    if not request.user.has_perm("topics.change_topic"):
        raise PermissionDenied
    return get_object_or_404(Topic, pk=pk)


def _numbers(request: HttpRequest, name: str) -> list[int]:
    return [int(value) for value in request.POST.getlist(name)[:_MOST_TEXTS] if value.isdecimal() and len(value) < 16]


def _done(request: HttpRequest, topic: Topic, change: Callable[[], Any], said: str) -> HttpResponse:
    """Make one change and say how it went."""
    try:
        change()
    except TopicRefusedError as error:
        messages.error(request, str(REFUSED.get(error.code, error.code)))
    else:
        messages.success(request, said)
    return redirect(reverse("admin:topics_topic_change", args=[topic.pk]))
