"""Compares what came of a question with what was expected of it. Pure: the stored texts come as a function."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace

from apps.evaluation.question_files import Expected, Needs, Reference
from apps.evaluation.specs import QuestionSpec
from apps.evaluation.types import QuestionKind, UnanswerableKind
from apps.rag.events import Decided, Done, Event, Notice, Retrieved, Sentence
from apps.rag.remembering import shown_of
from apps.rag.rewriting.checking import additions
from apps.rag.types import Citation, Decision, HistoryTurn, Outcome, Passage, Source
from apps.rag.understanding import PartyDirectory

# The text of a document's version, "" where it is gone.
StoredText = Callable[[str, int], str]
_REFUSALS = frozenset({Outcome.REFUSED})
# Nobody was answered: a question back, or small talk, is no answer either.
_WITHOUT_ANSWER = frozenset({Outcome.REFUSED, Outcome.CLARIFIED, Outcome.CHATTED})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one answer got right; None where nothing was expected.

    ``outcome``: answered, refused or asked back as expected. ``decision``: the expected one. ``resolved``: the
    stand-alone query holds what it must. ``nothing_added``: it holds nothing that nobody said; ``added`` names what
    was. ``source_found``: an expected document is among the passages; ``right_source``: the answer cites it;
    ``right_place``: the words of the reference themselves. ``marked``: an opinion is quoted under its speaker's name.
    ``unsaid``: readers were shown nothing forbidden. The counts are of the answer's sentences: how many have a
    citation, stand word for word where it says, cite a passage that was found, and speak for the party that is cited;
    then how many citations they have, of how many documents, and how many documents were found.
    """

    outcome: bool | None = None
    decision: bool | None = None
    resolved: bool | None = None
    nothing_added: bool | None = None
    source_found: bool | None = None
    right_source: bool | None = None
    right_place: bool | None = None
    marked: bool | None = None
    unsaid: bool | None = None
    added: tuple[str, ...] = ()
    sentences: int = 0
    cited: int = 0
    verbatim: int = 0
    known: int = 0
    right_party: int = 0
    citations: int = 0
    documents: int = 0
    documents_found: int = 0

    @property
    def is_right(self) -> bool | None:
        """Say whether everything that was expected came; the very place is not: other words may answer as well."""
        judged = [getattr(self, name) for name in DECISIVE]
        if all(each is None for each in judged):
            return None
        return all(each is not False for each in judged)


DECISIVE = (
    *("outcome", "decision", "resolved", "nothing_added"),
    *("source_found", "right_source", "marked", "unsaid"),
)


def verdict_to_json(verdict: Verdict) -> dict[str, object]:
    """Return what is stored of a verdict."""
    return {**asdict(verdict), "added": list(verdict.added)}


def verdict_from_json(stored: Mapping[str, object]) -> Verdict:
    """Return a stored verdict; what a later version has added is not judged."""
    known = {field.name for field in fields(Verdict)}
    values = {name: value for name, value in stored.items() if name in known}
    added = values.pop("added", ())
    return Verdict(**values, added=tuple(map(str, added if isinstance(added, list) else ())))  # type: ignore[arg-type]


def judge(
    spec: QuestionSpec,
    events: Sequence[Event],
    history: Sequence[HistoryTurn],
    directory: PartyDirectory,
    stored: StoredText,
) -> Verdict:
    """Return what the answer to ``spec`` got right."""
    shown = [event for event in shown_of(events) if isinstance(event, Sentence)]
    outcome = next((event.outcome for event in events if isinstance(event, Done)), Outcome.FAILED)
    decided = next((event for event in events if isinstance(event, Decided)), None)
    is_answered = outcome is Outcome.ANSWERED
    right_source = _are_cited(spec, shown) if is_answered and spec.references else None
    added = _added(spec, decided, history, directory) if decided else ()
    verdict = Verdict(
        outcome=_is_expected(spec, outcome, right_source),
        decision=None if spec.decision is None else decided is not None and decided.decision is spec.decision,
        resolved=_is_resolved(spec, decided),
        nothing_added=None if decided is None else not added,
        source_found=_is_found(spec, events),
        right_source=right_source,
        right_place=_are_quoted(spec, shown, stored) if is_answered else None,
        marked=_is_marked(spec, shown) if is_answered and spec.expected is Expected.QUOTE else None,
        unsaid=_is_unsaid(spec, events) if spec.forbidden else None,
        added=added,
    )
    return _counted(verdict, shown, _passages(events), stored)


def _counted(verdict: Verdict, shown: Sequence[Sentence], found: Sequence[Passage], stored: StoredText) -> Verdict:
    """Return the verdict with what its sentences hold, beside the passages that were found."""
    chunks = {passage.chunk_id for passage in found}
    citations = _citations(shown)
    return replace(
        verdict,
        sentences=len(shown),
        cited=sum(bool(sentence.citations) for sentence in shown),
        verbatim=sum(_stands_there(sentence, stored) for sentence in shown),
        known=sum(all(each.chunk_id in chunks for each in sentence.citations) for sentence in shown),
        right_party=sum(_speaks_for(sentence) for sentence in shown),
        citations=len(citations),
        documents=len({each.source.uuid for each in citations}),
        documents_found=len({passage.source.uuid for passage in found}),
    )


def _is_expected(spec: QuestionSpec, outcome: Outcome, right_source: bool | None) -> bool | None:
    if outcome is Outcome.FAILED:
        return False
    match spec.expected:
        case None:
            return None
        case Expected.ANSWER | Expected.QUOTE:
            return outcome is Outcome.ANSWERED
        case Expected.CORRECT:
            # A plain refusal is no error; an answer has to quote the source that says otherwise.
            return outcome is Outcome.REFUSED or (outcome is Outcome.ANSWERED and right_source is not False)
        case Expected.CLARIFY:
            return outcome in (Outcome.CLARIFIED, Outcome.REFUSED)
        case Expected.REFUSE:
            may_chat = spec.kind is QuestionKind.INJECTION or spec.subkind == UnanswerableKind.OFF_TOPIC
            return outcome in (_WITHOUT_ANSWER if may_chat else _REFUSALS)


def _texts(decided: Decided) -> tuple[str, ...]:
    """What is searched; where the bot asks back, what may be searched next."""
    return decided.choices if decided.decision is Decision.CLARIFY else (decided.query, *decided.sub_queries)


def _is_resolved(spec: QuestionSpec, decided: Decided | None) -> bool | None:
    if not spec.must:
        return None
    text = " ".join(_texts(decided)).casefold() if decided else ""
    return all(each.casefold() in text for each in spec.must)


def _added(
    spec: QuestionSpec, decided: Decided, history: Sequence[HistoryTurn], directory: PartyDirectory
) -> tuple[str, ...]:
    """Return what the query has that it may not have: forbidden words, other parties, and what nobody said."""
    texts = _texts(decided)
    text, own = " ".join(texts).casefold(), spec.text.casefold()
    said = [spec.text, *(each for past in history for each in (past.question, past.query, *past.offers, *past.items))]
    forbidden = [each for each in spec.forbidden_additions if each.casefold() in text and each.casefold() not in own]
    named = {party.name for each in texts for party in directory.named_in(each)}
    others = [] if spec.allowed is None else sorted(named - set(spec.allowed))
    new = [each for query in texts for each in additions(query, said, spec.language) if each not in named]
    return tuple(dict.fromkeys([*forbidden, *others, *new]))


def _passages(events: Sequence[Event]) -> list[Passage]:
    return [passage for event in events if isinstance(event, Retrieved) for passage in event.passages]


def _names(source: Source) -> set[str]:
    return {source.uuid, source.address, source.title} - {""}


def _is_found(spec: QuestionSpec, events: Sequence[Event]) -> bool | None:
    if not spec.references or spec.expected is Expected.CORRECT:
        return None
    names = {name for passage in _passages(events) for name in _names(passage.source)}
    return _enough(spec, lambda reference: reference.document in names)


def _enough(spec: QuestionSpec, holds: Callable[[Reference], bool]) -> bool:
    """One reference is enough, or one of each document where all are needed."""
    if spec.needs is Needs.ANY:
        return any(map(holds, spec.references))
    documents = dict.fromkeys(reference.document for reference in spec.references)
    return all(any(holds(each) for each in spec.references if each.document == name) for name in documents)


def _citations(shown: Sequence[Sentence]) -> list[Citation]:
    return [citation for sentence in shown for citation in sentence.citations]


def _are_cited(spec: QuestionSpec, shown: Sequence[Sentence]) -> bool:
    names = {name for citation in _citations(shown) for name in _names(citation.source)}
    return _enough(spec, lambda reference: reference.document in names)


def _are_quoted(spec: QuestionSpec, shown: Sequence[Sentence], stored: StoredText) -> bool | None:
    """Say whether the citations reach the words of the references, None where a reference has no words."""
    if not spec.references or not all(reference.snippet for reference in spec.references):
        return None
    citations = _citations(shown)
    return _enough(spec, lambda reference: any(_reaches(each, reference, stored) for each in citations))


def _reaches(citation: Citation, reference: Reference, stored: StoredText) -> bool:
    if reference.document not in _names(citation.source):
        return False
    # Lines break elsewhere in the store than in whoever's copy of the words.
    words = re.compile(r"\s+".join(map(re.escape, reference.snippet.split())))
    text = stored(citation.source.uuid, citation.source.version)
    return any(found.start() < citation.end and citation.start < found.end() for found in words.finditer(text))


def _is_marked(spec: QuestionSpec, shown: Sequence[Sentence]) -> bool:
    """Say whether everything is quoted, and the speaker is named beside it."""
    if not all(sentence.is_quote for sentence in shown):
        return False
    beside = [
        name
        for sentence in shown
        for each in sentence.citations
        for name in (sentence.group, each.source.author, each.source.publisher, each.source.party_name, sentence.text)
    ]
    speaker = spec.speaker.casefold()
    return any(speaker in name.casefold() for name in beside)


def _is_unsaid(spec: QuestionSpec, events: Sequence[Event]) -> bool:
    texts = [
        each.text.casefold()
        for each in shown_of(events)
        if isinstance(each, Notice) or (isinstance(each, Sentence) and not each.is_quote)
    ]
    return not any(word.casefold() in text for word in spec.forbidden for text in texts)


def _stands_there(sentence: Sentence, stored: StoredText) -> bool:
    """Say whether a quotation is, in the store itself, what the citation says; other sentences are not verbatim."""
    return bool(sentence.citations) and all(
        each.quote == stored(each.source.uuid, each.source.version)[each.start : each.end]
        and (not sentence.is_quote or sentence.text == each.quote)
        for each in sentence.citations
    )


def _speaks_for(sentence: Sentence) -> bool:
    """Say whether a party's own words stand under its name; an article may speak of any party."""
    return all(each.source.party_name in ("", sentence.group) for each in sentence.citations)
