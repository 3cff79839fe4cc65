"""Puts what the checks found beside the fields of the rule form, and into sentences after saving."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from apps.rules.checking import Finding, Level, check_rule
from apps.rules.facts import gather_facts
from apps.rules.forms import RuleForm
from apps.rules.live import draft_index
from apps.rules.loading import rule_spec
from apps.rules.models import Rule
from apps.rules.texts import finding_text

_FIELDS: Final = {
    "core": "core_slots",
    "anchor": "anchor_slots",
    "exclude": "exclude_slots",
    "answer": "answer_text",
    "parent": "parent_title",
}
_ROWS: Final = ("documents", "links", "examples")


def add_findings(form: RuleForm, findings: Iterable[Finding]) -> None:
    """Show each error where the editor can mend it; everything else of the form stays as it was typed."""
    for finding in findings:
        if not finding.blocks_save:
            continue
        text = finding_text(finding)
        if finding.field in _ROWS:
            form.add_row_error(finding.field, text)
            continue
        name = _FIELDS.get(finding.field, finding.field)
        form.add_error(name if name in form.fields else None, text)


@dataclass(frozen=True, slots=True)
class Said:
    """A finding as a sentence."""

    text: str
    blocks_release: bool
    is_note: bool


def rule_findings(rule: Rule) -> list[Said]:
    """Return what to know about a saved rule among all others, the worst first."""
    spec = rule_spec(rule)
    draft = draft_index()
    facts = gather_facts(replace(draft.index.rule_set, rules=(spec,)), with_endings=True)
    # A draft is not in the set yet; the checks compile it in.
    index = draft.index if draft.specs.get(spec.uid) == spec else None
    findings = check_rule(spec, draft.index.rule_set, facts, index=index)
    return [Said(finding_text(each), each.blocks_release, each.level is Level.NOTE) for each in findings]
