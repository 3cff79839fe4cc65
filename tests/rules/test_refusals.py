"""The database refuses cycles, deep trees, one question in two rules and a changed history, whoever writes."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from apps.documents.models import Document
from apps.rules.keys import phrase_keys
from apps.rules.models import Release, ReleaseRule, Rule, RuleDocument, RuleVersion, TriggerPhrase
from tests.documents.builders import shelf

pytestmark = pytest.mark.django_db


def rule(uid: str, parent: Rule | None = None, **fields: object) -> Rule:
    return Rule.objects.create(uid=uid, title=uid.title(), parent=parent, **{"status": "active", **fields})


def phrase(owner: Rule, text: str) -> TriggerPhrase:
    return TriggerPhrase.objects.create(rule=owner, text=text, keys=list(phrase_keys(text)))


def chain(*uids: str) -> list[Rule]:
    rules: list[Rule] = []
    for uid in uids:
        rules.append(rule(uid, rules[-1] if rules else None))
    return rules


def test_a_direct_save_cannot_close_a_circle():
    top, middle, low = chain("top", "middle", "low")
    top.parent = low
    with pytest.raises(IntegrityError, match="Top → Low → Middle → Top"), transaction.atomic():
        top.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        Rule.objects.filter(pk=middle.pk).update(parent=low)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE rules_rule SET parent_id = id WHERE id = %s", [low.pk])


def test_a_sixth_level_is_refused():
    *_, fifth = chain("a", "b", "c", "d", "e")
    with pytest.raises(IntegrityError, match="6 levels"), transaction.atomic():
        rule("f", fifth)


def test_a_subtree_is_not_moved_too_deep():
    *_, third = chain("a", "b", "c")
    top, *_ = chain("x", "y", "z")
    with pytest.raises(IntegrityError, match="6 levels"), transaction.atomic():
        Rule.objects.filter(pk=top.pk).update(parent=third)


def test_bulk_create_cannot_go_too_deep():
    *_, fifth = chain("a", "b", "c", "d", "e")
    with pytest.raises(IntegrityError), transaction.atomic():
        Rule.objects.bulk_create([Rule(uid="f", title="f", parent=fifth)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Briefwahl beantragen", "briefwahl beantragen?"),
        ("Wahl-O-Mat", "wahlomat"),
        ("Wahl-O-Mat", "Wahl O Mat"),
        ("Wahl in München", "wahl in MUENCHEN"),
    ],
)
def test_the_same_question_in_a_second_rule_is_refused_and_the_first_is_named(one, other):
    phrase(rule("first"), one)
    second = rule("second")
    with pytest.raises(IntegrityError, match='The rule "First" has the phrase'), transaction.atomic():
        phrase(second, other)
    with pytest.raises(IntegrityError), transaction.atomic():
        TriggerPhrase.objects.bulk_create([TriggerPhrase(rule=second, text=other, keys=list(phrase_keys(other)))])


def test_two_spellings_that_only_share_a_hyphenated_third_may_stand_in_two_rules():
    phrase(rule("first"), "wahlomat")
    assert phrase(rule("second"), "Wahl O Mat").pk


MARCH, APRIL, MAY = (datetime(2027, month, 1, tzinfo=UTC) for month in (3, 4, 5))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"status": "paused"}, {}),
        ({"status": "archived"}, {}),
        ({"valid_until": APRIL}, {"valid_from": APRIL}),
        ({"languages": ["de"]}, {"languages": ["en"]}),
        ({"audiences": ["embed"]}, {"audiences": ["readers", "api"]}),
        ({"builder_choices": ["rent"]}, {"builder_choices": ["pension"]}),
    ],
)
def test_rules_that_never_meet_may_share_a_phrase(one, other):
    phrase(rule("first", **one), "Wann ist Wahl?")
    assert phrase(rule("second", **other), "Wann ist Wahl?").pk


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"status": "draft"}, {"status": "draft"}),
        ({"valid_until": MAY}, {"valid_from": APRIL}),
        ({"languages": ["de", "en"]}, {"languages": ["en"]}),
        ({"languages": ["de"]}, {}),
    ],
)
def test_rules_that_may_meet_share_no_phrase(one, other):
    phrase(rule("first", **one), "Wann ist Wahl?")
    second = rule("second", **other)
    with pytest.raises(IntegrityError), transaction.atomic():
        phrase(second, "Wann ist Wahl?")


def test_limits_of_the_rules_above_count():
    phrase(rule("first", rule("german", languages=["de"])), "Wann ist Wahl?")
    assert phrase(rule("second", rule("english", languages=["en"])), "Wann ist Wahl?").pk


@pytest.mark.parametrize(
    ("uid", "change"),
    [
        ("first", {"status": "active"}),
        ("above", {"status": "active"}),
        ("above", {"languages": []}),
        ("first", {"parent": None}),
    ],
)
def test_a_rule_that_wakes_up_or_moves_meets_what_took_its_phrase(uid, change):
    above = rule("above", **({"languages": ["en"]} if "languages" in change or "parent" in change else {}))
    first = rule("first", above)
    if change.get("status"):
        Rule.objects.filter(uid=uid).update(status="paused")
    phrase(first, "Wann ist Wahl?")
    phrase(rule("second", languages=["de"]), "Wann ist Wahl?")
    with pytest.raises(IntegrityError, match="Second"), transaction.atomic():
        Rule.objects.filter(uid=uid).update(**change)


def test_a_title_may_change_where_phrases_were_checked():
    phrase(rule("first"), "Wann ist Wahl?")
    assert Rule.objects.filter(uid="first").update(title="Termin") == 1


def test_phrases_change_hands_where_the_look_is_put_off():
    one, other = phrase(rule("first"), "A Frage"), phrase(rule("second"), "B Frage")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS phrase_taken DEFERRED")
        TriggerPhrase.objects.filter(pk=one.pk).update(text="B Frage", keys=["b frage"])
        TriggerPhrase.objects.filter(pk=other.pk).update(text="A Frage", keys=["a frage"])
        cursor.execute("SET CONSTRAINTS phrase_taken IMMEDIATE")
    assert TriggerPhrase.objects.get(pk=one.pk).text == "B Frage"


@pytest.mark.parametrize("keys", [[], [""], ["wann", ""]])
def test_a_phrase_without_its_spelling_is_refused(keys):
    owner = rule("first")
    with pytest.raises(IntegrityError), transaction.atomic():
        TriggerPhrase.objects.create(rule=owner, text="?", keys=keys)


def release_of(*versions: RuleVersion, number: int = 1, author: User | None = None) -> Release:
    with transaction.atomic():
        made = Release.objects.create(number=number, comment="First", threshold=90, token_budget=6_000, author=author)
        ReleaseRule.objects.bulk_create([ReleaseRule(release=made, version=version) for version in versions])
    return made


def version_of(uid: str, author: User | None = None) -> RuleVersion:
    return RuleVersion.objects.create(uid=uid, number=1, data={"uid": uid}, author=author)


def test_a_released_version_is_neither_changed_nor_deleted():
    version = version_of("first")
    release_of(version)
    version.data = {"uid": "other"}
    with pytest.raises(IntegrityError), transaction.atomic():
        version.save()
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM rules_ruleversion WHERE id = %s", [version.pk])


def test_a_release_is_neither_changed_nor_emptied_nor_filled_later():
    made = release_of(version_of("first"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Release.objects.filter(pk=made.pk).update(comment="Something else")
    with pytest.raises(IntegrityError), transaction.atomic():
        ReleaseRule.objects.filter(release=made).delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        made.delete()


@pytest.mark.django_db(transaction=True)
def test_a_release_that_was_committed_takes_no_more_rules():
    made = release_of(version_of("first"))
    with pytest.raises(IntegrityError):
        ReleaseRule.objects.create(release=made, version=version_of("second"))


def test_an_account_that_is_deleted_leaves_history_standing():
    author = User.objects.create_user("petra")
    version = version_of("first", author)
    made = release_of(version, author=author)
    author.delete()
    assert RuleVersion.objects.get(pk=version.pk).author is None
    assert Release.objects.get(pk=made.pk).author is None


def test_a_version_that_no_release_holds_can_be_deleted():
    version_of("first").delete()
    assert not RuleVersion.objects.exists()


def test_a_document_that_comes_back_under_its_name_is_linked_again():
    document = Document.objects.create(title="Merkblatt", collection=shelf())
    uuid = document.uuid
    row = RuleDocument.objects.create(
        rule=rule("first"), document=document, document_uuid=uuid, document_title="Merkblatt"
    )
    document.delete()
    row.refresh_from_db()
    assert row.document is None
    again = Document.objects.create(uuid=uuid, title="Merkblatt", collection=shelf())
    row.refresh_from_db()
    assert row.document == again


def at_once(*works: object) -> list[Exception | None]:
    """Let each work begin its transaction, then do both and commit; return what each of them met."""
    ready = threading.Barrier(len(works))
    outcomes: list[Exception | None] = [None] * len(works)

    def run(number: int, work: object) -> None:
        try:
            with transaction.atomic():
                Rule.objects.count()
                ready.wait(20)
                work()  # type: ignore[operator]
        except Exception as error:
            outcomes[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number, work)) for number, work in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return outcomes


@pytest.mark.django_db(transaction=True)
def test_two_transactions_cannot_each_add_half_a_circle():
    one, other = rule("one"), rule("other")
    outcomes = at_once(
        lambda: Rule.objects.filter(pk=one.pk).update(parent=other),
        lambda: Rule.objects.filter(pk=other.pk).update(parent=one),
    )
    assert [type(outcome) for outcome in outcomes].count(IntegrityError) == 1
    assert Rule.objects.filter(parent__isnull=True).count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_transactions_cannot_both_take_a_phrase():
    one, other = rule("one"), rule("other")
    outcomes = at_once(lambda: phrase(one, "Wann ist Wahl?"), lambda: phrase(other, "Wann ist Wahl?"))
    assert [type(outcome) for outcome in outcomes].count(IntegrityError) == 1
    assert TriggerPhrase.objects.count() == 1
