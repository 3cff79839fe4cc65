"""What may stand alone as a quotation."""

import pytest

from apps.rag.quoting import header_of, is_quotable, points_back, quoted_span
from tests.rag.builders import passage

TABLE = "Jahr | Mindestlohn\n2024 | 12,41 Euro\n2025 | 12,82 Euro"


@pytest.mark.parametrize(
    ("text", "quotable"),
    [
        ("Wir erhöhen den Mindestlohn auf 15 Euro.", True),
        ("„Wir erhöhen den Mindestlohn auf 15 Euro.“", True),
        ("Der Beitrag steigt auf 20 Prozent [3].", True),
        ("Wie schaffen wir bezahlbares Wohnen für alle?", False),
        ("Gute Arbeit und faire Löhne", False),
        ("Unsere Forderungen im Überblick sind diese:", False),
        ("Ja, natürlich.", False),
        ("KAPITEL 3 ARBEIT UND SOZIALES.", False),
    ],
)
def test_only_whole_statements_are_quoted(text: str, quotable: bool) -> None:
    assert is_quotable(passage(text), 0, len(text), is_item=False) is quotable


def test_a_heading_is_no_statement_even_with_a_full_stop() -> None:
    text = "Wir schaffen bezahlbaren Wohnraum."
    assert not is_quotable(passage(text, headings=("Wir schaffen bezahlbaren Wohnraum",)), 0, len(text), is_item=False)


def test_a_list_item_loses_its_bullet_and_needs_no_full_stop() -> None:
    item = passage("• eine Rente, von der man leben kann")
    start, end = quoted_span(item, 0, len(item.text))
    assert item.text[start:end] == "eine Rente, von der man leben kann"
    assert is_quotable(item, start, end, is_item=True)


def test_a_number_at_the_start_is_no_bullet() -> None:
    dated = passage("1. Juli 2025 ist der Stichtag für alle.")
    assert quoted_span(dated, 0, len(dated.text)) == (0, len(dated.text))


def test_a_row_needs_its_header() -> None:
    table = passage(TABLE)
    start = TABLE.index("2025")
    assert header_of(table, start, len(TABLE)) == "Jahr | Mindestlohn"
    assert is_quotable(table, start, len(TABLE), is_item=False)


def test_a_header_is_not_quoted_itself() -> None:
    assert not is_quotable(passage(TABLE), 0, len("Jahr | Mindestlohn"), is_item=False)


def test_a_row_without_a_header_in_sight_is_not_quoted() -> None:
    row = "2025 | 12,82 Euro"
    assert not is_quotable(passage(row), 0, len(row), is_item=False)


def test_the_header_of_a_later_part_of_a_table_comes_from_its_context() -> None:
    row = "2025 | 12,82 Euro"
    part = passage(row, context="Arbeit > Löhne\nJahr | Mindestlohn")
    assert header_of(part, 0, len(row)) == "Jahr | Mindestlohn"


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("Dies senkt die Kosten.", True),
        ("Dieser Betrag gilt ab Mai.", True),
        ("Das ist gerecht.", True),
        ("Dafür werden wir sorgen.", True),
        ("Sie wurde 1950 gegründet.", True),
        ("This is why we act.", True),
        ("Das wollen wir ändern.", True),
        ("Das Bürgergeld wird ersetzt.", False),
        ("Das neue Gesetz gilt ab Mai.", False),
        ("Das von uns geforderte Gesetz kommt.", False),
        ("Sie können per Brief wählen.", False),
        ("Außerdem senken wir die Steuern.", False),
        ("Es ist wichtig, dass alle mitreden.", False),
        ("Die Rente bleibt stabil.", False),
        ("Wir werden dafür sorgen.", False),
    ],
)
def test_sentences_that_point_back_are_known(text: str, back: bool) -> None:
    assert points_back(text) is back
