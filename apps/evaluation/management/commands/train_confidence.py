"""Trains confidence and aspects on one half of the questions, and prints the numbers as they stand in the code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.measuring import throwaway_database
from apps.core.suites import MissingDataError, SuiteContext
from apps.documents.embedding import get_embedder
from apps.evaluation.confidence_training import literal, train_aspects, train_confidence
from apps.evaluation.suites.confidence import gather
from apps.rag import calibration, covering
from apps.rag.settings import PipelineSettings


class Command(BaseCommand):
    help = (
        "Trains the confidence of answers and the coverage of aspects on XQuAD's questions and the demo's, and prints"
        " the numbers of rag/calibration.py and rag/covering.py. Report with: evaluate signals."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--data", type=Path, help="folder with the data sets (or EVALUATION_DATA)")
        parser.add_argument("--every", type=int, default=3, help="every how many of XQuAD's questions (3)")

    def handle(self, *args: Any, **options: Any) -> None:
        data = options["data"] or (Path(os.environ["EVALUATION_DATA"]) if os.environ.get("EVALUATION_DATA") else None)
        context = SuiteContext(data=data, say=self._say, options={"every": str(max(1, options["every"]))})
        try:
            # Before a database is made for nothing.
            context.folder("xquad-de")
        except MissingDataError as error:
            raise CommandError(str(error)) from error
        with throwaway_database():
            cases, labelled = gather(context)
            embedder = get_embedder().name
            confidence = train_confidence(cases)
            aspects, count = train_aspects(labelled, PipelineSettings(embedder=embedder))
        used = sum(bool(case.features) and not case.is_held_out for case in cases)
        same = confidence == calibration.MODELS.get(embedder), aspects == covering.MODELS.get(embedder)
        self.stdout.write(
            f"{used} answers, shipped numbers {_same(same[0])}:\n{literal(confidence, embedder)}\n"
            f"{count} aspects, shipped numbers {_same(same[1])}:\n{literal(aspects, embedder)}"
        )

    def _say(self, line: str) -> None:
        self.stderr.write(line, style_func=lambda text: text)


def _same(is_same: bool) -> str:
    return "are the same" if is_same else "differ"
