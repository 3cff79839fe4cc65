"""Cases of the token stage: forms, modes, quantifiers, core, anchor and exclude. German and English."""

from __future__ import annotations

from typing import Final

from apps.rules.suites.case_values import (
    Table,
    asked,
    at_least,
    every,
    percent,
    phrase,
    slots,
    some,
    words,
)
from apps.rules.types import Need, TokenList, WordMode

_FORMS: Final = (
    Table(
        "a part of the question",
        words(every("Briefwahl")),
        (("Wie kann ich Briefwahl beantragen?", "token"), ("Wie wähle ich?", "")),
    ),
    Table(
        "plural",
        words(every("Mieten")),
        (("Wie hoch ist die Miete?", "token"), ("wie hoch ist die miete", "token"), ("Wer ist Mieter?", "")),
    ),
    Table("lower case", words(every("Miete")), (("was tun gegen hohe mieten", "token"),)),
    Table("adjective as a name", words(every("Grüne")), (("Was wollen die Grünen?", "token"), ("gruene", "token"))),
    Table(
        "not stemmed too far",
        words(every("Wahl")),
        (("Wie viele Wähler gibt es?", ""), ("Wann sind Wahlen?", "token"), ("Auswahl", "")),
    ),
    Table(
        "beautiful is not already",
        words(every("schön")),
        (("Ist das schon fertig?", ""), ("Das ist schöner.", "token")),
    ),
    Table("umlauts typed out", words(every("Bücher")), (("Welches Buch?", "token"), ("Welche Buecher?", "token"))),
    Table("genitive", words(every("Klimaschutz")), (("Kosten des Klimaschutzes", "token"),)),
    Table("verbs", words(every("beantragen")), (("Wie beantragt man das?", "token"), ("Beantragen", "token"))),
    Table(
        "decomposed", words(every("München")), (("Wirtschaft in Mu\u0308nchen", "token"), ("Münchner Wirtschaft", ""))
    ),
    Table("numbers stand alone", words(every("2025")), (("Wahl 2025", "token"), ("Wahl 2021", ""), ("20255", ""))),
    Table(
        "a section sign",
        words(every("§ 218")),
        (("Wer will §218 abschaffen?", "token"), ("Absatz 218", ""), ("§ 2180", "")),
    ),
    Table(
        "English plural",
        words(every("election")),
        (("When are the elections?", "token"), ("electionist", "")),
        context=asked(language="en"),
    ),
    Table(
        "English verbs",
        words(every("vote")),
        (("She voted early", "token"), ("voters", "")),
        context=asked(language="en"),
    ),
    Table("a rule for one language", words(every("Wahl"), languages=("de",)), (("Wahlen", "token"),)),
    Table("another language", words(every("Wahl"), languages=("de",)), (("Wahl", ""),), context=asked(language="en")),
    Table(
        "an unknown language",
        words(every("elección")),
        (("La eleccion", "token"), ("elecciones", "")),
        context=asked(language="xx"),
    ),
)
_SPELLINGS: Final = (
    Table(
        "hyphenated slot",
        words(every("Nordrhein-Westfalen")),
        (
            ("Wahl in Nordrhein Westfalen", "token"),
            ("Wahl in Nordrhein-Westfalen", "token"),
            ("Nordrheinwestfalen", "token"),
            ("Westfalen Nordrhein", ""),
        ),
    ),
    Table(
        "hyphenated question",
        words(every("Wahlomat")),
        (("Wann kommt der Wahl-O-Mat?", "token"), ("Wann kommt der Wahl O Mat?", "")),
    ),
    Table("part of a hyphenated word", words(every("Auenpartei")), (("Wer ist die Auenpartei-Chefin?", "token"),)),
    Table(
        "words in a row",
        words(every("bunte Brücke")),
        (("Die bunten Brücken im Tal", "token"), ("Die Brücke ist bunt", ""), ("bunte alte Brücke", "")),
    ),
    Table(
        "alternatives",
        words(every("München | Münchner")),
        (("Die Münchner Wirtschaft", "token"), ("In München", "token"), ("In Passau", "")),
    ),
    Table(
        "alternatives of several words",
        words(every("Kita | öffentliche Betreuung")),
        (("Was kostet öffentliche Betreuung?", "token"), ("Was ist öffentlich?", ""), ("Kita", "token")),
    ),
    Table("an empty alternative", words(every("Kita | ")), (("Was kostet das?", ""), ("Kitas", "token"))),
)
_MODES: Final = (
    Table(
        "exactly",
        words(every("Miete", mode=WordMode.EXACTLY)),
        (("miete", "token"), ("Mieten", ""), ("MIETE!", "token")),
    ),
    Table(
        "ends with",
        words(every("wahl", mode=WordMode.ENDS)),
        (("Die Landtagswahl", "token"), ("Die Auswahl", "token"), ("Wahl", "token"), ("Wahlen", "")),
    ),
    Table(
        "starts with",
        words(every("Klima", mode=WordMode.STARTS)),
        (("Klimaschutzgesetz", "token"), ("Klimas", "token"), ("Weltklima", "")),
    ),
    Table("too short to end with", words(every("amt", mode=WordMode.ENDS)), (("Das Wahlamt", ""), ("amt", ""))),
    Table(
        "too short to start with",
        words(some("EU", "Wahl", mode=WordMode.STARTS)),
        (("EU-Recht", ""), ("Wahlrecht", "token")),
    ),
    Table(
        "the last of several starts",
        words(every("neue Schul", mode=WordMode.STARTS)),
        (("eine neue Schulpolitik", "token"), ("neuere Schulpolitik", "")),
    ),
    Table(
        "the first of several ends",
        words(every("wahl beantragen", mode=WordMode.ENDS)),
        (("Briefwahl beantragen", "token"), ("Briefwahl beantrage", "")),
    ),
    Table(
        "modes mixed",
        words(slots(("Miete", WordMode.FORM), ("preis", WordMode.ENDS))),
        (("Mieten und Strompreis", "token"), ("Mieten und Preise", "")),
    ),
)
_HALF: Final = percent(50, "Klima", "Energie", "Heizung")
_QUANTIFIERS: Final = (
    Table(
        "at least half of three",
        words(_HALF),
        (("Was kostet die Heizung?", ""), ("Energie und Heizung", "token"), ("Klima, Energie, Heizung", "token")),
    ),
    Table("all", words(every("Klima", "Energie")), (("Klima", ""), ("Energie fürs Klima", "token"))),
    Table("any", words(some("Klima", "Energie")), (("Klima", "token"), ("Wetter", ""))),
    Table(
        "at least two", words(at_least(2, "Klima", "Energie", "Heizung")), (("Klima", ""), ("Klima Heizung", "token"))
    ),
    Table(
        "equal slots count once",
        words(at_least(2, "Klima", "klima", "Energie")),
        (("Klima", ""), ("Klima Energie", "token")),
    ),
    Table("the same word twice is one slot", words(every("Miete", "MIETE")), (("Mieten", "token"),)),
    Table("one percent is one slot", words(percent(1, "Klima", "Energie")), (("Klima", "token"), ("Wetter", ""))),
    Table(
        "67 percent of three are three",
        words(percent(67, "Klima", "Energie", "Heizung")),
        (("Klima Energie", ""), ("Klima Energie Heizung", "token")),
    ),
    Table("more than there are", words(at_least(4, "Klima", "Energie", "Heizung")), (("Klima Energie Heizung", ""),)),
    Table("an empty list", words(TokenList(())), (("Klima", ""), ("", ""))),
    Table("an empty list of any", words(TokenList((), Need.ANY)), (("Klima", ""),)),
    Table("only punctuation", words(every("...", "🙂")), (("...", ""), ("Klima", ""), ("🙂", ""))),
    Table("nothing needed", words(at_least(0, "Klima")), (("Klima", ""), ("Wetter", ""))),
)
_ANCHORED: Final = words(every("München", "Wirtschaft"), some("Auenpartei", "Kompass"))
_LISTS: Final = (
    Table(
        "core and anchor",
        _ANCHORED,
        (
            ("Wie will der Kompass der Wirtschaft in München helfen?", "token"),
            ("Wie will der Kompass der Wirtschaft helfen?", ""),
            ("Wie hilft man der Wirtschaft in München?", ""),
            ("Wie will der Kompass der Münchner Wirtschaft helfen?", ""),
        ),
    ),
    Table(
        "anchor alone",
        words(None, some("Auenpartei", "Kompass")),
        (("Was will der Kompass?", "token"), ("Was will Fachwerk?", "")),
    ),
    Table("an empty core is never met", words(TokenList(()), some("Kompass")), (("Kompass", ""),)),
    Table(
        "exclude",
        words(every("Briefwahl"), exclude=some("Österreich", "Schweiz")),
        (("Briefwahl in Bayern", "token"), ("Briefwahl in Österreich", ""), ("briefwahl oesterreich", "")),
    ),
    Table(
        "exclude all of several",
        words(every("Briefwahl"), exclude=every("Ausland", "Botschaft")),
        (("Briefwahl im Ausland", "token"), ("Briefwahl im Ausland in der Botschaft", "")),
    ),
    Table(
        "exclude vetoes fuzzy, not exact",
        phrase("Briefwahl in Österreich", exclude=some("Österreich")),
        (("Briefwahl in Österreich", "exact"), ("Briefwahlen in Österreich", "")),
    ),
    Table(
        "an empty exclude list vetoes nothing",
        words(every("Briefwahl"), exclude=TokenList(())),
        (("Briefwahl", "token"),),
    ),
    Table("only negative", words(None, exclude=some("Österreich")), (("Briefwahl in Bayern", ""),)),
    Table(
        "phrases or lists",
        phrase("Wie wähle ich per Post?", core=every("Briefwahl")),
        (("Briefwahl", "token"), ("wie wähle ich per post", "exact"), ("Wie wähle ich per Pots?", "fuzzy")),
    ),
)
WORDS: Final = (*_FORMS, *_SPELLINGS, *_MODES, *_QUANTIFIERS, *_LISTS)
