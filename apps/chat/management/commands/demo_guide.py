"""Loads the demo's page "How it works"."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

import apps.chat.demo
from apps.chat.models import GuideSection

FILE = Path(apps.chat.demo.__file__).parent / "guide.json"


class Command(BaseCommand):
    help = "Loads the demo's page “How it works”. Changes nothing where it has sections; --remove takes them out."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--first", type=int, help="taken for the sake of the other demo commands")
        parser.add_argument("--remove", action="store_true", help="take the demo's sections out")

    def handle(self, *args: Any, **options: Any) -> None:
        sections = [GuideSection(**row) for row in json.loads(FILE.read_text(encoding="utf-8"))]
        if options["remove"]:
            GuideSection.objects.filter(slug__in=[section.slug for section in sections]).delete()
            return
        if GuideSection.objects.exists():
            self.stdout.write("Demo: “How it works” has sections already, none added.")
            return
        for section in sections:
            section.full_clean()
        GuideSection.objects.bulk_create(sections)
        self.stdout.write(f"Demo: {len(sections)} sections of “How it works”.")
