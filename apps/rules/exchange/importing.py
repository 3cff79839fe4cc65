"""One import: reads the file, looks at its tree, saves every rule or none, and tells what became of each row."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import NON_FIELD_ERRORS
from django.db import transaction
from django.utils.translation import gettext as _
from tablib import Dataset

from apps.rules.differences import rule_changes
from apps.rules.exchange.columns import COLUMN_NAMES
from apps.rules.exchange.decoding import broken_letters
from apps.rules.exchange.files import FileRow, read_file
from apps.rules.exchange.placing import Node, tree_errors
from apps.rules.exchange.resource import ABSENT, ROW, RuleResource
from apps.rules.loading import rule_spec
from apps.rules.models import Rule
from apps.rules.serialising import RuleFormatError
from apps.rules.texts import change_text
from apps.rules.types import RuleSpec

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
    """What became, or would become, of one row. ``changes`` say in words what the file changes about the rule."""

    number: int
    uid: str
    fate: Fate
    title: str = ""
    changes: tuple[str, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """What became of a file. ``seen`` names the file with the state of the rules that it was compared with."""

    rows: tuple[RowOutcome, ...]
    seen: str
    is_saved: bool = False

    def count(self, fate: Fate) -> int:
        return sum(row.fate is fate for row in self.rows)

    @property
    def refused(self) -> list[RowOutcome]:
        return [row for row in self.rows if row.fate is Fate.REFUSED]

    @property
    def doubtful(self) -> list[RowOutcome]:
        return [row for row in self.rows if row.doubt]

    @property
    def changing(self) -> list[RowOutcome]:
        return [row for row in self.rows if row.fate in (Fate.NEW, Fate.CHANGED)]


def rules_import(*, data: bytes, author: Any, comment: str = "", seen: str | None = None) -> ImportOutcome:
    """Compare a file with the desk, and save it when ``seen`` says that its editor has seen just that comparison.

    All rows are saved or none; a rule that is already as the file has it gets no new version. Raises RuleFormatError
    where the file as a whole cannot be read.
    """
    file = read_file(data)
    with transaction.atomic():
        stored = _stored(file.rows)
        token = _token(data, stored)
        resource = RuleResource(
            author=author,
            comment=comment,
            is_table=file.is_table,
            stored=stored,
            errors=_errors(file.rows),
            owners=set(get_user_model()._default_manager.values_list("username", flat=True)),
        )
        is_confirmed = seen == token
        result = resource.import_data(_dataset(file.rows), dry_run=not is_confirmed, rollback_on_validation_errors=True)
    for error in result.base_errors:
        raise error.error
    rows = tuple(_outcome(row) for row in result.rows)
    is_saved = is_confirmed and not any(row.fate is Fate.REFUSED for row in rows)
    return ImportOutcome(rows, token, is_saved)


def _stored(rows: Sequence[FileRow]) -> dict[str, RuleSpec]:
    """Return the desk's rules that a file names."""
    uids = {_uid(row) for row in rows}
    return {rule.uid: rule_spec(rule) for rule in Rule.objects.filter(uid__in=uids).whole()}


def _uid(row: FileRow) -> str:
    return str(row.cells.get("uid") or "").strip()[:200]


def _token(data: bytes, stored: Mapping[str, RuleSpec]) -> str:
    state = ",".join(f"{uid}:{spec.version}" for uid, spec in sorted(stored.items()))
    return hashlib.sha256(data + state.encode()).hexdigest()


def _nodes(rows: Sequence[FileRow]) -> list[Node]:
    def parent(row: FileRow) -> str | None:
        return str(row.cells.get("parent") or "").strip() or None

    return [Node(row.number, _uid(row), parent(row), "parent" in row.cells) for row in rows]


def _parents() -> dict[str, str | None]:
    return dict(Rule.objects.values_list("uid", "parent__uid"))


def _errors(rows: Sequence[FileRow]) -> dict[int, RuleFormatError]:
    """Return what is wrong with rows before anything is saved: cannot be read, or no place in the tree."""
    unread = {row.number: row.error for row in rows if row.error}
    return {**tree_errors(_nodes(rows), _parents()), **unread}


def _dataset(rows: Sequence[FileRow]) -> Dataset:
    names = [name for name in COLUMN_NAMES if any(name in row.cells for row in rows)] or ["uid"]
    table = Dataset(headers=[ROW, *names])
    for row in rows:
        table.append([row.number, *(row.cells.get(name, ABSENT) for name in names)])
    return table


def _outcome(row: Any) -> RowOutcome:
    """Say in our words what the library noted about one row."""
    number, uid = row.row_values[ROW], str(row.row_values.get("uid") or "").strip()[:80]
    doubt = next(filter(None, (broken_letters(cell) for cell in row.row_values.values() if isinstance(cell, str))), "")
    if row.errors:
        for error in row.errors:
            logger.error("A row of a rule file could not be read.", exc_info=error.error)
        sentence = _("The rule could not be read for a reason that was not foreseen. The operator finds it in the log.")
        return RowOutcome(number, uid, Fate.REFUSED, complaints=(Complaint("", sentence),), doubt=doubt)
    if row.validation_error is not None:
        complaints = tuple(
            Complaint("" if column == NON_FIELD_ERRORS else column, sentence)
            for column, sentences in _by_column(row.validation_error).items()
            for sentence in sentences
        )
        return RowOutcome(number, uid, Fate.REFUSED, complaints=complaints, doubt=doubt)
    # Nothing was saved where another row is refused: then the file's own words tell what it would change.
    stored, saved = row.instance.stored, row.instance.saved or row.instance.spec
    if row.is_skip() or (stored and row.instance.saved and saved.version == stored.version):
        return RowOutcome(number, uid, Fate.SAME, saved.title, doubt=doubt)
    if stored is None:
        return RowOutcome(number, uid, Fate.NEW, saved.title, doubt=doubt)
    changes = tuple(change_text(change) for change in rule_changes(stored, saved))
    return RowOutcome(number, uid, Fate.CHANGED, saved.title, changes, doubt=doubt)


def _by_column(error: Any) -> dict[str, list[str]]:
    return error.message_dict if hasattr(error, "error_dict") else {NON_FIELD_ERRORS: error.messages}
