"""Which half of the questions is for tuning and which for reporting: by a hash of the words, the same for ever."""

from __future__ import annotations

from hashlib import sha256


def is_held_out(question: str) -> bool:
    """Return whether a question is for reporting."""
    return sha256(question.encode()).digest()[0] % 2 == 1
