"""Makes the demo's topics behind the page, as soon as the demo's log is there."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from apps.topics.demo.making import demo_topics_make, demo_topics_remove
from apps.topics.tasks import demo_make


class Command(BaseCommand):
    help = "Groups the demo's questions into topics, names and approves the large ones. Run demo_log before."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--first", type=int, help="leave everything to the workers: no reader waits for it")
        parser.add_argument("--remove", action="store_true", help="take out topics that no question is left in")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["remove"]:
            self.stdout.write(f"Demo: {demo_topics_remove()} topics removed.")
        elif options["first"] is not None:
            transaction.on_commit(demo_make.delay, robust=True)
            self.stdout.write("Demo: topics are made behind the page once the log is there.")
        else:
            self.stdout.write(f"Demo: topics are made; readers see {demo_topics_make()} of them.")
