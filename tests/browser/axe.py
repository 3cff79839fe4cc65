"""axe-core from the npm registry, fetched once and read from var/cache: it examines pages, and is no part of them."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page

VERSION = "4.10.3"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe_source() -> str:
    """Return the script, or skip the test with what is missing."""
    folder = Path(settings.BASE_DIR) / "var/cache/axe"
    packed = folder / f"axe-core-{VERSION}.tgz"
    if not packed.exists():
        folder.mkdir(parents=True, exist_ok=True)
        if shutil.which("npm") is None:
            pytest.skip("npm is not installed: axe-core cannot be fetched.")
        done = subprocess.run(
            ["npm", "pack", f"axe-core@{VERSION}", "--silent"], cwd=folder, capture_output=True, timeout=120
        )
        if done.returncode or not packed.exists():
            pytest.skip("The npm registry does not answer: axe-core cannot be fetched.")
    with tarfile.open(packed) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode("utf-8")


def examine(page: Page, source: str) -> list[str]:
    """Return what is wrong with a page as it stands now: rule, and where. The policy of the page does not hold here."""
    page.evaluate(source)
    found = page.evaluate("(tags) => axe.run(document, { runOnly: tags })", TAGS)
    overhang = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    wrong = [f"{each['id']}: {node['html'][:200]}" for each in found["violations"] for node in each["nodes"]]
    return wrong + ([f"scrolls sideways by {overhang}"] if overhang > 0 else [])
