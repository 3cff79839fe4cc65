"""The bench of Try runs on few rules too, and measures what it says."""

from __future__ import annotations

import pytest

from apps.answering.suites.trying import try_question
from apps.core.suites import SuiteContext
from apps.rules import live

pytestmark = pytest.mark.django_db


def test_the_bench_measures_each_kind_of_keystroke():
    live.forget()
    try:
        result = try_question(SuiteContext(data=None, options={"rules": "40"}, say=lambda _text: None))
    finally:
        live.forget()
    assert result.n == 40
    for name in ("question", "rule", "after_save"):
        assert 0 < result.figures[f"{name}_p50_ms"] <= result.figures[f"{name}_p95_ms"]
    assert result.figures["question_requests"] <= 20
