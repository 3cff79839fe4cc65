"""What a question takes for granted: a subject that was never named, a party that nobody knows, a reason, a figure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from apps.language.normalising import fold
from apps.language.stopwords import stop_words
from apps.language.thesaurus import term_stem, thesaurus
from apps.language.tokenising import Token, tokenise
from apps.rag.answer_types import without_question_word
from apps.rag.rewriting.types import Rewriting
from apps.rag.types import AnswerContext, Decision, Question
from apps.rag.understanding import ALL_PARTIES, PartyDirectory

# The reason of a decision to ask back.
WHICH_SUBJECT: Final = "which_subject"
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
_PARTY_NAMES: Final = (
    re.compile(r"\b(?P<name>[A-ZÄÖÜ][\wäöüß-]{2,}[Pp]artei)\b"),
    re.compile(r"\bPartei\s+(?:[„“\"»‚'])?(?P<name>(?!Deutschlands?\b)[A-ZÄÖÜ][\wäöüß-]+)"),
    re.compile(r"\b[Tt]he\s+(?P<name>[A-Z][\w-]+(?:\s[A-Z][\w-]+)?)\s+[Pp]arty\b"),
)
# Kinds of parties, not names.
_KINDS_OF_PARTY: Final = frozenset(
    (  # noqa: SIM905
        "regierungspartei oppositionspartei volkspartei kleinpartei koalitionspartei mitgliederpartei bundespartei"
        " schwesterpartei protestpartei lieblingspartei splitterpartei nachfolgepartei kanzlerpartei arbeiterpartei"
        " umweltpartei wirtschaftspartei landespartei"
    ).split()
)


def asked_back(
    rewriting: Rewriting, question: Question, directory: PartyDirectory, *, is_complete: bool, context: AnswerContext
) -> Rewriting:
    """Return the decision with what only the reader can complete asked back.

    ``is_complete`` says that editors have named this very question. Where a page or a rule limits the parties, the
    reader need not name one.
    """
    if is_complete:
        split = rewriting.decision in (Decision.CLARIFY, Decision.DECOMPOSE)
        return Rewriting(Decision.SEARCH_AS_IS, question.text, "rule") if split else rewriting
    as_is = rewriting.decision is Decision.SEARCH_AS_IS and not rewriting.turns_used
    if context.party_slugs or not as_is or not is_underspecified(question.text, question.language, directory):
        return rewriting
    return Rewriting(Decision.CLARIFY, question.text, WHICH_SUBJECT)


def is_underspecified(question: str, language: str, directory: PartyDirectory) -> bool:
    """Say whether a question names neither a party nor a subject, but points at something that was never said."""
    if directory.named_in(question) or (_THE_PARTY.search(question) is None and ALL_PARTIES.search(question)):
        return False
    if _THE_PARTY.search(question):
        return True
    tokens = [token for token in tokenise(without_question_word(question)) if token.kind != "sign"]
    if any(_names_a_subject(token, tokens, language) for token in tokens):
        return False
    points = any(token.folded in _POINTING for token in tokens)
    is_generic = any(token.folded in _GENERIC for token in tokens)
    # "Wer darf wählen?" points at nothing, and a greeting is no question.
    return points or is_generic


def _names_a_subject(token: Token, tokens: Sequence[Token], language: str) -> bool:
    if token.kind == "number" or token.folded in _GENERIC | _CARRYING | _POINTING | stop_words(language):
        return token.kind == "number"
    if language != "de":
        return True
    has_capitals = any(each.text[0].isupper() for each in tokens[1:])
    is_noun = token.text[0].isupper() and token is not tokens[0]
    if is_noun or (not has_capitals and _has_idea(token, language)):
        return True
    return not has_capitals and not _looks_like_a_verb(token)


def _has_idea(token: Token, language: str) -> bool:
    ideas = thesaurus().ideas_of([term_stem(token.text, language)], language)[0]
    return bool(ideas - thesaurus().light)


def _looks_like_a_verb(token: Token) -> bool:
    return token.text.islower() and token.folded.endswith(("en", "t", "e", "st", "ern", "eln"))


def unknown_parties(question: str, directory: PartyDirectory, sources: Sequence[str]) -> tuple[str, ...]:
    """Return what a question calls a party and neither the directory nor a source knows, as it is written."""
    known = [question[mention.start : mention.end] for mention in directory.mentions(question)]
    written = fold("\n".join(sources))
    found = [match["name"] for pattern in _PARTY_NAMES for match in pattern.finditer(question)]
    return tuple(
        dict.fromkeys(
            name
            for name in found
            if not any(name in each or each in name for each in known)
            and fold(name) not in _KINDS_OF_PARTY
            and fold(name) not in written
        )
    )
