"""Every text of public pages and back office has the contrast of WCAG 2.2 AA, in the light and in the dark."""

from __future__ import annotations

import pytest

from apps.chat.site import contrast
from apps.chat.tokens import token_colours
from apps.config import menu

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
# What the skin of the back office writes on what; white is its cards.
WHITE = "#ffffff"
DESK = [
    ("neutral-600", "neutral-50"),
    ("neutral-500", WHITE),
    ("neutral-500", "neutral-50"),
    ("neutral-700", "neutral-100"),
    ("neutral-400", "neutral-900"),
    ("neutral-400", "neutral-800"),
    ("neutral-300", "neutral-800"),
    ("neutral-100", "neutral-800"),
    ("brand-600", WHITE),
    ("brand-600", "neutral-50"),
    ("brand-600", "brand-100"),
    (WHITE, "brand-600"),
    ("brand-400", "neutral-900"),
    ("brand-400", "neutral-800"),
    *((f"{kind}-700", ground) for kind in ("good", "warn", "bad") for ground in (WHITE, "neutral-50", f"{kind}-100")),
    *((f"{kind}-300", ground) for kind in ("good", "warn", "bad") for ground in ("neutral-900", "neutral-800")),
]


def test_contrast_is_measured_as_the_standard_does():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("text", "ground"), TEXT)
def test_text_can_be_read(scheme, text, ground):
    known = token_colours(is_dark=scheme == "dark")
    assert contrast(known[text], known[ground]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("edge", "ground"), EDGES)
def test_fields_and_focus_can_be_seen(scheme, edge, ground):
    known = token_colours(is_dark=scheme == "dark")
    assert contrast(known[edge], known[ground]) >= 3


@pytest.mark.parametrize(("text", "ground"), DESK)
def test_the_back_office_can_be_read(text, ground):
    known = token_colours(is_dark=False)
    assert contrast(known.get(text, text), known.get(ground, ground)) >= 4.5


def test_the_back_office_has_no_colours_of_its_own():
    known = token_colours(is_dark=False)
    for steps in menu.UNFOLD["COLORS"].values():
        for value in steps.values():
            assert value.removeprefix("var(--").removesuffix(")") in known
