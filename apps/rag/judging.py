"""Reads what was found and judges it: what a rule has brought and what search found each on its own merits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.rag.asking import unknown_parties
from apps.rag.attributing import about_names, is_told_by_reports, only_about
from apps.rag.conflicts import Conflict
from apps.rag.considering import considered
from apps.rag.coverage import Coverage
from apps.rag.desk import DeskLink
from apps.rag.events import Notice
from apps.rag.people import people_asked
from apps.rag.protocols import Vectors
from apps.rag.reading import Evidence, ReadSentence, read, relevance
from apps.rag.refusal import RefusalCode, names_joined, refuse
from apps.rag.retrieving import Found
from apps.rag.settings import PipelineSettings
from apps.rag.sufficiency import judge
from apps.rag.timely import without_plans, worth_reading
from apps.rag.types import Passage
from apps.rag.understanding import PartyDirectory, Understanding
from apps.rag.verdicts import Sufficiency, Verdict

# Further documents of a rule are all alike behind this many.
_LAST_STEP = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """One sub-question with what was found, read and judged. Of the evidence only what suffices is left to quote.

    ``conflict`` are two sources that contradict each other on it.
    """

    found: Found
    evidence: Evidence
    verdict: Verdict
    conflict: Conflict | None = None


def read_found(
    found: Found,
    understood: Understanding,
    vector: Vectors | None,
    coverage: Coverage,
    directory: PartyDirectory,
    settings: PipelineSettings,
) -> Reading:
    """Read the best passages of a rule's documents and of the search, and judge the two apart.

    A rule's documents pass the off-topic gate by themselves and lead wherever they suffice. What was put aside is read
    when nothing else suffices.
    """
    reading = _read_found(found, understood, vector, coverage, directory, settings)
    if reading.verdict.refusal is not None and found.aside:
        whole = replace(found, desk=(*found.desk, *found.aside), aside=())
        reading = _read_found(whole, understood, vector, coverage, directory, settings)
    return replace(reading, verdict=reading.verdict.in_conflict()) if reading.conflict else reading


def _read_found(
    found: Found,
    understood: Understanding,
    vector: Vectors | None,
    coverage: Coverage,
    directory: PartyDirectory,
    settings: PipelineSettings,
) -> Reading:
    desk = sorted(found.desk, key=lambda each: (-each.scores.reranked, -relevance(each)))[: settings.desk_passages_read]
    chosen = [
        *worth_reading(found.passages, understood, settings.passages_read),
        *_own_words(found, understood, settings.own_passages_read),
    ]
    searched = [each for each in found.passages if each in chosen or each.chunk_id in found.further]
    passages, others = (*desk, *searched), [each for each in found.passages if each not in searched]
    evidence = read(understood.topic, vector, passages, coverage, understood.language, settings, others)
    # What serves a whole comparison speaks of those that are compared.
    parties = (found.sub.party,) if found.sub.party else understood.parties
    people = people_asked(evidence.question, evidence.passages, directory, evidence.language)
    evidence = only_about(evidence, parties, directory, people)
    evidence = about_names(evidence, len(desk), settings)
    evidence, conflict = considered(without_plans(evidence, understood), people, understood, directory, settings)
    unknown = unknown_parties(found.sub.text, directory, [each.text for each in (*passages, *others)])
    if unknown:
        return Reading(found, evidence, Verdict(Sufficiency.REFUSE, 0.0, RefusalCode.UNKNOWN_PARTY, subjects=unknown))
    parts = [
        part for part in (_part(evidence, 0, len(desk)), _part(evidence, len(desk), len(passages))) if part.passages
    ]
    if not parts:
        return Reading(found, evidence, judge(evidence, settings.embedder, thresholds=settings.thresholds), conflict)
    # Editors vouch for what they link, not for what search found beside it.
    verdicts = [
        judge(
            part,
            settings.embedder,
            is_on_topic=bool(desk) and place == 0,
            is_about_parties=bool(parties),
            thresholds=settings.thresholds,
        )
        for place, part in enumerate(parts)
    ]
    if understood.is_stated:
        verdicts = [_in_readers_words(verdict) for verdict in verdicts]
    sufficient = [verdict for verdict in verdicts if verdict.refusal is None]
    if not sufficient:
        verdict = max(verdicts, key=lambda verdict: verdict.probability)
        return Reading(found, evidence, verdict, conflict)
    if not desk:
        return Reading(found, evidence, verdicts[0], conflict)
    desk_suffices = verdicts[0].refusal is None
    search_suffices = len(parts) > 1 and verdicts[1].refusal is None
    quotable = _preferring_desk(evidence, found, len(desk), settings, desk_leads=desk_suffices)
    kept = tuple(each for each in quotable if (desk_suffices if each.rank < len(desk) else search_suffices))
    return Reading(found, replace(evidence, sentences=kept), sufficient[0], conflict)


def _in_readers_words(verdict: Verdict) -> Verdict:
    """Name no day that the reader has not said: where sources do not tell it, or tell another, that is a refusal."""
    if verdict.suffices and verdict.caveat is None:
        return verdict
    return Verdict(Sufficiency.REFUSE, verdict.probability, RefusalCode.NOT_ENOUGH, features=verdict.features)


def _own_words(found: Found, understood: Understanding, most: int) -> list[Passage]:
    """The best passages of the party that is asked about: it is heard, however much is reported on it."""
    party = found.sub.party
    if party is None or is_told_by_reports(understood.topic, understood.language):
        return []
    return [each for each in found.passages if each.source.party_slug == party.slug][:most]


def _part(evidence: Evidence, first: int, last: int) -> Evidence:
    """Return some passages as evidence of their own, ranked from 0."""
    sentences = tuple(replace(s, rank=s.rank - first) for s in evidence.sentences if first <= s.rank < last)
    return replace(evidence, passages=evidence.passages[first:last], sentences=sentences)


def _preferring_desk(
    evidence: Evidence, found: Found, desk_count: int, settings: PipelineSettings, *, desk_leads: bool
) -> tuple[ReadSentence, ...]:
    """Return the sentences with scores that let the editors' order break near ties.

    Where the rule's documents suffice (``desk_leads``), their best sentence is lifted above all that search found: who
    links a document expects the answer from it.
    """
    places = {uuid: place for place, uuid in enumerate(dict.fromkeys(each.source.uuid for each in found.desk))}

    def loss(sentence: ReadSentence) -> float:
        if sentence.rank >= desk_count:
            return settings.desk_preference
        return settings.desk_order_step * min(places[sentence.passage.source.uuid], _LAST_STEP)

    sentences = [replace(sentence, score=sentence.score - loss(sentence)) for sentence in evidence.sentences]
    if not desk_leads:
        return tuple(sentences)
    ours = [each.score for each in sentences if each.rank < desk_count and each.is_quotable]
    others = [each.score for each in sentences if each.rank >= desk_count and each.is_quotable]
    lift = max(0.0, max(others) - max(ours) + settings.desk_order_step) if ours and others else 0.0
    return tuple(replace(each, score=each.score + lift) if each.rank < desk_count else each for each in sentences)


def passages_of(readings: Sequence[Reading], brought: Sequence[Passage] = ()) -> tuple[Passage, ...]:
    """Return every passage once: what a rule ``brought``, then the first of each sub-question before any second one."""
    ordered = [*brought, *(passage for reading in readings for passage in reading.found.desk)]
    longest = max((len(reading.found.passages) for reading in readings), default=0)
    ordered += (
        reading.found.passages[place]
        for place in range(longest)
        for reading in readings
        if place < len(reading.found.passages)
    )
    return tuple({passage.chunk_id: passage for passage in ordered}.values())


def refusal_of(
    readings: Sequence[Reading], settings: PipelineSettings, links: Sequence[DeskLink] = (), *, has_rule: bool = False
) -> Notice | None:
    """Return the refusal when no sub-question has evidence; it leads with the desk's links."""
    if any(reading.verdict.refusal is None for reading in readings):
        return None
    names = [reading.found.sub.party.name for reading in readings if reading.found.sub.party]
    found = passages_of(readings)
    nearest = [*found, *(each for reading in readings for each in reading.found.elsewhere)]
    if nearest and (found or not names):
        return _told(readings, nearest, settings, links)
    if has_rule:
        code = RefusalCode.NOT_ENOUGH
    else:
        code = RefusalCode.WRONG_PARTY if names else RefusalCode.EMPTY_CORPUS
    return refuse(code, nearest, at_most=settings.passages_nearest, subjects=names, links=links)


def _told(
    readings: Sequence[Reading], nearest: Sequence[Passage], settings: PipelineSettings, links: Sequence[DeskLink]
) -> Notice:
    """The refusal of what was nearest to an answer, with all that it and its like miss."""
    verdict = max((reading.verdict for reading in readings), key=lambda verdict: verdict.probability)
    code = verdict.refusal or RefusalCode.NOT_ENOUGH
    # A word that one party's sources have is not missing.
    alike = [reading.verdict for reading in readings if reading.verdict.refusal is code]
    subjects = [word for word in verdict.subjects if all(word in each.subjects for each in alike)]
    if code is RefusalCode.NOT_STATED:
        subjects = names_joined(subjects, readings[0].evidence.question)
    return refuse(code, nearest, at_most=settings.passages_nearest, subjects=subjects, links=links)
