"""What changed in a rule, item by item and in words."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, date, datetime

import pytest
from django.utils import translation

from apps.rules.differences import Kind, rule_changes, rule_contents
from apps.rules.texts import change_text
from apps.rules.types import (
    CuratedAnswer,
    Example,
    Extra,
    HitPolicy,
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
from tests.rules.building import FULL

BASE = RuleSpec(
    uid="a",
    title="Briefwahl",
    phrases=(Phrase("Frage eins"), Phrase("Frage zwei")),
    core=TokenList((Slot("Klima"), Slot("wahl", WordMode.ENDS)), Need.PERCENT, 50),
    documents=(LinkedDocument("u1", "Merkblatt"), LinkedDocument("u2", "Gesetz", Scope(ScopeKind.FIRST, last=3))),
    answer=CuratedAnswer("Bis Sonntag.", True, "Politikredaktion", expires=date(2027, 2, 3)),
    examples=(Example("Wie geht das?"),),
    links=("https://example.org/a",),
)

CHANGES = [
    ({"title": "Wahl per Brief"}, ["Title: “Briefwahl” → “Wahl per Brief”"]),
    ({"status": Status.PAUSED}, ["Status: active → paused"]),
    ({"parent": "top"}, ["Below: empty → “top”"]),
    ({"priority": 50}, ["Priority: 100 → 50"]),
    ({"threshold": 0}, ["Similarity in percent: empty → 0"]),
    ({"valid_from": datetime(2027, 1, 31, 17, 30, tzinfo=UTC)}, ["Valid from: empty → 01/31/2027 6:30 p.m."]),
    (
        {"hit_policy": HitPolicy.COLLECT},
        ["When other rules match too: only this rule's documents → further matching rules add theirs"],
    ),
    ({"extra": Extra.OFF}, ["Search for more: fill up with what search finds → no: only what is linked here"]),
    ({"fill_up_to": 7}, ["Fill up to: 5 → 7"]),
    ({"audiences": ("api",)}, ["Audiences: programs that ask over the API added"]),
    ({"tags": ("Wahl",)}, ["Tags: “Wahl” added"]),
    ({"position": 9}, ["Moved to another place in the list"]),
    ({"phrases": (Phrase("Frage zwei"),)}, ["Phrases: “Frage eins” removed"]),
    ({"phrases": (*BASE.phrases, Phrase("Drei", False))}, ["Phrases: “Drei” (only exactly) added"]),
    ({"phrases": BASE.phrases[::-1]}, ["Phrases: other order"]),
    (
        {"phrases": (Phrase("Frage eins", False), BASE.phrases[1])},
        ["Phrases: “Frage eins” → “Frage eins” (only exactly)"],
    ),
    ({"core": None}, ["Core words: at least half of “Klima”, “wahl” (ends with) removed"]),
    ({"core": replace(BASE.core, need=Need.ALL, amount=None)}, ["Core words, how many: at least half of → all of"]),
    (
        {"core": TokenList((Slot("Klima", WordMode.EXACTLY), Slot("Bahn")), Need.PERCENT, 50)},
        [
            "Core words: “Klima” → “Klima” (exactly so)",
            "Core words: “wahl” (ends with) removed",
            "Core words: “Bahn” added",
        ],
    ),
    ({"anchor": TokenList((Slot("Bonn"),), Need.COUNT, 1)}, ["Anchor words: at least one of “Bonn” added"]),
    ({"documents": BASE.documents[:1]}, ["Documents: “Gesetz” (the first 3 passages) removed"]),
    (
        {
            "documents": (
                replace(BASE.documents[0], scope=Scope(ScopeKind.RANGE, 2, 4), most_tokens=90),
                BASE.documents[1],
            )
        },
        ["Documents: “Merkblatt” (the whole document) → “Merkblatt” (passages 2 to 4, at most 90 tokens)"],
    ),
    (
        {"documents": (*BASE.documents, LinkedDocument("u1", "", Scope(ScopeKind.SECTION, path=("A", "B"))))},
        ["Documents: “u1” (section A › B) added"],
    ),
    ({"answer": None}, ["Curated answer: “Bis Sonntag.” removed"]),
    ({"answer": replace(BASE.answer, expires=None)}, ["Curated answer, show until: 02/03/2027 → empty"]),
    ({"answer": replace(BASE.answer, is_desk_text=False)}, ["Curated answer, the desk's own text: yes → no"]),
    (
        {"examples": (Example("Wie geht das?", False, Stage.TOKEN),)},
        ["Examples: “Wie geht das?” (must match) → “Wie geht das?” (must not match, by words)"],
    ),
    ({"links": ()}, ["Links to read on: “https://example.org/a” removed"]),
    ({"owner": "petra", "reason": "Darum."}, ["Owner: empty → “petra”", "Why: empty → “Darum.”"]),
    ({"version": 7}, []),
]


@pytest.mark.parametrize(("fields", "sentences"), CHANGES, ids=lambda value: str(value)[:40])
def test_each_change_is_said_in_words(fields, sentences):
    with translation.override("en"):
        assert [change_text(change) for change in rule_changes(BASE, replace(BASE, **fields))] == sentences


def test_a_rule_that_comes_or_goes_is_one_change():
    with translation.override("en"):
        assert [change_text(change) for change in rule_changes(None, BASE)] == ["New rule: “Briefwahl”."]
        assert [change_text(change) for change in rule_changes(BASE, None)] == ["Rule removed: “Briefwahl”."]
    assert rule_changes(None, None) == ()


def test_what_a_new_rule_says_is_told_without_what_every_rule_says():
    fresh = RuleSpec("b", "Wahllokal", parent="voting", position=7, phrases=(Phrase("Wo wähle ich?"),), priority=50)
    with translation.override("en"):
        said = [change_text(change) for change in rule_contents(fresh)]
    assert said == ["Phrases: “Wo wähle ich?” added", "Below: empty → “voting”", "Priority: 100 → 50"]
    assert rule_contents(RuleSpec("b", "Ordner")) == ()


@pytest.mark.parametrize("field", [field.name for field in fields(RuleSpec) if field.name not in ("uid", "version")])
def test_no_field_of_a_rule_changes_unnoticed(field):
    other = replace(
        BASE, **{field: getattr(FULL, field) if getattr(FULL, field) != getattr(BASE, field) else OTHER[field]}
    )
    assert {change.field for change in rule_changes(BASE, other)} == {field}


OTHER = {"title": "x", "parent": "x", "position": 3, "status": Status.DRAFT, "hit_policy": HitPolicy.COLLECT}
OTHER |= {"extra": Extra.ON, "fill_up_to": 3}


def test_a_long_phrase_is_shortened():
    (change,) = rule_changes(BASE, replace(BASE, reason="x" * 500))
    assert change.kind is Kind.CHANGED
    assert len(change_text(change)) < 200
