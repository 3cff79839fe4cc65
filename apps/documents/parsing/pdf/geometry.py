"""Words and lines of a PDF page in display space, and the map from PDF user space into it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Style:
    """How a word is set. ``size`` is effective (after the text matrix) in points, ``stretch`` width by height."""

    font: str
    size: float
    weight: int
    mode: int
    angle: int
    stretch: float


@dataclass(slots=True)
class Word:
    """Characters between two blanks in one style. The box has its origin at the top left of the crop box.

    ``spaced`` says that a blank stands before the word; ``hyphen`` that a hyphen at the line end follows it, which
    is not part of ``text``. ``sources`` are the addresses of pdfium's text objects that draw it,
    ``piled`` counts letters that stand mostly on the letter before.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    baseline: float
    style: Style
    spaced: bool
    sources: list[int]
    hyphen: str = ""
    piled: int = 0


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a ruled table: its cells joined by " | ", and where it stands on the page."""

    text: str
    box: tuple[float, float, float, float]


@dataclass(slots=True)
class Segment:
    """Words of one baseline without a wide gap: a printed line, or the part of it inside one column."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    baseline: float
    size: float
    weight: int
    page: int
    hyphen: str = ""
    angle: int = 0
    starts_bold: bool = False
    box: tuple[float, float, float, float] | None = None
    table: tuple[TableRow, ...] = ()

    @property
    def printed_box(self) -> tuple[float, float, float, float]:
        """The box on the page as displayed, also for a line that was turned for reading."""
        return self.box or (self.x0, self.y0, self.x1, self.y1)


@dataclass(slots=True)
class PageContent:
    """What one page gave: its visible segments and what was left out."""

    number: int
    width: float
    height: float
    segments: list[Segment] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    is_scanned: bool = False
    is_recognised: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible part of a page in user space and its rotation in degrees clockwise."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int

    @property
    def width(self) -> float:
        return self.top - self.bottom if self.rotation in (90, 270) else self.right - self.left

    @property
    def height(self) -> float:
        return self.right - self.left if self.rotation in (90, 270) else self.top - self.bottom

    def point(self, x: float, y: float) -> tuple[float, float]:
        """User space to display space: points, origin top left, y downwards."""
        if self.rotation == 90:
            return y - self.bottom, x - self.left
        if self.rotation == 180:
            return self.right - x, y - self.bottom
        if self.rotation == 270:
            return self.top - y, self.right - x
        return x - self.left, self.top - y

    def box(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """A user-space rectangle as (x0, y0, x1, y1) in display space."""
        x0, y0 = self.point(left, bottom)
        x1, y1 = self.point(right, top)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def turned(box: tuple[float, float, float, float], angle: int, width: float, height: float) -> tuple[float, ...]:
    """Turn a box so that text running at ``angle`` (degrees clockwise on the page) reads from left to right."""
    x0, y0, x1, y1 = box
    if angle == 90:
        return y0, width - x1, y1, width - x0
    if angle == 180:
        return width - x1, height - y1, width - x0, height - y0
    if angle == 270:
        return height - y1, x0, height - y0, x1
    return box
