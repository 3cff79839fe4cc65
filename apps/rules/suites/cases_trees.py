"""Cases of several rules: gates, inheritance, limits, who wins, who collects."""

from __future__ import annotations

from typing import Final

from apps.rules.suites.case_values import DAY, NOW, Table, asked, every, exactly, phrase, some, words
from apps.rules.types import HitPolicy, RuleSpec, Status

_GATE: Final = words(every("Briefwahl"), uid="gate")
_CHILD: Final = words(every("Frist"), uid="child", parent="gate")
_GATES: Final = (
    Table(
        "a parent gates its children",
        (_GATE, _CHILD),
        (("Frist der Briefwahl", "child token"), ("Welche Frist gilt?", ""), ("Briefwahl", "gate token")),
    ),
    Table(
        "a folder lets everything through",
        (RuleSpec("folder"), words(every("Frist"), uid="child", parent="folder")),
        (("Welche Frist gilt?", "child token"),),
    ),
    Table(
        "an empty list is no folder",
        (RuleSpec("gate", core=every()), words(every("Frist"), uid="child", parent="gate")),
        (("Frist", ""),),
    ),
    Table(
        "any stage of the parent opens",
        (
            phrase("Was ist Briefwahl?", uid="gate", core=every("Briefwahl")),
            exactly("Briefwahl Frist", uid="child", parent="gate"),
        ),
        (("briefwahl frist", "child exact"),),
    ),
    Table(
        "a parent's veto closes",
        (words(every("Briefwahl"), uid="gate", exclude=some("Ausland")), _CHILD),
        (("Frist Briefwahl Ausland", ""), ("Frist Briefwahl", "child token")),
    ),
    Table(
        "a paused parent pauses what is below",
        (words(every("Briefwahl"), uid="gate", status=Status.PAUSED), _CHILD),
        (("Frist der Briefwahl", ""),),
    ),
    Table("a draft never matches", (words(every("Briefwahl"), uid="gate", status=Status.DRAFT),), (("Briefwahl", ""),)),
    Table(
        "archived never matches", (words(every("Briefwahl"), uid="gate", status=Status.ARCHIVED),), (("Briefwahl", ""),)
    ),
    Table(
        "a circle never matches",
        (phrase("Wahl", uid="a", parent="b"), phrase("Wahl", uid="b", parent="a"), phrase("Wahl", uid="c")),
        (("Wahl", "c exact"),),
    ),
    Table("its own parent never matches", (phrase("Wahl", uid="a", parent="a"),), (("Wahl", ""),)),
    Table("a missing parent never matches", (phrase("Wahl", uid="a", parent="gone"),), (("Wahl", ""),)),
    Table(
        "five levels",
        (
            RuleSpec("1"),
            RuleSpec("2", parent="1"),
            RuleSpec("3", parent="2"),
            RuleSpec("4", parent="3"),
            phrase("Wahl", uid="5", parent="4"),
        ),
        (("Wahl", "5 exact"),),
    ),
    Table(
        "the threshold comes from above",
        (RuleSpec("folder", threshold=70), phrase("Wie wähle ich richtig?", uid="child", parent="folder")),
        (("Wie wähle ich wichtig?", "child fuzzy"), ("Wie koche ich richtig?", "child fuzzy")),
    ),
    Table(
        "threshold 0 is inherited as 0",
        (RuleSpec("folder", threshold=0), phrase("Briefwahl", uid="child", parent="folder")),
        (("xyz", "child fuzzy"),),
    ),
    Table(
        "the own threshold counts first",
        (RuleSpec("folder", threshold=0), phrase("Briefwahl", uid="child", parent="folder", threshold=95)),
        (("xyz", ""),),
    ),
)
_LIMITS: Final = (
    Table("valid from is inclusive", (phrase("Wahl", uid="a", valid_from=NOW),), (("Wahl", "a exact"),)),
    Table("valid until is exclusive", (phrase("Wahl", uid="a", valid_until=NOW),), (("Wahl", ""),)),
    Table("not yet", (phrase("Wahl", uid="a", valid_from=NOW + DAY),), (("Wahl", ""),)),
    Table(
        "a child ends with its parent",
        (RuleSpec("folder", valid_until=NOW - DAY), phrase("Wahl", uid="a", parent="folder", valid_until=NOW + DAY)),
        (("Wahl", ""),),
    ),
    Table("audience", (phrase("Wahl", uid="a", audiences=("pupils",)),), (("Wahl", ""),)),
    Table("the right audience", (phrase("Wahl", uid="a", audiences=("pupils", "readers")),), (("Wahl", "a exact"),)),
    Table(
        "languages of parent and child exclude each other",
        (RuleSpec("folder", languages=("en",)), phrase("Wahl", uid="a", parent="folder", languages=("de",))),
        (("Wahl", ""),),
    ),
    Table("no choice made", (phrase("Wahl", uid="a", builder_choices=("first",)),), (("Wahl", ""),)),
    Table(
        "a choice made",
        (phrase("Wahl", uid="a", builder_choices=("first", "second")),),
        (("Wahl", "a exact"),),
        context=asked(builder_choices=frozenset({"second"})),
    ),
    Table(
        "choices of parent and child",
        (
            RuleSpec("folder", builder_choices=("first", "second")),
            phrase("Wahl", uid="a", parent="folder", builder_choices=("second", "third")),
        ),
        (("Wahl", ""),),
        context=asked(builder_choices=frozenset({"first", "third"})),
    ),
    Table(
        "English readers",
        (phrase("Wahl", uid="a", languages=("en",)), phrase("Wahl", uid="b", languages=("de",))),
        (("Wahl", "a exact"),),
        context=asked(language="en"),
    ),
)
_FAR: Final = NOW + 30 * DAY
_ORDER: Final = (
    Table(
        "exact beats fuzzy beats token",
        (
            words(every("Briefwahl"), uid="a", priority=1),
            phrase("Briefwahlen", uid="b", priority=50),
            exactly("Briefwahl", uid="c"),
        ),
        (("Briefwahl", "c exact"), ("Die Briefwahl", "a token"), ("Briefwahlem", "b fuzzy")),
    ),
    Table(
        "priority: the lower wins",
        (words(every("Wahl"), uid="a"), words(every("Wahl"), uid="b", priority=10)),
        (("Wahl", "b token"),),
    ),
    Table(
        "depth: the deeper wins",
        (words(every("Wahl"), uid="a"), RuleSpec("f"), words(every("Wahl"), uid="b", parent="f")),
        (("Wahl", "b token"),),
    ),
    Table(
        "more matched words win",
        (words(every("Wahl"), uid="a"), words(every("Wahl", "Frist"), uid="b")),
        (("Wahl Frist", "b token"), ("Wahl", "a token")),
    ),
    Table(
        "the better score wins",
        (words(some("Wahl", "Frist"), uid="a"), words(every("Wahl"), uid="b")),
        (("Wahl", "b token"),),
    ),
    Table(
        "the narrower validity wins",
        (
            words(every("Wahl"), uid="a", valid_until=_FAR),
            words(every("Wahl"), uid="b", valid_from=NOW, valid_until=_FAR),
            words(every("Wahl"), uid="c", valid_from=NOW, valid_until=NOW + DAY),
        ),
        (("Wahl", "c token"),),
    ),
    Table(
        "the name at last",
        (words(every("Wahl"), uid="rule-2"), words(every("Wahl"), uid="rule-10")),
        (("Wahl", "rule-10 token"),),
    ),
    Table(
        "a rule without triggers never wins",
        (RuleSpec("a", priority=1), words(every("Wahl"), uid="b")),
        (("Wahl", "b token"),),
    ),
    Table(
        "overlapping lists",
        (words(every("Miete"), uid="a"), words(every("Miete"), some("Kompass"), uid="b")),
        (("Kompass und Mieten", "b token"), ("Mieten", "a token")),
    ),
)
_COLLECT: Final = HitPolicy.COLLECT
_POLICIES: Final = (
    Table("stop ends at once", (words(every("Wahl"), uid="a"), words(every("Wahl"), uid="b")), (("Wahl", "a token"),)),
    Table(
        "collect goes on",
        (
            words(every("Wahl"), uid="a", hit_policy=_COLLECT),
            words(every("Wahl"), uid="b", hit_policy=_COLLECT),
            words(every("Frist"), uid="c"),
        ),
        (("Wahl", "a token, b token"),),
    ),
    Table(
        "collect ends at the first that stops",
        (
            words(every("Wahl"), uid="a", hit_policy=_COLLECT),
            words(every("Wahl"), uid="b"),
            words(every("Wahl"), uid="c"),
        ),
        (("Wahl", "a token, b token"),),
    ),
    Table(
        "collect goes through later stages",
        (
            exactly("Wahl und Frist", uid="a", hit_policy=_COLLECT),
            phrase("Wahl und Fristen", uid="b", hit_policy=_COLLECT),
            words(every("Wahl"), uid="c"),
        ),
        (("Wahl und Frist", "a exact, b fuzzy, c token"),),
    ),
    Table(
        "a stop rule collects nothing",
        (exactly("Wahl", uid="a"), words(every("Wahl"), uid="b", hit_policy=_COLLECT)),
        (("Wahl", "a exact"),),
    ),
    Table(
        "nobody is collected twice",
        (
            exactly("Wahl", uid="a", core=every("Wahl"), hit_policy=_COLLECT),
            words(every("Wahl"), uid="b", hit_policy=_COLLECT),
        ),
        (("Wahl", "a exact, b token"),),
    ),
)
TREES: Final = (*_GATES, *_LIMITS, *_ORDER, *_POLICIES)
