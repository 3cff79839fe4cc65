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


def test_the_pictures_show_the_main_states(open_reader):
    site = os.environ.get("SCREENSHOT_SITE", "").rstrip("/")
    if not site:
        pytest.skip("SCREENSHOT_SITE does not name a running quickstart.")
    reader = open_reader(site, width=1280)
    # Screenshots set styles on what has the focus.
    reader.forgive("style-src")
    page = reader.page
    sizes = [take(page, "start")]
    page.locator("#builder summary").click()
    for label in ("Rente", "Rentnerin, Rentner"):
        page.locator(".builder-buttons label", has_text=label).first.click()
    for place in (0, 1):
        page.locator(".builder-buttons input[data-kind=party] + label").nth(place).click()
    expect(page.locator("#builder-question")).to_contain_text("Brückenbund")
    page.locator("#builder").scroll_into_view_if_needed()
    sizes.append(take(page, "builder"))
    page.goto(f"{site}/")
    reader.ask("Was planen die Parteien beim Mindestlohn?")
    page.locator("h1").first.evaluate("title => document.activeElement.blur()")
    sizes.append(take(page, "answer"))
    page.locator(".cite").first.click()
    expect(page.locator("#passage mark").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    sizes.append(take(page, "source"))
    page.goto(f"{site}/how-it-works/")
    sizes.append(take(page, "how-it-works"))
    phone = open_reader(site, width=390)
    phone.forgive("style-src")
    phone.ask("Wie hoch ist der Mount Everest?")
    phone.page.locator("h1").first.evaluate("title => document.activeElement.blur()")
    sizes.append(take(phone.page, "phone-refusal"))
    assert max(sizes) < LARGEST


def test_the_pictures_show_what_the_desk_sees(open_reader):
    """Of the same site, whose editor's password SCREENSHOT_PASSWORD is. Run it when the demo's topics are made."""
    site, password = os.environ.get("SCREENSHOT_SITE", "").rstrip("/"), os.environ.get("SCREENSHOT_PASSWORD", "")
    if not (site and password):
        pytest.skip("SCREENSHOT_SITE and SCREENSHOT_PASSWORD do not name a running quickstart and its editor.")
    reader = open_reader(site, width=1280)
    # Screenshots set styles on what has the focus; software that draws without a graphics card says so.
    for words in ("style-src", "GL Driver Message"):
        reader.forgive(words)
    page = reader.page
    page.goto(f"{site}/admin/")
    page.fill("#id_username", "editor")
    page.fill("#id_password", password)
    page.keyboard.press("Enter")
    expect(page.locator(".desk-home")).to_be_visible()
    sizes = []
    desk = {"topics": "topic/overview/", "gaps": "gap/", "quality": "topic/quality/", "proposals": "mergeproposal/"}
    for name, path in desk.items():
        page.goto(f"{site}/admin/topics/{path}")
        page.wait_for_load_state("networkidle")
        sizes.append(take(page, name))
    expect(page.locator(".topics-pairs li").first).to_be_visible()
    page.goto(f"{site}/admin/topics/topic/?is_public__exact=1")
    page.locator("#result_list tbody a").first.click()
    page.wait_for_load_state("networkidle")
    sizes.append(take(page, "topic"))
    assert max(sizes) < LARGEST
