"""What the bench shows of a run, in plain values: the page is drawn from it, and a bug report holds it as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from apps.answering.bench.plain import Plain, plain
from apps.answering.try_question import Trial


@dataclass(frozen=True, slots=True)
class AskedRow:
    """What was asked: the question as the door let it through, and as whom. ``masked`` counts what was blacked out."""

    question: str
    language: str
    masked: Mapping[str, int]
    locale: str
    audience: str
    moment: str
    parties: tuple[str, ...]
    choices: tuple[str, ...]
    rules: str


@dataclass(frozen=True, slots=True)
class EarlierRow:
    """An earlier turn of the conversation and what came of it."""

    number: int
    question: str
    query: str
    decision: str
    outcome: str
    answer: str
    ms: float


@dataclass(frozen=True, slots=True)
class StageRow:
    """A stage with all its runs. ``spans`` are begin and length of each, in milliseconds from the start."""

    name: str
    began: float
    ms: float
    spans: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class RouteRow:
    """Where the question went: ``code`` is that of a reply, "" for a search; ``score`` is over 0 for small talk."""

    code: str
    by: str
    score: float


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """What a word of the question stood for, and which turn said so."""

    said: str
    means: str
    turn: int


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """The decision before the search and what it rests on. ``turns`` is what the rewriter could see."""

    decision: str
    reason: str
    query: str
    references: tuple[ReferenceRow, ...]
    choices: tuple[str, ...]
    sub_queries: tuple[str, ...]
    turns_used: tuple[int, ...]
    turns: tuple[tuple[int, str], ...]
    summary: str


@dataclass(frozen=True, slots=True)
class TimeRow:
    """A time that was read, made absolute; "" is open. ``kind`` says what it is the time of."""

    said: str
    first: str
    last: str
    kind: str


@dataclass(frozen=True, slots=True)
class UnderstoodRow:
    """What was understood of a query. ``wanted`` says from which time sources are preferred."""

    query: str
    language: str
    topic: str
    parties: tuple[str, ...]
    people: tuple[str, ...]
    aspects: tuple[str, ...]
    times: tuple[TimeRow, ...]
    wanted: Mapping[str, Plain]
    sub_questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SearchRow:
    """One search with its limits: ``filters`` shut out, ``wanted`` only orders. Both name what was set.

    ``stage`` is the one that searched.
    """

    stage: str
    text: str
    language: str
    preferred: tuple[str, ...]
    filters: Mapping[str, Plain]
    wanted: Mapping[str, Plain]
    top_k: int
    is_recall: bool
    found: int
    began: float
    ms: float
    error: str


@dataclass(frozen=True, slots=True)
class PassageRow:
    """One passage with every rank and score. ``number`` is its place among all that may be quoted, 0 for the others.

    ``place`` says on which pile it lay: search, rule, elsewhere or aside.
    """

    number: int
    place: str
    chunk: int
    uuid: str
    version: int
    start: int
    end: int
    title: str
    kind: str
    party: str
    publisher: str
    published: str
    collection: str
    language: str
    heading: str
    page_from: int | None
    page_to: int | None
    tokens: int
    text: str
    reason: str
    cosine: float | None
    cosine_rank: int | None
    bm25: float | None
    bm25_rank: int | None
    fused: float
    fused_rank: int
    reranked: float
    recency: float
    party_bonus: float
    is_cited: bool


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence that was read, and what was measured on it. ``passage`` is the number of its passage."""

    text: str
    language: str
    passage: int
    score: float
    cosine: float
    coverage: float
    has_type: bool
    is_quotable: bool
    is_shown: bool


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """Whether the evidence suffices, why, and what the decision saw, thresholds included.

    ``refusal`` is "" where it suffices; ``missing`` are words of the question that stand nowhere.
    """

    outcome: str
    refusal: str
    probability: float
    missing: tuple[str, ...]
    features: Mapping[str, Plain]


@dataclass(frozen=True, slots=True)
class FoundRow:
    """One thing that was looked for, with all its passages, what was read of them, and the verdict."""

    text: str
    party: str
    was_searched: bool
    passages: tuple[PassageRow, ...]
    sentences: tuple[SentenceRow, ...]
    words: tuple[str, ...]
    verdict: VerdictRow


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One message as a model got it."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class CallRow:
    """One question to a model. ``stage`` asked it; ``first`` is None where nothing came. Times in milliseconds."""

    stage: str
    messages: tuple[MessageRow, ...]
    reply: str
    began: float
    first: float | None
    ms: float
    is_whole: bool
    error: str


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A sentence at the gate; ``fault`` is "" where it passed, ``attempt`` 0 where it was quoted."""

    text: str
    attempt: int
    fault: str


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """A notice that was shown, or taken back by a second draft."""

    kind: str
    code: str
    subjects: tuple[str, ...]
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleTrial:
    """What the rules say to one wording of the question."""

    text: str
    trial: Trial | None


@dataclass(frozen=True, slots=True)
class Report:
    """The whole trace of one run. Parts that the run never reached are empty.

    ``outcome`` is a Decision's end or "failed", "late"; ``failure`` is the code of what broke.
    """

    asked: AskedRow
    outcome: str
    failure: str
    total: float
    first_sentence: float | None
    versions: Mapping[str, Plain]
    earlier: tuple[EarlierRow, ...]
    stages: tuple[StageRow, ...]
    rules: tuple[RuleTrial, ...]
    rule_use: Plain
    route: RouteRow | None
    decision: DecisionRow | None
    understood: tuple[UnderstoodRow, ...]
    searches: tuple[SearchRow, ...]
    found: tuple[FoundRow, ...]
    signals: Mapping[str, Plain]
    calls: tuple[CallRow, ...]
    drafts: tuple[DraftRow, ...]
    notices: tuple[NoticeRow, ...]
    sentences: tuple[str, ...]


def as_json(*reports: Report) -> str:
    """Return reports as indented JSON, one after the other in a list."""
    return json.dumps([plain(report) for report in reports], ensure_ascii=False, indent=1)
