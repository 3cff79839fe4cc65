"""One way to measure: suites for quality and benches for speed. Apps register theirs in a module called suites."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.module_loading import autodiscover_modules

Figure = float | int


@dataclass(frozen=True, slots=True)
class SuiteContext:
    """What a suite may use: the data folder (None when it needs none), a line printer, and free options.

    ``data`` is the folder given by --data, ``say`` reports progress, ``options`` come from --option KEY=VALUE.
    ``is_live``: the database is the operator's own.
    """

    data: Path | None
    say: Callable[[str], None]
    options: Mapping[str, str] = field(default_factory=dict)
    is_live: bool = False

    def folder(self, name: str) -> Path:
        """Return one data set's folder, or raise MissingDataError with a sentence."""
        if self.data is None or not (self.data / name).is_dir():
            raise MissingDataError(f"The data set {name} is missing. Name the folder that holds it with --data.")
        return self.data / name


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """What was measured: number of cases, figures by stable snake-case name, and notes for a person."""

    n: int
    figures: Mapping[str, Figure]
    notes: Sequence[str] = ()
    version: Mapping[str, str] = field(default_factory=dict)


class MissingDataError(Exception):
    """A suite's data is not there."""


Measure = Callable[[SuiteContext], SuiteResult]


@dataclass(frozen=True, slots=True)
class Suite:
    """A registered measurement. ``needs_database`` gives it a throw-away database of its own."""

    name: str
    summary: str
    measure: Measure
    needs_data: bool
    needs_database: bool


SUITES: dict[str, Suite] = {}
BENCHES: dict[str, Suite] = {}


def _register(
    registry: dict[str, Suite], name: str, *, needs_data: bool, needs_database: bool
) -> Callable[[Measure], Measure]:
    def decorate(measure: Measure) -> Measure:
        if name in registry:
            raise ValueError(f"{name} is registered twice.")
        summary = (measure.__doc__ or "").strip().split("\n")[0]
        registry[name] = Suite(name, summary, measure, needs_data, needs_database)
        return measure

    return decorate


def suite(name: str, *, needs_data: bool = True, needs_database: bool = False) -> Callable[[Measure], Measure]:
    """Register a quality suite for ``manage.py evaluate``."""
    return _register(SUITES, name, needs_data=needs_data, needs_database=needs_database)


def bench(name: str, *, needs_data: bool = False, needs_database: bool = False) -> Callable[[Measure], Measure]:
    """Register a speed measurement for ``manage.py bench``."""
    return _register(BENCHES, name, needs_data=needs_data, needs_database=needs_database)


def load_suites() -> None:
    """Import every app's suites module."""
    autodiscover_modules("suites")
