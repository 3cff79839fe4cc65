"""One stored turn as the log's page shows it: stage by stage, with what may be read by whom kept apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.answering.trace_words import REFERENCE, gist_of_writing, notice_word, reason_word, signal_words, stage_word
from apps.documents.models import Chunk, Document
from apps.querylog.models import Turn
from apps.querylog.rule_words import rule_words
from apps.querylog.time_words import time_words

_BEGINNING: Final = 220
# In the order in which they happen; what is not named here follows.
_STAGES: Final = ("match", "rewrite", "route", "understand", "retrieve", "judge", "requery", "write", "verify")


@dataclass(frozen=True, slots=True)
class TracedPassage:
    """A passage that was read, with what made its place. Scores are None where that search did not find it."""

    rank: int
    title: str
    href: str
    beginning: str
    language: str
    cosine: float | None
    cosine_rank: int | None
    bm25: float | None
    bm25_rank: int | None
    fused: float
    reranked: float
    reason: str
    is_cited: bool


@dataclass(frozen=True, slots=True)
class TracedCitation:
    """A numbered link to the place of a sentence."""

    number: int
    title: str
    href: str


@dataclass(frozen=True, slots=True)
class TracedSentence:
    """A sentence that was shown, why it could be, and where it stands."""

    text: str
    language: str
    group: str
    verdict: str
    is_more: bool
    citations: tuple[TracedCitation, ...]


@dataclass(frozen=True, slots=True)
class TracedNotice:
    """Anything else that was shown; ``says`` is empty where only a code is known."""

    kind: str
    says: str
    subjects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TracedStage:
    """How long a stage took: milliseconds, and that in hundredths of the longest for its bar."""

    name: str
    milliseconds: float
    share: int


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything the page shows. Without ``with_words`` nothing in it holds a word of the reader or of the answer."""

    turn: Turn
    with_words: bool
    reason: str
    references: tuple[str, ...]
    choices: tuple[str, ...]
    sub_queries: tuple[str, ...]
    turns_used: tuple[int, ...]
    understood: tuple[Mapping[str, Any], ...]
    rule: tuple[str, ...]
    passages: tuple[TracedPassage, ...]
    signals: tuple[str, ...]
    sentences: tuple[TracedSentence, ...]
    notices: tuple[TracedNotice, ...]
    stages: tuple[TracedStage, ...]
    total: float
    writing: tuple[str, ...]
    versions: tuple[tuple[str, str], ...]


def trace_of(turn: Turn, *, with_words: bool) -> Trace:
    """Return a turn's trace. Two queries at most, however long it is."""
    kept = turn.rewriting
    stages = tuple(_stages(turn.timings))
    written = turn.versions.get("writing", {})
    return Trace(
        turn=turn,
        with_words=with_words,
        reason=reason_word(kept.get("reason", ""), with_words=with_words),
        references=tuple(str(REFERENCE) % each for each in kept.get("references", [])) if with_words else (),
        choices=tuple(kept.get("choices", [])) if with_words else (),
        sub_queries=tuple(kept.get("sub_queries", [])) if with_words else (),
        turns_used=tuple(kept.get("turns_used", [])),
        understood=tuple(_understood(turn, with_words=with_words)),
        rule=tuple(rule_words(turn.rule, turn.versions.get("release", 0), with_words=with_words)),
        passages=tuple(_passages(turn)),
        signals=tuple(signal_words(turn.signals, with_words=with_words)),
        sentences=tuple(_sentences(turn.shown, is_written=bool(written))) if with_words else (),
        notices=tuple(_notices(turn.shown, with_words=with_words)),
        stages=stages,
        total=round(sum(stage.milliseconds for stage in stages), 1),
        writing=tuple(gist_of_writing(written)),
        versions=tuple((name, str(value)) for name, value in turn.versions.items() if name != "writing"),
    )


def _understood(turn: Turn, *, with_words: bool) -> Iterator[dict[str, Any]]:
    """What was read out of each query, its times in words."""
    for record in turn.understood:
        times = [time_words(each, with_words=with_words) for each in record.get("times", ())]
        yield {**record, "times": times}


def _passages(turn: Turn) -> Iterator[TracedPassage]:
    kept: Sequence[Mapping[str, Any]] = turn.passages
    titles = {str(uuid): title for uuid, title in _titles({passage["uuid"] for passage in kept})}
    chunks = Chunk.objects.filter(pk__in=[passage["chunk"] for passage in kept])
    texts = {pk: (text, language) for pk, text, language in chunks.values_list("pk", "text", "language")}
    cited = [
        (each["source"]["uuid"], each["start"], each["end"])
        for item in turn.shown
        for each in item.get("citations", ())
    ]
    for rank, passage in enumerate(kept, 1):
        scores: Mapping[str, Any] = passage["scores"]
        text, language = texts.get(passage["chunk"], ("", ""))
        place = (passage["uuid"], passage["version"], passage["start"], passage["end"])
        yield TracedPassage(
            rank=rank,
            title=titles.get(passage["uuid"], "") or _("a document that is gone"),
            href=_address(*place) if passage["uuid"] in titles else "",
            beginning=f"{text[:_BEGINNING].rstrip()} …" if len(text) > _BEGINNING else text,
            language=language,
            cosine=scores["cosine"],
            cosine_rank=scores["cosine_rank"],
            bm25=scores["bm25"],
            bm25_rank=scores["bm25_rank"],
            fused=scores["fused"],
            reranked=scores["reranked"],
            reason=passage.get("reason", ""),
            is_cited=any(uuid == place[0] and place[2] <= start and end <= place[3] for uuid, start, end in cited),
        )


def _titles(uuids: set[str]) -> Any:
    return Document.objects.filter(uuid__in=uuids).values_list("uuid", "title") if uuids else ()


def _address(uuid: str, version: int, start: int, end: int) -> str:
    return reverse("documents:passage", args=[uuid, version, start, end]) + "#passage"


def _sentences(shown: Sequence[Mapping[str, Any]], *, is_written: bool) -> Iterator[TracedSentence]:
    for item in shown:
        if item["type"] != "sentence":
            continue
        yield TracedSentence(
            text=item["text"],
            language=item["language"],
            group=item["group"],
            verdict=_verdict(item, is_written=is_written),
            is_more=item["is_more"],
            citations=tuple(
                TracedCitation(
                    each["number"],
                    each["source"]["title"],
                    _address(each["source"]["uuid"], each["source"]["version"], each["start"], each["end"]),
                )
                for each in item["citations"]
            ),
        )


def _verdict(item: Mapping[str, Any], *, is_written: bool) -> str:
    """What the gate has found of a sentence that was shown: everything else was held back."""
    if item["is_quote"]:
        return _("stands word for word at the cited place")
    if is_written:
        return _("written by a model: figures, names and quotations stand in the cited passage, which supports it")
    return _("figures and names stand in the cited passage")


def _notices(shown: Sequence[Mapping[str, Any]], *, with_words: bool) -> Iterator[TracedNotice]:
    for item in shown:
        if item["type"] == "notice":
            subjects = tuple(item["subjects"]) if with_words else ()
            yield TracedNotice(item["kind"], notice_word(item["code"]), subjects)


def _stages(timings: Mapping[str, float]) -> Iterator[TracedStage]:
    longest = max([*timings.values(), 1.0])
    known = [name for name in _STAGES if name in timings]
    for name in [*known, *(name for name in timings if name not in _STAGES)]:
        yield TracedStage(stage_word(name), timings[name], round(100 * timings[name] / longest))
