"""What a search finds, and what it must never find."""

from datetime import date

import pytest

from apps.documents.models import Chunk, Document
from apps.documents.search import search
from apps.rag.types import WantedTime
from tests.documents.search.building import asking, collection, document, party

pytestmark = pytest.mark.django_db

# More chunks than a search lists, so that ranks mean something.
FILLER = [f"Abschnitt {number} handelt von Fischen und Booten im Hafen Nummer {number}." for number in range(8)]


def found(text: str, **fields: object) -> list[str]:
    return [passage.text for passage in Chunk.objects.search(asking(text, **fields))]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param("Rente", "Das Rentenniveau bleibt bei 48 Prozent.", id="a part finds its compound"),
        pytest.param("Niveau der Rente", "Das Rentenniveau bleibt bei 48 Prozent.", id="both parts find the compound"),
        pytest.param("Wähler", "Waehlerinnen melden sich im Rathaus.", id="an umlaut finds its long spelling"),
        pytest.param("Waehlerinnen", "Waehlerinnen melden sich im Rathaus.", id="the long spelling finds itself"),
        pytest.param("Strasse", "Die Straße wird saniert.", id="ss finds sharp s"),
        pytest.param("§ 36", "Nach § 36 BWahlG gilt der Wahlbrief.", id="a paragraph of a law by its sign"),
        pytest.param("Paragraph 36", "Nach § 36 BWahlG gilt der Wahlbrief.", id="a paragraph of a law by its word"),
    ],
)
def test_german_words_find_each_other(question: str, expected: str) -> None:
    document(
        *FILLER,
        "Das Rentenniveau bleibt bei 48 Prozent.",
        "Eine Rente erhält, wer gearbeitet hat. Das Niveau zählt.",
        "Waehlerinnen melden sich im Rathaus.",
        "Die Straße wird saniert.",
        "Nach § 36 BWahlG gilt der Wahlbrief.",
        "Nach § 37 BWahlG wird gezählt.",
    )
    scores = {passage.text: passage.scores for passage in search(asking(question, top_k=20))}
    assert scores[expected].bm25
    assert scores[expected].bm25_rank in (1, 2)


def test_a_reference_prefers_its_own_number() -> None:
    document(*FILLER, "Nach § 37 BWahlG wird gezählt.", "Nach § 36 BWahlG gilt der Wahlbrief.")
    assert found("Was steht in § 36?")[0] == "Nach § 36 BWahlG gilt der Wahlbrief."


def test_the_heading_path_is_searched_but_not_part_of_the_text() -> None:
    document("Wir erhöhen ihn auf 15 Euro.", context="Arbeit › Mindestlohn")
    document(*FILLER)
    first = search(asking("Mindestlohn"))[0]
    assert (first.text, first.context) == ("Wir erhöhen ihn auf 15 Euro.", "Arbeit › Mindestlohn")


class TestLimits:
    """Set by the server; nothing that a reader writes can widen them."""

    def test_desk_only_never_reaches_the_public(self) -> None:
        desk = collection("intern", visibility="desk")
        document("Der Mindestlohn steigt auf 15 Euro.", shelf=desk)
        assert found("Mindestlohn collection:intern includes_desk=true") == []
        assert found("Mindestlohn", includes_desk=True) == ["Der Mindestlohn steigt auf 15 Euro."]

    @pytest.mark.parametrize("includes_desk", [False, True])
    def test_text_that_waits_for_review_is_never_found(self, includes_desk: bool) -> None:
        document("Der Mindestlohn steigt auf 15 Euro.", needs_review=True)
        assert found("Mindestlohn", includes_desk=includes_desk) == []

    @pytest.mark.parametrize(
        ("dates", "is_found"),
        [
            ({"valid_from": date(2026, 2, 2)}, False),
            ({"valid_from": date(2026, 2, 1), "valid_until": date(2026, 2, 1)}, True),
            ({"valid_until": date(2026, 1, 31)}, False),
        ],
    )
    def test_only_what_is_valid_on_the_day(self, dates: dict[str, date], is_found: bool) -> None:
        document("Der Mindestlohn steigt.", **dates)
        assert bool(found("Mindestlohn")) is is_found

    def test_only_the_current_version(self) -> None:
        made = document("Der Mindestlohn steigt.")
        Document.objects.filter(pk=made.pk).update(current_version=None, status="queued")
        assert found("Mindestlohn") == []

    @pytest.mark.parametrize(
        ("limit", "expected"),
        [
            ({"party_slugs": ("rot",)}, ["Mindestlohn sagt Rot."]),
            ({"kinds": ("programme",)}, ["Mindestlohn sagt Rot."]),
            ({"languages": ("en",)}, ["Mindestlohn is the wage floor, they say."]),
            ({"collection_slugs": ("guide",)}, ["Mindestlohn is the wage floor, they say."]),
            ({"published_from": date(2025, 6, 1)}, ["Mindestlohn sagt Blau."]),
            ({"published_until": date(2025, 5, 31)}, ["Mindestlohn sagt Rot."]),
        ],
    )
    def test_each_limit_keeps_the_rest_out(self, limit: dict[str, object], expected: list[str]) -> None:
        document("Mindestlohn sagt Rot.", party=party("rot", "ROT"), kind="programme", published=date(2025, 5, 1))
        document("Mindestlohn sagt Blau.", party=party("blau", "BLAU"), published=date(2025, 7, 1))
        document("Mindestlohn is the wage floor, they say.", language="en", shelf=collection("guide"))
        assert found("Mindestlohn", **limit) == expected
        # The back office counts by the same limits.
        limits = asking("Mindestlohn", **limit).filters
        assert list(Chunk.objects.searchable(limits).values_list("text", flat=True)) == expected

    def test_a_region_brings_what_holds_everywhere_along(self) -> None:
        document("Mindestlohn in Bayern.", region="Bayern", aspects=["Arbeit"])
        document("Mindestlohn in Hessen.", region="Hessen", aspects=["Arbeit", "Wirtschaft"])
        document("Mindestlohn im ganzen Land.", aspects=["Rente"])
        assert set(found("Mindestlohn", regions=("Bayern",))) == {
            "Mindestlohn in Bayern.",
            "Mindestlohn im ganzen Land.",
        }
        assert found("Mindestlohn", aspects=("Wirtschaft", "Umwelt")) == ["Mindestlohn in Hessen."]

    def test_a_party_in_the_question_cannot_leave_the_filter(self) -> None:
        document("Mindestlohn sagt Rot.", party=party("rot", "ROT"))
        document("Mindestlohn sagt Blau.", party=party("blau", "BLAU"))
        assert found("Was sagt BLAU zum Mindestlohn?", party_slugs=("rot",)) == ["Mindestlohn sagt Rot."]


class TestParties:
    """Names in the question become a narrower search."""

    def test_other_parties_words_are_left_out(self) -> None:
        document("Der Mindestlohn steigt, sagt Rot.", party=party("rot", "ROT"))
        document("Der Mindestlohn bleibt, sagt Blau.", party=party("blau", "BLAU"))
        document("Der Mindestlohn ist ein Streit.")
        assert found("Was sagt ROT zum Mindestlohn?") == [
            "Der Mindestlohn steigt, sagt Rot.",
            "Der Mindestlohn ist ein Streit.",
        ]

    def test_two_named_parties_are_both_heard(self) -> None:
        for slug in ("rot", "blau", "lila"):
            document(f"Der Mindestlohn, sagt {slug}.", party=party(slug, slug.upper()))
        results = search(asking("ROT oder BLAU: wer will den Mindestlohn?"))
        assert {passage.source.party_slug for passage in results} == {"rot", "blau"}

    def test_a_preferred_party_ranks_higher_and_shuts_nobody_out(self) -> None:
        document("Der Mindestlohn steigt bald.", party=party("rot", "ROT"))
        document("Der Mindestlohn steigt später.", party=party("blau", "BLAU"))
        results = search(asking("Mindestlohn steigt", preferred_party_slugs=("blau",)))
        assert [passage.source.party_slug for passage in results] == ["blau", "rot"]
        assert results[0].scores.party_bonus > 0

    def test_a_name_counts_in_what_others_write(self) -> None:
        document("Wir sind gegen den Parteitag.", party=party("rot", "ROT"))
        document("Der Parteitag der BLAU war kurz.", "Der Parteitag der ROT war lang.")
        results = search(asking("Parteitag ROT", top_k=3))
        by_words = {passage.text: passage.scores.bm25 or 0 for passage in results}
        assert by_words["Der Parteitag der ROT war lang."] > 2 * by_words["Der Parteitag der BLAU war kurz."]

    def test_a_party_without_documents_stays_a_word(self) -> None:
        party("rot", "ROT")
        document("Die ROT verliert Stimmen.", "Die BLAU verliert Stimmen.")
        assert found("Stimmen der ROT")[0] == "Die ROT verliert Stimmen."

    def test_a_question_that_is_only_a_name_still_finds_something(self) -> None:
        document("ROT ist eine Partei.", party=party("rot", "ROT"))
        assert found("ROT") == ["ROT ist eine Partei."]


def test_news_of_today_beat_equal_news_of_last_year() -> None:
    news = collection("news", recency_half_life_days=30)
    document("Der Mindestlohn steigt im Januar.", shelf=news, published=date(2025, 1, 30))
    document("Der Mindestlohn steigt im Februar.", shelf=news, published=date(2026, 1, 30))
    results = search(asking("Mindestlohn steigt"))
    assert [passage.source.published.year for passage in results if passage.source.published] == [2026, 2025]


class TestSuperseded:
    """Which of two articles on one matter stands in front."""

    def _pair(self) -> tuple[Document, Document]:
        newer = document("Das Duell ist am 7. Februar.", title="Neu", published=date(2026, 1, 20))
        older = document("Das Duell ist am 31. Januar.", title="Alt", published=date(2026, 1, 5), superseded_by=newer)
        return older, newer

    def test_the_newer_one_comes_first(self) -> None:
        self._pair()
        first, second = search(asking("Wann ist das Duell?"))
        assert (first.source.title, second.source.title) == ("Neu", "Alt")
        assert second.reason.endswith("outdated")

    def test_as_things_stood_then_the_older_one_does(self) -> None:
        self._pair()
        then = asking("Wann ist das Duell?", wanted=WantedTime(as_of=date(2026, 1, 10)))
        assert [each.source.title for each in search(then)] == ["Alt", "Neu"]

    def test_a_newer_one_without_a_date_counts_at_once(self) -> None:
        self._pair()
        Document.objects.update(published=None)
        assert [each.source.title for each in search(asking("Wann ist das Duell?"))] == ["Neu", "Alt"]

    def test_a_newer_one_that_is_not_valid_yet_does_not_count(self) -> None:
        _, newer = self._pair()
        Document.objects.filter(pk=newer.pk).update(valid_from=date(2026, 3, 1))
        (only,) = search(asking("Wann ist das Duell?"))
        assert (only.source.title, only.scores.recency) == ("Alt", 0.0)

    def test_a_passage_names_the_whole_line_of_newer_ones(self) -> None:
        _, newer = self._pair()
        newest = document("Das Duell fällt aus.", title="Neuestes", published=date(2026, 1, 30))
        Document.objects.filter(pk=newer.pk).update(superseded_by=newest)
        found = {each.source.title: each.source for each in search(asking("Wann ist das Duell?"))}
        assert found["Alt"].superseded_by == (str(newer.uuid), str(newest.uuid))
        assert found["Alt"].superseded_on == date(2026, 1, 20)
        assert found["Neuestes"].superseded_by == ()


def test_a_time_in_other_words_is_searched_as_its_year() -> None:
    document("Das Ticket kostet dann 49 Euro: das steht im Plan.", title="Ohne Jahr")
    document("Das Ticket kostet 2027 noch 39 Euro, so der Plan.", title="Mit Jahr")
    asked = asking("Was kostet das Ticket nächstes Jahr?", wanted=WantedTime(words="2027"))
    assert search(asked)[0].source.title == "Mit Jahr"


def test_the_same_text_comes_once() -> None:
    document("Der Mindestlohn steigt.")
    document("Der Mindestlohn steigt.")
    assert found("Mindestlohn") == ["Der Mindestlohn steigt."]


@pytest.mark.parametrize("weight", [0.0, 1.0, 5.0])
def test_a_collections_weight_of_words_counts(weight: float) -> None:
    document("Der Mindestlohn steigt.", shelf=collection("laut", lexical_weight=weight))
    scores = search(asking("Mindestlohn"))[0].scores
    assert scores.cosine is not None
    assert scores.bm25 is not None
    assert scores.fused == pytest.approx(scores.cosine + weight * 0.01 * scores.bm25)


def test_every_passage_says_why_it_is_there() -> None:
    document("Der Mindestlohn steigt.", party=party("rot", "ROT"))
    (passage,) = search(asking("Was will ROT beim Mindestlohn?"))
    assert passage.reason == "vector:1 words:1 party"
    assert passage.scores.cosine is not None
    assert passage.scores.fused_rank == 1
    assert passage.source.party_name == "ROT"


def test_sentences_come_with_their_vectors() -> None:
    document("Der Mindestlohn steigt.")
    (passage,) = search(asking("Mindestlohn"))
    assert [(one.start, one.end) for one in passage.sentences] == [(0, 23)]
    assert passage.vectors.shape == (1, 384)


def test_words_alone_find_chunks_without_a_vector() -> None:
    document("Der Mindestlohn steigt.")
    Chunk.objects.update(vector=None)
    (passage,) = search(asking("Mindestlohn"))
    assert (passage.scores.cosine, passage.scores.bm25_rank) == (None, 1)


@pytest.mark.parametrize("question", ["", "   ", "?!", "\u200b"])
def test_a_question_without_words_finds_nothing_and_breaks_nothing(question: str) -> None:
    document("Der Mindestlohn steigt.")
    assert isinstance(search(asking(question)), list)


def test_a_search_takes_few_queries(django_assert_max_num_queries: object) -> None:
    for number in range(20):
        document(f"Der Mindestlohn steigt um {number} Euro.", party=party("rot", "ROT"))
    with django_assert_max_num_queries(11):  # type: ignore[operator]
        search(asking("Was sagt ROT zum Mindestlohn?"))
