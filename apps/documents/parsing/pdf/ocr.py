"""Scanned pages: how they are known, and their recognition with Tesseract where it is installed."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from statistics import median

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from apps.documents.parsing.pdf.geometry import Frame, Style, Word

MIN_LETTERS = 20
_MIN_IMAGE_SHARE = 0.5
_DPI = 300
_MAX_PIXELS = 25_000_000
_MIN_CONFIDENCE = 30.0
_SECONDS = 90
_WANTED = ("deu", "eng")


def is_scan(page: pdfium.PdfPage, words: Sequence[Word], frame: Frame) -> bool:
    """Fewer than 20 visible characters on a page that pictures cover by half."""
    if sum(len(word.text) for word in words) >= MIN_LETTERS:
        return False
    area = 0.0
    for item in page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), max_depth=4):
        if item.level > 0:
            return True
        left, bottom, right, top = item.get_bounds()
        area += max(min(right, frame.right) - max(left, frame.left), 0) * max(
            min(top, frame.top) - max(bottom, frame.bottom), 0
        )
    return area >= _MIN_IMAGE_SHARE * frame.width * frame.height


def tesseract() -> str | None:
    """Where the program is, or None."""
    return shutil.which("tesseract")


@cache
def _languages(program: str) -> str:
    """German and English, as far as their data is installed."""
    listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=20, check=False)
    known = set(listed.stdout.split())
    return "+".join(name for name in _WANTED if name in known) or "eng"


def recognised_words(page: pdfium.PdfPage, frame: Frame) -> list[Word]:
    """The words Tesseract reads on the page, with boxes in points. Empty when it fails or takes too long."""
    program = tesseract()
    if program is None:
        return []
    scale = min(_DPI / 72, (_MAX_PIXELS / max(frame.width * frame.height, 1)) ** 0.5)
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=False)
    picture = io.BytesIO()
    bitmap.to_pil().save(picture, "PNG", compress_level=1, dpi=(scale * 72, scale * 72))
    bitmap.close()
    command = [program, "stdin", "stdout", "-l", _languages(program), "--psm", "1", "tsv"]
    try:
        done = subprocess.run(
            command,
            input=picture.getvalue(),
            capture_output=True,
            timeout=_SECONDS,
            check=True,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    except (subprocess.SubprocessError, OSError):
        return []
    return words_of_table(done.stdout.decode("utf-8", "replace"), scale)


def words_of_table(table: str, scale: float) -> list[Word]:
    """Words from Tesseract's table of tab-separated values; one baseline and one size per line."""
    lines: dict[tuple[str, str, str], list[tuple[str, float, float, float, float]]] = {}
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row.get("text") or "").strip()
        if row.get("level") != "5" or not text or float(row["conf"]) < _MIN_CONFIDENCE:
            continue
        left, top = int(row["left"]) / scale, int(row["top"]) / scale
        right, bottom = left + int(row["width"]) / scale, top + int(row["height"]) / scale
        key = row["block_num"], row["par_num"], row["line_num"]
        lines.setdefault(key, []).append((text, left, top, right, bottom))
    heights = [median(word[4] - word[2] for word in line) for line in lines.values()]
    usual = median(heights) if heights else 0.0
    words: list[Word] = []
    for line, height in zip(lines.values(), heights, strict=True):
        # Heights differ with the letters of a line; only a clear difference is another size.
        size = usual if 0.65 * usual < height < 1.35 * usual else height
        style = Style("ocr", round(max(size, 4.0) * 1.1, 1), 400, 0, 0, 1.0)
        baseline = median(word[4] for word in line)
        for text, left, top, right, bottom in line:
            words.append(Word(text, left, top, right, bottom, baseline, style, True, []))
    return words
