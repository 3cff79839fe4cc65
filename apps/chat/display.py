"""Turns a stored turn into what the page shows: groups, sources, numbered links. Same for stream and reload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final
from urllib.parse import urlsplit

from django.urls import reverse
from django.utils import timezone

from apps.chat.shown import (
    ShownCitation,
    ShownClaim,
    ShownGroup,
    ShownLink,
    ShownNotice,
    ShownSaid,
    ShownSentence,
    ShownTurn,
)
from apps.chat.texts import FAILED, INTERRUPTED, OTHER_SOURCES, NoticeText, notice_text
from apps.chat.why import why_these
from apps.querylog.feedback import may_be_rated
from apps.querylog.models import Turn
from apps.rag.curated import DESK_ANSWER, READ_ON
from apps.rag.followups import OFFER
from apps.rag.types import NoticeKind

# Kinds of sources that go stale, and from how many months on a page says so.
_AGEING: Final = frozenset({"news", "opinion", "data", "explainer"})
_OLD_MONTHS: Final = 6


def source_address(uuid: str, version: int, start: int, end: int) -> str:
    """Return the public address of a passage; it survives re-chunking."""
    return reverse("documents:passage", args=[uuid, version, start, end]) + "#passage"


def shown_citation(record: dict[str, Any]) -> ShownCitation:
    source = record["source"]
    published = date.fromisoformat(source["published"]) if source["published"] else None
    return ShownCitation(
        number=record["number"],
        href=source_address(source["uuid"], source["version"], record["start"], record["end"]),
        title=source["title"],
        party=source["party_name"],
        party_slug=source["party_slug"],
        publisher=source["publisher"],
        author=source["author"],
        kind=source["kind"],
        published=published,
        page=record["page"],
        heading=" › ".join(record["heading_path"]),
        months_old=_months_old(source["kind"], published),
    )


def _months_old(kind: str, published: date | None) -> int:
    """Return the age of a source in months where it matters, else 0: a law or a programme holds until it is changed."""
    if kind not in _AGEING or published is None:
        return 0
    months = (timezone.localdate() - published).days // 30
    return months if months >= _OLD_MONTHS else 0


def shown_sentence(record: dict[str, Any], page_language: str, place: int = 0) -> ShownSentence:
    citations = tuple(shown_citation(citation) for citation in record["citations"])
    opinion = next((citation for citation in citations if citation.kind == "opinion"), None)
    language = record["language"]
    return ShownSentence(
        text=record["text"],
        citations=citations,
        lang=_other(language, page_language),
        is_opinion=opinion is not None,
        author=(opinion.author or opinion.publisher) if opinion else "",
        is_quote=record["is_quote"],
        place=place,
    )


def shown_groups(records: Sequence[dict[str, Any]], page_language: str) -> tuple[ShownGroup, ...]:
    """Put sentences under their speaker's name, in the order in which they came: nothing that was shown moves.

    The parties' order is the pipeline's affair (apps/rag/party_order.py).
    """
    groups: list[ShownGroup] = []
    before = ""
    for place, record in enumerate(records):
        sentence = shown_sentence(record, page_language, record.get("place", place))
        name = record["group"]
        if groups and name == before:
            groups[-1] = replace(groups[-1], sentences=(*groups[-1].sentences, sentence))
        else:
            slug = sentence.citations[0].party_slug if sentence.citations and name else ""
            # Who comes first and is no party needs no name.
            groups.append(ShownGroup(name or (str(OTHER_SOURCES) if groups else ""), slug, (sentence,)))
        before = name
    return tuple(groups)


def balanced(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the sentences with their places; where parties are compared, none of them stands below "more" only."""
    placed = [{**record, "place": place} for place, record in enumerate(records)]
    above = {record["group"] for record in placed if not record["is_more"]} - {""}
    if len(above) < 2:
        return placed
    for record in placed:
        if record["is_more"] and record["group"] and record["group"] not in above:
            above.add(record["group"])
            record["is_more"] = False
    return placed


def shown_link(record: dict[str, Any]) -> ShownLink:
    """Return a stored link; one that leads to no web page is shown without an address."""
    address = urlsplit(record["address"])
    href = record["address"] if address.scheme in ("http", "https") else ""
    site = (address.hostname or "").removeprefix("www.")
    return ShownLink(href, record["title"], record["teaser"], record["picture"], site)


def shown_claims(record: dict[str, Any], page_language: str) -> tuple[ShownClaim, ...]:
    """Return what the sources of a conflict say; none for other notices."""
    if record["kind"] != NoticeKind.CONFLICT:
        return ()
    return tuple(
        ShownClaim(text, shown_citation(citation), _other(citation["source"]["language"], page_language))
        for text, citation in zip(record["subjects"], record["nearest"], strict=False)
    )


def _other(language: str, page_language: str) -> str:
    return language if language != page_language else ""


def shown_notice(record: dict[str, Any], page_language: str = "") -> ShownNotice:
    claims = shown_claims(record, page_language)
    text = NoticeText(record["text"]) if record["text"] else notice_text(record["code"], record["subjects"])
    as_of = record.get("as_of", "")
    return ShownNotice(
        kind=record["kind"],
        text=text,
        choices=tuple(record["choices"]),
        nearest=() if claims else tuple(shown_citation(citation) for citation in record["nearest"]),
        links=tuple(shown_link(link) for link in record.get("links", [])),
        paragraphs=tuple(line.strip() for line in record["text"].splitlines() if line.strip()),
        signed=record.get("signed", ""),
        as_of=date.fromisoformat(as_of) if as_of else None,
        claims=claims,
    )


def _said(turn: Turn) -> ShownSaid | None:
    """Return what the reader has said, None where nothing can be said. A stream has read the rows before."""
    if turn.pk is None or not may_be_rated(turn):
        return None
    feedback, share = getattr(turn, "feedback", None), getattr(turn, "share", None)
    return ShownSaid(
        verdict=feedback.verdict if feedback else "",
        is_explained=bool(feedback and (feedback.reasons or feedback.comment)),
        places=frozenset(report.place for report in turn.sentence_reports.all()),
        share=share.key if share else "",
    )


def shown_turn(turn: Turn, page_language: str) -> ShownTurn:
    """Return what a page shows of a stored turn."""
    sentences = balanced([item for item in turn.shown if item["type"] == "sentence"])
    records = [item for item in turn.shown if item["type"] == "notice"]
    desk = [item for item in records if item["code"] == DESK_ANSWER]
    read_on = [item for item in records if item["code"] == READ_ON]
    offers = [item for item in records if item["code"] == OFFER]
    notices = [
        shown_notice(item, page_language) for item in records if item["code"] not in (DESK_ANSWER, READ_ON, OFFER)
    ]
    if turn.state == Turn.State.FAILED:
        notices.append(ShownNotice("failed", FAILED, (), ()))
    if turn.state == Turn.State.INTERRUPTED:
        notices.append(ShownNotice("interrupted", INTERRUPTED, (), ()))
    sources: dict[int, ShownCitation] = {}
    for record in sentences:
        for citation in record["citations"]:
            sources.setdefault(citation["number"], shown_citation(citation))
    return ShownTurn(
        turn=turn,
        groups=shown_groups([item for item in sentences if not item["is_more"]], page_language),
        more=shown_groups([item for item in sentences if item["is_more"]], page_language),
        notices=tuple(notices),
        sources=tuple(sources[number] for number in sorted(sources)),
        desk=tuple(shown_notice(item) for item in desk),
        read_on=tuple(shown_link(link) for item in read_on for link in item["links"]),
        offers=tuple(choice for item in offers for choice in item["choices"]),
        why=why_these(turn) if turn.is_over else (),
        said=_said(turn),
    )
