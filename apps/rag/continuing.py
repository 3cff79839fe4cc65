"""Sentences that answer without naming the subject again: "Neuer Termin ist Sonntag, der 7. Februar 2027."."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from apps.rag.answer_types import AnswerType
from apps.rag.reading import Evidence, ReadSentence
from apps.rag.settings import PipelineSettings

_TYPED: Final = frozenset({AnswerType.DATE, AnswerType.NUMBER})
# So much of the subject must be in the sentence before, at least, and beside the best of its passage.
_ON_SUBJECT: Final = 0.3
_BESIDE_THE_BEST: Final = 0.8
_PARAGRAPH: Final = "\n\n"


def continued(evidence: Evidence, settings: PipelineSettings) -> Evidence:
    """Return the evidence with such sentences judged together with the one before, which they are shown after.

    Only where a date or a number is asked for, the sentence before is on the subject and has none, and this one has.
    """
    if evidence.asked not in _TYPED:
        return evidence
    sentences = list(evidence.sentences)
    best: dict[int, float] = {}
    for each in sentences:
        best[each.rank] = max(best.get(each.rank, 0.0), evidence.coverage.share(each.matches))
    for place, sentence in enumerate(sentences[1:], 1):
        before = sentences[place - 1]
        enough = max(_ON_SUBJECT, _BESIDE_THE_BEST * best[sentence.rank])
        if _continues(before, sentence, evidence, enough):
            sentences[place] = _judged_with(before, sentence, settings)
    return replace(evidence, sentences=tuple(sentences))


def _continues(before: ReadSentence, sentence: ReadSentence, evidence: Evidence, enough: float) -> bool:
    if before.rank != sentence.rank or before.order + 1 != sentence.order:
        return False
    if not (sentence.has_type and sentence.is_quotable and sentence.lead is None):
        return False
    if before.has_type or not before.is_quotable or before.points_back or before.lead is not None:
        return False
    if _PARAGRAPH in sentence.passage.text[before.end : sentence.start]:
        return False
    share = evidence.coverage.share(before.matches)
    return share >= enough and evidence.coverage.share(sentence.matches) < share


def _judged_with(before: ReadSentence, sentence: ReadSentence, settings: PipelineSettings) -> ReadSentence:
    """As good as the sentence before would be if it had the answer; shown after it."""
    together = before.score + 2 * settings.answer_type_weight
    return replace(
        sentence,
        score=max(sentence.score, together),
        cosine=max(sentence.cosine, before.cosine),
        matches=tuple(map(max, before.matches, sentence.matches)),
        points_back=True,
    )
