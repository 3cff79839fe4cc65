"""What a rule brings goes to the sub-questions that it serves; what search may add beside it, the rule says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from apps.rag.desk import ExtraSearch, Handover, RuleMatch, TextKind
from apps.rag.retrieving.types import Found
from apps.rag.types import Passage
from apps.rag.understanding import SubQuestion, Understanding


def is_left_empty(rule: RuleMatch, handed: Handover, on: date) -> bool:
    """Say whether a rule that wants no search has nothing to show on a day: its documents are gone or still being read.

    Its readers should not be worse off than without it. The desk's own text is something to show.
    """
    if rule.extra is not ExtraSearch.OFF or handed.passages or not any(hit.documents for hit in rule.hits):
        return False
    return not (rule.answer and rule.answer.is_desk_text and rule.answer.is_shown(on))


def placed(passages: Sequence[Passage], understood: Understanding, rule: RuleMatch) -> list[Found]:
    """Give a rule's passages to the sub-questions: each compared party its own words, the rest to nobody's."""
    subs = understood.sub_questions
    if rule.text_kind is TextKind.SUB_QUESTION or not understood.compares:
        holder = next((sub for sub in subs if sub.text == rule.text), subs[0])
        return [Found(holder, (), desk=tuple(passages))] if passages else []
    owners = {sub.party.slug: sub for sub in subs if sub.party}
    common = SubQuestion(rule.text)
    held: dict[SubQuestion, list[Passage]] = {common: []}
    for passage in passages:
        held.setdefault(owners.get(passage.source.party_slug, common), []).append(passage)
    return [Found(sub, (), desk=tuple(own)) for sub, own in held.items() if own]


def asked_first(found: Sequence[Found], understood: Understanding) -> list[Found]:
    """Put the words of other parties aside where those that were asked about have words of their own.

    A rule on a subject links every party's programme: asked about one, it must not answer with another. A rule that
    links nothing else is taken at its word.
    """
    asked = {party.slug for party in understood.parties}
    if not any(each.source.party_slug in asked for one in found for each in (*one.desk, *one.passages)):
        return list(found)
    return [
        replace(
            one,
            desk=tuple(each for each in one.desk if each.source.party_slug in {"", *asked}),
            aside=tuple(each for each in one.desk if each.source.party_slug not in {"", *asked}),
        )
        for one in found
    ]


def wanted_passages(
    rule: RuleMatch, sub: SubQuestion, brought: Sequence[Passage], subs: int, fewest: int
) -> int | None:
    """Return how many passages search may add for a sub-question: None is no limit, 0 is no search.

    A rule that matched one sub-question leaves the others as they are. A party that is asked about and has no words in
    what the rule brought gets at least ``fewest`` where any are wanted: a rule must not silence it by being full.
    """
    if rule.extra is ExtraSearch.ON or (rule.text_kind is TextKind.SUB_QUESTION and sub.text != rule.text):
        return None
    if rule.extra is ExtraSearch.OFF:
        return 0
    rest = max(0, rule.fill_up_to - len(brought))
    share = rest if rule.text_kind is TextKind.SUB_QUESTION else rest // subs
    speaks = sub.party is None or any(each.source.party_slug == sub.party.slug for each in brought)
    return share if speaks else max(share, fewest)
