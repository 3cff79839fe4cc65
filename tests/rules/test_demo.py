"""The demo's rule tree works at once: a newcomer's first questions meet the rules that are meant for them."""

from __future__ import annotations

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import call_command

from apps.documents.models import CuratedLink, Document
from apps.rules.checking import Code
from apps.rules.index import RuleIndex, compile_index
from apps.rules.loading import live_release, release_set
from apps.rules.matching import match
from apps.rules.models import ProtectedTerm, Release, Rule
from apps.rules.services import release_preview
from apps.rules.types import Match, MatchContext, Stage, Status

WEEKS_BEFORE = datetime(2026, 11, 30, 12, tzinfo=UTC)
LAST_WEEK = datetime(2027, 2, 24, 12, tzinfo=UTC)


@pytest.fixture
def demo(db: None) -> RuleIndex:
    call_command("demo_documents", first=0, stdout=StringIO())
    call_command("demo_rules", first=1, stdout=StringIO())
    release = live_release()
    assert release is not None
    return compile_index(release_set(release))


def asked(index: RuleIndex, question: str, *, now: datetime = WEEKS_BEFORE, language: str = "de") -> Match:
    return match([question], MatchContext(now, language), index)


def winner(index: RuleIndex, question: str, **more: object) -> str:
    found = asked(index, question, **more)  # type: ignore[arg-type]
    return found.winners[0].uid if found.winners else ""


@pytest.mark.parametrize(
    ("question", "uid", "stage"),
    [
        ("Wie beantrage ich Briefwahl?", "briefwahl-antrag", Stage.EXACT),
        ("Wie beantrage ich die Briefwahl", "briefwahl-antrag", Stage.FUZZY),
        ("Wie funktioniert die Briefwahl?", "briefwahl", Stage.TOKEN),
        ("Wie will der Brückenbund der Wirtschaft in München helfen?", "muenchen-wirtschaft", Stage.TOKEN),
        ("Wie will die Auenpartei der Wirtschaft in München helfen?", "muenchen-wirtschaft", Stage.TOKEN),
    ],
)
def test_the_first_questions_meet_their_rules(demo: RuleIndex, question: str, uid: str, stage: Stage) -> None:
    found = asked(demo, question)
    assert (found.winners[0].uid, found.winners[0].stage) == (uid, stage)


@pytest.mark.parametrize(
    "question",
    [
        "Wie will der Brückenbund der Wirtschaft helfen?",
        "Wie will die Kompasspartei der Wirtschaft in München helfen?",
        "Wann laufen die Sommerinterviews?",
        "Welche Koalitionen sind möglich?",
    ],
)
def test_what_is_not_meant_paused_or_a_draft_meets_none(demo: RuleIndex, question: str) -> None:
    assert winner(demo, question) == ""


def test_a_schedule_opens_and_closes(demo: RuleIndex) -> None:
    question = "Kann ich heute noch Briefwahl machen?"
    assert winner(demo, question) == "briefwahl"
    assert winner(demo, question, now=LAST_WEEK) == "briefwahl-letzte-woche"


def test_english_rules_answer_english_questions_only(demo: RuleIndex) -> None:
    assert winner(demo, "Can I vote from abroad?", language="en") == "voting-abroad"
    assert winner(demo, "Can I vote from abroad?", language="de") == ""


def test_every_example_holds(demo: RuleIndex) -> None:
    wrong = []
    for spec in demo.rule_set.rules:
        language = spec.languages[0] if spec.languages else ("en" if spec.parent == "voting-guide" else "de")
        for example in spec.examples:
            now = spec.valid_from or WEEKS_BEFORE
            if (winner(demo, example.question, now=now, language=language) == spec.uid) is not example.must_match:
                wrong.append((spec.uid, example.question))
    assert not wrong


def test_every_phrase_can_match(demo: RuleIndex) -> None:
    found = release_preview().findings
    assert [(finding.uid, finding.params["phrase"]) for finding in found if finding.code is Code.PHRASE_GATED] == []


def test_it_shows_every_kind_of_rule(demo: RuleIndex) -> None:
    rules = demo.rule_set.rules
    assert Rule.objects.count() >= 25
    assert any(rule.exclude for rule in rules)
    assert any(rule.anchor for rule in rules)
    assert {rule.hit_policy.value for rule in rules} == {"stop", "collect"}
    assert {rule.extra.value for rule in rules} == {"off", "on", "fill"}
    assert any(rule.status is Status.PAUSED for rule in rules)
    assert any(rule.answer for rule in rules)
    assert any(rule.valid_until for rule in rules)
    assert ProtectedTerm.objects.count() == 5


def test_every_document_and_link_that_a_rule_names_is_there(demo: RuleIndex) -> None:
    rules = demo.rule_set.rules
    uuids = {document.uuid for rule in rules for document in rule.documents}
    assert Document.objects.filter(uuid__in=uuids).count() == len(uuids) > 10
    addresses = {link for rule in rules for link in rule.links}
    assert CuratedLink.objects.filter(address__in=addresses).count() == len(addresses) > 0
    folders = {rule.parent for rule in rules}
    assert all(rule.documents or rule.uid in folders for rule in rules)


def test_a_second_run_changes_nothing(demo: RuleIndex) -> None:
    out = StringIO()
    call_command("demo_rules", stdout=out)
    assert Release.objects.count() == 1
    assert "already" in out.getvalue()
