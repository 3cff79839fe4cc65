"""From the form to the rule that it says, and from a rule to the form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils.text import slugify

from apps.documents.models import CuratedLink, Document
from apps.language.normalising import fold
from apps.rules.forms.rows import is_uuid
from apps.rules.forms.rule import LISTS, RuleForm
from apps.rules.forms.writing import path_read, path_text, phrases_read, phrases_text, slots_read, slots_text
from apps.rules.models import Rule
from apps.rules.types import (
    DEFAULT_FILL,
    DEFAULT_PRIORITY,
    CuratedAnswer,
    Example,
    Extra,
    HitPolicy,
    LinkedDocument,
    Need,
    RuleSpec,
    Scope,
    ScopeKind,
    Stage,
    Status,
    TokenList,
)

# What a rule that was never saved is called while it is tried.
UNSAVED_UID = "new-rule-not-saved"
_HALF = 50
_USUAL = {"priority": DEFAULT_PRIORITY, "fill_up_to": DEFAULT_FILL}
_SIMPLE = ("title", "priority", "languages", "builder_choices", "fill_up_to", "threshold", "tags", "reason")


def spec_from(form: RuleForm) -> RuleSpec:
    """Return the rule that a form says. Call after ``is_valid()``; what cannot be read stays as it was stored."""
    base = form.base or RuleSpec(uid=UNSAVED_UID)
    given = form.cleaned_data
    told = {name: given[name] for name in _SIMPLE if name in given}
    # An emptied number is the usual one.
    told |= {name: usual for name, usual in _USUAL.items() if name in told and told[name] is None}
    if "status" in given:
        told["status"] = Status(given["status"])
    if "extra" in given:
        told["extra"] = Extra(given["extra"])
    if "hit_policy" in given:
        told["hit_policy"] = HitPolicy(given["hit_policy"])
    if "phrases" in given:
        told["phrases"] = phrases_read(given["phrases"])
    if "parent" in given and "parent_title" not in form.errors:
        told["parent"] = given["parent"] or None
    if "audiences" in given:
        told["audiences"] = tuple(given["audiences"])
    if "owner" in given:
        told["owner"] = given["owner"].get_username() if given["owner"] else ""
    for name in ("valid_from", "valid_until"):
        if name in given:
            told[name] = _moment(given[name], getattr(base, name))
    for name in LISTS:
        told[name] = _token_list(form, name, getattr(base, name))
    return replace(
        base,
        **told,
        uid=base.uid if base.version else given.get("uid") or base.uid,
        documents=tuple(
            _linked(row, base) for row in form.documents.rows() if row.get("title") and is_uuid(row["key"])
        ),
        links=tuple(dict.fromkeys(row["key"] for row in form.links.rows() if row.get("title") and row["key"])),
        examples=tuple(_example(row) for row in form.examples.rows() if row.get("question")),
        answer=_answer(form, base.answer),
    )


def named(spec: RuleSpec) -> RuleSpec:
    """Return a rule with a short name of its own: made of the title, numbered where that is taken."""
    if spec.uid != UNSAVED_UID:
        return spec
    stem = slugify(fold(spec.title))[:70].strip("-_") or "rule"
    taken = set(Rule.objects.filter(uid__startswith=stem).values_list("uid", flat=True))
    numbers = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return replace(spec, uid=stem if stem not in taken else next(uid for uid in numbers if uid not in taken))


def _moment(moment: datetime | None, stored: datetime | None) -> datetime | None:
    """The field shows seconds: a stored moment that looks the same is the same."""
    return stored if moment and stored and moment == stored.replace(microsecond=0) else moment


def _token_list(form: RuleForm, name: str, stored: TokenList | None) -> TokenList | None:
    given = form.cleaned_data
    if f"{name}_slots" not in given or f"{name}_amount" not in given:
        return stored
    slots = slots_read(given[f"{name}_slots"])
    need = given.get(f"{name}_need") or "all"
    if not slots:
        return None
    if need == "half":
        return TokenList(slots, Need.PERCENT, _HALF)
    amount = given[f"{name}_amount"] if need in ("count", "percent") else None
    if need in ("count", "percent") and amount is None:
        return replace(stored, slots=slots) if stored else TokenList(slots)
    return TokenList(slots, Need(need), amount)


def _linked(row: dict[str, Any], base: RuleSpec) -> LinkedDocument:
    kind = ScopeKind(row.get("scope") or "full")
    first, last = row.get("first"), row.get("last")
    if kind is ScopeKind.RANGE and first and last and first <= last:
        scope = Scope(kind, first, last)
    elif kind is ScopeKind.FIRST and last:
        scope = Scope(kind, None, last)
    elif kind is ScopeKind.SECTION and row.get("section"):
        scope = Scope(kind, path=_path(row["section"], base))
    else:
        scope = Scope()
    return LinkedDocument(row["key"], row["title"], scope, row.get("most_tokens"))


def _path(text: str, base: RuleSpec) -> tuple[str, ...]:
    """A stored path whose headings hold the sign between headings stays as it is stored."""
    same = (linked.scope.path for linked in base.documents if path_text(linked.scope.path) == text)
    return next(same, path_read(text))


def _answer(form: RuleForm, stored: CuratedAnswer | None) -> CuratedAnswer | None:
    given = form.cleaned_data
    if "answer_text" not in given:
        return stored
    if not given["answer_text"]:
        return None
    return CuratedAnswer(
        given["answer_text"],
        given["answer_is_desk_text"],
        given.get("answer_owner", ""),
        given.get("answer_checked"),
        given.get("answer_expires"),
    )


def _example(row: dict[str, Any]) -> Example:
    stage = row.get("stage") or None
    return Example(row["question"], row.get("must_match") != "no", Stage(stage) if stage else None)


def initial_from(spec: RuleSpec) -> dict[str, Any]:
    """Return ``initial`` and ``rows`` for the form that says this rule. At most three queries."""
    fields: dict[str, Any] = {name: getattr(spec, name) for name in ("version", "title", "uid", "priority", "reason")}
    fields |= {name: getattr(spec, name) for name in ("fill_up_to", "threshold", "valid_from", "valid_until", "owner")}
    fields |= {name: getattr(spec, name).value for name in ("status", "extra", "hit_policy")}
    fields |= {name: ", ".join(getattr(spec, name)) for name in ("languages", "builder_choices", "tags")}
    fields |= {"audiences": list(spec.audiences), "phrases": phrases_text(spec.phrases), "parent": spec.parent or ""}
    fields["parent_title"] = _title_of(spec.parent)
    for name in LISTS:
        fields |= _list_fields(name, getattr(spec, name))
    if spec.answer:
        answer = spec.answer
        fields |= {"answer_text": answer.text, "answer_is_desk_text": answer.is_desk_text}
        fields |= {"answer_owner": answer.owner, "answer_checked": answer.checked, "answer_expires": answer.expires}
    rows = {
        "documents": _document_rows(spec.documents),
        "links": _link_rows(spec.links),
        "examples": [
            {
                "question": each.question,
                "must_match": "yes" if each.must_match else "no",
                "stage": each.stage.value if each.stage else "",
            }
            for each in spec.examples
        ],
    }
    return {"initial": fields, "rows": {name: _numbered(found) for name, found in rows.items()}}


def _title_of(uid: str | None) -> str:
    return (Rule.objects.filter(uid=uid).values_list("title", flat=True).first() or uid) if uid else ""


def _list_fields(name: str, tokens: TokenList | None) -> dict[str, Any]:
    if tokens is None:
        return {}
    is_half = tokens.need is Need.PERCENT and tokens.amount == _HALF
    return {
        f"{name}_need": "half" if is_half else tokens.need.value,
        f"{name}_amount": None if is_half else tokens.amount,
        f"{name}_slots": slots_text(tokens.slots),
    }


def _document_rows(documents: Iterable[LinkedDocument]) -> list[dict[str, Any]]:
    wanted = [linked.uuid for linked in documents if is_uuid(linked.uuid)]
    titles = dict(Document.objects.filter(uuid__in=wanted).values_list("uuid", "title")) if wanted else {}
    now = {str(uuid): title for uuid, title in titles.items()}
    return [
        {
            "key": linked.uuid,
            "title": now.get(linked.uuid, linked.title),
            "scope": linked.scope.kind.value,
            "first": linked.scope.first,
            "last": linked.scope.last,
            "section": path_text(linked.scope.path),
            "most_tokens": linked.most_tokens,
        }
        for linked in documents
    ]


def _link_rows(addresses: Iterable[str]) -> list[dict[str, Any]]:
    wanted = list(addresses)
    known = CuratedLink.objects.by_address(wanted)
    return [{"key": address, "title": known[address].title if address in known else address} for address in wanted]


def _numbered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "ORDER": number} for number, row in enumerate(rows, 1)]
