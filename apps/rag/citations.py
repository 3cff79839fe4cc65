"""The gate: a sentence is shown only when code has found it in the passage it cites. Also numbers the sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from apps.rag.events import Sentence
from apps.rag.extracting import Draft, QuotedSpan
from apps.rag.quantities import Quantity, said_quantities, stated_quantities
from apps.rag.types import Citation, Passage, Source

# Passages that are kept as read: many sentences cite the same ones.
_TEXTS_KEPT: Final = 2_000


class Fault(StrEnum):
    """Why a sentence did not pass."""

    UNCITED = "uncited"
    UNKNOWN_PASSAGE = "unknown_passage"
    OUTSIDE_PASSAGE = "outside_passage"
    ALTERED_QUOTE = "altered_quote"
    UNSUPPORTED_FIGURE = "unsupported_figure"
    WRONG_PARTY = "wrong_party"
    UNATTRIBUTED_OPINION = "unattributed_opinion"
    # Only what a model writes can have these.
    BROKEN_MARKER = "broken_marker"
    UNSUPPORTED_NAME = "unsupported_name"
    OWN_VOICE = "own_voice"
    ADVICE = "advice"
    MARKUP = "markup"
    ORDER = "order"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"


class Gate:
    """Checks the sentences of one turn and gives each source one number, from 1 in the order of first use."""

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._passages = {passage.chunk_id: passage for passage in passages}
        self._numbers: dict[tuple[str, int], int] = {}

    def admit(self, draft: Draft, *, names_opinion: bool = False) -> Sentence | Fault:
        """Return the sentence with its citations, or the first fault found. A fault uses up no number.

        ``names_opinion`` says that the caller has found an opinion marked as a quotation and named in the sentence.
        """
        fault = self._span_fault(draft) or self._content_fault(draft, names_opinion=names_opinion)
        if fault:
            return fault
        return Sentence(
            text=draft.text,
            citations=tuple(self._citation(span) for span in draft.spans),
            group=draft.group,
            is_quote=draft.is_quote,
            is_more=draft.is_more,
            language=draft.language,
        )

    def _span_fault(self, draft: Draft) -> Fault | None:
        if not draft.spans:
            return Fault.UNCITED
        for span in draft.spans:
            passage = self._passages.get(span.chunk_id)
            if passage is None:
                return Fault.UNKNOWN_PASSAGE
            if not passage.start <= span.start < span.end <= passage.end:
                return Fault.OUTSIDE_PASSAGE
        return None

    def _content_fault(self, draft: Draft, *, names_opinion: bool) -> Fault | None:
        passages = [self._passages[span.chunk_id] for span in draft.spans]
        if draft.is_quote and any(self._quote(span) != draft.text for span in draft.spans):
            return Fault.ALTERED_QUOTE
        if not draft.is_quote and not said_quantities(draft.text, draft.language) <= _stated(passages):
            return Fault.UNSUPPORTED_FIGURE
        if any(passage.source.party_name != draft.group for passage in passages):
            return Fault.WRONG_PARTY
        if any(not _may_be_quoted(passage.source, is_quote=draft.is_quote or names_opinion) for passage in passages):
            return Fault.UNATTRIBUTED_OPINION
        return None

    def _quote(self, span: QuotedSpan) -> str:
        passage = self._passages[span.chunk_id]
        return passage.text[span.start - passage.start : span.end - passage.start]

    def _citation(self, span: QuotedSpan) -> Citation:
        passage = self._passages[span.chunk_id]
        source = passage.source
        return Citation(
            number=self._numbers.setdefault((source.uuid, source.version), len(self._numbers) + 1),
            chunk_id=span.chunk_id,
            source=source,
            start=span.start,
            end=span.end,
            quote=self._quote(span),
            page=passage.page_from if passage.page_from == passage.page_to else None,
            heading_path=passage.heading_path,
            context=span.context,
        )


def _stated(passages: Sequence[Passage]) -> frozenset[Quantity]:
    """Every figure of the passages, the date of publication and what stands in titles and headings."""
    found: frozenset[Quantity] = frozenset()
    for passage in passages:
        source = passage.source
        published = source.published.isoformat() if source.published else ""
        text = "\n".join((passage.text, passage.context, *passage.heading_path, source.title, published))
        found |= _quantities(text, source.language)
    return found


@lru_cache(maxsize=_TEXTS_KEPT)
def _quantities(text: str, language: str) -> frozenset[Quantity]:
    return stated_quantities(text, language)


def _may_be_quoted(source: Source, *, is_quote: bool) -> bool:
    """Opinion is shown only word for word and under somebody's name."""
    return source.kind != "opinion" or (is_quote and bool(source.author or source.publisher))
