"""Suites and benches of the rules app. Importing this package registers them for ``evaluate`` and ``bench``."""

from apps.rules.suites import backtests, cases, desk, near_misses, speed, swaps

__all__ = ["backtests", "cases", "desk", "near_misses", "speed", "swaps"]
