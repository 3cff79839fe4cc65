"""What a lower app needs from a higher one: a dotted path in settings, empty by default, called through here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from django.utils.module_loading import import_string

NAMES: Final = frozenset(
    {
        "rules.past_questions",
        "rules.past_questions_by_key",
        "rules.builder_choices",
        "evaluation.builder_questions",
        "querylog.turns_erasing",
        "querylog.demo_removed",
        "querylog.topic_choices",
        "querylog.turns_on_topic",
        "rules.words_read",
        "chat.quality_report",
    }
)


@dataclass(frozen=True, slots=True)
class PastQuestion:
    """A finished turn's question, masked. ``key`` finds it again as long as it is kept."""

    key: str
    text: str
    language: str
    asked_at: datetime
    builder_choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BuilderQuestion:
    """What one combination of the question builder asks. ``key`` names the combination and is the same tomorrow.

    ``choices`` are the names of what was clicked, as rules know them; ``queries`` what is searched for them.
    """

    key: str
    text: str
    language: str
    choices: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QualityFigure:
    """One figure about answers, in words, of ``n`` answers; ``interval`` is empty where there is none."""

    label: str
    value: str
    interval: str
    n: int


@dataclass(frozen=True, slots=True)
class QualityReport:
    """What the newest evaluation has found, for readers."""

    measured_at: datetime
    figures: tuple[QualityFigure, ...]


def quality_report() -> QualityReport | None:
    """Return what readers may know of the newest evaluation; None where there is none."""
    found: QualityReport | None = _call("chat.quality_report", None)
    return found


def past_questions(limit: int, since: datetime | None = None) -> Sequence[PastQuestion]:
    """Return the newest questions of readers, newest first; none where no app keeps them."""
    found: Sequence[PastQuestion] = _call("rules.past_questions", (), limit, since)
    return found


def past_questions_by_key(keys: Collection[str]) -> Sequence[PastQuestion]:
    """Return those of these questions that are still kept."""
    found: Sequence[PastQuestion] = _call("rules.past_questions_by_key", (), keys)
    return found


def builder_choices() -> frozenset[str] | None:
    """Return the names of all choices of the question builder; None where nobody knows them."""
    found: frozenset[str] | None = _call("rules.builder_choices", None)
    return found


def builder_questions() -> Sequence[BuilderQuestion]:
    """Return what every combination of the question builder asks; none where there is no builder."""
    found: Sequence[BuilderQuestion] = _call("evaluation.builder_questions", ())
    return found


def has_builder_questions() -> bool:
    """Say whether somebody has filled the port: an empty builder is something else than none."""
    return bool(getattr(settings, "PORTS", {}).get("evaluation.builder_questions"))


def words_read(user: Any, keys: Collection[str], reason: str) -> None:
    """Note that somebody of the house was shown readers' questions, by their keys: for the log of who reads."""
    if keys:
        _call("rules.words_read", None, user, keys, reason)


def turns_erasing(turn_ids: Collection[int]) -> None:
    """Tell other apps which turns of the log are about to be erased, in the same transaction, before they are.

    They forget what they have made of them: vectors, memberships, copies.
    """
    if turn_ids:
        _call("querylog.turns_erasing", None, turn_ids)


def demo_removed(days: Collection[date]) -> None:
    """Tell other apps that the demo's log is gone, and on which days it alone had asked: its counts go, too."""
    _call("querylog.demo_removed", None, days)


def topic_choices(user: Any) -> Sequence[tuple[str, str]]:
    """Return the topics that the log can be narrowed to, as keys and names; none for whom topics are not."""
    found: Sequence[tuple[str, str]] = _call("querylog.topic_choices", (), user)
    return found


def turns_on_topic(key: str) -> Any:
    """Return the keys of the turns on a topic, as something that a query can look in."""
    return _call("querylog.turns_on_topic", (), key)


def _call(name: str, default: Any, *arguments: Any) -> Any:
    path = getattr(settings, "PORTS", {}).get(name, "")
    return _function(path)(*arguments) if path else default


@lru_cache
def _function(path: str) -> Callable[..., Any]:
    function: Callable[..., Any] = import_string(path)
    return function
