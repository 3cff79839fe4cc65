"""Rules and questions made up for the bench: German-like, a few names in most rules, words by their frequency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from apps.rules.types import Need, Phrase, ProtectedName, RuleSet, RuleSpec, Slot, TokenList

_NOUNS: Final = (
    "Wahl Steuer Miete Klima Energie Heizung Rente Schule Kita Bahn Straße Wohnung Gesundheit Pflege Arzt Krankenhaus"
    " Polizei Grenze Handel Zoll Haushalt Schulden Lohn Arbeit Familie Kinder Jugend Sport Kultur Museum Theater Buch"
    " Medien Daten Netz Strom Wasser Wald Boden Tier Landwirtschaft Fisch Hafen Schiff Flug Lärm Müll Verpackung Papier"
    " Glas Metall Auto Rad Bus Verkehr Ampel Brücke Tunnel Turm Park Garten Platz Markt Gemeinde Kreis Landtag Rathaus"
    " Bürger Amt Ausweis Pass Antrag Formular Frist Gebühr Kosten Zuschuss Förderung Kredit Bank Versicherung Unfall"
    " Feuer Rettung Katastrophe Hochwasser Deich Küste Insel Berg Tal Dorf Stadt Quartier Nachbar Verein Ehrenamt"
    " Stiftung Gericht Urteil Gesetz Verfassung Grundrecht Freiheit Gleichheit Integration Sprache Kurs Ausbildung"
    " Handwerk Meister Lehre Studium Forschung Technik Maschine Roboter Software Speicher Batterie Wind Sonne Biomasse"
)
_ACTIONS: Final = (
    "beantragen bezahlen fördern senken erhöhen ändern abschaffen einführen prüfen melden finden bekommen verlieren"
    " sichern bauen sanieren schützen stärken ausbauen kürzen verteilen planen organisieren verbessern beschleunigen"
)
_FILLERS: Final = (
    "die der das in im mit für und zu von bei nach ab bis ohne über mehr neue alle auch noch heute schnell"
)
_PARTIES: Final = "Auenpartei Brückenbund Fachwerk Kompass Sternwarte Lindenliste Hafenrunde Talbündnis"
_PLACES: Final = "Auental Brückstadt Lindenau Hafenau Sternberg Talheim Kompassdorf Fachwinkel"
_STEMS, _VERBS, _SMALL, _NAMES, _TOWNS = (each.split() for each in (_NOUNS, _ACTIONS, _FILLERS, _PARTIES, _PLACES))
_OPENERS: Final = (
    "Wie will", "Was sagt", "Wann kommt", "Warum soll", "Wo finde ich", "Wer bezahlt", "Darf man", "Muss ich",
    "Wie beantrage ich", "Was kostet", "Welche Frist gilt für", "Gibt es",
)  # fmt: skip
# Of the rules with token lists so many share two of the eight names: the hard case for an index by words.
_SHARE_WITH_NAMES: Final = 0.6
_FIRST_MANY: Final = 0.3


@dataclass(frozen=True, slots=True)
class Words:
    """Nouns in the order of their frequency: simple ones first, then compounds in a fixed mixed order."""

    nouns: tuple[str, ...]

    def noun(self, random: Random) -> str:
        """Return a noun: a few are frequent, most are rare, none is out of reach."""
        rank = int(len(self.nouns) ** random.random()) if random.random() < _FIRST_MANY else None
        return self.nouns[rank % len(self.nouns)] if rank is not None else random.choice(self.nouns)

    def question(self, random: Random, words: int) -> str:
        """Return a question of about so many words."""
        parts, names = [random.choice(_OPENERS)], random.sample(_NAMES, 2)
        while len(parts) < words - 2:
            kind = random.random()
            parts.append(self.noun(random) if kind < 0.35 else random.choice(names if kind < 0.45 else _SMALL))
        return " ".join([*parts, random.choice(_VERBS)]) + "?"

    def core(self, random: Random) -> TokenList:
        """Return a list of two to four words that must all be said."""
        nouns = [self.noun(random) for _ in range(random.randint(2, 4))]
        if random.random() < _SHARE_WITH_NAMES:
            nouns[:2] = random.sample(_NAMES, 2)
        return TokenList(tuple(map(Slot, nouns)), Need.ALL)


def made_up_words() -> Words:
    """Return the words, always the same: some 130 simple ones and 17,000 compounds."""
    compounds = [left + right.lower() for left in _STEMS for right in _STEMS if left != right]
    Random(5).shuffle(compounds)
    return Words((*_STEMS, *_TOWNS, *compounds))


def made_up_rules(size: int) -> RuleSet:
    """Return so many rules, each with a phrase and a list of words, always the same."""
    words, random = made_up_words(), Random(size)
    rules = tuple(
        RuleSpec(
            f"rule-{number}",
            phrases=(Phrase(words.question(random, random.randint(5, 9))),),
            core=words.core(random),
            threshold=random.choice((None, None, None, None, 85, 95)),
        )
        for number in range(size)
    )
    return RuleSet(rules, tuple(ProtectedName(name.lower(), (name,)) for name in _NAMES))


def made_up_questions(count: int, words: Sequence[int], characters: range | None = None) -> tuple[str, ...]:
    """Return questions of a number of words, within a range of characters, that no rule was made from."""
    known, random = made_up_words(), Random(-count)
    questions: list[str] = []
    while len(questions) < count:
        question = known.question(random, random.choice(words))
        if characters is None or len(question) in characters:
            questions.append(question)
    return tuple(questions)
