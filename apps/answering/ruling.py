"""The live rules as the pipeline asks them: engine and release behind ``rag``'s protocol, in plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from apps.documents.search.retriever import run_search
from apps.rag.desk import DeskAnswer, DeskDocument, ExtraSearch, RuleHit, RuleMatch, RuleRival, RuleStage
from apps.rag.types import AnswerContext
from apps.rules.live import LiveRules, current
from apps.rules.matching import match
from apps.rules.types import CuratedAnswer, Hit, LinkedDocument, Match, MatchContext, RuleSpec


class RuleMatcher:
    """Implements ``rag.protocols.Matcher``. ``source`` says which rules are asked: the live ones, or a draft."""

    def __init__(self, source: Callable[[], LiveRules | None] = current) -> None:
        self._source = source

    async def match(self, texts: Sequence[str], language: str, context: AnswerContext) -> RuleMatch:
        """Return what the rules say, on a search thread: a new release is compiled by whoever asks first."""
        return await run_search(lambda: rule_match(self._source(), texts, language, context))


def rule_match(rules: LiveRules | None, texts: Sequence[str], language: str, context: AnswerContext) -> RuleMatch:
    """Return what a compiled set says about a question; a match of release 0 without rules."""
    if rules is None:
        return RuleMatch()
    asked = MatchContext(context.now, language, context.audience, frozenset(context.builder_choices))
    found = match(texts, asked, rules.index)
    return _rule_match(found, texts, rules)


def _rule_match(found: Match, texts: Sequence[str], rules: LiveRules) -> RuleMatch:
    cut = found.cut
    if not found.winners:
        return RuleMatch(rules.release, cut_characters=cut.characters, cut_tokens=cut.tokens)
    winner = rules.specs[found.winners[0].uid]
    return RuleMatch(
        release=rules.release,
        hits=tuple(_hit(hit, rules.specs[hit.uid]) for hit in found.winners),
        rivals=tuple(_rival(hit, rules.specs) for hit in found.rivals),
        text=texts[found.winners[0].text_number],
        answer=_answer(winner.answer),
        extra=ExtraSearch(winner.extra.value),
        fill_up_to=winner.fill_up_to,
        token_budget=rules.token_budget,
        cut_characters=cut.characters,
        cut_tokens=cut.tokens,
    )


def _hit(hit: Hit, spec: RuleSpec) -> RuleHit:
    return RuleHit(
        uid=hit.uid,
        version=hit.version,
        title=spec.title,
        stage=RuleStage(hit.stage.value),
        score=hit.score,
        words=hit.words,
        phrase=hit.phrase,
        documents=tuple(_document(linked) for linked in spec.documents),
        links=spec.links,
    )


def _rival(hit: Hit, specs: Mapping[str, RuleSpec]) -> RuleRival:
    lost_by = hit.lost_by.value if hit.lost_by else ""
    return RuleRival(hit.uid, hit.version, specs[hit.uid].title, RuleStage(hit.stage.value), hit.score, lost_by)


def _document(linked: LinkedDocument) -> DeskDocument:
    scope = linked.scope
    return DeskDocument(
        linked.uuid, linked.title, scope.kind.value, scope.first, scope.last, scope.path, linked.most_tokens
    )


def _answer(answer: CuratedAnswer | None) -> DeskAnswer | None:
    if answer is None:
        return None
    return DeskAnswer(answer.text, answer.is_desk_text, answer.owner, answer.checked, answer.expires)
