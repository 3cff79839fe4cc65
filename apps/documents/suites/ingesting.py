"""Speed and memory of taking documents in: the 843 pages of programmes-2025, stage by stage."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apps.core.suites import Figure, MissingDataError, SuiteContext, SuiteResult, bench
from apps.documents.chunking import ChunkSpan, chunk_document
from apps.documents.embedding import embedded_text, get_embedder
from apps.documents.parsing.sandbox import parse_in_child
from apps.documents.parsing.types import ParsedDocument
from apps.documents.sectioning import section_document

# Embedding everything takes as long as reading the figures is worth: about 20 minutes on one core.
SAMPLED_CHUNKS = 100
# The sandbox's child, which writes down its own peak at the end (a parent sees only the sum of all its children).
_CHILD = """
import re, resource, sys
from apps.documents.parsing.child import main
code = main()
try:
    peak = int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
except OSError:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
open(sys.argv[1], "w").write(str(round(peak / 1024, 1)))
sys.exit(code)
"""


@dataclass(frozen=True, slots=True)
class _Spent:
    """Seconds on the wall, and of the processor in this process and its children."""

    wall: float
    processor: float


class _Watch:
    """Measures a stage; the processor's time tells what a busy machine hides."""

    def __enter__(self) -> _Watch:
        self._wall, self._processor = time.perf_counter(), _processor_seconds()
        return self

    def __exit__(self, *_: object) -> None:
        self.spent = _Spent(time.perf_counter() - self._wall, _processor_seconds() - self._processor)


@bench("ingest", needs_data=True)
def ingest(context: SuiteContext) -> SuiteResult:
    """Parse, cut and embed the 843 pages of programmes-2025: pages per second, memory of worker and child.

    Embedding is measured on every n-th chunk with its sentences; --option chunks=all embeds everything.
    """
    paths = sorted(context.folder("programmes-2025").joinpath("pdf").glob("*.pdf"))
    if not paths:
        raise MissingDataError("programmes-2025/pdf holds no PDF files.")
    documents, parsing, child_mb = _parse(paths, context)
    pages = sum(len(document.pages) for document in documents)
    embedder = get_embedder()
    embedder.count_tokens("Wort")  # loads the model outside the clock
    with _Watch() as cutting:
        chunks = [
            chunk
            for path, document in zip(paths, documents, strict=True)
            for chunk in chunk_document(
                section_document(document), title=document.title or path.stem, count_tokens=embedder.count_tokens
            )
        ]
    context.say(f"{len(chunks)} chunks, {cutting.spent.wall:.1f} s")
    wanted = context.options.get("chunks", str(SAMPLED_CHUNKS))
    step = 1 if wanted == "all" else max(1, len(chunks) // int(wanted))
    sample = chunks[::step]
    texts = _texts(sample)
    with _Watch() as embedding:
        for start in range(0, len(texts), 16):
            embedder.embed_passages(texts[start : start + 16])
    share = sum(chunk.token_count for chunk in sample) / sum(chunk.token_count for chunk in chunks)
    figures: dict[str, Figure] = {
        "parse_pages_per_s": pages / parsing.spent.wall,
        "chunk_pages_per_s": pages / cutting.spent.wall,
        "embed_pages_per_s": pages * share / embedding.spent.wall,
        "parse_cpu_pages_per_s": pages / parsing.spent.processor,
        "chunk_cpu_pages_per_s": pages / cutting.spent.processor,
        "embed_cpu_pages_per_s": pages * share / embedding.spent.processor,
        "worker_rss_mb": peak_rss_mb(),
        "child_rss_mb": child_mb,
    }
    notes = [
        f"{len(paths)} files, {pages} pages, {len(chunks)} chunks; the cpu figures count processor seconds.",
        f"embedded {len(sample)} chunks with their sentences, {share:.0%} of the text"
        + ("" if step == 1 else " (a sample; --option chunks=all embeds everything)"),
        f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
    ]
    return SuiteResult(n=pages, figures=figures, notes=notes, version={"model": embedder.name})


def _parse(paths: Sequence[Path], context: SuiteContext) -> tuple[list[ParsedDocument], _Watch, float]:
    """Return the documents, the clock, and the largest child's resident memory in MB."""
    documents: list[ParsedDocument] = []
    largest = 0.0
    with tempfile.TemporaryDirectory() as folder, _Watch() as watch:
        report = Path(folder) / "rss"
        command = (sys.executable, "-c", _CHILD, str(report))
        for path in paths:
            documents.append(parse_in_child(path.read_bytes(), name=path.name, command=command))
            largest = max(largest, float(report.read_text()))
            context.say(f"{path.name}: {len(documents[-1].pages)} pages, child {report.read_text()} MB")
    return documents, watch, largest


def _texts(chunks: Sequence[ChunkSpan]) -> list[str]:
    texts: list[str] = []
    for chunk in chunks:
        texts.append(embedded_text(chunk.context, chunk.text))
        texts += [chunk.text[start:end] for start, end in chunk.sentences]
    return texts


def peak_rss_mb() -> float:
    """Return this process's highest resident memory in MB.

    From /proc where there is one: ru_maxrss of a child also counts its parent's memory at the moment of the start.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="ignore")
        line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
        return round(int(line.split()[1]) / 1024, 1)
    except (OSError, StopIteration):
        unit = 1024 * 1024 if sys.platform == "darwin" else 1024
        return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1)


def _processor_seconds() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
