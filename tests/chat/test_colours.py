"""Every text on the reader's page has the contrast of WCAG 2.2 AA, in the light and in the dark."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from apps.chat.site import contrast

TOKENS = (settings.BASE_DIR / "static/css/tokens.css").read_text(encoding="utf-8")
# Text on its ground: 4.5 to 1. Edges of fields and marks, and the focus ring: 3 to 1.
TEXT = [
    ("ink", "paper"),
    ("ink", "paper-2"),
    ("ink", "mark"),
    ("ink-2", "paper"),
    ("ink-2", "paper-2"),
    ("accent", "paper"),
    ("accent", "paper-2"),
    ("accent-ink", "accent"),
    ("problem", "paper"),
    ("problem", "paper-2"),
]
EDGES = [("edge", "paper"), ("focus", "paper"), ("focus", "paper-2"), ("accent", "paper")]
SCHEMES = ["light", "dark"]


def colours(scheme: str) -> dict[str, str]:
    light, dark = TOKENS.split("@media (prefers-color-scheme: dark)")
    pattern = re.compile(r"--([\w-]+): (#[0-9a-f]{6})")
    return dict(pattern.findall(light)) | (dict(pattern.findall(dark)) if scheme == "dark" else {})


def test_contrast_is_measured_as_the_standard_does():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("text", "ground"), TEXT)
def test_text_can_be_read(scheme, text, ground):
    known = colours(scheme)
    assert contrast(known[text], known[ground]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("edge", "ground"), EDGES)
def test_fields_and_focus_can_be_seen(scheme, edge, ground):
    known = colours(scheme)
    assert contrast(known[edge], known[ground]) >= 3
