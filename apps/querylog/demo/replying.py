"""Has the demo's questions answered by the pipeline: what the log shows of them is what readers would get."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import aclosing
from functools import partial
from typing import Final

from asgiref.sync import async_to_sync
from django.utils import timezone

from apps.answering.door import question_read
from apps.answering.services import answer_stream
from apps.documents.search.retriever import run_search
from apps.querylog.models import Turn
from apps.querylog.recording import take
from apps.rag.types import AnswerContext

# What an answer leaves in a turn, as opposed to what its question does.
ANSWERED_FIELDS: Final = (
    *("state", "decision", "outcome", "ended_with", "query", "rewriting", "understood", "shown", "passages", "signals"),
    *("confidence", "coverage", "timings", "versions", "rule_uid", "rule"),
)


def answered(texts: Iterable[str]) -> dict[str, Turn]:
    """Return a turn, which is stored nowhere, for each question. Leaves nothing in the cache and no hits of rules."""
    return {text: async_to_sync(_answered)(text) for text in texts}


async def _answered(text: str) -> Turn:
    question = (await run_search(partial(question_read, text, language="de"))).question
    turn = Turn(question=question.text, language=question.language)
    context = AnswerContext(now=timezone.localtime(), locale=question.language)
    async with aclosing(answer_stream(question=question, history=(), context=context)) as events:
        async for event in events:
            take(turn, event)
    return turn
