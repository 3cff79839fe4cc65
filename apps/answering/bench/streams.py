"""The bench as a stream: progress, the answer as it grows, then the result. Nothing of it is stored."""

from __future__ import annotations

import logging
import traceback
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from functools import partial

from django.template.loader import render_to_string
from django.utils.formats import number_format
from django.utils.translation import gettext, override

from apps.answering.bench.names import STAGES
from apps.answering.bench.running import MOST_SECONDS, BenchQuestion, Ended, Progress, Run, SoFar, bench_steps
from apps.answering.bench.showing import Result, answer_html, result_html, result_of
from apps.core.streaming import ServerSentEvent, json_event
from apps.documents.search.retriever import run_search

logger = logging.getLogger(__name__)


async def bench_events(asked: Sequence[BenchQuestion], locale: str) -> AsyncGenerator[ServerSentEvent, None]:
    """Yield the events of one or two runs, one after the other: side by side they would slow each other down."""
    runs: list[Run] = []
    try:
        for place, question in enumerate(asked):
            async with aclosing(bench_steps(question, seconds=MOST_SECONDS / len(asked))) as steps:
                async for step in steps:
                    match step:
                        case Progress():
                            said = progress_words(step, place if len(asked) > 1 else None, locale)
                            yield json_event("progress", {"text": said})
                        case SoFar():
                            html = await run_search(partial(answer_html, step, question.context.locale))
                            yield json_event("answer", {"place": place, "html": html})
                        case Ended():
                            runs.append(step.run)
        html = await run_search(partial(result_html, runs, locale))
        yield json_event("result", {"html": html})
    except Exception as error:
        _log(error)
        yield json_event("trouble", {"html": trouble_html(locale)})


async def bench_result(asked: Sequence[BenchQuestion]) -> Result | None:
    """Return the result of one or two runs, for a page without scripts; None where it broke."""
    try:
        runs = [await _whole(question, MOST_SECONDS / len(asked)) for question in asked]
        return await run_search(partial(result_of, runs))
    except Exception as error:
        _log(error)
        return None


async def _whole(asked: BenchQuestion, seconds: float) -> Run:
    async with aclosing(bench_steps(asked, seconds=seconds)) as steps:
        async for step in steps:
            if isinstance(step, Ended):
                return step.run
    raise RuntimeError("A run has no end.")


def progress_words(step: Progress, place: int | None, locale: str) -> str:
    """Return where a run is; ``place`` is that of one of two."""
    with override(locale):
        words = [str(STAGES.get(step.stage, step.stage))]
        if step.count > 1:
            given = {"number": step.number, "count": step.count}
            words.insert(0, gettext("Question %(number)s of %(count)s") % given)
        if place is not None:
            words.insert(0, gettext("Answer %(name)s") % {"name": "AB"[place]})
        seconds = number_format(round(step.seconds, 1), decimal_pos=1)
        return " · ".join([*words, gettext("%(seconds)s s") % {"seconds": seconds}])


def trouble_html(locale: str) -> str:
    """Return the sentence for a bench that broke."""
    with override(locale):
        return render_to_string("admin/answering/bench/_trouble.html", {"trouble": "broken"})


def _log(error: BaseException) -> None:
    """Say where it broke. The message of an exception may quote the question, so it stays out."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    logger.error("The bench broke: %s at %s:%s", type(error).__name__, place.filename, place.lineno)
