"""What one file may cost. Read by the sandbox, the child and the archive check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for one file: sizes in bytes, ``seconds`` of wall time, ``memory_mb`` of address space.

    ``max_output`` is what the child may answer: its reader holds several times as much.
    """

    max_bytes: int = 50 * 1024 * 1024
    max_pages: int = 2000
    max_blocks: int = 100_000
    max_uncompressed: int = 200 * 1024 * 1024
    max_ratio: int = 200
    max_members: int = 10_000
    max_output: int = 100 * 1024 * 1024
    seconds: float = 120
    memory_mb: int = 1024
