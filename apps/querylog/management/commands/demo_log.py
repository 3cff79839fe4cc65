"""Loads the demo's log: four weeks of questions about the invented election, ending today."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from apps.querylog.demo.loading import demo_load_next, demo_remove
from apps.querylog.demo.planning import plan
from apps.querylog.demo.progress import demo_ordered
from apps.querylog.tasks import demo_load


class Command(BaseCommand):
    help = "Loads four weeks of invented questions, answered from the demo's documents; dates them anew each time."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--first", type=int, help="leave everything to the workers: no reader waits for it")
        parser.add_argument("--remove", action="store_true", help="take the invented questions out, with their counts")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["remove"]:
            self.stdout.write(f"Demo: {demo_remove()} invented questions removed.")
            return
        if options["first"] is not None:
            demo_ordered(conversations=len(plan()))
            transaction.on_commit(demo_load.delay, robust=True)
            self.stdout.write("Demo: the log of questions is being loaded behind the page.")
            return
        count = 0
        while True:
            loaded = demo_load_next()
            count += loaded.turns
            if not loaded.has_more:
                break
        self.stdout.write(f"Demo: {count} invented questions loaded; the log ends today.")
