"""What one cell of a table, or one value of a JSON file, holds. Everything wrong with it is a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from import_export.widgets import Widget

from apps.core.cleaning import clean_line, clean_text
from apps.rules.exchange.formulas import guard
from apps.rules.exchange.notation import read_lines, write_lines
from apps.rules.exchange.texts import format_text
from apps.rules.serialising import RuleFormatError

Json = Any
_TRUE: Final = {"yes", "true", "ja", "wahr", "1", "x"}
_FALSE: Final = {"no", "false", "nein", "falsch", "0", ""}
# Stands for "no party at all", where an empty cell stands for "not judged".
NOBODY: Final = "-"
_MOST_LINES: Final = 50
_LANGUAGE: Final = re.compile("[a-z]{2,3}(-[a-z0-9]{2,4})?")


def _wrong_type() -> ValueError:
    return ValueError(_("This value is of another kind than it should be."))


def _whole(text: str, limit: int, *, is_line: bool = False) -> str:
    """Return the text cleaned; too long a one is told, not cut."""
    cleaned = clean_line(text, limit=limit + 1) if is_line else clean_text(text, limit=limit + 1)
    if len(cleaned) > limit:
        raise ValueError(_("This is longer than %(most)s characters.") % {"most": limit})
    return cleaned


def _lines(cell: str, read: Callable[[str], Json]) -> list[Json]:
    try:
        return read_lines(cell, read)
    except RuleFormatError as error:
        raise ValueError(format_text(error)) from error


class TextCell(Widget):
    """Words on one line, at most ``limit`` characters; longer ones are told, not cut."""

    def __init__(self, limit: int, *, is_needed: bool = False) -> None:
        super().__init__()
        self.limit, self.is_needed = limit, is_needed

    def clean(self, value: Json, row: Any = None, **kwargs: Any) -> str:
        text = _whole(_text(value), self.limit, is_line=True)
        if self.is_needed and not text:
            raise ValueError(_("This must not be empty."))
        return text

    def render(self, value: Json, obj: Any = None, **kwargs: Any) -> str:
        return guard(value)


class NoteCell(Widget):
    """Words on several lines."""

    def clean(self, value: Json, row: Any = None, **kwargs: Any) -> str:
        return _whole(_text(value), 10_000)

    def render(self, value: Json, obj: Any = None, **kwargs: Any) -> str:
        return guard(value)


class TurnCell(Widget):
    """The number of a turn, from 1."""

    def clean(self, value: Json, row: Any = None, **kwargs: Any) -> int:
        text = str(value).strip().removesuffix(".0") or "1"
        if isinstance(value, bool) or not text.isdecimal() or not text.isascii() or not 1 <= int(text[:6]) <= 999:
            raise ValueError(_("A turn is a whole number from 1 to 999."))
        return int(text)

    def render(self, value: Json, obj: Any = None, **kwargs: Any) -> str:
        return str(value)


class ChoiceCell(Widget):
    """One of a few words; an empty cell is the default."""

    def __init__(self, choices: Sequence[str], default: str = "") -> None:
        super().__init__()
        self.choices, self.default = choices, default

    def clean(self, value: Json, row: Any = None, **kwargs: Any) -> str:
        text = _text(value).strip() or self.default
        known = {choice.casefold(): choice for choice in (*self.choices, self.default)}
        if text.casefold() not in known:
            raise ValueError(
                _("“%(text)s” is none of %(names)s.") % {"text": text[:80], "names": ", ".join(self.choices)}
            )
        return known[text.casefold()]

    def render(self, value: Json, obj: Any = None, **kwargs: Any) -> str:
        return str(value)


class LanguageCell(Widget):
    """A language by its two letters; an empty cell is German."""

    def clean(self, value: Json, row: Any = None, **kwargs: Any) -> str:
        text = _text(value).strip().lower() or "de"
        if len(text) > 8 or not _LANGUAGE.fullmatch(text):
            raise ValueError(_("“%(text)s” is no language. Write two letters, e.g. de or en.") % {"text": text[:80]})
        return text

    def render(self, value: Json, obj: Any = None, **kwargs: Any) -> str:
        return str(value)


class FlagCell(Widget):
    """Yes or no."""

    def clean(self, value: Json, row: Any = None, **kwargs: Any) -> bool:
        if isinstance(value, bool):
            return value
        word = _text(value).strip().casefold()
        if word not in _TRUE | _FALSE:
            raise ValueError(_("“%(text)s” is neither yes nor no.") % {"text": word[:80]})
        return word in _TRUE

    def render(self, value: Json, obj: Any = None, **kwargs: Any) -> str:
        return "yes" if value else "no"


class LinesCell(Widget):
    """A list of words, one per line. ``nobody`` tells an empty list from one that is not there."""

    def __init__(self, *, nobody: bool = False) -> None:
        super().__init__()
        self.nobody = nobody

    def clean(self, value: Json, row: Any = None, **kwargs: Any) -> list[str] | None:
        if value is None and self.nobody:
            return None
        if isinstance(value, str):
            if self.nobody and value.strip() in ("", NOBODY):
                return [] if value.strip() else None
            value = _lines(value, str)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise _wrong_type()
        if len(value) > _MOST_LINES:
            raise ValueError(_("There are more than %(most)s lines.") % {"most": _MOST_LINES})
        # Blanks at the ends may count: "messer " is the whole word.
        return [line for line in (_whole(each, 500) for each in value) if line.strip()]

    def render(self, value: Json, obj: Any = None, **kwargs: Any) -> str:
        if value is None or (not value and not self.nobody):
            return ""
        if value == [NOBODY]:
            return f'"{NOBODY}"'
        return guard(write_lines(value, str, str)) if value else NOBODY


class ReferencesCell(Widget):
    """Expected sources: ``document | words of it`` in a line, or an object."""

    def clean(self, value: Json, row: Any = None, **kwargs: Any) -> list[dict[str, str]]:
        if isinstance(value, str):
            value = _lines(value, read_reference)
        if not isinstance(value, list) or len(value) > _MOST_LINES or not all(map(is_reference, value)):
            raise ValueError(_("Write one source per line: the document's address or title, “|”, and words of it."))
        return [{name: _whole(text, 1_000, is_line=True) for name, text in each.items()} for each in value]

    def render(self, value: Json, obj: Any = None, **kwargs: Any) -> str:
        return guard(write_lines(value or (), write_reference, read_reference))


def write_reference(reference: Json) -> str:
    """Return a source as one line."""
    return f"{reference['document']} | {reference['snippet']}".removesuffix(" | ")


def read_reference(line: str) -> Json:
    """Read ``document | words``; a line without a bar names the document alone."""
    document, _bar, snippet = line.partition(" | ")
    return {"document": document.strip(), "snippet": snippet.strip()}


def is_reference(value: Json) -> bool:
    """Say whether a JSON value names a document and words of it."""
    if not isinstance(value, dict) or set(value) != {"document", "snippet"}:
        return False
    return all(isinstance(each, str) for each in value.values()) and bool(value["document"].strip())


def _text(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, bool | list | dict):
        raise _wrong_type()
    return str(value)
