"""Drawn pages kept under var/cache/pages. A cache and nothing else: deleting it costs time, never data."""

from __future__ import annotations

import itertools
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from django.conf import settings

from apps.documents.page_images import PAGE_SCALE

logger = logging.getLogger(__name__)

MOST_BYTES: Final = 500 * 2**20
# After so many new pictures of this process the oldest are looked for: reading the whole folder takes a while.
_SWEEP_AFTER: Final = 50
_written = itertools.count(1)


def cached_page(checksum: str, number: int, draw: Callable[[], bytes]) -> bytes:
    """Return the picture of a page of the file with this checksum; drawn when nobody asked for it lately.

    What ``draw`` raises is passed on. A disk that is full or read-only costs time and no picture.
    """
    path = _folder(checksum) / f"{number}-{PAGE_SCALE}.png"
    try:
        return path.read_bytes()
    except OSError:
        picture = draw()
    try:
        _write(path, picture)
        if next(_written) % _SWEEP_AFTER == 0:
            sweep_pages()
    except OSError as error:
        logger.warning("A page's picture cannot be kept: %s", error.strerror)
    return picture


def forget_pages(checksum: str) -> None:
    """Remove all pictures of a file that is gone."""
    shutil.rmtree(_folder(checksum), ignore_errors=True)


def sweep_pages() -> None:
    """Remove the oldest pictures until the rest takes no more than MOST_BYTES. Other processes may do the same."""
    files = sorted(_files(settings.PAGE_CACHE_DIR), reverse=True)
    kept = 0
    for _written_at, size, path in files:
        kept += size
        if kept > MOST_BYTES:
            path.unlink(missing_ok=True)


def _files(folder: Path) -> Iterator[tuple[float, int, Path]]:
    for path in folder.glob("*/*/*"):
        try:
            state = path.stat()
        except FileNotFoundError:
            continue
        yield state.st_mtime, state.st_size, path


def _folder(checksum: str) -> Path:
    return Path(settings.PAGE_CACHE_DIR) / checksum[:2] / checksum


def _write(path: Path, picture: bytes) -> None:
    """Put a file in place in one step: nobody ever reads half a picture."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(picture)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
