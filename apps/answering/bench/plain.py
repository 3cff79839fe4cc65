"""Values as JSON knows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from math import isfinite
from numbers import Real

Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]


def plain_fields(value: object) -> dict[str, Plain]:
    """Return the fields of a dataclass as JSON knows them."""
    if not is_dataclass(value):
        raise TypeError("Only dataclasses have fields.")
    return {each.name: plain(getattr(value, each.name)) for each in fields(value)}


def plain(value: object) -> Plain:
    """Return a value as JSON knows it: dataclasses by their fields, enums by their values, moments in ISO form."""
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, date):
        return value.isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        return plain_fields(value)
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    return str(value)
