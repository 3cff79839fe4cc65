"""Small middleware: the content security policy, and clean query strings and cookies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.decorators import sync_and_async_middleware

from apps.core.cleaning import clean_text

_SHARED = "object-src 'none'; base-uri 'self'; form-action 'self'"
PUBLIC_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    f"connect-src 'self'; frame-ancestors 'none'; {_SHARED}"
)
# The skin's Alpine compiles expressions and sets style attributes; nothing inline is ours.
ADMIN_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    f"font-src 'self'; connect-src 'self'; frame-ancestors 'self'; {_SHARED}"
)

Handler = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def content_security_policy(get_response: Handler) -> Handler:
    """Set the policy by path: the back office needs two exceptions, the public pages none."""

    def finish(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_admin = request.path.startswith(reverse("admin:index"))
        response.headers.setdefault("Content-Security-Policy", ADMIN_POLICY if is_admin else PUBLIC_POLICY)
        return response

    if iscoroutinefunction(get_response):

        async def middleware(request: HttpRequest) -> HttpResponseBase:
            return finish(request, await get_response(request))

        return middleware

    def sync_middleware(request: HttpRequest) -> HttpResponseBase:
        return finish(request, get_response(request))  # type: ignore[arg-type]

    return sync_middleware


@sync_and_async_middleware
def clean_query(get_response: Handler) -> Handler:
    """Drop NUL and lone surrogates from query strings and paths, so that no filter hands them to the database.

    A quoted cookie may spell NUL as an octal number, and the session's goes to the database as it is: such a cookie
    counts as none. So this comes before the sessions. Everything is read as UTF-8, whatever the request claims: in
    other encodings a NUL is spelled without any %00, and Django's own page for a refused one stumbles over it again.
    """

    def prepare(request: HttpRequest) -> HttpResponse | None:
        if request.encoding is not None:
            request.encoding = "utf-8"
        for name in [name for name, value in request.COOKIES.items() if "\x00" in value]:
            del request.COOKIES[name]
        if "\x00" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            query = request.GET.copy()
            for key in list(query):
                query.setlist(key, [clean_text(value) for value in query.getlist(key)])
            query._mutable = False
            request.GET = query  # type: ignore[assignment]
            if "\x00" in request.path_info:
                return HttpResponse(status=404)
        return None

    if iscoroutinefunction(get_response):

        async def middleware(request: HttpRequest) -> HttpResponseBase:
            return prepare(request) or await get_response(request)

        return middleware

    def sync_middleware(request: HttpRequest) -> HttpResponseBase:
        return prepare(request) or get_response(request)  # type: ignore[return-value]

    return sync_middleware
