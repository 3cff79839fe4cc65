"""Trains the model that decides whether passages suffice, and prints its numbers as they stand in the code."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any, Final

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.answering.gold_out import measure_pairs
from apps.answering.positions_out import measure_positions, questions_on, read_theses
from apps.answering.suites.corpora import index_xquad, own_files
from apps.answering.suites.positions import index_positions, read_positions
from apps.answering.training import REPORTED_WRONG, SPLITS, Labelled, Pair, assess, labelled, literal, refused, train
from apps.core.measuring import throwaway_database
from apps.core.suites import MissingDataError, SuiteContext
from apps.documents.embedding import vectors_cached
from apps.documents.models import Document, Party
from apps.documents.services import documents_delete
from apps.evaluation.demo_evidence import demo_evidence
from apps.evaluation.suites.citations import DEMO_DAY
from apps.rag.sufficiency import MODELS

# Encyclopaedic questions are many and unlike those of readers; of the demo's there are few.
_XQUAD_COUNT: Final = 0.2
_POSITIONS_COUNT: Final = 0.3
_DEMO_COUNT: Final = 2.0


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 < share < 1:
        raise ArgumentTypeError("must be a share between 0 and 1, such as 0.04")
    return share


class Command(BaseCommand):
    help = (
        "Trains the sufficiency model on XQuAD's German questions, the positions of the Wahl-O-Mat and the demo,"
        " and prints the numbers of rag/sufficiency.py."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--data", type=Path, help="folder with the data sets (or EVALUATION_DATA)")
        parser.add_argument(
            "--wrong",
            type=_share,
            default=0.04,
            help="share of answerable questions that the threshold may lose (0.04)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        context = SuiteContext(data=_data(options["data"]), say=self._say)
        try:
            # Before a database is made for nothing.
            context.folder("xquad-de")
            context.folder("wahl-o-mat")
        except MissingDataError as error:
            raise CommandError(str(error)) from error
        with throwaway_database(), own_files(), vectors_cached() as embedder:
            pairs = measure_pairs(index_xquad(context), self._say)
            _clear()
            positions = read_positions(context)
            uuids = index_positions(positions, context)
            spoken = measure_positions(questions_on(positions, read_theses(context)), uuids, self._say)
            _clear()
            call_command("demo_documents", verbosity=0, stdout=StringIO())
            demo = demo_evidence(DEMO_DAY, _DEMO_COUNT)
            name = embedder.name
        self._report(
            pairs, [*labelled(pairs, _XQUAD_COUNT), *labelled(spoken, _POSITIONS_COUNT), *demo], name, options["wrong"]
        )

    def _report(self, pairs: list[Pair], rows: list[Labelled], embedder: str, wrong: float) -> None:
        figures = assess(pairs, wrong=wrong)
        trained = train(rows, embedder, figures.threshold.mean)
        articles = len({pair.article for pair in pairs})
        self.stdout.write(
            f"{len(pairs)} questions on {articles} articles, each with and without the paragraph that answers it.\n"
            f"Articles not seen in training, mean (least to most) of {SPLITS} splits:\n"
            f"  AUC {figures.auc}\n"
            f"  right refusals at {REPORTED_WRONG:.0%} wrong ones {figures.right_at_reported}\n"
            f"  threshold that loses {wrong:.0%} in the training half {figures.threshold}\n"
            f"  with it, right refusals {figures.right}, wrong ones {figures.wrong}\n"
            f"The model below is of {len(rows)} cases: these, the Wahl-O-Mat's and the demo's."
        )
        right = refused([pair.unanswerable for pair in pairs])
        lost = refused([pair.answerable for pair in pairs])
        if embedder in MODELS:
            # The threshold is set on questions about politics, not on these.
            ours = replace(trained, refuse_below=MODELS[embedder].refuse_below)
            same = "are the same" if MODELS[embedder] == ours else "differ"
            self.stdout.write(
                f"As shipped, both gates, all questions: right refusals {right:.3f}, wrong ones {lost:.3f}."
                f" The shipped numbers {same}."
            )
        self.stdout.write(literal(trained, embedder))

    def _say(self, line: str) -> None:
        self.stderr.write(line, style_func=lambda text: text)


def _clear() -> None:
    """Take the documents and parties of one corpus away before the next is indexed."""
    documents_delete(documents=Document.objects.all())
    Party.objects.all().delete()


def _data(named: Path | None) -> Path | None:
    if named is None and os.environ.get("EVALUATION_DATA"):
        return Path(os.environ["EVALUATION_DATA"])
    return named
