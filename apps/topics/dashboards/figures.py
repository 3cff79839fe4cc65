"""A chart with its table and its words. The table comes first; the chart is drawn from JSON by plotly's script."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from apps.core.cleaning import clean_text
from apps.rules.exchange.formulas import guard

# Told apart without colours too: the legend names them in the order of their size.
PALETTE: Final = ("#8a3b12", "#1f5f8b", "#5a7d2a", "#7b4b94", "#b8860b", "#2a7f7f", "#a23b5a", "#4f5d75", "#9a9a9a")
UNPLACED_COLOUR: Final = "#d0cac0"
_LAYOUT: Final[dict[str, Any]] = {
    "margin": {"l": 48, "r": 12, "t": 12, "b": 48},
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "legend": {"orientation": "h", "y": -0.2},
    "height": 340,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what is shown, the number behind it, and where it leads."""

    text: str
    address: str = ""
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart of a page. ``summary`` says in a sentence what there is to see; ``figure`` is plotly's, "" for none."""

    name: str
    title: str
    summary: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    figure: dict[str, Any] = field(default_factory=dict)

    @property
    def figure_id(self) -> str:
        return f"figure-{self.name}"

    def csv(self) -> str:
        """Return the table as CSV; what a spreadsheet would take for a formula is only text."""
        out = io.StringIO()
        writer = csv.writer(out)
        # Names of topics stand in the head, too.
        writer.writerow([harmless(str(column)) for column in self.columns])
        writer.writerows([harmless(cell.text) for cell in row] for row in self.rows)
        return out.getvalue()


def harmless(text: str) -> str:
    """Return a cell that no spreadsheet runs."""
    plain = clean_text(text)
    return plain if _is_number(plain) else guard(plain)


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", ".").replace("%", "").strip())
    except ValueError:
        return False
    return True


def number(value: float | None, digits: int = 0) -> Cell:
    """Return a number as a cell, a dash for none."""
    if value is None:
        return Cell("–", is_number=True)
    return Cell(f"{value:.{digits}f}".replace(".", ","), is_number=True)


def percent(share: float | None) -> Cell:
    """Return a share as whole percent, a dash for none: what nobody measured is not zero."""
    return Cell("–" if share is None else f"{round(100 * share)} %", is_number=True)


def day_word(day: date) -> str:
    return date_format(day, "SHORT_DATE_FORMAT")


def day_cell(day: date, today: date) -> Cell:
    """Return a day as a cell; of the day that is not over yet it is said."""
    return Cell(_("%(day)s (not over)") % {"day": day_word(day)} if day >= today else day_word(day))


def layout(**more: Any) -> dict[str, Any]:
    """Return the common look of all charts with what is special about one."""
    return {**_LAYOUT, **more}


def bars(days: Sequence[date], series: Sequence[tuple[str, Sequence[float], str]], *, today: date) -> dict[str, Any]:
    """Return stacked bars by day; the day that is not over yet is hatched."""
    shapes = ["/" if day >= today else "" for day in days]
    data = [
        {
            "type": "bar",
            "name": name,
            "x": [day.isoformat() for day in days],
            "y": list(values),
            "marker": {"color": colour, "pattern": {"shape": shapes}},
        }
        for name, values, colour in series
    ]
    return {"data": data, "layout": layout(barmode="stack", xaxis={"type": "date"}, yaxis={"rangemode": "tozero"})}


def lines(x: Sequence[str], series: Sequence[tuple[str, Sequence[float | None], str]], **more: Any) -> dict[str, Any]:
    """Return lines with points."""
    data = [
        {"type": "scatter", "mode": "lines+markers", "name": name, "x": list(x), "y": list(values),
         "line": {"color": colour}}
        for name, values, colour in series
    ]  # fmt: skip
    return {"data": data, "layout": layout(**more)}


def ranked_bars(names: Sequence[str], values: Sequence[float]) -> dict[str, Any]:
    """Return lying bars, the largest on top."""
    data = [
        {"type": "bar", "orientation": "h", "y": list(names)[::-1], "x": list(values)[::-1],
         "marker": {"color": PALETTE[0]}}
    ]  # fmt: skip
    return {"data": data, "layout": layout(margin={"l": 180, "r": 12, "t": 12, "b": 32}, height=60 + 28 * len(names))}
