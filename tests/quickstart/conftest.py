"""The long way from nothing to an answer runs on demand: --run-quickstart."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--run-quickstart"):
        for item in items:
            if "tests/quickstart" in str(item.path):
                item.add_marker(pytest.mark.skip(reason="Runs with --run-quickstart."))
