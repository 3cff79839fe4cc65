"""Reads a file of questions: CSV or JSON, told apart by what it begins with. Everything wrong with it is a sentence."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.core.cleaning import clean_text
from apps.evaluation.models import Question
from apps.evaluation.serialising import LISTS, NAMES
from apps.rules.exchange.decoding import decode
from apps.rules.exchange.formulas import unguard
from apps.rules.exchange.texts import format_text
from apps.rules.serialising import RuleFormatError

MOST_BYTES: Final = 10 * 2**20
MOST_ROWS: Final = 5_000
_DELIMITERS: Final = (",", ";", "\t")
Json = Any


class QuestionFormatError(ValueError):
    """The file as a whole cannot be read; the message is for whoever chose it."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """One question of a file. ``number`` is the row as a spreadsheet counts it, or the place in a JSON file."""

    number: int
    values: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class SetFile:
    """The rows of a file, and what a JSON file says the set is to show; empty in a table."""

    rows: tuple[FileRow, ...]
    description: str = ""


def read_set_file(data: bytes) -> SetFile:
    """Return what the file holds. Raises QuestionFormatError with a sentence."""
    if len(data) > MOST_BYTES:
        raise QuestionFormatError(_("The file is larger than %(size)s MB.") % {"size": MOST_BYTES // 2**20})
    try:
        text = decode(data)
    except RuleFormatError as error:
        raise QuestionFormatError(format_text(error)) from error
    found = _json_file(text) if text.lstrip()[:1] in ("{", "[") else SetFile(tuple(_table_rows(text)))
    if not found.rows:
        raise QuestionFormatError(_("The file has no questions."))
    if len(found.rows) > MOST_ROWS:
        raise QuestionFormatError(_("The file has more than %(most)s questions. Split it.") % {"most": MOST_ROWS})
    return found


def _table_rows(text: str) -> Iterator[FileRow]:
    skipped = 0
    if text[:4].lower() == "sep=":
        # Excel's own note of the sign between cells.
        text, skipped = text.partition("\n")[2], 1
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    names: list[str] = []
    number = skipped
    try:
        for number, row in enumerate(rows, skipped + 1):
            cells = [unguard(clean_text(cell)) for cell in row]
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = [cell.strip().lower() for cell in cells]
                _check_names(names)
                continue
            if any(cell.strip() for cell in cells[len(names) :]):
                raise QuestionFormatError(_("Row %(row)s has more cells than there are columns.") % {"row": number})
            cells += [""] * (len(names) - len(cells))
            yield FileRow(number, {name: cell for name, cell in zip(names, cells, strict=False) if name})
    except csv.Error as error:
        sentence = _(
            "The table cannot be read from row %(row)s on: a cell in quotation marks has no end, or is far too long."
        )
        raise QuestionFormatError(sentence % {"row": number + 1}) from error


def _delimiter(text: str) -> str:
    """Return the sign between cells: the one that makes the most known columns of the first row."""

    def known(delimiter: str) -> int:
        try:
            first = next(csv.reader(io.StringIO(text.lstrip(), newline=""), delimiter=delimiter), [])
        except csv.Error:
            return 0
        return len({cell.strip().lower() for cell in first} & set(NAMES))

    return max(_DELIMITERS, key=known)


def _check_names(names: list[str]) -> None:
    for needed in ("id", "question"):
        if needed not in names:
            sentence = _(
                "The file has no column “%(name)s” in its first row, which reads “%(text)s”. The first row has to name "
                "the columns, with commas, semicolons or tabs between them."
            )
            raise QuestionFormatError(sentence % {"name": needed, "text": " | ".join(names)[:80]})
    for name in filter(None, names):
        if name not in NAMES:
            raise QuestionFormatError(_unknown(name))
        if names.count(name) > 1:
            raise QuestionFormatError(_("The column “%(name)s” is there twice.") % {"name": name})


def _unknown(name: str) -> str:
    near = get_close_matches(name, NAMES, 1)
    if near:
        return _("There is no column “%(name)s”. Is “%(near)s” meant?") % {"name": name[:80], "near": near[0]}
    return _("There is no column “%(name)s”. Correct its name or take the column out.") % {"name": name[:80]}


def _json_file(text: str) -> SetFile:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise QuestionFormatError(_("The file is no JSON from line %(line)s on.") % {"line": line}) from error
    whole = {"questions": data} if isinstance(data, list) else data
    questions = whole.get("questions")
    if not isinstance(questions, list):
        raise QuestionFormatError(_("The file must be an object with a list of “questions”."))
    kind = whole.get("set", Question.Kind.ANSWERABLE.value)
    rows = tuple(FileRow(place, _json_row(entry, kind, place)) for place, entry in enumerate(questions, 1))
    description = whole.get("description")
    return SetFile(rows, clean_text(description) if isinstance(description, str) else "")


def _json_row(entry: Json, kind: Json, place: int) -> dict[str, Json]:
    """Return one object with every column: what it leaves out is as by default."""
    if not isinstance(entry, dict):
        raise QuestionFormatError(_("Question %(place)s must be an object.") % {"place": place})
    for name in entry:
        if name not in NAMES:
            raise QuestionFormatError(f"{_('Question %(place)s:') % {'place': place}} {_unknown(str(name))}")
    defaults: dict[str, Json] = {name: [] if name in ("references", *LISTS) else "" for name in NAMES}
    return {**defaults, "turn": 1, "typo": False, "allowed": None, "set": kind, **entry}
