"""Runs one suite or bench for the commands evaluate and bench: arguments, throw-away database, output."""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from apps.core.suites import MissingDataError, Suite, SuiteContext, SuiteResult, load_suites


@contextmanager
def throwaway_database() -> Iterator[None]:
    """Point every connection of this process at a fresh migrated database and drop it afterwards."""
    name = connection.settings_dict["NAME"]
    drop_leftovers("measure_")
    connection.settings_dict["TEST"] = {**connection.settings_dict.get("TEST", {}), "NAME": f"measure_{os.getpid()}"}
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        end_other_sessions()
        connection.creation.destroy_test_db(name, verbosity=0)


def end_other_sessions() -> None:
    """End every other session on this connection's database: a forgotten one would keep it from being dropped."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def drop_leftovers(prefix: str) -> None:
    """Drop what killed runs left behind: databases called ``prefix`` and the number of a process that is gone.

    Only on the embedded server: on another, the process may run on another machine.
    """
    if not settings.EMBEDDED or not Path("/proc/self").exists():
        return
    with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute("SELECT datname FROM pg_database WHERE datname ~ %s", [f"^{prefix}[0-9]+(_|$)"])
        for (database,) in cursor.fetchall():
            number = int(database.removeprefix(prefix).split("_")[0])
            if not Path(f"/proc/{number}").exists():
                cursor.execute(f"DROP DATABASE IF EXISTS {connection.ops.quote_name(database)} WITH (FORCE)")


class MeasuringCommand(BaseCommand):
    """Shared by evaluate and bench; a subclass names its registry."""

    requires_system_checks: list[str] = []
    registry: dict[str, Suite]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", help="the suite to run; --list names them all")
        parser.add_argument("--list", action="store_true", help="name all suites")
        parser.add_argument("--data", type=Path, help="folder with the data sets (or EVALUATION_DATA)")
        parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
        parser.add_argument("--live", action="store_true", help="measure on your own database instead of a fresh one")
        parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the suite")

    def handle(self, *args: Any, **options: Any) -> None:
        load_suites()
        if options["list"] or not options["name"]:
            for known in sorted(self.registry.values(), key=lambda known: known.name):
                self.stdout.write(f"{known.name:28} {known.summary}")
            return
        chosen = self.registry.get(options["name"])
        if chosen is None:
            raise CommandError(f"There is no {options['name']!r}. --list names what there is.")
        self._print(chosen, *self._run(chosen, options), as_json=options["json"])

    def _run(self, chosen: Suite, options: dict[str, Any]) -> tuple[SuiteResult, float]:
        data = options["data"] or (Path(os.environ["EVALUATION_DATA"]) if os.environ.get("EVALUATION_DATA") else None)
        if chosen.needs_data and (data is None or not data.is_dir()):
            raise CommandError(f"{chosen.name} needs its data sets. Name their folder with --data or EVALUATION_DATA.")
        context = SuiteContext(
            data=data, say=self._say, options=_pairs(options["option"]), is_live=bool(options["live"])
        )
        use_own = chosen.needs_database and not options["live"]
        with throwaway_database() if use_own else nullcontext():
            start = time.perf_counter()
            try:
                result = chosen.measure(context)
            except MissingDataError as error:
                raise CommandError(str(error)) from error
            return result, time.perf_counter() - start

    def _say(self, line: str) -> None:
        self.stderr.write(line, style_func=lambda text: text)

    def _print(self, chosen: Suite, result: SuiteResult, seconds: float, *, as_json: bool) -> None:
        version = {
            "python": platform.python_version(),
            "django": django.get_version(),
            "embedder": settings.EMBEDDER,
            **result.version,
        }
        if as_json:
            record = {
                "suite": chosen.name,
                "n": result.n,
                "figures": dict(result.figures),
                "seconds": round(seconds, 2),
                "version": version,
            }
            self.stdout.write(json.dumps(record, ensure_ascii=False))
            return
        self.stdout.write(f"{chosen.name}: {result.n} cases, {seconds:.1f} s")
        for name, value in result.figures.items():
            self.stdout.write(f"  {name:28} {value:.4f}" if isinstance(value, float) else f"  {name:28} {value}")
        for note in result.notes:
            self.stdout.write(f"  {note}")


def _pairs(options: list[str]) -> dict[str, str]:
    for option in options:
        if "=" not in option:
            raise argparse.ArgumentTypeError(f"--option takes KEY=VALUE, not {option!r}.")
    return dict(option.split("=", 1) for option in options)
