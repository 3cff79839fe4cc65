"""Runs the topics now, in this process: for operators, the demo and checks of privacy."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.topics.models import TopicRun


class Command(BaseCommand):
    help = "Reads the log on, places new questions, runs the topics of the night, looks for gaps, makes the panel."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--full", action="store_true", help="look at everything anew")

    def handle(self, *args: Any, **options: Any) -> None:
        from apps.topics.publicity import panel_make
        from apps.topics.services.gaps import gaps_update
        from apps.topics.services.log_reading import log_read
        from apps.topics.services.notices import notices_send
        from apps.topics.services.ordering import run_order
        from apps.topics.services.running import run_execute

        log_read(most=1_000_000)
        run = run_order(kind=TopicRun.Kind.FULL if options["full"] else TopicRun.Kind.NIGHT)
        run_execute(pk=run.pk)
        run.refresh_from_db()
        fresh = gaps_update()
        notices_send(fresh=fresh)
        shown = len(panel_make().topics)
        counts = f"{run.texts} texts, {run.topics} topics, {run.born} new; {len(fresh)} gaps opened"
        self.stdout.write(f"{run.state}: {counts}, {shown} topics for readers.")
