"""Trains the models that tell small talk from questions, and writes their numbers to where the chat reads them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.answering.route_training import read_utterances, train
from apps.rag.routing_model import WEIGHTS_FILE, model_to_json


class Command(BaseCommand):
    help = "Trains the routing of small talk on the utterances in apps/answering/utterances (about a minute)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="only say whether the shipped numbers are the same")

    def handle(self, *args: Any, **options: Any) -> None:
        utterances = read_utterances()
        counted = Counter(utterance.code for utterance in utterances)
        self.stdout.write(", ".join(f"{count} {code}" for code, count in counted.most_common()))
        trained = model_to_json(train(utterances))
        shipped = WEIGHTS_FILE.read_text(encoding="utf-8") if WEIGHTS_FILE.exists() else ""
        self.stdout.write(f"The shipped numbers {'are the same' if trained == shipped else 'differ'}.")
        if not options["check"]:
            WEIGHTS_FILE.write_text(trained, encoding="utf-8")
            self.stdout.write(f"Written to {WEIGHTS_FILE.name}. Run the suite routing before you commit it.")
