"""What a rule's own fields must be, whatever else there is. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from uuid import UUID

from apps.rules.checking.types import Code, Finding, Level
from apps.rules.types import RuleSpec, ScopeKind

_UID: Final = re.compile(r"[-a-zA-Z0-9_]{1,80}")
_CHOICE: Final = re.compile(r"[-a-zA-Z0-9_]{1,80}")
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,4})?")
_ADDRESS: Final = re.compile(r"https?://[^\s/$.?#][^\s\"<>]*", re.IGNORECASE)
AUDIENCES: Final = frozenset({"readers", "embed", "api", "desk"})
_LONGEST_ADDRESS: Final = 500


def value_findings(rule: RuleSpec) -> Iterator[Finding]:
    """Yield errors in fields that no rule can be saved with, and a missing title."""
    yield from _names(rule)
    yield from _numbers(rule)
    yield from _context(rule)
    yield from _lengths(rule)
    yield from _documents(rule)
    yield from _links(rule)
    yield from _answer(rule)
    for number, example in enumerate(rule.examples, 1):
        if not example.question.strip():
            yield error(rule, Code.EXAMPLE_EMPTY, "examples", number=number)


def error(rule: RuleSpec, code: Code, field: str, **params: str | int) -> Finding:
    """Return a finding that refuses the save."""
    return Finding(code, Level.ERROR, rule.uid, field, params)


def warning(rule: RuleSpec, code: Code, field: str, **params: str | int) -> Finding:
    """Return a finding that only warns."""
    return Finding(code, Level.WARNING, rule.uid, field, params)


def _names(rule: RuleSpec) -> Iterator[Finding]:
    if not _UID.fullmatch(rule.uid):
        yield error(rule, Code.UID_BAD, "uid", uid=rule.uid)
    if not rule.title:
        yield warning(rule, Code.TITLE_MISSING, "title", uid=rule.uid)


def _numbers(rule: RuleSpec) -> Iterator[Finding]:
    ranges = (("priority", 1, 1000), ("fill_up_to", 1, 20), ("threshold", 0, 100), ("position", 0, 2_147_483_647))
    for name, least, most in ranges:
        value = getattr(rule, name)
        if value is not None and not least <= value <= most:
            yield error(rule, Code.NUMBER_OUT_OF_RANGE, name, value=value, least=least, most=most)


def _context(rule: RuleSpec) -> Iterator[Finding]:
    if rule.valid_from and rule.valid_until and rule.valid_from >= rule.valid_until:
        yield error(rule, Code.VALIDITY_REVERSED, "valid_until")
    for language in rule.languages:
        if not _LANGUAGE.fullmatch(language):
            yield error(rule, Code.LANGUAGE_BAD, "languages", language=language)
    for audience in rule.audiences:
        if audience not in AUDIENCES:
            yield error(rule, Code.AUDIENCE_UNKNOWN, "audiences", audience=audience)
    for choice in rule.builder_choices:
        if not _CHOICE.fullmatch(choice):
            yield error(rule, Code.CHOICE_BAD, "builder_choices", choice=choice)


def _lengths(rule: RuleSpec) -> Iterator[Finding]:
    texts = [("title", rule.title, 200)]
    texts += [("tags", tag, 40) for tag in rule.tags]
    texts += [("examples", example.question, 512) for example in rule.examples]
    texts += [("documents", part, 300) for linked in rule.documents for part in (linked.title, *linked.scope.path)]
    if rule.answer:
        texts.append(("answer", rule.answer.owner, 120))
    for field, text, most in texts:
        if len(text) > most:
            yield error(rule, Code.TEXT_TOO_LONG, field, text=f"{text[:40]}…", length=len(text), most=most)


def _documents(rule: RuleSpec) -> Iterator[Finding]:
    seen = set()
    for linked in rule.documents:
        title = linked.title or linked.uuid
        scope = linked.scope
        if not _is_uuid(linked.uuid):
            yield error(rule, Code.DOCUMENT_BAD, "documents", uuid=linked.uuid)
        if linked.most_tokens is not None and not 1 <= linked.most_tokens <= 1_000_000:
            yield error(rule, Code.NUMBER_OUT_OF_RANGE, "documents", value=linked.most_tokens, least=1, most=1_000_000)
        is_bad = {
            ScopeKind.FULL: False,
            ScopeKind.FIRST: (scope.last or 0) < 1,
            ScopeKind.RANGE: (scope.first or 0) < 1 or (scope.last or 0) < (scope.first or 0),
            ScopeKind.SECTION: not scope.path,
        }[scope.kind]
        if is_bad:
            yield error(rule, Code.SCOPE_BAD, "documents", document=title)
        if (linked.uuid, scope) in seen:
            yield warning(rule, Code.DOCUMENT_TWICE, "documents", document=title)
        seen.add((linked.uuid, scope))


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def _links(rule: RuleSpec) -> Iterator[Finding]:
    for address in dict.fromkeys(rule.links):
        # A page makes a link of it: nothing but the web's own schemes.
        if not _ADDRESS.fullmatch(address) or len(address) > _LONGEST_ADDRESS:
            yield error(rule, Code.LINK_BAD, "links", address=address[:80])
        if rule.links.count(address) > 1:
            yield error(rule, Code.LINK_TWICE, "links", address=address[:80])


def _answer(rule: RuleSpec) -> Iterator[Finding]:
    if rule.answer is None:
        return
    if not rule.answer.text.strip():
        yield error(rule, Code.ANSWER_EMPTY, "answer")
    elif rule.answer.is_desk_text and not rule.answer.owner:
        yield error(rule, Code.ANSWER_UNSIGNED, "answer")
