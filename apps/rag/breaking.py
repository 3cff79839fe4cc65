"""Says in the log where an answer broke, and nothing of what was asked."""

from __future__ import annotations

import logging
import traceback

logger = logging.getLogger(__name__)


def log_breakage(stage: str, error: BaseException) -> None:
    """Log where it broke. The message of an exception may quote the reader or the query, so it stays out."""
    lines: list[str] = []
    current: BaseException | None = error
    while current is not None and len(lines) < 10:
        lines.append(type(current).__name__ + "\n" + "".join(traceback.format_tb(current.__traceback__)))
        inner = current.exceptions[0] if isinstance(current, BaseExceptionGroup) else None
        current = inner or current.__cause__ or current.__context__
    logger.error("The answer broke in stage %s: %s", stage, "caused by ".join(lines))
