"""What would tell who asked is hidden; what a political question needs is not. All people here are invented."""

import json
from collections import defaultdict

import pytest

from apps.language.masking import mask
from apps.querylog.suites.masking import LABELLED

KNOWN = ("Angela Merkel", "Friedrich Merz", "Sahra Wagenknecht", "SPD", "Die Grünen", "Partei für Morgen")


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Schreiben Sie an jana.probe@beispiel.de.", "Schreiben Sie an [E-Mail]."),
        ("jana (at) beispiel (punkt) de", "[E-Mail]"),
        ("Rufen Sie 030 1234567 an", "Rufen Sie [Telefon] an"),
        ("Mobil: 0170/1234567!", "Mobil: [Telefon]!"),
        ("+49 170 1234567", "[Telefon]"),
        ("(030) 12 34 56-78", "[Telefon]"),
        ("Tel. 1234567", "Tel. [Telefon]"),
        ("DE89 3704 0044 0532 0130 00", "[IBAN]"),
        ("de89370400440532013000, danke", "[IBAN], danke"),
        ("Steuer-ID 12345678903", "Steuer-ID [Steuernummer]"),
        ("Steuernummer 123/456/78901", "Steuernummer [Steuernummer]"),
        ("RVNR 15070649C103", "RVNR [Versicherungsnummer]"),
        ("Ausweis L01X00T44", "Ausweis [Ausweisnummer]"),
        ("Karte 4111 1111 1111 1111", "Karte [Kartennummer]"),
        ("Musterstraße 12, 10115 Berlin", "[Adresse]"),
        ("Ich wohne Karl-Muster-Allee 5a", "Ich wohne [Adresse]"),
        ("Berliner Str. 7", "[Adresse]"),
        ("Adresse: Am Markt 5, 12345 Musterstadt", "Adresse: [Adresse]"),
        ("Ich lebe in 10115 Berlin", "Ich lebe in [Adresse]"),
        ("Meine PLZ ist 10115", "Meine PLZ ist [Adresse]"),
        ("Ich heiße Jana Probe", "Ich heiße [Name]"),
        ("ich heiße jana", "ich heiße [Name]"),
        ("Mein Name ist Jana von Probe, hallo", "Mein Name ist [Name], hallo"),
        ("Herr Probe sagt", "Herr [Name] sagt"),
        ("Was sagt Frau Dr. Jana Probe-Muster dazu?", "Was sagt Frau Dr. [Name] dazu?"),
        ("Ich bin Jana Probe.", "Ich bin [Name]."),
        ("Meine Tochter Lena ist 16", "Meine Tochter [Name] ist 16"),
        ("Danke! Viele Grüße, Jana Probe", "Danke! Viele Grüße, [Name]"),
        ("MfG\nJ. Probe", "MfG\n[Name]"),
        ("My name is John Sample", "My name is [Name]"),
        ("Ich bin schwerbehindert und möchte wählen", "[persönliche Angabe] und möchte wählen"),
        ("Ich habe seit 3 Jahren Krebs. Was nun?", "[persönliche Angabe]. Was nun?"),
        ("Weil ich Diabetes habe, frage ich", "Weil [persönliche Angabe], frage ich"),
        ("Ich bin Muslim, was sagt die SPD?", "[persönliche Angabe], was sagt die SPD?"),
        ("Ich bin schwul", "[persönliche Angabe]"),
        ("Ich bin Mitglied der IG Metall.", "[persönliche Angabe]."),
        ("Ich habe immer die SPD gewählt!", "[persönliche Angabe]!"),
        ("Ich wähle die Grünen", "[persönliche Angabe]"),
        ("Meine Stimme bekommt die CDU, oder?", "[persönliche Angabe], oder?"),
        ("Ich werde AfD wählen", "[persönliche Angabe]"),
        ("Bin schwerbehindert, kann ich Briefwahl machen?", "[persönliche Angabe], kann ich Briefwahl machen?"),
        ("Ich sitze im Rollstuhl. Und nun?", "[persönliche Angabe]. Und nun?"),
        ("Ich nehme Insulin", "[persönliche Angabe]"),
        ("Als trans Frau habe ich Angst", "[persönliche Angabe] habe ich Angst"),
        ("Ich bin aus der Kirche ausgetreten", "[persönliche Angabe]"),
        ("Ich gehöre der katholischen Kirche an", "[persönliche Angabe]"),
        ("Ich bin ver.di-Mitglied", "[persönliche Angabe]"),
        ("Letztes Mal habe ich die SPD gewählt", "Letztes Mal [persönliche Angabe]"),
        ("Am Sonntag wähle ich die CDU", "Am Sonntag [persönliche Angabe]"),
        ("Ich würde gern SPD wählen", "[persönliche Angabe]"),
        ("Ich wähle die Partei für Morgen", "[persönliche Angabe]"),
        ("Ich habe Partei für Morgen gewählt.", "[persönliche Angabe]."),
        ("I'm pregnant, can I vote by mail?", "[persönliche Angabe], can I vote by mail?"),
        ("I voted for the SPD", "[persönliche Angabe]"),
        ("Hallo, ich bin Jana aus Köln", "Hallo, ich bin [Name] aus Köln"),
        ("Ist Cordula Mettenberg eingetragen?", "Ist [Name] eingetragen?"),
        ("Thorsten hat gesagt, ihr wisst alles", "[Name] hat gesagt, ihr wisst alles"),
        ("Wahlschein für Jens-Peter Krummhaar", "Wahlschein für [Name]"),
        ("Liste: Nowakowska, Agnieszka", "Liste: [Name]"),
        ("Hat Tarek al-Hamdani ein Stimmrecht?", "Hat [Name] ein Stimmrecht?"),
        ("Hat Jasmin Wahlrecht?", "Hat [Name] Wahlrecht?"),
        ("Grüße an Friedrich Merz von Kreszentia Moosbichler", "Grüße an Friedrich Merz von [Name]"),
        ("Mein Mann Sören mag Friedrich Merz", "Mein Mann [Name] mag Friedrich Merz"),
        # Only a whole public name is public where somebody says whose it is.
        ("Ich heiße Angela", "Ich heiße [Name]"),
        ("Mein Nachbar Merz grüßt nicht", "Mein Nachbar [Name] grüßt nicht"),
        ("Birkenhain 3, 04668 Grimma", "[Adresse]"),
        ("Straße der Jugend 71", "[Adresse]"),
        ("Welches Wahllokal gilt für Finkenschlag 10?", "Welches Wahllokal gilt für [Adresse]?"),
        ("Ich wohne im Fuchsbau 23", "Ich wohne [Adresse]"),
        ("jana {at} beispiel.de", "[E-Mail]"),
        ("Seit dem Schlaganfall kann ich nicht schreiben, und nun?", "[persönliche Angabe], und nun?"),
        ("Meine Epilepsie wird schlimmer", "[persönliche Angabe]"),
        ("Ich bete in der Moschee, wer schützt uns?", "[persönliche Angabe], wer schützt uns?"),
        ("Ich tendiere zum BSW", "[persönliche Angabe]"),
        ("Ich mache mein Kreuz bei der Partei für Morgen", "[persönliche Angabe]"),
        ("Früher war ich Stammwähler der SPD", "[persönliche Angabe]"),
    ],
)
def test_personal_data_is_hidden(text, masked):
    found = mask(text, known_names=KNOWN)
    assert found.text == masked
    assert found.kinds.total() == masked.count("[")
    assert mask(found.text, known_names=KNOWN).text == masked


ORDINARY = (
    "Was sagt § 36 BWO?",
    "Wie hoch ist der Mindestlohn 2026: 14,60 Euro?",
    "Bundestagswahl 23.02.2025",
    "Bundestagswahl am 23.02.2025 von 8:00 bis 18:00 Uhr",
    "Wie ist die Telefonnummer des Bundeswahlleiters?",
    "Was sagt Frau Merkel zu Herrn Merz?",
    "Was plant Sahra Wagenknecht?",
    "Herr Bundeskanzler, Frau Ministerin",
    "Drucksache 20/12345 und Az. 2 BvR 1234/20",
    "01.01.2024 bis 31.12.2025",
    "1.000.000 Euro und 0,5 Prozent",
    "In 50000 Haushalten und 12345 Fällen",
    "Listenplatz 3 der Landesliste",
    "Auf Platz 3 steht wer?",
    "Der Dritte Weg 2021",
    "Wie wähle ich die SPD?",
    "Ich wähle per Brief",
    "Ich wähle in München",
    "Kann ich im Ausland wählen?",
    "Hallo, ich bin Studentin",
    "Warum wähle ich die SPD?",
    "Was ist mit der Union los?",
    "Wann wird das Heizungsgesetz geändert, ich heize mit Öl?",
    "Welche Partei hilft bei Depressionen?",
    "Ich möchte per Briefwahl wählen",
    "Kann ich als Schwerbehinderter per Brief wählen?",
    "Ich habe eine Frage zu Krebs",
    "Wie viele Muslime gibt es?",
    "Was tut die SPD für Menschen mit Behinderung?",
    "Ich bin für ein Tempolimit",
    "Ich bin gegen die AfD",
    "Ich bin Deutscher Staatsbürger im Ausland",
    "Ich bin Studentin in Berlin",
    "Wer war im Jahr 1901 katholisch?",
    "In einer Familie Kinder erziehen",
    "Artikel 38 Absatz 1 Satz 2 des Grundgesetzes",
    "Ich weiß nicht, ob ich SPD oder CDU wählen soll",
    "Was kostet das 49-Euro-Ticket?",
    "Agenda 2030, Paragraph 219a",
    "Wer darf mir helfen, wenn ich blind bin?",
    "Ist Herr Merz Spitzenkandidat in Bayern?",
    "Was ist mit Sarah Wagenknecht?",
    "Was hat Merkels Nachfolger gesagt?",
    "Friedrich Merz, Angela Merkel: wer war zuerst da?",
    "Wann war Sankt Martin und wer war Karl der Große?",
    "Wer gewann den Alfred-Nobel-Preis?",
    "Can I still vote?",
    "Ich bin Krankenpfleger und frage nach dem Tarif",
    "Ich habe das Programm der Grünen gelesen, wo steht das Klimageld?",
    "Ich wohne neben einer Moschee, welche Regeln gelten?",
    "Welcher Wahlkreis gilt für Köln, und was heißt Artikel 3?",
    "Zuständig ist Wahlkreis 12",
    "",
)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_questions_stay_as_they_are(text):
    found = mask(text, known_names=KNOWN)
    assert found.text == text
    assert not found.kinds


@pytest.mark.parametrize(
    "text",
    [
        "GB82 WEST 1234 5698 7654 33",
        "4111 1111 1111 1112",
        "12345678901",
        "15070649C100",
        "L01X00T47",
    ],
)
def test_numbers_with_a_wrong_check_digit_are_other_numbers(text):
    assert mask(text).text == text


def test_public_names_are_known_in_full_and_by_their_last_word():
    assert mask("Herr Merz", known_names=["Friedrich Merz"]).text == "Herr Merz"
    assert mask("Herr Friedrich Merz", known_names=["Friedrich Merz"]).text == "Herr Friedrich Merz"
    assert mask("Herr Merz").text == "Herr [Name]"
    assert mask("Herr Märzmüller", known_names=["Friedrich Merz"]).text == "Herr [Name]"


def test_kinds_are_counted():
    found = mask("a@beispiel.de, b@beispiel.de und 0170 1234567")
    assert dict(found.kinds) == {"[E-Mail]": 2, "[Telefon]": 1}


def test_labelled_personal_data_is_found(data_sets):
    """All valid numbers found, one look-alike of 178 hidden too many (measured 2026-11-29)."""
    right: dict[str, list[bool]] = defaultdict(list)
    spared: list[bool] = []
    for line in (data_sets / "pii-de" / "presidio-cases.jsonl").read_text().splitlines():
        case = json.loads(line)
        if case["entity"] not in LABELLED:
            continue
        kinds = mask(case["text"]).kinds
        if case["expected"]:
            right[case["entity"]].append(kinds[LABELLED[case["entity"]]] > 0)
        elif case["entity"] != "phone":
            spared.append(kinds[LABELLED[case["entity"]]] == 0)
    assert set(right) == set(LABELLED)
    assert {entity: sum(found) / len(found) for entity, found in right.items()} == dict.fromkeys(right, 1.0)
    assert sum(spared) / len(spared) >= 0.98


def test_a_name_that_only_its_form_tells_is_public_where_the_sources_have_it():
    sources = "Jana Probe schrieb den Kommentar."
    asked = "Was schrieb Jana Probe, und was Jana Probes Kollege?"
    assert mask(asked, is_public=sources.__contains__).text == asked
    assert mask(asked).text == "Was schrieb [Name], und was [Name] Kollege?"


def test_the_sources_do_not_make_public_who_says_that_it_is_their_own_name():
    assert mask("Ich heiße Jana Probe", is_public=lambda name: True).text == "Ich heiße [Name]"
