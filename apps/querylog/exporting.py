"""The log as a table for other programs: CSV or XLSX, masked words, nothing that a program would run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell

from apps.querylog.models import Turn
from apps.rules.exchange.formulas import guard

MOST_ROWS: Final = 20_000
_COLUMNS: Final = (
    *("asked", "kind", "language", "state", "decision", "outcome", "ended_with", "rule", "parties", "people"),
    *("confidence", "coverage", "feedback", "reasons"),
)


def columns(*, with_words: bool) -> list[str]:
    """Return the names of the columns; they stay the same in every language, so that programs can rely on them."""
    return [*_COLUMNS, "question"] if with_words else list(_COLUMNS)


def rows(turns: Iterable[Turn], *, with_words: bool) -> Iterator[list[str]]:
    """Yield a row of guarded cells per turn."""
    for turn in turns:
        cells = _cells(turn)
        yield [guard(cell) for cell in ((*cells, turn.question) if with_words else cells)]


def _cells(turn: Turn) -> Sequence[str]:
    feedback = getattr(turn, "feedback", None)
    return (
        timezone.localtime(turn.created_at, timezone.get_default_timezone()).strftime("%Y-%m-%d %H:%M"),
        turn.kind,
        turn.language,
        turn.state,
        turn.decision,
        turn.outcome,
        turn.ended_with,
        turn.rule_uid,
        " ".join(turn.parties),
        "; ".join(turn.people),
        _share(turn.confidence),
        _share(turn.coverage),
        feedback.verdict if feedback else "",
        " ".join(feedback.reasons) if feedback else "",
    )


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def note() -> str:
    """What stands above the table."""
    return _(
        "Readers’ questions, personal details blacked out. Cells that a program could run begin with an apostrophe."
        " Delete this file when you no longer need it: the questions themselves live for days only."
    )


def as_csv(turns: Iterable[Turn], *, with_words: bool) -> bytes:
    """Return the table as CSV with a byte order mark, so that spreadsheets read the umlauts."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow([f"# {note()}"])
    writer.writerow(columns(with_words=with_words))
    writer.writerows(rows(turns, with_words=with_words))
    return out.getvalue().encode("utf-8-sig")


def as_xlsx(turns: Iterable[Turn], *, with_words: bool) -> bytes:
    """Return the table as a workbook in which every cell is text."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(_("Questions"))
    for row in ([note()], columns(with_words=with_words), *rows(turns, with_words=with_words)):
        cells = []
        for value in row:
            cell = WriteOnlyCell(sheet, value=value)
            cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
