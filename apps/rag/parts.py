"""The parts of a question: one as a rule, several where it asks for several things. Answered in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.rag.answer_types import AnswerType
from apps.rag.aspects import LOW_COVERAGE, CoveredAspect, coverage_ratio
from apps.rag.attributing import in_one_voice
from apps.rag.balancing import choose_balanced
from apps.rag.curated import DeskPart, with_curated
from apps.rag.desk import DeskLink, RuleMatch, RuleUse, TextKind
from apps.rag.events import Notice, Sentence
from apps.rag.extracting import Draft, choose, draft_answer, draft_comparison
from apps.rag.judging import Reading, passages_of
from apps.rag.party_order import party_place
from apps.rag.reading import ReadSentence
from apps.rag.refusal import coverage_low, part_unanswered, parties_silent
from apps.rag.retrieving import Retrieval
from apps.rag.settings import PipelineSettings
from apps.rag.telling import source_notices
from apps.rag.types import Passage
from apps.rag.understanding import Understanding


@dataclass(frozen=True, slots=True)
class Part:
    """One part with what was found for it, read and judged; ``query`` is what was searched.

    ``covered`` says of each of its aspects whether the passages speak of it.
    """

    query: str
    understood: Understanding
    retrieval: Retrieval
    readings: tuple[Reading, ...]
    desk: DeskPart
    covered: tuple[CoveredAspect, ...] = ()

    @property
    def suffices(self) -> bool:
        return any(reading.verdict.refusal is None for reading in self.readings)


def rule_for(rule: RuleMatch | None, query: str, understood: Understanding, *, is_first: bool) -> RuleMatch | None:
    """Return what the rules say to one part: a rule that matched another part has no hit here.

    One that matched the whole question goes to the first part, whose documents are handed over once.
    """
    if rule is None or not rule.hits:
        return rule
    if rule.text_kind is not TextKind.SUB_QUESTION:
        return rule if is_first else RuleMatch(rule.release)
    is_own = rule.text == query or any(sub.text == rule.text for sub in understood.sub_questions)
    return rule if is_own else RuleMatch(rule.release)


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts of a question, seen as one."""

    parts: tuple[Part, ...]

    @property
    def readings(self) -> tuple[Reading, ...]:
        return tuple(reading for part in self.parts for reading in part.readings)

    @property
    def covered(self) -> tuple[CoveredAspect, ...]:
        return tuple(each for part in self.parts for each in part.covered)

    @property
    def brought(self) -> tuple[Passage, ...]:
        return tuple(passage for part in self.parts for passage in part.retrieval.brought)

    @property
    def passages(self) -> tuple[Passage, ...]:
        return passages_of(self.readings, self.brought)

    @property
    def links(self) -> tuple[DeskLink, ...]:
        """What the desk recommends, each address once."""
        return tuple({link.address: link for part in self.parts for link in part.retrieval.links}.values())

    @property
    def use(self) -> RuleUse | None:
        """What became of the rule: one part has it at most."""
        return next((part.desk.use for part in self.parts if part.desk.use), None)

    @property
    def notice(self) -> Notice | None:
        return next((part.desk.notice for part in self.parts if part.desk.notice), None)

    @property
    def may_be_written(self) -> bool:
        """Say whether a model may write the answer: there is evidence, and editors have not laid it out themselves."""
        return any(part.suffices for part in self.parts) and not any(part.desk.drafts for part in self.parts)

    @property
    def has_desk_sources(self) -> bool:
        return any(part.desk.has_sources for part in self.parts)


def drafts_of(parts: Parts, settings: PipelineSettings) -> list[Draft]:
    """Return the sentences to show, part after part; what is behind "more" comes last.

    Where several parties speak they do so one after the other, as pages group them: nothing that a reader has seen
    arrive changes its place.
    Several parts share the room of one answer, so that the last is not pushed behind "more" by the first.
    """
    share = _share(settings, len(parts.parts))
    drafts: dict[tuple[object, ...], Draft] = {}
    for part in parts.parts:
        chosen = _part_drafts(part.readings, part.understood, share) if part.suffices else []
        for draft in with_curated(part.desk.drafts, chosen):
            drafts.setdefault((draft.text, draft.spans), draft)
    draw = parts.parts[0].understood.party_draw
    return _party_by_party(sorted(drafts.values(), key=lambda draft: draft.is_more), draw)


def _party_by_party(drafts: Sequence[Draft], draw: str) -> list[Draft]:
    """Put the parties one after the other, none of them behind "more" only; other sources come behind them."""
    above = {draft.group for draft in drafts if not draft.is_more} - {""}
    if len(above) < 2:
        return list(drafts)
    balanced = []
    for draft in drafts:
        is_more = draft.is_more and (not draft.group or draft.group in above)
        above.add(draft.group)
        balanced.append(replace(draft, is_more=is_more))
    return sorted(balanced, key=lambda draft: (draft.is_more, not draft.group, party_place(draft.group, draw)))


def _share(settings: PipelineSettings, count: int) -> PipelineSettings:
    if count == 1:
        return settings
    shown = max(1, settings.shown_sentences // count)
    return replace(settings, shown_sentences=shown, shown_words=settings.shown_words // count)


def _part_drafts(readings: Sequence[Reading], understood: Understanding, settings: PipelineSettings) -> list[Draft]:
    """Return the sentences chosen from the readings that suffice."""
    limit = settings.sentences_per_party if understood.compares else settings.sentences
    chosen = [_chosen(reading, understood, limit, settings) for reading in readings if reading.verdict.refusal is None]
    if understood.compares:
        return draft_comparison(chosen, settings)
    return draft_answer(chosen[0], settings) if chosen else []


def premises_of(parts: Parts) -> list[Notice]:
    """Return what the sources correct in the question, each once: it leads the sentences that say otherwise."""
    caveats = [reading.verdict.caveat for reading in parts.readings if reading.verdict.suffices]
    return list({(each.code, each.subjects): each for each in caveats if each}.values())


def _chosen(reading: Reading, understood: Understanding, limit: int, settings: PipelineSettings) -> list[ReadSentence]:
    """Return the sentences of one reading. What a party says is as long as what any other says."""
    party, evidence = reading.found.sub.party, reading.evidence
    if party is None:
        return choose(evidence, limit, settings)
    if understood.compares:
        return choose_balanced(evidence, limit, limit * settings.party_characters, settings)
    if evidence.asked is AnswerType.ANY and reading.conflict is None:
        evidence = in_one_voice(evidence, party, settings)
    return choose_balanced(evidence, limit + 1, limit * settings.party_characters, settings)


def caveats_of(parts: Parts, passed: Sequence[Sentence]) -> list[Notice]:
    """Return what an answer leaves open: parties that say nothing, parts and aspects without evidence."""
    notices = []
    for part in parts.parts:
        silent = _silent(part.readings, passed)
        if part.understood.compares and silent:
            notices.append(parties_silent(silent))
    unanswered = [part.query for part in parts.parts if not (part.suffices or part.desk.drafts or part.desk.notice)]
    if len(parts.parts) > 1 and unanswered:
        notices.append(part_unanswered(unanswered))
    missing = [each.text for part in parts.parts if part.suffices for each in _missing(part, passed)]
    if missing and coverage_ratio(parts.covered) < LOW_COVERAGE:
        notices.append(coverage_low(missing))
    for part in parts.parts:
        notices += source_notices(part.understood, part.readings, passed)
    return notices


def _missing(part: Part, passed: Sequence[Sentence]) -> list[CoveredAspect]:
    """The aspects that nothing speaks of, if it was looked for; a party that says nothing at all is named as such."""
    if not all(reading.found.was_searched for reading in part.readings):
        return []
    silent = set(_silent(part.readings, passed)) if part.understood.compares else set()
    slugs = {party.slug for party in part.understood.parties if party.name in silent}
    return [each for each in part.covered if not each.is_covered and each.party_slug not in slugs]


def _silent(readings: Sequence[Reading], passed: Sequence[Sentence]) -> list[str]:
    """The parties that were looked for and say nothing."""
    heard = {sentence.group for sentence in passed}
    asked = [
        reading.found.sub.party.name for reading in readings if reading.found.sub.party and reading.found.was_searched
    ]
    return [name for name in asked if name not in heard]
