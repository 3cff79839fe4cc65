"""An import saves all rows or none, says what is wrong by row and column, and changes nothing the second time."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.utils import translation
from hypothesis import HealthCheck, given, settings

from apps.rules.exchange.exporting import FileKind, rules_export
from apps.rules.exchange.importing import Fate, ImportOutcome, rules_import
from apps.rules.exchange.sample import SAMPLE
from apps.rules.loading import rule_spec
from apps.rules.models import Rule, RuleVersion
from apps.rules.services import rules_save
from apps.rules.types import Phrase, RuleSpec, Slot, TokenList
from tests.rules.building import FULL, rule
from tests.rules.random_rules import rule_specs

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def petra() -> User:
    return User.objects.create_user("petra")


def look(data: bytes | str) -> ImportOutcome:
    return rules_import(data=data.encode() if isinstance(data, str) else data, author=None)


def bring(data: bytes | str, author: User | None = None) -> ImportOutcome:
    """Import a file as an editor does: look first, then say yes to just that."""
    data = data.encode() if isinstance(data, str) else data
    return rules_import(data=data, author=author, comment="From a file", seen=look(data).seen)


def stored() -> dict[str, RuleSpec]:
    return {each.uid: rule_spec(each) for each in Rule.objects.whole()}


def complaints(outcome: ImportOutcome) -> list[tuple[int, str, str]]:
    return [(row.number, said.column, said.sentence) for row in outcome.refused for said in row.complaints]


# --- what comes in ---


@pytest.mark.parametrize("kind", FileKind)
def test_everything_of_a_rule_comes_back_from_a_file(kind):
    specs = [FULL, rule("child", parent="postal-vote", position=3)]
    outcome = bring(rules_export(specs, kind).data)
    assert outcome.is_saved, complaints(outcome)
    assert [replace(spec, version=0) for spec in stored().values()] == specs
    assert set(RuleVersion.objects.values_list("comment", flat=True)) == {"From a file"}


@pytest.mark.parametrize("kind", FileKind)
def test_a_second_import_of_the_same_file_makes_no_version(kind):
    data = rules_export([FULL, *SAMPLE], kind).data
    bring(data)
    before = RuleVersion.objects.count()
    again = bring(data)
    assert (again.is_saved, again.count(Fate.SAME), again.changing) == (True, 4, [])
    assert RuleVersion.objects.count() == before


@pytest.mark.parametrize("kind", FileKind)
def test_what_the_desk_exports_changes_nothing_when_it_is_imported(kind):
    rules_save(specs=[FULL, *SAMPLE], author=None)
    outcome = bring(rules_export(list(stored().values()), kind).data)
    assert outcome.count(Fate.SAME) == 4
    assert RuleVersion.objects.count() == 4


def test_only_looking_saves_nothing():
    outcome = look(rules_export([FULL], FileKind.CSV).data)
    assert (outcome.is_saved, outcome.count(Fate.NEW)) == (False, 1)
    assert not Rule.objects.exists()
    assert not RuleVersion.objects.exists()


def test_a_known_rule_is_changed_and_told_in_words():
    rules_save(specs=[FULL], author=None)
    outcome = bring("uid,title\npostal-vote,Wählen per Brief\n")
    [row] = outcome.changing
    assert (row.fate, row.number) == (Fate.CHANGED, 2)
    assert any("Wählen per Brief" in change for change in row.changes)
    assert stored()["postal-vote"] == replace(FULL, title="Wählen per Brief", version=2)


def test_a_missing_column_keeps_and_an_empty_cell_empties():
    rules_save(specs=[FULL], author=None)
    bring("uid;threshold;tags\npostal-vote;;\n")
    assert stored()["postal-vote"] == replace(FULL, threshold=None, tags=(), version=2)


def test_a_field_that_a_json_rule_leaves_out_stays():
    rules_save(specs=[FULL], author=None)
    bring(json.dumps([{"uid": "postal-vote", "answer": None}, {"uid": "new", "phrases": [{"text": "Neu?"}]}]))
    assert stored()["postal-vote"] == replace(FULL, answer=None, version=2)
    assert stored()["new"].phrases == (Phrase("Neu?"),)


def test_children_may_stand_before_their_parents():
    outcome = bring("uid,parent,phrases\nc,b,Frage c\nb,a,Frage b\na,,Frage a\n")
    assert outcome.is_saved, complaints(outcome)
    assert {uid: spec.parent for uid, spec in stored().items()} == {"a": None, "b": "a", "c": "b"}


def test_phrases_and_places_may_change_hands_within_a_file():
    one, two = rule("a", phrases=(Phrase("eins"),)), rule("b", parent="a", phrases=(Phrase("zwei"),))
    rules_save(specs=[one, two], author=None)
    outcome = bring("uid,parent,phrases\na,b,zwei\nb,,eins\n")
    assert outcome.is_saved, complaints(outcome)
    assert [(spec.parent, spec.phrases[0].text) for spec in stored().values()] == [("b", "zwei"), (None, "eins")]


def test_the_sample_file_can_be_imported():
    outcome = look(rules_export(SAMPLE, FileKind.CSV).data)
    assert (outcome.refused, outcome.count(Fate.NEW)) == ([], len(SAMPLE))


# --- what is refused ---


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("uid,phrases\na,x\nb,y\na,z\n", [(2, "uid", "Rows 2 and 4"), (4, "uid", "Rows 2 and 4")]),
        ("uid,phrases\n,x\n", [(2, "uid", "no “uid”")]),
        ("uid,phrases,parent\na,x,b\nb,y,a\n", [(2, "parent", "a › b › a (rows: 2, 3)"), (3, "parent", "rows: 2, 3")]),
        ("uid,phrases,parent\na,x,a\n", [(2, "parent", "cannot stand below itself")]),
        ("uid,phrases,parent\na,x,nobody\n", [(2, "parent", "no rule “nobody”")]),
        (
            "uid,phrases,parent\n" + "".join(f"r{n},f{n},{f'r{n - 1}' if n else ''}\n" for n in range(6)),
            [(7, "parent", "at most 5 levels")],
        ),
        ("uid,phrases,position,threshold\na,x,eins,viel\n", [(2, "position", "eins"), (2, "threshold", "viel")]),
        ("uid,phrases,status\na,x,tot\n", [(2, "status", "draft, active, paused, archived")]),
        ("uid,phrases,owner\na,x,nobody\n", [(2, "owner", "no user “nobody”")]),
        ("uid,phrases,position\na,x,99999999999\n", [(2, "position", "")]),
        ("uid,phrases\na,gleich\nb,gleich\n", [(2, "phrases", "gleich"), (3, "phrases", "gleich")]),
        ("uid,core,core_need\na,eins,at least 2\n", [(2, "core", "")]),
        ("uid,title,phrases\nBad Name!,x,y\n", [(2, "uid", "")]),
        ('[{"uid": "a", "colour": 1}, {"uid": "b"}]', [(1, "colour", "no field “colour”")]),
    ],
    ids=range(14),
)
def test_an_error_is_told_by_row_and_column_and_nothing_is_saved(data, expected):
    outcome = bring(data)
    found = complaints(outcome)
    assert [(number, column) for number, column, _ in found] == [(number, column) for number, column, _ in expected]
    assert all(words in said for (_, _, said), (_, _, words) in zip(found, expected, strict=True)), found
    assert not outcome.is_saved
    assert not Rule.objects.exists()


def test_one_bad_row_keeps_the_good_ones_out():
    bring("uid,phrases,position\na,x,1\nb,y,eins\n")
    assert not Rule.objects.exists()


def test_a_circle_through_the_desks_own_rules_is_refused():
    rules_save(specs=[rule("a"), rule("b", parent="a")], author=None)
    [(number, column, sentence)] = complaints(bring("uid,parent\na,b\n"))
    assert (number, column) == (2, "parent")
    assert "a › b › a" in sentence


def test_a_phrase_of_a_rule_that_is_not_in_the_file_names_that_rule():
    rules_save(specs=[rule("desk", phrases=(Phrase("eins"),))], author=None)
    [(number, column, sentence)] = complaints(bring("uid,phrases\na,eins\n"))
    assert (number, column) == (2, "phrases")
    assert "Desk" in sentence


def test_a_rule_that_was_saved_after_the_look_is_shown_again_and_not_overwritten():
    rules_save(specs=[FULL], author=None)
    data = b"uid,title\npostal-vote,Aus der Datei\n"
    seen = look(data).seen
    rules_save(specs=[replace(FULL, title="Von Petra")], author=None)
    outcome = rules_import(data=data, author=None, seen=seen)
    assert not outcome.is_saved
    assert stored()["postal-vote"].title == "Von Petra"


def test_another_file_than_the_one_that_was_seen_is_only_compared():
    seen = look("uid,phrases\na,x\n").seen
    assert not rules_import(data=b"uid,phrases\nb,x\n", author=None, seen=seen).is_saved
    assert not Rule.objects.exists()


def test_letters_of_a_wrong_encoding_are_doubted_before_the_import():
    [row] = look("uid,phrases\na,WÃ¤hler\n").doubtful
    assert (row.number, row.doubt) == (2, "Ã¤")


def test_formulas_come_in_as_the_words_they_are():
    bring(rules_export([rule("a", title="=1+1", reason="-5 Grad")], FileKind.CSV).data)
    assert (stored()["a"].title, stored()["a"].reason) == ("=1+1", "-5 Grad")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spec=rule_specs())
def test_no_random_rule_breaks_an_import(spec):
    for kind in FileKind:
        outcome = look(rules_export([spec], kind).data)
        assert all(said.sentence for row in outcome.refused for said in row.complaints)


def test_a_list_of_words_is_kept_whole():
    spec = rule("a", core=TokenList((Slot("Wahl, Brief"), Slot("x | y"))))
    bring(rules_export([spec], FileKind.CSV).data)
    assert stored()["a"] == replace(spec, version=1)
