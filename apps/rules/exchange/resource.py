"""Rules as django-import-export moves them: a cell per column, a rule per row, saved by the desk's own service."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils.timezone import get_default_timezone
from django.utils.translation import gettext
from import_export.fields import Field
from import_export.instance_loaders import BaseInstanceLoader
from import_export.resources import Resource
from import_export.results import Result, RowResult
from import_export.widgets import Widget

from apps.rules.checking import Finding
from apps.rules.exchange.columns import Column, from_columns, table_columns, to_columns
from apps.rules.exchange.formulas import guard
from apps.rules.exchange.texts import format_text
from apps.rules.loading import rule_spec
from apps.rules.models import Rule
from apps.rules.serialising import RuleFormatError, rule_from_json, rule_to_json
from apps.rules.services import ChecksFailedError, OvertakenError, rules_save
from apps.rules.services.cleaning import cleaned
from apps.rules.texts import finding_text
from apps.rules.types import RuleSpec

# Beside the columns of the file: the row as its author counts.
ROW: Final = "#row"
# For a cell whose column the file does not have: the rule keeps what it has there.
ABSENT: Final = object()


class RuleCell(Widget):
    """One column's notation. Values of a JSON file are no texts to be read: they pass as they are."""

    def __init__(self, column: Column, *, is_table: bool) -> None:
        super().__init__()
        self.column, self.is_table = column, is_table

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        if not self.is_table:
            return value
        try:
            return self.column.read(value)
        except RuleFormatError as error:
            raise ValueError(format_text(error)) from error

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        return guard(self.column.write(value))


class RuleRow(SimpleNamespace):
    """A rule with one attribute per column.

    ``stored`` is the rule as the desk has it, None for a new one; ``spec`` as the file has it, ``saved`` as it is then.
    """

    stored: RuleSpec | None
    spec: RuleSpec
    saved: RuleSpec | None

    @classmethod
    def of(cls, spec: RuleSpec, *, stored: RuleSpec | None = None) -> RuleRow:
        return cls(**to_columns(rule_to_json(spec)), stored=stored, spec=spec, saved=None)

    def read(self) -> RuleSpec:
        """Return the rule that the columns make. Raises RuleFormatError."""
        cells = {name: value for name, value in vars(self).items() if name not in ("stored", "spec", "saved")}
        return rule_from_json(from_columns(cells), version=self.stored.version if self.stored else 0)


class StoredRules(BaseInstanceLoader):
    """Finds the desk's rule of a row among those that were read at once."""

    def get_instance(self, row: Mapping[str, Any]) -> RuleRow | None:
        stored = self.resource.stored.get(str(row["uid"]).strip())
        return RuleRow.of(stored, stored=stored) if stored else None


class RuleResource(Resource):
    """Exports rules to a table, and imports what a file holds in one transaction.

    ``stored`` are the desk's rules that the file names, ``owners`` all user names; ``errors`` by row were found before
    and refuse the row.
    """

    class Meta:
        model = Rule
        import_id_fields = ("uid",)
        instance_loader_class = StoredRules
        use_transactions = True
        # One save of all at the end: no savepoint for each row.
        use_bulk = True
        # The differences are told in words by whoever shows the result.
        skip_diff = True
        report_skipped = True
        store_instance = True
        store_row_values = True

    def __init__(
        self,
        *,
        author: Any = None,
        comment: str = "",
        is_table: bool = True,
        stored: Mapping[str, RuleSpec] | None = None,
        errors: Mapping[int, RuleFormatError] | None = None,
        owners: Collection[str] = (),
    ) -> None:
        super().__init__()
        self.author, self.comment, self.owners = author, comment, owners
        self.stored, self.errors = stored or {}, errors or {}
        for column in table_columns(get_default_timezone()):
            cell = RuleCell(column, is_table=is_table)
            self.fields[column.name] = Field(attribute=column.name, column_name=column.name, widget=cell)

    def init_instance(self, row: Mapping[str, Any] | None = None) -> RuleRow:
        return RuleRow.of(RuleSpec(uid=""))

    def import_field(
        self, field: Any, instance: RuleRow, row: Mapping[str, Any], is_m2m: bool = False, **_: Any
    ) -> None:
        if row.get(field.column_name, ABSENT) is not ABSENT:
            super().import_field(field, instance, row, is_m2m)

    def import_instance(self, instance: RuleRow, row: Mapping[str, Any], **kwargs: Any) -> None:
        """Read the cells; every cell that cannot be read has its own message, and the row's earlier error as well."""
        messages: dict[str, list[Any]] = {}
        try:
            super().import_instance(instance, row, **kwargs)
        except ValidationError as error:
            messages = error.update_error_dict({})
        known = self.errors.get(row[ROW])
        if known is not None:
            messages.setdefault(known.field or NON_FIELD_ERRORS, []).append(ValidationError(format_text(known)))
        if messages:
            raise ValidationError(messages)

    def skip_row(
        self, instance: RuleRow, original: Any, row: Mapping[str, Any], import_validation_errors: Any = None
    ) -> bool:
        """Say whether the rule is already as the file has it."""
        if import_validation_errors:
            return False
        try:
            instance.spec = cleaned(instance.read())
        except RuleFormatError as error:
            raise ValidationError({error.field or NON_FIELD_ERRORS: format_text(error)}) from error
        if instance.spec.owner and instance.spec.owner not in self.owners:
            sentence = gettext("There is no user “%(name)s”. Name another, or leave it empty.")
            raise ValidationError({"owner": sentence % {"name": instance.spec.owner[:80]}})
        return instance.stored is not None and instance.spec == instance.stored

    def save_instance(self, instance: RuleRow, is_create: bool, row: Mapping[str, Any], **kwargs: Any) -> None:
        """Wait for the others: phrases and places may change hands among the rules of a file."""

    def after_import(self, dataset: Any, result: Result, **kwargs: Any) -> None:
        """Save all rules at once; a dry run does so too and is rolled back. What is refused is told at its row."""
        rows = {row.instance.spec.uid: row for row in result.rows if not (row.is_skip() or row.is_invalid())}
        if result.has_errors() or result.has_validation_errors() or not rows:
            return
        specs = [row.instance.spec for row in rows.values()]
        try:
            saved = rules_save(
                specs=specs,
                author=self.author,
                comment=self.comment,
                expected_versions={spec.uid: spec.version for spec in specs},
            )
        except ChecksFailedError as error:
            _refuse(result, rows, error.findings)
        except OvertakenError as error:
            _refuse_row(result, rows[error.uid], {NON_FIELD_ERRORS: [str(error)]})
        else:
            for rule in saved:
                rows[rule.uid].instance.saved = rule_spec(rule)


def _refuse(result: Result, rows: Mapping[str, RowResult], findings: Sequence[Finding]) -> None:
    """Tell each finding at the row of its rule; at the first row where the file does not have that rule."""
    messages: dict[str, dict[str, list[str]]] = {}
    for finding in findings:
        uid = finding.uid if finding.uid in rows else next(iter(rows))
        messages.setdefault(uid, {}).setdefault(finding.field or NON_FIELD_ERRORS, []).append(finding_text(finding))
    for uid, by_field in messages.items():
        _refuse_row(result, rows[uid], by_field)


def _refuse_row(result: Result, row: RowResult, messages: Mapping[str, Sequence[str]]) -> None:
    row.import_type = RowResult.IMPORT_TYPE_INVALID
    row.validation_error = ValidationError(dict(messages))
    result.append_invalid_row(row.row_values[ROW], row.row_values, row.validation_error)


def spec_row(spec: RuleSpec) -> RuleRow:
    """Return a rule as ``RuleResource().export`` takes it."""
    return RuleRow.of(replace(spec, version=0))
