"""What masking promises, on the suites' own sentences; the half that nobody looked at counts."""

from __future__ import annotations

import pytest

from apps.core.suites import SuiteContext
from apps.language.identifiers import is_iban, is_payment_card, is_tax_id
from apps.querylog.suites.masking import judged, own, pii
from apps.querylog.suites.masking_cases import own_sentences, own_statements, sentence_of


def measured(suite, data_sets):
    return suite(SuiteContext(data=data_sets, say=lambda line: None))


def test_own_sentences_are_masked_as_promised(data_sets):
    """Measured on the unseen half (2026-11-30): structured .985, names 1.0, statements .936; no politician masked."""
    result = measured(own, data_sets)
    assert result.n == 440
    figures = result.figures
    assert figures["recall_structured_unseen"] >= 0.95
    assert figures["recall_names_unseen"] >= 0.95
    assert figures["recall_statements_unseen"] >= 0.9
    assert figures["politicians_masked"] <= 0.02
    assert figures["harmless_changed_with_sources"] <= 0.005
    assert figures["plain_statements_changed"] == 0


def test_public_cases_are_masked_as_promised(data_sets):
    figures = measured(pii, data_sets).figures
    assert figures["recall_structured"] >= 0.99
    assert figures["look_alikes_spared"] >= 0.98


def test_there_are_three_hundred_sentences_and_a_hundred_statements():
    assert len(own_sentences()) == 300
    assert sum(bool(sentence.marked) for sentence in own_statements()) == 100
    halves = [sentence.half for sentence in own_sentences()]
    assert 0.4 <= sum(halves) / len(halves) <= 0.6


def test_numbers_are_drawn_with_right_check_digits_and_the_same_every_time():
    for sentence in own_sentences():
        for each in sentence.marked:
            bare = each.words.replace(" ", "").replace("-", "")
            if each.kind == "iban":
                assert is_iban(bare.upper())
            if each.kind == "card":
                assert is_payment_card(bare)
    line = "ID [[tax|{tax_id}]]"
    assert sentence_of(line) == sentence_of(line)
    assert is_tax_id(sentence_of(line).marked[0].words)


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("Ich heiße [[name|Jana Probe]]", [True]),
        # Nothing tells that these are names: the suite must notice that they stay.
        ("[[name|Xq Blorf]] ruft an", [False]),
        ("Was sagt Herr [[public|Unbekannt]]?", [False]),
        ("[[statement|Ich habe *Krebs*]], wer hilft?", [True]),
        ("[[statement|Ich habe einen *Fnord*]], wer hilft?", [False]),
        ("[[address|Blorfkamp 17]] ist schön", [False]),
        ("Jana fragt für [[name|Jana Probe]]", [True]),
    ],
)
def test_the_suite_tells_right_from_wrong(line, right):
    assert [found.is_right for found in judged(sentence_of(line), ())] == right
