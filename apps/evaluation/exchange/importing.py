"""One import: reads the file, compares it with the set, saves all rows or none, and tells what became of each."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.db import transaction
from django.utils.translation import gettext as _
from tablib import Dataset

from apps.documents.models import Document
from apps.evaluation.exchange.files import FileRow, QuestionFormatError, read_set_file
from apps.evaluation.exchange.resource import ROW, QuestionResource, identity
from apps.evaluation.models import Question, QuestionSet
from apps.evaluation.serialising import NAMES, attribute_of
from apps.rules.exchange.decoding import broken_letters

logger = logging.getLogger(__name__)


class Fate(StrEnum):
    """What becomes of a row."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Complaint:
    """One sentence about a row; ``column`` is empty where no single one is to blame."""

    column: str
    sentence: str


@dataclass(frozen=True, slots=True)
class RowOutcome:
    """What became, or would become, of one row."""

    number: int
    key: str
    text: str
    fate: Fate
    complaints: tuple[Complaint, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """What became of a file. ``seen`` names the file with the state of the set that it was compared with.

    ``removed`` are the keys of questions that the file lacks, ``unknown`` documents that the corpus does not have,
    ``doubts`` letters that only a wrong encoding makes, with the row they stand in.
    """

    rows: tuple[RowOutcome, ...]
    removed: tuple[str, ...]
    unknown: tuple[str, ...]
    seen: str
    doubts: tuple[str, ...] = ()
    is_saved: bool = False

    def count(self, fate: Fate) -> int:
        return sum(row.fate is fate for row in self.rows)

    @property
    def refused(self) -> list[RowOutcome]:
        return [row for row in self.rows if row.fate is Fate.REFUSED]

    @property
    def changing(self) -> list[RowOutcome]:
        return [row for row in self.rows if row.fate in (Fate.NEW, Fate.CHANGED)]

    @property
    def changes_nothing(self) -> bool:
        return not self.changing and not self.removed


def questions_import(
    *, question_set: QuestionSet, data: bytes, is_whole: bool = False, seen: str | None = None
) -> ImportOutcome:
    """Compare a file with a set, and save it when ``seen`` says that its owner has seen just that comparison.

    ``is_whole``: questions that the file lacks are removed. Raises QuestionFormatError where the file cannot be read.
    """
    file = read_set_file(data)
    with transaction.atomic():
        # Two imports into one set wait for each other.
        QuestionSet.objects.select_for_update().get(pk=question_set.pk)
        resource = QuestionResource(question_set)
        token = _token(data, resource.stored, is_whole)
        is_confirmed = seen == token
        removed = _lacking(resource.stored, file.rows) if is_whole else []
        result = resource.import_data(
            _dataset(file.rows), dry_run=not is_confirmed, rollback_on_validation_errors=True, raise_errors=False
        )
        if result.base_errors:
            raise QuestionFormatError(_message(result.base_errors[0].error))
        rows = tuple(_outcome(row) for row in result.rows)
        is_saved = is_confirmed and not any(row.fate is Fate.REFUSED for row in rows)
        if is_saved:
            Question.objects.filter(pk__in=[each.pk for each in removed]).delete()
            # A set that has none takes it from its file: a set that goes out and comes back is the same.
            question_set.description = question_set.description or file.description
            question_set.save(update_fields=["description", "updated_at"])
    keys = tuple(each.key for each in removed)
    return ImportOutcome(rows, keys, _unknown_documents(result.rows), token, _doubts(file.rows), is_saved)


def _token(data: bytes, stored: Mapping[Any, Question], is_whole: bool) -> str:
    names = [attribute_of(name) for name in NAMES]
    state = [[str(getattr(each, name)) for name in names] for _key, each in sorted(stored.items())]
    return hashlib.sha256(data + repr((state, is_whole)).encode()).hexdigest()


def _lacking(stored: Mapping[Any, Question], rows: Sequence[FileRow]) -> list[Question]:
    named = {identity(row.values) for row in rows}
    return [each for each in stored.values() if (each.key, each.number) not in named]


def _dataset(rows: Sequence[FileRow]) -> Dataset:
    names = [name for name in NAMES if name in rows[0].values]
    table = Dataset(headers=[ROW, *names])
    for row in rows:
        table.append([row.number, *(row.values[name] for name in names)])
    return table


def _outcome(row: Any) -> RowOutcome:
    """Say in our words what the library noted about one row."""
    number = row.row_values[ROW]
    key, text = (str(row.row_values.get(name) or "").strip()[:200] for name in ("id", "question"))
    if row.errors:
        for error in row.errors:
            logger.error("A row of a question file could not be read: %s", type(error.error).__name__)
        sentence = _("The row could not be read for a reason that was not foreseen. The operator finds it in the log.")
        return RowOutcome(number, key, text, Fate.REFUSED, (Complaint("", sentence),))
    if row.validation_error is not None:
        complaints = tuple(
            Complaint("" if column == NON_FIELD_ERRORS else _column(column), sentence)
            for column, sentences in _by_column(row.validation_error).items()
            for sentence in sentences
        )
        return RowOutcome(number, key, text, Fate.REFUSED, complaints)
    if row.is_skip():
        return RowOutcome(number, key, text, Fate.SAME)
    return RowOutcome(number, key, text, Fate.NEW if row.is_new() else Fate.CHANGED)


def _column(attribute: str) -> str:
    return next((name for name in NAMES if attribute_of(name) == attribute), attribute)


def _by_column(error: Any) -> dict[str, list[str]]:
    return error.message_dict if hasattr(error, "error_dict") else {NON_FIELD_ERRORS: error.messages}


def _message(error: BaseException) -> str:
    messages = getattr(error, "messages", None)
    if messages:
        return str(messages[0])
    logger.error("A question file could not be read.", exc_info=error)
    return _("The file could not be read for a reason that was not foreseen. The operator finds it in the log.")


def _doubts(rows: Sequence[FileRow]) -> tuple[str, ...]:
    """Return for each row the letters that a wrong encoding has made of others, with the row before them."""
    found = ((row.number, broken_letters(" ".join(filter(_is_text, row.values.values())))) for row in rows)
    return tuple(_("Row %(row)s: “%(text)s”") % {"row": number, "text": text} for number, text in found if text)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _unknown_documents(rows: Sequence[Any]) -> tuple[str, ...]:
    """Return the documents that references name and the corpus does not have: those questions can only fail."""
    named = {each["document"] for row in rows if row.instance is not None for each in row.instance.references or ()}
    known: set[str] = set()
    for column in ("address", "title", "uuid"):
        values = [name for name in named if column != "uuid" or _is_uuid(name)]
        known |= set(map(str, Document.objects.filter(**{f"{column}__in": values}).values_list(column, flat=True)))
    return tuple(sorted(named - known))


def _is_uuid(text: str) -> bool:
    from uuid import UUID

    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
