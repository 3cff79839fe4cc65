"""Registers the suites and benches of answering."""

from apps.answering.suites import (  # noqa: F401
    citations,
    dialogues,
    injection,
    neutrality,
    positions,
    rewriting,
    routing,
    speed,
    streaming,
    support,
    times,
    trying,
)
