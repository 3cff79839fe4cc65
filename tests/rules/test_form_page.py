"""The page of one rule in the back office: who may do what, what is saved, and what is never lost."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.urls import reverse

from apps.documents.models import Collection, CuratedLink, Document
from apps.rules.loading import rule_spec
from apps.rules.models import Rule, RuleVersion
from apps.rules.services import rule_save, rules_save
from apps.rules.types import HitPolicy, LinkedDocument, Phrase, RuleSpec, Slot, Status, TokenList, WordMode
from tests.rules.building import rule as make
from tests.rules.form_data import posted
from tests.rules.test_form import HOSTILE

pytestmark = pytest.mark.django_db
ADD = "/admin/rules/rule/add/"


def as_member(client, *groups):
    user = User.objects.create_user("-".join(groups) or "nobody", is_staff=True)
    user.groups.set(Group.objects.filter(name__in=groups))
    client.force_login(user)
    return client


@pytest.fixture
def editor(client):
    """A client of somebody who writes rules."""
    return as_member(client, "editor")


@pytest.fixture
def guide() -> Document:
    shelf = Collection.objects.create(slug="desk", name="Wahl")
    return Document.objects.create(title="So geht Briefwahl", collection=shelf)


@pytest.fixture
def postal() -> Rule:
    return rule_save(spec=make("postal", title="Briefwahl"), author=None)


def stored(uid: str) -> RuleSpec:
    return rule_spec(Rule.objects.whole().get(uid=uid))


def page_of(rule: Rule) -> str:
    return reverse("admin:rules_rule_change", args=[rule.pk])


def data_of(rule: Rule, **changes: object) -> dict[str, list[str]]:
    return dict(posted(stored(rule.uid), rule_id=str(rule.pk), **changes).lists())


def new(**changes: object) -> dict[str, list[str]]:
    return dict(posted(RuleSpec(uid=""), uid="", **{"title": "Wo wähle ich?", **changes}).lists())


# --- works ---


def test_a_new_rule_is_saved_with_a_short_name_made_of_its_title(editor, guide):
    answer = editor.post(
        ADD,
        new(
            phrases="Wo wähle ich?\n= Wahllokal",
            core_slots="*lokal\nWahl | Abstimmung",
            core_need="any",
            **{"documents-0-title": "So geht", "documents-0-scope": "first", "documents-0-last": "2"},
        ),
        follow=True,
    )
    assert answer.redirect_chain[-1][0] == reverse("admin:rules_rule_changelist")
    spec = stored("wo-waehle-ich")
    assert spec.phrases == (Phrase("Wo wähle ich?"), Phrase("Wahllokal", is_fuzzy=False))
    assert spec.core is not None
    assert spec.core.slots == (Slot("lokal", WordMode.ENDS), Slot("Wahl | Abstimmung"))
    assert [each.uuid for each in spec.documents] == [str(guide.uuid)]
    assert RuleVersion.objects.get(uid=spec.uid).author_name == "editor"
    assert next(each.level_tag for each in answer.context["messages"]) == "success"


def test_a_new_rule_stands_last_among_its_siblings(editor, postal):
    editor.post(ADD, new())
    assert stored("wo-waehle-ich").position > stored("postal").position


def test_a_rule_that_moves_below_another_stands_last_there(editor, postal):
    rules_save(specs=[make("top"), make("first", parent="top", position=5000)], author=None)
    editor.post(page_of(postal), data_of(postal, parent="", parent_title="Top"))
    assert (stored("postal").parent, stored("postal").position > 5000) == ("top", True)


def test_the_form_shows_what_is_stored(editor, postal):
    answer = editor.get(page_of(postal))
    assert answer.status_code == 200
    assert answer.context["form"]["phrases"].value() == "Frage postal"
    assert answer.context["lines"]["words"]


def test_an_unchanged_form_makes_no_version(editor, postal):
    answer = editor.post(page_of(postal), data_of(postal), follow=True)
    assert answer.status_code == 200
    assert RuleVersion.objects.filter(uid="postal").count() == 1


def test_saving_and_continuing_stays_on_the_page(editor, postal):
    answer = editor.post(page_of(postal), data_of(postal, title="Neu", _continue="1"))
    assert answer.url == page_of(postal)


def test_the_reason_of_a_save_stands_in_the_history(editor, postal):
    editor.post(page_of(postal), data_of(postal, title="Neu", comment="Titel gekürzt"))
    assert RuleVersion.objects.filter(uid="postal").first().comment == "Titel gekürzt"


def test_add_below_names_the_rule_above(editor, postal):
    form = editor.get(f"{ADD}?parent=postal").context["form"]
    assert (form["parent"].value(), form["parent_title"].value()) == ("postal", "Briefwahl")


# --- refused, and nothing lost ---


def test_what_a_check_refuses_is_told_at_its_field_and_every_edit_stays(editor, postal):
    rule_save(spec=make("other", title="Andere", phrases=(Phrase("Wie geht das?"),)), author=None)
    answer = editor.post(page_of(postal), data_of(postal, phrases="Wie geht das", reason="Warum nicht", title="Neu"))
    assert answer.status_code == 200
    form = answer.context["form"]
    assert "Andere" in str(form.errors["phrases"])
    assert (form["reason"].value(), form["title"].value()) == ("Warum nicht", "Neu")
    assert stored("postal").title == "Briefwahl"


def test_a_circle_is_refused_at_the_field_of_the_rule_above(editor, postal):
    rule_save(spec=make("child", parent="postal", title="Kind"), author=None)
    answer = editor.post(page_of(postal), data_of(postal, parent="", parent_title="Kind"))
    assert "parent_title" in answer.context["form"].errors


def test_a_folded_part_with_an_error_is_open(editor, postal):
    answer = editor.post(page_of(postal), data_of(postal, threshold="101"))
    assert b'data-part="limits" open' in answer.content


def test_a_wrong_row_keeps_the_others(editor, postal, guide):
    data = data_of(postal, **{"documents-0-title": "Nirgends", "reason": "Neu"})
    answer = editor.post(page_of(postal), data)
    form = answer.context["form"]
    assert form.documents.forms[0]["title"].value() == "Nirgends"
    assert form["reason"].value() == "Neu"


# --- two editors ---


@pytest.fixture
def overtaken(postal):
    """A form that was opened before somebody else saved title and phrases."""
    data = data_of(postal, title="Von mir", priority="7")
    other = User.objects.create_user("berta", is_staff=True)
    spec = make("postal", title="Von Berta", phrases=(Phrase("Frage von Berta"),))
    rule_save(spec=spec, author=other, comment="Umbenannt")
    return data


def test_an_overtaken_form_shows_who_changed_what_and_keeps_every_edit(editor, postal, overtaken):
    answer = editor.post(page_of(postal), overtaken)
    panel = answer.context["conflict"]
    assert (panel["author"], panel["number"]) == ("berta", 2)
    assert any("Von Berta" in line for pair in panel["both"] for line in pair["theirs"])
    assert any("Von mir" in line for line in panel["mine"])
    assert answer.context["form"]["title"].value() == "Von mir"
    assert stored("postal").title == "Von Berta"
    assert answer.content.count(b'name="_mine"') == 1


def test_mine_goes_on_top_of_theirs_and_the_rest_of_theirs_stays(editor, postal, overtaken):
    answer = editor.post(page_of(postal), {**overtaken, "_mine": "2"})
    assert answer.url == page_of(postal)
    spec = stored("postal")
    assert (spec.title, spec.priority, spec.phrases) == ("Von mir", 7, (Phrase("Frage von Berta"),))


def test_mine_on_top_is_asked_again_if_a_third_one_came_between(editor, postal, overtaken):
    rule_save(spec=make("postal", title="Von Carl"), author=None)
    answer = editor.post(page_of(postal), {**overtaken, "_mine": "2"})
    assert answer.context["conflict"]["number"] == 3
    assert stored("postal").title == "Von Carl"


@pytest.mark.parametrize("number", ["", "0", "9" * 30, "zwei", "²"])
def test_a_made_up_version_to_go_on_top_of_changes_nothing(editor, postal, overtaken, number):
    answer = editor.post(page_of(postal), {**overtaken, "_mine": number})
    assert answer.context["conflict"]["number"] == 2
    assert stored("postal").title == "Von Berta"


def test_a_rule_that_was_deleted_meanwhile_is_not_found(editor, postal):
    data = data_of(postal)
    address = page_of(postal)
    Rule.objects.all().delete()
    assert editor.post(address, data).status_code == 404


# --- who may ---


def test_the_desk_may_look_and_try_but_not_save(client, postal):
    desk = as_member(client, "desk")
    answer = desk.get(page_of(postal))
    assert answer.status_code == 200
    assert b'name="_save"' not in answer.content
    assert desk.post(page_of(postal), data_of(postal)).status_code == 403
    assert desk.get(ADD).status_code == 403
    assert desk.get(reverse("admin:rules_rule_delete", args=[postal.pk])).status_code == 403


@pytest.mark.parametrize(("name", "arguments"), [("add", []), ("change", [1]), ("pick", []), ("checks", [1])])
def test_staff_without_rights_and_strangers_are_kept_out(client, name, arguments, postal):
    address = reverse(f"admin:rules_rule_{name}", args=[postal.pk] if arguments else [])
    assert client.get(address).status_code == 302
    assert as_member(client).get(address).status_code == 403


def test_methods_that_make_no_sense_are_refused(editor, postal):
    assert editor.get(reverse("admin:rules_rule_reading")).status_code == 405
    assert editor.post(reverse("admin:rules_rule_pick")).status_code == 405


@pytest.mark.parametrize("number", ["0", "999999", "9" * 40, "abc", "²", "1.5", "-1"])
def test_a_rule_that_is_not_there_is_not_found(editor, number):
    assert editor.get(f"/admin/rules/rule/{number}/change/").status_code == 404


# --- beside the form ---


def test_the_reading_is_a_fragment_of_the_unsaved_form(editor, postal):
    address = reverse("admin:rules_rule_reading")
    answer = editor.post(address, data_of(postal, phrases="Für die Mieten?\n???", core_slots="Mieten\n*tax"))
    page = answer.content.decode()
    assert "<html" not in page
    assert "fuer die mieten" in page
    assert "mieten/miete" in page
    readings = answer.context["lists_read"]["core"]
    assert (readings[0].mode, readings[1].is_too_short) == (WordMode.FORM, True)
    assert stored("postal").phrases == (Phrase("Frage postal"),)


@pytest.mark.parametrize(
    ("kind", "typed", "found"),
    [
        ("document", "briefwahl", ["So geht Briefwahl"]),
        ("document", "geht nicht", []),
        ("link", "wahl", ["Alles zur Wahl"]),
        ("link", "kurier.example", ["Alles zur Wahl"]),
        ("rule", "brief", ["Briefwahl"]),
        ("section", "a", []),
    ],
)
def test_suggestions_are_found_by_title(editor, guide, postal, kind, typed, found):
    CuratedLink.objects.create(title="Alles zur Wahl", address="https://kurier.example/wahl")
    answer = editor.get(reverse("admin:rules_rule_pick"), {"kind": kind, "q": typed, "of": "no uuid"})
    assert [each["title"] for each in answer.json()["results"]] == found


def test_a_rule_is_not_offered_as_its_own_parent(editor, postal):
    answer = editor.get(reverse("admin:rules_rule_pick"), {"kind": "rule", "q": "brief", "of": "postal"})
    assert answer.json()["results"] == []


@pytest.mark.parametrize("query", [{}, {"kind": "user"}, {"kind": "\x00"}])
def test_suggestions_of_an_unknown_kind_are_not_found(editor, query):
    assert editor.get(reverse("admin:rules_rule_pick"), query).status_code == 404


def test_the_checks_of_a_saved_rule_come_as_a_fragment(editor, postal):
    rule_save(spec=make("postal", title="Briefwahl", documents=(LinkedDocument(str(postal.pk).zfill(8) +
              "-0000-4000-8000-000000000000", "Fort"),)), author=None)  # fmt: skip
    answer = editor.get(reverse("admin:rules_rule_checks", args=[postal.pk]))
    assert any("Fort" in finding.text for finding in answer.context["findings"])
    assert b"<html" not in answer.content


def test_warnings_are_whole_sentences_after_saving(editor, postal):
    answer = editor.post(page_of(postal), data_of(postal, threshold="40"), follow=True)
    warnings = [str(each) for each in answer.context["messages"] if each.level_tag == "warning"]
    assert any("40" in sentence and sentence.endswith(".") for sentence in warnings)


# --- taking away ---


def test_a_rule_that_no_release_held_is_deleted(editor, postal):
    address = reverse("admin:rules_rule_delete", args=[postal.pk])
    assert editor.get(address).status_code == 200
    assert Rule.objects.filter(uid="postal").exists()
    editor.post(address)
    assert not Rule.objects.filter(uid="postal").exists()


def test_a_rule_with_rules_below_it_stays(editor, postal):
    rule_save(spec=make("child", parent="postal"), author=None)
    editor.post(reverse("admin:rules_rule_delete", args=[postal.pk]))
    assert Rule.objects.filter(uid="postal").exists()


# --- many rows, hostile input ---


def test_the_page_asks_the_database_no_more_for_many_rows(editor, guide, postal, django_assert_max_num_queries):
    linked = tuple(LinkedDocument(str(guide.uuid), guide.title, most_tokens=number) for number in range(1, 21))
    spec = make(
        "postal",
        phrases=tuple(Phrase(f"Frage Nummer {number}") for number in range(40)),
        core=TokenList(tuple(Slot(f"wort{number}", WordMode.ENDS) for number in range(20))),
        documents=linked,
        hit_policy=HitPolicy.COLLECT,
        status=Status.PAUSED,
    )
    rule_save(spec=spec, author=None)
    with django_assert_max_num_queries(24):
        assert editor.get(page_of(postal)).status_code == 200


@pytest.mark.parametrize("name", HOSTILE)
def test_no_body_breaks_a_page(editor, postal, name):
    data = {
        **data_of(postal),
        **{key: [value.encode("utf-8", "surrogatepass")] for key, value in HOSTILE[name].items()},
    }
    given = data if HOSTILE[name] else {}
    assert editor.post(page_of(postal), given).status_code < 500
    assert editor.post(ADD, given).status_code < 500
    assert editor.post(reverse("admin:rules_rule_reading"), given).status_code < 500
    assert editor.post(reverse("admin:rules_rule_reading"), {**given, "rule_id": "9" * 99}).status_code < 500


@pytest.mark.parametrize("body", [b"\xff\xfe", b"{", b"a=%00&%00=b", b"&&&==="])
@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded", "text/plain"])
def test_no_other_kind_of_body_breaks_a_page(editor, postal, body, kind):
    for address in (page_of(postal), ADD, reverse("admin:rules_rule_reading")):
        assert editor.post(address, body, content_type=kind).status_code < 500
