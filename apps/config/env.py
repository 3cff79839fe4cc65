"""Reads the environment; nonsense raises a sentence that names the variable."""

from __future__ import annotations

import os
import re
from datetime import date
from pathlib import Path
from urllib.parse import ParseResult, quote, unquote, urlparse

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    """Return the variable, or the content of the file that NAME_FILE points to (for secrets)."""
    value = os.environ.get(name, "").strip()
    path = os.environ.get(f"{name}_FILE", "").strip()
    if value and path:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set. Set only one of them.")
    if path:
        try:
            value = Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error.strerror}.") from error
    return value or default


def flag(name: str, *, default: bool = False) -> bool:
    """Return a yes/no variable. Accepts on, off, true, false, yes, no, 1, 0."""
    value = text(name).lower()
    if not value:
        return default
    if value in {"on", "true", "yes", "1"}:
        return True
    if value in {"off", "false", "no", "0"}:
        return False
    raise ImproperlyConfigured(f"{name} must be on or off, not {value!r}.")


def number(name: str, default: int, *, least: int = 0, most: int = 2**31) -> int:
    """Return a whole number between ``least`` and ``most``."""
    value = text(name)
    if not value:
        return default
    try:
        result = int(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from error
    if not least <= result <= most:
        raise ImproperlyConfigured(f"{name} must be between {least} and {most}, not {result}.")
    return result


def choice(name: str, default: str, known: tuple[str, ...]) -> str:
    """Return one of a few words."""
    value = text(name, default).lower()
    if value not in known:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(known)}, not {value!r}.")
    return value


def day(name: str) -> date | None:
    """Return a date such as 2029-09-23; None when the variable is not set."""
    value = text(name)
    if not value:
        return None
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a date such as 2029-09-23, not {value!r}.") from error


def words(name: str) -> list[str]:
    """Return a comma-separated list without empty entries."""
    return [word.strip() for word in text(name).split(",") if word.strip()]


def colour(name: str) -> str:
    """Return a colour such as #8a3b12, or an empty text."""
    value = text(name).lower()
    if value and not re.fullmatch("#[0-9a-f]{6}", value):
        raise ImproperlyConfigured(f"{name} must be a colour such as #8a3b12, not {value!r}.")
    return value


def file(name: str, endings: tuple[str, ...]) -> Path | None:
    """Return the path of a file that is there and has one of the endings; None when the variable is not set."""
    value = text(name)
    if not value:
        return None
    path = Path(value)
    if path.suffix.lower() not in endings or not path.is_file():
        raise ImproperlyConfigured(f"{name} must name a file that is there and ends in {', '.join(endings)}.")
    return path


def origins(name: str) -> list[str]:
    """Return a comma-separated list of origins: scheme and host, a port if need be, nothing more."""
    found = words(name)
    for value in found:
        if not re.fullmatch(r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]{1,5})?", value, re.IGNORECASE):
            raise ImproperlyConfigured(f"{name} must hold addresses such as https://www.example.org, not {value!r}.")
    return found


def url(name: str, schemes: set[str]) -> ParseResult | None:
    """Return the parsed address, or None when unset. The message never repeats the value: it may hold a password."""
    value = text(name)
    if not value:
        return None
    try:
        parsed = urlparse(value)
        _ = parsed.port
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is not a valid address. Check the host and the port.") from error
    if parsed.scheme not in schemes:
        raise ImproperlyConfigured(f"{name} must begin with one of: {', '.join(f'{s}://' for s in sorted(schemes))}.")
    return parsed


def with_password(address: str, password: str) -> str:
    """Return an address with a password of any characters put in; unchanged where there is none to put in."""
    if not password:
        return address
    parsed = urlparse(address)
    host = parsed.netloc.rpartition("@")[2]
    return parsed._replace(netloc=f"{parsed.username or ''}:{quote(password, safe='')}@{host}").geturl()


def database(name: str, *, password: str = "") -> dict[str, object] | None:
    """Return Django's connection fields from a postgres:// address, or None when unset.

    ``password`` goes before the one in the address, where some characters mean something else.
    """
    parsed = url(name, {"postgres", "postgresql"})
    if parsed is None:
        return None
    if not parsed.hostname or len(parsed.path) < 2:
        raise ImproperlyConfigured(f"{name} must name a host and a database: postgres://user:password@host:5432/name.")
    return {
        "NAME": unquote(parsed.path[1:]),
        "USER": unquote(parsed.username or ""),
        "PASSWORD": password or unquote(parsed.password or ""),
        "HOST": parsed.hostname,
        "PORT": str(parsed.port or 5432),
    }
