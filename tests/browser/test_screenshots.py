"""The README's pictures, taken from a running quickstart.

SCREENSHOT_SITE=http://127.0.0.1:8000 python -m pytest tests/browser/test_screenshots.py
"""

from __future__ import annotations

import io
import os

import pytest
from django.conf import settings
from PIL import Image
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db]
FOLDER = settings.BASE_DIR / "docs/screenshots"
LARGEST = 250_000


def take(page: Page, name: str) -> int:
    """Write what the window shows in 256 colours, and return the size of the file."""
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="initial")))
    FOLDER.mkdir(parents=True, exist_ok=True)
    picture.convert("RGB").quantize(256).save(FOLDER / f"{name}.png", optimize=True)
    return (FOLDER / f"{name}.png").stat().st_size


def test_the_pictures_show_the_first_screen_an_answer_and_its_source(open_reader):
    site = os.environ.get("SCREENSHOT_SITE", "").rstrip("/")
    if not site:
        pytest.skip("SCREENSHOT_SITE does not name a running quickstart.")
    reader = open_reader(site, width=1280)
    # Screenshots set styles on what has the focus.
    reader.forgive("style-src")
    page = reader.page
    sizes = [take(page, "start")]
    reader.ask("Was planen die Parteien beim Mindestlohn?")
    page.locator("h1").first.evaluate("title => document.activeElement.blur()")
    sizes.append(take(page, "answer"))
    page.locator(".cite").first.click()
    expect(page.locator("rect.hit").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    sizes.append(take(page, "source"))
    assert max(sizes) < LARGEST
