"""The sentences of "Try a question", one for each thing that can become of a rule."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from apps.answering.try_words import cut_words, level_lines, percent, verdict_words
from apps.rules.reports import LevelReport, ListReport, RuleReport, SlotReport, Verdict
from apps.rules.types import Cut, LostBy, Outside, ProtectedName, Role, Slot, Stage

NAMES = (ProtectedName("party:au", ("Auenpartei",)), ProtectedName("party:bb", ("Brückenbund",)))
FOLDER = LevelReport("top", "Wahl", is_folder=True, stage=None)
CLOSED = LevelReport("top", "Wahl", is_folder=False, stage=None)
MUNICH = ListReport(Role.CORE, 2, (SlotReport(Slot("München")), SlotReport(Slot("Wirtschaft"), ("Wirtschaft",))))
BOTH = ListReport(Role.CORE, 1, (SlotReport(Slot("Miete"), ("Mieten",)), SlotReport(Slot("Wohnung"))))
AUSTRIA = ListReport(Role.EXCLUDE, 1, (SlotReport(Slot("Österreich"), ("Österreichs",)),))


def own(**fields: object) -> LevelReport:
    return LevelReport("r", "Regel", is_folder=False, **{"stage": None, **fields})  # type: ignore[arg-type]


LEVELS = {
    "a folder": (FOLDER, ["is a folder and lets everything through"]),
    "nothing to match by": (own(), ["has neither phrases nor words that could match"]),
    "exactly": (own(stage=Stage.EXACT, best_phrase="Wie?", score=1000), ["exactly the phrase “Wie?”"]),
    "similar": (own(stage=Stage.FUZZY, best_phrase="Wie?", score=931), ["similar to “Wie?”: 93.1 %, needs 90 %"]),
    "not similar enough": (own(best_phrase="Wie?", score=896), ["similar to “Wie?”: only 89.6 %, needs 90 %"]),
    "another party": (
        own(best_phrase="Wie?", score=967, protected=(("party:au",), ("party:bb",))),
        ["96.7 % like “Wie?”, but never the same: there “Auenpartei”, here “Brückenbund”"],
    ),
    "a negation too much": (
        own(best_phrase="Wie?", score=950, protected=((), ("not",))),
        ["95 % like “Wie?”, but never the same: there nothing of that kind, here “a negation”"],
    ),
    "a word is missing": (
        own(lists=(MUNICH,)),
        ["core: 1 of 2 words found, needs 2", "found: Wirtschaft", "missing: München"],
    ),
    "enough words": (
        own(stage=Stage.TOKEN, lists=(BOTH,)),
        ["core: 1 of 2 words found, needs 1", "found: Miete (Mieten)", "missing: Wohnung"],
    ),
    "an excluded word": (own(lists=(AUSTRIA,)), ["excluded word found: Österreichs"]),
    "out of time": (own(outside=Outside.TIME, stage=Stage.TOKEN), ["does not count at this moment"]),
}
VERDICTS = {
    "exact": (RuleReport("r", "R", Verdict.WON, (own(stage=Stage.EXACT),)), "exactly one of its phrases"),
    "near by similarity": (
        RuleReport("r", "R", Verdict.NEAR, (own(best_phrase="Wie?", score=880),)),
        "came close: similar to “Wie?”: only 88 %, needs 90 %",
    ),
    "near by words": (
        RuleReport("r", "R", Verdict.NEAR, (own(best_phrase="Wie?", score=300, lists=(MUNICH,)),)),
        "came close: only München is missing",
    ),
    "gated": (RuleReport("r", "R", Verdict.GATED, (CLOSED, own(stage=Stage.EXACT))), "“Wahl”, does not let"),
    "vetoed": (RuleReport("r", "R", Verdict.VETOED, (own(vetoed_by=("Österreich",)),)), "because of: Österreich"),
    "outside above": (
        RuleReport("r", "R", Verdict.OUTSIDE, (LevelReport("t", "T", True, None, outside=Outside.LANGUAGE), own())),
        "in this language",
    ),
    "no match": (RuleReport("r", "R", Verdict.NO_MATCH, (own(),)), "does not match"),
    "collected": (RuleReport("r", "R", Verdict.COLLECTED, (own(stage=Stage.TOKEN),)), "adds its documents"),
    "without levels": (RuleReport("r", "R", Verdict.NEAR, ()), "came close"),
}


@pytest.mark.parametrize(("level", "sentences"), LEVELS.values(), ids=LEVELS)
def test_a_level_says_what_held_and_what_did_not(level, sentences):
    with override("en"):
        assert [line.text for line in level_lines(level, NAMES)] == sentences


@pytest.mark.parametrize(("report", "words"), VERDICTS.values(), ids=VERDICTS)
def test_every_verdict_has_its_words(report, words):
    with override("en"):
        assert words in verdict_words(report, NAMES)


def test_every_way_to_lose_and_to_stay_outside_has_its_own_words():
    with override("en"):
        lost = {verdict_words(RuleReport("r", "R", Verdict.LOST, (), by)) for by in LostBy}
        outside = {verdict_words(RuleReport("r", "R", Verdict.OUTSIDE, (own(outside=why),))) for why in Outside}
    assert (len(lost), len(outside)) == (len(LostBy), len(Outside))


def test_a_share_is_never_rounded_up_to_what_was_needed():
    with override("de"):
        assert [percent(score) for score in (899, 900, 1000, 0)] == ["89,9", "90", "100", "0"]


def test_what_was_cut_is_counted():
    with override("en"):
        assert cut_words(Cut()) == ""
        assert "1 character and 2 words" in cut_words(Cut(1, 2))
        assert "3 words" in cut_words(Cut(0, 3))
