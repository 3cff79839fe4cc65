"""Suites and benches of the rules app. Importing this package registers them for ``evaluate`` and ``bench``."""

from apps.rules.suites import cases, desk, near_misses, speed, swaps

__all__ = ["cases", "desk", "near_misses", "speed", "swaps"]
