"""Suites for the parsers of PDF: programmes against their reference, and made-up files with hidden or light text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.documents.parsing.pdf import parse_pdf
from apps.documents.parsing.types import ParsedDocument, ParsingError
from apps.documents.suites.hidden_pdfs import Case, hidden_cases
from apps.documents.suites.honest_pdfs import honest_cases
from apps.documents.suites.hyphenation import read_labels, wrong_hyphens
from apps.documents.suites.programmes_gold import comparable, found_headings, found_on_page, gold_blocks


@dataclass(slots=True)
class ProgrammeFigures:
    """Counts over the programmes measured so far."""

    blocks: int = 0
    found: int = 0
    headings: int = 0
    headings_found: int = 0
    hyphens: int = 0
    hyphens_wrong: int = 0
    risky: int = 0
    risky_wrong: int = 0
    crashed: int = 0
    shares: dict[str, float] = field(default_factory=dict)

    def add(self, slug: str, document: ParsedDocument, gold: Path) -> None:
        """Compare one parsed programme with its paged markdown and with the labelled hyphens."""
        blocks = gold_blocks(gold)
        found, headings = found_on_page(blocks, document), found_headings(blocks, document)
        self.blocks += len(found)
        self.found += sum(found)
        self.headings += len(headings)
        self.headings_found += sum(headings)
        self.shares[slug] = sum(found) / len(found)
        sample, risky = read_labels("sample").get(slug, {}), read_labels("risky").get(slug, {})
        self.hyphens += len(sample)
        self.hyphens_wrong += len(wrong_hyphens(document, sample))
        self.risky += len(risky)
        self.risky_wrong += len(wrong_hyphens(document, risky))

    def figures(self) -> dict[str, float | int]:
        return {
            "page_exact": self.found / max(self.blocks, 1),
            "page_exact_min": min(self.shares.values(), default=0.0),
            "hyphenation_errors": self.hyphens_wrong / max(self.hyphens, 1),
            "heading_recall": self.headings_found / max(self.headings, 1),
            "crashed": self.crashed,
        }


@suite("parsing:programmes", needs_data=True)
def measure_programmes(context: SuiteContext) -> SuiteResult:
    """11 election programmes (PDF) against cleaned paged markdown: words on the right page, hyphens, headings."""
    folder = context.folder("programmes-2025")
    result = ProgrammeFigures()
    for path in sorted((folder / "pdf").glob("*.pdf")):
        context.say(path.stem)
        try:
            document = parse_pdf(path.read_bytes(), name=path.name)
        except Exception as error:
            result.crashed += 1
            context.say(f"{path.name}: {error!r}")
            continue
        result.add(path.stem, document, folder / "md-paged" / f"{path.stem}.md")
    notes = [f"{slug}: {share:.4f}" for slug, share in result.shares.items()]
    notes.append(f"Hyphens of the hard kinds: {result.risky_wrong} wrong of {result.risky}.")
    return SuiteResult(n=result.blocks, figures=result.figures(), notes=notes)


@suite("parsing:hidden", needs_data=False)
def measure_hidden(context: SuiteContext) -> SuiteResult:
    """Made-up PDFs: sentences hidden in different ways, and honest light text on dark ground."""
    hidden, honest = hidden_cases(), honest_cases()
    kept_out, lost, crashed, notes = judge_cases([*hidden, *honest])
    figures = {"hidden_kept_out": kept_out / len(hidden), "honest_lost": lost, "crashed": crashed}
    notes.append(f"{kept_out} of {len(hidden)} hidden sentences were kept out.")
    return SuiteResult(n=len(hidden) + len(honest), figures=figures, notes=notes)


def judge_cases(cases: Sequence[Case]) -> tuple[int, int, int, list[str]]:
    """Hidden sentences kept out, honest sentences lost, crashes, and a line for each failure."""
    kept_out = lost = crashed = 0
    notes = []
    for case in cases:
        try:
            document = parse_pdf(case.data, name=f"{case.name}.pdf")
        except (ParsingError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError, OSError) as error:
            crashed += 1
            notes.append(f"{case.name}: {error!r}")
            continue
        text = comparable(" ".join([document.title, *(block.text for block in document.blocks)]))
        leaked = [word for word in case.secret.split() if len(word) > 4 and comparable(word) in text]
        kept_out += bool(case.secret) and not leaked
        lost += comparable(case.honest) not in text
        if leaked or comparable(case.honest) not in text:
            notes.append(f"{case.name}: {'leaked ' + ' '.join(leaked) if leaked else 'honest sentence lost'}")
    return kept_out, lost, crashed, notes
