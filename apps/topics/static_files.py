"""Serves plotly's script from its Python wheel, for the back office only: nothing copied, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage

_PREFIX: Final = "plotly/"
_SCRIPT: Final = "plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Knows ``plotly/plotly.min.js``. The package is found without importing it: a web process must not."""

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """Return where the script lies; nothing for any other path."""
        folder = _folder()
        found = str(folder / _SCRIPT) if folder and path == _PREFIX + _SCRIPT else ""
        if find_all or kwargs.get("all") or not found:
            return [found] if found else []
        return found

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield the script for ``collectstatic``."""
        folder = _folder()
        if folder:
            storage = FileSystemStorage(location=folder)
            storage.prefix = _PREFIX.rstrip("/")  # type: ignore[attr-defined]
            yield _SCRIPT, storage


def _folder() -> Path | None:
    spec = find_spec("plotly")
    for place in (spec.submodule_search_locations if spec else None) or ():
        if (Path(place) / "package_data" / _SCRIPT).is_file():
            return Path(place) / "package_data"
    return None
