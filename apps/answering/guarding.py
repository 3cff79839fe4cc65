"""The door of the desk's pages in this app: staff alone, with one of some permissions."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase

View = Callable[[HttpRequest], HttpResponseBase]


def for_holders(*permissions: str) -> Callable[[View], View]:
    """Let in staff with any of the permissions. A page asks others to sign in; a fragment is refused, never a form."""

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest) -> HttpResponseBase:
            if not any(request.user.has_perm(permission) for permission in permissions):
                raise PermissionDenied
            return view(request)

        paged: View = admin.site.admin_view(guarded)  # type: ignore[type-var, assignment]

        @wraps(view)
        def entered(request: HttpRequest) -> HttpResponseBase:
            is_fragment = bool(getattr(request, "htmx", False))
            if is_fragment and not admin.site.has_permission(request):
                raise PermissionDenied
            return paged(request)

        return entered

    return guard
