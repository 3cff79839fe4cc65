"""Loads the question sets that come with the product, so that a newcomer can measure at once."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.evaluation.models import QuestionSet
from apps.evaluation.shipping import builder_refresh, shipped_load


class Command(BaseCommand):
    help = "Loads the question sets about the demo. Running it again changes nothing; --remove takes them out."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--first", type=int, help="taken for the sake of the other demo commands; nothing to wait for"
        )
        parser.add_argument("--remove", action="store_true", help="take the sets of the demo out; runs stay")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["remove"]:
            shipped = QuestionSet.objects.filter(origin=QuestionSet.Origin.SHIPPED)
            count = shipped.count()
            shipped.delete()
            self.stdout.write(f"Demo: {count} question sets removed.")
            return
        made = shipped_load()
        builder_refresh()
        count = sum(each.questions.count() for each in made)
        self.stdout.write(f"Demo: {len(made)} question sets with {count} questions.")
