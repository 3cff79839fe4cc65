"""Cases of the exact and the fuzzy stage: spellings, thresholds, protected terms. German and English."""

from __future__ import annotations

from typing import Final

from apps.rules.suites.case_values import Table, exactly, phrase

EXACT: Final = (
    Table(
        "umlauts spelled out and capitals",
        phrase("Wahl in München"),
        (("wahl in MUENCHEN?", "exact"), ("Wahl in Mu\u0308nchen", "exact"), ("Wahl in Munchen", "fuzzy")),
    ),
    Table("sharp s", phrase("Straße sperren"), (("STRASSE SPERREN", "exact"), ("STRAẞE sperren!", "exact"))),
    Table("ue is never read back", exactly("neue aktuelle Fragen"), (("neü aktülle Fragen", "exact"), ("nü", ""))),
    Table("decomposed in the rule", phrase("Wahl in Mu\u0308nchen"), (("Wahl in München", "exact"),)),
    Table("accents", phrase("Café in Łódź"), (("cafe in lodz", "exact"), ("CAFÉ IN ŁÓDŹ?", "exact"))),
    Table(
        "invisible characters and apostrophes",
        phrase("Wie geht's zum Wahllokal?"),
        (("Wie geht’s zum Wahl\u00adlokal", "exact"), ("Wie gehts zum Wahl\u200blokal?", "exact")),
    ),
    Table(
        "hyphens",
        phrase("Wahl-O-Mat"),
        (
            ("wahlomat", "exact"),
            ("Wahl O Mat", "exact"),
            ("Wahl\u2011O\u2011Mat?", "exact"),
            ("WAHL-O-MAT!", "exact"),
            ("Wahlomatt", "fuzzy"),
            ("Was ist der Wahl-O-Mat?", ""),
        ),
    ),
    Table("hyphen on the other side", exactly("Wahlomat"), (("Wahl-O-Mat", "exact"), ("Wahl O Mat", ""))),
    Table("section sign", exactly("§ 218 abschaffen"), (("§218 abschaffen", "exact"), ("218 abschaffen", ""))),
    Table(
        "thousands",
        exactly("Wer bekommt 1.000 Euro?"),
        (("wer bekommt 1000 euro", "exact"), ("wer bekommt 1,000 euro", "")),
    ),
    Table("full-width and ligatures", exactly("Briefwahl finden"), (("Ｂｒｉｅｆｗａｈｌ ﬁnden", "exact"),)),
    Table(
        "several phrases",
        exactly("Briefwahl", "Wahl per Post"),
        (("wahl per post?", "exact"), ("BRIEFWAHL", "exact"), ("Wahl per Brief", "")),
    ),
    Table(
        "English",
        phrase("How do I vote by post?"),
        (("how do i vote by post", "exact"), ("HOW DO I VOTE BY POST?!", "exact")),
    ),
    Table(
        "English contractions",
        exactly("I can't vote in person"),
        (("I can’t vote in person", "exact"), ("i cant vote in person", "exact")),
    ),
    Table(
        "nothing left after normalising",
        phrase("???"),
        (("???", ""), ("🙂", ""), ("...", ""), ("❤️", ""), ("", ""), ("Wahl", "")),
    ),
    Table(
        "no word in the question",
        phrase("Briefwahl"),
        (("🙂", ""), ("👍", ""), ("\x00", ""), ("\ud800", ""), ("   ", "")),
    ),
    Table("other scripts", exactly("Выборы"), (("выборы?", "exact"), ("ВЫБОРЫ", "exact"))),
)
FUZZY: Final = (
    Table(
        "typing errors",
        phrase("Wie beantrage ich Briefwahl?"),
        (
            ("Wie beantrage ich Breifwahl?", "fuzzy"),
            ("wie beantrag ich briefwahl", "fuzzy"),
            ("Wie beantrage ich die Briefwahl", "fuzzy"),
            ("Wie beantrage ich Briefwahl", "exact"),
            ("Wie widerrufe ich Briefwahl?", ""),
            ("Wo beantrage ich einen Ausweis?", ""),
        ),
    ),
    Table(
        "a part is not similar",
        phrase("Briefwahl"),
        (("Wie kann ich Briefwahl beantragen?", ""), ("Briefwahlen", "fuzzy")),
    ),
    Table(
        "short keys are only met exactly",
        phrase("Kita", threshold=50),
        (("Kita", "exact"), ("Kitas", ""), ("Kit a", "")),
    ),
    Table("five letters are compared", phrase("Mieten", threshold=80), (("Mietet", "fuzzy"), ("Miezen", "fuzzy"))),
    Table("only exactly", exactly("Wie beantrage ich Briefwahl?"), (("Wie beantrage ich Breifwahl?", ""),)),
    # Two of five letters: 200 * 4 / 10 is exactly 80.
    Table("the threshold itself is enough", phrase("abcde", threshold=80), (("abcdx", "fuzzy"), ("abcxy", ""))),
    Table("a hair under the threshold", phrase("abcde", threshold=81), (("abcdx", ""), ("abcde", "exact"))),
    Table("threshold 0 means 0", phrase("Briefwahl", threshold=0), (("xyz", "fuzzy"), ("???", ""))),
    Table(
        "threshold 100 means 100",
        phrase("Briefwahl beantragen", threshold=100),
        (("Briefwahl beantrage", ""), ("briefwahl beantragen", "exact")),
    ),
    # 200 * 60 / 134 is 89.55: not 90, whatever is shown.
    Table("89.6 is not 90", phrase("a" * 60 + "b" * 7), (("a" * 60 + "c" * 7, ""),)),
    Table("threshold of the release", phrase("Wie wähle ich richtig?"), (("Wie wähle ich falsch?", ""),), threshold=90),
    Table(
        "a lower threshold of the release",
        phrase("Wie wähle ich richtig?"),
        (("Wie wähle ich wichtig?", "fuzzy"),),
        threshold=70,
    ),
    Table(
        "English typing errors",
        phrase("Where is my polling station?"),
        (("where is my poling station", "fuzzy"), ("where is my petrol station", "")),
    ),
)
PROTECTED: Final = (
    Table(
        "years",
        phrase("Bundestagswahl 2021"),
        (("Bundestagswahl 2025", ""), ("Bundestagswahlen 2021", "fuzzy"), ("Bundestagswahl", "")),
    ),
    Table(
        "sections",
        phrase("§ 218 abschaffen"),
        (("§219 abschaffen", ""), ("§ 218 abschafen", ""), ("§218 abschaffen", "exact")),
    ),
    Table(
        "articles of a law",
        phrase("Artikel 5 Grundgesetz"),
        (("Artikel 15 Grundgesetz", ""), ("Artikel 5 Grundgesetzt", "fuzzy")),
    ),
    Table(
        "paragraph in words",
        phrase("Was regelt § 12 des Wahlgesetzes?"),
        (("Was regelt Paragraf 12 des Wahlgesetzes?", "fuzzy"), ("Was regelt §12 des Wahlgesetz?", "fuzzy")),
        threshold=85,
    ),
    Table(
        "numbers in words",
        phrase("Was ist die Fünf-Prozent-Hürde?"),
        (
            ("was ist die 5-Prozent-Hürde", "fuzzy"),
            ("Was ist die Drei-Prozent-Hürde?", ""),
            ("was ist die fünfprozenthürde", "exact"),
        ),
        threshold=80,
    ),
    Table(
        "first and second",
        phrase("Was ist die Erststimme?"),
        (("Was ist die Zweitstimme?", ""), ("Was ist die Erstsimme?", "fuzzy"), ("Was ist die Erst-Stimme?", "exact")),
    ),
    Table(
        "the order of numbers",
        phrase("Ergebnis 2021 statt 2025"),
        (("Ergebnis 2025 statt 2021", ""), ("Ergebnisse 2021 statt 2025", "fuzzy")),
    ),
    Table(
        "months", phrase("Landtagswahl im Juni"), (("Landtagswahl im Juli", ""), ("Landtagswahlen im Juni", "fuzzy"))
    ),
    Table(
        "negation",
        phrase("Ist Briefwahl möglich?", threshold=85),
        (("Ist Briefwahl nicht möglich?", ""), ("Ist die Briefwahl möglich", "fuzzy")),
    ),
    Table(
        "negation in the rule",
        phrase("Warum darf ich nicht wählen?", threshold=80),
        (("Warum darf ich wählen?", ""), ("Warum darf ich nciht wählen?", "fuzzy")),
    ),
    Table(
        "no and a",
        phrase("Gibt es eine Frist für den Antrag?"),
        (("Gibt es keine Frist für den Antrag?", ""), ("Gibt es eine Frist für die Anträge?", "fuzzy")),
        threshold=85,
    ),
    Table(
        "un-",
        phrase("Wann ist mein Stimmzettel gültig?"),
        (("Wann ist mein Stimmzettel ungültig?", ""), ("Wann ist der Stimmzettel gültig?", "fuzzy")),
        threshold=85,
    ),
    Table(
        "for and against",
        phrase("Wer ist für den Ausbau der Bahn?"),
        (("Wer ist gegen den Ausbau der Bahn?", ""), ("Wer ist für den Ausbau der Bahnen?", "fuzzy")),
        threshold=80,
    ),
    Table(
        "with and without", phrase("Wählen mit Ausweis möglich?"), (("Wählen ohne Ausweis möglich?", ""),), threshold=80
    ),
    Table(
        "before and after",
        phrase("Umfragen vor der Wahl"),
        (("Umfragen nach der Wahl", ""), ("Umfrage vor der Wahl", "fuzzy")),
        threshold=80,
    ),
    Table(
        "more and less", phrase("Soll es mehr Polizei geben?"), (("Soll es weniger Polizei geben?", ""),), threshold=75
    ),
    Table(
        "advantages",
        phrase("Welche Vorteile hat die Briefwahl?"),
        (("Welche Nachteile hat die Briefwahl?", ""), ("Welchen Vorteil hat die Briefwahl?", "fuzzy")),
    ),
    Table(
        "the last and the next",
        phrase("Wann war die letzte Wahl im Land?"),
        (("Wann war die nächste Wahl im Land?", ""),),
        threshold=80,
    ),
    Table(
        "listed names",
        phrase("Was will die Auenpartei für Familien mit kleinen Kindern tun?"),
        (
            ("Was will der Brückenbund für Familien mit kleinen Kindern tun?", ""),
            ("Was will die AUP für Familien mit kleinen Kindern tun?", "fuzzy"),
            ("was will die auenpartei für familie mit kleinen kindern tun", "fuzzy"),
            ("Was will die Auenpartie für Familien mit kleinen Kindern tun?", ""),
        ),
    ),
    Table(
        "an alias is the same name",
        phrase("Was fordert der Kompass in der Bildungspolitik an Schulen?"),
        (
            ("Was fordert der KOM in der Bildungspolitik an Schulen?", "fuzzy"),
            ("Was fordert der BrB in der Bildungspolitik an Schulen?", ""),
        ),
    ),
    Table(
        "names that differ by a letter",
        phrase("Was plant Berta Hagen für die Stadt?"),
        (
            ("Was plant Berta Hager für die Stadt?", ""),
            ("Was plant Hagens für die Stadt?", ""),
            ("Was plant Berta Hagen für die Städte?", "fuzzy"),
        ),
    ),
    Table(
        "names in compounds",
        phrase("Wer ist Vorsitz der Auenparteifraktion im Landtag?"),
        (
            ("Wer ist Vorsitz der Kompassfraktion im Landtag?", ""),
            ("Wer hat Vorsitz der Auenparteifraktion im Landtag?", "fuzzy"),
        ),
    ),
    Table(
        "a nickname of two parties",
        phrase("Was macht die Bunte mit der Energiepolitik im Land?"),
        (
            ("Was macht die Bunte in der Energiepolitik im Land?", ""),
            ("Was macht der Kompass mit der Energiepolitik im Land?", ""),
        ),
    ),
    Table(
        "a number in a name is no number",
        phrase("Programm Freies Fachwerk 90 zur Wahl", threshold=70),
        (("Programm Fachwerk zur Wahl", "fuzzy"), ("Programm Freies Fachwerk zur Wahl", "fuzzy")),
    ),
    Table(
        "English negation",
        phrase("Can I vote by post?", threshold=80),
        (("Can't I vote by post?", ""), ("Can I not vote by post?", ""), ("Can I vote by posts?", "fuzzy")),
    ),
    Table(
        "English prefixes",
        phrase("Is this ballot paper valid?", threshold=80),
        (("Is this ballot paper invalid?", ""), ("Is that ballot paper valid?", "fuzzy")),
    ),
    Table(
        "English opposites",
        phrase("Who is for the new law?", threshold=75),
        (("Who is against the new law?", ""), ("Who is for a new law?", "fuzzy")),
    ),
    Table(
        "English ordinals",
        phrase("Who came second in the first round?"),
        (("Who came first in the second round?", ""), ("Who came second in the 1st round?", "fuzzy")),
        threshold=80,
    ),
    Table(
        "without or not", phrase("Vote with an identity card", threshold=80), (("Vote without an identity card", ""),)
    ),
    Table("exact needs no protection", phrase("Bundestagswahl 2021"), (("bundestagswahl 2021!", "exact"),)),
)
PHRASES: Final = (*EXACT, *FUZZY, *PROTECTED)
