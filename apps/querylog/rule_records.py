"""How a turn keeps what the editors' rules did in it: plain JSON, words of the reader only where it says so."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from apps.rag.desk import RuleHit, RuleMatch, RuleRival, RuleUse


class HitRecord(TypedDict):
    """A rule that matched: the winner, one that was collected, or one that lost (``lost_by``)."""

    uid: str
    version: int
    title: str
    stage: str
    score: int
    lost_by: str


class CutRecord(TypedDict):
    """What of a linked document did not reach the answer, and why (a code of apps/rules/passages.py)."""

    uuid: str
    title: str
    rule: str
    kept: int
    left_out: int
    tokens_left_out: int
    cut_by: str


class RuleRecord(TypedDict):
    """What the rules did in a turn. ``hits`` has the winner first. Of the reader's words only ``words`` are here.

    ``text_kind`` says which wording matched: question, query or sub_question. ``cut_characters`` and ``cut_tokens`` of
    it were too much to match. The rest is known once the documents were fetched: what was cut, what became of the
    curated answer (and which of its sentences is in no source), how many passages search has added, and whether it did
    so against the rule's wish, because none of its documents could be read.
    """

    hits: list[HitRecord]
    rivals: list[HitRecord]
    words: list[str]
    phrase: str
    text_kind: str
    extra: str
    cut_characters: int
    cut_tokens: int
    cuts: NotRequired[list[CutRecord]]
    answer: NotRequired[str]
    failed_sentence: NotRequired[int]
    searched: NotRequired[bool]
    added: NotRequired[int]
    stands_in: NotRequired[bool]


def rule_record(match: RuleMatch) -> RuleRecord | dict[str, object]:
    """Return how a rule matched; empty without a hit."""
    winner = match.winner
    if winner is None:
        return {}
    return RuleRecord(
        hits=[_hit_record(hit) for hit in match.hits],
        rivals=[_hit_record(rival) for rival in match.rivals],
        words=list(winner.words),
        phrase=winner.phrase,
        text_kind=match.text_kind.value,
        extra=match.extra.value,
        cut_characters=match.cut_characters,
        cut_tokens=match.cut_tokens,
    )


def use_record(use: RuleUse) -> dict[str, object]:
    """Return the later fields of a RuleRecord."""
    cuts = [
        CutRecord(
            uuid=cut.uuid,
            title=cut.title,
            rule=cut.rule_uid,
            kept=cut.kept,
            left_out=cut.left_out,
            tokens_left_out=cut.tokens_left_out,
            cut_by=cut.cut_by,
        )
        for cut in use.cuts
    ]
    return {
        "cuts": cuts,
        "answer": use.answer.value,
        "failed_sentence": use.failed_sentence,
        "searched": use.searched,
        "added": use.added,
        "stands_in": use.stands_in,
    }


def _hit_record(hit: RuleHit | RuleRival) -> HitRecord:
    return HitRecord(
        uid=hit.uid,
        version=hit.version,
        title=hit.title,
        stage=hit.stage.value,
        score=hit.score,
        lost_by=hit.lost_by if isinstance(hit, RuleRival) else "",
    )
