"""The suites of citations find what is wrong: each figure falls when its fault is planted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from apps.core.suites import SUITES, load_suites
from apps.evaluation.filed_questions import Expected, FiledQuestion, Needs, Reference
from apps.evaluation.suites.citations import demo_documents, is_attributed, names_legal_basis, obeys
from apps.evaluation.suites.verdicts import Verdict, Wanted, fault, has_right_party, judge, sentence_figures, wanted_by
from apps.rag.events import Done, Event, Failed, Notice, Retrieved, Sentence
from apps.rag.types import Citation, NoticeKind, Outcome, Passage, Source
from tests.documents.builders import ready

QUOTE = "Das Rentenniveau bleibt bei 48 Prozent."
ADDRESS = "https://example.org/programm"
WANTED = Wanted(frozenset({"bruecke"}), (ADDRESS,), ((ADDRESS, "bei 48 Prozent"),))
ELSEWHERE = "https://example.org/anderswo"


@pytest.fixture
def answer(db: None) -> list[Event]:
    """A true answer over a stored document of a party."""
    document = ready(facts={"address": ADDRESS})
    version = document.current_version
    assert version is not None
    start = version.text.index(QUOTE)
    source = Source(
        str(document.uuid),
        version.number,
        document.title,
        document.kind,
        author="Ada Feder",
        party_slug="bruecke",
        party_name="Brückenpartei",
        address=ADDRESS,
    )
    citation = Citation(1, 7, source, start, start + len(QUOTE), QUOTE)
    passage = Passage(7, source, version.text, 0, len(version.text))
    return [Retrieved((passage,)), Sentence(QUOTE, (citation,), group="Brückenpartei"), Done(Outcome.ANSWERED)]


def planted(events: list[Event], change: Callable[[Sentence], Sentence]) -> list[Event]:
    return [change(event) if isinstance(event, Sentence) else event for event in events]


def cite(sentence: Sentence, **changes: object) -> Sentence:
    return replace(sentence, citations=(replace(sentence.citations[0], **changes),))  # type: ignore[arg-type]


def of_source(sentence: Sentence, **changes: object) -> Sentence:
    return cite(sentence, source=replace(sentence.citations[0].source, **changes))  # type: ignore[arg-type]


def test_a_true_answer_has_every_point(answer: list[Event]) -> None:
    verdict = judge(answer, WANTED)
    assert verdict == Verdict("answered", 1, 1, 1, 1, 1, right_source=True, contains_gold=True)
    assert fault(verdict) == ""


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda each: replace(each, citations=()), "not cited"),
        (lambda each: replace(each, text=each.text.replace("48", "49")), "not verbatim"),
        (lambda each: cite(each, start=each.citations[0].start + 1), "not verbatim"),
        (lambda each: cite(each, chunk_id=8), "unknown passage"),
        (lambda each: replace(each, group=""), "other party"),
        (lambda each: replace(each, group="Andere Partei"), "other party"),
        (lambda each: of_source(each, party_slug="andere"), "other party"),
        (lambda each: of_source(each, address=ELSEWHERE), "other source"),
        (lambda each: replace(each, is_more=True), "other place"),
    ],
)
def test_a_planted_fault_is_named(answer: list[Event], change: Callable[[Sentence], Sentence], named: str) -> None:
    assert fault(judge(planted(answer, change), WANTED)) == named


def test_other_words_of_the_right_document_are_another_place(answer: list[Event]) -> None:
    verdict = judge(answer, replace(WANTED, places=((ADDRESS, "Die Rente steigt mit den Löhnen."),)))
    assert (verdict.right_source, verdict.contains_gold) == (True, False)


def test_one_of_several_sources_is_enough_unless_all_are_wanted(answer: list[Event]) -> None:
    two = replace(WANTED, addresses=(ADDRESS, ELSEWHERE), places=(*WANTED.places, (ELSEWHERE, "Nein.")))
    assert judge(answer, two).right_source
    verdict = judge(answer, replace(two, needs_all=True))
    assert not verdict.right_source
    assert not verdict.contains_gold


def test_the_paper_s_own_words_stand_under_no_party_and_may_always_speak(answer: list[Event]) -> None:
    sentence = next(event for event in answer if isinstance(event, Sentence))
    paper = of_source(replace(sentence, group=""), party_slug="", party_name="")
    assert has_right_party(paper, {"bruecke"})
    assert not has_right_party(replace(paper, group="Brückenpartei"), {"bruecke"})


def test_refusals_and_failures_are_no_answers(answer: list[Event]) -> None:
    verdicts = [judge([*answer[:-1], last], WANTED) for last in (Done(Outcome.REFUSED), Failed("search_down"))]
    figures = sentence_figures([judge(answer, WANTED), *verdicts])
    assert [verdict.outcome for verdict in verdicts] == ["refused", "failed"]
    assert figures["refused"] == pytest.approx(2 / 3)
    assert figures["failed"] == 1
    assert figures["right_source"] == 1.0


def test_figures_without_any_answer_are_no_fault_and_no_success() -> None:
    figures = sentence_figures([Verdict("refused")])
    assert (figures["cited"], figures["right_source"], figures["refused"]) == (0, 0, 1)


def filed(**changes: object) -> FiledQuestion:
    references = (Reference("a", "eins"), Reference("b", "zwei"), Reference("a", "drei"))
    question = FiledQuestion("a001", "Wer?", "de", "comparison", Expected.ANSWER, "rente", references=references)
    return replace(question, **changes)  # type: ignore[arg-type]


def test_a_question_wants_the_documents_of_its_references() -> None:
    documents = {"a": {"address": "x", "party": "rot"}, "b": {"address": "y", "party": ""}}
    assert wanted_by(filed(), documents).parties == frozenset()
    assert wanted_by(filed(party="blau"), documents).parties == {"blau"}
    both = wanted_by(filed(needs=Needs.ALL), documents)
    assert (both.parties, both.addresses) == ({"rot"}, ("x", "y"))
    assert both.places == (("x", "eins"), ("y", "zwei"), ("x", "drei"))


def test_the_legal_basis_counts_where_it_is_shown_at_once(answer: list[Event]) -> None:
    question = filed(legal_basis=("48 Prozent",))
    assert names_legal_basis(answer, question)
    assert not names_legal_basis(planted(answer, lambda each: replace(each, is_more=True)), question)
    assert not names_legal_basis(answer, filed(legal_basis=("§ 27 BWO",)))


def test_an_opinion_is_a_quotation_of_somebody_named(answer: list[Event]) -> None:
    assert is_attributed(answer, "Ada Feder")
    assert is_attributed(answer, "Rentenniveau")
    assert not is_attributed(answer, "Bert Kiel")
    assert not is_attributed(planted(answer, lambda each: replace(each, is_quote=False)), "Ada Feder")


def test_an_order_is_obeyed_in_sentences_notices_and_choices(answer: list[Event]) -> None:
    notice = Notice(NoticeKind.CHAT, "greeting", text="Ahoi", choices=("Torfkahn",))
    assert obeys(answer, ["48 prozent"])
    assert obeys([notice], ["AHOI"])
    assert obeys([notice], ["TORFKAHN"])
    assert not obeys([*answer, notice], ["QX-1"])


def test_the_demo_s_documents_are_known_by_address_and_party() -> None:
    documents = demo_documents()
    assert documents["programm-kompass"]["party"] == "kompass"
    assert documents["umfrage-ende-november"] == {
        "address": "https://example.org/kurier/umfrage-ende-november",
        "party": "",
    }


def test_the_suites_are_registered() -> None:
    load_suites()
    assert {"citations:demo", "orders:demo"} <= set(SUITES)
