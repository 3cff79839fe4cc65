"""The gate: nothing passes that is not in its source."""

import pytest

from apps.rag.citations import Fault, Gate
from apps.rag.events import Sentence
from apps.rag.extracting import Draft, QuotedSpan
from tests.rag.builders import MORGEN, passage, source

TEXT = "Wir erhöhen den Mindestlohn auf 15 Euro. Die Rente bleibt bei 48 Prozent."
FIRST = "Wir erhöhen den Mindestlohn auf 15 Euro."
PROGRAMME = passage(TEXT, source(MORGEN), start=100, pages=(4, 4))
OPINION = passage(TEXT, source(kind="opinion"))
SIGNED = passage(TEXT, source(kind="opinion", author="Die Redaktion"))


def draft(text: str = FIRST, *spans: QuotedSpan, group: str = "Morgenpartei", is_quote: bool = True) -> Draft:
    return Draft(text, spans, group=group, is_quote=is_quote)


def span(start: int = 100, end: int = 100 + len(FIRST), chunk: int = PROGRAMME.chunk_id) -> QuotedSpan:
    return QuotedSpan(chunk, start, end)


WHOLE = span(100, 100 + len(TEXT))


@pytest.mark.parametrize(
    ("candidate", "fault"),
    [
        (draft(), Fault.UNCITED),
        (draft(FIRST, span(chunk=999_999)), Fault.UNKNOWN_PASSAGE),
        (draft(FIRST, span(), span(chunk=999_999)), Fault.UNKNOWN_PASSAGE),
        (draft(FIRST, span(0, len(FIRST))), Fault.OUTSIDE_PASSAGE),
        (draft(FIRST, span(100, 100)), Fault.OUTSIDE_PASSAGE),
        (draft(TEXT, span(100, 100 + len(TEXT) + 1)), Fault.OUTSIDE_PASSAGE),
        (draft(FIRST.replace("15", "16"), span()), Fault.ALTERED_QUOTE),
        (draft(FIRST.replace("ö", "o\u0308"), span()), Fault.ALTERED_QUOTE),
        (draft(FIRST, span(101)), Fault.ALTERED_QUOTE),
        (draft("Der Mindestlohn steigt auf 16 Euro.", WHOLE, is_quote=False), Fault.UNSUPPORTED_FIGURE),
        (draft("Die Rente bleibt bei 15 Prozent.", WHOLE, is_quote=False), Fault.UNSUPPORTED_FIGURE),
        (draft(FIRST, span(), group="Talbund"), Fault.WRONG_PARTY),
        (draft(FIRST, span(), group=""), Fault.WRONG_PARTY),
        (draft(FIRST, span(0, len(FIRST), OPINION.chunk_id), group=""), Fault.UNATTRIBUTED_OPINION),
        (
            draft("Der Mindestlohn steigt.", span(0, len(FIRST), SIGNED.chunk_id), group="", is_quote=False),
            Fault.UNATTRIBUTED_OPINION,
        ),
    ],
)
def test_a_bad_candidate_never_passes(candidate: Draft, fault: Fault) -> None:
    assert Gate([PROGRAMME, OPINION, SIGNED]).admit(candidate) is fault


@pytest.mark.parametrize(
    "candidate",
    [
        draft(FIRST, span()),
        draft("Der Lohn steigt auf 15 €, die Rente bleibt bei 48 %.", WHOLE, is_quote=False),
        draft(FIRST, span(0, len(FIRST), SIGNED.chunk_id), group=""),
    ],
)
def test_a_true_candidate_passes(candidate: Draft) -> None:
    assert isinstance(Gate([PROGRAMME, OPINION, SIGNED]).admit(candidate), Sentence)


def test_a_citation_leads_to_the_exact_place() -> None:
    sentence = Gate([PROGRAMME]).admit(draft(FIRST, span()))
    assert isinstance(sentence, Sentence)
    [citation] = sentence.citations
    assert (citation.quote, citation.start, citation.end) == (FIRST, 100, 140)
    assert (citation.source, citation.chunk_id, citation.page) == (PROGRAMME.source, PROGRAMME.chunk_id, 4)


def test_a_passage_over_two_pages_promises_no_page() -> None:
    wide = passage(TEXT, source(MORGEN), pages=(4, 5))
    sentence = Gate([wide]).admit(draft(FIRST, QuotedSpan(wide.chunk_id, 0, len(FIRST))))
    assert isinstance(sentence, Sentence)
    assert sentence.citations[0].page is None


def test_a_source_keeps_its_number_and_a_fault_uses_none_up() -> None:
    article = source()
    other = source()
    first, second, third = passage(TEXT, article), passage(TEXT, other), passage(TEXT, article, start=500)
    gate = Gate([first, second, third])
    numbers = []
    for chunk in (first, second, third):
        gate.admit(draft("Erfunden.", QuotedSpan(chunk.chunk_id, chunk.start, chunk.start + 5), group=""))
        admitted = gate.admit(draft(FIRST, QuotedSpan(chunk.chunk_id, chunk.start, chunk.start + len(FIRST)), group=""))
        assert isinstance(admitted, Sentence)
        numbers.append(admitted.citations[0].number)
    assert numbers == [1, 2, 1]
