"""Whether a sentence goes on behind the end of a column, told by the words before it."""

from __future__ import annotations

import pytest

from apps.documents.parsing.pdf.continuing import goes_on

GOES_ON = [
    ("ein Klimageld von 150 Euro je Kopf und", "Jahr, ausgezahlt ab 2028."),
    ("wenden wir den Beitrag der", "Wissenschaft für die Zukunft auf."),
    ("ein Tempo von 130 auf Autobahnen als generelles", "Tempolimit ist überfällig."),
    ("bis der Schutz der europäischen", "Außengrenze verlässlich ist."),
    ("Fördern wollen wir Anlagen auf Dächern, auf Parkplätzen,", "Ställen und Hallen."),
    ("darf sich helfen lassen (§ 14 Abs. 5 BWahlG, § 57 Abs. 1", "BWO). Die Hilfe ist beschränkt."),
    ("wer nicht genug", "Deutsch spricht, besucht ein Vorschuljahr."),
    ("Beide Seiten wenden sich an", "Verbraucher und Verbraucherinnen."),
    ("We will work for the", "European Union and its citizens."),
]
ENDS = [
    ("Schluss mit teuren Beraterverträgen", "Das Prinzip der Freiwilligkeit gilt."),
    ("die Entwicklung der Persönlichkeit", "Gute Bildung ist entscheidend."),
    ("neue Techniken gezielt unterstützen", "Den deutschen Film wollen wir stärken."),
    ("die Schulen bauen wir endlich aus", "Wir sorgen für Lehrkräfte."),
    ("der Ausbau kommt bis 2030", "Wohnungen fehlen überall."),
    ("", "Wohnungen fehlen überall."),
    ("mehr Geld für alle –", "Wohnungen fehlen überall."),
]


@pytest.mark.parametrize(("before", "after"), GOES_ON)
def test_words_that_ask_for_more_carry_a_sentence_on(before: str, after: str) -> None:
    assert goes_on(before, after)


@pytest.mark.parametrize(("before", "after"), ENDS)
def test_what_may_end_is_left_ended(before: str, after: str) -> None:
    assert not goes_on(before, after)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Schulen bauen wir aus", "Deutschland braucht Lehrkräfte.", False),
        ("mehr Wohnungen,", "Straßen und Brücken.", False),
        ("mehr Geld für die", "Gemeinden.", True),
    ],
)
def test_an_entry_of_a_list_may_end_without_a_mark(before: str, after: str, expected: bool) -> None:
    assert goes_on(before, after, in_list=True) is expected
