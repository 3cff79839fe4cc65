"""Figures are compared by value, however they are written."""

import pytest

from apps.language.numbers import Value, figures, values


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1. Juli 2025", "01.07.2025"),
        ("1. Juli 2025", "1.7.2025"),
        ("1. Juli 2025", "2025-07-01"),
        ("23.02.25", "23. Februar 2025"),
        ("15 Euro", "15,00 Euro"),
        ("15,50 €", "15,5 Euro"),
        ("1.000 Euro", "1000 Euro"),
        ("1.000.000", "1 Million"),
        ("1,5 Mio. Euro", "1.500.000 Euro"),
        ("3 %", "3 Prozent"),
        ("3%", "drei Prozent"),
        ("18 Uhr", "18:00 Uhr"),
        ("8.30 Uhr", "8:30 Uhr"),
        ("zwölf Monate", "12 Monate"),
        ("10 000 Menschen", "10.000 Menschen"),
    ],
)
def test_one_value_in_two_spellings(one, other):
    assert values(one, "de") == values(other, "de") != frozenset()


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("2025", "Am 23. Februar 2025 wird gewählt."),
        ("Februar 2025", "Am 23.02.2025 wird gewählt."),
        ("der 23. Februar", "Am 23.02.2025 wird gewählt."),
        ("15", "Es sind 15 %."),
        ("§ 218a", "nach § 218a StGB"),
        ("16-Jährige", "ab 16 Jahren"),
    ],
)
def test_a_coarser_figure_is_covered_by_a_finer_one(sentence, passage):
    assert values(sentence, "de")
    assert values(sentence, "de") <= values(passage, "de")


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("15 Euro", "14 Euro"),
        ("15 %", "15 Euro"),
        ("24. Februar 2025", "23. Februar 2025"),
        ("1. Juli 2025", "1. Juli"),
        ("§ 218", "§ 219"),
        ("§ 218a", "§ 218"),
        ("1,5 Millionen", "1,5 Milliarden"),
        ("15,50", "1550"),
        ("18 Uhr", "19 Uhr"),
    ],
)
def test_another_figure_is_not_covered(sentence, passage):
    assert not values(sentence, "de") <= values(passage, "de")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,000 dollars", Value("number", "1000")),
        ("1.5 percent", Value("percent", "1.5")),
        ("July 4, 2025", Value("date", "2025-07-04")),
        ("4 July 2025", Value("date", "2025-07-04")),
        ("2 billion", Value("number", "2000000000")),
    ],
)
def test_english_figures(text, value):
    assert value in values(text, "en")


def test_german_billionen_are_a_thousand_times_the_english_billion():
    assert Value("number", "2000000000000") in values("2 Billionen Euro", "de")


@pytest.mark.parametrize("text", ["", "keine Zahl", "CO2", "G20", "B90", "eine Partei", "Dreikönigstag"])
def test_words_are_no_figures(text):
    assert values(text, "de") == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "1.2.3.4.5",
        "99.99.9999",
        "1.000,50.3",
        "0",
        "٣ ٤",
        "1" * 5000,
        "1." * 5000,
        "00.00.2025",
        "1,2,3",
        "31.02.2025",
        "24:99",
    ],
)
@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_odd_figures_never_raise(text, language):
    assert isinstance(values(text, language), frozenset)


@pytest.mark.parametrize(
    ("text", "language", "written"),
    [
        ("Sind es 18 Euro ab 2027?", "de", ["18 Euro", "2027"]),
        ("Bis 20 Uhr am 28. März 2027.", "de", ["28. März 2027", "20 Uhr"]),
        ("Ab 18 Jahren.", "de", ["18 Jahren"]),
        ("It closes at 6 p.m. sharp", "en", ["6 p.m."]),
        ("um 8 am Wahltag", "de", ["8"]),
    ],
)
def test_a_figure_is_told_as_it_is_written(text: str, language: str, written: list[str]) -> None:
    assert [figure for figure, _ in figures(text, language)] == written


def test_half_days_are_the_same_time() -> None:
    assert values("at 8 pm", "en") == values("um 20 Uhr", "de")
    assert values("at 12 a.m.", "en") == values("0 Uhr", "de")
