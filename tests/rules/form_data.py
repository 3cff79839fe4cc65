"""What a browser sends for the rule form."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from apps.rules.forms import RuleForm, initial_from
from apps.rules.types import RuleSpec


def posted(spec: RuleSpec, **changes: Any) -> QueryDict:
    """Return the data of the form that says this rule, with changes; a list is several values."""
    form = RuleForm(**initial_from(spec), base=spec if spec.version else None)
    data = QueryDict(mutable=True)
    bound = [*form, *(field for rows in form.formsets for field in rows.management_form)]
    bound += [field for rows in form.formsets for row in rows for field in row]
    for field in bound:
        value = field.value()
        shown = field.field.widget.format_value(value)
        if value is True:
            data[field.html_name] = "on"
        elif isinstance(shown, list):
            data.setlist(field.html_name, shown)
        elif value is not False and shown is not None:
            data[field.html_name] = str(shown)
    for name, value in changes.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return data
