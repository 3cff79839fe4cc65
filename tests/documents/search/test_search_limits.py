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
def test_a_search_that_takes_too_long_is_stopped_and_nothing_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    document("Die Rente steigt.")
    before = statement_timeout()
    assert search(asking("Rente"))
    assert statement_timeout() == before
    monkeypatch.setattr(statements, "LONGEST", 50)
    monkeypatch.setattr(statements, "candidates", lambda *_, **__: "SELECT pg_sleep(60)")
    with pytest.raises(OperationalError, match="statement timeout"):
        search(asking("Rente"))
    assert statement_timeout() == before
