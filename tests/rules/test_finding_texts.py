"""Every finding has a sentence that names what it is about and what to do."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.utils import translation

from apps.rules.checking import Code, Finding, Level, check_set
from apps.rules.texts import finding_text
from apps.rules.texts.findings import _SENTENCES
from apps.rules.types import RuleSet
from tests.rules.building import rule
from tests.rules.test_checks import FACTS, NEVER_RIGHT, ONLY_WARNED


@pytest.mark.parametrize("code", list(Code))
def test_every_code_has_a_sentence(code):
    with translation.override("en"):
        names = re.findall(r"%\((\w+)\)s", str(_SENTENCES[code]))
        params = {name: "2027-03-01" if name in ("until", "since") else name.upper() for name in names}
        text = finding_text(Finding(code, Level.ERROR, "a", params=params))
    assert text[0].isupper() or text[0] in "“0123456789"
    assert text.endswith(".")
    assert "%(" not in text


@pytest.mark.parametrize("fields", [fields for _, fields, _ in [*NEVER_RIGHT, *ONLY_WARNED]], ids=str)
def test_the_checks_give_what_the_sentences_need(fields):
    spec = rule(**{"uid": "a", **fields})
    findings = check_set(RuleSet((spec,)), replace(FACTS, owners=frozenset(), builder_choices=frozenset()))
    assert findings
    assert all(finding_text(finding) for finding in findings)


def test_a_clash_names_the_other_rule_and_says_what_to_do():
    params = {"phrase": "Briefwahl beantragen", "rule": "Wahlen"}
    with translation.override("en"):
        text = finding_text(Finding(Code.PHRASE_IN_OTHER_RULE, Level.ERROR, "a", "phrases", params))
    assert text == "Rule “Wahlen” has the phrase “Briefwahl beantragen” too. Change one of them or archive a rule."


def test_moments_are_told_in_the_newsrooms_time():
    with translation.override("en"):
        text = finding_text(Finding(Code.FUTURE, Level.NOTE, "a", params={"since": "2027-07-01T10:00:00+00:00"}))
    assert "07/01/2027 noon" in text
