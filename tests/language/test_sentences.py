"""Where German and English sentences end, and where a full stop ends nothing."""

import pytest

from apps.language.sentences import split_sentences

GERMAN = {
    "abbreviations": ["Das gilt z. B. heute.", "Auch z.B. morgen, d. h. bald, u. a. hier.", "Bzw. dort."],
    "law": ["Siehe Art. 38 Abs. 1 S. 2 GG.", "Nach § 5 Nr. 3 gilt das.", "Vgl. §§ 5 ff. BWG."],
    "rulers": ["Wilhelm II. Muster regierte.", "Ludwig XIV. war König."],
    "spaced dates": ["Am 24. 12. 2025 ist zu.", "Es gilt bis 1. 3. und danach."],
    "engineers": ["Dr.-Ing. Muster und Dipl.-Ing. Probe kamen.", "Bundeskanzler a. D. Muster auch."],
    "titles": ["Dr. Muster und Prof. Dr. Beispiel kamen.", "A. Muster sprach mit B. C. Beispiel."],
    "dates": ["Am 1. Juli ist es so weit.", "Seit dem 27. Januar gilt das.", "Bis 31. Dezember."],
    "numeric dates": ["Am 23.02.2025 wird gewählt.", "Vom 1. bis 3. März ist zu."],
    "ordinals": ["Die 20. Legislaturperiode endet.", "Im 19. Jahrhundert war das anders."],
    "years": ["Das war im Jahr 2025.", "Danach kam 2026.", "Sie wuchs um 3,5."],
    "eras": ["Um 300 v. Chr. entstand sie.", "Das endete 500 n. Chr. wieder."],
    "low quotes": ["Er sagte: „Das ist gut.“", "Dann ging er."],
    "guillemets": ["»Ist das so?« fragte sie.", "»Ja!«", "Niemand sprach."],
    "quote goes on": ["„Wir kommen!“, rief sie.", "„Was nun?“ fragte er."],
    "brackets": ["Es sind 15 Euro (Stand 2025).", "(Das ist der Stand.)", "Weiter."],
    "marks": ["Wirklich?!", "Ja …", "Nein!!!", "Doch..."],
    "last words": ["Er las § 5 GG.", "Das tat die SPD.", "Es war Spaß.", "Er nahm Vitamin C.", "Das reicht."],
    "web": ["Mehr auf https://beispiel.de/a.html?b=1.", "Oder www.beispiel.de.", "Ende."],
    "list marks": ["1. Wir wollen das.", "2. Wir wollen mehr.", "• Punkt", "- Strich", "a) Unterpunkt"],
    "amounts": ["Es kostet 1.000 Euro.", "Es sind 2,5 Mio. Euro.", "Rund 3 Mrd. Menschen."],
    "companies": ["Es ist die Muster GmbH & Co. KG.", "Mehr nicht."],
}
# Two sentences each, parted at a full stop that could also belong to the word before it.
GERMAN_PARTED = {
    "etc.": ["Äpfel, Birnen etc.", "Die Liste ist lang."],
    "era": ["Das war 500 n. Chr.", "Die Stadt blieb."],
    "number": ["Sie wurde 15.", "Die Partei auch."],
    "article": ["Es gilt Artikel 5.", "Freiheit ist wichtig."],
    "single letter": ["Das ist Plan B.", "Er ist gut."],
    "short number": ["Die Grenze liegt bei 16.", "Wer jünger ist, wartet."],
}


@pytest.mark.parametrize("name", GERMAN)
def test_german_sentences(name):
    separator = "\n" if name == "list marks" else " "
    assert _texts(separator.join(GERMAN[name])) == GERMAN[name]


@pytest.mark.parametrize("name", GERMAN_PARTED)
def test_german_sentences_that_end_doubtfully(name):
    assert _texts(" ".join(GERMAN_PARTED[name])) == GERMAN_PARTED[name]


def test_the_five_sentences_that_a_checker_must_see():
    text = (
        "15 Euro anheben (Stand 2025). Das Programm nennt das Jahr 2026. Sie verweist auf § 5 GG."
        " Der Antrag stammt von der SPD. Laut Dr. Muster gilt das z. B. ab dem 1. Juli."
    )
    assert _texts(text) == [
        "15 Euro anheben (Stand 2025).",
        "Das Programm nennt das Jahr 2026.",
        "Sie verweist auf § 5 GG.",
        "Der Antrag stammt von der SPD.",
        "Laut Dr. Muster gilt das z. B. ab dem 1. Juli.",
    ]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Mr. Smith met Dr. Jones, e.g. in May.", "They talked."],
        ["He lives in the U.S. Senate district.", "It is big."],
        ["She moved to the U.S.", "The move was hard."],
        ["Is it true?", "“Yes.”", "No doubt!"],
        ["It costs 3.50 dollars.", "See Fig. 3 there."],
    ],
)
def test_english_sentences(sentences):
    assert _texts(" ".join(sentences), "en") == sentences


def test_other_languages_end_at_marks():
    assert _texts("Où voter ? Ici. Merci !", "fr") == ["Où voter ?", "Ici.", "Merci !"]
    assert _texts("これは文です。次です。", "ja") == ["これは文です。", "次です。"]


def test_each_table_line_is_its_own_sentence():
    text = "| Partei | Stimmen |\n| SPD | 16,4 |\n\nStand 2025\tvorläufig\nQuelle: Amt"
    assert _texts(text) == ["| Partei | Stimmen |", "| SPD | 16,4 |", "Stand 2025\tvorläufig", "Quelle: Amt"]


def test_a_wrapped_line_goes_on_and_a_heading_does_not():
    text = "Rente\nWir wollen die Rente sichern und das Niveau dauerhaft\nüber der Grenze halten. Punkt."
    assert _texts(text) == [
        "Rente",
        "Wir wollen die Rente sichern und das Niveau dauerhaft\nüber der Grenze halten.",
        "Punkt.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\t ",
        "Ein Satz",
        "  Mit Rand. \n Noch einer?  ",
        "…",
        "a.b.c. D",
        "1.\n2.\n3.",
        "„“ ‚‘ ()",
        "\x00. \ud800. A",
    ],
)
def test_spans_are_stripped_and_cover_everything_but_blanks(text):
    spans = split_sentences(text)
    covered = set()
    for span in spans:
        assert text[span.start : span.end] == text[span.start : span.end].strip() != ""
        assert not covered & set(range(span.start, span.end))
        covered |= set(range(span.start, span.end))
    assert all(character.isspace() for index, character in enumerate(text) if index not in covered)


def _texts(text, language="de"):
    return [text[span.start : span.end] for span in split_sentences(text, language)]
