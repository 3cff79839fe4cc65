"""Weights from font names."""

from __future__ import annotations

import pytest

from apps.documents.parsing.pdf.fonts import font_weight


@pytest.mark.parametrize(
    ("name", "reported", "mode", "expected"),
    [
        ("ABCDEF+MyriadPro-Semibold", 400, 0, 600),
        ("ABCDEF+MyriadPro-Light", 400, 0, 300),
        ("Gotham-Book", 645, 0, 400),
        ("CorpoS,Bold", 410, 0, 700),
        ("Bitter-ExtraBold", 400, 0, 800),
        ("FiraSans-Medium", 400, 0, 500),
        ("Inter-Black", 400, 0, 900),
        ("CMBX10", 400, 0, 700),
        ("CMR10", 400, 0, 400),
        ("NimbusRomNo9L-Medi", 400, 0, 700),
        ("Unbekannt", 700, 0, 700),
        ("Unbekannt", 500, 0, 400),
        ("Calibri", 400, 2, 700),
    ],
)
def test_the_name_of_a_font_gives_its_weight(name: str, reported: int, mode: int, expected: int) -> None:
    assert font_weight(name, reported, mode) == expected
