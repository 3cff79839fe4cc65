"""Cleans a rule at the door of the services: what is stored is what the engine and the database can take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from apps.core.cleaning import clean_line, clean_text
from apps.rules.types import LinkedDocument, RuleSpec, TokenList

# Nothing is cut here: the checks say what is too long.
_NO_LIMIT: Final = 1_000_000


def cleaned(rule: RuleSpec) -> RuleSpec:
    """Return the rule without characters that cannot be stored, without white space around texts, without doubles.

    Cleaning twice changes nothing more. Line breaks inside a phrase stay.
    """
    answer = rule.answer
    if answer is not None:
        answer = replace(answer, text=_text(answer.text), owner=_line(answer.owner))
    return replace(
        rule,
        uid=rule.uid.strip(),
        title=_line(rule.title),
        languages=_words(word.lower() for word in rule.languages),
        audiences=_words(rule.audiences),
        builder_choices=_words(rule.builder_choices),
        phrases=tuple(replace(phrase, text=_text(phrase.text)) for phrase in rule.phrases),
        core=_list(rule.core),
        anchor=_list(rule.anchor),
        exclude=_list(rule.exclude),
        documents=tuple(_document(linked) for linked in rule.documents),
        links=tuple(_line(address) for address in rule.links),
        answer=answer,
        examples=tuple(replace(example, question=_text(example.question)) for example in rule.examples),
        tags=_words(rule.tags),
        owner=_line(rule.owner),
        reason=_text(rule.reason),
    )


def _text(text: str) -> str:
    return clean_text(text).strip()


def _line(text: str) -> str:
    return clean_line(text, limit=_NO_LIMIT)


def _words(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in map(_line, words) if word))


def _list(tokens: TokenList | None) -> TokenList | None:
    if tokens is None:
        return None
    return replace(tokens, slots=tuple(replace(slot, text=_line(slot.text)) for slot in tokens.slots))


def _document(linked: LinkedDocument) -> LinkedDocument:
    scope = replace(linked.scope, path=tuple(clean_text(part) for part in linked.scope.path))
    return replace(linked, uuid=linked.uuid.strip().lower(), title=_line(linked.title), scope=scope)
