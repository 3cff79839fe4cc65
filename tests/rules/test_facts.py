"""What the checks are told about the world comes from the tables, in a constant number of queries."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from apps.core.ports import PastQuestion
from apps.documents.models import CuratedLink, Document
from apps.rules.checking import DocumentState, check_rule, check_set
from apps.rules.checking.types import Code, Question
from apps.rules.facts import gather_facts
from apps.rules.loading import draft_set, rule_spec
from apps.rules.models import Rule
from apps.rules.services import rule_documents_see, rule_save, rule_status_set
from apps.rules.types import LinkedDocument, RuleSet, RuleSpec, Scope, ScopeKind, Slot, Status, TokenList, WordMode
from tests.documents.builders import PROGRAMME, ready, receive, shelf
from tests.rules.building import rule

pytestmark = pytest.mark.django_db


def linked_to(*documents: Document, **fields: object) -> RuleSpec:
    return rule("a", documents=tuple(LinkedDocument(str(each.uuid), each.title) for each in documents), **fields)


def state_of(document: Document) -> DocumentState:
    return gather_facts(RuleSet((linked_to(document),))).documents[str(document.uuid)].state


def test_a_document_that_is_read_is_ready():
    assert state_of(ready()) is DocumentState.READY


def test_a_document_that_is_still_read_is_named_so():
    assert state_of(receive().document) is DocumentState.BEING_READ


def test_a_document_that_could_not_be_read_is_rejected():
    document = receive().document
    Document.objects.filter(pk=document.pk).update(status="rejected", reason="Kaputt.")
    assert state_of(document) is DocumentState.REJECTED


def test_a_document_of_the_desk_is_no_readers():
    assert state_of(ready(collection=shelf("desk", visibility="desk"))) is DocumentState.DESK_ONLY


@pytest.mark.parametrize(
    ("fields", "days", "state"),
    [
        ("valid_until", -1, DocumentState.EXPIRED),
        ("valid_until", 0, DocumentState.READY),
        ("valid_from", 1, DocumentState.FUTURE),
        ("valid_from", 0, DocumentState.READY),
    ],
)
def test_a_document_has_its_time(fields, days, state):
    document = ready()
    Document.objects.filter(pk=document.pk).update(**{fields: timezone.localdate() + timedelta(days=days)})
    assert state_of(document) is state


def test_what_a_scope_gives_and_what_does_not_fit_is_counted():
    document = ready()
    whole = LinkedDocument(str(document.uuid))
    none = LinkedDocument(str(document.uuid), "", Scope(ScopeKind.SECTION, path=("Fehlt",)))
    (all_of_it, nothing) = gather_facts(RuleSet((rule("a", documents=(whole, none)),))).handovers["a"]
    assert (all_of_it.passages, all_of_it.left_out, nothing.passages) == (all_of_it.of, 0, 0)
    (cut,) = gather_facts(RuleSet((rule("a", documents=(whole,)),), token_budget=1)).handovers["a"]
    assert (cut.left_out, cut.tokens) == (all_of_it.passages, all_of_it.tokens)


def findings_of(uid: str) -> set[Code]:
    spec = rule_spec(Rule.objects.whole().get(uid=uid))
    rules = RuleSet((spec,))
    return {finding.code for finding in check_rule(spec, rules, gather_facts(rules))}


def test_a_document_that_changes_is_flagged_until_an_editor_has_looked():
    document = ready()
    rule_save(spec=linked_to(document), author=None)
    assert findings_of("a") == set()
    ready(PROGRAMME.replace("48", "50"), document=document)
    assert findings_of("a") == {Code.DOCUMENT_NEWER}
    # Pausing is not looking.
    rule_status_set(uid="a", status=Status.PAUSED, author=None)
    assert Code.DOCUMENT_NEWER in findings_of("a")
    rule_documents_see(uid="a")
    assert findings_of("a") == set()
    ready(PROGRAMME.replace("48", "52"), document=document)
    rule_save(spec=linked_to(document, title="Neu"), author=None)
    assert findings_of("a") == set()


def test_links_owners_and_endings_are_looked_up():
    CuratedLink.objects.create(title="Alles", address="https://example.org/a", valid_until=date(2020, 1, 1))
    User.objects.create_user("petra")
    ready()
    spec = rule(
        "a",
        links=("https://example.org/a", "https://example.org/b"),
        owner="petra",
        core=TokenList((Slot("partei", WordMode.ENDS),)),
    )
    facts = gather_facts(RuleSet((spec, rule("b", owner="nobody"))), with_endings=True)
    assert facts.links.keys() == {"https://example.org/a"}
    assert facts.links["https://example.org/a"].valid_until == date(2020, 1, 1)
    assert facts.owners == {"petra"}
    assert facts.endings[WordMode.ENDS, "partei"] == ("brueckenpartei",)


def test_a_rule_above_that_is_a_draft_is_not_called_missing():
    rule_save(spec=rule("top", status=Status.DRAFT), author=None)
    rule_save(spec=rule("a", parent="top"), author=None)
    rules = draft_set()
    assert {each.code for each in check_set(rules, gather_facts(rules))} == {Code.PARENT_NOT_ACTIVE}


def asked(limit: int, since: datetime | None) -> list[PastQuestion]:
    return [PastQuestion("1", "Wann ist Wahl?", "de", datetime(2027, 1, 1, tzinfo=UTC), ("rent",))][:limit]


def test_recent_questions_come_through_their_port(settings):
    settings.PORTS = {"rules.past_questions": f"{__name__}.asked"}
    assert gather_facts(RuleSet(())).questions == (Question("Wann ist Wahl?", "de", frozenset({"rent"})),)


def test_the_number_of_queries_does_not_grow_with_the_rules(django_assert_num_queries, settings):
    settings.PORTS = {}
    document = ready()
    few = [linked_to(document)]
    many = [rule(f"r{number}", documents=linked_to(document).documents) for number in range(40)]
    with django_assert_num_queries(3):
        gather_facts(RuleSet(tuple(few)))
    with django_assert_num_queries(3):
        gather_facts(RuleSet(tuple(many)))
