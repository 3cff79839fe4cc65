"""What a model adds where one is set: names of topics, clarity and type of a sample of questions."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import numpy as np
from asgiref.sync import async_to_sync
from django.db.models import CharField
from django.db.models.functions import MD5, Cast

from apps.answering.door import mask_words
from apps.answering.language_models import get_language_model
from apps.documents.models import Party
from apps.language.parties import PartyRecogniser
from apps.querylog.counting import berlin_today
from apps.rag.model_types import Deadlines, LanguageModel, Message, ModelError, ModelRequest
from apps.topics import spaces
from apps.topics.modelling import naming
from apps.topics.models import Asked, Topic, TopicMember
from apps.topics.services.counting import days_count

logger = logging.getLogger(__name__)
SAMPLE: Final = 100
_MOST_SILENT: Final = 3
_SPAN: Final = timedelta(days=7)
_INSIDE: Final = 10
_OUTSIDE: Final = 5
_MOST_NAMES: Final = 60
_MOST_TOKENS: Final = 120
# Nobody waits for it at night: a model on a processor of its own begins after the seconds that a reader is given.
_DEADLINES: Final = Deadlines(60.0, 120.0)
# What is judged is kept in parts: a worker that is stopped, or a server that goes away, costs no more than one.
_KEPT_AT_ONCE: Final = 10
# Then whoever waits in the queue comes first: new questions are placed within a minute. What is left is asked after it.
_SECONDS_TO_JUDGE: Final = 40.0
# What is not named tonight is named in the nights to come.
_SECONDS_TO_NAME: Final = 120.0
# A server that knows no schema says so with one of these: it is asked without.
_KNOWS_NO_SCHEMA: Final = frozenset({"http_400", "http_404", "http_422", "http_501"})

Clock = Callable[[], float]


@dataclass(slots=True)
class _Asking:
    """A model that is asked many times, until it was silent too often in a row or the time is over."""

    model: LanguageModel
    ends: float
    clock: Clock
    silent: int = 0
    takes_schema: bool = True
    by: str = field(default="", init=False)

    @property
    def is_over(self) -> bool:
        # A model that is away would be waited for a hundred times.
        return self.silent >= _MOST_SILENT or self.clock() >= self.ends

    def reply(self, messages: tuple[Message, ...], schema: Mapping[str, object]) -> str:
        """Return the whole reply, "" where there is none; ``by`` is then the model that gave it."""
        self.by = self.model.name
        try:
            found = self._with_schema(messages, schema) if self.takes_schema else self._asked(messages, None)
        except ModelError as error:
            logger.warning("The model gave no judgement: %s", error.code)
            found = ""
        self.silent = 0 if found else self.silent + 1
        if self.silent == _MOST_SILENT:
            logger.warning("The model was silent %d times in a row: it is not asked again in this task", self.silent)
        return found

    def _with_schema(self, messages: tuple[Message, ...], schema: Mapping[str, object]) -> str:
        try:
            return self._asked(messages, schema)
        except ModelError as error:
            if error.code not in _KNOWS_NO_SCHEMA:
                raise
        found = self._asked(messages, None)
        self.takes_schema = False
        return found

    def _asked(self, messages: tuple[Message, ...], schema: Mapping[str, object] | None) -> str:
        async def ask() -> str:
            request = ModelRequest(messages, _DEADLINES, _MOST_TOKENS, schema, answered_by=self._note)
            async with aclosing(self.model.stream(request)) as stream:
                return "".join([piece async for piece in stream])

        return async_to_sync(ask)()

    def _note(self, name: str) -> None:
        self.by = name


@dataclass(frozen=True, slots=True)
class Part:
    """What one part of a sample gave: questions judged, how many of the sample are ``left``, and after which place."""

    judged: int
    left: int
    after: str


def questions_judge(*, model: LanguageModel | None = None, most: int = SAMPLE, clock: Clock = time.monotonic) -> int:
    """Judge one part of a sample; return how many questions were judged. 0 without a model."""
    return sample_judge(model=model, most=most, clock=clock).judged


def sample_judge(
    *, model: LanguageModel | None = None, most: int = SAMPLE, after: str = "", clock: Clock = time.monotonic
) -> Part:
    """Judge a sample of the week's questions that nobody has judged, until it is done or the time is over."""
    judge = model or get_language_model()
    if judge is None:
        return Part(0, 0, after)
    first = berlin_today() - _SPAN
    waiting = Asked.objects.filter(day__gte=first, judged_by="", is_left_out=False).select_related("text")
    # In an order that has nothing to do with time: the newest would all be of one evening, or of one event.
    placed = waiting.annotate(place=MD5(Cast("turn_id", CharField()))).filter(place__gt=after)
    rows = list(placed.order_by("place")[:most])
    asking = _Asking(judge, clock() + _SECONDS_TO_JUDGE, clock)
    count, tried, part = 0, 0, list[Asked]()
    while tried < len(rows) and not asking.is_over:
        if _judge(rows[tried], asking):
            part.append(rows[tried])
        tried += 1
        if len(part) == _KEPT_AT_ONCE:
            count, part = count + _keep(part), []
    is_away = asking.silent >= _MOST_SILENT
    return Part(count + _keep(part), 0 if is_away else len(rows) - tried, rows[tried - 1].place if tried else after)


def _judge(row: Asked, asking: _Asking) -> bool:
    """Put a model's judgement into a row; False where it gave none."""
    found = naming.judgement_accepted(asking.reply(naming.judging_messages(row.text.text), naming.JUDGING_SCHEMA))
    if found is None:
        return False
    row.clear_intent, row.clear_subject, row.clear_names = found.intent, found.subject, found.names
    row.question_type, row.judged_by = found.kind, f"{asking.by}/{naming.JUDGING_VERSION}"[:120]
    return True


def _keep(rows: Sequence[Asked]) -> int:
    """Store judgements and count their days anew; a question that was erased meanwhile stays erased."""
    fields = ["clear_intent", "clear_subject", "clear_names", "question_type", "judged_by"]
    kept = Asked.objects.bulk_update(rows, fields, batch_size=500) if rows else 0
    days_count(days={row.day for row in rows})
    return kept


def topics_name(*, topics: Sequence[Topic], model: LanguageModel | None = None, clock: Clock = time.monotonic) -> int:
    """Let the model name topics that have only the machine's words; return how many names passed the checks."""
    writer = model or get_language_model()
    if writer is None:
        return 0
    parties = PartyRecogniser(
        {party.slug: [party.short_name, party.name, *party.aliases] for party in Party.objects.all()}
    )
    waiting = [
        topic for topic in topics if not topic.label_editor and not topic.label_source.endswith(naming.NAMING_VERSION)
    ]
    taken = set(Topic.objects.living().values_list("label_auto", flat=True))
    asking = _Asking(writer, clock() + _SECONDS_TO_NAME, clock)
    named = 0
    for topic in waiting[:_MOST_NAMES]:
        if asking.is_over:
            break
        name = _named(topic, topics, asking, sorted(taken - {topic.label_auto}), parties)
        if name:
            topic.label_auto, topic.label_source = name, f"{asking.by}/{naming.NAMING_VERSION}"[:120]
            topic.save(update_fields=["label_auto", "label_source"])
            taken.add(name)
            named += 1
    return named


def _named(
    topic: Topic, topics: Sequence[Topic], asking: _Asking, taken: Sequence[str], parties: PartyRecogniser
) -> str:
    inside = [text.text for text in TopicMember.objects.typical(topic.pk, _INSIDE)]
    beside = _nearest(topic, topics)
    outside = [text.text for text in TopicMember.objects.typical(beside.pk, _OUTSIDE)] if beside else []
    reply = asking.reply(naming.naming_messages(inside, outside, taken[:40]), naming.NAMING_SCHEMA)
    name = naming.name_accepted(reply, topic.keywords, taken, parties)
    # Masking has passed over the questions; a name put together from them is held to the same.
    return name if name and mask_words(name).text == name else ""


def _nearest(topic: Topic, topics: Sequence[Topic]) -> Topic | None:
    others = [other for other in topics if other.pk != topic.pk and len(other.centre) == len(topic.centre)]
    if not others:
        return None
    near = spaces.centres(others) @ np.frombuffer(topic.centre, dtype=np.float32)
    return others[int(near.argmax())]
