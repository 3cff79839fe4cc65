"""What makes two questions the same text: the key under which a text, its vector and its topic are kept."""

from __future__ import annotations

import hashlib
import unicodedata


def text_key(text: str) -> str:
    """Return the key of a question: equal for other spacing, case and Unicode form, else different."""
    plain = " ".join(unicodedata.normalize("NFC", text).split()).casefold()
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()
