"""Questions as django-import-export moves them: a cell per column, a question per row."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from import_export.fields import Field
from import_export.instance_loaders import BaseInstanceLoader
from import_export.resources import ModelResource
from import_export.widgets import Widget

from apps.evaluation.exchange.cells import (
    ChoiceCell,
    FlagCell,
    LanguageCell,
    LinesCell,
    NoteCell,
    ReferencesCell,
    TextCell,
    TurnCell,
)
from apps.evaluation.models import Question, QuestionSet
from apps.evaluation.question_files import LONGEST
from apps.evaluation.serialising import LISTS, NAMES, attribute_of
from apps.rag.types import Decision

# Beside the columns of the file: the row as its author counts.
ROW: Final = "#row"
# Key and number of the turn.
Identity = tuple[str, int]
_ID: Final = TextCell(80, is_needed=True)
_TURN: Final = TurnCell()


def cells() -> dict[str, Widget]:
    """Return how each column is written and read."""
    return {
        "id": _ID,
        "turn": _TURN,
        "question": TextCell(LONGEST, is_needed=True),
        "language": LanguageCell(),
        "set": ChoiceCell(Question.Kind.values, Question.Kind.ANSWERABLE),
        "kind": TextCell(40),
        "expected": ChoiceCell(Question.Expected.values),
        "decision": ChoiceCell([each.value for each in Decision]),
        "references": ReferencesCell(),
        "needs": ChoiceCell(Question.Needs.values, Question.Needs.ANY),
        "speaker": TextCell(120),
        "allowed": LinesCell(nobody=True),
        **{name: LinesCell() for name in LISTS},
        "topic": TextCell(60),
        "party": TextCell(60),
        "typo": FlagCell(),
        "note": NoteCell(),
    }


class StoredQuestions(BaseInstanceLoader):
    """Finds the set's question of a row among those that were read at once."""

    def get_instance(self, row: Mapping[str, Any]) -> Question | None:
        found: Question | None = self.resource.stored.get(identity(row))
        return found


def identity(row: Mapping[str, Any]) -> Identity | None:
    """Return what names a question within its set, read as the row will be stored; None where it names none.

    Spreadsheet programs write 1.0 for a turn and two blanks in an id: compared as written, they would name another.
    """
    try:
        return _ID.clean(row.get("id")), _TURN.clean("" if row.get("turn") is None else row["turn"])
    except ValueError:
        return None


class QuestionResource(ModelResource):
    """Exports questions to a table, and imports the rows of a file into one set, all or none."""

    class Meta:
        model = Question
        fields = ()
        import_id_fields = ("id",)
        instance_loader_class = StoredQuestions
        use_transactions = True
        use_bulk = True
        report_skipped = True
        # The page says in words what becomes of a row; what is unchanged is found by skip_row below.
        skip_diff = True
        store_instance = True
        store_row_values = True

    def __init__(self, question_set: QuestionSet | None = None) -> None:
        super().__init__()
        self.question_set = question_set
        self.stored = (
            {(each.key, each.number): each for each in question_set.questions.all()}
            if question_set is not None and question_set.pk
            else {}
        )
        # The stored ones are changed while the rows are read.
        self._before = {key: _values(each) for key, each in self.stored.items()}
        self._last = max((each.position for each in self.stored.values()), default=0)
        known = cells()
        self.fields = {
            name: Field(attribute=attribute_of(name), column_name=name, widget=known[name]) for name in NAMES
        }

    def get_import_order(self) -> list[str]:
        return list(NAMES)

    def get_bulk_update_fields(self) -> list[str]:
        return [attribute_of(name) for name in NAMES if name not in ("id", "turn")]

    def get_export_order(self) -> list[str]:
        return list(NAMES)

    def init_instance(self, row: Mapping[str, Any] | None = None) -> Question:
        self._last += 1
        return Question(question_set=self.question_set, position=self._last)

    def skip_row(
        self, instance: Question, original: Any, row: Mapping[str, Any], import_validation_errors: Any = None
    ) -> bool:
        """Say whether the question is already as the file has it."""
        before = self._before.get((instance.key, instance.number))
        return not import_validation_errors and before == _values(instance)

    def validate_instance(
        self, instance: Question, import_validation_errors: Any = None, validate_unique: bool = True
    ) -> None:
        """Check what one question says; keys are compared over the whole file beforehand."""
        errors = dict(import_validation_errors or {})
        if not errors:
            try:
                instance.clean()
            except ValidationError as error:
                errors = error.update_error_dict({})
        if errors:
            raise ValidationError(errors)

    def before_import(self, dataset: Any, **kwargs: Any) -> None:
        """Refuse a file that gives a key twice."""
        seen: dict[Identity, int] = {}
        for row in dataset.dict:
            key = identity(row)
            if key is None:
                continue
            if key in seen:
                sentence = _("Rows %(first)s and %(second)s have the same id “%(key)s” and turn.")
                raise ValidationError(sentence % {"first": seen[key], "second": row[ROW], "key": key[0]})
            seen[key] = row[ROW]


def _values(question: Question) -> tuple[Any, ...]:
    return tuple(deepcopy(getattr(question, attribute_of(name))) for name in NAMES)
