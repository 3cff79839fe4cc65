"""Registers the suites of the log."""

from apps.querylog.suites import masking  # noqa: F401
