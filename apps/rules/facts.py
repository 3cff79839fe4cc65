"""What the checks must know of the world, gathered in a constant number of queries."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Q
from django.db.models.functions import Length
from django.utils import timezone

from apps.core import ports
from apps.documents.models import CuratedLink, Document, Word
from apps.language.tokenising import tokenise
from apps.rules.checking.types import DocumentFact, DocumentState, Facts, Handover, LinkFact, Question
from apps.rules.keys import slot_alternatives
from apps.rules.models import Rule, RuleDocument
from apps.rules.passages import CutBy, ScopedChunk, readable, share_out
from apps.rules.types import LinkedDocument, Role, RuleSet, RuleSpec, Status, WordMode

# So many recent questions tell whether a rule is too broad.
RECENT_QUESTIONS: Final = 500
WORDS_SHOWN: Final = 8
_ENDINGS: Final = (WordMode.STARTS, WordMode.ENDS)


def gather_facts(rule_set: RuleSet, *, with_endings: bool = False) -> Facts:
    """Return what there is to know about the rules of a set.

    ``with_endings`` looks up the words that beginnings and endings meet: for one rule at a time, a query for each.
    """
    now = timezone.now()
    rules = rule_set.rules
    linked = [each for rule in rules for each in rule.documents]
    questions = _questions()
    return Facts(
        now=now,
        today=timezone.localdate(now),
        documents=_documents({each.uuid for each in linked}, timezone.localdate(now)),
        handovers=_handovers(rules, linked, rule_set.token_budget),
        links=_links({address for rule in rules for address in rule.links}),
        asleep=_asleep({rule.parent for rule in rules if rule.parent} - {rule.uid for rule in rules}),
        seen=_seen({rule.uid for rule in rules if rule.documents}),
        owners=_owners({rule.owner for rule in rules if rule.owner}),
        builder_choices=ports.builder_choices(),
        questions=questions,
        endings=_endings(rules, questions) if with_endings else {},
        broad_share=settings.RULE_BROAD_SHARE,
    )


def _documents(uuids: Collection[str], today: date) -> dict[str, DocumentFact]:
    if not uuids:
        return {}
    rows = Document.objects.filter(uuid__in=uuids).values(
        "uuid",
        "title",
        "status",
        "collection__visibility",
        "current_version__number",
        "current_version__needs_review",
        "valid_from",
        "valid_until",
    )
    return {
        str(row["uuid"]): DocumentFact(row["title"], _state(row, today), row["current_version__number"] or 0)
        for row in rows
    }


_WITHOUT_VERSION: Final = {
    Document.Status.REJECTED: DocumentState.REJECTED,
    Document.Status.REVIEW: DocumentState.NOT_READY,
}


def _state(row: Mapping[str, Any], today: date) -> DocumentState:
    """What stands in a reader's way first; a document that is read anew is quoted in the version before."""
    if row["current_version__number"] is None:
        return _WITHOUT_VERSION.get(row["status"], DocumentState.BEING_READ)
    if row["current_version__needs_review"]:
        return DocumentState.NOT_READY
    if row["collection__visibility"] != "public":
        return DocumentState.DESK_ONLY
    if row["valid_until"] and row["valid_until"] < today:
        return DocumentState.EXPIRED
    if row["valid_from"] and row["valid_from"] > today:
        return DocumentState.FUTURE
    return DocumentState.READY


def _handovers(
    rules: Iterable[RuleSpec], linked: Collection[LinkedDocument], budget: int
) -> dict[str, tuple[Handover, ...]]:
    chunks = readable(linked)
    return {rule.uid: _shared(rule, chunks, budget) for rule in rules if rule.documents}


def _shared(rule: RuleSpec, chunks: dict[str, list[ScopedChunk]], budget: int) -> tuple[Handover, ...]:
    return tuple(
        Handover(
            passages=len(each.chunks) + each.left_out,
            tokens=each.tokens + each.tokens_left_out,
            left_out=each.left_out if each.cut_by is CutBy.BUDGET else 0,
            of=len(chunks.get(each.linked.uuid, ())),
        )
        for each in share_out(rule.documents, chunks, budget)
    )


def _links(addresses: Collection[str]) -> dict[str, LinkFact]:
    return {
        address: LinkFact(link.title, getattr(link, "state", "") == "dead", link.valid_until)
        for address, link in CuratedLink.objects.by_address(addresses).items()
    }


def _asleep(uids: Collection[str]) -> dict[str, tuple[str, Status]]:
    if not uids:
        return {}
    rows = Rule.objects.filter(uid__in=uids).values_list("uid", "title", "status")
    return {uid: (title, Status(status)) for uid, title, status in rows}


def _seen(uids: Collection[str]) -> dict[tuple[str, str], int]:
    if not uids:
        return {}
    rows = RuleDocument.objects.filter(rule__uid__in=uids).values_list("rule__uid", "document_uuid", "seen_version")
    return {(uid, str(uuid)): number for uid, uuid, number in rows if number is not None}


def _owners(names: Collection[str]) -> frozenset[str]:
    if not names:
        return frozenset()
    user_model = get_user_model()
    found = user_model._default_manager.filter(**{f"{user_model.USERNAME_FIELD}__in": names})
    return frozenset(user.get_username() for user in found)


def _questions() -> tuple[Question, ...]:
    return tuple(
        Question(past.text, past.language, frozenset(past.builder_choices))
        for past in ports.past_questions(RECENT_QUESTIONS, None)
    )


def _endings(rules: Iterable[RuleSpec], questions: Iterable[Question]) -> dict[tuple[WordMode, str], tuple[str, ...]]:
    """Words of the collection and of recent questions that beginnings and endings meet, the shortest first."""
    wanted = {
        (slot.mode, part)
        for rule in rules
        for role in Role
        for slot in (getattr(rule, role.value).slots if getattr(rule, role.value) else ())
        if slot.mode in _ENDINGS
        for alternative in slot_alternatives(slot.text)
        for part in [alternative.split()[-1 if slot.mode is WordMode.STARTS else 0]]
    }
    asked = {token.folded for question in questions for token in tokenise(question.text)} if wanted else set()
    return {(mode, part): _meeting(mode, part, asked) for mode, part in sorted(wanted)}


def _meeting(mode: WordMode, part: str, asked: Collection[str]) -> tuple[str, ...]:
    limit = Q(text__startswith=part) if mode is WordMode.STARTS else Q(text__endswith=part)
    known = (
        Word.objects.filter(limit).exclude(text=part).order_by(Length("text"), "text").values_list("text", flat=True)
    )
    found = set(known[:WORDS_SHOWN]) | {
        word
        for word in asked
        if word != part and (word.startswith(part) if mode is WordMode.STARTS else word.endswith(part))
    }
    return tuple(sorted(found, key=lambda word: (len(word), word))[:WORDS_SHOWN])
