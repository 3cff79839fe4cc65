"""How the texts of a topic are read for its keywords: German first, umlauts kept, frames of questions left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from apps.language.lemmas import lemma_set
from apps.language.normalising import fold
from apps.language.parties import PartyRecogniser
from apps.language.stopwords import stop_words
from apps.language.tokenising import Token, tokenise

_SHORTEST: Final = 3
_LONG_NAME: Final = 6
_MISSPELLED: Final = 82.0
# What readers of an answer bot ask *with*: true of every topic, so of none.
_FRAME: Final = (
    "will wollen plant planen planst fordert fordern möchte sagt sagen meint meinen denkt denken findet finden hält"
    " halten tut tun macht machen gibt steht stehen sieht sehen heißt bedeutet bedeuten partei parteien thema frage"
    " fragen antwort wissen erklären erkläre erklär zeig zeige sag sage bitte danke hallo info infos information"
    " informationen position positionen meinung haltung programm wahlprogramm programme deutschland deutsche deutschen"
    " politik politisch eigentlich genau überhaupt wirklich vergleich vergleichen unterschied unterschiede soll sollen"
    " sollte kann können wird werden wurde mehr weniger neue neuen neuer gegen ganz geht gehen kommt kommen"
    " gern gerne wüsste würde kurze kurz vielen dank danke guten morgen abend tag moin hallo liebe bekommt bekommen"
    " sieht jetzt schnell dazu bitte mal eben parteien"
)
_MASKED: Final = "["


@dataclass(slots=True)
class Analyser:
    """Turns a text into countable words, and remembers how each was mostly written.

    A word counts under its folded dictionary form ("Renten" and "Rente" are one, "Strasse" is "Straße"); it is shown
    in its commonest spelling. ``parties`` takes the names of parties out: they have an axis of their own.
    """

    languages: tuple[str, ...] = ("de",)
    parties: PartyRecogniser | None = None
    spellings: dict[str, Counter[str]] = field(default_factory=dict)
    # Every form of a word that was met, to the key that it counts under.
    keys: dict[str, str] = field(default_factory=dict)
    # Names that are taken out however they are misspelled.
    names: tuple[str, ...] = ()
    # Typos and the words that were meant, both folded (spelling.py): counted as meant, never shown as typed.
    meant: Mapping[str, str] = field(default_factory=dict)
    _misspelled: dict[str, bool] = field(default_factory=dict)

    def __call__(self, text: str, *, with_stop_words: bool = False) -> list[str]:
        named = [(mention.start, mention.end) for mention in self.parties.find(text)] if self.parties else []
        stops = _stops(self.languages)
        found = []
        for token in tokenise(_unmasked(text)):
            if token.kind != "word" or _is_within(token, named):
                continue
            folded = self.meant.get(token.folded, token.folded)
            if not with_stop_words and (len(folded) < _SHORTEST or folded in stops):
                continue
            if not with_stop_words and self._is_name(folded):
                continue
            is_typo = folded != token.folded
            key = self._key(folded if is_typo else token.text, folded)
            if not with_stop_words and key in stops:
                continue
            if not is_typo:
                self.spellings.setdefault(key, Counter())[token.text] += 1
            found.append(key)
        return found

    def _is_name(self, folded: str) -> bool:
        """Say whether a word is one of the names with a typo: "Auenpareti"."""
        if folded not in self._misspelled:
            from rapidfuzz import fuzz

            known = [fold(name) for name in self.names if len(name) >= _LONG_NAME]
            self._misspelled[folded] = len(folded) >= _LONG_NAME and any(
                fuzz.ratio(folded, name) >= _MISSPELLED for name in known
            )
        return self._misspelled[folded]

    def _key(self, word: str, folded: str) -> str:
        """Return the key of a word: that of the first met with which it has a form in common."""
        forms = lemma_set(word, self.languages[0]) | {folded}
        key = min((self.keys[form] for form in forms if form in self.keys), default=folded)
        for form in forms:
            self.keys.setdefault(form, key)
        return key

    def shown(self, key: str) -> str:
        """Return the commonest spelling of a counted word; of equally common ones the capitalised, then the first."""
        spellings = self.spellings.get(key)
        if not spellings:
            return key
        return min(spellings, key=lambda word: (-spellings[word], not word[:1].isupper(), word))


def stems(text: str, languages: Sequence[str] = ("de",)) -> set[str]:
    """Return all forms of a text's content words: whether a label speaks of the same things."""
    analyser = Analyser(tuple(languages))
    analyser(text)
    return set(analyser.keys)


@lru_cache(maxsize=8)
def _stops(languages: tuple[str, ...]) -> frozenset[str]:
    listed = frozenset().union(*(stop_words(language) for language in languages))
    return listed | frozenset(fold(word) for word in _FRAME.split())


def _unmasked(text: str) -> str:
    """Blank out what masking has put there ("[Name]"), at equal length."""
    if _MASKED not in text:
        return text
    parts, depth = [], 0
    for character in text:
        depth += character == "["
        parts.append(" " if depth else character)
        depth = max(0, depth - (character == "]"))
    return "".join(parts)


def _is_within(token: Token, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= token.start < end for start, end in spans)
