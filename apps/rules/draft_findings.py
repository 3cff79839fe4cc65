"""What the checks say about the draft, kept in this process until the draft changes: the list shows it at once."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from apps.rules.checking import Finding, Level, check_set
from apps.rules.facts import gather_facts
from apps.rules.live import draft_state
from apps.rules.loading import draft_set
from apps.rules.texts import finding_text

# Documents, links and the day change too, and nobody is told: after this long it is checked again.
KEPT_SECONDS: Final = 300.0


@dataclass(frozen=True, slots=True)
class DraftFindings:
    """Findings by rule. ``by_uid`` is None while the draft as it is now has not been checked in this process.

    ``below`` counts for each rule those on the levels below it that have findings, so that a closed folder tells.
    """

    by_uid: Mapping[str, tuple[Finding, ...]] | None
    below: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        return self.by_uid is not None

    @property
    def uids(self) -> frozenset[str]:
        return frozenset(self.by_uid or ())

    def of(self, uid: str) -> tuple[str, ...] | None:
        """Return the sentences on a rule in the language of whoever looks; None while nobody knows."""
        if self.by_uid is None:
            return None
        return tuple(finding_text(finding) for finding in self.by_uid.get(uid, ()))


@dataclass(slots=True)
class _Kept:
    """The last result with what it was made of."""

    state: object = None
    at: float = 0.0
    findings: DraftFindings = DraftFindings(None)


_kept = _Kept()
_lock = threading.Lock()


def draft_findings(*, may_check: bool = False) -> DraftFindings:
    """Return what is known about the draft. Only with ``may_check`` does it check, which takes seconds for thousands.

    Who comes while another thread checks waits for its result.
    """
    global _kept
    state = draft_state()
    if _is_fresh(_kept, state):
        return _kept.findings
    if not may_check:
        return DraftFindings(None)
    with _lock:
        if not _is_fresh(_kept, state):
            _kept = _Kept(state, time.monotonic(), _checked())
        return _kept.findings


def _is_fresh(kept: _Kept, state: object) -> bool:
    return kept.state == state and time.monotonic() - kept.at < KEPT_SECONDS


def _checked() -> DraftFindings:
    rules = draft_set()
    by_uid: dict[str, list[Finding]] = {}
    for finding in check_set(rules, gather_facts(rules)):
        if finding.level is not Level.NOTE:
            by_uid.setdefault(finding.uid, []).append(finding)
    parents = {rule.uid: rule.parent for rule in rules.rules}
    below: Counter[str] = Counter()
    for uid in by_uid:
        below.update(_above(uid, parents))
    return DraftFindings({uid: tuple(findings) for uid, findings in by_uid.items()}, below)


def _above(uid: str, parents: Mapping[str, str | None]) -> set[str]:
    """The uids of all levels above a rule; a circle, which is a finding itself, ends the way."""
    above: set[str] = set()
    while (parent := parents.get(uid)) is not None and parent not in above:
        above.add(parent)
        uid = parent
    return above
