"""Measures what a party says on a subject, with its reason and without it: on politics, and beside what others say.

Called by the command train_sufficiency. Without its reason on the subject, a party's other reasons and everybody's
reasons on the subject are still there: what is found is near and answers nothing.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from apps.answering.parties import party_directory
from apps.answering.statistics import corpus_idf
from apps.answering.suites.positions import Position
from apps.answering.training import Case, Pair
from apps.core.suites import SuiteContext
from apps.documents.embedding import get_embedder
from apps.documents.search.searching import search
from apps.rag.features import measure
from apps.rag.protocols import Vectors
from apps.rag.reading import Evidence, question_coverage, read, subject_words
from apps.rag.retrieving.searching import best_of
from apps.rag.settings import PipelineSettings
from apps.rag.sufficiency import judge
from apps.rag.types import Passage, SearchFilters, SearchQuery
from apps.rag.understanding import Understanding, understand

# Every question takes two searches; more pairs move no weight by much.
MOST: Final = 600
# Shorter reasons are shouts and jokes.
_FEWEST_WORDS: Final = 8
_CLAIM: Final = re.compile(r"(?P<subject>.*?) (?P<verb>soll|sollen|muss|müssen)(?P<rest> .*?)[.]?")
_SMALL_BEFORE: Final = frozenset({"Der", "Die", "Das", "In", "Alle", "Bei", "Für", "Auf", "An", "Im"})


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with all that was found for it, best first."""

    understood: Understanding
    passages: tuple[Passage, ...]
    idf: Mapping[str, float]
    vector: Vectors


def read_theses(context: SuiteContext) -> dict[int, str]:
    """Return the wording of each thesis by its number."""
    path = context.folder("wahl-o-mat") / "btw2025-flat.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["thesis_id"]: row["thesis"] for row in rows}


def questions_on(positions: Sequence[Position], theses: Mapping[int, str]) -> list[tuple[Position, str]]:
    """Return an even sample of positions with a reason, and how each is asked: by its subject, or by its thesis."""
    spoken = [each for each in positions if len(each.reason.split()) >= _FEWEST_WORDS]
    random.Random(1).shuffle(spoken)
    return [
        (each, _by_thesis(each, theses[each.thesis]) if place % 2 else each.question)
        for place, each in enumerate(spoken[:MOST])
    ]


def _by_thesis(position: Position, thesis: str) -> str:
    match = _CLAIM.fullmatch(thesis)
    if match is None:
        return position.question
    subject = match["subject"]
    if subject.split()[0] in _SMALL_BEFORE:
        subject = subject[0].lower() + subject[1:]
    return f"{match['verb'].capitalize()} {subject}{match['rest']}, was sagt {position.party} dazu?"


def measure_positions(
    asked: Sequence[tuple[Position, str]], uuids: Mapping[tuple[str, int], str], say: Callable[[str], None]
) -> list[Pair]:
    """Return each question's case with and without the party's reason; ``uuids`` are those of the reasons' documents.

    The reason is taken out of what was found: among a thousand it moves no weight of a word.
    """
    settings = PipelineSettings(embedder=get_embedder().name)
    pairs = []
    for place, (position, question) in enumerate(asked, 1):
        found = _ask(question, settings)
        uuid = uuids[position.slug, position.thesis]
        cases = [_case(_read(found, without, settings), settings) for without in ("", uuid)]
        if found.understood.parties and all(cases):
            pairs.append(Pair(f"thesis {position.thesis}", *(case for case in cases if case)))
        if place % 100 == 0:
            say(f"{place} of {len(asked)} positions asked")
    return pairs


def _ask(question: str, settings: PipelineSettings) -> _Asked:
    understood = understand(question, "de", party_directory(), at_most=settings.parties_compared)
    slugs = tuple(party.slug for party in understood.parties)
    text, language, day = understood.sub_questions[0].text, understood.language, timezone.localdate()
    anywhere = search(SearchQuery(text, SearchFilters(on=day), language, slugs, settings.top_k))
    own = search(SearchQuery(text, SearchFilters(on=day, party_slugs=slugs), language, slugs, settings.top_k))
    speaking = [each for each in anywhere if each.source.party_slug in slugs]
    idf = corpus_idf([word.stem for word in subject_words(understood.topic, language)], language)
    found = best_of(speaking, own, at_most=2 * settings.top_k)
    return _Asked(understood, found, idf, get_embedder().embed_question(understood.topic))


def _read(asked: _Asked, without: str, settings: PipelineSettings) -> Evidence | None:
    passages = [each for each in asked.passages if each.source.uuid != without][: settings.top_k]
    if not passages:
        return None
    topic, language = asked.understood.topic, asked.understood.language
    coverage = question_coverage(topic, language, passages, asked.idf)
    first = settings.passages_read
    return read(topic, asked.vector, passages[:first], coverage, language, settings, passages[first:])


def _case(evidence: Evidence | None, settings: PipelineSettings) -> Case | None:
    if evidence is None or not evidence.sentences:
        return None
    is_refused = judge(evidence, settings.embedder, is_about_parties=True).refusal is not None
    return Case(measure(evidence, is_about_parties=True).features, is_refused)
