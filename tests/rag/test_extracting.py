"""Which sentences answer, and in which order they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from apps.rag.extracting import Draft, choose, draft_answer, draft_comparison
from apps.rag.reading import Evidence, question_coverage, read
from apps.rag.types import Passage
from tests.rag.builders import BUND, FLUT, MORGEN, SETTINGS, passage, source

VECTOR = np.asarray([1.0, 0.0], dtype=np.float32)


def evidence(passages: Sequence[Passage], question: str = "Wie hoch soll der Mindestlohn sein?") -> Evidence:
    coverage = question_coverage(question, "de", passages, {})
    return read(question, VECTOR, passages, coverage, "de", SETTINGS)


def chosen_texts(passages: Sequence[Passage], limit: int = 3) -> list[str]:
    return [draft.text for draft in draft_answer(choose(evidence(passages), limit, SETTINGS), SETTINGS)]


def test_the_answer_comes_first_and_the_rest_in_the_order_of_the_source() -> None:
    text = (
        "Der Mindestlohn hat eine lange Geschichte. Der Mindestlohn gilt für alle Branchen. Das Wetter war schön."
        " Der Mindestlohn soll 15 Euro betragen."
    )
    assert chosen_texts([passage(text, closeness=[0.8, 0.85, 0.1, 0.9])]) == [
        "Der Mindestlohn soll 15 Euro betragen.",
        "Der Mindestlohn hat eine lange Geschichte.",
        "Der Mindestlohn gilt für alle Branchen.",
    ]


def test_the_source_of_the_best_sentence_comes_first() -> None:
    weak = passage("Der Mindestlohn wird nur am Rande erwähnt.", fused=0.9, closeness=[0.3])
    strong = passage("Der Mindestlohn soll 15 Euro betragen.", fused=0.88, closeness=[0.9])
    assert chosen_texts([weak, strong])[0] == "Der Mindestlohn soll 15 Euro betragen."


def test_what_lies_far_behind_the_best_is_not_shown() -> None:
    text = "Der Mindestlohn soll 15 Euro betragen. Im Wald wachsen viele verschiedene Bäume."
    assert chosen_texts([passage(text, closeness=[0.9, 0.6])]) == ["Der Mindestlohn soll 15 Euro betragen."]


def test_overlapping_chunks_give_a_sentence_once() -> None:
    document = source()
    shared = "Der Mindestlohn soll 15 Euro betragen."
    first = passage(f"Wir reden über den Mindestlohn im Land. {shared}", document)
    second = passage(f"{shared} Ein Mindestlohn allein schafft keine Rente.", document, start=first.text.index(shared))
    texts = chosen_texts([first, second], limit=4)
    assert texts.count(shared) == 1
    assert len(texts) == 3


def test_programme_and_summary_do_not_say_the_same_twice() -> None:
    long = passage("Wir wollen, dass der Mindestlohn auf 15 Euro pro Stunde steigt.", source(MORGEN))
    short = passage("Wir wollen, dass der Mindestlohn auf 15 Euro pro Stunde steigt!", source(MORGEN))
    assert len(chosen_texts([long, short])) == 1


def test_a_sentence_that_points_back_brings_the_one_before() -> None:
    text = "Der Mindestlohn steigt auf 15 Euro. Dies gilt auch für junge Beschäftigte im Mindestlohn."
    assert chosen_texts([passage(text, closeness=[0.1, 0.9])], limit=2) == [
        "Der Mindestlohn steigt auf 15 Euro.",
        "Dies gilt auch für junge Beschäftigte im Mindestlohn.",
    ]


def test_a_sentence_that_points_at_nothing_shown_stays_away() -> None:
    text = "Dies gilt auch für junge Beschäftigte im Mindestlohn. Der Mindestlohn steigt auf 15 Euro."
    assert chosen_texts([passage(text, closeness=[0.9, 0.1])]) == ["Der Mindestlohn steigt auf 15 Euro."]


def test_a_programmes_question_is_no_answer() -> None:
    text = "Wie hoch soll der Mindestlohn sein? Der Mindestlohn soll 15 Euro betragen."
    assert chosen_texts([passage(text, closeness=[0.99, 0.5])]) == ["Der Mindestlohn soll 15 Euro betragen."]


def test_a_quoted_row_carries_its_header() -> None:
    table = passage("Jahr | Mindestlohn\n2025 | 12,82 Euro", closeness=[0.9, 0.8])
    [draft] = draft_answer(choose(evidence([table]), 3, SETTINGS), SETTINGS)
    assert (draft.text, draft.spans[0].context) == ("2025 | 12,82 Euro", "Jahr | Mindestlohn")


def test_what_is_too_long_stands_behind_more() -> None:
    words = "Der Mindestlohn von fünfzehn Euro hilft " + " ".join(f"allen{n}" for n in range(30))
    passages = [passage(f"{words} im Fall {name}.", source()) for name in ("eins", "zwei", "drei")]
    passages = [passage(each.text.replace("allen", name), source()) for name, each in zip("abc", passages, strict=True)]
    drafts = draft_answer(choose(evidence(passages), 3, SETTINGS), SETTINGS)
    assert [draft.is_more for draft in drafts] == [False, False, True]


def test_the_first_sentence_is_shown_however_long() -> None:
    long = passage("Der Mindestlohn hilft " + " ".join(f"allen{n}" for n in range(85)) + " sehr.")
    drafts = draft_answer(choose(evidence([long]), 3, SETTINGS), SETTINGS)
    assert [draft.is_more for draft in drafts] == [False]


def compare(texts: Sequence[Sequence[str]]) -> list[Draft]:
    chosen = []
    for party, party_texts in zip((MORGEN, BUND, FLUT), texts, strict=False):
        passages = [passage(text, source(party)) for text in party_texts]
        chosen.append(choose(evidence(passages), 2, SETTINGS))
    return draft_comparison(chosen, SETTINGS)


def test_two_parties_get_two_sentences_each_in_their_order() -> None:
    drafts = compare(
        [
            ["Der Mindestlohn steigt um einen Euro.", "Löhne im Handwerk bleiben frei."],
            ["Einen Mindestlohn lehnen wir ab.", "Tarife zählen mehr als Gesetze."],
        ]
    )
    assert [draft.group for draft in drafts] == ["Morgenpartei", "Morgenpartei", "Talbund", "Talbund"]
    assert not any(draft.is_more for draft in drafts)


def test_each_party_speaks_once_before_any_speaks_twice() -> None:
    drafts = compare(
        [
            ["Der Mindestlohn steigt um einen Euro.", "Löhne im Handwerk bleiben frei."],
            ["Einen Mindestlohn lehnen wir ab.", "Tarife zählen mehr als Gesetze."],
            ["Mindestlohn ist Sache der Kommission.", "Gute Arbeit braucht kurze Wege."],
        ]
    )
    assert [draft.group for draft in drafts if not draft.is_more] == ["Morgenpartei", "Talbund", "Flutliste"]
    assert [draft.group for draft in drafts if draft.is_more] == ["Morgenpartei", "Talbund", "Flutliste"]


def test_reading_without_sentence_vectors_takes_the_passages_closeness() -> None:
    bare = replace(passage("Der Mindestlohn soll 15 Euro betragen."), vectors=None)
    assert [sentence.cosine for sentence in evidence([bare]).sentences] == [bare.scores.cosine]


LIST = "Der Wahlraum ist von 8 bis 18 Uhr offen. Bringen Sie mit:\n\n• Ihre Wahlbenachrichtigung,\n\n• Ihren Ausweis."
ASKED = "Was soll ich zur Wahl mitbringen?"


def _listed() -> Evidence:
    return evidence([passage(LIST, closeness=[0.1, 0.8, 0.6, 0.7])], ASKED)


def test_an_item_of_a_list_is_judged_and_shown_with_what_leads_it_in() -> None:
    items = [sentence for sentence in _listed().sentences if sentence.lead is not None]
    assert [item.text for item in items] == ["Ihre Wahlbenachrichtigung,", "Ihren Ausweis."]
    assert all(item.is_quotable and item.cosine >= 0.7 for item in items)
    shown = [draft.text for draft in draft_answer(choose(_listed(), 3, SETTINGS), SETTINGS)]
    assert shown == ["Bringen Sie mit:", "Ihre Wahlbenachrichtigung,", "Ihren Ausweis."]


def test_neither_an_item_nor_what_leads_it_in_is_shown_alone() -> None:
    texts = [sentence.text for sentence in choose(_listed(), 1, SETTINGS)]
    assert not {"Bringen Sie mit:", "Ihren Ausweis.", "Ihre Wahlbenachrichtigung,"} & set(texts)


def test_a_comparison_shows_the_first_item_with_what_leads_it_in() -> None:
    long = "Der Mindestlohn steigt auf {} Euro und" + " damit steigt auch der Lohn vieler anderer" * 7 + "."
    others = [choose(evidence([passage(long.format(number))]), 1, SETTINGS) for number in (15, 16)]
    drafts = draft_comparison([choose(_listed(), 3, SETTINGS), *others], SETTINGS)
    shown = [draft.text for draft in drafts if not draft.is_more]
    assert shown[:2] == ["Bringen Sie mit:", "Ihre Wahlbenachrichtigung,"]
    assert "Ihren Ausweis." not in shown


def test_a_list_is_shown_with_all_its_items_where_there_is_room() -> None:
    far = passage(f"{LIST}\n\n• Etwas zu lesen.", closeness=[0.1, 0.8, 0.9, 0.1, 0.1])
    chosen = choose(evidence([far], ASKED), 4, SETTINGS)
    assert [sentence.text for sentence in chosen][1:] == [
        "Ihre Wahlbenachrichtigung,",
        "Ihren Ausweis.",
        "Etwas zu lesen.",
    ]


def test_an_item_without_a_lead_must_be_a_whole_statement() -> None:
    loose = passage("Wahlraum\n\n• Ihren Ausweis.\n\n• Wir senken die Steuern für alle.", closeness=[0.9, 0.9, 0.9])
    chosen = choose(evidence([loose], ASKED), 3, SETTINGS)
    assert [sentence.text for sentence in chosen] == ["Wir senken die Steuern für alle."]


def test_a_short_list_costs_no_more_than_two_sentences() -> None:
    items = "\n\n".join(f"• Ihren Ausweis {letter}." for letter in "ABCD")
    text = f"Bringen Sie mit:\n\n{items}\n\nWas Sie mitbringen, zeigen Sie im Wahlraum vor."
    closeness = [0.8, *([0.9] * 4), 0.7]
    chosen = choose(evidence([passage(text, closeness=closeness)], ASKED), 3, SETTINGS)
    assert [sentence.text for sentence in chosen][:5] == ["Bringen Sie mit:", *(f"Ihren Ausweis {x}." for x in "ABCD")]
    assert len(chosen) == 6


def test_the_number_of_a_step_is_left_out_and_a_date_is_none() -> None:
    steps = passage("So geht Briefwahl:\n\n1. Den Antrag auf Briefwahl stellen.\n\n2. Den Brief abschicken.")
    chosen = choose(evidence([steps], "Wie geht Briefwahl?"), 3, SETTINGS)
    assert [sentence.text for sentence in chosen][1:] == ["Den Antrag auf Briefwahl stellen.", "Den Brief abschicken."]
    dated = passage("1. Juli 2027 ist der Tag, an dem die Briefwahl beginnt.")
    [sentence] = choose(evidence([dated], "Wann beginnt die Briefwahl?"), 3, SETTINGS)
    assert sentence.text.startswith("1. Juli")


def test_a_date_is_shown_behind_what_happens_then() -> None:
    text = (
        "Das Fernsehduell der Spitzenleute wird verschoben. Neuer Termin ist der 7. Februar 2027. Die Sender sagen"
        " zu. Zuschauer fragen am 18. Februar."
    )
    found = choose(
        evidence([passage(text, closeness=[0.9, 0.75, 0.7, 0.7])], "Wann findet das Fernsehduell statt?"), 3, SETTINGS
    )
    assert [sentence.text for sentence in found][:2] == [
        "Das Fernsehduell der Spitzenleute wird verschoben.",
        "Neuer Termin ist der 7. Februar 2027.",
    ]


def test_what_a_party_will_do_comes_before_how_it_sees_things() -> None:
    text = "Die Rente ist das Versprechen der Jungen an die Alten. Wir heben die Rente bis 2030 auf 50 Prozent an."
    for document, first in ((source(MORGEN), "Wir heben"), (source(), "Die Rente ist")):
        [answer, *_] = choose(
            evidence([passage(text, document, closeness=[0.9, 0.87])], "Was ist mit der Rente?"), 2, SETTINGS
        )
        assert answer.text.startswith(first)


def test_a_sentence_that_a_page_cuts_is_quoted_whole() -> None:
    text = (
        "Wir reden über den Lohn. Auszubildende, Praktikanten und\n\nErntehelfer sollen eigene Mindestlöhne behalten."
    )
    chosen = choose(evidence([passage(text, closeness=[0.1, 0.2, 0.9])]), 1, SETTINGS)
    assert [sentence.text for sentence in chosen] == [
        "Auszubildende, Praktikanten und\n\nErntehelfer sollen eigene Mindestlöhne behalten."
    ]


def test_the_parts_of_an_enumeration_in_running_text_are_no_statement() -> None:
    text = "1. das Gesetz zum Mindestlohn, 2. die Anhebung der Pauschale.\n\nDer Mindestlohn soll 15 Euro betragen."
    assert chosen_texts([passage(text, closeness=[0.95, 0.8])]) == ["Der Mindestlohn soll 15 Euro betragen."]


def test_who_he_is_must_be_shown() -> None:
    text = "Der Talbund liegt vorn. In der neuen Umfrage zum Mindestlohn erreicht er 26 Prozent."
    assert chosen_texts([passage(text, closeness=[0.1, 0.9])])[-1].startswith("In der neuen Umfrage")
    assert chosen_texts([passage(text.replace("Der Talbund liegt vorn. ", ""))]) == []
