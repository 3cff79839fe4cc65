"""The words of the rules are looked for in English, as they stand in the code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import translation


@pytest.fixture(autouse=True)
def _in_english(settings: object) -> Iterator[None]:
    settings.LANGUAGE_CODE = "en"  # type: ignore[attr-defined]
    with translation.override("en"):
        yield
