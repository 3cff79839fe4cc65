"""The rows below a rule: phrases, lists with their slots, documents, links, examples. Only what changed is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

from django.db.models import Model, OuterRef, Subquery
from django.db.models.functions import Coalesce

from apps.documents.models import CuratedLink, Document
from apps.rules.keys import phrase_keys, slot_key
from apps.rules.models import Example, RuleDocument, RuleLink, TokenList, TokenSlot, TriggerPhrase
from apps.rules.types import Role, RuleSpec

_BATCH: Final = 1_000
_LONGEST_LINK_TITLE: Final = 200
# Of a document that is still read for the first time, the version that it will have.
_NUMBER: Final = Coalesce("current_version__number", "pending_version__number")
_EMPTY: Final = RuleSpec(uid="")
_Make = Callable[[RuleSpec, int], Iterable[Model]]


def write(specs: Sequence[RuleSpec], old: Mapping[str, RuleSpec], pks: Mapping[str, int]) -> None:
    """Replace the rows of each group in which a rule differs from what was stored before."""
    _replace(TriggerPhrase, _changed(specs, old, "phrases"), pks, _phrases)
    _write_lists(_changed(specs, old, *(role.value for role in Role)), pks)
    _write_documents(_changed(specs, old, "documents"), pks)
    _write_links(_changed(specs, old, "links"), pks)
    _replace(Example, _changed(specs, old, "examples"), pks, _examples)


def document_titles(specs: Iterable[RuleSpec]) -> dict[str, str]:
    """Return what the linked documents without a title are called today, by uuid."""
    uuids = {linked.uuid for spec in specs for linked in spec.documents if not linked.title}
    if not uuids:
        return {}
    return {str(uuid): title for uuid, title in Document.objects.filter(uuid__in=uuids).values_list("uuid", "title")}


def documents_see(rules: Collection[int]) -> None:
    """Note that an editor has seen the documents of these rules as they are now."""
    documents = Document.objects.filter(pk=OuterRef("document")).values(number=_NUMBER)[:1]
    RuleDocument.objects.filter(rule__in=rules, document__isnull=False).update(seen_version=Subquery(documents))


def _changed(specs: Sequence[RuleSpec], old: Mapping[str, RuleSpec], *fields: str) -> list[RuleSpec]:
    return [
        spec
        for spec in specs
        if any(getattr(spec, field) != getattr(old.get(spec.uid, _EMPTY), field) for field in fields)
    ]


def _replace(model: type[Model], specs: Sequence[RuleSpec], pks: Mapping[str, int], make: _Make) -> None:
    if specs:
        model._default_manager.filter(rule__in=[pks[spec.uid] for spec in specs]).delete()
        fresh = [row for spec in specs for row in make(spec, pks[spec.uid])]
        model._default_manager.bulk_create(fresh, batch_size=_BATCH)


def _phrases(spec: RuleSpec, rule: int) -> Iterable[Model]:
    for order, phrase in enumerate(spec.phrases):
        keys = list(phrase_keys(phrase.text))
        yield TriggerPhrase(rule_id=rule, order=order, text=phrase.text, is_fuzzy=phrase.is_fuzzy, keys=keys)


def _examples(spec: RuleSpec, rule: int) -> Iterable[Model]:
    for order, example in enumerate(spec.examples):
        stage = example.stage.value if example.stage else ""
        yield Example(rule_id=rule, order=order, question=example.question, must_match=example.must_match, stage=stage)


def _write_lists(specs: Sequence[RuleSpec], pks: Mapping[str, int]) -> None:
    if not specs:
        return
    TokenList.objects.filter(rule__in=[pks[spec.uid] for spec in specs]).delete()
    lists = [
        (TokenList(rule_id=pks[spec.uid], role=role.value, need=tokens.need.value, amount=tokens.amount), tokens.slots)
        for spec in specs
        for role in Role
        if (tokens := getattr(spec, role.value)) is not None
    ]
    TokenList.objects.bulk_create([row for row, _ in lists], batch_size=_BATCH)
    TokenSlot.objects.bulk_create(
        [
            TokenSlot(list=row, order=order, text=slot.text, mode=slot.mode.value, key=slot_key(slot))
            for row, slots in lists
            for order, slot in enumerate(slots)
        ],
        batch_size=_BATCH,
    )


def _write_documents(specs: Sequence[RuleSpec], pks: Mapping[str, int]) -> None:
    if not specs:
        return
    rules = RuleDocument.objects.filter(rule__in=[pks[spec.uid] for spec in specs])
    seen = {(rule, uuid): number for rule, uuid, number in rules.values_list("rule", "document_uuid", "seen_version")}
    rules.delete()
    uuids = {linked.uuid for spec in specs for linked in spec.documents}
    documents = Document.objects.filter(uuid__in=uuids).values_list("uuid", "pk", _NUMBER)
    known = {uuid: (pk, number) for uuid, pk, number in documents}
    fresh = []
    for spec in specs:
        for order, linked in enumerate(spec.documents):
            uuid, scope = UUID(linked.uuid), linked.scope
            pk, number = known.get(uuid, (None, None))
            fresh.append(
                RuleDocument(
                    rule_id=pks[spec.uid],
                    document_id=pk,
                    document_uuid=uuid,
                    document_title=linked.title,
                    seen_version=seen.get((pks[spec.uid], uuid), number),
                    order=order,
                    scope=scope.kind.value,
                    first=scope.first,
                    last=scope.last,
                    path=list(scope.path),
                    most_tokens=linked.most_tokens,
                )
            )
    RuleDocument.objects.bulk_create(fresh, batch_size=_BATCH)


def _write_links(specs: Sequence[RuleSpec], pks: Mapping[str, int]) -> None:
    if not specs:
        return
    RuleLink.objects.filter(rule__in=[pks[spec.uid] for spec in specs]).delete()
    addresses = {address for spec in specs for address in spec.links}
    # A link that the desk deleted comes back with its address for a title, which the checks ask to be replaced.
    missing = sorted(addresses - set(CuratedLink.objects.by_address(addresses)))
    CuratedLink.objects.bulk_create(
        [CuratedLink(address=address, title=address[:_LONGEST_LINK_TITLE]) for address in missing],
        batch_size=_BATCH,
        ignore_conflicts=True,
    )
    known = {address: link.pk for address, link in CuratedLink.objects.by_address(addresses).items()}
    RuleLink.objects.bulk_create(
        [
            RuleLink(rule_id=pks[spec.uid], link_id=link, order=order)
            for spec in specs
            # Two addresses of one link, an old and a new one, are one link.
            for order, link in enumerate(dict.fromkeys(known[address] for address in spec.links))
        ],
        batch_size=_BATCH,
    )
