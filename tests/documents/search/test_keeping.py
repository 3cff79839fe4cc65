"""What a search has read is kept as long as the sources stay the same, and never longer."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.answering.index_version import index_version
from apps.answering.statistics import corpus_idf
from apps.documents.models import Chunk, Document, DocumentVersion, Party
from apps.documents.search import search
from apps.rag.types import Passage
from tests.documents.search.building import asking, document, party

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = "Was sagt die Hügelpartei zur Rente?"


@pytest.fixture(autouse=True)
def programme() -> Document:
    return document("Die Rente steigt.", "Der Wald wächst.", party=party("huegel", "Hügelpartei"), title="Programm")


def found(index: str, text: str = ASKED) -> list[Passage]:
    return search(asking(text), index)


def queries(index: str, text: str = ASKED) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        found(index, text)
    return len([each for each in captured.captured_queries if each["sql"] not in ("BEGIN", "COMMIT")])


def test_the_same_question_asks_the_database_for_its_candidates_only() -> None:
    version = index_version()
    first = found(version)
    assert queries(version) == 1
    assert found(version) == first == found("")
    assert queries("") > 1


def test_kept_vectors_cannot_be_written_to() -> None:
    [first, _second] = found(index_version())
    assert first.vectors is not None
    with pytest.raises(ValueError, match="read-only"):
        first.vectors[0] = 0


def test_another_question_finds_known_passages_with_scores_of_its_own() -> None:
    version = index_version()
    rente = found(version)
    wald = found(version, "Was wird aus dem Wald?")
    assert {each.chunk_id for each in rente} == {each.chunk_id for each in wald}
    assert wald == found("", "Was wird aus dem Wald?")
    assert [each.scores for each in rente] != [each.scores for each in wald]


@pytest.mark.parametrize("change", ["title", "alias", "version", "text"])
def test_what_was_changed_is_read_anew(change: str, programme: Document) -> None:
    before = index_version()
    assert found(before)[0].text == "Die Rente steigt."
    if change == "title":
        Document.objects.update(title="Neues Programm")
    elif change == "alias":
        Party.objects.update(short_name="Talpartei", name="Talpartei", aliases=[])
    elif change == "version":
        DocumentVersion.objects.update(number=7)
    else:
        Chunk.objects.filter(text="Die Rente steigt.").update(text="Die Rente sinkt.")
    after = index_version()
    assert after != before
    assert found(after) == found("") != found(before)


def test_new_documents_are_found_and_weighed() -> None:
    before = index_version()
    found(before)
    corpus_idf(["rent", "wald"], "de", before)
    document("Auch der Wald gehört zur Rente.", title="Ein zweites")
    after = index_version()
    assert found(after) == found("")
    assert len(found(after)) == 3
    assert corpus_idf(["rent", "wald"], "de", after) == corpus_idf(["rent", "wald"], "de")
    assert corpus_idf(["rent", "wald"], "de", after) != corpus_idf(["rent", "wald"], "de", before)


def test_what_an_editor_holds_back_is_gone_at_once_even_for_answers_under_way() -> None:
    before = index_version()
    assert len(found(before)) == 2
    Chunk.objects.filter(text="Die Rente steigt.").update(review="kept_out", suspicions=[[0, 3, ["order"], "x"]])
    assert [each.text for each in found(before)] == ["Der Wald wächst."]
    Document.objects.all().delete()
    assert found(before) == []


def test_what_a_transaction_has_read_is_not_kept_for_others() -> None:
    version = index_version()
    with transaction.atomic():
        Document.objects.update(title="Nie gespeichert")
        assert {each.source.title for each in found(index_version())} == {"Nie gespeichert"}
        assert {each.source.title for each in found(version)} == {"Nie gespeichert"}
        transaction.set_rollback(True)
    Party.objects.update(order=5)
    for again in (version, index_version()):
        assert {each.source.title for each in found(again)} == {"Programm"}
