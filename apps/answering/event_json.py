"""Events as JSON and back, driven by the types of their fields: what is written can be read by the same program only.

Vectors of sentences are left out: they are large, and only a search needs them.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from apps.rag.events import Event
from apps.rag.types import Passage

_KINDS: Final[Mapping[str, type[Any]]] = {each.__name__: each for each in get_args(Event)}


def event_to_json(event: Event) -> dict[str, Any]:
    """Return an event as JSON; ``type`` is the name of its class."""
    return {"type": type(event).__name__, **_plain(event)}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """Return the event that was written; raise ValueError or TypeError for anything else."""
    kind = _KINDS.get(str(data.get("type")))
    if kind is None:
        raise ValueError("This is no event.")
    event: Event = _read({name: value for name, value in data.items() if name != "type"}, kind)
    return event


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        left_out = {"sentences", "vectors"} if isinstance(value, Passage) else set()
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value) if each.name not in left_out}
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise TypeError(f"{type(value).__name__} has no place in an event.")


def _read(value: Any, kind: Any) -> Any:
    """Return ``value`` as ``kind`` says: a dataclass, a tuple of them, an enumeration, a date, or itself."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        options = [each for each in get_args(kind) if each is not type(None)]
        return None if value is None else _read(value, options[0])
    if origin is tuple:
        return tuple(_read(each, get_args(kind)[0]) for each in value)
    if not isinstance(kind, type):
        return value
    if is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{name: _read(each, hints[name]) for name, each in value.items() if name in hints})
    if issubclass(kind, StrEnum):
        return kind(value)
    if issubclass(kind, datetime):
        return datetime.fromisoformat(value)
    return date.fromisoformat(value) if issubclass(kind, date) else value


@lru_cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)
