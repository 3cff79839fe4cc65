"""What the desk is told about rules, as tables: what can never be right, what blocks a release, what only warns."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from apps.rules.checking import (
    Code,
    DocumentFact,
    DocumentState,
    Facts,
    Level,
    LinkFact,
    Question,
    check_rule,
    check_set,
    save_errors,
)
from apps.rules.checking.types import Handover
from apps.rules.types import (
    CuratedAnswer,
    Example,
    Extra,
    HitPolicy,
    LinkedDocument,
    Need,
    Phrase,
    RuleSet,
    RuleSpec,
    Scope,
    ScopeKind,
    Slot,
    Stage,
    Status,
    TokenList,
    WordMode,
)
from tests.rules.building import rule

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
DOCUMENT = "00000000-0000-4000-8000-000000000001"
FACTS = Facts(now=NOW, today=date(2027, 3, 1), documents={DOCUMENT: DocumentFact("Merkblatt")})
LINKED = (LinkedDocument(DOCUMENT, "Merkblatt"),)


def words(*texts: str, need: Need = Need.ALL, amount: int | None = None, mode: WordMode = WordMode.FORM) -> TokenList:
    return TokenList(tuple(Slot(text, mode) for text in texts), need, amount)


def checked(*rules: RuleSpec, facts: Facts = FACTS, **limits: int) -> set[tuple[Code, Level, str, str]]:
    findings = check_set(RuleSet(rules, **limits), facts)
    return {(each.code, each.level, each.uid, each.field) for each in findings}


def alone(spec: RuleSpec, facts: Facts = FACTS, **limits: int) -> set[tuple[Code, Level, str]]:
    return {(code, level, field) for code, level, _, field in checked(spec, facts=facts, **limits)}


def test_a_plain_rule_gives_no_offence():
    spec = rule(
        "a",
        core=words("Briefwahl", "beantragen"),
        anchor=words("München", "Berlin", need=Need.ANY),
        exclude=words("Österreich"),
        documents=LINKED,
        examples=(Example("Wie kann ich in Berlin Briefwahl beantragen?"), Example("Was ist Briefwahl?", False)),
    )
    assert alone(spec) == set()


NEVER_RIGHT = [
    ("uid", {"uid": "zwei Wörter"}, Code.UID_BAD),
    ("uid", {"uid": ""}, Code.UID_BAD),
    ("title", {"title": "x" * 201}, Code.TEXT_TOO_LONG),
    ("priority", {"priority": 0}, Code.NUMBER_OUT_OF_RANGE),
    ("threshold", {"threshold": 101}, Code.NUMBER_OUT_OF_RANGE),
    ("fill_up_to", {"fill_up_to": 21}, Code.NUMBER_OUT_OF_RANGE),
    ("languages", {"languages": ("deutsch",)}, Code.LANGUAGE_BAD),
    ("audiences", {"audiences": ("everybody",)}, Code.AUDIENCE_UNKNOWN),
    ("builder_choices", {"builder_choices": ("zwei Wörter",)}, Code.CHOICE_BAD),
    ("valid_until", {"valid_from": NOW, "valid_until": NOW}, Code.VALIDITY_REVERSED),
    ("phrases", {"phrases": (Phrase("???"),)}, Code.PHRASE_EMPTY),
    ("phrases", {"phrases": (Phrase("❤️"),)}, Code.PHRASE_EMPTY),
    ("phrases", {"phrases": (Phrase("wort " * 65),)}, Code.PHRASE_TOO_LONG),
    ("phrases", {"phrases": (Phrase("w" * 513),)}, Code.PHRASE_TOO_LONG),
    ("phrases", {"phrases": (Phrase("Wahl-O-Mat"), Phrase("wahl-o-mat?"))}, Code.PHRASE_TWICE),
    ("core", {"core": words()}, Code.LIST_EMPTY),
    ("exclude", {"exclude": words()}, Code.LIST_EMPTY),
    ("core", {"core": words("...")}, Code.SLOT_EMPTY),
    ("core", {"core": words("|")}, Code.SLOT_EMPTY),
    ("core", {"core": words("Klima", "KLIMA")}, Code.SLOT_TWICE),
    ("core", {"core": words("Nordrhein-Westfalen", "Nordrhein Westfalen")}, Code.SLOT_TWICE),
    ("anchor", {"anchor": words("München|Berlin", "Berlin|Muenchen")}, Code.SLOT_TWICE),
    ("core", {"core": words("Klima", "Rente", need=Need.COUNT, amount=3)}, Code.NEED_TOO_HIGH),
    ("core", {"core": words("Klima", need=Need.COUNT)}, Code.AMOUNT_BAD),
    ("core", {"core": words("Klima", need=Need.COUNT, amount=0)}, Code.AMOUNT_BAD),
    ("core", {"core": words("Klima", need=Need.PERCENT, amount=101)}, Code.AMOUNT_BAD),
    ("core", {"core": words("Klima", need=Need.ALL, amount=1)}, Code.AMOUNT_BAD),
    ("core", {"core": words("amt", mode=WordMode.ENDS)}, Code.ENDING_TOO_SHORT),
    ("core", {"core": words("Bundes tag|vor", mode=WordMode.STARTS)}, Code.ENDING_TOO_SHORT),
    ("exclude", {"phrases": (), "exclude": words("Österreich")}, Code.EXCLUDE_ONLY),
    ("exclude", {"core": words("Wahl", "Bayern"), "exclude": words("Bayern", need=Need.ANY)}, Code.EXCLUDES_ITSELF),
    ("documents", {"documents": (LinkedDocument("keine-uuid"),)}, Code.DOCUMENT_BAD),
    ("documents", {"documents": (replace(LINKED[0], scope=Scope(ScopeKind.FIRST)),)}, Code.SCOPE_BAD),
    ("documents", {"documents": (replace(LINKED[0], scope=Scope(ScopeKind.RANGE, 3, 2)),)}, Code.SCOPE_BAD),
    ("documents", {"documents": (replace(LINKED[0], scope=Scope(ScopeKind.SECTION)),)}, Code.SCOPE_BAD),
    ("documents", {"documents": (replace(LINKED[0], most_tokens=0),)}, Code.NUMBER_OUT_OF_RANGE),
    ("links", {"links": ("javascript:alert(1)",)}, Code.LINK_BAD),
    ("links", {"links": ("example.org",)}, Code.LINK_BAD),
    ("links", {"links": ("https://example.org/a",) * 2}, Code.LINK_TWICE),
    ("answer", {"answer": CuratedAnswer(" ")}, Code.ANSWER_EMPTY),
    ("answer", {"answer": CuratedAnswer("Ja.", is_desk_text=True)}, Code.ANSWER_UNSIGNED),
    ("examples", {"examples": (Example(""),)}, Code.EXAMPLE_EMPTY),
    ("parent", {"parent": "nowhere"}, Code.PARENT_MISSING),
    ("parent", {"parent": "a"}, Code.PARENT_CYCLE),
]


@pytest.mark.parametrize(("field", "fields", "code"), NEVER_RIGHT, ids=lambda value: str(value)[:40])
def test_what_can_never_be_right_refuses_the_save(field, fields, code):
    spec = rule(**{"uid": "a", **fields})
    assert (code, Level.ERROR, field) in {(each.code, each.level, each.field) for each in save_errors([spec], [])}
    assert code in {found for found, *_ in alone(spec)}


ONLY_WARNED = [
    ("title", {"title": ""}, Code.TITLE_MISSING),
    ("phrases", {"phrases": (Phrase("Was ist das?"),)}, Code.PHRASE_STOP_WORDS),
    ("phrases", {"phrases": (), "documents": LINKED}, Code.NEVER_WINS),
    ("threshold", {"threshold": 60}, Code.THRESHOLD_LOW),
    ("core", {"core": words("Miete", "Mieten")}, Code.SLOTS_ALIKE),
    ("core", {"core": words("Wahl|Wahlen", "Wahl")}, Code.SLOTS_ALIKE),
    ("valid_until", {"valid_until": NOW}, Code.EXPIRED),
    ("documents", {"documents": LINKED * 2}, Code.DOCUMENT_TWICE),
    ("documents", {"extra": Extra.OFF}, Code.HANDS_OVER_NOTHING),
    ("links", {"links": ("https://example.org/neu",)}, Code.LINK_UNKNOWN),
    ("answer", {"answer": CuratedAnswer("Ja.", expires=date(2027, 2, 28))}, Code.ANSWER_EXPIRED),
    ("owner", {"owner": "nobody"}, Code.OWNER_UNKNOWN),
    ("builder_choices", {"builder_choices": ("gone",)}, Code.CHOICE_UNKNOWN),
]


@pytest.mark.parametrize(("field", "fields", "code"), ONLY_WARNED, ids=lambda value: str(value)[:40])
def test_what_will_surprise_is_said_and_never_refused(field, fields, code):
    spec = rule("a", **fields)
    facts = replace(FACTS, owners=frozenset(), builder_choices=frozenset({"rent"}))
    assert (code, Level.WARNING, field) in alone(spec, facts)
    assert save_errors([spec], []) == []


FINE = [
    {"threshold": 0, "phrases": ()},
    {"core": words("Klima", "Energie", "Heizung", need=Need.PERCENT, amount=50)},
    {"core": words("Miete", "Mieten", need=Need.ANY)},
    {"core": TokenList((Slot("Wahl"), Slot("wahl", WordMode.ENDS)), Need.ANY)},
    {"core": words("Wahl", "Bayern"), "exclude": words("Bayern", "Österreich", need=Need.ALL)},
    {"core": words("Wahl", "Bayern", need=Need.ANY), "exclude": words("Bayern")},
    {"phrases": (Phrase("Wahl-O-Mat"), Phrase("Wahlomat"))},
    {"phrases": ()},
    {"answer": CuratedAnswer("Ja.", True, "Politikredaktion", expires=date(2027, 3, 1))},
    {"documents": (replace(LINKED[0], scope=Scope(ScopeKind.FIRST, last=2)),)},
]


@pytest.mark.parametrize("fields", FINE, ids=str)
def test_what_is_right_is_not_mentioned(fields):
    mentioned = alone(rule("a", **fields)) - {(Code.THRESHOLD_LOW, Level.WARNING, "threshold")}
    assert mentioned == set()


@pytest.mark.parametrize(
    ("tokens", "is_weak"),
    [
        (words("wie", "was"), True),
        (words("München", "der", need=Need.ANY), True),
        (words("München", "der"), False),
        (words("München", "Berlin", "der", need=Need.COUNT, amount=1), True),
        (words("München", "Berlin", "der", need=Need.COUNT, amount=2), False),
        (words("München|und", need=Need.ANY), True),
        (words("what", "München", need=Need.ANY), True),
    ],
)
def test_a_list_that_stop_words_meet_blocks_the_release(tokens, is_weak):
    assert ((Code.STOP_WORDS_SUFFICE, Level.BLOCKER, "core") in alone(rule("a", core=tokens))) is is_weak


@pytest.mark.parametrize(
    ("state", "code", "level"),
    [
        (None, Code.DOCUMENT_MISSING, Level.BLOCKER),
        (DocumentState.REJECTED, Code.DOCUMENT_REJECTED, Level.BLOCKER),
        (DocumentState.BEING_READ, Code.DOCUMENT_BEING_READ, Level.WARNING),
        (DocumentState.NOT_READY, Code.DOCUMENT_NOT_READY, Level.BLOCKER),
        (DocumentState.DESK_ONLY, Code.DOCUMENT_DESK_ONLY, Level.BLOCKER),
        (DocumentState.EXPIRED, Code.DOCUMENT_EXPIRED, Level.BLOCKER),
        (DocumentState.FUTURE, Code.DOCUMENT_FUTURE, Level.WARNING),
    ],
)
def test_a_document_that_readers_cannot_get_is_named(state, code, level):
    facts = replace(FACTS, documents={DOCUMENT: DocumentFact("Merkblatt", state)} if state else {})
    assert alone(rule("a", documents=LINKED), facts) == {(code, level, "documents")}
    assert save_errors([rule("a", documents=LINKED)], []) == []


@pytest.mark.parametrize("status", [Status.PAUSED, Status.DRAFT])
def test_a_rule_that_is_not_in_use_blocks_nothing(status):
    facts = replace(FACTS, documents={})
    spec = rule("a", documents=LINKED, status=status, examples=(Example("Etwas anderes"),))
    assert alone(spec, facts) == {(Code.DOCUMENT_MISSING, Level.WARNING, "documents")}


def test_a_document_that_changed_since_is_flagged():
    facts = replace(FACTS, documents={DOCUMENT: DocumentFact("Merkblatt", version=3)}, seen={("a", DOCUMENT): 2})
    assert alone(rule("a", documents=LINKED), facts) == {(Code.DOCUMENT_NEWER, Level.WARNING, "documents")}
    facts = replace(facts, seen={("a", DOCUMENT): 3})
    assert alone(rule("a", documents=LINKED), facts) == set()


@pytest.mark.parametrize(
    ("scope", "handover", "found"),
    [
        (Scope(ScopeKind.SECTION, path=("Weg",)), Handover(0, 0, of=9), {(Code.SCOPE_EMPTY, Level.BLOCKER)}),
        (Scope(ScopeKind.RANGE, 10, 12), Handover(0, 0, of=9), {(Code.SCOPE_EMPTY, Level.BLOCKER)}),
        (Scope(ScopeKind.RANGE, 8, 12), Handover(2, 90, of=9), {(Code.SCOPE_SHORT, Level.WARNING)}),
        (Scope(ScopeKind.FIRST, last=12), Handover(9, 90, of=9), set()),
        (Scope(), Handover(9, 90, left_out=4, of=9), {(Code.OVER_BUDGET, Level.WARNING)}),
    ],
)
def test_a_scope_that_gives_less_than_it_says_is_named(scope, handover, found):
    facts = replace(FACTS, handovers={"a": (handover,)})
    spec = rule("a", documents=(replace(LINKED[0], scope=scope),))
    assert {(code, level) for code, level, _ in alone(spec, facts)} == found


def test_the_budget_is_named_with_its_numbers():
    facts = replace(FACTS, handovers={"a": (Handover(3, 60_000, of=3), Handover(3, 60_000, left_out=2, of=3))})
    finding = check_set(RuleSet((rule("a", documents=LINKED * 2),), token_budget=100_000), facts)
    (over,) = [each for each in finding if each.code is Code.OVER_BUDGET]
    assert over.params == {"tokens": 120_000, "budget": 100_000, "left": 2, "document": "Merkblatt"}


ADDRESS = "https://example.org/a"


@pytest.mark.parametrize(
    ("fact", "code"),
    [
        (LinkFact("Alles", is_dead=True), Code.LINK_DEAD),
        (LinkFact("Alles", valid_until=date(2027, 2, 28)), Code.LINK_EXPIRED),
        (LinkFact(ADDRESS), Code.LINK_UNTITLED),
        (LinkFact("Alles", valid_until=date(2027, 3, 1)), None),
    ],
)
def test_a_link_that_leads_nowhere_is_named(fact, code):
    found = alone(rule("a", links=(ADDRESS,)), replace(FACTS, links={ADDRESS: fact}))
    assert found == ({(code, Level.WARNING, "links")} if code else set())


def test_a_rule_that_begins_later_is_noted():
    assert alone(rule("a", valid_from=NOW + timedelta(days=1))) == {(Code.FUTURE, Level.NOTE, "valid_from")}


# Between rules


def test_the_same_question_in_two_rules_is_an_error_in_both_and_names_the_other():
    findings = check_set(RuleSet((rule("a"), rule("b", phrases=(Phrase("frage A?"),)))), FACTS)
    assert [(each.code, each.uid, each.others, each.params["rule"]) for each in findings] == [
        (Code.PHRASE_IN_OTHER_RULE, "a", ("b",), "B"),
        (Code.PHRASE_IN_OTHER_RULE, "b", ("a",), "A"),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"languages": ("de",)}, {"languages": ("en",)}),
        ({"valid_until": NOW + timedelta(days=9)}, {"valid_from": NOW + timedelta(days=9)}),
        ({"status": Status.PAUSED}, {}),
        ({"parent": "asleep"}, {}),
    ],
)
def test_the_same_question_at_other_times_is_only_a_warning(one, other):
    asleep = rule("asleep", phrases=(), status=Status.PAUSED)
    found = checked(asleep, rule("a", **one), rule("b", **{"phrases": (Phrase("Frage a"),), **other}))
    levels = {level for code, level, *_ in found if code in (Code.PHRASE_ELSEWHERE, Code.PHRASE_IN_OTHER_RULE)}
    assert levels == {Level.WARNING}


def test_every_rule_of_a_circle_is_told():
    found = checked(rule("a", parent="c"), rule("b", parent="a"), rule("c", parent="b"))
    assert found == {(Code.PARENT_CYCLE, Level.ERROR, uid, "parent") for uid in "abc"}


def test_a_sixth_level_is_told_where_the_way_is_too_long():
    chain = [rule(uid, phrases=(), parent=above or None) for above, uid in zip(["", *"abcde"], "abcdef", strict=True)]
    assert checked(*chain) == {(Code.TOO_DEEP, Level.ERROR, uid, "parent") for uid in "abcdef"}
    assert checked(*chain[:5]) == set()


@pytest.mark.parametrize(
    ("above", "own", "field"),
    [
        ({"valid_until": NOW + timedelta(days=5)}, {"valid_from": NOW + timedelta(days=5)}, "valid_until"),
        ({"languages": ("de",)}, {"languages": ("en",)}, "languages"),
        ({"audiences": ("readers",)}, {"audiences": ("api",)}, "audiences"),
        ({"builder_choices": ("rent",)}, {"builder_choices": ("bahn",)}, "builder_choices"),
    ],
)
def test_a_rule_outside_the_limits_above_it_is_told_that_it_never_matches(above, own, field):
    rules = rule("a", phrases=(), **above), rule("b", parent="a", **own), rule("c", parent="b")
    assert checked(*rules) - {(Code.FUTURE, Level.NOTE, "b", "valid_from")} == {
        (Code.OUTSIDE_PARENT, Level.BLOCKER, "b", field)
    }


def test_an_active_rule_below_one_that_sleeps_is_told():
    found = checked(rule("a", status=Status.PAUSED), rule("b", parent="a"), rule("c", parent="b"))
    assert found == {(Code.PARENT_NOT_ACTIVE, Level.WARNING, uid, "status") for uid in "bc"}


def test_a_phrase_that_a_rule_above_stops_is_told_which():
    top = rule("top", phrases=(), core=words("München"))
    middle = rule("middle", parent="top", phrases=())
    low = rule("low", parent="middle", phrases=(Phrase("Wirtschaft in München"), Phrase("Wirtschaft in Berlin")))
    (finding,) = check_set(RuleSet((top, middle, low)), FACTS)
    assert (finding.code, finding.uid, finding.others) == (Code.PHRASE_GATED, "low", ("top",))
    assert finding.params["phrase"] == "Wirtschaft in Berlin"


# Examples and questions


def test_an_example_that_comes_out_otherwise_blocks_the_release():
    questions = (
        Example("Wie geht Briefwahl?"),
        Example("Was kostet die Miete?"),
        Example("Wann ist Wahl?", must_match=False),
        Example("Briefwahl beantragen", stage=Stage.TOKEN),
        Example("Ist Briefwahl sicher?", must_match=False),
    )
    a = rule("a", phrases=(Phrase("Briefwahl beantragen"),), core=words("Briefwahl"), examples=questions)
    b = rule("b", phrases=(Phrase("Wie geht Briefwahl?"),))
    findings = check_set(RuleSet((a, b)), FACTS)
    assert [(each.code, each.params["question"], each.level) for each in findings] == [
        (Code.EXAMPLE_LOST, "Wie geht Briefwahl?", Level.BLOCKER),
        (Code.EXAMPLE_UNMATCHED, "Was kostet die Miete?", Level.BLOCKER),
        (Code.EXAMPLE_STAGE, "Briefwahl beantragen", Level.BLOCKER),
        (Code.EXAMPLE_MATCHES, "Ist Briefwahl sicher?", Level.BLOCKER),
    ]
    assert findings[0].others == ("b",)


@pytest.mark.parametrize(
    "fields",
    [
        {"languages": ("en",)},
        {"audiences": ("api", "embed")},
        {"builder_choices": ("rent",)},
        {"valid_from": NOW + timedelta(days=30)},
        {"parent": "english"},
        {"valid_until": NOW},
    ],
)
def test_examples_are_asked_by_a_reader_for_whom_the_rule_is_meant(fields):
    english = rule("english", phrases=(), languages=("en",))
    found = checked(english, rule("a", examples=(Example("Frage a"),), **fields))
    assert not {code for code, *_ in found} & {Code.EXAMPLE_UNMATCHED, Code.EXAMPLE_LOST}


def test_what_a_rule_collects_counts_as_matched():
    a = rule("a", core=words("Briefwahl"), hit_policy=HitPolicy.COLLECT, priority=1)
    b = rule("b", core=words("Briefwahl"), examples=(Example("Wie geht Briefwahl?"),))
    assert checked(a, b) == set()


def test_a_rule_that_would_answer_too_much_is_told_how_much():
    questions = tuple(Question(f"Frage zur Wahl {number}") for number in range(40))
    others = tuple(Question(f"Etwas anderes {number}") for number in range(60))
    facts = replace(FACTS, questions=questions + others, broad_share=39)
    spec = rule("a", core=words("Wahl"))
    (finding,) = check_set(RuleSet((spec,)), facts)
    assert (finding.code, finding.params) == (Code.TOO_BROAD, {"share": 40, "count": 100, "most": 39})
    assert [each.code for each in check_rule(spec, RuleSet(()), facts)] == [Code.TOO_BROAD]
    assert check_set(RuleSet((spec,)), replace(facts, broad_share=40)) == []
    assert check_set(RuleSet((spec,)), replace(facts, questions=questions)) == []


def test_the_words_that_an_ending_meets_are_shown():
    facts = replace(FACTS, endings={(WordMode.ENDS, "wahl"): ("auswahl", "briefwahl")})
    spec = rule("a", core=words("wahl", mode=WordMode.ENDS))
    (finding,) = check_set(RuleSet((spec,)), facts)
    assert (finding.code, finding.level, finding.params["words"]) == (
        Code.ENDING_MEETS,
        Level.NOTE,
        "auswahl, briefwahl",
    )


def test_a_draft_is_tried_as_if_it_were_active():
    spec = rule("a", status=Status.DRAFT, examples=(Example("Etwas anderes"),))
    assert [each.code for each in check_rule(spec, RuleSet((rule("a"),)), FACTS)] == [Code.EXAMPLE_UNMATCHED]


def test_only_the_rules_asked_for_are_reported():
    rules = RuleSet((rule("a", title=""), rule("b", title="")))
    assert {each.uid for each in check_set(rules, FACTS, {"b"})} == {"b"}


def test_the_worst_comes_first():
    spec = rule("a", title="", core=words("wie"), exclude=words(), valid_from=NOW + timedelta(days=1))
    levels = [each.level for each in check_set(RuleSet((spec,)), FACTS)]
    assert levels == [Level.ERROR, Level.BLOCKER, Level.WARNING, Level.NOTE]
