"""Templates and plurals for the swapped and the harmless questions; written for the suite."""

from __future__ import annotations

from typing import Final

ABOUT_NAMES: Final = (
    "Was sagt {name} zum Thema {topic}?",
    "Was will {name} bei {topic} ändern?",
    "Wie steht {name} zu {topic}?",
    "Welche Position hat {name} in der Frage {topic}?",
    "Was schreibt {name} im Wahlprogramm über {topic}?",
    "Hat {name} etwas zu {topic} versprochen, und was davon wurde im Bundestag umgesetzt?",
    "Mit wem könnte {name} nach der Wahl koalieren, wenn es um {topic} geht?",
    "Ist {name} für oder gegen {topic}?",
    "What does {name} want to do about {topic}?",
    "where does {name} stand on {topic}",
)
ABOUT_YEARS: Final = (
    "Wie ging die Bundestagswahl {year} aus?",
    "Bundestagswahl {year}",
    "Wer durfte bei der Landtagswahl {year} wählen?",
    "Welche Parteien traten bei der Europawahl {year} an?",
    "Wahlbeteiligung {year} in Sachsen",
    "Was stand {year} im Koalitionsvertrag zum Thema {topic}?",
    "Bis wann musste man {year} den Wahlbrief abschicken?",
    "Who won the federal election in {year}?",
)
ABOUT_NUMBERS: Final = (
    "Darf man ab {number} Jahren wählen?",
    "Wie viele Abgeordnete hat ein Bundestag mit {number} Sitzen?",
    "Wer tritt im Wahlkreis {number} an?",
    "Was bedeutet Artikel {number} des Grundgesetzes?",
    "Soll die Steuer um {number} Prozent steigen?",
    "Was ist mit den {number} Milliarden für {topic} passiert?",
    "Gilt die Hürde von {number} Prozent auch für Listen?",
    "Who is running in constituency {number}?",
)
ABOUT_LAWS: Final = (
    "Was steht in {section} des Strafgesetzbuchs?",
    "{section} abschaffen",
    "Soll {section} aus dem Strafgesetzbuch gestrichen werden?",
    "Was regelt {section} des Bundeswahlgesetzes?",
    "Wer will {section} ändern und warum?",
    "Was bedeutet {section} für {topic}?",
)
HYPHENATED: Final = (
    "Wann kommt der Wahl-O-Mat für {year}?",
    "Was ist die Fünf-Prozent-Hürde?",
    "Wer regiert in Nordrhein-Westfalen?",
    "Was plant {name} gegen die CO2-Steuer?",
    "Wie viel kostet das Deutschland-Ticket?",
    "Wie will Baden-Württemberg {topic} regeln?",
    "Was macht der TV-Sender am Wahl-Sonntag?",
    "Gibt es eine E-Mail-Adresse für den Antrag auf Brief-Wahl?",
)
_PAIRS: Final = (
    "Partei Parteien|Wahl Wahlen|Stimme Stimmen|Frist Fristen|Kandidat Kandidaten|Wahlkreis Wahlkreise|Land Länder"
    "|Gesetz Gesetze|Schule Schulen|Steuer Steuern|Abgabe Abgaben|Betrieb Betriebe|Unternehmen Unternehmens|Kind Kinder"
    "|Position Positionen|Frage Fragen|Wahlprogramm Wahlprogramme|Landtagswahl Landtagswahlen|Sitz Sitze|Liste Listen"
    "|Bundestagswahl Bundestagswahlen|Europawahl Europawahlen|Thema Themen|Wahlbrief Wahlbriefe|Antrag Anträge"
    "|Koalitionsvertrag Koalitionsverträge|Hürde Hürden|Behörde Behörden|Urkunde Urkunden|Person Personen|Person Person"
    "|Adresse Adressen|Unterlage Unterlagen|Wohnung Wohnungen|Mietpreis Mietpreise|Staat Staaten|Schüler Schülern"
    "|Lehrer Lehrern|Studiengebühr Studiengebühren|Hochschule Hochschulen|Straße Straßen|Bürger Bürgern|Stadt Städte"
    "|Gemeinde Gemeinden|Kommune Kommunen|Polizist Polizisten|Grenze Grenzen|Straftat Straftaten|Fahrzeug Fahrzeuge"
    "|Genehmigung Genehmigungen|Bescheid Bescheide|Testament Testamente|Ausweis Ausweise|Flüchtling Flüchtlinge"
    "|Asylbewerber Asylbewerbern|Arbeitgeber Arbeitgebern|Autobahn Autobahnen|Kraftwerk Kraftwerke|Tier Tiere"
)
_BOTH: Final = [pair.split() for pair in _PAIRS.split("|")]
# Either number of a noun for the other.
PLURALS: Final = dict(_BOTH) | {right: left for left, right in _BOTH if left != right}
