"""Makes the report of a run. Reads the database for the rules' reasons: runs on a search thread."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from apps.answering.bench.finding import found_rows
from apps.answering.bench.plain import Plain, plain, plain_fields
from apps.answering.bench.report import (
    AskedRow,
    CallRow,
    DecisionRow,
    DraftRow,
    EarlierRow,
    MessageRow,
    NoticeRow,
    ReferenceRow,
    Report,
    RouteRow,
    RuleTrial,
    SearchRow,
    StageRow,
    TimeRow,
    UnderstoodRow,
)
from apps.answering.bench.running import BenchQuestion, RulesAsked, Run, TracedTurn, unbegun
from apps.answering.try_question import try_draft, try_live
from apps.rag.events import Decided, Done, Failed, Notice, Retrieved, Sentence
from apps.rag.remembering import shown_of
from apps.rag.rewriting.types import RewriteContext
from apps.rag.routing import Route
from apps.rag.routing_model import shipped_model
from apps.rag.tracing import Drafted, Judged, ModelReplied, Searched, StageBegan, StageEnded, Understood
from apps.rag.types import SearchFilters, WantedTime
from apps.rag.understanding import Understanding
from apps.rules.types import MatchContext

LATE = "late"


def report_of(run: Run) -> Report:
    """Return everything that is known of a run, however far it came."""
    turn = run.last or unbegun(run.asked)
    events = turn.plain_events
    decided = next((event for event in events if isinstance(event, Decided)), None)
    retrieved = next((event for event in events if isinstance(event, Retrieved)), None)
    end = events[-1] if events else None
    shown = [event for event in shown_of(events) if isinstance(event, Sentence)]
    first = next((at for at, event in turn.events if isinstance(event, Sentence)), None)
    judged = next((note for _, note in turn.notes if isinstance(note, Judged)), None)
    return Report(
        asked=_asked(turn, run.asked),
        outcome=_outcome(run, end),
        failure=end.code if isinstance(end, Failed) else "",
        total=_ms(turn.ended - turn.began),
        first_sentence=None if first is None else _ms(first - turn.began),
        versions=_versions(decided, end),
        earlier=tuple(_earlier(number, each) for number, each in enumerate(run.turns[: len(run.asked.earlier)], 1)),
        stages=_stages(turn),
        rules=_rules(turn, run.asked, decided),
        rule_use=plain(retrieved.use) if retrieved else None,
        route=_route(turn),
        decision=_decision(turn, decided),
        understood=_understood(turn),
        searches=tuple(_search(note, turn) for _, note in turn.notes if isinstance(note, Searched)),
        found=found_rows(judged.parts, retrieved.passages if retrieved else (), shown) if judged else (),
        signals=_signals(retrieved),
        calls=_calls(turn),
        drafts=tuple(
            DraftRow(note.text, note.attempt, note.fault.value if note.fault else "")
            for _, note in turn.notes
            if isinstance(note, Drafted)
        ),
        notices=tuple(
            NoticeRow(event.kind.value, event.code, event.subjects, event.choices)
            for event in events
            if isinstance(event, Notice)
        ),
        sentences=tuple(sentence.text for sentence in shown),
    )


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


def _outcome(run: Run, end: object) -> str:
    if isinstance(end, Done):
        return end.outcome.value
    if isinstance(end, Failed):
        return "failed"
    return LATE if run.is_late else "interrupted"


def _asked(turn: TracedTurn, asked: BenchQuestion) -> AskedRow:
    context = asked.context
    return AskedRow(
        question=turn.question.text,
        language=turn.question.language,
        masked=dict(turn.masked_kinds),
        locale=context.locale,
        audience=context.audience,
        moment=context.now.isoformat(timespec="seconds"),
        parties=context.party_slugs,
        choices=context.builder_choices,
        rules=asked.rules.value,
    )


def _versions(decided: Decided | None, end: object) -> dict[str, Plain]:
    """Everything that names what the answer was made with; the rules' release, and what a model did."""
    found: dict[str, Plain] = {}
    if decided:
        found |= {name: value for name, value in decided.versions.items() if value}
        if decided.rule:
            found["release"] = decided.rule.release
    if isinstance(end, Failed):
        found |= {name: value for name, value in end.versions.items() if value}
    if isinstance(end, Done):
        found |= {f"writing_{name}": value for name, value in end.writing.items() if value}
    return found


def _earlier(number: int, turn: TracedTurn) -> EarlierRow:
    events = turn.plain_events
    decided = next((event for event in events if isinstance(event, Decided)), None)
    end = events[-1] if events else None
    return EarlierRow(
        number=number,
        question=turn.question.text,
        query=decided.query if decided else "",
        decision=decided.decision.value if decided else "",
        outcome=end.outcome.value if isinstance(end, Done) else "failed" if isinstance(end, Failed) else LATE,
        answer=" ".join(event.text for event in shown_of(events) if event.text),
        ms=_ms(turn.ended - turn.began),
    )


def _stages(turn: TracedTurn) -> tuple[StageRow, ...]:
    """Every stage in the order in which they began; one that was never ended ran until the end."""
    spans: dict[str, list[tuple[float, float]]] = {}
    first = next((note.at for _, note in turn.notes if isinstance(note, StageBegan)), None)
    if first is not None:
        spans["start"] = [(0.0, _ms(first - turn.began))]
    open_stages: dict[str, float] = {}
    for _, note in turn.notes:
        if isinstance(note, StageBegan):
            spans.setdefault(note.stage, [])
            open_stages[note.stage] = note.at
        elif isinstance(note, StageEnded):
            open_stages.pop(note.stage, None)
            spans[note.stage].append((_ms(note.began - turn.began), _ms(note.ended - note.began)))
    for stage, began in open_stages.items():
        spans[stage].append((_ms(began - turn.began), _ms(max(0.0, turn.ended - began))))
    return tuple(
        StageRow(stage, runs[0][0], round(sum(ms for _, ms in runs), 1), tuple(runs)) for stage, runs in spans.items()
    )


def _rules(turn: TracedTurn, asked: BenchQuestion, decided: Decided | None) -> tuple[RuleTrial, ...]:
    """Why each rule won or lost, for the question and for the wording that a rule has matched instead of it."""
    context = asked.context
    matched = decided.rule.text if decided and decided.rule and decided.rule.hits else ""
    texts = dict.fromkeys(text for text in (turn.question.text, matched or (decided.query if decided else "")) if text)
    as_asked = MatchContext(context.now, turn.question.language, context.audience, frozenset(context.builder_choices))
    ask = try_live if asked.rules is RulesAsked.LIVE else try_draft
    return tuple(RuleTrial(text, ask(text, as_asked)) for text in texts)


def _route(turn: TracedTurn) -> RouteRow | None:
    route = next((note for _, note in turn.notes if isinstance(note, Route)), None)
    if route is None:
        return None
    model = shipped_model()
    return RouteRow(route.code, route.by.value, round(model.score(turn.question.text) - model.threshold, 2))


def _decision(turn: TracedTurn, decided: Decided | None) -> DecisionRow | None:
    if decided is None:
        return None
    seen = next((note for _, note in turn.notes if isinstance(note, RewriteContext)), None)
    return DecisionRow(
        decision=decided.decision.value,
        reason=decided.reason,
        query=decided.query,
        references=tuple(ReferenceRow(each.said, each.means, each.turn) for each in decided.references),
        choices=decided.choices,
        sub_queries=decided.sub_queries,
        turns_used=decided.turns_used,
        turns=tuple((each.number, each.query) for each in seen.turns) if seen else (),
        summary=seen.summary if seen else "",
    )


def _understood(turn: TracedTurn) -> tuple[UnderstoodRow, ...]:
    note = next((note for _, note in turn.notes if isinstance(note, Understood)), None)
    return tuple(_understood_row(query, each) for query, each in note.queries) if note else ()


def _understood_row(query: str, understood: Understanding) -> UnderstoodRow:
    return UnderstoodRow(
        query=query,
        language=understood.language,
        topic=understood.topic,
        parties=tuple(party.name for party in understood.parties),
        people=understood.people,
        aspects=tuple(aspect.text for aspect in understood.aspects),
        times=tuple(
            TimeRow(each.said, _day(each.first), _day(each.last), each.kind.value) for each in understood.times
        ),
        wanted=_set(understood.wanted),
        sub_questions=tuple(sub.text for sub in understood.sub_questions),
    )


def _day(day: date | None) -> str:
    return day.isoformat() if day else ""


def _set(limits: SearchFilters | WantedTime) -> dict[str, Plain]:
    """Return those fields that say something."""
    return {name: value for name, value in plain_fields(limits).items() if value}


def _search(searched: Searched, turn: TracedTurn) -> SearchRow:
    query = searched.query
    return SearchRow(
        stage=_stage_at(searched.began, turn),
        text=query.text,
        language=query.language,
        preferred=query.preferred_party_slugs,
        filters=_set(query.filters),
        wanted=_set(query.wanted),
        top_k=query.top_k,
        is_recall=searched.is_recall,
        found=len(searched.passages),
        began=_ms(searched.began - turn.began),
        ms=_ms(searched.ended - searched.began),
        error=searched.error,
    )


def _signals(retrieved: Retrieved | None) -> dict[str, Plain]:
    return plain_fields(retrieved.signals) if retrieved and retrieved.signals else {}


def _calls(turn: TracedTurn) -> tuple[CallRow, ...]:
    return tuple(
        CallRow(
            stage=_stage_at(note.began, turn),
            messages=tuple(MessageRow(each.role.value, each.text) for each in note.messages),
            reply=note.reply,
            began=_ms(note.began - turn.began),
            first=None if note.first is None else _ms(note.first - note.began),
            ms=_ms(note.ended - note.began),
            is_whole=note.is_whole,
            error=note.error,
        )
        for _, note in turn.notes
        if isinstance(note, ModelReplied)
    )


def _stage_at(moment: float, turn: TracedTurn) -> str:
    """Return the stage that had begun last at a moment."""
    begun: Sequence[StageBegan] = [note for _, note in turn.notes if isinstance(note, StageBegan) and note.at <= moment]
    return max(begun, key=lambda note: note.at).stage if begun else ""
