"""The lock is complete: what the code needs is pinned, and what is pinned needs nothing else."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent


def chosen(name: str) -> list[Requirement]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith(("#", "-"))]


def locked(name: str) -> dict[str, Requirement]:
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if match := re.match(r"([A-Za-z0-9._\[\]-]+==[^\s;]+(?:\s*;[^\\]*?)?)\s+--hash", line):
            requirement = Requirement(match[1].strip())
            if requirement.marker is None or requirement.marker.evaluate():
                found[canonicalize_name(requirement.name)] = requirement
    return found


LOCK = locked("requirements.txt")
DEV_LOCK = locked("requirements-dev.txt")
# Named by a package for something that we do not use: with it would come torch.
LEFT_OUT = {canonicalize_name(item.name) for item in chosen("requirements-excludes.txt")}


@pytest.mark.parametrize("requirement", chosen("requirements.in"), ids=str)
def test_what_was_chosen_is_pinned_as_chosen(requirement):
    pin = LOCK[canonicalize_name(requirement.name)]
    version = next(iter(pin.specifier)).version
    assert requirement.specifier.contains(version)


def test_every_line_of_the_lock_has_a_hash():
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    pins = re.findall(r"^[A-Za-z0-9][^\n]*==", text, re.MULTILINE)
    blocks = re.findall(r"^[A-Za-z0-9][^\n]*==[^\n]*\\\n\s+--hash", text, re.MULTILINE)
    assert len(pins) == len(blocks) > 50


def test_the_lock_names_no_index():
    for name in ("requirements.txt", "requirements-dev.txt"):
        assert not re.search(
            r"--(?:extra-)?index-url|--find-links|https?://", (ROOT / name).read_text(encoding="utf-8")
        )


@pytest.mark.parametrize("name", sorted(LOCK))
def test_what_is_pinned_needs_nothing_that_is_not(name):
    try:
        needs = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        pytest.fail(f"{name} is pinned but not installed.")
    extras = LOCK[name].extras or {""}
    wanted = {canonicalize_name(extra) for item in chosen("requirements.in") for extra in item.extras}
    for text in needs:
        need = Requirement(text)
        applies = need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in {*extras, *wanted, ""})
        only_by_extra = need.marker is not None and "extra" in str(need.marker)
        if applies and not only_by_extra and canonicalize_name(need.name) not in LEFT_OUT:
            assert canonicalize_name(need.name) in LOCK, f"{name} needs {need}"


def test_the_two_locks_agree():
    both = set(LOCK) & set(DEV_LOCK)
    assert not [name for name in both if LOCK[name].specifier != DEV_LOCK[name].specifier]


def test_every_module_of_ours_can_be_imported():
    code = """
import importlib, os, pkgutil
os.environ["DJANGO_SETTINGS_MODULE"] = "apps.config.settings"
import django
django.setup()
import apps
for module in pkgutil.walk_packages(apps.__path__, "apps."):
    if "asgi" not in module.name and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=180)
    assert result.returncode == 0, result.stderr[-2000:]


def test_the_walk_over_our_modules_finds_them():
    package = importlib.import_module("apps")
    names = {module.name for module in pkgutil.walk_packages(package.__path__, "apps.")}
    assert {"apps.language.sentences", "apps.documents.parsing.formats", "apps.rag.pipeline"} <= names
