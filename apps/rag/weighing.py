"""How much each word of a question counts: what it asks about weighs full, how it is asked little."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from apps.language.thesaurus import thesaurus
from apps.language.tokenising import tokenise
from apps.rag.coverage import ideas_in
from apps.rag.words import Word

# "Kommt", "gerade", "neue": an answer may leave them out. They still break ties.
LIGHT: Final = 0.35
# In English nothing tells a noun from a verb; what no idea of the thesaurus knows may be either.
_UNKNOWN: Final = 0.6
_ORDINARY: Final = frozenset(
    (  # noqa: SIM905
        "leute menschen mensch person personen buerger buergerinnen jahr jahre jahren jahres zeit mal tag tage tagen"
        " woche wochen monat monate land staat deutschland bundesrepublik politik grund gruende ziel ziele art weise"
        " fall faelle beispiel teil moment zukunft sache ding dinge problem probleme moeglichkeit moeglichkeiten"
        " information informationen angabe angaben rolle bereich massnahme massnahmen regel regeln regelung kapitel"
        " people person year years time day days week month country state germany reason reasons goal goals way case"
        " example part moment future thing things problem problems rule rules current currently exactly become becomes"
        " bring back going want wants need needs stop happen get made make take said ab gerade jetzt wirklich zurueck"
        " bekommen krieg kriege kriegen geworden dann kommt kommen zusammen unbedingt ueberhaupt endlich"
        # Whom a reader asks for is no subject, nor is the kind of what somebody says.
        " oma opa grossmutter grossvater mama papa freund freundin nachbar nachbarin grandma grandpa mum dad"
        " argument argumente argumenten einwand einwaende bedenken vorwurf vorwuerfe kritik lob rat ratschlag urteil"
        " begruendung kompromiss worte worten fazit argument arguments criticism objection objections verdict advice"
    ).split()
)


def weighed(asked: Sequence[Word], weights: Mapping[str, float], topic: str, language: str) -> dict[str, float]:
    """Return the weight of each word's stem: its rarity in the corpus, times what it is for the question.

    ``weights`` has the rarity by stem; a stem that it lacks is as rare as the rarest.
    """
    highest = max(weights.values(), default=1.0)
    shares = {word.stem: _share(word, topic, language) for word in asked}
    if all(share < 1 for share in shares.values()):
        shares = dict.fromkeys(shares, 1.0)
    return {stem: weights.get(stem, highest) * share for stem, share in shares.items()}


def light_words(asked: Sequence[Word], topic: str, language: str) -> frozenset[str]:
    """Return the stems of the words that weigh less than a subject."""
    return frozenset(word.stem for word in asked if _share(word, topic, language) < 1)


def _share(word: Word, topic: str, language: str) -> float:
    if word.is_number:
        return 1.0
    if word.folded in _ORDINARY:
        return LIGHT
    ideas = ideas_in(topic, language).get(word.stem, frozenset())
    if ideas:
        return LIGHT if ideas <= thesaurus().light else 1.0
    if language == "en":
        return 1.0 if _is_capital(word, topic) else _UNKNOWN
    # Without capitals behind the first letter, nothing tells a noun from a verb.
    has_capitals = any(token.text[0].isupper() for token in tokenise(topic)[1:])
    return LIGHT if has_capitals and not _is_capital(word, topic) else 1.0


def _is_capital(word: Word, topic: str) -> bool:
    """Say whether a word has a capital that does not come from opening the question."""
    tokens = tokenise(topic)
    return word.text[0].isupper() and any(token.text == word.text for token in tokens[1:])
