"""Try a question: asks the draft, or the live release, as production does, and says why. Stores nothing.

The rule that somebody is just writing takes its stored self's place among all other rules, and the whole set is
compiled: two rules may gate, shadow or collect each other, and only one engine over one set says rightly how. The last
compiled sets are kept, so that a keystroke in the question costs no compilation; one in the rule does (about a tenth
of a second for 5,000 rules). A small index for the one rule beside the compiled rest would be faster, but would need
a second way to choose the winner.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from django.utils import timezone

from apps.documents.models import Chunk
from apps.rag.types import SearchFilters
from apps.rules.explaining import explain
from apps.rules.live import LiveRules, compiled, current, draft_index
from apps.rules.loading import rule_spec
from apps.rules.models import Rule
from apps.rules.passages import hand_over
from apps.rules.reports import Explanation, RuleReport, Verdict
from apps.rules.types import MOST_LEVELS, Extra, LinkedDocument, MatchContext, ProtectedName, RuleSet, RuleSpec, Status

# Two editors at once; each holds a whole index.
_KEPT: Final = 2
_MOST_OTHERS: Final = 8
_MOST_PASSAGES: Final = 12
_BEGINNING: Final = 160
_NEAR: Final = frozenset({Verdict.NEAR, Verdict.GATED, Verdict.VETOED, Verdict.OUTSIDE})
_MATCHED: Final = frozenset({Verdict.WON, Verdict.COLLECTED, Verdict.LOST})


@dataclass(frozen=True, slots=True)
class TriedPassage:
    """A passage that would reach the answer: where it stands, how it begins, how many tokens it has."""

    title: str
    heading: str
    beginning: str
    tokens: int
    language: str


@dataclass(frozen=True, slots=True)
class TriedDocument:
    """One linked document of the winners: what it hands over, and what was cut and why."""

    title: str
    tokens: int
    passages: tuple[TriedPassage, ...]
    taken: int
    left_out: int
    cut_by: str

    @property
    def not_shown(self) -> int:
        return self.taken - len(self.passages)


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a question. ``own`` is the report on the rule that is being written, if one is.

    ``release`` is 0 for the draft. ``supposed`` are titles of drafts that counted as active for this trial.
    """

    explanation: Explanation
    own: RuleReport | None
    winners: tuple[RuleReport, ...]
    rivals: tuple[RuleReport, ...]
    near: tuple[RuleReport, ...]
    documents: tuple[TriedDocument, ...]
    links: tuple[str, ...]
    budget: int
    release: int
    names: tuple[ProtectedName, ...] = ()
    winner: RuleSpec | None = None
    supposed: tuple[str, ...] = ()
    ids: tuple[tuple[str, int], ...] = ()
    # Search answers although the winner wants none: none of its documents can be read.
    stands_in: bool = False


def try_draft(question: str, context: MatchContext, rule: RuleSpec | None = None) -> Trial:
    """Ask the draft set, with this unsaved rule in it."""
    if rule is None:
        return _try(question, context, draft_index())
    rules, supposed = _with_rule(draft_index(), rule)
    return _try(question, context, rules, rule.uid, supposed)


def try_live(question: str, context: MatchContext) -> Trial | None:
    """Ask the release that readers get now; None before the first."""
    rules = current()
    return _try(question, context, rules) if rules else None


def _try(
    question: str, context: MatchContext, rules: LiveRules, own: str = "", supposed: tuple[str, ...] = ()
) -> Trial:
    said = explain([question], context, rules.index, uids=(own,) if own else ())
    reports = {report.uid: report for report in said.reports}
    winning = [hit.uid for hit in said.match.winners]
    winners = tuple(reports[uid] for uid in winning if uid in reports)
    others = [report for report in said.reports if report.uid not in (own, *winning)]
    specs = [rules.specs[uid] for uid in winning]
    linked = [each for spec in specs for each in spec.documents]
    shown = [*winning, *(report.uid for report in others), own]
    documents = _documents(linked, rules.token_budget, context)
    return Trial(
        explanation=said,
        own=reports.get(own),
        winners=winners,
        rivals=tuple(report for report in others if report.verdict in _MATCHED)[:_MOST_OTHERS],
        near=tuple(report for report in others if report.verdict in _NEAR)[:_MOST_OTHERS],
        documents=documents,
        links=tuple(dict.fromkeys(address for spec in specs for address in spec.links)),
        budget=rules.token_budget,
        release=rules.release,
        names=rules.index.rule_set.names,
        winner=specs[0] if specs else None,
        supposed=supposed,
        ids=tuple(Rule.objects.filter(uid__in=shown).values_list("uid", "pk")),
        stands_in=bool(specs) and _is_left_empty(specs[0], documents, timezone.localdate(context.now)),
    )


# --- the set that is asked ---

_sets: OrderedDict[tuple[RuleSpec, ...], tuple[LiveRules, LiveRules]] = OrderedDict()
_lock: Final = threading.Lock()


def _with_rule(draft: LiveRules, rule: RuleSpec) -> tuple[LiveRules, tuple[str, ...]]:
    """Return the draft with this rule as it is being written, and what of it counts as active only for now."""
    added = [rule, *_ancestors_missing(draft, rule)]
    supposed = tuple(each.title for each in added if each.status is Status.DRAFT)
    overlay = tuple(replace(each, status=_tried(each.status)) for each in added)
    if all(draft.specs.get(each.uid) == each for each in overlay):
        return draft, supposed
    with _lock:
        kept = _sets.get(overlay)
        if kept is not None and kept[0] is draft:
            _sets.move_to_end(overlay)
            return kept[1], supposed
    made = compiled(_overlaid(draft.index.rule_set, overlay))
    with _lock:
        _sets[overlay] = (draft, made)
        while len(_sets) > _KEPT:
            _sets.popitem(last=False)
    return made, supposed


def _overlaid(rules: RuleSet, overlay: Sequence[RuleSpec]) -> RuleSet:
    uids = {each.uid for each in overlay}
    return replace(rules, rules=(*(each for each in rules.rules if each.uid not in uids), *overlay))


def _tried(status: Status) -> Status:
    """A draft is tried as if it were active; what is archived as if it were paused, since a set knows no archive."""
    return {Status.DRAFT: Status.ACTIVE, Status.ARCHIVED: Status.PAUSED}.get(status, status)


def _ancestors_missing(draft: LiveRules, rule: RuleSpec) -> list[RuleSpec]:
    """Return the rules above this one that the next release would not hold: drafts themselves."""
    found: list[RuleSpec] = []
    uid = rule.parent
    while uid and uid not in draft.specs and len(found) < MOST_LEVELS:
        parent = Rule.objects.whole().filter(uid=uid).first()
        if parent is None or uid in (rule.uid, *(each.uid for each in found)):
            break
        found.append(rule_spec(parent))
        uid = found[-1].parent
    return found


# --- what reaches the answer ---


def _is_left_empty(winner: RuleSpec, documents: Sequence[TriedDocument], on: date) -> bool:
    """As rag/retrieving.py decides it."""
    if winner.extra is not Extra.OFF or not documents or any(each.taken for each in documents):
        return False
    answer = winner.answer
    return not (answer and answer.is_desk_text and (answer.expires is None or on <= answer.expires))


def _documents(linked: Sequence[LinkedDocument], budget: int, context: MatchContext) -> tuple[TriedDocument, ...]:
    """Return what the winners' documents hand over to this reader. Two queries."""
    if not linked:
        return ()
    filters = SearchFilters(timezone.localdate(context.now), includes_desk=context.audience == Rule.Audience.DESK)
    handed = hand_over(linked, budget, filters)
    wanted = [chunk.pk for each in handed for chunk in each.chunks[:_MOST_PASSAGES]][:_MOST_PASSAGES]
    columns = ("pk", "document__title", "section__path", "text", "token_count", "language")
    rows = {row[0]: row for row in Chunk.objects.filter(pk__in=wanted).values_list(*columns)}
    return tuple(
        TriedDocument(
            title=each.linked.title,
            tokens=each.tokens,
            passages=tuple(_passage(*rows[chunk.pk]) for chunk in each.chunks if chunk.pk in rows),
            taken=len(each.chunks),
            left_out=each.left_out,
            cut_by=each.cut_by or "",
        )
        for each in handed
    )


def _passage(_pk: int, title: str, path: Sequence[str], text: str, tokens: int, language: str) -> TriedPassage:
    beginning = " ".join(text[: 2 * _BEGINNING].split())
    cut = beginning[:_BEGINNING].rsplit(" ", 1)[0] + " …" if len(beginning) > _BEGINNING else beginning
    return TriedPassage(title, " › ".join(path), cut, tokens, language)
