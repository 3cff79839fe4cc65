"""Rules for the tests of the desk's writes: a plain one, and one with everything."""

from __future__ import annotations

from datetime import UTC, date, datetime

from apps.rules.types import (
    CuratedAnswer,
    Example,
    LinkedDocument,
    Need,
    Phrase,
    RuleSpec,
    Scope,
    ScopeKind,
    Slot,
    Stage,
    Status,
    TokenList,
    WordMode,
)

UNKNOWN = "00000000-0000-4000-8000-000000000001"
FULL = RuleSpec(
    uid="postal-vote",
    title="Briefwahl",
    status=Status.ACTIVE,
    priority=50,
    valid_from=datetime(2027, 1, 1, tzinfo=UTC),
    valid_until=datetime(2027, 12, 31, 18, tzinfo=UTC),
    languages=("de",),
    audiences=("readers", "embed"),
    builder_choices=("voting",),
    threshold=0,
    phrases=(Phrase("Wie beantrage ich Briefwahl?"), Phrase("Wahl-O-Mat", is_fuzzy=False)),
    core=TokenList((Slot("Briefwahl|Wahlbrief"), Slot("beantragen", WordMode.EXACTLY)), Need.PERCENT, 50),
    anchor=TokenList((Slot("München"),), Need.ANY),
    exclude=TokenList((Slot("Österreich"), Slot("wahlkreis", WordMode.ENDS)), Need.COUNT, 1),
    documents=(
        LinkedDocument(UNKNOWN, "Merkblatt", Scope(ScopeKind.RANGE, 2, 4), 500),
        LinkedDocument(UNKNOWN, "Merkblatt", Scope(ScopeKind.SECTION, path=("Wahl", "Brief"))),
    ),
    links=("https://example.org/briefwahl", "https://example.org/wahl"),
    answer=CuratedAnswer("Bis Sonntag.", True, "Politikredaktion", date(2027, 1, 2), date(2027, 2, 3)),
    examples=(
        Example("Wo kann ich in München die Briefwahl beantragen?"),
        Example("Wo ist Österreich?", False, Stage.TOKEN),
    ),
    tags=("Wahl", "Service"),
    owner="petra",
    reason="Weil danach gefragt wird.",
)


def rule(uid: str, **fields: object) -> RuleSpec:
    """Return an active rule with one phrase of its own."""
    return RuleSpec(uid=uid, **{"title": uid.title(), "phrases": (Phrase(f"Frage {uid}"),), **fields})  # type: ignore[arg-type]
