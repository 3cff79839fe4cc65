"""People who hold or held public office, and figures of history: their names are no personal data in a question.

The list is a beginning for German politics; editors add to it under "Protected terms". Used where questions are masked.
"""

from functools import lru_cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".txt")


@lru_cache(maxsize=1)
def public_people() -> tuple[str, ...]:
    """Return full names as they are written."""
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
