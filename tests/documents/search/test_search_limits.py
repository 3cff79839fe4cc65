"""How long one search may keep the database busy."""

import pytest
from django.db import OperationalError, connection

from apps.documents.search import search, statements
from tests.documents.search.building import asking, document


def statement_timeout() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        return str(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
def test_a_search_is_limited_and_nothing_after_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[str] = []
    candidates = statements.candidates

    def watched(*given: object, **named: object) -> str:
        inside.append(statement_timeout())
        return candidates(*given, **named)

    monkeypatch.setattr(statements, "candidates", watched)
    document("Die Rente steigt.")
    before = statement_timeout()
    assert search(asking("Rente"))
    assert inside == [f"{statements.LONGEST // 1000}s"]
    assert statement_timeout() == before != inside[0]


@pytest.mark.django_db(transaction=True)
def test_a_search_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "LONGEST", 50)
    monkeypatch.setattr(statements, "candidates", lambda *_, **__: "SELECT pg_sleep(60)")
    document("Die Rente steigt.")
    with pytest.raises(OperationalError, match="statement timeout"):
        search(asking("Rente"))
