"""What one answer got right, judged from its events against the stored text, not by the pipeline's own gate."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from apps.answering.suites.citations import stands_there
from apps.core.suites import Figure
from apps.evaluation.filed_questions import FiledQuestion, Needs, Reference
from apps.rag.events import Done, Event, Retrieved, Sentence
from apps.rag.types import Citation, Outcome


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is expected of the citations of one answer.

    ``parties`` are the slugs that may speak, empty for any. ``addresses`` are documents by address; with ``needs_all``
    each has to be cited. ``places`` are pairs of an address and words of it.
    """

    parties: frozenset[str]
    addresses: tuple[str, ...]
    places: tuple[tuple[str, str], ...] = ()
    needs_all: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """Counts of sentences, and whether the answer rests on the right source and holds the expected words."""

    outcome: str
    sentences: int = 0
    cited: int = 0
    verbatim: int = 0
    known: int = 0
    right_party: int = 0
    right_source: bool = False
    contains_gold: bool = False

    @property
    def is_answer(self) -> bool:
        """True where something was answered; figures of sources are shares of these."""
        return self.outcome == Outcome.ANSWERED


def wanted_by(question: FiledQuestion, documents: Mapping[str, Mapping[str, str]]) -> Wanted:
    """Return what a filed question wants; ``documents`` hold address and party (or nothing) by the name in the list."""

    def address(reference: Reference) -> str:
        return documents[reference.document]["address"]

    needs_all = question.needs is Needs.ALL
    named = [documents[reference.document].get("party") for reference in question.references]
    parties = {question.party} if question.party else set(named) if needs_all else set()
    return Wanted(
        parties=frozenset(filter(None, parties)),
        addresses=tuple(dict.fromkeys(map(address, question.references))),
        places=tuple((address(reference), reference.snippet) for reference in question.references),
        needs_all=needs_all,
    )


def judge(events: Sequence[Event], wanted: Wanted) -> Verdict:
    """Judge one answer. Reads the stored versions from the database."""
    last = events[-1]
    outcome = last.outcome.value if isinstance(last, Done) else Outcome.FAILED.value
    if outcome != Outcome.ANSWERED:
        return Verdict(outcome)
    sentences = [event for event in events if isinstance(event, Sentence)]
    passages = {each.chunk_id for event in events if isinstance(event, Retrieved) for each in event.passages}
    cited = [citation for sentence in sentences for citation in sentence.citations]
    enough = all if wanted.needs_all else any
    shown = [citation for sentence in sentences if not sentence.is_more for citation in sentence.citations]
    return Verdict(
        outcome=outcome,
        sentences=len(sentences),
        cited=sum(bool(sentence.citations) for sentence in sentences),
        verbatim=sum(all(stands_there(sentence, each) for each in sentence.citations) for sentence in sentences),
        known=sum(all(each.chunk_id in passages for each in sentence.citations) for sentence in sentences),
        right_party=sum(has_right_party(sentence, wanted.parties) for sentence in sentences),
        right_source=enough(address in {each.source.address for each in cited} for address in wanted.addresses),
        contains_gold=enough(_is_quoted(place, shown) for place in wanted.places),
    )


def fault(verdict: Verdict) -> str:
    """Name what is wrong with an answer, the worst first; empty where nothing is."""
    if not verdict.is_answer:
        return verdict.outcome
    faults = {
        "not cited": verdict.cited < verdict.sentences,
        "not verbatim": verdict.verbatim < verdict.sentences,
        "unknown passage": verdict.known < verdict.sentences,
        "other party": verdict.right_party < verdict.sentences,
        "other source": not verdict.right_source,
        "other place": not verdict.contains_gold,
    }
    return next((name for name, is_there in faults.items() if is_there), "")


def has_right_party(sentence: Sentence, parties: Collection[str]) -> bool:
    """Say whether the words of a party stand under its name, are nobody else's, and may speak here at all."""
    speaking = {each.source.party_slug for each in sentence.citations if each.source.party_slug}
    names = {each.source.party_name for each in sentence.citations}
    return names == {sentence.group} and (not parties or speaking <= set(parties))


def _is_quoted(place: tuple[str, str], citations: Sequence[Citation]) -> bool:
    """A table's row may be expected as a whole and quoted in part, a sentence expected in part and quoted whole."""
    address, words = place
    return any(each.source.address == address and (words in each.quote or each.quote in words) for each in citations)


def sentence_figures(verdicts: Sequence[Verdict]) -> dict[str, Figure]:
    """Return the figures every suite of citations has. Shares are of sentences, of answers, and of all questions."""
    answers = [verdict for verdict in verdicts if verdict.is_answer]
    sentences = max(1, sum(verdict.sentences for verdict in answers))
    return {
        "cited": sum(verdict.cited for verdict in answers) / sentences,
        "verbatim": sum(verdict.verbatim for verdict in answers) / sentences,
        "known": sum(verdict.known for verdict in answers) / sentences,
        "right_party": sum(verdict.right_party for verdict in answers) / sentences,
        "right_source": sum(verdict.right_source for verdict in answers) / max(1, len(answers)),
        "contains_gold": sum(verdict.contains_gold for verdict in answers) / max(1, len(answers)),
        "refused": sum(not verdict.is_answer for verdict in verdicts) / max(1, len(verdicts)),
        "failed": sum(verdict.outcome == Outcome.FAILED for verdict in verdicts),
        "sentences": sum(verdict.sentences for verdict in answers),
    }
