"""Saving, moving, copying, deleting and restoring rules: every change a version, nothing lost, nothing overwritten."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.db import connection

from apps.documents.models import CuratedLink, Document
from apps.rules.checking import Code
from apps.rules.loading import draft_set, rule_spec
from apps.rules.models import Rule, RuleVersion
from apps.rules.serialising import rule_from_json
from apps.rules.services import (
    ChecksFailedError,
    OvertakenError,
    UnknownRuleError,
    next_position,
    rule_copy,
    rule_delete,
    rule_move,
    rule_restore,
    rule_save,
    rule_status_set,
    rules_save,
)
from apps.rules.types import LinkedDocument, Phrase, RuleSpec, Slot, Status, TokenList
from tests.documents.builders import shelf
from tests.rules.building import FULL, rule

pytestmark = pytest.mark.django_db


@pytest.fixture
def petra() -> User:
    return User.objects.create_user("petra")


def saved(*specs: RuleSpec) -> list[Rule]:
    return rules_save(specs=specs, author=None)


def spec_of(uid: str) -> RuleSpec:
    return rule_spec(Rule.objects.whole().get(uid=uid))


def codes(error: pytest.ExceptionInfo[ChecksFailedError]) -> set[Code]:
    return {finding.code for finding in error.value.findings}


def test_a_rule_comes_back_as_it_was_saved(petra):
    stored = rule_save(spec=FULL, author=petra, comment="Neu")
    assert rule_spec(stored) == replace(FULL, version=1)
    version = RuleVersion.objects.get()
    assert rule_from_json(version.data) == FULL
    assert (version.author_name, version.comment) == ("petra", "Neu")


def test_saving_the_same_again_makes_no_version(petra):
    rule_save(spec=FULL, author=petra)
    assert rule_save(spec=FULL, author=petra).version == 1
    assert RuleVersion.objects.count() == 1


def test_each_field_that_changes_makes_a_version_and_is_stored(petra):
    rule_save(spec=FULL, author=petra)
    empty = RuleSpec(uid=FULL.uid, title="Leer", status=Status.DRAFT)
    assert rule_spec(rule_save(spec=empty, author=petra)) == replace(empty, version=2)
    assert rule_spec(rule_save(spec=FULL, author=petra)) == replace(FULL, version=3)


def test_what_cannot_be_stored_is_cleaned_at_the_door():
    spec = rule("a", title="  Brief\x00wahl ", phrases=(Phrase(" Wie,\r\nbitte?\ud800 "),), tags=("", "x ", "x"))
    stored = spec_of(saved(spec)[0].uid)
    assert (stored.title, stored.phrases, stored.tags) == ("Briefwahl", (Phrase("Wie,\nbitte?"),), ("x",))


def test_a_document_is_linked_by_its_uuid_and_keeps_its_title():
    document = Document.objects.create(title="Merkblatt", collection=shelf())
    stored = saved(rule("a", documents=(LinkedDocument(str(document.uuid)),)))[0]
    assert stored.documents.get().document == document
    assert rule_spec(stored).documents[0].title == "Merkblatt"


def test_a_link_that_is_not_there_is_made():
    CuratedLink.objects.create(title="Alles zur Briefwahl", address="https://example.org/a")
    saved(rule("a", links=("https://example.org/b", "https://example.org/a")))
    assert spec_of("a").links == ("https://example.org/b", "https://example.org/a")
    assert set(CuratedLink.objects.values_list("title", flat=True)) == {"Alles zur Briefwahl", "https://example.org/b"}


def test_a_link_named_by_the_address_it_had_is_linked_once():
    link = CuratedLink.objects.create(title="Alles zur Briefwahl", address="https://example.org/a")
    CuratedLink.objects.filter(pk=link.pk).update(address="https://example.org/b")
    saved(rule("a", links=("https://example.org/a", "https://example.org/b")))
    assert spec_of("a").links == ("https://example.org/b",)
    assert CuratedLink.objects.count() == 1


def test_the_second_of_two_editors_is_told_who_was_first_and_nothing_is_lost(petra):
    rule_save(spec=rule("a"), author=petra)
    rule_save(spec=rule("a", reason="Petras Grund"), author=petra, expected_version=1)
    with pytest.raises(OvertakenError, match="petra") as error:
        rule_save(spec=rule("a", title="Alt"), author=None, expected_version=1)
    assert error.value.latest is not None
    assert (error.value.latest.number, error.value.latest.data["reason"]) == (2, "Petras Grund")
    assert spec_of("a").reason == "Petras Grund"


@pytest.mark.django_db(transaction=True)
def test_of_two_editors_at_the_same_moment_one_is_told():
    saved(rule("a"))
    together = threading.Barrier(2)
    outcomes: list[str] = []

    def run(title: str) -> None:
        try:
            together.wait(20)
            rule_save(spec=rule("a", title=title), author=None, expected_version=1)
            outcomes.append("saved")
        except OvertakenError:
            outcomes.append("told")
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(title,)) for title in ("Eins", "Zwei")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(outcomes) == ["saved", "told"]
    assert Rule.objects.get().version == 2


def test_a_new_rule_does_not_take_a_name_that_is_taken():
    saved(rule("a"))
    with pytest.raises(OvertakenError):
        rule_save(spec=rule("a", phrases=(Phrase("Andere Frage"),)), author=None, expected_version=0)


def test_the_list_page_cannot_overwrite_either():
    saved(rule("a"))
    saved(rule("a", title="Neu"))
    with pytest.raises(OvertakenError):
        rule_status_set(uid="a", status=Status.PAUSED, author=None, expected_version=1)


def test_many_rules_are_saved_in_any_order_and_phrases_change_hands():
    saved(rule("low", parent="top"), rule("top"))
    saved(rule("low", parent="top", phrases=(Phrase("Frage top"),)), rule("top", phrases=(Phrase("Frage low"),)))
    assert spec_of("low").phrases == (Phrase("Frage top"),)
    assert spec_of("low").parent == "top"


def test_one_wrong_rule_keeps_all_of_them_out():
    with pytest.raises(ChecksFailedError) as error:
        saved(rule("a"), rule("b", phrases=(Phrase("frage a?"),)), rule("c", core=TokenList(())))
    assert codes(error) == {Code.PHRASE_IN_OTHER_RULE, Code.LIST_EMPTY}
    assert not Rule.objects.exists()


def test_a_phrase_of_another_rule_is_refused_by_name():
    saved(rule("a", phrases=(Phrase("Briefwahl beantragen"),)))
    with pytest.raises(ChecksFailedError, match="Rule “A” has the phrase “briefwahl beantragen” too") as error:
        saved(rule("b", phrases=(Phrase("briefwahl beantragen"),)))
    assert error.value.findings[0].others == ("a",)


@pytest.mark.parametrize("parent", ["a", "b", "c"])
def test_a_rule_is_not_moved_below_itself(parent):
    saved(rule("a"), rule("b", parent="a"), rule("c", parent="b"))
    with pytest.raises(ChecksFailedError) as error:
        rule_move(uid="a", parent=parent, position=0, author=None)
    assert codes(error) == {Code.PARENT_CYCLE}


def test_rules_stand_in_the_order_they_were_moved_to():
    saved(*(rule(uid) for uid in "abcd"))
    rule_move(uid="d", parent=None, position=0, author=None)
    rule_move(uid="a", parent=None, position=3, author=None)
    assert list(Rule.objects.values_list("uid", flat=True)) == ["d", "b", "c", "a"]
    before = RuleVersion.objects.count()
    rule_move(uid="c", parent=None, position=1, author=None)
    assert list(Rule.objects.values_list("uid", flat=True)) == ["d", "c", "b", "a"]
    assert RuleVersion.objects.count() == before + 1
    rule_move(uid="c", parent="a", position=5, author=None)
    assert spec_of("c").parent == "a"


def test_a_rule_that_is_woken_up_meets_who_took_its_phrase():
    saved(rule("a"))
    rule_status_set(uid="a", status=Status.PAUSED, author=None)
    saved(rule("b", phrases=(Phrase("Frage a"),)))
    with pytest.raises(ChecksFailedError, match="“B”"):
        rule_status_set(uid="a", status=Status.ACTIVE, author=None)


def test_a_copy_is_paused_and_has_everything(petra):
    rule_save(spec=FULL, author=petra)
    copy = rule_copy(uid=FULL.uid, new_uid="copy", author=petra)
    assert rule_spec(copy) == replace(
        FULL, uid="copy", title="Briefwahl (copy)", status=Status.PAUSED, position=1, version=1
    )


def test_a_deleted_rule_can_be_restored_from_its_history(petra):
    rule_save(spec=FULL, author=petra)
    assert rule_delete(uid=FULL.uid, author=petra) is None
    assert not Rule.objects.exists()
    CuratedLink.objects.all().delete()
    rule_restore(uid=FULL.uid, version=1, author=petra)
    assert spec_of(FULL.uid) == replace(FULL, version=3)


def test_a_rule_with_rules_below_is_not_deleted():
    saved(rule("a"), rule("b", parent="a"))
    with pytest.raises(ChecksFailedError, match="Rules stand below this one"):
        rule_delete(uid="a", author=None)


def test_a_restored_version_brings_back_every_row(petra):
    rule_save(spec=FULL, author=petra)
    rule_save(spec=rule(FULL.uid, title="Ganz anders"), author=None)
    restored = rule_restore(uid=FULL.uid, version=1, author=petra)
    assert rule_spec(restored) == replace(FULL, version=3)
    assert RuleVersion.objects.get(number=2).data["title"] == "Ganz anders"


def test_a_version_that_would_take_another_rules_phrase_is_not_restored():
    saved(rule("a"))
    saved(rule("a", phrases=(Phrase("Neue Frage"),)))
    saved(rule("b", phrases=(Phrase("Frage a"),)))
    with pytest.raises(ChecksFailedError, match="“B”"):
        rule_restore(uid="a", version=1, author=None)


def test_what_is_not_there_is_named():
    with pytest.raises(UnknownRuleError, match="gone"):
        rule_status_set(uid="gone", status=Status.PAUSED, author=None)
    with pytest.raises(UnknownRuleError):
        rule_restore(uid="gone", version=1, author=None)


def test_an_owner_whose_account_is_gone_does_not_stop_a_save():
    saved(rule("a", owner="nobody"))
    assert spec_of("a").owner == ""


def test_a_new_rule_stands_last():
    saved(rule("a", position=7))
    assert next_position(None) > 7
    assert next_position("a") > 0


def test_the_number_of_queries_does_not_grow_with_the_rules(django_assert_max_num_queries):
    specs = [rule(f"r{number}", core=TokenList((Slot(f"Wort{number}"),))) for number in range(60)]
    with django_assert_max_num_queries(45):
        saved(*specs)
    assert len(draft_set().rules) == 60
