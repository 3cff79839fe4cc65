"""What the editors have laid out for a question: the documents of rules as passages, and links to read on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.documents.models import CuratedLink
from apps.documents.search.retriever import run_search
from apps.documents.search.scoring import score_chunks
from apps.rag.desk import AskedLinks, DeskDocument, DeskLink, DocumentCut, Handover, RuleMatch, rule_reason
from apps.rag.protocols import Vectors
from apps.rag.types import SearchQuery
from apps.rules.passages import DocumentHandover, hand_over
from apps.rules.types import LinkedDocument, Scope, ScopeKind


class RuleShelf:
    """Implements ``rag.protocols.DeskShelf`` over documents and rules."""

    async def hand_over(self, match: RuleMatch, query: SearchQuery, vector: Vectors | None) -> Handover:
        """Return the passages of the match's documents, on a search thread."""
        return await run_search(lambda: rule_passages(match, query, vector))

    async def links(self, asked: AskedLinks) -> Sequence[DeskLink]:
        """Return the links that may be shown, on a search thread."""
        return await run_search(lambda: desk_links(asked))


def rule_passages(match: RuleMatch, query: SearchQuery, vector: Vectors | None) -> Handover:
    """Return what the documents of all hits hand over, hit after hit, in the editors' order, within one budget.

    The filters of ``query`` hold. Each passage names the rule that brought it; what was left out is in ``cuts``.
    """
    pairs = [(hit.uid, document) for hit in match.hits for document in hit.documents]
    handed = hand_over([_linked(document) for _, document in pairs], match.token_budget, query.filters)
    reasons = {
        chunk.pk: rule_reason(uid)
        for (uid, _), handover in zip(pairs, handed, strict=True)
        for chunk in handover.chunks
    }
    passages = score_chunks(query, vector, list(reasons)) if reasons else []
    return Handover(
        tuple(replace(passage, reason=reasons[passage.chunk_id]) for passage in passages),
        tuple(
            _cut(uid, handover) for (uid, _), handover in zip(pairs, handed, strict=True) if handover.cut_by is not None
        ),
    )


def desk_links(asked: AskedLinks) -> list[DeskLink]:
    """Return the links of a rule in its order, then those of the parties; only what readers may be shown."""
    links = CuratedLink.objects.shown(asked.on)
    by_address = links.by_address(asked.addresses)
    chosen = [by_address[address] for address in asked.addresses if address in by_address]
    if asked.party_slugs:
        chosen += links.of_parties(asked.party_slugs, most=asked.per_party)
    unique = {link.address: link for link in chosen}
    return [DeskLink(link.address, link.title, link.teaser, link.picture_address) for link in unique.values()]


def _linked(document: DeskDocument) -> LinkedDocument:
    scope = Scope(ScopeKind(document.scope), document.first, document.last, document.path)
    return LinkedDocument(document.uuid, document.title, scope, document.most_tokens)


def _cut(uid: str, handover: DocumentHandover) -> DocumentCut:
    return DocumentCut(
        uuid=handover.linked.uuid,
        title=handover.linked.title,
        rule_uid=uid,
        kept=len(handover.chunks),
        left_out=handover.left_out,
        tokens_left_out=handover.tokens_left_out,
        cut_by=handover.cut_by.value if handover.cut_by else "",
    )
