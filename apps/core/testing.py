"""Lets ``manage.py test`` run pytest, so that there is one way to run the tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandParser


class PytestRunner:
    """The test runner named in settings; everything after ``test`` that is not an option below goes to pytest."""

    def __init__(self, *, failfast: bool = False, keepdb: bool = False, pytest_args: str = "", **_: Any) -> None:
        self.options = pytest_args.split() + (["-x"] if failfast else []) + (["--reuse-db"] if keepdb else [])

    @classmethod
    def add_arguments(cls, parser: CommandParser) -> None:
        parser.add_argument("--keepdb", action="store_true", help="keep the test database")
        parser.add_argument("--pytest-args", default="", help="further arguments for pytest, in one text")

    def run_tests(self, test_labels: Sequence[str], **_: Any) -> int:
        """Return 0 when all tests pass, else pytest's code."""
        import pytest

        parallel = [] if test_labels else ["-n", "auto", "--dist", "loadfile"]
        return int(pytest.main([*parallel, *self.options, *test_labels]))
