"""Publishing, pausing at once and rolling back: one transaction each, all or nothing, nothing lost."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from apps.documents.models import CuratedLink, Document
from apps.documents.services import documents_delete
from apps.rules.checking import Code
from apps.rules.loading import draft_set, live_release, release_set, rule_spec
from apps.rules.models import Release, Rule, RuleVersion
from apps.rules.services import (
    ChecksFailedError,
    CommentMissingError,
    NothingToPublishError,
    NotLiveError,
    ReleaseOvertakenError,
    UnknownRuleError,
    release_preview,
    release_publish,
    release_rollback,
    rule_delete,
    rule_move,
    rule_pause_now,
    rule_save,
    rule_status_set,
    rules_save,
)
from apps.rules.types import (
    Example,
    LinkedDocument,
    Phrase,
    RuleSet,
    RuleSpec,
    Scope,
    ScopeKind,
    Slot,
    Status,
    TokenList,
)
from tests.documents.builders import ready
from tests.rules.building import FULL, rule

FIRST = Scope(ScopeKind.FIRST, last=2)
pytestmark = pytest.mark.django_db


def saved(*specs: RuleSpec) -> None:
    rules_save(specs=specs, author=None)


def publish(*uids: str, comment: str = "Weil") -> Release:
    live = live_release()
    return release_publish(
        author=None, comment=comment, uids=set(uids) or None, expected_release=live.number if live else 0
    )


def live() -> dict[str, RuleSpec]:
    release = live_release()
    return {each.uid: each for each in release_set(release).rules} if release else {}


def drafts() -> dict[str, RuleSpec]:
    return {each.uid: rule_spec(each) for each in Rule.objects.whole()}


def plain(rules: RuleSet | dict[str, RuleSpec]) -> dict[str, RuleSpec]:
    """Rules without their version numbers, which only ever go up."""
    each = rules.rules if isinstance(rules, RuleSet) else rules.values()
    return {rule.uid: replace(rule, version=0) for rule in each}


def codes(error: pytest.ExceptionInfo[ChecksFailedError]) -> set[Code]:
    return {finding.code for finding in error.value.findings}


def test_a_release_holds_active_and_paused_rules_and_leaves_drafts_out():
    saved(rule("a"), rule("b", status=Status.PAUSED), rule("c", status=Status.DRAFT), rule("d", status=Status.ARCHIVED))
    release = publish()
    assert (release.number, release.kind, release.comment) == (1, "publish", "Weil")
    assert live() == {"a": replace(rule("a"), version=1), "b": replace(rule("b", status=Status.PAUSED), version=1)}


def test_readers_get_what_was_released_whatever_the_draft_is():
    saved(rule("a"))
    publish()
    saved(rule("a", title="Neu"))
    assert live()["a"].title == "A"


@pytest.mark.parametrize("comment", ["", "  ", "\x00"])
def test_a_release_needs_a_reason(comment):
    saved(rule("a"))
    with pytest.raises(CommentMissingError):
        publish(comment=comment)
    assert not Release.objects.exists()


def test_the_second_of_two_publishers_looks_again():
    saved(rule("a"))
    publish()
    saved(rule("b"))
    with pytest.raises(ReleaseOvertakenError) as error:
        release_publish(author=None, comment="Weil", expected_release=0)
    assert error.value.live == live_release()
    assert Release.objects.count() == 1


def test_nothing_new_is_not_published():
    saved(rule("a"))
    publish()
    with pytest.raises(NothingToPublishError):
        publish()


def test_a_changed_threshold_alone_is_worth_a_release(settings):
    saved(rule("a"))
    publish()
    settings.RULE_FUZZY_THRESHOLD = 85
    assert release_preview().limits == (("threshold", 90, 85),)
    assert publish().threshold == 85


def test_the_preview_says_in_which_way_each_rule_changes():
    saved(rule("a"), rule("b"), rule("c"))
    publish()
    saved(rule("b", title="Neu"), rule("d"))
    rule_status_set(uid="c", status=Status.ARCHIVED, author=None)
    preview = release_preview()
    kinds = {each.uid: (each.enters, each.leaves) for each in preview.differences}
    assert kinds == {"b": (False, False), "c": (False, True), "d": (True, False)}
    assert (preview.live_number, preview.may_publish) == (1, True)


def test_only_the_chosen_rules_go_live():
    saved(rule("a"), rule("b"))
    publish()
    saved(rule("a", title="A neu"), rule("b", title="B neu"), rule("c"))
    publish("a")
    assert {uid: each.title for uid, each in live().items()} == {"a": "A neu", "b": "B"}


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.DRAFT])
def test_a_chosen_rule_that_is_not_ready_leaves(status):
    saved(rule("a"), rule("b"))
    publish()
    rule_status_set(uid="a", status=status, author=None)
    publish("a")
    assert set(live()) == {"b"}


def test_a_chosen_rule_that_is_paused_sleeps():
    saved(rule("a"))
    publish()
    rule_status_set(uid="a", status=Status.PAUSED, author=None)
    publish("a")
    assert live()["a"].status is Status.PAUSED


def test_a_child_is_not_published_without_its_parent():
    saved(rule("top"), rule("low", parent="top"))
    with pytest.raises(ChecksFailedError, match="“Top” above is not live and not chosen") as error:
        publish("low")
    assert codes(error) == {Code.PARENT_NOT_PUBLISHED}
    publish("low", "top")
    assert set(live()) == {"low", "top"}


def test_rules_below_one_that_leaves_leave_too_and_it_is_said():
    saved(rule("top"), rule("low", parent="top"))
    publish()
    rule_status_set(uid="top", status=Status.ARCHIVED, author=None)
    preview = release_preview(uids={"top"})
    assert [(finding.code, finding.uid) for finding in preview.findings] == [(Code.LEAVES_WITH_PARENT, "low")]
    assert preview.is_empty is False
    saved(rule("other"))
    publish()
    assert set(live()) == {"other"}


def test_a_failing_example_blocks_the_release_also_one_of_another_rule():
    saved(rule("a", core=TokenList((Slot("Briefwahl"),)), examples=(Example("Wie geht Briefwahl?"),)))
    publish()
    saved(rule("b", core=TokenList((Slot("Briefwahl"),)), priority=1))
    with pytest.raises(ChecksFailedError, match="“B” wins instead") as error:
        publish("b")
    assert codes(error) == {Code.EXAMPLE_LOST}
    assert set(live()) == {"a"}


def test_what_is_missing_in_an_untouched_rule_does_not_stop_the_others(monkeypatch):
    saved(replace(FULL, status=Status.ACTIVE, valid_from=None, valid_until=None, examples=(), owner=""), rule("b"))
    with pytest.raises(ChecksFailedError) as error:
        publish()
    assert codes(error) == {Code.DOCUMENT_MISSING}
    publish("b")
    assert set(live()) == {"b"}


def test_a_rule_that_is_nowhere_is_named():
    with pytest.raises(UnknownRuleError, match="nowhere"):
        release_preview(uids={"nowhere"})


def test_a_rule_is_paused_at_once_and_nothing_else_goes_live():
    saved(rule("a"), rule("b"))
    publish()
    saved(rule("a", title="Noch nicht fertig"), rule("b", title="Auch nicht"), rule("c"))
    release = rule_pause_now(uid="a", author=None, comment="Falsche Zahl")
    assert release.kind == "pause"
    assert {uid: (each.title, each.status) for uid, each in live().items()} == {
        "a": ("A", Status.PAUSED),
        "b": ("B", Status.ACTIVE),
    }
    assert (drafts()["a"].title, drafts()["a"].status) == ("Noch nicht fertig", Status.PAUSED)
    publish()
    assert live()["a"].status is Status.PAUSED


def test_pausing_a_rule_without_unpublished_work_leaves_draft_and_release_the_same():
    saved(rule("a"))
    publish()
    rule_pause_now(uid="a", author=None, comment="Halt")
    assert live() == drafts()
    with pytest.raises(NotLiveError):
        rule_pause_now(uid="a", author=None, comment="Halt")


def test_a_rule_that_was_deleted_from_the_draft_can_still_be_paused():
    saved(rule("a"))
    publish()
    Rule.objects.all().delete()
    rule_pause_now(uid="a", author=None, comment="Halt")
    assert live()["a"].status is Status.PAUSED


def test_a_broken_rule_can_be_paused():
    saved(rule("a"))
    publish()
    Rule.objects.filter(uid="a").update(version=99)
    rule_pause_now(uid="a", author=None, comment="Halt")
    assert live()["a"].status is Status.PAUSED


def test_a_rollback_brings_back_every_row_and_loses_nothing():
    petra = User.objects.create_user("petra")
    document = ready()
    linked = (LinkedDocument(str(document.uuid), "Programm"), LinkedDocument(str(document.uuid), "", FIRST, 90))
    rule_save(spec=rule("top", phrases=()), author=petra)
    rule_save(spec=replace(FULL, parent="top", documents=linked), author=petra)
    publish("top", FULL.uid)
    before = plain(live())
    saved(RuleSpec(uid=FULL.uid, title="Leer"), rule("since"))
    CuratedLink.objects.all().delete()
    documents_delete(documents=Document.objects.filter(pk=document.pk))
    publish()
    rule_status_set(uid="top", status=Status.PAUSED, author=None)

    release = release_rollback(number=1, author=petra, comment="Zu früh")

    assert (release.number, release.kind, release.restored_from) == (3, "rollback", Release.objects.get(number=1))
    assert plain(live()) == before
    assert plain(draft_set()) == before
    assert drafts()["since"].status is Status.DRAFT
    assert live() == {uid: each for uid, each in drafts().items() if uid != "since"}
    assert RuleVersion.objects.filter(uid=FULL.uid, data__title="Leer").exists()


def test_a_rule_that_was_deleted_comes_back():
    saved(rule("a"), rule("b"))
    publish()
    Rule.objects.filter(uid="a").delete()
    publish()
    release_rollback(number=1, author=None, comment="Doch")
    assert set(live()) == set(drafts()) == {"a", "b"}


def test_a_phrase_goes_back_to_its_rule_and_who_took_it_is_archived():
    saved(rule("a"))
    publish()
    saved(rule("a", phrases=(Phrase("Etwas anderes"),)), rule("b", phrases=(Phrase("Frage a"),)))
    publish()
    release_rollback(number=1, author=None, comment="Zurück")
    assert live()["a"].phrases == (Phrase("Frage a"),)
    assert (drafts()["b"].status, drafts()["b"].phrases) == (Status.ARCHIVED, (Phrase("Frage a"),))


def test_a_new_rule_that_would_stand_too_deep_moves_to_the_top():
    saved(rule("a"), rule("b"))
    saved(*(rule(uid, parent=above) for above, uid in ["ab", "bc", "cd"]))
    publish()
    saved(rule("d", parent=None), rule("e", parent="d"), rule("f", parent="e"), rule("g", parent="f"))
    publish()
    release_rollback(number=1, author=None, comment="Zurück")
    assert drafts()["d"].parent == "c"
    assert (drafts()["e"].parent, drafts()["f"].parent, drafts()["g"].parent) == ("d", None, "f")


def test_parents_change_places_in_a_rollback():
    saved(rule("a"), rule("b", parent="a"))
    publish()
    saved(rule("b", parent=None), rule("a", parent="b"))
    publish()
    release_rollback(number=1, author=None, comment="Zurück")
    assert (drafts()["a"].parent, drafts()["b"].parent) == (None, "a")


def test_who_goes_back_looks_again_when_something_went_live_meanwhile():
    saved(rule("a"))
    publish()
    saved(rule("b"))
    publish()
    with pytest.raises(ReleaseOvertakenError):
        release_rollback(number=1, author=None, comment="Zurück", expected_release=1)
    assert release_rollback(number=1, author=None, comment="Zurück", expected_release=2).number == 3


def test_another_order_in_the_list_is_nothing_to_publish():
    saved(*(rule(uid) for uid in "abc"))
    publish()
    rule_move(uid="c", parent=None, position=0, author=None)
    assert release_preview().is_empty


def test_a_release_that_is_not_there_is_named():
    with pytest.raises(UnknownRuleError):
        release_rollback(number=7, author=None, comment="Zurück")


def test_what_was_changed_past_the_desk_is_published_as_it_is_and_leaves_a_version():
    saved(rule("a"))
    Rule.objects.filter(uid="a").update(reason="Von Hand")
    publish()
    assert live()["a"].reason == "Von Hand"
    assert live() == drafts()


def test_a_rule_that_a_release_held_is_archived_instead_of_deleted():
    saved(rule("a"))
    publish()
    archived = rule_delete(uid="a", author=None)
    assert archived is not None
    assert archived.status == "archived"


words = st.sampled_from(["Wahl", "Rente", "Miete", "Klima", "Bahn"])
specs = st.builds(
    lambda title, uid, parent, status, core: rule(
        uid,
        title=title,
        parent=parent if parent < uid else None,
        status=status,
        core=TokenList(tuple(Slot(word) for word in core)) if core else None,
    ),
    words,
    st.sampled_from("abcd"),
    st.sampled_from("abcd"),
    st.sampled_from([Status.ACTIVE, Status.PAUSED]),
    st.sets(words, max_size=3).map(sorted),
)
sets = st.lists(specs, min_size=1, max_size=4, unique_by=lambda spec: spec.uid).map(
    lambda rules: [
        spec if spec.parent in {each.uid for each in rules} else replace(spec, parent=None) for spec in rules
    ]
)


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    # Each try costs seconds of database work.
    phases=[Phase.explicit, Phase.generate],
)
@given(first=sets, second=sets)
def test_any_release_comes_back_as_it_was(first, second):
    with transaction.atomic():
        publish_both_and_go_back(first, second)
        transaction.set_rollback(True)


def publish_both_and_go_back(first: list[RuleSpec], second: list[RuleSpec]) -> None:
    for work in (first, second):
        gone = set(drafts()) - {spec.uid for spec in work}
        Rule.objects.filter(uid__in=gone, parent__isnull=False).update(parent=None)
        Rule.objects.filter(parent__uid__in=gone).update(parent=None)
        Rule.objects.filter(uid__in=gone).delete()
        saved(*work)
        if not release_preview().is_empty:
            publish()
    number = Release.objects.count()
    frozen = {release.number: plain(release_set(release)) for release in Release.objects.all()}
    for target in range(1, number + 1):
        release_rollback(number=target, author=None, comment="Zurück")
        assert plain(live()) == frozen[target]
        assert plain(draft_set()) == frozen[target]


@pytest.mark.django_db(transaction=True)
def test_of_two_publishers_at_once_one_looks_again():
    saved(rule("a"))
    ready_to_go = threading.Barrier(2)
    outcomes: list[object] = []

    def run() -> None:
        try:
            ready_to_go.wait(20)
            outcomes.append(release_publish(author=None, comment="Weil", expected_release=0).number)
        except ReleaseOvertakenError:
            outcomes.append("overtaken")
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(map(str, outcomes)) == ["1", "overtaken"]
    assert Release.objects.count() == 1
