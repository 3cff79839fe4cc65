"""The logs of the embedded servers: the supervisor's own lines, ends for error messages, size."""

import os
import shutil
import sys
import time
from pathlib import Path

_LARGEST = 10_000_000


def log(text: str) -> None:
    """One line into the supervisor's log, which is its standard error."""
    sys.stderr.write(f"{time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime())} UTC [{os.getpid()}] {text}\n")
    sys.stderr.flush()


def tail(path: Path, lines: int = 8) -> str:
    """The end of a log for an error message, with its path."""
    try:
        text = path.read_bytes()[-4000:].decode(errors="replace")
    except OSError:
        return f" See {path}."
    return "\n".join(["", f"The end of {path}:", *text.splitlines()[-lines:]])


def rotate(path: Path) -> None:
    """Keep one old copy of a log that has grown large; whoever writes to it goes on writing."""
    if path.exists() and path.stat().st_size > _LARGEST:
        shutil.copyfile(path, path.with_suffix(".log.1"))
        os.truncate(path, 0)
