"""When two sentences name other times: compared as finely as both allow."""

from __future__ import annotations

import pytest

from apps.rag.claims import claims_of, times_differ


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("Neuer Termin ist der 7. Februar 2027.", "Sie treffen im Januar aufeinander.", True),
        ("Neuer Termin ist der 7. Februar.", "Sie treffen Mitte Januar aufeinander.", True),
        ("Neuer Termin ist der 7. Februar 2027.", "Sie treffen im Februar aufeinander.", False),
        ("The debate is on 7 February 2027.", "They meet in January.", True),
        ("Das Amt beginnt ab Mai.", "Das Amt beginnt im Mai 2028.", False),
        ("Neuer Termin ist der 7. Februar 2027.", "Der Januar ist kalt.", False),
        ("Es beginnt 2028.", "Es beginnt im Januar.", False),
    ],
)
def test_a_month_without_its_year_is_compared_with_any_months(one: str, other: str, differ: bool) -> None:
    assert times_differ(claims_of(one, "de"), claims_of(other, "de")) is differ
