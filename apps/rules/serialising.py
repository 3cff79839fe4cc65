"""Writes a rule as plain JSON and reads it back, loss-free and strict. Releases, history, import and export use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any, Final, TypeVar

from apps.rules.types import (
    DEFAULT_FILL,
    DEFAULT_PRIORITY,
    CuratedAnswer,
    Example,
    Extra,
    HitPolicy,
    LinkedDocument,
    Need,
    Phrase,
    RuleSpec,
    Scope,
    ScopeKind,
    Slot,
    Stage,
    Status,
    TokenList,
    WordMode,
)

Json = dict[str, Any]
Member = TypeVar("Member", bound=Enum)
Item = TypeVar("Item")

_NAMES: Final = frozenset(field.name for field in fields(RuleSpec)) - {"version"}
_LISTS: Final = ("core", "anchor", "exclude")


def gettext_noop(sentence: str) -> str:
    """Mark a sentence for the catalogue, which pure code cannot ask: whoever shows it translates it."""
    return sentence


class RuleFormatError(ValueError):
    """What was read as a rule is none. The message is an English sentence that names the field.

    For other languages: the catalogue's text for ``sentence``, filled with ``params``. ``field`` is the field of the
    rule, an empty text where no single one is to blame.
    """

    def __init__(self, sentence: str, *, field: str = "", **params: object) -> None:
        self.sentence, self.field, self.params = sentence, field.partition("[")[0].partition(".")[0], params
        self.params.setdefault("field", field)
        super().__init__(sentence % self.params)


def rule_to_json(rule: RuleSpec) -> Json:
    """Return the rule as JSON-able values, every field named, without its version number."""
    return {
        "uid": rule.uid,
        "title": rule.title,
        "parent": rule.parent,
        "position": rule.position,
        "status": rule.status.value,
        "priority": rule.priority,
        "valid_from": _moment(rule.valid_from),
        "valid_until": _moment(rule.valid_until),
        "languages": list(rule.languages),
        "audiences": list(rule.audiences),
        "builder_choices": list(rule.builder_choices),
        "hit_policy": rule.hit_policy.value,
        "extra": rule.extra.value,
        "fill_up_to": rule.fill_up_to,
        "threshold": rule.threshold,
        "phrases": [{"text": phrase.text, "fuzzy": phrase.is_fuzzy} for phrase in rule.phrases],
        **{name: _list_to_json(getattr(rule, name)) for name in _LISTS},
        "documents": [_document_to_json(document) for document in rule.documents],
        "links": list(rule.links),
        "answer": _answer_to_json(rule.answer),
        "examples": [
            {
                "question": each.question,
                "must_match": each.must_match,
                "stage": each.stage.value if each.stage else None,
            }
            for each in rule.examples
        ],
        "tags": list(rule.tags),
        "owner": rule.owner,
        "reason": rule.reason,
    }


def rule_from_json(data: Mapping[str, Any], *, version: int = 0) -> RuleSpec:
    """Read what ``rule_to_json`` wrote. Missing fields have defaults; unknown or wrong ones raise RuleFormatError."""
    read = _Reader(data, "", _NAMES)
    return RuleSpec(
        uid=read.text("uid"),
        title=read.text("title", ""),
        parent=read.text_or_none("parent"),
        position=read.number("position", 0),
        status=read.member("status", Status, Status.ACTIVE),
        priority=read.number("priority", DEFAULT_PRIORITY),
        valid_from=read.moment("valid_from"),
        valid_until=read.moment("valid_until"),
        languages=read.texts("languages"),
        audiences=read.texts("audiences"),
        builder_choices=read.texts("builder_choices"),
        hit_policy=read.member("hit_policy", HitPolicy, HitPolicy.STOP),
        extra=read.member("extra", Extra, Extra.FILL),
        fill_up_to=read.number("fill_up_to", DEFAULT_FILL),
        threshold=read.number_or_none("threshold"),
        phrases=read.items("phrases", _phrase),
        core=read.item("core", _list),
        anchor=read.item("anchor", _list),
        exclude=read.item("exclude", _list),
        documents=read.items("documents", _document),
        links=read.texts("links"),
        answer=read.item("answer", _answer),
        examples=read.items("examples", _example),
        tags=read.texts("tags"),
        owner=read.text("owner", ""),
        reason=read.text("reason", ""),
        version=version,
    )


def _moment(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat() if moment else None


def _list_to_json(tokens: TokenList | None) -> Json | None:
    if tokens is None:
        return None
    slots = [{"text": slot.text, "mode": slot.mode.value} for slot in tokens.slots]
    return {"need": tokens.need.value, "amount": tokens.amount, "slots": slots}


def _document_to_json(document: LinkedDocument) -> Json:
    scope = document.scope
    return {
        "uuid": document.uuid,
        "title": document.title,
        "scope": scope.kind.value,
        "first": scope.first,
        "last": scope.last,
        "path": list(scope.path),
        "most_tokens": document.most_tokens,
    }


def _answer_to_json(answer: CuratedAnswer | None) -> Json | None:
    if answer is None:
        return None
    return {
        "text": answer.text,
        "is_desk_text": answer.is_desk_text,
        "owner": answer.owner,
        "checked": answer.checked.isoformat() if answer.checked else None,
        "expires": answer.expires.isoformat() if answer.expires else None,
    }


class _Reader:
    """Reads typed fields of one object, which has no others; every error names the field with its place."""

    def __init__(self, data: Any, place: str, names: frozenset[str]) -> None:
        if not isinstance(data, Mapping):
            if not place:
                raise RuleFormatError(gettext_noop("A rule must be an object with fields."))
            raise RuleFormatError(gettext_noop("“%(field)s” must be an object with fields."), field=place)
        self._data, self._place = data, place
        unknown = sorted(set(data) - names, key=str)
        if unknown:
            raise RuleFormatError(
                gettext_noop("There is no field “%(field)s”. Correct its name or take it out."),
                field=self._at(str(unknown[0])),
            )

    def text(self, name: str, default: str | None = None) -> str:
        value = self._data.get(name, default)
        if value is None:
            raise RuleFormatError(gettext_noop("“%(field)s” is missing."), field=self._at(name))
        if not isinstance(value, str):
            raise RuleFormatError(gettext_noop("“%(field)s” must be a text."), field=self._at(name))
        return value

    def text_or_none(self, name: str) -> str | None:
        return None if self._data.get(name) is None else self.text(name)

    def flag(self, name: str, default: bool) -> bool:
        value = self._data.get(name, default)
        if not isinstance(value, bool):
            raise RuleFormatError(gettext_noop("“%(field)s” must be true or false."), field=self._at(name))
        return value

    def number(self, name: str, default: int | None = None) -> int:
        value = self._data.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool):
            raise RuleFormatError(gettext_noop("“%(field)s” must be a whole number."), field=self._at(name))
        return value

    def number_or_none(self, name: str) -> int | None:
        return None if self._data.get(name) is None else self.number(name)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._sequence(name)
        if not all(isinstance(each, str) for each in value):
            raise RuleFormatError(gettext_noop("“%(field)s” must be a list of texts."), field=self._at(name))
        return tuple(value)

    def member(self, name: str, kind: type[Member], default: Member | None = None) -> Member:
        value = self._data.get(name, default.value if default else None)
        try:
            return kind(value)
        except ValueError as error:
            allowed = ", ".join(str(each.value) for each in kind)
            sentence = gettext_noop("“%(field)s” must be one of: %(allowed)s.")
            raise RuleFormatError(sentence, field=self._at(name), allowed=allowed) from error

    def moment(self, name: str) -> datetime | None:
        text = self.text_or_none(name)
        if text is None:
            return None
        try:
            moment = datetime.fromisoformat(text)
            if moment.tzinfo is not None:
                moment.astimezone(UTC)
        except (ValueError, OverflowError) as error:
            sentence = gettext_noop("“%(field)s” must be a date with time, such as 2027-01-31T18:00+01:00.")
            raise RuleFormatError(sentence, field=self._at(name)) from error
        if moment.tzinfo is None:
            raise RuleFormatError(gettext_noop("“%(field)s” must name its time zone."), field=self._at(name))
        return moment

    def day(self, name: str) -> date | None:
        text = self.text_or_none(name)
        try:
            return None if text is None else date.fromisoformat(text)
        except ValueError as error:
            sentence = gettext_noop("“%(field)s” must be a date, such as 2027-01-31.")
            raise RuleFormatError(sentence, field=self._at(name)) from error

    def items(self, name: str, make: Callable[[Any, str], Item]) -> tuple[Item, ...]:
        return tuple(
            make(each, f"{self._at(name)}[{place}]") for place, each in enumerate(self._sequence(name), start=1)
        )

    def item(self, name: str, make: Callable[[Any, str], Item]) -> Item | None:
        value = self._data.get(name)
        return None if value is None else make(value, self._at(name))

    def _at(self, name: str) -> str:
        return f"{self._place}.{name}" if self._place else name

    def _sequence(self, name: str) -> Sequence[Any]:
        value = self._data.get(name, [])
        if not isinstance(value, list | tuple):
            raise RuleFormatError(gettext_noop("“%(field)s” must be a list."), field=self._at(name))
        return value


def _phrase(data: Any, place: str) -> Phrase:
    read = _Reader(data, place, frozenset({"text", "fuzzy"}))
    return Phrase(read.text("text"), read.flag("fuzzy", True))


def _list(data: Any, place: str) -> TokenList:
    read = _Reader(data, place, frozenset({"slots", "need", "amount"}))
    return TokenList(read.items("slots", _slot), read.member("need", Need, Need.ALL), read.number_or_none("amount"))


def _slot(data: Any, place: str) -> Slot:
    read = _Reader(data, place, frozenset({"text", "mode"}))
    return Slot(read.text("text"), read.member("mode", WordMode, WordMode.FORM))


def _document(data: Any, place: str) -> LinkedDocument:
    names = frozenset({"uuid", "title", "scope", "first", "last", "path", "most_tokens"})
    read = _Reader(data, place, names)
    scope = Scope(
        read.member("scope", ScopeKind, ScopeKind.FULL),
        read.number_or_none("first"),
        read.number_or_none("last"),
        read.texts("path"),
    )
    return LinkedDocument(read.text("uuid"), read.text("title", ""), scope, read.number_or_none("most_tokens"))


def _answer(data: Any, place: str) -> CuratedAnswer:
    read = _Reader(data, place, frozenset({"text", "is_desk_text", "owner", "checked", "expires"}))
    return CuratedAnswer(
        read.text("text"),
        read.flag("is_desk_text", False),
        read.text("owner", ""),
        read.day("checked"),
        read.day("expires"),
    )


def _example(data: Any, place: str) -> Example:
    read = _Reader(data, place, frozenset({"question", "must_match", "stage"}))
    stage = read.member("stage", Stage) if read.text_or_none("stage") else None
    return Example(read.text("question"), read.flag("must_match", True), stage)
