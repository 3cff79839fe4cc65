"""Parties are recognised as readers name them; everyday words are left alone."""

import csv

import pytest

from apps.language.parties import PartyRecogniser

ALIASES = {
    "gruene": ["Bündnis 90/Die Grünen", "Die Grünen", "Grüne", "B90/Grüne"],
    "linke": ["Die Linke", "DIE LINKE", "Linkspartei"],
    "spd": ["SPD", "Sozialdemokratische Partei Deutschlands", "Sozialdemokraten", "Ampel"],
    "union": ["CDU/CSU", "CDU", "CSU", "Union", "Christdemokraten"],
    "afd": ["AfD", "Alternative für Deutschland"],
    "volt": ["Volt"],
    "fdp": ["FDP", "Freie Demokraten", "Ampel"],
    "bsw": ["BSW", "Bündnis Sahra Wagenknecht"],
    "partei": ["Die PARTEI"],
    "fw": ["FREIE WÄHLER", "Freie Wähler"],
    "fantasie": ["Partei für Morgen", "PfM"],
}
RECOGNISER = PartyRecogniser(ALIASES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Was will die SPD?", [("spd", "SPD")]),
        ("Was will die spd?", [("spd", "spd")]),
        ("Der SPD-Chef sprach", [("spd", "SPD")]),
        ("das AfD-Programm", [("afd", "AfD")]),
        ("CDU/CSU", [("union", "CDU/CSU")]),
        ("cdu / csu", [("union", "cdu / csu")]),
        ("CDU und CSU", [("union", "CDU"), ("union", "CSU")]),
        ("Wie stehen die Grünen dazu?", [("gruene", "die Grünen")]),
        ("ein Vorschlag der Grünen", [("gruene", "der Grünen")]),
        ("Gruene und FDP", [("gruene", "Gruene"), ("fdp", "FDP")]),
        ("GRÜNE", [("gruene", "GRÜNE")]),
        ("Bündnis 90/Die Grünen", [("gruene", "Bündnis 90/Die Grünen")]),
        ("Buendnis 90 / Die Gruenen", [("gruene", "Buendnis 90 / Die Gruenen")]),
        ("Was will die Linke?", [("linke", "die Linke")]),
        ("Programm der Linken", [("linke", "der Linken")]),
        ("Will die Linke Enteignungen?", [("linke", "die Linke")]),
        ("was wollen die grünen zur rente", [("gruene", "die grünen")]),
        ("wählt die linke das?", [("linke", "die linke")]),
        ("Grüne fordern mehr", [("gruene", "Grüne")]),
        ("Grünen-Chefin", [("gruene", "Grünen")]),
        ("die Grünenchefin", [("gruene", "Grünenchefin")]),
        ("die Unionsfraktion", [("union", "Unionsfraktion")]),
        ("ein AfDler und SPDlerinnen", [("afd", "AfDler"), ("spd", "SPDlerinnen")]),
        ("#NoAfD", [("afd", "AfD")]),
        ("#dielinke", [("linke", "dielinke")]),
        ("Was plant Volt?", [("volt", "Volt")]),
        ("Die PARTEI", [("partei", "Die PARTEI")]),
        ("die Freien Wähler", [("fw", "Freien Wähler")]),
        ("alternative für deutschland", [("afd", "alternative für deutschland")]),
        ("die Alternative für Deutschland", [("afd", "Alternative für Deutschland")]),
        ("Was sagt die Partei für Morgen?", [("fantasie", "Partei für Morgen")]),
        ("die Ampel", [("spd", "Ampel"), ("fdp", "Ampel")]),
        ("Su\u0308d: Gru\u0308ne", [("gruene", "Gru\u0308ne")]),
    ],
)
def test_parties_are_found_with_their_words(text, expected):
    mentions = RECOGNISER.find(text)
    assert [(mention.key, mention.text) for mention in mentions] == expected
    assert all(text[mention.start : mention.end] == mention.text for mention in mentions)


@pytest.mark.parametrize(
    "text",
    [
        "die grünen Wiesen",
        "die linke Seite",
        "Die linke Hand",
        "links der Isar",
        "230 Volt",
        "die WerteUnion",
        "aus dem linken oder rechten Spektrum",
        "damit linke und rechte Politik endet",
        "die Partei",
        "Welche Partei soll ich wählen?",
        "die Europäische Union",
        "der europäischen union",
        "Grüne Energie",
        "die freie Wählerin",
        "Wähler sind frei",
        "grüner Strom",
        "",
        "\x00 \ud800",
    ],
)
def test_everyday_words_are_no_party(text):
    assert RECOGNISER.find(text) == []


def test_without_aliases_nothing_is_found():
    assert PartyRecogniser({}).find("Was will die SPD?") == []
    assert PartyRecogniser({"leer": ["", "???"]}).find("???") == []


def test_real_mentions_of_the_campaign(data_sets):
    """Recall of what spells a party .95, wrong parties under .2 % of the mentions (measured 2026-11-29)."""
    names = {
        "gruene": "Bündnis 90/Die Grünen",
        "linke": "Die Linke",
        "spd": "SPD",
        "union": "CDU/CSU",
        "afd": "AfD",
        "fdp": "FDP",
        "bsw": "BSW",
    }
    recogniser = PartyRecogniser({key: [a for a in ALIASES[key] if a != "Ampel"] for key in names})
    spelled = ("afd", "spd", "cdu", "csu", "fdp", "bsw", "grüne", "gruene", "linke", "union")
    right = wrong = total = 0
    with (data_sets / "party-mentions" / "mentions.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            found = {names[mention.key] for mention in recogniser.find(row["surface"])}
            count = int(row["count"])
            wrong += count * len(found - {row["entity"]}) if row["entity_type"] == "party" else 0
            if row["entity_type"] == "party" and any(name in row["surface"].lower() for name in spelled):
                total += count
                right += count * (row["entity"] in found)
    assert right / total >= 0.95
    assert wrong / total <= 0.002
