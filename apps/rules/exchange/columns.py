"""The columns of a table of rules: every field of a rule as one cell, and back. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from functools import partial
from typing import Any, Final

from apps.rules.exchange import notation
from apps.rules.serialising import RuleFormatError, gettext_noop

Json = Any
Cells = dict[str, Json]

_LISTS: Final = ("core", "anchor", "exclude")
_ANSWER: Final = {"answer_is_desk_text": "is_desk_text", "answer_owner": "owner"} | {
    "answer_checked": "checked",
    "answer_expires": "expires",
}
_TRUE: Final = {"yes", "true", "ja", "wahr", "1", "x"}
_FALSE: Final = {"no", "false", "nein", "falsch", "0", ""}
_WHOLE_NUMBER: Final = re.compile(r"([+-]?\d{1,12})(?:[.,]0+)?")
_GERMAN_DAY: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: ``write`` makes a cell's text of a JSON value, ``read`` the JSON value of a cell's text."""

    name: str
    write: Callable[[Json], str]
    read: Callable[[str], Json]


def table_columns(zone: tzinfo) -> tuple[Column, ...]:
    """Return all columns in their order. Times are written in ``zone``, and read as such where they name none."""
    words = (notation.write_words, notation.read_words)
    moment = (partial(_write_moment, zone), partial(_read_moment, zone))
    slots = _lines(notation.write_slot, notation.read_slot)
    need = (notation.write_need, notation.read_need)
    texts = _lines(str, str)
    kinds: dict[str, tuple[Callable[[Json], str], Callable[[str], Json]]] = {
        **dict.fromkeys(("title", "answer", "answer_owner", "owner", "reason"), (str, str)),
        **dict.fromkeys(("uid", "status", "hit_policy", "extra"), (str, str.strip)),
        **dict.fromkeys(("position", "priority", "fill_up_to", "threshold"), (_write_number, _read_number)),
        **dict.fromkeys(("valid_from", "valid_until"), moment),
        **dict.fromkeys(("languages", "audiences", "builder_choices", "tags"), words),
        **dict.fromkeys(("answer_checked", "answer_expires"), (_write_or_empty, _read_day)),
        **dict.fromkeys(_LISTS, slots),
        **dict.fromkeys([f"{name}_need" for name in _LISTS], need),
        "parent": (_write_or_empty, _read_or_none),
        "answer_is_desk_text": (_write_flag, _read_flag),
        "phrases": _lines(notation.write_phrase, notation.read_phrase),
        "documents": _lines(notation.write_document, notation.read_document),
        "examples": _lines(notation.write_example, notation.read_example),
        "links": texts,
    }
    return tuple(Column(name, *kinds[name]) for name in COLUMN_NAMES)


# As an editor thinks: what readers ask, what they get, limits, examples, notes.
COLUMN_NAMES: Final = (
    *("uid", "title", "parent", "position", "status"),
    *("phrases", "core", "core_need", "anchor", "anchor_need", "exclude", "exclude_need"),
    *("documents", "extra", "fill_up_to", "links"),
    *("answer", "answer_is_desk_text", "answer_owner", "answer_checked", "answer_expires"),
    *("valid_from", "valid_until", "languages", "audiences", "builder_choices"),
    *("priority", "hit_policy", "threshold", "examples", "tags", "owner", "reason"),
)


def to_columns(rule: Mapping[str, Json]) -> Cells:
    """Return a rule's JSON with one value per column, where the rule has nested objects."""
    flat = {name: value for name, value in rule.items() if name not in (*_LISTS, "answer")}
    for name in _LISTS:
        if name in rule:
            tokens = rule[name] or {"slots": [], "need": None}
            need = {"need": tokens["need"], "amount": tokens.get("amount")}
            flat |= {name: tokens["slots"], f"{name}_need": need if rule[name] else None}
    if "answer" in rule:
        answer = rule["answer"] or {"text": "", "is_desk_text": False, "owner": "", "checked": None, "expires": None}
        flat |= {"answer": answer["text"], **{column: answer[name] for column, name in _ANSWER.items()}}
    return flat


def from_columns(flat: Mapping[str, Json]) -> Cells:
    """Return the JSON of a rule; the inverse of ``to_columns`` over all columns."""
    nested = {name for name in flat if name in _ANSWER or name in (*_LISTS, "answer") or name.endswith("_need")}
    rule = {name: value for name, value in flat.items() if name not in nested}
    for name in _LISTS:
        need, slots = flat[f"{name}_need"], flat[name]
        rule[name] = {**(need or {"need": "all", "amount": None}), "slots": slots} if need or slots else None
    others = {name: flat[column] for column, name in _ANSWER.items()}
    has_answer = bool(flat["answer"] or others["owner"] or others["checked"] or others["expires"])
    rule["answer"] = {"text": flat["answer"], **others} if has_answer else None
    return rule


def _lines(
    write: Callable[[Json], str], read: Callable[[str], Json]
) -> tuple[Callable[[Json], str], Callable[[str], Json]]:
    return partial(notation.write_lines, write=write, read=read), partial(notation.read_lines, read=read)


def _write_or_empty(value: str | None) -> str:
    return value or ""


def _read_or_none(cell: str) -> str | None:
    return cell.strip() or None


def _write_number(value: int | None) -> str:
    return "" if value is None else str(value)


def _read_number(cell: str) -> int | None:
    """Read a whole number, also as spreadsheets write it (``1.0``)."""
    if not cell.strip():
        return None
    found = _WHOLE_NUMBER.fullmatch(cell.strip())
    if found is None:
        raise RuleFormatError(gettext_noop("“%(text)s” is no whole number."), text=cell[:80])
    return int(found[1])


def _write_flag(value: bool) -> str:
    return "yes" if value else "no"


def _read_flag(cell: str) -> bool:
    word = cell.strip().lower()
    if word not in _TRUE | _FALSE:
        raise RuleFormatError(gettext_noop("“%(text)s” is neither yes nor no."), text=cell[:80])
    return word in _TRUE


def _write_moment(zone: tzinfo, value: str | None) -> str:
    return datetime.fromisoformat(value).astimezone(zone).isoformat() if value else ""


def _read_moment(zone: tzinfo, cell: str) -> str | None:
    """Read 2027-01-31T18:00+01:00, or without zone, or 31.01.2027 18:00; a day alone is its first moment."""
    if not cell.strip():
        return None
    try:
        moment = datetime.fromisoformat(_iso(cell.strip()))
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC).isoformat()
    except (ValueError, OverflowError) as error:
        sentence = gettext_noop("“%(text)s” is no date with time. Write, for example: 2027-01-31 18:00.")
        raise RuleFormatError(sentence, text=cell[:80]) from error


def _read_day(cell: str) -> str | None:
    if not cell.strip():
        return None
    try:
        moment = datetime.fromisoformat(_iso(cell.strip()))
        if moment.tzinfo or (moment.hour, moment.minute, moment.second) != (0, 0, 0):
            raise ValueError("a time")
        return date(moment.year, moment.month, moment.day).isoformat()
    except ValueError as error:
        sentence = gettext_noop("“%(text)s” is no date. Write, for example: 2027-01-31.")
        raise RuleFormatError(sentence, text=cell[:80]) from error


def _iso(text: str) -> str:
    """Return a date that a German spreadsheet re-saved (31.01.2027 18:00) as 2027-01-31 18:00; others as they are."""
    found = _GERMAN_DAY.fullmatch(text)
    return f"{found[3]}-{int(found[2]):02}-{int(found[1]):02}{found[4]}" if found else text
