"""What a first question leaves unsaid: it points at a thing that was never named, or names one of many."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from apps.language.stopwords import stop_words
from apps.language.thesaurus import term_stem, thesaurus
from apps.language.tokenising import Token, tokenise
from apps.rag.answer_types import without_question_word
from apps.rag.understanding import ALL_PARTIES, PartyDirectory

# Nouns that name no subject by themselves: "Wann ist die Frist?" asks back for everybody but whoever asks.
_GENERIC: Final = frozenset(
    (  # noqa: SIM905
        "frist fristen termin termine datum tag tage uhrzeit uhr zeit jahr betrag hoehe summe zahl prozent anteil satz"
        " ausnahme ausnahmen regelung regel regeln plan plaene idee ideen vorschlag vorschlaege partei programm thema"
        " frage antwort unterschied folgen folge grund gruende ding sache sachen formular ort stelle adresse kosten"
        " preis geld seite punkt"
        " deadline date day time year amount number percent share exception exceptions rule rules plan plans idea ideas"
        " proposal party programme manifesto topic question answer difference reason reasons form place address cost"
        " price money point thing things"
    ).split()
)
# Verbs and adverbs that carry a question; what they are about has to be said beside them.
_CARRYING: Final = frozenset(
    (  # noqa: SIM905
        "stimmt stimmen hoch gross wirklich denn eigentlich liegt liegen gilt gelten laeuft passiert werden kommt"
        " kommen kostet dauert bedeutet bringt macht machen tun"
        " sagt sagen gesagt geplant vor dazu dann danach vorher jetzt"
        " want wants going happen happens true said say does do did mean means cost costs take takes be about really"
        " need much many long"
    ).split()
)
# What stands for a thing that was named before; an article before a noun is none.
_POINTING: Final = frozenset(
    (  # noqa: SIM905
        "das dies dieses es er sie ihn ihm ihnen die den dem der da dort dazu davon dafuer dagegen damit darueber daran"
        " darauf darin dabei denen deren it they them that this he she him her there those these one"
    ).split()
)
_THE_PARTY: Final = re.compile(
    r"\b(?:[Dd]ie|[Dd]er|[Dd]iese[rn]?|[Ee]ure|[Ss]eine|[Ii]hre|[Tt]he|[Tt]his|[Tt]hat|[Tt]heir)\s+(?:[Pp]artei|party)\b(?!\s+[„“\"»‚']?[A-ZÄÖÜ])"
)
# "Dafür" stands for a thing; where none is named before it, and no clause follows that says what is meant, it is open.
_STANDS_FOR: Final = re.compile(
    r"\b(?:dafür|dafuer|davon|dazu|daran|darüber|darueber|dagegen|damit|dabei)\b(?!\s*,?\s*(?:dass|daß|ob|wenn|was|wie|wer|wo))",
    re.IGNORECASE,
)
_THIS: Final = re.compile(r"\b[Dd]ies(?:e[rsnm]?|)\s+(?P<noun>[A-ZÄÖÜ][\w-]+)(?=[^,]*$)")
# "Diese Wahl" is the one that everybody speaks of.
_KNOWN_TO_ALL: Final = re.compile(
    r"wahl|jahr|monat|woche|tag|herbst|winter|frühling|frühjahr|sommer|januar|februar|märz|mal|land|text|artikel",
    re.IGNORECASE,
)
# Who may be meant by "er", but not by "davon".
_ROLES: Final = re.compile(
    r"(?:kandidat|kandidatin|partei|minister|ministerin|chef|chefin|vorsitzende[rn]?)$", re.IGNORECASE
)
_ENGLISH_POINTS: Final = re.compile(
    r"\b(?:does|do|did|is|are|was|were|will|would|can|could|should|has|have) (?:it|they|he|she|that|this|these|those)\b"
    r"|\bof (?:the two|these|those|them|it)\b",
    re.IGNORECASE,
)
# So many words beside an English pronoun say nothing of what is meant: "When does it start?"
_ENGLISH_MOST: Final = 1
_LONG_WORD: Final = 9
_ARTICLES: Final = frozenset({"der", "die", "das", "den", "dem"})


def is_underspecified(question: str, language: str, directory: PartyDirectory) -> bool:
    """Say whether a question names neither a party nor a subject, but points at something that was never said."""
    if directory.named_in(question) or (_THE_PARTY.search(question) is None and ALL_PARTIES.search(question)):
        return False
    if _THE_PARTY.search(question):
        return True
    tokens = [token for token in tokenise(without_question_word(question)) if token.kind != "sign"]
    subjects = [token for token in tokens if _names_a_subject(token, tokens, language, question)]
    if language == "de" and _points_back(question, subjects):
        return True
    if language == "en" and _ENGLISH_POINTS.search(question):
        return len(subjects) <= _ENGLISH_MOST and not any(each.text[0].isupper() for each in subjects)
    if subjects:
        return False
    if any(_is_pointing(token, following) for token, following in pairwise([*tokens, None]) if token):
        return True
    # "Wer darf wählen?" points at nothing, and a greeting is no question.
    is_generic = any(token.folded in _GENERIC for token in tokens)
    return is_generic and all(
        token.folded in _GENERIC | _CARRYING | _POINTING | stop_words(language) for token in tokens
    )


def _is_pointing(token: Token, following: Token | None) -> bool:
    """Say whether a word stands for a thing; before a noun it is an article."""
    is_article = token.folded in _ARTICLES and following is not None and following.text[0].isupper()
    return token.folded in _POINTING and not is_article


def _points_back(question: str, subjects: Sequence[Token]) -> bool:
    """Say whether a German question has a word that stands for a thing, and nothing before it that it may stand for."""
    this = _THIS.search(question)
    if this and not _KNOWN_TO_ALL.search(this["noun"]):
        return all(each.text == this["noun"] for each in subjects)
    stands = _STANDS_FOR.search(question)
    if stands is None or "," in question[: stands.start()]:
        return False
    before = question[: stands.start()]
    return not any(each.text in before and not _ROLES.search(each.text) for each in subjects) and len(subjects) <= 1


def _names_a_subject(token: Token, tokens: Sequence[Token], language: str, question: str) -> bool:
    if token.kind == "number":
        return True
    if token.folded in _GENERIC | _CARRYING | _POINTING | stop_words(language):
        return False
    if language != "de":
        return True
    is_first = question.lstrip().startswith(token.text)
    if token.text[0].isupper() and not is_first:
        return True
    if any(each.text[0].isupper() and not question.lstrip().startswith(each.text) for each in tokens):
        return False
    return _has_idea(token, language) or _is_like_a_noun(token, question)


def _has_idea(token: Token, language: str) -> bool:
    ideas = thesaurus().ideas_of([term_stem(token.text, language)], language)[0]
    return bool(ideas - thesaurus().light)


def _is_like_a_noun(token: Token, question: str) -> bool:
    """Without capitals behind the first letter: nobody who writes that one leaves out those of nouns, as a rule."""
    if token.text.islower() and token.folded.endswith(("en", "t", "e", "st", "ern", "eln")):
        return False
    return not question.lstrip()[:1].isupper() or len(token.folded) >= _LONG_WORD
