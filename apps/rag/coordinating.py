"""What stands side by side in a question: "Rente und Mindestlohn", "Kosten, Frist und Ablauf der Briefwahl".

No parser: words, capitals and order. Where it is doubtful whether two things are meant, they stay one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from apps.language.normalising import fold
from apps.language.stopwords import stop_words

_TOKEN: Final = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*-?|[,;:/&?!.]|§")
_JOINS: Final = {"en": frozenset(("and", "plus")), "de": frozenset(("und", "sowie", "plus"))}
_DETERMINERS: Final = frozenset(
    (  # noqa: SIM905
        "der die das des dem den ein eine einen einem einer eines kein keine keinen welche welcher welches welchen"
        " welchem the a an no its their his her which what"
    ).split()
)
_PREPOSITIONS: Final = frozenset(
    (  # noqa: SIM905
        "zu zum zur bei beim fuer gegen ueber von vom mit ohne in im ins an am auf aus nach um durch unter vor wegen"
        " seit bis ab about on for of with without in at against to from by into"
    ).split()
)
# What begins an attribute that belongs to the noun before it.
_ATTRIBUTES: Final = frozenset(
    "des der eines einer von vom fuer im in am an auf bei beim gegen of for in on from".split()  # noqa: SIM905
)
# Things that are always things of something: what follows the last of them belongs to all.
_RELATIONAL: Final = re.compile(
    r"(?:kosten|preise?|hoehe|dauer|frist(?:en)?|ablauf|beginn|start|ende|zeitplan|termine?|datum|ort|umfang|zweck|ziele?"
    r"|gruende|folgen|voraussetzung(?:en)?|bedingung(?:en)?|ausnahmen?|vorteile|nachteile|themen|zahl|anzahl"
    r"|\w*finanzierung|verguetung|foerderung|umsetzung|zustaendigkeit|moderatoren|teilnehmer|gegner|befuerworter"
    r"|costs?|price|amount|duration|deadlines?|timetable|schedule|start|beginning|date|end|purpose|reasons?|conditions?"
    r"|exceptions?|funding|financing|goals?|pay)"
)
_BETWEEN: Final = frozenset(("zwischen", "between"))
# Pairs that are one thing to everybody.
_PAIRS: Final = frozenset(
    frozenset(pair)
    for pair in (
        ("bus", "bahn"),
        ("kinder", "jugendliche"),
        ("kindern", "jugendlichen"),
        ("frauen", "maenner"),
        ("frauen", "maennern"),
        ("stadt", "land"),
        ("staedte", "gemeinden"),
        ("ost", "west"),
        ("osten", "westen"),
        ("bund", "laender"),
        ("bund", "laendern"),
        ("men", "women"),
        ("children", "teenagers"),
        ("arts", "culture"),
    )
)
_MOST_VERB_OBJECT: Final = 5


@dataclass(frozen=True, slots=True)
class Word:
    """A token of the question. ``folded`` is as compared; signs are tokens too."""

    text: str
    start: int
    end: int
    folded: str


@dataclass(frozen=True, slots=True)
class Member:
    """One of several things side by side: characters of the text. ``shared`` is the attribute that it has in common."""

    start: int
    end: int
    shared: tuple[int, int] | None = None


def members_of(text: str, language: str) -> tuple[Member, ...]:
    """Return what stands side by side, in the order of the text; empty where everything is one thing."""
    return _Reader(text, language).members()


class _Reader:
    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._words = [Word(m[0], m.start(), m.end(), fold(m[0])) for m in _TOKEN.finditer(text)]
        self._stop = stop_words(language)
        self._joins = _JOINS["en" if language == "en" else "de"]
        # Without capitals behind the first letter, every word of content may be a noun.
        self._has_capitals = language != "en" and any(word.text[0].isupper() for word in self._words[1:])

    def members(self) -> tuple[Member, ...]:
        for at, word in enumerate(self._words):
            if word.folded not in self._joins or not 0 < at < len(self._words) - 1:
                continue
            found = self._things(at) or self._deeds(at)
            if found:
                return found
        return ()

    # Things: noun phrases.

    def _things(self, at: int) -> tuple[Member, ...]:
        right = self._phrase(at + 1)
        if right is None:
            return ()
        left = self._before(at, right)
        if left is None or self._is_one(left, right):
            return ()
        chain = [left]
        while chain[0][0] > 1 and self._words[chain[0][0] - 1].text == ",":
            earlier = self._before(chain[0][0] - 1, chain[0])
            if earlier is None:
                break
            chain.insert(0, earlier)
        further = self._after(right[1])
        whole = [*chain, right, *further]
        return self._with_shared([(first, last) for first, last in whole])

    def _after(self, at: int) -> list[tuple[int, int]]:
        """Go on behind the second of two: "A und B und C", which is rare."""
        if at < len(self._words) and self._words[at].folded in self._joins:
            found = self._phrase(at + 1)
            if found:
                return [found, *self._after(found[1])]
        return []

    def _phrase(self, at: int) -> tuple[int, int] | None:
        """Return first and last (exclusive) token of the noun phrase that begins here, with its attributes."""
        end = self._bare_phrase(at)
        if end is None:
            return None
        while end < len(self._words) and self._words[end].folded in _ATTRIBUTES:
            further = self._bare_phrase(end)
            if further is None:
                break
            end = further
        return at, end

    def _bare_phrase(self, at: int) -> int | None:
        """Return the end of (preposition) (determiner) (adjectives) nouns, None where there is no noun."""
        place = at
        while place < len(self._words) and self._words[place].folded in _PREPOSITIONS:
            place += 1
        while place < len(self._words) and self._words[place].folded in _DETERMINERS:
            place += 1
        while place < len(self._words) and self._is_adjective(place):
            place += 1
        first = place
        while place < len(self._words) and self._is_noun(place):
            place += 1
        return place if place > first else None

    def _before(self, at: int, right: tuple[int, int]) -> tuple[int, int] | None:
        """Return the noun phrase that ends before ``at`` and is built most like the one on the right."""
        found = [(start, at) for start in range(at - 1, -1, -1) if (phrase := self._phrase(start)) and phrase[1] == at]
        if not found:
            return None
        opening = self._words[right[0]].folded
        if opening in _PREPOSITIONS:
            like = [each for each in found if self._words[each[0]].folded in _PREPOSITIONS]
            return like[0] if like else found[0]
        if opening in _DETERMINERS:
            like = [each for each in found if self._words[each[0]].folded in _DETERMINERS]
            return like[-1] if like else found[0]
        bare = [each for each in found if self._words[each[0]].folded not in _PREPOSITIONS | _DETERMINERS]
        if self._is_relational(right):
            relational = [each for each in bare if self._is_relational(each)]
            return relational[-1] if relational else (bare or found)[0]
        return self._longest_run(bare) if bare else found[0]

    def _longest_run(self, found: Sequence[tuple[int, int]]) -> tuple[int, int]:
        """The whole run of words without an attribute: "bezahlbarer Wohnraum", "Ada Fernrohr"."""
        plain = [each for each in found if not any(self._words[at].folded in _ATTRIBUTES for at in range(*each))]
        return plain[-1] if plain else found[0]

    def _with_shared(self, chain: Sequence[tuple[int, int]]) -> tuple[Member, ...]:
        """Give the attribute of the last to the others that need one: "Kosten und Beginn des Dienstjahrs"."""
        last = chain[-1]
        attribute = next((at for at in range(last[0] + 1, last[1]) if self._words[at].folded in _ATTRIBUTES), None)
        shared = None
        if attribute is not None:
            shared = (self._words[attribute].start, self._words[last[1] - 1].end)
        members = [self._member(phrase, shared) for phrase in chain[:-1]]
        if attribute is None or not any(member.shared for member in members):
            return (*members, self._member(last, None))
        return (*members, replace(self._member((last[0], attribute), None), shared=shared))

    def _member(self, phrase: tuple[int, int], shared: tuple[int, int] | None) -> Member:
        first, end = phrase
        has_own = any(self._words[at].folded in _ATTRIBUTES for at in range(first + 1, end))
        needs = self._is_relational(phrase) and not has_own
        return Member(self._words[self._opening(first, end)].start, self._words[end - 1].end, shared if needs else None)

    def _opening(self, first: int, end: int) -> int:
        """Leave preposition and determiner out of what is shown."""
        while first < end - 1 and self._words[first].folded in _PREPOSITIONS | _DETERMINERS:
            first += 1
        return first

    def _is_one(self, left: tuple[int, int], right: tuple[int, int]) -> bool:
        """Say whether two nouns are one thing: "zwischen A und B", "Bus und Bahn", "Leserinnen und Leser"."""
        before = [word.folded for word in self._words[: left[1]]]
        if any(word in _BETWEEN for word in before[-4:]):
            return True
        one, other = self._words[left[1] - 1].folded, self._words[self._head(right)].folded
        if self._words[left[1] - 1].text.endswith("-") or frozenset((one, other)) in _PAIRS:
            return True
        return one[:4] == other[:4] and (one.endswith(("innen", "in")) or other.endswith(("innen", "in")))

    def _head(self, phrase: tuple[int, int]) -> int:
        """The last noun before an attribute."""
        for at in range(phrase[0] + 1, phrase[1]):
            if self._words[at].folded in _ATTRIBUTES and self._is_noun(at - 1):
                return at - 1
        return phrase[1] - 1

    def _is_relational(self, phrase: tuple[int, int]) -> bool:
        return bool(_RELATIONAL.fullmatch(self._words[self._head(phrase)].folded))

    # Deeds: "Briefwahl beantragen und abgeben".

    def _deeds(self, at: int) -> tuple[Member, ...]:
        if not self._has_capitals or not self._is_infinitive(at - 1):
            return ()
        last = next(
            (
                place
                for place in range(at + 1, min(len(self._words), at + 1 + _MOST_VERB_OBJECT))
                if self._is_infinitive(place)
            ),
            None,
        )
        # What is followed by a noun is no verb: "die nördlichen und östlichen Länder".
        if last is None or not self._ends_clause(last + 1) or any(self._is_sign(at) for at in range(at + 1, last)):
            return ()
        first = at - 1
        while first > 0 and self._is_noun(first - 1):
            first -= 1
        has_object = any(self._is_noun(place) for place in range(at + 1, last))
        shared = None if has_object or first == at - 1 else (self._words[first].start, self._words[at - 2].end)
        return (
            Member(self._words[first].start, self._words[at - 1].end),
            Member(self._words[at + 1].start, self._words[last].end, shared),
        )

    # Words.

    def _is_sign(self, at: int) -> bool:
        return not self._words[at].text[0].isalnum()

    def _ends_clause(self, at: int) -> bool:
        return at >= len(self._words) or self._is_sign(at)

    def _is_infinitive(self, at: int) -> bool:
        word = self._words[at]
        return word.text.islower() and word.folded.endswith(("en", "ern", "eln")) and word.folded not in self._stop

    def _is_noun(self, at: int) -> bool:
        word = self._words[at]
        if not word.text[0].isalnum() or word.folded in self._stop or word.folded in self._joins:
            return False
        if word.text[0].isdigit():
            return True
        return word.text[0].isupper() if self._has_capitals else True

    def _is_adjective(self, at: int) -> bool:
        word = self._words[at]
        ends = word.folded.endswith(("e", "en", "er", "em", "es"))
        return self._has_capitals and word.text.islower() and ends and word.folded not in self._stop
