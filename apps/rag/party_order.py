"""In which order parties are heard that are compared: by name, or drawn for one answer. The page shows the same."""

from __future__ import annotations

from hashlib import sha256

from apps.language.normalising import fold


def party_place(name: str, draw: str = "") -> str:
    """Return what a party sorts by. ``draw`` names the draw, the same for all who are compared; empty: by name."""
    folded = fold(name)
    return sha256(f"{draw} {folded}".encode()).hexdigest() if draw else folded
