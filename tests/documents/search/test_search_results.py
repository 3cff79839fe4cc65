"""What a search finds, and what it must never find."""

import pytest

from apps.documents.search.searching import search
from tests.documents.search.building import asking, collection, document, party

pytestmark = pytest.mark.django_db


def found(text: str, **fields: object) -> list[str]:
    return [passage.text for passage in search(asking(text, **fields))]


def test_a_question_on_rente_finds_rentenniveau() -> None:
    document("Das Rentenniveau bleibt stabil.", "Der Mindestlohn steigt.", "Die Rente ist sicher.")
    results = search(asking("Rente", top_k=3))
    by_words = {passage.text: passage.scores.bm25 for passage in results}
    assert by_words["Das Rentenniveau bleibt stabil."] > 0
    assert by_words["Der Mindestlohn steigt."] is None
