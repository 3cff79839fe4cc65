"""The one order of words and vectors."""

from dataclasses import replace
from datetime import date

import pytest

from apps.rag.fusion import NEAREST, Candidate, fuse, recency, timeliness
from apps.rag.types import WantedTime

ON = date(2026, 2, 1)
PLAIN = Candidate(chunk_id=1, document_id=1, content_hash="", cosine=0.8, bm25=0.0)


def order(*candidates: Candidate, spread: float = 0.035, preferred: tuple[str, ...] = ()) -> list[int]:
    fused = fuse(candidates, spread=spread, on=ON, preferred_party_slugs=preferred)
    return [item.candidate.chunk_id for item in fused]


def variant(chunk_id: int, **fields: object) -> Candidate:
    return replace(PLAIN, chunk_id=chunk_id, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        pytest.param([variant(1), variant(2, cosine=0.81)], [2, 1], id="nearer first"),
        pytest.param([variant(1), variant(2, bm25=1.0)], [2, 1], id="words decide between equals"),
        pytest.param([variant(1, cosine=0.83), variant(2, bm25=10.0)], [2, 1], id="ten points beat 0.03"),
        pytest.param([variant(1, cosine=0.84), variant(2, bm25=10.0)], [1, 2], id="ten points lose to 0.04"),
        pytest.param(
            [variant(1, bm25=9.0, lexical_weight=0.0), variant(2, bm25=1.0)], [2, 1], id="a shelf ignores words"
        ),
        pytest.param([variant(2), variant(1)], [1, 2], id="ties by number"),
        pytest.param([variant(1, cosine=None, bm25=3.0), variant(2)], [1, 2], id="without a vector by words"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_order(candidates: list[Candidate], expected: list[int]) -> None:
    assert order(*candidates) == expected


def test_the_weight_of_words_follows_the_embedders_spread() -> None:
    far, near = variant(1, cosine=0.5, bm25=10.0), variant(2, cosine=0.55)
    assert order(far, near, spread=0.035) == [2, 1]
    assert order(far, near, spread=0.1) == [1, 2]


def test_how_far_behind_the_nearest_a_passage_stands_does_not_outweigh_its_words() -> None:
    near = [variant(number, cosine=0.8) for number in range(1, NEAREST + 1)]
    far, worded = variant(98, cosine=0.1), variant(99, cosine=0.1, bm25=0.5)
    assert order(*near, far, worded)[0] == 99
    assert order(*near, far, worded)[-1] == 98
    assert order(*near[1:], far, worded)[-2:] == [99, 98]


def test_a_preferred_party_gains_half_a_spread() -> None:
    assert order(variant(1), variant(2, party_slug="rot", cosine=0.79), preferred=("rot",)) == [2, 1]
    assert order(variant(1), variant(2, party_slug="rot", cosine=0.78), preferred=("rot",)) == [1, 2]


def test_an_equal_text_comes_once_and_the_better_one_stays() -> None:
    assert order(variant(1, content_hash="a"), variant(2, content_hash="a", cosine=0.9), variant(3)) == [2, 3]


@pytest.mark.parametrize(
    ("published", "half_life", "expected"),
    [
        (date(2026, 2, 1), 30, 1.0),
        (date(2026, 1, 2), 30, 0.5),
        (date(2025, 12, 3), 30, 0.25),
        (date(2026, 3, 1), 30, 1.0),
        (None, 30, 0.0),
        (date(2026, 2, 1), None, 0.0),
    ],
)
def test_recency_halves(published: date | None, half_life: int | None, expected: float) -> None:
    assert recency(published, half_life, ON) == pytest.approx(expected)


OLD = variant(1, published=date(2026, 1, 5), half_life_days=14, superseded_on=date(2026, 1, 20))
NEW = variant(2, published=date(2026, 1, 20), half_life_days=14)


@pytest.mark.parametrize(
    ("wanted", "first"),
    [
        pytest.param(WantedTime(), NEW, id="the newer one today"),
        pytest.param(WantedTime(as_of=date(2026, 1, 10)), OLD, id="the older one as things stood then"),
        pytest.param(WantedTime(as_of=date(2026, 1, 20)), NEW, id="the newer one from its day on"),
        pytest.param(WantedTime(wants_earlier=True), OLD, id="what stood before"),
        pytest.param(
            WantedTime(published_from=date(2026, 1, 1), published_until=date(2026, 1, 10)), OLD, id="reports of a time"
        ),
        pytest.param(WantedTime(published_from=date(2026, 1, 19)), NEW, id="reports since a day"),
    ],
)
def test_the_wanted_time_decides_between_old_and_new(wanted: WantedTime, first: Candidate) -> None:
    fused = fuse([OLD, NEW], spread=0.035, on=ON, wanted=wanted)
    assert fused[0].candidate == first


def test_what_a_newer_document_supersedes_stands_behind_it_though_its_words_fit_better() -> None:
    better = replace(OLD, cosine=0.82, bm25=4.0)
    assert [each.candidate.chunk_id for each in fuse([better, NEW], spread=0.035, on=ON)] == [2, 1]


def test_no_wish_shuts_a_document_out() -> None:
    wanted = WantedTime(as_of=date(2020, 1, 1), published_from=date(2020, 1, 1), published_until=date(2020, 2, 1))
    assert len(fuse([OLD, NEW, PLAIN], spread=0.035, on=ON, wanted=wanted)) == 3


def test_a_document_without_a_date_is_no_report_of_a_time() -> None:
    assert timeliness(PLAIN, ON, WantedTime(published_from=date(2026, 1, 1))) < timeliness(PLAIN, ON, WantedTime())


def test_every_score_is_kept() -> None:
    (item,) = fuse(
        [variant(7, bm25=2.0, cosine_rank=3, bm25_rank=1, party_slug="rot", published=ON, half_life_days=9)],
        spread=0.04,
        on=ON,
        preferred_party_slugs=("rot",),
    )
    scores = item.scores
    assert (scores.cosine, scores.bm25, scores.cosine_rank, scores.bm25_rank, scores.fused_rank) == (0.8, 2.0, 3, 1, 1)
    assert scores.recency == pytest.approx(0.02)
    assert scores.party_bonus == pytest.approx(0.02)
    assert scores.fused == pytest.approx(0.8 + 0.004 * 2 + 0.02 + 0.02)
