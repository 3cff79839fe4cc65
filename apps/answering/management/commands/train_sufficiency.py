"""Trains the model that decides whether passages suffice, and prints its numbers as they stand in the code."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.answering.gold_out import measure_pairs
from apps.answering.suites.corpora import index_xquad, own_files
from apps.answering.training import REPORTED_WRONG, SPLITS, Pair, assess, literal, refused, train
from apps.core.measuring import throwaway_database
from apps.core.suites import MissingDataError, SuiteContext
from apps.documents.embedding import vectors_cached
from apps.rag.sufficiency import MODELS


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 < share < 1:
        raise ArgumentTypeError("must be a share between 0 and 1, such as 0.04")
    return share


class Command(BaseCommand):
    help = "Trains the sufficiency model on XQuAD's German questions and prints the numbers of rag/sufficiency.py."
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
        except MissingDataError as error:
            raise CommandError(str(error)) from error
        with throwaway_database(), own_files(), vectors_cached() as embedder:
            pairs = measure_pairs(index_xquad(context), self._say)
            name = embedder.name
        self._report(pairs, name, options["wrong"])

    def _report(self, pairs: list[Pair], embedder: str, wrong: float) -> None:
        figures = assess(pairs, wrong=wrong)
        trained = train(pairs, embedder, figures.threshold.mean)
        articles = len({pair.article for pair in pairs})
        self.stdout.write(
            f"{len(pairs)} questions on {articles} articles, each with and without the paragraph that answers it.\n"
            f"Articles not seen in training, mean (least to most) of {SPLITS} splits:\n"
            f"  AUC {figures.auc}\n"
            f"  right refusals at {REPORTED_WRONG:.0%} wrong ones {figures.right_at_reported}\n"
            f"  threshold that loses {wrong:.0%} in the training half {figures.threshold}\n"
            f"  with it, right refusals {figures.right}, wrong ones {figures.wrong}"
        )
        right = refused([pair.unanswerable for pair in pairs])
        lost = refused([pair.answerable for pair in pairs])
        if embedder in MODELS:
            same = "are the same" if MODELS[embedder] == trained else "differ"
            self.stdout.write(
                f"As shipped, both gates, all questions: right refusals {right:.3f}, wrong ones {lost:.3f}."
                f" The shipped numbers {same}."
            )
        self.stdout.write(literal(trained, embedder))

    def _say(self, line: str) -> None:
        self.stderr.write(line, style_func=lambda text: text)


def _data(named: Path | None) -> Path | None:
    if named is None and os.environ.get("EVALUATION_DATA"):
        return Path(os.environ["EVALUATION_DATA"])
    return named
