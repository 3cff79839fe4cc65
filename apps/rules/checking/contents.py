"""What a rule hands over: documents, budget, links, the curated answer. Pure; the facts say how things stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from apps.rules.checking.types import Code, DocumentFact, DocumentState, Facts, Finding, Level
from apps.rules.types import Extra, LinkedDocument, RuleSpec, ScopeKind

_STATES: Final = {
    DocumentState.REJECTED: (Code.DOCUMENT_REJECTED, Level.BLOCKER),
    DocumentState.BEING_READ: (Code.DOCUMENT_BEING_READ, Level.WARNING),
    DocumentState.NOT_READY: (Code.DOCUMENT_NOT_READY, Level.BLOCKER),
    DocumentState.DESK_ONLY: (Code.DOCUMENT_DESK_ONLY, Level.BLOCKER),
    DocumentState.EXPIRED: (Code.DOCUMENT_EXPIRED, Level.BLOCKER),
    DocumentState.FUTURE: (Code.DOCUMENT_FUTURE, Level.WARNING),
}


def content_findings(rule: RuleSpec, facts: Facts, token_budget: int) -> Iterator[Finding]:
    """Yield what readers would not get, or not as the editor thinks."""
    handovers = facts.handovers.get(rule.uid, ())
    for number, linked in enumerate(rule.documents):
        fact = facts.documents.get(linked.uuid)
        yield from _document(rule, linked, fact, facts)
        if fact is not None and fact.state is DocumentState.READY and number < len(handovers):
            yield from _scope(rule, linked, fact.title, handovers[number].passages, handovers[number].of)
    yield from _budget(rule, facts, token_budget)
    yield from _links(rule, facts)
    answer = rule.answer
    if answer is not None and answer.expires is not None and answer.expires < facts.today:
        yield _finding(rule, Code.ANSWER_EXPIRED, Level.WARNING, "answer", until=answer.expires.isoformat())
    if rule.owner and facts.owners is not None and rule.owner not in facts.owners:
        yield _finding(rule, Code.OWNER_UNKNOWN, Level.WARNING, "owner", owner=rule.owner)
    for choice in rule.builder_choices:
        if facts.builder_choices is not None and choice not in facts.builder_choices:
            yield _finding(rule, Code.CHOICE_UNKNOWN, Level.WARNING, "builder_choices", choice=choice)
    has_trigger = rule.phrases or rule.core or rule.anchor
    if has_trigger and not rule.documents and not answer and rule.extra is Extra.OFF:
        yield _finding(rule, Code.HANDS_OVER_NOTHING, Level.WARNING, "documents")


def _document(rule: RuleSpec, linked: LinkedDocument, fact: DocumentFact | None, facts: Facts) -> Iterator[Finding]:
    if fact is None:
        title = linked.title or linked.uuid
        yield _finding(rule, Code.DOCUMENT_MISSING, Level.BLOCKER, "documents", document=title)
        return
    if fact.state in _STATES:
        code, level = _STATES[fact.state]
        yield _finding(rule, code, level, "documents", document=fact.title)
    seen = facts.seen.get((rule.uid, linked.uuid))
    if seen is not None and fact.version > seen:
        params: dict[str, str | int] = {"document": fact.title, "seen": seen, "version": fact.version}
        yield Finding(Code.DOCUMENT_NEWER, Level.WARNING, rule.uid, "documents", params)


def _scope(rule: RuleSpec, linked: LinkedDocument, title: str, passages: int, of: int) -> Iterator[Finding]:
    scope = linked.scope
    if not passages and not (scope.kind is ScopeKind.FULL or scope.kind is ScopeKind.FIRST):
        yield _finding(rule, Code.SCOPE_EMPTY, Level.BLOCKER, "documents", document=title)
    elif scope.kind is ScopeKind.RANGE and (scope.last or 0) > of:
        yield _finding(
            rule, Code.SCOPE_SHORT, Level.WARNING, "documents", document=title, count=of, last=scope.last or 0
        )


def _budget(rule: RuleSpec, facts: Facts, token_budget: int) -> Iterator[Finding]:
    handovers = facts.handovers.get(rule.uid, ())
    left = sum(handover.left_out for handover in handovers)
    if not left:
        return
    first = next(number for number, handover in enumerate(handovers) if handover.left_out)
    fact = facts.documents.get(rule.documents[first].uuid)
    title = fact.title if fact else rule.documents[first].title
    tokens = sum(handover.tokens for handover in handovers)
    yield _finding(
        rule,
        Code.OVER_BUDGET,
        Level.WARNING,
        "documents",
        tokens=tokens,
        budget=token_budget,
        left=left,
        document=title,
    )


def _links(rule: RuleSpec, facts: Facts) -> Iterator[Finding]:
    for address in rule.links:
        fact = facts.links.get(address)
        if fact is None:
            yield _finding(rule, Code.LINK_UNKNOWN, Level.WARNING, "links", address=address)
        elif fact.is_dead:
            yield _finding(rule, Code.LINK_DEAD, Level.WARNING, "links", title=fact.title)
        elif fact.valid_until is not None and fact.valid_until < facts.today:
            until = fact.valid_until.isoformat()
            yield _finding(rule, Code.LINK_EXPIRED, Level.WARNING, "links", title=fact.title, until=until)
        elif fact.title == address:
            yield _finding(rule, Code.LINK_UNTITLED, Level.WARNING, "links", address=address)


def _finding(rule: RuleSpec, code: Code, level: Level, field: str, **params: str | int) -> Finding:
    return Finding(code, level, rule.uid, field, params)
