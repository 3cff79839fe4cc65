"""A paragraph that is taken out leaves no trace, and the case with it cannot be told by anything but the evidence."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Sum

from apps.answering.gold_out import measure_case, measure_pairs, with_and_without, without_document
from apps.answering.statistics import corpus_idf
from apps.answering.suites.corpora import AskedParagraph
from apps.documents.models import Chunk, CorpusChange, Document
from apps.documents.search.searching import search
from apps.language.thesaurus import term_stem
from apps.rag.types import SearchFilters, SearchQuery
from tests.documents.builders import ready

# A word that stands nowhere else, in each.
TEXTS = {
    "Meer": "Der Leuchtturm von Nordhafen ist 64 Meter hoch. Fischer sehen ihn von weitem.",
    "Berg": "Die Seilbahn von Hochfeld fährt seit 1926. Sie bringt Wanderer auf den Gipfel.",
    "Wald": "Im Eichenwald von Grünau leben Wildschweine. Förster zählen sie im Herbst.",
    "Stadt": "Das Rathaus von Altstadt brannte 1743 nieder. Bürger bauten es wieder auf.",
}
QUESTIONS = {
    "Meer": "Wie hoch ist der Leuchtturm von Nordhafen?",
    "Berg": "Seit wann fährt die Seilbahn von Hochfeld?",
    "Wald": "Wo leben Wildschweine?",
    "Stadt": "Wann brannte das Rathaus nieder?",
}


def nothing(line: str) -> None:
    """Nobody listens."""


@pytest.fixture
def asked(db: None) -> list[AskedParagraph]:
    uuids = {article: str(ready(text, f"{article}.md").uuid) for article, text in TEXTS.items()}
    return [AskedParagraph(QUESTIONS[article], "", uuid, article) for article, uuid in uuids.items()]


def corpus_size() -> tuple[int, int]:
    """Chunks as the statistics know them and as they are stored."""
    return CorpusChange.objects.aggregate(total=Sum("chunks"))["total"], Chunk.objects.count()


def idf(word: str) -> float:
    return corpus_idf([term_stem(word, "de")], "de")[term_stem(word, "de")]


def found(question: str) -> set[str]:
    filters = SearchFilters(on=Document.objects.earliest("created_at").created_at.date())
    return {passage.source.uuid for passage in search(SearchQuery(question, filters))}


def test_both_cases_have_a_corpus_of_the_same_size(asked: list[AskedParagraph]) -> None:
    sizes = with_and_without(asked, lambda entry: corpus_size(), nothing)
    assert sizes == [((3, 3), (3, 3))] * 4


def test_the_weight_of_a_word_that_nobody_has_is_the_same_in_both_cases(asked: list[AskedParagraph]) -> None:
    assert all(kept == lost for kept, lost in with_and_without(asked, lambda entry: idf("Quastenflosser"), nothing))


def test_no_weight_remembers_the_paragraph_that_is_gone(asked: list[AskedParagraph]) -> None:
    weights = with_and_without(
        asked[:1] + asked[2:3], lambda entry: (idf("Leuchtturm"), idf("Quastenflosser")), nothing
    )
    (known, unknown), (as_if_unknown, still_unknown) = weights[0]
    assert known < unknown
    assert as_if_unknown == still_unknown


def test_the_gold_paragraph_is_found_with_it_and_never_without_it(asked: list[AskedParagraph]) -> None:
    for entry, (kept, lost) in zip(
        asked, with_and_without(asked, lambda each: found(each.question), nothing), strict=True
    ):
        assert entry.document_uuid in kept
        assert entry.document_uuid not in lost


def test_the_corpus_is_whole_again(asked: list[AskedParagraph]) -> None:
    before = corpus_size(), found(QUESTIONS["Meer"]), idf("Leuchtturm")
    measure_pairs(asked, nothing)
    assert (corpus_size(), found(QUESTIONS["Meer"]), idf("Leuchtturm")) == before


def test_the_corpus_is_whole_after_a_failure(asked: list[AskedParagraph]) -> None:
    with pytest.raises(ZeroDivisionError), without_document(asked[0].document_uuid):
        raise ZeroDivisionError
    assert corpus_size() == (4, 4)


def test_features_fall_with_the_evidence_and_stay_without_it(asked: list[AskedParagraph]) -> None:
    first = measure_pairs(asked, nothing)[0]
    assert first.article == "Meer"
    assert first.answerable.features.coverage == 1.0
    assert first.unanswerable.features.coverage < 0.5
    beside_the_point = [
        AskedParagraph("Wer erfand das Periskop?", "", each.document_uuid, each.article) for each in asked
    ]
    for pair in measure_pairs(beside_the_point, nothing):
        assert pair.answerable.features.coverage == pair.unanswerable.features.coverage == 0.0


def test_a_case_holds_the_verdict_of_production(asked: list[AskedParagraph]) -> None:
    assert not measure_case(QUESTIONS["Meer"]).is_refused
    assert measure_case("Wer erfand das Periskop?").is_refused


def test_paragraphs_of_one_article_cannot_stand_in_for_each_other(asked: list[AskedParagraph]) -> None:
    one_article = [AskedParagraph(entry.question, "", entry.document_uuid, "Meer") for entry in asked]
    with pytest.raises(ValueError, match="several articles"):
        measure_pairs(one_article, nothing)


@pytest.mark.parametrize("has_folder", [True, False])
def test_the_command_says_what_is_missing(
    has_folder: bool, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALUATION_DATA", raising=False)
    arguments = ["--data", str(tmp_path_factory.mktemp("empty"))] if has_folder else []
    with pytest.raises(CommandError, match=r"The data set xquad-de is missing\. .+ --data\."):
        call_command("train_sufficiency", *arguments, stdout=io.StringIO())


@pytest.mark.parametrize("wrong", ["0", "1", "much", "nan"])
def test_the_command_takes_a_share(wrong: str) -> None:
    with pytest.raises(CommandError, match="between 0 and 1"):
        call_command("train_sufficiency", "--wrong", wrong)
