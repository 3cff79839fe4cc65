"""The rule form without its page: what it reads, refuses and keeps."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from apps.documents.models import Collection, CuratedLink, Document
from apps.rules.forms import RuleForm, initial_from, named, spec_from
from apps.rules.models import Rule
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
from tests.rules.form_data import posted

pytestmark = pytest.mark.django_db


@pytest.fixture
def guide() -> Document:
    shelf = Collection.objects.create(slug="desk", name="Wahl")
    return Document.objects.create(title="So geht Briefwahl", collection=shelf)


@pytest.fixture
def link() -> CuratedLink:
    return CuratedLink.objects.create(title="Alles zur Wahl", address="https://kurier.example/wahl")


@pytest.fixture
def full(guide, link, django_user_model) -> RuleSpec:
    django_user_model.objects.create_user("ada", is_staff=True)
    Rule.objects.create(uid="top", title="Wahl")
    return RuleSpec(
        uid="postal",
        title="Briefwahl",
        parent="top",
        position=7,
        status=Status.PAUSED,
        priority=50,
        valid_from=datetime(2027, 1, 2, 3, 4, 5, 678, tzinfo=UTC),
        valid_until=datetime(2027, 9, 26, 16, 0, tzinfo=UTC),
        languages=("de", "en"),
        audiences=("readers", "api"),
        builder_choices=("housing",),
        hit_policy=HitPolicy.COLLECT,
        extra=Extra.OFF,
        fill_up_to=7,
        threshold=0,
        phrases=(Phrase("Wie geht Briefwahl?"), Phrase("Briefwahl", is_fuzzy=False)),
        core=TokenList((Slot("Wahl"), Slot("SPD", WordMode.EXACTLY)), Need.PERCENT, 50),
        anchor=TokenList((Slot("klima", WordMode.STARTS),), Need.ANY),
        exclude=TokenList((Slot("Österreich | Schweiz"), Slot("steuer", WordMode.ENDS)), Need.COUNT, 2),
        documents=(
            LinkedDocument(str(guide.uuid), guide.title, Scope(ScopeKind.RANGE, 2, 4), 900),
            LinkedDocument(str(guide.uuid), guide.title, Scope(ScopeKind.SECTION, path=("Antrag", "A › B"))),
            LinkedDocument(str(guide.uuid), guide.title, Scope(ScopeKind.FIRST, None, 3)),
        ),
        links=(link.address,),
        answer=CuratedAnswer("Bis Freitag.", True, "Politikredaktion", date(2027, 1, 1), date(2027, 9, 26)),
        examples=(Example("Geht Briefwahl?", stage=Stage.FUZZY), Example("Geht Urnenwahl?", must_match=False)),
        tags=("wahl", "fristen"),
        owner="ada",
        reason="Weil die Suche nur das alte Merkblatt fand.",
        version=3,
    )


def read(spec: RuleSpec, **changes: str) -> tuple[RuleForm, RuleSpec]:
    form = RuleForm(posted(spec, **changes), base=spec)
    form.is_valid()
    return form, spec_from(form)


def test_opening_and_saving_changes_nothing(full):
    form, spec = read(full)
    assert form.is_valid(), (form.errors, [rows.errors for rows in form.formsets])
    assert spec == full


def test_a_new_rule_begins_active_and_empty():
    form = RuleForm(posted(RuleSpec(uid=""), title="Wo wähle ich?", uid=""))
    assert form.is_valid(), form.errors
    assert named(spec_from(form)) == RuleSpec(uid="wo-waehle-ich", title="Wo wähle ich?")


def test_short_names_are_numbered_where_they_are_taken():
    Rule.objects.create(uid="briefwahl", title="Eins")
    form = RuleForm(posted(RuleSpec(uid=""), title="Briefwahl!", uid=""))
    assert form.is_valid()
    assert named(spec_from(form)).uid == "briefwahl-2"


def test_a_short_name_that_is_taken_is_refused_at_its_field():
    Rule.objects.create(uid="postal", title="Eins")
    form = RuleForm(posted(RuleSpec(uid=""), title="Zwei", uid="Postal"))
    assert not form.is_valid()
    assert list(form.errors) == ["uid"]


WRONG = {
    "no title": ({"title": " "}, "title"),
    "a title of 201 characters": ({"title": "x" * 201}, "title"),
    "a threshold of 101": ({"threshold": "101"}, "threshold"),
    "a threshold of words": ({"threshold": "neunzig"}, "threshold"),
    "a priority of 0": ({"priority": "0"}, "priority"),
    "an end before the beginning": ({"valid_until": "2020-01-01T00:00"}, "valid_until"),
    "no such day": ({"valid_from": "2027-02-31T00:00"}, "valid_from"),
    "the year one": ({"valid_from": "0001-01-01T00:00"}, "valid_from"),
    "an unknown audience": ({"audiences": "martians"}, "audiences"),
    "a count without a number": ({"core_need": "count", "core_amount": ""}, "core_amount"),
    "an unsigned text of the desk": ({"answer_owner": ""}, "answer_owner"),
    "an unknown parent": ({"parent": "", "parent_title": "Gibt es nicht"}, "parent_title"),
    "a phrase that is too long": ({"phrases": "x" * 600}, "phrases"),
    "an unknown owner": ({"owner": "nobody"}, "owner"),
}


@pytest.mark.parametrize(("changes", "field"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_told_at_its_field_and_the_rest_is_kept(full, changes, field):
    form, spec = read(full, reason="Etwas Neues.", **changes)
    assert not form.is_valid()
    assert list(form.errors) == [field]
    assert spec.reason == "Etwas Neues."
    assert spec.documents == full.documents


ROW_WRONG = {
    "no such document": ({"documents-0-key": "", "documents-0-title": "Nirgends"}, "documents", 0, "title"),
    "a range that runs backwards": ({"documents-0-first": "5"}, "documents", 0, "last"),
    "first passages without a number": ({"documents-2-last": ""}, "documents", 2, "last"),
    "no section": ({"documents-1-section": ""}, "documents", 1, "section"),
    "an unknown scope": ({"documents-1-scope": "half"}, "documents", 1, "scope"),
    "no such link": ({"links-0-key": "", "links-0-title": "Nirgends"}, "links", 0, "title"),
    "an unknown stage": ({"examples-0-stage": "luck"}, "examples", 0, "stage"),
}


@pytest.mark.parametrize(("changes", "rows", "number", "field"), ROW_WRONG.values(), ids=ROW_WRONG)
def test_a_wrong_row_says_so_where_it_is(full, changes, rows, number, field):
    form, _spec = read(full, **changes)
    assert not form.is_valid()
    assert field in getattr(form, rows).forms[number].errors
    assert not form.errors


def test_a_title_that_was_typed_without_scripts_is_looked_up(full, guide, link):
    form, spec = read(
        full,
        **{"documents-0-key": "", "documents-0-title": "so geht"},
        **{"links-0-key": "", "links-0-title": "alles zur wahl"},
        parent="",
        parent_title="wahl",
    )
    assert form.is_valid(), [rows.errors for rows in form.formsets]
    assert (spec.documents, spec.links, spec.parent) == (full.documents, full.links, "top")


def test_a_title_that_means_several_documents_is_asked_about(full, guide):
    Document.objects.create(title="So geht Wählen", collection=guide.collection)
    form, _spec = read(full, **{"documents-0-key": "", "documents-0-title": "so geht"})
    assert not form.is_valid()
    assert "So geht Wählen" in str(form.documents.forms[0].errors["title"])


def test_a_stale_key_does_not_win_over_what_was_typed(full, guide):
    other = Document.objects.create(title="Wahlkalender", collection=guide.collection)
    form, spec = read(full, **{"documents-0-title": "Wahlkalender"})
    assert form.is_valid()
    assert spec.documents[0].uuid == str(other.uuid)


def test_a_document_that_is_gone_stays_linked_until_somebody_removes_it(full, guide):
    guide.delete()
    form, spec = read(full)
    assert form.is_valid(), form.documents.errors
    assert spec.documents == full.documents


def test_rows_come_in_the_order_of_their_numbers_and_without_the_removed(full):
    form, spec = read(full, **{"documents-0-ORDER": "9", "documents-1-DELETE": "on", "examples-0-DELETE": "on"})
    assert form.is_valid()
    assert [each.scope.kind for each in spec.documents] == [ScopeKind.FIRST, ScopeKind.RANGE]
    assert spec.examples == full.examples[1:]


def test_a_half_is_a_need_of_its_own(full):
    assert initial_from(full)["initial"]["core_need"] == "half"
    _form, spec = read(full, core_need="half", core_amount="")
    assert spec.core == full.core


def test_zero_percent_is_zero_and_not_the_usual(full):
    _form, spec = read(full, threshold="0")
    assert spec.threshold == 0
    _form, spec = read(full, threshold="")
    assert spec.threshold is None


def test_an_emptied_list_or_answer_is_none(full):
    _form, spec = read(full, core_slots="", anchor_slots=" \n", answer_text="")
    assert (spec.core, spec.anchor, spec.answer) == (None, None, None)


def test_many_rows_need_no_more_queries_than_one(full, guide, django_assert_max_num_queries):
    many = replace(full, documents=full.documents * 9)
    data = posted(many)
    with django_assert_max_num_queries(6):
        form = RuleForm(data, base=many)
        assert form.is_valid()


def test_more_rows_than_a_form_should_have_are_not_lost(full):
    many = replace(full, examples=tuple(Example(f"Frage {number}") for number in range(150)))
    form, spec = read(many)
    assert form.is_valid()
    assert spec == many


HOSTILE = {
    "nothing": {},
    "NUL everywhere": {"title": "a\x00b", "phrases": "\x00", "uid": "\x00", "owner": "\x00", "parent_title": "\x00"},
    "a megabyte": {"title": "x" * 500_000, "phrases": "y " * 250_000, "core_slots": "z\n" * 250_000},
    "a billion rows": {"documents-TOTAL_FORMS": "1000000000", "documents-INITIAL_FORMS": "1000000000"},
    "rows of words": {"documents-TOTAL_FORMS": "many", "links-TOTAL_FORMS": "-1", "examples-TOTAL_FORMS": "1e9"},
    "a number of 5,000 digits": {"priority": "9" * 5000, "version": "9" * 5000, "documents-0-first": "9" * 5000},
    "lone surrogates": {"title": "\ud800", "phrases": "\udfff", "documents-0-title": "\ud800", "parent": "\ud800"},
    "no uuid": {"documents-0-key": "' OR 1=1", "documents-0-title": "x", "documents-TOTAL_FORMS": "1"},
    "far away": {"valid_from": "9999-12-31T23:59:59", "answer_checked": "0001-01-01"},
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_no_form_data_raises(full, data):
    for base in (None, full):
        form = RuleForm(posted(full, **data) if data else {}, base=base)
        form.is_valid()
        assert isinstance(spec_from(form), RuleSpec)
