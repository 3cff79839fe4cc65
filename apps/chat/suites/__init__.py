"""Registers the benches of the reader's page."""

from apps.chat.suites import page, streams  # noqa: F401
