"""Turns a stored turn into what the page shows: groups, sources, numbered links. Same for stream and reload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.urls import reverse

from apps.chat.texts import FAILED, INTERRUPTED, NoticeText, notice_text
from apps.querylog.models import Turn


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
class ShownNotice:
    """A notice in words, with documents to look at."""

    kind: str
    text: NoticeText
    choices: tuple[str, ...]
    nearest: tuple[ShownCitation, ...]


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """Everything a page shows of a turn."""

    turn: Turn
    groups: tuple[ShownGroup, ...]
    more: tuple[ShownGroup, ...]
    notices: tuple[ShownNotice, ...]
    sources: tuple[ShownCitation, ...]

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
        lang=language if language != page_language else "",
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
    return tuple(groups)


def shown_notice(record: dict[str, Any]) -> ShownNotice:
    text = NoticeText(record["text"]) if record["text"] else notice_text(record["code"], record["subjects"])
    nearest = tuple(shown_citation(citation) for citation in record["nearest"])
    return ShownNotice(record["kind"], text, tuple(record["choices"]), nearest)


def shown_turn(turn: Turn, page_language: str) -> ShownTurn:
    """Return what a page shows of a stored turn."""
    sentences = [item for item in turn.shown if item["type"] == "sentence"]
    notices = [shown_notice(item) for item in turn.shown if item["type"] == "notice"]
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
    )
