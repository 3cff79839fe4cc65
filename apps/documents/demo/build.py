"""Rebuild the demo's PDF, DOCX and XLSX: ``python -m apps.documents.demo.build [path to Chromium]``."""

from __future__ import annotations

import html
import io
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from string import Template

import openpyxl
from markdown_it import MarkdownIt

from apps.documents.demo.hyphenation import hyphenate
from apps.documents.demo.wordfile import write_docx

_FOLDER = Path(__file__).parent
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-pdf-header-footer",
)
_SECONDS = 90


@dataclass(frozen=True, slots=True)
class Layout:
    """How one PDF looks. ``columns`` is 1 or 2; ``head`` is the running head; a ``cover`` fills the first page."""

    source: str
    target: str
    head: str
    colour: str
    columns: int
    family: str
    cover: bool = False


LAYOUTS = (
    Layout("wahlhilfe-de.md", "wahlhilfe/wahlleitfaden.pdf", "So wählen Sie", "#1F4E79", 1, "Liberation Sans"),
    Layout(
        "brueckenbund.md",
        "programme/brueckenbund.pdf",
        "Brückenbund: Wahlprogramm 2027",
        "#8C1D40",
        2,
        "Liberation Serif",
        True,
    ),
    Layout(
        "fachwerk.md",
        "programme/fachwerk.pdf",
        "Fachwerkpartei · Was trägt, soll bleiben",
        "#5B4636",
        1,
        "DejaVu Serif",
    ),
)


def build_all(chromium: str = "chromium") -> list[Path]:
    """Write every binary file and return the paths; raises CalledProcessError if Chromium fails."""
    written = [build_pdf(layout, chromium) for layout in LAYOUTS]
    docx = _FOLDER / "programme" / "kompass.docx"
    docx.write_bytes(
        write_docx(_source("kompass.md"), title="Richtung Freiheit", author="Kompasspartei"),
    )
    xlsx = _FOLDER / "daten" / "wahlkreise.xlsx"
    xlsx.write_bytes(_constituencies())
    return [*written, docx, xlsx]


def build_pdf(layout: Layout, chromium: str) -> Path:
    """Print one source to PDF with headless Chromium; justified text breaks at soft hyphens."""
    target = _FOLDER / layout.target
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(_page(layout), encoding="utf-8")
        command = [chromium, *_FLAGS, f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)
    return target


def _page(layout: Layout) -> str:
    markdown = _source(layout.source)
    title = markdown.partition("\n")[0].removeprefix("# ")
    style = Template(_source("print.css")).substitute(
        head=layout.head, family=layout.family, colour=layout.colour, columns=layout.columns
    )
    body = MarkdownIt().enable("table").render(markdown)
    cover = ""
    if layout.cover:
        heading, subtitle, body = _split_cover(body)
        cover = f'<div class="cover">{heading}{subtitle}</div>'
    if layout.columns > 1:
        body = _hyphenate_paragraphs(body)
    return (
        f'<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<style>{style}</style></head><body>{cover}<div class="text">{body}</div></body></html>'
    )


def _split_cover(body: str) -> tuple[str, str, str]:
    match = re.match(r"\s*(<h1>.*?</h1>)\s*(<p>.*?</p>)", body, re.DOTALL)
    if match is None:
        raise ValueError("A source with a cover starts with a title and one paragraph.")
    return match[1], match[2], body[match.end() :]


def _hyphenate_paragraphs(body: str) -> str:
    return re.sub(r"(?<=<p>).*?(?=</p>)", lambda match: hyphenate(match[0]), body, flags=re.DOTALL)


def _source(name: str) -> str:
    return (_FOLDER / "sources" / name).read_text(encoding="utf-8")


def _constituencies() -> bytes:
    """The workbook of invented constituencies, from the CSV beside the sources."""
    book = openpyxl.Workbook()
    book.properties.title = "Wahlkreise im Wahlkampf 2027 (erfunden)"
    book.properties.created = book.properties.modified = datetime(2026, 11, 1)
    sheet = book.worksheets[0]
    sheet.title = "Wahlkreise"
    for line in _source("wahlkreise.csv").splitlines():
        sheet.append([int(cell) if cell.isdigit() else cell for cell in line.split(";")])
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


if __name__ == "__main__":
    for path in build_all(*sys.argv[1:2]):
        sys.stdout.write(f"{path.relative_to(_FOLDER)}: {path.stat().st_size:,} bytes\n")
