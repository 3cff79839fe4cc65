"""What a rule says itself: the desk's own text as a notice, or a curated answer whose every sentence is in a source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from apps.language.sentences import split_sentences
from apps.rag.citations import Fault, Gate
from apps.rag.desk import AnswerUse, DeskAnswer, RuleMatch, RuleUse
from apps.rag.events import Notice
from apps.rag.extracting import Draft, QuotedSpan
from apps.rag.types import NoticeKind, Passage

# The codes of the desk's notices.
DESK_ANSWER: Final = "desk_answer"
READ_ON: Final = "read_on"


@dataclass(frozen=True, slots=True)
class DeskPart:
    """What the desk itself puts into an answer. ``has_sources`` says that something was looked for beside it."""

    use: RuleUse | None = None
    notice: Notice | None = None
    drafts: tuple[Draft, ...] = ()
    has_sources: bool = False


def desk_part(
    rule: RuleMatch | None, use: RuleUse | None, passages: Sequence[Passage], on: date, language: str
) -> DeskPart:
    """Return the winner's curated answer in the form that readers get; ``passages`` are those that rules brought."""
    if rule is None or use is None:
        return DeskPart()
    has_sources = use.searched or any(hit.documents for hit in rule.hits)
    answer = rule.answer
    if answer is None or not answer.text.strip():
        return DeskPart(use, has_sources=has_sources)
    if not answer.is_shown(on):
        return DeskPart(replace(use, answer=AnswerUse.EXPIRED), has_sources=has_sources)
    if answer.is_desk_text:
        return DeskPart(replace(use, answer=AnswerUse.DESK_TEXT), _own_text(answer), has_sources=has_sources)
    found = curated_drafts(answer.text, passages, language)
    outcome = AnswerUse.NOT_IN_SOURCES if found.failed_sentence else AnswerUse.CITED
    return DeskPart(
        replace(use, answer=outcome, failed_sentence=found.failed_sentence), None, found.drafts, has_sources=has_sources
    )


def _own_text(answer: DeskAnswer) -> Notice:
    return Notice(NoticeKind.DESK, DESK_ANSWER, answer.text, signed=answer.owner, as_of=answer.checked)


def with_curated(curated: Sequence[Draft], chosen: Sequence[Draft]) -> list[Draft]:
    """Put a curated answer first; what the sources say beyond it stands behind "more"."""
    if not curated:
        return list(chosen)
    # By its words: overlapping chunks hold the same sentence twice.
    shown = {" ".join(draft.text.split()) for draft in curated}
    rest = [draft for draft in chosen if " ".join(draft.text.split()) not in shown]
    return [*curated, *(replace(draft, is_more=True) for draft in rest)]


@dataclass(frozen=True, slots=True)
class CuratedDrafts:
    """The sentences as the sources have them. ``failed_sentence`` is the first that is in none (from 1), else 0."""

    drafts: tuple[Draft, ...]
    failed_sentence: int = 0


def curated_drafts(text: str, passages: Sequence[Passage], language: str) -> CuratedDrafts:
    """Find every sentence of ``text`` in the passages, whatever its blanks and line breaks, and try it at the gate.

    One sentence that fails lets the whole answer fail: what is left might say something else.
    """
    gate = Gate(passages)
    drafts: list[Draft] = []
    for number, span in enumerate(split_sentences(text, language), 1):
        draft = _found(text[span.start : span.end], passages)
        if draft is None or isinstance(gate.admit(draft), Fault):
            return CuratedDrafts((), number)
        drafts.append(draft)
    return CuratedDrafts(tuple(drafts))


def _found(sentence: str, passages: Sequence[Passage]) -> Draft | None:
    words = sentence.split()
    if not words:
        return None
    # Not inside a longer word: "nicht wählbar." is no part of "unnicht wählbar.".
    pattern = re.compile(rf"(?<!\w){_blanks(words)}(?!\w)")
    for passage in passages:
        match = pattern.search(passage.text)
        if match:
            span = QuotedSpan(passage.chunk_id, passage.start + match.start(), passage.start + match.end())
            return Draft(match.group(), (span,), group=passage.source.party_name, language=passage.source.language)
    return None


def _blanks(words: Sequence[str]) -> str:
    return r"\s+".join(re.escape(word) for word in words)
