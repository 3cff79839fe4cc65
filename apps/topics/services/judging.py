"""What a model adds where one is set: names of topics, clarity and type of a sample of questions."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import aclosing
from datetime import timedelta
from typing import Final

import numpy as np
from asgiref.sync import async_to_sync
from django.db.models import CharField
from django.db.models.functions import MD5, Cast

from apps.answering.language_models import get_language_model, model_deadlines
from apps.documents.models import Party
from apps.language.parties import PartyRecogniser
from apps.querylog.counting import berlin_today
from apps.rag.model_types import LanguageModel, Message, ModelError, ModelRequest
from apps.topics import spaces
from apps.topics.modelling import naming
from apps.topics.models import Asked, Topic, TopicMember
from apps.topics.services.counting import days_count

logger = logging.getLogger(__name__)
_SAMPLE: Final = 100
_MOST_SILENT: Final = 3
_SPAN: Final = timedelta(days=7)
_INSIDE: Final = 10
_OUTSIDE: Final = 5
_MOST_NAMES: Final = 60
_MOST_TOKENS: Final = 120


def questions_judge(*, model: LanguageModel | None = None, most: int = _SAMPLE) -> int:
    """Judge a sample of the week's questions that nobody has judged; return how many. 0 without a model."""
    judge = model or get_language_model()
    if judge is None:
        return 0
    first = berlin_today() - _SPAN
    waiting = Asked.objects.filter(day__gte=first, judged_by="", is_left_out=False).select_related("text")
    # In an order that has nothing to do with time: the newest would all be of one evening, or of one event.
    rows = list(waiting.order_by(MD5(Cast("turn_id", CharField())))[:most])
    done, silent = [], 0
    for row in rows:
        reply = reply_of(judge, naming.judging_messages(row.text.text))
        silent = 0 if reply else silent + 1
        if _judged(row, reply, judge):
            done.append(row)
        if silent == _MOST_SILENT:
            # A model that is away would be waited for a hundred times.
            logger.warning("The model was silent %d times in a row: no more questions are judged tonight", silent)
            break
    fields = ["clear_intent", "clear_subject", "clear_names", "question_type", "judged_by"]
    Asked.objects.bulk_update(done, fields, batch_size=500)
    days_count(days={row.day for row in done})
    return len(done)


def _judged(row: Asked, reply: str, model: LanguageModel) -> bool:
    found = naming.judgement_accepted(reply)
    if found is None:
        return False
    row.clear_intent, row.clear_subject, row.clear_names = found.intent, found.subject, found.names
    row.question_type, row.judged_by = found.kind, f"{model.name}/{naming.JUDGING_VERSION}"[:120]
    return True


def topics_name(*, topics: Sequence[Topic], model: LanguageModel | None = None) -> int:
    """Let the model name topics that have only the machine's words; return how many names passed the checks."""
    writer = model or get_language_model()
    if writer is None:
        return 0
    parties = PartyRecogniser(
        {party.slug: [party.short_name, party.name, *party.aliases] for party in Party.objects.all()}
    )
    version = f"{writer.name}/{naming.NAMING_VERSION}"[:120]
    waiting = [topic for topic in topics if topic.label_source != version and not topic.label_editor]
    taken = set(Topic.objects.living().values_list("label_auto", flat=True))
    named = 0
    for topic in waiting[:_MOST_NAMES]:
        name = _named(topic, topics, writer, sorted(taken - {topic.label_auto}), parties)
        if name:
            topic.label_auto, topic.label_source = name, version
            topic.save(update_fields=["label_auto", "label_source"])
            taken.add(name)
            named += 1
    return named


def _named(
    topic: Topic, topics: Sequence[Topic], writer: LanguageModel, taken: Sequence[str], parties: PartyRecogniser
) -> str:
    inside = [text.text for text in TopicMember.objects.typical(topic.pk, _INSIDE)]
    beside = _nearest(topic, topics)
    outside = [text.text for text in TopicMember.objects.typical(beside.pk, _OUTSIDE)] if beside else []
    messages = naming.naming_messages(inside, outside, taken[:40])
    return naming.name_accepted(reply_of(writer, messages), topic.keywords, taken, parties)


def _nearest(topic: Topic, topics: Sequence[Topic]) -> Topic | None:
    others = [other for other in topics if other.pk != topic.pk and len(other.centre) == len(topic.centre)]
    if not others:
        return None
    near = spaces.centres(others) @ np.frombuffer(topic.centre, dtype=np.float32)
    return others[int(near.argmax())]


def reply_of(model: LanguageModel, messages: tuple[Message, ...]) -> str:
    """Return a model's whole reply, "" where it gives none."""

    async def ask() -> str:
        request = ModelRequest(messages, model_deadlines(), _MOST_TOKENS)
        async with aclosing(model.stream(request)) as stream:
            return "".join([piece async for piece in stream])

    try:
        return async_to_sync(ask)()
    except ModelError as error:
        logger.warning("The model gave no judgement: %s", error.code)
        return ""
