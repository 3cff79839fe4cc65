"""What a document is about and which state it concerns, proposed from its words. Pure; an editor has the last word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from apps.language.normalising import fold
from apps.language.stemming import stem
from apps.language.stopwords import stop_words
from apps.language.tokenising import tokenise

# A programme speaks about everything; words of headings only help where the topics say little.
MOST_TOPICS: Final = 12
MOST_WORDS: Final = 6
# A word in a heading says more about the subject than one in the text.
_HEADING_WEIGHT: Final = 5
_LEAST_WEIGHT: Final = 5
_LEAST_SHARE: Final = 0.12
_TEXT_READ: Final = 200_000

# Beginnings of words, folded: German compounds begin with their subject ("Rentenniveau", "Klimaschutz").
TOPICS: Final[dict[str, tuple[str, ...]]] = {
    "Rente": ("rente", "altersvorsorge", "altersarmut", "pensions"),
    "Arbeit und Soziales": ("mindestlohn", "arbeitslos", "buergergeld", "tarif", "sozialstaat", "kindergeld", "armut"),
    "Wohnen": ("wohn", "miet", "sozialwohnung", "bauland", "housing"),
    "Klima und Umwelt": ("klima", "umwelt", "naturschutz", "artenvielfalt", "co2", "emission"),
    "Energie": (
        "energie",
        "strom",
        "windkraft",
        "windraed",
        "solar",
        "kernkraft",
        "atomkraft",
        "heizung",
        "waermepump",
    ),
    "Steuern und Haushalt": ("steuer", "schuldenbremse", "haushalt", "vermoegensteuer", "erbschaft", "tax"),
    "Gesundheit und Pflege": ("gesundheit", "krankenhaus", "krankenkass", "pflege", "arzt", "aerzt", "health"),
    "Bildung": ("bildung", "schule", "schueler", "kita", "hochschul", "universitaet", "ausbildung", "lehrkraeft"),
    "Migration": ("migration", "asyl", "gefluechtet", "fluechtling", "einwander", "zuwander", "einbuerger"),
    "Sicherheit": ("polizei", "kriminal", "terror", "extremis", "verfassungsschutz", "straftat"),
    "Außen und Verteidigung": (
        "bundeswehr",
        "verteidigung",
        "nato",
        "aussenpolitik",
        "ukraine",
        "wehrpflicht",
        "europa",
    ),
    "Verkehr und Digitales": (
        "verkehr",
        "bahn",
        "autobahn",
        "nahverkehr",
        "digital",
        "breitband",
        "radweg",
        "tempolimit",
    ),
    "Wahlrecht": (
        "briefwahl",
        "wahlrecht",
        "wahlschein",
        "wahllokal",
        "stimmzettel",
        "zweitstimm",
        "erststimm",
        "ballot",
    ),
}
_TOO_GENERAL: Final = frozenset(
    map(
        fold,
        (
            "Kapitel", "Teil", "Anhang", "Inhalt", "Inhaltsverzeichnis", "Einleitung", "Vorwort", "Präambel",
            "Programm", "Wahlprogramm", "Land", "Deutschland", "Bundestagswahl", "Politik", "Zukunft", "Menschen",
            "Partei", "Seite", "Fragen", "Antworten", "Chapter", "Content",
        ),
    )
)  # fmt: skip
_STATES: Final = (
    "Baden-Württemberg",
    "Bayern",
    "Berlin",
    "Brandenburg",
    "Bremen",
    "Hamburg",
    "Hessen",
    "Mecklenburg-Vorpommern",
    "Niedersachsen",
    "Nordrhein-Westfalen",
    "Rheinland-Pfalz",
    "Saarland",
    "Sachsen-Anhalt",
    "Sachsen",
    "Schleswig-Holstein",
    "Thüringen",
)
_STATE_PATTERN: Final = re.compile(rf"(?<![\w-])({'|'.join(_STATES)})s?(?![\w-])")


def propose_aspects(headings: Sequence[str], text: str, language: str = "de") -> list[str]:
    """Return the weightiest first: topics of the lexicon, then, up to six in all, nouns that headings repeat.

    A word weighs five in a heading and one in the text. A topic counts from weight 5 on and from an eighth of the
    heaviest topic's weight.
    """
    weights: Counter[str] = Counter()
    for heading in headings:
        for topic in _topics(heading):
            weights[topic] += _HEADING_WEIGHT
    weights.update(_topics(text[:_TEXT_READ]))
    heaviest = max(weights.values(), default=0)
    chosen = [
        topic
        for topic, weight in weights.most_common()
        if weight >= _LEAST_WEIGHT and weight >= _LEAST_SHARE * heaviest
    ]
    words = _heading_words(headings, language, known=chosen)
    return [*chosen[:MOST_TOPICS], *words[: max(0, MOST_WORDS - len(chosen))]]


def guess_region(title: str) -> str:
    """Return the one federal state that a title names, or nothing."""
    found = dict.fromkeys(_STATE_PATTERN.findall(title))
    return next(iter(found)) if len(found) == 1 else ""


def _topics(text: str) -> list[str]:
    found = []
    for token in tokenise(text):
        for topic, beginnings in TOPICS.items():
            if token.folded.startswith(beginnings):
                found.append(topic)
                break
    return found


def _heading_words(headings: Sequence[str], language: str, known: Sequence[str]) -> list[str]:
    """Nouns that stand in at least two headings, by stem, spelled as they stand first."""
    stops = stop_words(language)
    shown: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for heading in headings:
        for token in {token.folded: token for token in tokenise(heading)}.values():
            is_noun = token.kind == "word" and token.text[:1].isupper() and len(token.text) >= 4
            if not is_noun or token.folded in stops or token.folded in _TOO_GENERAL:
                continue
            if any(token.folded.startswith(TOPICS[topic]) for topic in known if topic in TOPICS):
                continue
            key = stem(token.folded, language)
            shown.setdefault(key, token.text[:60])
            counts[key] += 1
    return [shown[key] for key, count in counts.most_common(MOST_WORDS) if count >= 2]
