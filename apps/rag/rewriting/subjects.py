"""What a question was about, as a phrase that can stand in another question. No parser: words, capitals, order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from apps.language.stopwords import stop_words
from apps.language.tokenising import Token, tokenise
from apps.rag.understanding import PartyDirectory

# Heads that need a complement and are no subject by themselves: "die Frist", "the main themes".
_EMPTY_HEADS: Final = frozenset(
    (  # noqa: SIM905
        "frage thema unterschied unterschiede vergleich position haltung meinung programm wahlprogramm plan plaene"
        " forderung forderungen standpunkt partei parteien art arten grund gruende beispiel beispiele hoehe anzahl zahl"
        " type types kind kinds history difference differences cause causes role example examples way ways part parts"
        " reason reasons main different first best most important key effect effects origin similar similarities"
        " number amount list definition meaning overview purpose goal party parties position programme manifesto"
        " similarities fuer moeglich wichtig genau laut ausser"
    ).split()
)
# What is counted or when something is, never what it is about: "wie viele Tage noch bis zur Wahl".
_MEASURES: Final = frozenset(
    (  # noqa: SIM905
        "tag tage tagen jahr jahre jahren monat monate monaten woche wochen stunde stunden minute minuten uhr uhrzeit"
        " wochentag prozent euro cent mal day days year years month months week weeks hour hours minutes percent euros"
        " time times"
    ).split()
)
# English verbs that stand where a noun could: no dictionary of parts of speech is at hand.
VERBS: Final = frozenset(
    (  # noqa: SIM905
        "work works become became make made get got give go goes come came happen happens help helps cost costs live"
        " lives eat eats describe explain tell show find know want wants need needs use used invented founded started"
        " begin began start change changed relate related compare compares differ affect affects apply vote choose"
        " chosen received published created built called caused win won lose lost spread kill treated survive survived"
        " support supports oppose opposes plan plans propose proposes think play say said written died discovered"
    ).split()
)
_DETERMINERS: Final = frozenset(("the", "a", "an", "my", "your", "this", "that", "first", "second"))
_AUXILIARIES: Final = frozenset(("do", "does", "did", "can", "will", "would", "should", "to", "it", "they", "who"))
_ORDINALS: Final = frozenset(("first", "second", "third"))
_PARTICIPLE: Final = re.compile(r"(?:\w{2,4})?ge\w{3,}(?:en|t)")
# The same in German, where somebody types without capitals.
_GERMAN_VERBS: Final = frozenset(
    (  # noqa: SIM905
        "fordert fordern plant planen verspricht versprechen schlaegt lehnt unterstuetzt bedeutet funktioniert gilt"
        " gelten kostet kosten"
    ).split()
)
_GERMAN_NOUN: Final = re.compile(r"[A-ZÄÖÜ0-9§]")
_BRIDGES: Final = frozenset("in im am von vom zum zur der des und bei beim fuer ab unter ohne mit auf".split())  # noqa: SIM905
_ENGLISH_BRIDGES: Final = frozenset("of in for and the to with from on".split())  # noqa: SIM905


def subject_of(text: str, language: str, directory: PartyDirectory) -> str:
    """Return the phrase that names what ``text`` asks about, without parties and question frame; "" if none does."""
    tokens = _without_parties(text, directory)
    if not tokens:
        return ""
    runs = _english_runs(text, tokens) if language == "en" else _german_runs(text, tokens, language)
    return max(runs, key=lambda run: (len(run), -text.find(run)), default="") if runs else ""


def content_tokens(text: str, language: str) -> list[Token]:
    """Return the tokens that are neither function words nor frame."""
    left_out = stop_words(language) | _EMPTY_HEADS
    return [token for token in tokenise(text) if token.folded not in left_out and len(token.folded) > 1]


def _without_parties(text: str, directory: PartyDirectory) -> list[Token]:
    spans = [(mention.start, mention.end) for mention in directory.mentions(text)]
    return [
        token for token in tokenise(text) if not any(start < token.end and token.start < end for start, end in spans)
    ]


def _german_runs(text: str, tokens: Sequence[Token], language: str) -> list[str]:
    """Nouns by their capitals, joined over the small words between them; any content word where all is lower case."""
    left_out = stop_words(language) | _EMPTY_HEADS | _GERMAN_VERBS | _MEASURES
    is_typed_low = not any(_GERMAN_NOUN.match(token.text) for token in tokens[1:] if token.folded not in left_out)
    nouns = [
        at
        for at, token in enumerate(tokens)
        if token.folded not in left_out
        and (
            token.kind != "word"
            or (is_typed_low and not _PARTICIPLE.fullmatch(token.folded))
            or (at > 0 and _GERMAN_NOUN.match(token.text))
        )
    ]
    if not nouns and tokens[0].folded not in left_out and tokens[0].text[:1].isupper():
        nouns = [0]
    return _joined(text, tokens, nouns, _BRIDGES)


def _english_runs(text: str, tokens: Sequence[Token]) -> list[str]:
    left_out = stop_words("en") | _EMPTY_HEADS | _MEASURES
    content = [
        at
        for at, token in enumerate(tokens)
        if (token.folded not in left_out or _is_named_thing(tokens, at))
        and (token.folded not in VERBS or _is_named_thing(tokens, at))
    ]
    names = [at for at in content if at > 0 and tokens[at].text[:1].isupper()]
    if names:
        last = max(names)
        # "the Bronze Age collapse": the noun right behind a name belongs to it.
        names += [at for at in content if at == last + 1]
    return _joined(text, tokens, names or content, _ENGLISH_BRIDGES if not names else frozenset({"of"}))


def _is_named_thing(tokens: Sequence[Token], at: int) -> bool:
    """ "the vote" and "a postal vote" are things, whatever the word is elsewhere; so is the "second" before it."""
    if tokens[at].folded in VERBS:
        before = [token.folded for token in tokens[max(0, at - 2) : at]]
        return any(word in _DETERMINERS for word in before) and not any(word in _AUXILIARIES for word in before)
    return tokens[at].folded in _ORDINALS and at + 1 < len(tokens) and tokens[at + 1].folded in VERBS


def _joined(text: str, tokens: Sequence[Token], chosen: Sequence[int], bridges: frozenset[str]) -> list[str]:
    """Return the texts of runs of chosen tokens; up to two small words may stand between two of a run."""
    runs: list[list[int]] = []
    for at in chosen:
        between = [tokens[place].folded for place in range(runs[-1][-1] + 1, at)] if runs else []
        if runs and len(between) <= 2 and all(word in bridges for word in between):
            runs[-1].append(at)
        else:
            runs.append([at])
    return [text[tokens[run[0]].start : tokens[run[-1]].end] for run in runs]
