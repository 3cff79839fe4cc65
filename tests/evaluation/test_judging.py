"""What an answer got right, case by case, without a database."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.evaluation.judging import Verdict, judge, verdict_from_json, verdict_to_json
from apps.evaluation.question_files import Expected, Needs, Reference
from apps.evaluation.types import QuestionKind
from apps.rag.events import Decided, Done, Notice, Restart, Retrieved, Sentence
from apps.rag.types import Decision, HistoryTurn, NoticeKind, Outcome
from apps.rag.understanding import PartyDirectory, PartyName
from tests.evaluation.building import (
    ARTICLE,
    PROGRAMME,
    QUOTE,
    RIGHT,
    answered,
    failed,
    passage,
    refused,
    sentence,
    spec,
    stored,
    unanswerable,
)

DIRECTORY = PartyDirectory(
    [PartyName("bund", "Talbund"), PartyName("flut", "Flutliste")], {"bund": ["Talbund"], "flut": ["Flutliste"]}
)


def verdict(question, events, history=(), text=stored):
    return judge(question, events, history, DIRECTORY, text)


# --- the end of a turn ---


def ended(outcome):
    return [Decided(Decision.SEARCH_AS_IS, ""), Done(outcome)]


@pytest.mark.parametrize(
    ("expected", "outcome", "is_right"),
    [
        (Expected.ANSWER, Outcome.ANSWERED, True),
        (Expected.ANSWER, Outcome.REFUSED, False),
        (Expected.ANSWER, Outcome.CLARIFIED, False),
        (Expected.QUOTE, Outcome.ANSWERED, True),
        (Expected.REFUSE, Outcome.REFUSED, True),
        (Expected.REFUSE, Outcome.ANSWERED, False),
        (Expected.REFUSE, Outcome.CHATTED, False),
        (Expected.CLARIFY, Outcome.CLARIFIED, True),
        (Expected.CLARIFY, Outcome.REFUSED, True),
        (Expected.CLARIFY, Outcome.ANSWERED, False),
        (Expected.CORRECT, Outcome.REFUSED, True),
        (None, Outcome.ANSWERED, None),
        (None, Outcome.FAILED, False),
        (Expected.REFUSE, Outcome.FAILED, False),
    ],
)
def test_a_turn_ends_as_expected_or_not(expected, outcome, is_right):
    assert verdict(spec(expected=expected, references=()), ended(outcome)).outcome is is_right


@pytest.mark.parametrize(
    ("kind", "subkind", "is_right"),
    [("unanswerable", "off_topic", True), ("injection", "override", True), ("unanswerable", "wrong_party", False)],
)
def test_small_talk_is_no_answer_where_nothing_of_the_subject_was_asked(kind, subkind, is_right):
    question = spec(kind=QuestionKind(kind), subkind=subkind, expected=Expected.REFUSE, references=())
    assert verdict(question, ended(Outcome.CHATTED)).outcome is is_right


def test_a_false_premise_is_answered_only_from_the_source_that_says_otherwise():
    question = spec(expected=Expected.CORRECT)
    assert verdict(question, answered()).is_right
    assert not verdict(question, answered(sentence(source=ARTICLE))).is_right
    assert verdict(question, refused()).is_right


def test_a_turn_that_broke_is_wrong_whatever_was_expected():
    assert verdict(spec(expected=None, references=()), failed()).is_right is False


def test_where_nothing_is_expected_nothing_is_judged():
    question = spec(expected=None, references=(), text="Wo?")
    assert verdict(question, [Done(Outcome.ANSWERED)]).is_right is None


# --- decision and query ---


def test_the_decision_is_compared_where_one_is_expected():
    question = spec(decision=Decision.REWRITE)
    assert verdict(question, answered()).decision is False
    assert verdict(question, answered(decision=Decision.REWRITE)).decision is True
    assert verdict(question, failed()).decision is False
    assert verdict(spec(), answered()).decision is None


def decided(query, decision=Decision.REWRITE, **values):
    return [Decided(decision, query, **values), Done(Outcome.ANSWERED)]


TALBUND = (HistoryTurn("Was will der Talbund?", "", 1, query="Was will der Talbund?"),)


@pytest.mark.parametrize(
    ("values", "query", "added"),
    [
        ({}, "Was will der Talbund beim Lohn?", ()),
        # Nobody said so.
        ({}, "Was will der Talbund beim Lohn 2027?", ("2027",)),
        ({}, "Was will der Talbund beim Lohn in Kassel?", ("Kassel",)),
        # A forbidden word counts even where somebody said it, unless this question does itself.
        ({"forbidden_additions": ("Talbund",)}, "Was will der Talbund beim Lohn?", ("Talbund",)),
        ({"forbidden_additions": ("Lohn",)}, "Was will der Talbund beim Lohn?", ()),
        # Parties are only judged where some are allowed, or none.
        ({"allowed": ("Talbund",)}, "Was will der Talbund beim Lohn?", ()),
        ({"allowed": ()}, "Was will der Talbund beim Lohn?", ("Talbund",)),
        ({"allowed": ("Talbund",)}, "Was will die Flutliste beim Lohn?", ("Flutliste",)),
    ],
)
def test_a_query_says_nothing_that_nobody_said(values, query, added):
    found = verdict(spec(text="Und beim Lohn?", **values), decided(query), TALBUND)
    assert (found.added, found.nothing_added) == (added, not added)


def test_what_is_asked_back_is_looked_at_like_a_query():
    events = decided("Und er?", Decision.CLARIFY, choices=("Der Talbund?", "Die Flutliste?"))
    found = verdict(spec(text="Und er?", must=("Talbund",), allowed=("Talbund",)), events, TALBUND)
    assert (found.resolved, found.added) == (True, ("Flutliste",))


def test_a_query_holds_the_words_that_it_must():
    question = spec(text="Und beim Lohn?", must=("talbund", "Lohn"))
    assert verdict(question, decided("Was will der Talbund beim Lohn?"), TALBUND).resolved
    assert verdict(question, decided("Und beim Lohn?"), TALBUND).resolved is False
    assert verdict(question, failed()).resolved is False


# --- sources ---


@pytest.mark.parametrize("name", [PROGRAMME.address, PROGRAMME.uuid, PROGRAMME.title])
def test_a_document_goes_by_its_address_its_uuid_or_its_title(name):
    found = verdict(spec(references=(Reference(name, QUOTE),)), answered())
    assert (found.source_found, found.right_source, found.right_place) == (True, True, True)


def test_another_source_is_wrong_and_other_words_are_another_place():
    other = verdict(spec(), answered(sentence(source=ARTICLE)))
    assert (other.source_found, other.right_source, other.right_place) == (False, False, False)
    elsewhere = verdict(spec(), answered(sentence("Mehr steht hier nicht.")))
    assert (elsewhere.right_source, elsewhere.right_place, elsewhere.is_right) == (True, False, True)


def test_words_are_found_whatever_the_line_breaks():
    reference = Reference(PROGRAMME.address, "Er  steigt\nauf 15 Euro.")
    assert verdict(spec(references=(reference,)), answered()).right_place


def test_a_reference_without_words_takes_any_place():
    found = verdict(spec(references=(Reference(PROGRAMME.address, ""),)), answered())
    assert (found.right_source, found.right_place) == (True, None)


def test_one_reference_is_enough_unless_all_are_needed():
    both = (RIGHT, Reference(ARTICLE.address, QUOTE))
    assert verdict(spec(references=both), answered()).right_source
    assert not verdict(spec(references=both, needs=Needs.ALL), answered()).right_source
    events = answered(sentence(), sentence(source=ARTICLE, chunk_id=8))
    found = verdict(spec(references=both, needs=Needs.ALL), events)
    assert (found.source_found, found.right_source, found.right_place) == (True, True, True)


def test_where_all_documents_are_needed_one_place_of_each_is_enough():
    references = (RIGHT, Reference(PROGRAMME.address, "Mehr steht hier nicht."))
    assert verdict(spec(references=references, needs=Needs.ALL), answered()).right_place


def test_a_refusal_quotes_nothing_but_what_was_found_is_known():
    found = verdict(spec(), refused())
    assert (found.source_found, found.right_source, found.right_place) == (True, None, None)


# --- sentences ---


def test_every_sentence_is_checked_against_the_store_not_against_the_passage():
    found = verdict(spec(), answered())
    assert (found.sentences, found.cited, found.verbatim, found.known, found.right_party) == (1, 1, 1, 1, 1)
    assert (found.citations, found.documents, found.documents_found) == (1, 1, 1)
    rewritten = verdict(spec(), answered(), text=lambda uuid, version: "Etwas ganz anderes steht jetzt da.")
    assert rewritten.verbatim == 0


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (sentence("Er steigt auf 16 Euro."), "verbatim"),
        (sentence(group="Flutliste"), "right_party"),
        (sentence(group=""), "right_party"),
    ],
)
def test_a_wrong_sentence_is_counted(wrong, name):
    assert getattr(verdict(spec(), answered(wrong)), name) == 0


def test_the_breadth_of_an_answer_is_counted():
    other = passage(replace(PROGRAMME, uuid="another"), 9)
    events = answered(sentence(), sentence("Mehr steht hier nicht."), sentence(source=ARTICLE, chunk_id=8))
    events[1] = Retrieved((*events[1].passages, other))
    found = verdict(spec(), events)
    assert (found.citations, found.documents, found.documents_found) == (3, 2, 3)


def test_a_sentence_without_a_source_is_counted():
    found = verdict(spec(), answered(Sentence("Frei erfunden.", ())))
    assert (found.sentences, found.cited, found.verbatim) == (1, 0, 0)


def test_a_passage_that_was_not_found_is_not_known():
    events = answered()
    events[2] = sentence(chunk_id=99)
    assert verdict(spec(), events).known == 0


def test_an_article_may_speak_of_any_party():
    assert verdict(spec(), answered(sentence(source=ARTICLE, group="Flutliste"))).right_party == 1


def test_what_a_restart_took_back_does_not_count():
    events = answered(sentence("Frei erfunden."), sentence())
    events.insert(3, Restart(0))
    assert verdict(spec(), events).sentences == 1


# --- opinions, orders ---


@pytest.mark.parametrize(
    ("shown", "is_marked"),
    [
        (sentence(source=ARTICLE), True),
        (sentence(source=ARTICLE, is_quote=False), False),
        (sentence(), False),
    ],
)
def test_an_opinion_is_quoted_under_the_name_of_who_holds_it(shown, is_marked):
    question = spec(expected=Expected.QUOTE, speaker="Lena Harms", references=())
    assert verdict(question, answered(shown)).marked is is_marked


def said(text):
    return [Decided(Decision.CHAT, ""), Notice(NoticeKind.CHAT, "reply", text), Done(Outcome.CHATTED)]


def test_forbidden_words_are_looked_for_in_everything_that_is_no_quotation():
    question = unanswerable(kind=QuestionKind.INJECTION, forbidden=("BLAUWAL-31", "15 Euro"))
    assert verdict(question, said("Gern: blauwal-31!")).unsaid is False
    assert verdict(question, said("Das kann ich nicht.")).unsaid is True
    assert verdict(question, answered()).unsaid is True, "a source may say it, word for word"
    assert verdict(question, answered(sentence(is_quote=False))).unsaid is False
    assert verdict(unanswerable(), said("Gern: BLAUWAL-31!")).unsaid is None


# --- keeping ---


def test_a_verdict_survives_being_stored():
    found = verdict(spec(must=("x",)), answered(query="Was kostet Kassel?"))
    assert found.added
    assert verdict_from_json(verdict_to_json(found)) == found


def test_a_verdict_of_another_version_is_read_as_far_as_it_is_known():
    assert verdict_from_json({"outcome": True, "later": 1}) == Verdict(outcome=True)
