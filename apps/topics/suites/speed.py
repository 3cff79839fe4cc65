"""Speed and memory of runs, placing and dashboards on large logs."""

from __future__ import annotations

import resource
import time
from datetime import timedelta
from typing import Final

import numpy as np
from django.db import connection
from django.http import QueryDict

from apps.core.suites import SuiteContext, SuiteResult, bench
from apps.querylog.counting import berlin_today
from apps.topics.dashboards.overview import overview
from apps.topics.dashboards.places import map_page, parties_page
from apps.topics.dashboards.quality import quality_page
from apps.topics.dashboards.reading import filters_of
from apps.topics.dashboards.topic import topic_facts
from apps.topics.modelling.discovery import discover
from apps.topics.modelling.identity import Known
from apps.topics.modelling.placing import place
from apps.topics.modelling.routine import go_on
from apps.topics.modelling.types import Corpus
from apps.topics.modelling.vectors import centres_of, unit
from apps.topics.models import Topic, TopicDay
from apps.topics.suites.streaming import topics_of

_TEXTS: Final = 50_000
_NEW: Final = 10_000
_SUBJECTS: Final = 300
# e5-small and the encoder beside it.
_DIMENSIONS: Final = 896
_DAYS: Final = 90
_QUESTIONS: Final = 1_000_000


@bench("topics", needs_database=True)
def topics(context: SuiteContext) -> SuiteResult:
    """A full run and a night over 50,000 texts, placing 10,000 more, dashboards over a million questions."""
    corpus = synthetic(int(context.options.get("texts", _TEXTS)))
    begun = time.perf_counter()
    found = discover(corpus)
    full = time.perf_counter() - begun
    context.say(f"Full: {full:.0f} s, {found.count} topics, {found.unplaced_share:.2f} unplaced.")
    known = topics_of(corpus, found.labels)
    begun = time.perf_counter()
    go_on(corpus, known, settled=frozenset(corpus.keys[: len(corpus) * 96 // 100]))
    night = time.perf_counter() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {
        "full_s": round(full, 1),
        "night_s": round(night, 1),
        "run_mb": round(memory),
        "place_s": round(_placing(known), 3),
        **_pages(context),
    }
    return SuiteResult(n=len(corpus), figures=figures)


def synthetic(texts: int, subjects: int = _SUBJECTS, seed: int = 5) -> Corpus:
    """Return texts around random subjects, as wide apart as centred vectors of questions; a tenth belongs to none."""
    chance = np.random.default_rng(seed)
    centres = unit(chance.normal(size=(subjects, _DIMENSIONS)).astype(np.float32))
    own = chance.integers(subjects, size=texts)
    noise = unit(chance.normal(size=(texts, _DIMENSIONS)).astype(np.float32))
    share = np.where(chance.random(texts) < 0.1, 0.0, 0.7)[:, None]
    vectors = unit((share * centres[own] + 0.7 * noise).astype(np.float32))
    keys = tuple(f"{number:08d}" for number in range(texts))
    return Corpus(keys, keys, vectors, np.ones(texts))


def _placing(known: list[Known]) -> float:
    fresh = synthetic(_NEW, seed=6)
    centres = np.stack([topic.centre for topic in known]) if known else centres_of(fresh.vectors, np.zeros(0, int), 0)
    floors = np.array([topic.floor for topic in known], dtype=np.float32)
    begun = time.perf_counter()
    place(fresh.vectors, centres, floors)
    return time.perf_counter() - begun


def _pages(context: SuiteContext) -> dict[str, float]:
    """Return the 95th percentile of each dashboard's time over the rollups of a million questions, and its growth."""
    small = _timed(10_000)
    large = _timed(_QUESTIONS)
    context.say(f"Pages over 10,000 questions: {small}; over a million: {large}.")
    slowest, before = max(large.values()), max(small.values())
    figures = {f"{name}_p95_ms": value for name, value in large.items()}
    return {**figures, "pages_growth": round(slowest / max(before, 0.1), 2)}


def _timed(questions: int) -> dict[str, float]:
    _rollups(questions)
    filters = filters_of(QueryDict("days=90"))
    topic = Topic.objects.order_by("pk").first()
    assert topic is not None
    pages = {
        "overview": lambda: overview(filters),
        "map": lambda: map_page(filters),
        "parties": lambda: parties_page(filters),
        "quality": lambda: quality_page(filters),
        "topic": lambda: topic_facts(topic, filters, may_read=True),
    }
    return {name: _p95(make) for name, make in pages.items()}


def _p95(make: object) -> float:
    assert callable(make)
    times = []
    for _ in range(12):
        begun = time.perf_counter()
        make()
        times.append(1000 * (time.perf_counter() - begun))
    return round(float(np.quantile(times, 0.95)), 1)


def _rollups(questions: int) -> None:
    """Fill the rollups as a log of so many questions would: 90 days, 300 topics."""
    Topic.objects.all().delete()
    TopicDay.objects.all().delete()
    Topic.objects.bulk_create(
        [Topic(label_auto=f"Thema {number}", state="active", map_x=0.0, map_y=0.0) for number in range(_SUBJECTS)]
    )
    ids = list(Topic.objects.order_by("pk").values_list("pk", flat=True))
    per_cell = max(1, questions // (_DAYS * _SUBJECTS))
    rows = []
    for number in range(_DAYS):
        day = berlin_today() - timedelta(days=number)
        rows.append(TopicDay(day=day, scope="all", sessions=per_cell * _SUBJECTS, messages=per_cell * _SUBJECTS))
        rows += [
            TopicDay(day=day, scope="topic", topic_id=topic, sessions=per_cell, messages=per_cell, answered=per_cell)
            for topic in ids
        ]
    TopicDay.objects.bulk_create(rows, batch_size=5_000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE topics_topicday")
