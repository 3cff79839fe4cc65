"""Every word of the interface exists in German, and the compiled catalogue is the one in use."""

from __future__ import annotations

import gettext
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "apps/core/locale/de/LC_MESSAGES/django.po"
COMPILED = CATALOGUE.with_suffix(".mo")


def entries(path: Path) -> dict[str, tuple[list[str], bool, str]]:
    """Return msgid -> (translations, is_fuzzy, plural) of a catalogue, without its header."""
    found: dict[str, tuple[list[str], bool, str]] = {}
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
        lines = [line for line in block.splitlines() if not line.startswith("#~")]
        fields: dict[str, str] = {}
        field = ""
        for line in lines:
            if match := re.match(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?) (".*")$', line):
                field = match[1]
                fields[field] = match[2][1:-1]
            elif line.startswith('"') and field:
                fields[field] += line[1:-1]
        if fields.get("msgid"):
            key = fields.get("msgctxt", "") + fields["msgid"]
            is_fuzzy = any(line.startswith("#,") and "fuzzy" in line for line in lines)
            texts = [value for name, value in fields.items() if name.startswith("msgstr")]
            found[key] = (texts, is_fuzzy, fields.get("msgid_plural", ""))
    return found


def test_nothing_is_untranslated_or_doubtful():
    known = entries(CATALOGUE)
    assert len(known) > 100
    assert not [key for key, (texts, is_fuzzy, _) in known.items() if is_fuzzy or not all(texts)]


def test_the_compiled_catalogue_is_up_to_date():
    with COMPILED.open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for key, (texts, *_) in entries(CATALOGUE).items():
        plain = key.encode().decode("unicode_escape").encode("latin-1").decode("utf-8") if "\\" in key else key
        expected = texts[0].replace('\\"', '"').replace("\\n", "\n")
        got = compiled.ngettext(plain, plain, 1) if len(texts) > 1 else compiled.gettext(plain)
        assert got == expected, plain


def test_placeholders_survive_translation():
    for key, (texts, _, plural) in entries(CATALOGUE).items():
        wanted = set(re.findall(r"%\(\w+\)[sd]", key + plural))
        for text in texts:
            assert set(re.findall(r"%\(\w+\)[sd]", text)) <= wanted | {"%(n)s", "%(n)d"}, key
            assert len(texts) > 1 or set(re.findall(r"%\(\w+\)[sd]", text)) == wanted, key


def test_the_catalogue_holds_every_word_of_the_code(tmp_path):
    if shutil.which("xgettext") is None:
        if os.environ.get("CI"):
            pytest.fail("xgettext is missing; .ci/run installs gettext.")
        pytest.skip("xgettext is not installed.")
    for name in ("apps", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", tmp_path)
    (tmp_path / "static").mkdir()
    subprocess.run(
        [sys.executable, "manage.py", "makemessages", "--locale", "de", "--no-location"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        timeout=120,
    )
    fresh = entries(tmp_path / CATALOGUE.relative_to(ROOT))
    assert set(fresh) == set(entries(CATALOGUE))
