"""Pages beside the conversation: how it works, the operator's colours and logo, robots, every component at a glance."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from apps.chat.builder import builder_for
from apps.chat.collection import about_collection
from apps.chat.forms import QuestionForm
from apps.chat.gallery import gallery_turns
from apps.chat.guide import guide_sections
from apps.chat.reader import page_language
from apps.chat.shown import ShownSaid
from apps.chat.site import theme_css
from apps.core.ports import quality_report

_LOGO_TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp"}


@require_safe
@cache_control(private=True, max_age=60)
def how_it_works(request: HttpRequest) -> HttpResponse:
    """Sources, method, limits, neutrality, privacy, contact."""
    about = about_collection()
    context = {"sections": guide_sections(page_language(), about), "about": about, "quality": quality_report()}
    return render(request, "chat/how_it_works.html", context)


@require_safe
@cache_control(public=True, max_age=3_600)
def theme(request: HttpRequest) -> HttpResponse:
    """The operator's colours as a style sheet: the content policy allows no style attributes."""
    return HttpResponse(theme_css(), content_type="text/css; charset=utf-8")


@require_safe
@cache_control(public=True, max_age=3_600)
def logo(request: HttpRequest) -> HttpResponse:
    """The operator's logo."""
    path = settings.SITE_LOGO
    if path is None:
        raise Http404
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Http404 from error
    tag = f'"{sha256(data).hexdigest()[:32]}"'
    known = get_conditional_response(request, etag=tag)
    if known is not None:
        return known
    # A picture may hold scripts where it is opened as a page.
    headers = {"ETag": tag, "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
    return HttpResponse(data, content_type=_LOGO_TYPES[path.suffix.lower()], headers=headers)


@require_safe
@cache_control(public=True, max_age=3_600)
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines may read: the first screen and how it works, never an answer."""
    closed = ("/ask/", "/conversations/", "/turns/", "/shared/", "/embed/", "/builder/", "/report/", "/admin/")
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in closed), ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def gallery(request: HttpRequest) -> HttpResponse:
    """Every component and state, for developers."""
    if not settings.DEBUG:
        raise Http404
    form = QuestionForm({"question": " "})
    form.is_valid()
    said = ShownSaid(verdict="", is_explained=False, places=frozenset(), share="")
    turns = [(name, replace(shown, said=said)) for name, shown in gallery_turns()]
    context = {"turns": turns, "form": form, "about": about_collection(), "builder": builder_for(page_language())}
    return render(request, "chat/gallery.html", context)
