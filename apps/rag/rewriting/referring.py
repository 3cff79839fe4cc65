"""Pronouns and their like: whether a question leans on them, and what they stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from apps.language.normalising import fold
from apps.language.stopwords import stop_words
from apps.language.tokenising import tokenise
from apps.rag.rewriting import forms
from apps.rag.rewriting.subjects import VERBS, content_tokens, subject_of
from apps.rag.rewriting.types import MOST_CHOICES, PastTurn, Reference, RewriteContext
from apps.rag.understanding import PartyDirectory


@dataclass(frozen=True, slots=True)
class Resolved:
    """The question with the words put in, or the readings between which it does not decide."""

    query: str
    turn: PastTurn
    references: tuple[Reference, ...] = ()
    choices: tuple[str, ...] = ()


def refers(question: str, language: str, directory: PartyDirectory) -> bool:
    """Say whether a word of the question stands for something outside it."""
    if language == "en" and forms.REMARK_EN.match(question):
        return False
    return _pronoun(question, language, directory) is not None


def pronoun_in(question: str, language: str, directory: PartyDirectory) -> re.Match[str] | None:
    """Return the first word of the question that stands for something outside it."""
    return _pronoun(question, language, directory)


def resolved(question: str, context: RewriteContext, directory: PartyDirectory) -> Resolved | None:
    """Return the question with its pronoun resolved from the last turns; None when nothing can be put in."""
    match = _pronoun(question, context.language, directory)
    if match is None:
        return None
    last = context.turns[-1]
    means_party, means_all = _means_a_party(match, question), _means_all(match, question)
    if match.re in (forms.THE_PARTY, forms.THOSE) and not last.parties:
        return None
    if means_party or means_all:
        names = [party.name for party in directory.parties if party.slug in last.parties]
        if len(names) > MOST_CHOICES:
            # All parties: nobody is meant in particular.
            return None
        if len(names) > 1 and means_all:
            return _put(question, match, (" and " if context.language == "en" else " und ").join(names), last)
        if len(names) > 1:
            # Each reading as a whole question: a reader presses it.
            return Resolved(question, last, choices=tuple(_put(question, match, name, last).query for name in names))
        if names:
            return _put(question, match, names[0], last)
    for turn in reversed(context.turns):
        subject = _thing_left(turn, match, directory) or subject_of(turn.query, context.language, directory)
        if subject and (match.group() not in _HUMAN_EN or _is_name(subject)):
            return _put(question, match, subject, turn)
    return None


def _thing_left(turn: PastTurn, match: re.Match[str], directory: PartyDirectory) -> str:
    """What a turn's pronouns stood for; a party is not what "das" or "that" means."""
    return "" if match.re in _THINGS and directory.mentions(turn.subject) else turn.subject


def _put(question: str, match: re.Match[str], means: str, turn: PastTurn) -> Resolved:
    said = match.group()
    reference = Reference(said, means, turn.number)
    before, after = question[: match.start()], question[match.end() :]
    if match.re is forms.ADVERB:
        means = f"{forms.ADVERBS[fold_plain(said)]} {means}"
    elif match.re is forms.POSSESSIVE:
        if said in ("its", "their", "his", "her"):
            return Resolved(f"{before}{means}'s{after}", turn, (reference,))
        article = "die" if said.endswith("e") else "der" if said.endswith("r") else "das"
        noun = re.match(r"\s+(?:\w+e[nrs]?\s+)?[\w-]+", after)
        end = noun.end() if noun else 0
        return Resolved(f"{before}{article}{after[:end]} ({means}){after[end:]}", turn, (reference,))
    elif match.re is forms.DEMONSTRATIVE:
        return Resolved(f"{before}{match['noun']} ({means}){after}", turn, (reference,))
    elif match.re is forms.THERE:
        means = f"({means})"
    return Resolved(f"{before}{means}{after}", turn, (reference,))


def _is_name(subject: str) -> bool:
    """Say whether an English phrase names somebody: a wrong person in a query is worse than a pronoun."""
    return any(word[:1].isupper() for word in subject.split())


def fold_plain(word: str) -> str:
    """Lower case only: the table of adverbs has umlauts."""
    return word.lower()


def _means_a_party(match: re.Match[str], question: str) -> bool:
    if match.re is forms.DEMONSTRATIVE:
        return fold(match["noun"]) in forms.PARTY_NOUN
    if match.re in (forms.THE_PARTY, forms.THOSE):
        return True
    if fold(match.group()) not in ("sie", "er", "it"):
        return False
    # "Was sagt sie?" is about a party, "Wie hoch ist sie?" about its plan.
    return bool(forms.SPEAKS.search(question))


def _means_all(match: re.Match[str], question: str) -> bool:
    """Say whether several are meant: "they", and "sie" with a verb in the plural."""
    word = fold(match.group())
    is_plural = bool(forms.SPEAK.search(question) or _PLURAL_VERB.search(question[: match.start()]))
    return word in ("they", "them", "ihnen") or (word == "sie" and is_plural)


def _pronoun(question: str, language: str, directory: PartyDirectory) -> re.Match[str] | None:
    """Return the first word that points out of the question."""
    plain = question
    for idiom in (forms.EXPLETIVE, forms.HERE):
        plain = idiom.sub(lambda found: "·" * len(found.group()), plain)
    patterns = _GERMAN if language != "en" else _ENGLISH
    # In order, so that what stands behind the first is never looked at: each look reads all that stands before it.
    matches = sorted(
        (match for pattern in patterns for match in pattern.finditer(plain)), key=lambda each: each.start()
    )
    return next((match for match in matches if _points_out(match, plain, language, directory)), None)


# What parties are not.
_THINGS: Final = (forms.DEMONSTRATIVE, forms.ADVERB, forms.THING, forms.THING_EN)
# "Worin sind sie sich einig?", "wo unterscheiden sie sich?"
_PLURAL_VERB: Final = re.compile(r"\b(?:sind|tun|\w+(?:en|ern|eln))\s+$")
# "Wie läuft das mit der Briefwahl?" says what is meant; "Was hat das mit der Rente zu tun?" does not.
_SAYS_WHAT: Final = re.compile(
    r"\s+(?:denn |eigentlich |so |nun )*mit\s+(?:de[mnr]|eine[mr]|meine[mr]|unsere[mr])\b(?!.*\bzu tun\b)",
    re.IGNORECASE,
)
_JOINED_NAMES: Final = re.compile(r"·[\s,]*(?:(?:und|oder|and|or)\s+)?(?=·)")
# Not among the stop words.
_PREPOSITIONS: Final = frozenset(("laut", "gemaess", "pro", "trotz", "waehrend", "wegen"))
# A new clause or sentence: what was named before it may be meant after it.
_ENGLISH_CLAUSE: Final = re.compile(r"\b(?:and|if|but|because|when)\b|,|[.!?;]\s")
_GERMAN_CLAUSE: Final = re.compile(r"[,;]|\b(?:und|wenn|weil|dass|ob)\b|[.!?]\s")
_HUMAN_EN: Final = frozenset(("he", "him", "she", "her", "his"))
_GERMAN = (
    forms.THE_PARTY,
    forms.THOSE,
    forms.DEMONSTRATIVE,
    forms.ADVERB,
    forms.PERSON,
    forms.THING,
    forms.POSSESSIVE,
    forms.THERE,
)
_ENGLISH = (forms.THE_PARTY, forms.DEMONSTRATIVE, forms.PERSON, forms.POSSESSIVE, forms.THING_EN, forms.THERE)


def _points_out(match: re.Match[str], question: str, language: str, directory: PartyDirectory) -> bool:
    """Not an article, not polite address, and nothing before it in the question that it could stand for."""
    before, after = question[: match.start()], question[match.end() :]
    if match.re in _THINGS:
        # "Was hält die Auenpartei davon?": the party is not what is meant.
        before = _without_names(before, directory)
    if language != "en":
        if match.re is forms.THING and fold(match.group()) == "das" and (_is_article(after) or _SAYS_WHAT.match(after)):
            return False
        if match.re is forms.ADVERB and re.match(r"\s*,?\s*(?:dass|ob|was|wie|wenn)\b", after):
            return False
        if (
            match.re is forms.ADVERB
            and "," in before
            and not re.search(r"\b(?:was|wie|wer|wann|wo)\b[^,]*$", before, re.IGNORECASE)
        ):
            return False
    elif _is_english_clause(match, before):
        return False
    return not _has_antecedent(before, language, directory)


def _without_names(text: str, directory: PartyDirectory) -> str:
    """Blank out parties and what joins them: the commas of "A, B und C" begin no clause."""
    mentions = directory.mentions(text)
    for mention in mentions:
        text = text[: mention.start] + "·" * (mention.end - mention.start) + text[mention.end :]
    return _JOINED_NAMES.sub(lambda found: "·" * len(found.group()), text) if len(mentions) > 1 else text


def _is_english_clause(match: re.Match[str], before: str) -> bool:
    """ "The water that enters", "this Deep Impact mission" and "companies hire their employees" point at nothing."""
    word = fold(match.group().split()[0])
    if word == "that" and not forms.THAT_BEFORE.search(before):
        return True
    if match.re is forms.DEMONSTRATIVE and (
        match["noun"][:1].isupper() or fold(match["noun"]) in VERBS or match["noun"].endswith("ly")
    ):
        # "How much would that cost?" and "Are these regionally known?" are found as bare pronouns.
        return True
    if word != "their":
        return False
    left_out = stop_words("en")
    return any(token.folded.endswith("s") for token in tokenise(before) if token.folded not in left_out)


def _is_article(after: str) -> bool:
    words = re.match(r"\s+((?:[^\W\d_][\w-]*[,]?\s+){0,3})([^\W\d_][\w-]*)", after)
    if words is None:
        return False
    following = [word.strip(",") for word in (words[1] + words[2]).split()]
    first = following[0]
    if fold(first) in _PREPOSITIONS:
        return False
    if any(word[0].isupper() for word in following[:3]):
        return fold(first) not in stop_words("de") or first[0].isupper()
    if len(following) == 1:
        # "Ist das teuer?"
        return False
    # "das neue Gesetz", "das klima": a content word follows at once.
    return fold(first) not in stop_words("de") and not re.search(r"(?:t|st)$", fold(first))


def _has_antecedent(before: str, language: str, directory: PartyDirectory) -> bool:
    """Say whether something earlier in the same question can be meant: a party, a name, a noun of another clause."""
    if directory.mentions(before):
        return True
    words = [token.text for token in content_tokens(before, language)]
    if language == "en":
        is_named = any(token.text[:1].isupper() for token in tokenise(before)[1:] if token.folded != "i")
        return is_named or (bool(words) and bool(_ENGLISH_CLAUSE.search(before)))
    nouns = [word for word in words if word[:1].isupper() and not before.startswith(word)]
    return bool(nouns) and bool(_GERMAN_CLAUSE.search(before))
