"""Plans the demo's log: who asks what on which day and at what time. The same plan every time, without a database.

A day has its rhythm, a week its quiet days, two events make their subjects surge, and one afternoon ninety readers say
the same thing at once. Places in the plan are days back from the day of loading, so the log always ends today.
"""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from apps.querylog.demo.wording import varied

DAYS: Final = 28
_SEED: Final = 20_270_228
_TURNS: Final = 3_000
_NAMESPACE: Final = uuid.UUID("6d0c7f0e-5b0f-4c55-9a4e-0f4f7a3d7b10")
# Hour by hour: readers come with the coffee, at noon, and most of all in the evening.
_HOURS: Final = (3, 1, 1, 1, 1, 3, 12, 26, 34, 32, 28, 26, 34, 30, 22, 22, 24, 30, 38, 48, 54, 46, 28, 12)
# From the weekday of the first day on: two quiet days a week.
_WEEK: Final = (1.0, 1.05, 1.1, 1.0, 0.95, 0.7, 0.8)
# The election comes nearer: the last day is so many times as busy as the first.
_GROWTH: Final = 4.0
_TURNS_PER_VISIT: Final = ((1, 74), (2, 18), (3, 6), (4, 2))
_COMES_BACK: Final = 0.12


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """One question: ``asked`` is what the pipeline answers, ``text`` how this reader writes it."""

    uuid: uuid.UUID
    asked: str
    text: str
    # Seconds after the conversation began.
    after: int
    # 0 to 1, drawn for this turn: feedback and what else only some turns have.
    luck: float


@dataclass(frozen=True, slots=True)
class PlannedConversation:
    """One visit: ``day`` counts from 0, the oldest, ``second`` from midnight; ``reader`` is the same for two visits."""

    uuid: uuid.UUID
    subject: str
    day: int
    second: int
    reader: str
    turns: tuple[PlannedTurn, ...] = field(default=())


@lru_cache(maxsize=1)
def content() -> Mapping[str, Any]:
    """Return the file of subjects: what is asked, how often, and when it surges."""
    path = Path(__file__).parent / "subjects.json"
    loaded: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


@lru_cache(maxsize=1)
def plan() -> tuple[PlannedConversation, ...]:
    """Return all conversations, oldest first. Drawn from one seed: the same in every process."""
    draw = random.Random(_SEED)
    subjects = content()["subjects"]
    visits = [*_everyday(draw, subjects), *_surges(draw, subjects), *_brigades(draw, subjects)]
    conversations = [_conversation(draw, number, visit) for number, visit in enumerate(visits)]
    return tuple(sorted(_returning(draw, conversations), key=lambda each: (each.day, each.second, str(each.uuid))))


@dataclass(frozen=True, slots=True)
class _Visit:
    subject: Mapping[str, Any]
    day: int
    second: int
    length: int


def _everyday(draw: random.Random, subjects: Sequence[Mapping[str, Any]]) -> Iterator[_Visit]:
    """What is asked on any day, until there are as many questions as there shall be."""
    planned = sum(sum(each.get("surge", {}).get("extra", ())) for each in subjects)
    planned += sum(each.get("brigade", {}).get("count", 0) for each in subjects)
    weights = [_WEEK[day % 7] * (1 + (_GROWTH - 1) * day / (DAYS - 1)) for day in range(DAYS)]
    shares = [each["share"] for each in subjects]
    while planned < _TURNS:
        day = draw.choices(range(DAYS), weights)[0]
        subject = draw.choices(subjects, shares)[0]
        length = min(draw.choices(*zip(*_TURNS_PER_VISIT, strict=True))[0], _TURNS - planned)
        planned += length
        yield _Visit(subject, day, _moment(draw), length)


def _moment(draw: random.Random) -> int:
    hour = draw.choices(range(24), _HOURS)[0]
    return hour * 3600 + draw.randrange(3600)


def _surges(draw: random.Random, subjects: Sequence[Mapping[str, Any]]) -> Iterator[_Visit]:
    """An article comes out in the morning: that day, and a little on the next ones, many ask about it."""
    for subject in subjects:
        surge = subject.get("surge", {"day": 0, "extra": ()})
        for later, count in enumerate(surge["extra"]):
            for _ in range(count):
                second = _moment(draw)
                # Nobody can ask before it is known.
                second = second if later or second > 9 * 3600 else second + 9 * 3600
                yield _Visit(subject, surge["day"] + later, second, 1)


def _brigades(draw: random.Random, subjects: Sequence[Mapping[str, Any]]) -> Iterator[_Visit]:
    """Many sessions that say nearly the same within an hour and a half."""
    for subject in subjects:
        brigade = subject.get("brigade", {"count": 0})
        for _ in range(brigade["count"]):
            second = brigade["hour"] * 3600 + draw.randrange(brigade["minutes"] * 60)
            yield _Visit(subject, brigade["day"], second, 1)


def _conversation(draw: random.Random, number: int, visit: _Visit) -> PlannedConversation:
    key = uuid.uuid5(_NAMESPACE, str(number))
    after = 0
    turns = []
    for place in range(visit.length):
        asked = _asked(draw, visit.subject)
        text = varied(asked, draw) if not visit.subject.get("brigade") else varied(asked, draw, lightly=True)
        turns.append(PlannedTurn(uuid.uuid5(key, str(place)), asked, text, after, draw.random()))
        after += draw.randrange(25, 260)
    return PlannedConversation(key, visit.subject["slug"], visit.day, visit.second, str(number), tuple(turns))


def _asked(draw: random.Random, subject: Mapping[str, Any]) -> str:
    """One of the subject's questions, for a party where it has a place for one; what stands first is asked most."""
    questions = subject["questions"]
    question = draw.choices(questions, [1 / (2 + place) for place in range(len(questions))])[0]
    parties = content()["parties"]
    party = draw.choices(parties, [each["share"] for each in parties])[0]
    return str(question.format(**party)) if "{" in question else str(question)


def _returning(draw: random.Random, conversations: Sequence[PlannedConversation]) -> Iterator[PlannedConversation]:
    """Some visits are a reader's second one that day."""
    of_day: dict[int, list[str]] = {}
    for each in conversations:
        before = of_day.setdefault(each.day, [])
        is_back = before and each.subject != "angriff" and draw.random() < _COMES_BACK
        reader = draw.choice(before) if is_back else each.reader
        before.append(reader)
        yield PlannedConversation(each.uuid, each.subject, each.day, each.second, reader, each.turns)


def texts_asked() -> dict[str, tuple[str, ...]]:
    """Return, per subject, the questions that the plan wants answered, each once."""
    found: dict[str, dict[str, None]] = {}
    for conversation in plan():
        found.setdefault(conversation.subject, {}).update({turn.asked: None for turn in conversation.turns})
    return {subject: tuple(sorted(texts)) for subject, texts in found.items()}
