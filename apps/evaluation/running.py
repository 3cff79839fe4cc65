"""Asks questions and judges what comes: the one way for runs of the admin and for the suites."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache, partial
from types import TracebackType
from typing import Self

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from apps.answering.index_version import index_version
from apps.answering.language_models import get_language_model
from apps.answering.live_settings import active_settings
from apps.answering.parties import party_directory
from apps.answering.services import answer_stream
from apps.answering.settings_versions import AnswerSettingsVersion
from apps.documents.embedding import get_embedder
from apps.documents.models import CorpusChange, DocumentVersion
from apps.evaluation.asking import Ask, AskedTurn, ask_conversation
from apps.evaluation.judging import StoredText, Verdict, judge, verdict_from_json, verdict_to_json
from apps.evaluation.metrics import Judged
from apps.evaluation.models import EvaluationResult
from apps.evaluation.question_files import Expected
from apps.evaluation.serialising import spec_to_json
from apps.evaluation.specs import QuestionSpec
from apps.evaluation.traces import outcome_of, trace_of
from apps.rag.events import Decided, Notice, Sentence
from apps.rag.types import Outcome
from apps.rules.loading import live_release

Conversation = Sequence[QuestionSpec]


class Asker:
    """Asks conversations on one event loop: a model's connections live as long as the loop. Use as a context.

    ``settings`` are other answer settings than those in force; ``stored`` reads what citations are compared with.
    """

    def __init__(
        self,
        ask: Ask | None = None,
        *,
        settings: AnswerSettingsVersion | None = None,
        now: Callable[[], datetime] = timezone.localtime,
        stored: StoredText | None = None,
    ) -> None:
        self._ask: Ask = ask or partial(answer_stream, settings=settings)
        self._now = now
        self._runner = asyncio.Runner()
        # A set asks about the same documents again and again.
        self._stored: StoredText = lru_cache(maxsize=256)(stored or version_text)

    def __enter__(self) -> Self:
        self._runner.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.__exit__(kind, error, trace)

    def results(self, set_slug: str, turns: Conversation) -> list[EvaluationResult]:
        """Return what came of a conversation, as rows that are not saved yet and belong to no run."""
        asked = self._runner.run(ask_conversation(turns, self._ask, self._now()))
        return [self._result(set_slug, turn) for turn in asked]

    def _result(self, set_slug: str, turn: AskedTurn) -> EvaluationResult:
        verdict = judge(turn.spec, turn.said, turn.history, party_directory(), self._stored)
        decided = next((event for event in turn.said if isinstance(event, Decided)), None)
        shown = (each.at for each in turn.events if isinstance(each.event, Sentence | Notice))
        return EvaluationResult(
            set_slug=set_slug,
            key=turn.spec.key,
            number=turn.spec.number,
            kind=turn.spec.kind.value,
            subkind=turn.spec.subkind,
            language=turn.spec.language,
            text=turn.spec.text,
            spec=spec_to_json(turn.spec),
            decision=decided.decision.value if decided else "",
            outcome=outcome_of(turn.events).value,
            trace=trace_of(turn.events),
            verdict=verdict_to_json(verdict),
            is_right=verdict.is_right,
            first_ms=next(shown, None),
            whole_ms=turn.events[-1].at if turn.events else 0.0,
        )


def judged_of(results: Iterable[EvaluationResult]) -> Iterator[Judged]:
    """Yield results as figures and comparisons need them."""
    for each in results:
        expected = each.spec.get("expected")
        yield Judged(
            key=(each.set_slug, each.key, each.number),
            kind=each.kind,
            subkind=each.subkind,
            expected=Expected(expected) if expected else None,
            outcome=Outcome(each.outcome),
            verdict=verdict_of(each),
            first_ms=each.first_ms,
            whole_ms=each.whole_ms,
            text=each.text,
        )


def verdict_of(result: EvaluationResult) -> Verdict:
    """Return what was right about one result."""
    return verdict_from_json(result.verdict)


def version_text(uuid: str, number: int) -> str:
    """Return what is stored, read anew: not what the passage says."""
    found = DocumentVersion.objects.filter(document__uuid=uuid, number=number).values_list("text", flat=True).first()
    return found or ""


def sampled(items: Sequence[tuple[str, Conversation]], most: int | None) -> list[tuple[str, Conversation]]:
    """Return at most ``most`` conversations, evenly spread, so that every set and kind keeps its share."""
    if most is None or most >= len(items):
        return list(items)
    return [items[place * len(items) // most] for place in range(most)]


def versions_now(chosen: AnswerSettingsVersion | None = None) -> dict[str, str | int]:
    """Return what answers depend on, as it is now; under other settings than those in force where some are given."""
    release, chosen = live_release(), chosen or active_settings()
    model = get_language_model(chosen.model)
    return {
        "release": release.number if release else 0,
        "settings": chosen.name,
        "settings_digest": chosen.digest,
        "index": index_version(),
        "passages": CorpusChange.objects.aggregate(total=Sum("chunks"))["total"] or 0,
        "embedder": get_embedder().name,
        "reranker": settings.RERANKER,
        "model": model.name if model else "",
    }
