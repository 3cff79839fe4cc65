"""Turns a stored turn into what the page shows: groups, sources, numbered links. Same for stream and reload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from django.urls import reverse

from apps.chat.texts import FAILED, INTERRUPTED, OTHER_SOURCES, NoticeText, notice_text
from apps.querylog.models import Turn
from apps.rag.curated import DESK_ANSWER, READ_ON
from apps.rag.followups import OFFER
from apps.rag.types import NoticeKind


@dataclass(frozen=True, slots=True)
class ShownCitation:
    """A numbered link to the exact place."""

    number: int
    href: str
    title: str
    party: str
    party_slug: str
    publisher: str
    author: str
    kind: str
    published: date | None
    page: int | None
    heading: str


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """One sentence with its links. ``lang`` is set where it differs from the page's."""

    text: str
    citations: tuple[ShownCitation, ...]
    lang: str
    is_opinion: bool
    author: str


@dataclass(frozen=True, slots=True)
class ShownGroup:
    """Sentences of one speaker; ``name`` is empty where nobody needs to be named."""

    name: str
    slug: str
    sentences: tuple[ShownSentence, ...]


@dataclass(frozen=True, slots=True)
class ShownLink:
    """An article that the desk recommends; ``site`` is the name of its host."""

    href: str
    title: str
    teaser: str
    picture: str
    site: str


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """What one of several sources that differ says, word for word. ``lang`` is set where it differs from the page's."""

    text: str
    source: ShownCitation
    lang: str


@dataclass(frozen=True, slots=True)
class ShownNotice:
    """A notice in words, with documents to look at and articles to read on.

    The desk's own text comes in ``paragraphs``, ``signed`` and with its date. ``claims`` of sources that differ have
    the newer one first.
    """

    kind: str
    text: NoticeText
    choices: tuple[str, ...]
    nearest: tuple[ShownCitation, ...]
    links: tuple[ShownLink, ...] = ()
    paragraphs: tuple[str, ...] = ()
    signed: str = ""
    as_of: date | None = None
    claims: tuple[ShownClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """Everything a page shows of a turn. ``desk`` stands above the sentences, ``read_on`` below the sources.

    ``offers`` are questions to go on with.
    """

    turn: Turn
    groups: tuple[ShownGroup, ...]
    more: tuple[ShownGroup, ...]
    notices: tuple[ShownNotice, ...]
    sources: tuple[ShownCitation, ...]
    desk: tuple[ShownNotice, ...] = ()
    read_on: tuple[ShownLink, ...] = ()
    offers: tuple[str, ...] = ()

    @property
    def has_other_language(self) -> bool:
        return any(sentence.lang for group in (*self.groups, *self.more) for sentence in group.sentences)


def source_address(uuid: str, version: int, start: int, end: int) -> str:
    """Return the public address of a passage; it survives re-chunking."""
    return reverse("documents:passage", args=[uuid, version, start, end]) + "#passage"


def shown_citation(record: dict[str, Any]) -> ShownCitation:
    source = record["source"]
    return ShownCitation(
        number=record["number"],
        href=source_address(source["uuid"], source["version"], record["start"], record["end"]),
        title=source["title"],
        party=source["party_name"],
        party_slug=source["party_slug"],
        publisher=source["publisher"],
        author=source["author"],
        kind=source["kind"],
        published=date.fromisoformat(source["published"]) if source["published"] else None,
        page=record["page"],
        heading=" › ".join(record["heading_path"]),
    )


def shown_sentence(record: dict[str, Any], page_language: str) -> ShownSentence:
    citations = tuple(shown_citation(citation) for citation in record["citations"])
    opinion = next((citation for citation in citations if citation.kind == "opinion"), None)
    language = record["language"]
    return ShownSentence(
        text=record["text"],
        citations=citations,
        lang=_other(language, page_language),
        is_opinion=opinion is not None,
        author=opinion.author if opinion else "",
    )


def shown_groups(records: Sequence[dict[str, Any]], page_language: str) -> tuple[ShownGroup, ...]:
    """Gather the sentences of each speaker where it speaks first; those that need no name stay where they are."""
    groups: list[ShownGroup] = []
    for record in records:
        sentence = shown_sentence(record, page_language)
        name = record["group"]
        known = next((at for at, group in enumerate(groups) if name and group.name == name), None)
        if known is None and groups and not name and not groups[-1].name:
            known = len(groups) - 1
        if known is not None:
            groups[known] = replace(groups[known], sentences=(*groups[known].sentences, sentence))
        else:
            slug = sentence.citations[0].party_slug if sentence.citations and name else ""
            groups.append(ShownGroup(name, slug, (sentence,)))
    if not any(group.name for group in groups):
        return tuple(groups)
    return tuple(group if group.name else replace(group, name=str(OTHER_SOURCES)) for group in groups)


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


def shown_turn(turn: Turn, page_language: str) -> ShownTurn:
    """Return what a page shows of a stored turn."""
    sentences = [item for item in turn.shown if item["type"] == "sentence"]
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
    )
