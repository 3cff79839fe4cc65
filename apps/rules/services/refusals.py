"""Turns what the database refuses into the findings that the checks would have given."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DataError, IntegrityError

from apps.rules.checking import Code, Finding, Level
from apps.rules.services.errors import ChecksFailedError

_CODES = {
    "rule_parent_cycle": (Code.PARENT_CYCLE, "parent"),
    "rule_not_its_own_parent": (Code.PARENT_CYCLE, "parent"),
    "rule_too_deep": (Code.TOO_DEEP, "parent"),
    "rule_phrase_in_other_rule": (Code.PHRASE_IN_OTHER_RULE, "phrases"),
}


@contextmanager
def refusals(uid: str = "") -> Iterator[None]:
    """Raise ChecksFailedError for the triggers' refusals inside; wrap it around the transaction, not within."""
    try:
        yield
    except (IntegrityError, DataError) as error:
        finding = finding_of(error, uid)
        if finding is None:
            raise
        raise ChecksFailedError([finding]) from error


def finding_of(error: Exception, uid: str = "") -> Finding | None:
    """Return what a database error means; None for one that is no refusal of a rule."""
    diagnosis = getattr(error.__cause__, "diag", None)
    known = _CODES.get(diagnosis.constraint_name or "") if diagnosis else None
    if diagnosis is None or known is None:
        return None
    code, field = known
    try:
        params = json.loads(diagnosis.message_detail or "")
    except ValueError:
        params = {"path": uid}
    rule = str(params.pop("uid", uid))
    others = tuple(params.pop("others", ()))
    return Finding(code, Level.ERROR, rule, field, params, others)
