"""Proves that readers' secrets go nowhere: asks thousands of questions with canaries and looks for them everywhere."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.measuring import throwaway_database
from apps.querylog.privacy.checking import Checked, privacy_check


class Command(BaseCommand):
    help = "Asks invented questions with canaries in a database of its own, runs the night, and searches everything."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--conversations", type=int, default=3_000, help="how many; six of ten tell a secret")
        parser.add_argument("--planted", type=int, default=60, help="how many try to make topics and labels tell one")
        parser.add_argument("--json", action="store_true", help="print one JSON object on one line")

    def handle(self, *args: Any, **options: Any) -> None:
        with throwaway_database():
            checked = privacy_check(options["conversations"], options["planted"], say=self._say)
        self.stdout.write(_json(checked) if options["json"] else _table(checked))
        if not checked.is_clean:
            raise CommandError("Canaries came to light or stayed: see the places above.")

    def _say(self, line: str) -> None:
        self.stderr.write(line, style_func=lambda text: text)


def _figures(checked: Checked) -> dict[str, int]:
    return {
        "masked_found": checked.masked_found,
        "loose_found": checked.loose_found,
        "left_found": checked.left_found,
        "canaries": checked.canaries,
        "planted": checked.planted,
        "tables": checked.tables,
        "pages": checked.pages,
    }


def _json(checked: Checked) -> str:
    places = [asdict(leak) for leak in (*checked.leaks, *checked.left)]
    record = {
        "suite": "privacy_check",
        "n": checked.conversations,
        "figures": _figures(checked),
        "nightly": checked.nightly,
        "places": places,
    }
    return json.dumps(record, ensure_ascii=False)


def _table(checked: Checked) -> str:
    lines = [f"privacy_check: {checked.conversations} conversations; ran {', '.join(checked.nightly)}"]
    lines += [f"  {name:28} {value}" for name, value in _figures(checked).items()]
    lines += [f"  FOUND {leak.count} in {leak.place}" for leak in checked.leaks]
    lines += [f"  LEFT {leak.count} in {leak.place} after everything was erased" for leak in checked.left]
    return "\n".join(lines)
