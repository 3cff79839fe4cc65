"""Suites ``parsing:html`` and ``parsing:fixtures``: main text of web pages, and every format through the sandbox."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.documents.parsing.formats import parse
from apps.documents.parsing.sandbox import parse_in_child
from apps.documents.parsing.types import ParsedDocument, ParsingError

_MARKUP = re.compile(r"<!--.*?-->|(?<=\])\([^)\s]*\)|\[[x ]\]|\\(?=[_*#])", re.DOTALL)
_WORD = re.compile(r"\w+")
_NO_FIXTURE = frozenset(("LICENSE", "README.md"))


@dataclass(slots=True)
class SegmentCount:
    """Gold segments of pages: those that must appear and did or did not, and unwanted ones that appeared."""

    kept: int = 0
    lost: int = 0
    let_in: int = 0

    def add(self, text: str, wanted: Sequence[str], unwanted: Sequence[str]) -> None:
        """Count one page's segments against its parsed text; blanks are not compared."""
        flat = _flat(text)
        found = sum(_flat(segment) in flat for segment in wanted)
        self.kept += found
        self.lost += len(wanted) - found
        self.let_in += sum(_flat(segment) in flat for segment in unwanted)

    @property
    def precision(self) -> float:
        """Return the share of wanted segments among all that appeared."""
        return self.kept / max(1, self.kept + self.let_in)

    @property
    def recall(self) -> float:
        """Return the share of wanted segments that appeared."""
        return self.kept / max(1, self.kept + self.lost)

    @property
    def f_score(self) -> float:
        """Return the harmonic mean of precision and recall."""
        return 2 * self.precision * self.recall / max(1e-9, self.precision + self.recall)


@dataclass(slots=True)
class FixtureCount:
    """How the fixture files ended, and the word recall of each DOCX that was parsed."""

    parsed: int = 0
    rejected: int = 0
    crashed: int = 0
    timed_out: int = 0
    docx_recalls: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def word_recall(gold: str, text: str) -> float:
    """Return the share of the gold's words (counted with repetition) that ``text`` has; markup does not count."""
    wanted = Counter(_WORD.findall(_MARKUP.sub(" ", gold).lower()))
    found = Counter(_WORD.findall(text.lower()))
    return (wanted & found).total() / max(1, wanted.total())


def document_text(document: ParsedDocument) -> str:
    """Return the text of all blocks."""
    return "\n".join(block.text for block in document.blocks)


def fixture_files(folder: Path) -> Iterator[Path]:
    """Yield the source files of the fixture set, in a fixed order."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in _NO_FIXTURE and "groundtruth" not in path.parts:
            yield path


def count_fixture(path: Path, count: FixtureCount) -> None:
    """Parse one file in the child process and add how it ended."""
    try:
        document = parse_in_child(path.read_bytes(), name=path.name)
    except ParsingError as error:
        kind = {"crashed": "crashed", "memory": "crashed", "timeout": "timed_out"}.get(error.code, "rejected")
        setattr(count, kind, getattr(count, kind) + 1)
        count.notes.append(f"{path.parent.parent.name}/{path.name}: {error.code}. {error.reason}")
        return
    count.parsed += 1
    gold = path.parent.parent / "groundtruth" / f"{path.name}.md"
    if path.suffix == ".docx" and gold.is_file():
        count.docx_recalls.append(word_recall(gold.read_text("utf-8"), document_text(document)))


@suite("parsing:html")
def measure_html(context: SuiteContext) -> SuiteResult:
    """Main text of 88 German web pages: segments to keep and to drop."""
    folder = context.folder("html-de")
    gold = json.loads((folder / "gold.json").read_text("utf-8"))
    count = SegmentCount()
    notes = []
    for page in gold.values():
        try:
            document = parse((folder / "pages" / page["file"]).read_bytes(), name=page["file"], crawled=True)
            text = document_text(document)
        except ParsingError as error:
            notes.append(f"{page['file']}: {error.code}")
            text = ""
        count.add(text, page["with"], page["without"])
    figures = {
        "precision": round(count.precision, 4),
        "recall": round(count.recall, 4),
        "f_score": round(count.f_score, 4),
    }
    return SuiteResult(len(gold), figures, notes)


@suite("parsing:fixtures")
def measure_fixtures(context: SuiteContext) -> SuiteResult:
    """Files of twelve formats through the child process: parsed, rejected with a reason, crashed, timed out."""
    count = FixtureCount()
    files = list(fixture_files(context.folder("parser-fixtures")))
    for number, path in enumerate(files, start=1):
        count_fixture(path, count)
        if number % 20 == 0:
            context.say(f"{number} of {len(files)} files")
    recalls = count.docx_recalls
    figures = {
        "parsed": count.parsed,
        "rejected": count.rejected,
        "crashed": count.crashed,
        "timed_out": count.timed_out,
        "docx_parsed": len(recalls),
        "docx_word_recall": round(sum(recalls) / max(1, len(recalls)), 4),
    }
    return SuiteResult(len(files), figures, count.notes)


def _flat(text: str) -> str:
    return " ".join(text.split())
