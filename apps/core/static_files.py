"""Static files as an ASGI server sends them."""

from __future__ import annotations

from contextlib import closing

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


class StaticFiles(WhiteNoiseMiddleware):
    """Whitenoise whose answers are whole: under ASGI Django gathers an open file line by line before it sends it."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """Return the file, or the part of it that was asked for."""
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with closing(found.file):
                body = found.file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        if found.file is not None:
            # The file may have been replaced since the start, when its length was noted.
            response["Content-Length"] = str(len(body))
        return response
