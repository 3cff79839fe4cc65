"""What the rule form shows when another editor was faster: who changed what, and the way out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from apps.rules.conflicts import clash, merged
from apps.rules.differences import rule_changes
from apps.rules.models import RuleVersion
from apps.rules.serialising import rule_from_json
from apps.rules.services import OvertakenError
from apps.rules.texts import change_text
from apps.rules.types import RuleSpec

_MOST_DIGITS = 9


def conflict_panel(error: OvertakenError, mine: RuleSpec, began_with: int) -> dict[str, Any]:
    """Return both editors' changes in words; ``number`` is the version that a merge goes on top of."""
    latest = error.latest
    if latest is None:
        return {"is_gone": True}
    theirs = rule_from_json(latest.data, version=latest.number)
    before = _stored(mine.uid, began_with) or theirs
    who_did_what = clash(before, mine, theirs)
    by_them, by_me = rule_changes(before, theirs), rule_changes(before, mine)
    return {
        "number": latest.number,
        "author": latest.author_name,
        "saved": latest.created_at,
        "comment": latest.comment,
        "theirs": [change_text(each) for each in by_them],
        "mine": [change_text(each) for each in by_me],
        "both": [
            {
                "theirs": [change_text(each) for each in by_them if each.field == name],
                "mine": [change_text(each) for each in by_me if each.field == name],
            }
            for name in sorted(who_did_what.both)
        ],
    }


def taken_over(number: str, mine: RuleSpec, began_with: int | None) -> RuleSpec | None:
    """Return the other's version with my changes on top, if the editor asked for that."""
    if not (number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS):
        return None
    theirs = _stored(mine.uid, int(number))
    if theirs is None:
        return None
    before = _stored(mine.uid, began_with or 0) or theirs
    return replace(merged(before, mine, theirs), version=theirs.version)


def _stored(uid: str, number: int) -> RuleSpec | None:
    row = RuleVersion.objects.filter(uid=uid, number=number).first()
    return rule_from_json(row.data, version=row.number) if row else None
