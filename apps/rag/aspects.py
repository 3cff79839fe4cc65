"""What a question asks about, one thing after the other: what a whole answer has to speak of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from apps.language.tokenising import Token, tokenise
from apps.rag.answer_types import AnswerType, asked_types, without_question_word
from apps.rag.coverage import content_words

_BEHIND_A_VERB: Final = frozenset("die das den dem ein eine einen es man sich ich wir sie".split())  # noqa: SIM905
_BEFORE_A_VERB: Final = frozenset("to will would should must can could".split())  # noqa: SIM905
_ADJECTIVAL: Final = ("e", "en", "er", "em", "es")
# Words that only carry a question, and pieces of verbs that come apart.
_EMPTY: Final = frozenset(
    (  # noqa: SIM905
        "findet finden fand gilt gelten galt kommt kommen macht machen liegt liegen verspricht versprechen ab an auf"
        " aus ein statt vor zu bei nach mit um bis seit spricht sprechen kostet kosten betraegt betragen passiert"
        " geplant want wants take takes place need needs promise promises cost costs apply applies come comes"
    ).split()
)


class AspectKind(StrEnum):
    """What an aspect is: a thing, what is done with it, or the kind of answer that is asked for."""

    SUBJECT = "subject"
    ACTION = "action"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing that is asked about, as the reader wrote it. ``words`` are its content words.

    ``asks`` says what would answer an ANSWER, such as a date for "wann"; its ``text`` names that kind.
    """

    text: str
    words: tuple[str, ...]
    kind: AspectKind = AspectKind.SUBJECT
    asks: AnswerType = AnswerType.ANY


def aspects_of(topic: str, language: str) -> tuple[Aspect, ...]:
    """Return the aspects of a question without its parties, each once, in the order of the words.

    Without a parser: neighbouring content words are one thing; in German capitals tell things from what is done.
    """
    bare = without_question_word(topic)
    known = {word.folded for word in content_words(bare, language)} - _EMPTY
    tokens = tokenise(bare)
    # Without capitals behind the first letter, nothing tells a noun from a verb.
    has_capitals = language != "de" or any(token.text[0].isupper() for token in tokenise(topic)[1:])
    found = [_aspect(bare, run, tokens, language, has_capitals) for run in _runs(bare, tokens, known, language)]
    found += [Aspect(kind.value, (), AspectKind.ANSWER, kind) for kind in asked_types(topic)]
    return tuple({(each.kind, each.words or each.text): each for each in found}.values())


def _runs(text: str, tokens: Sequence[Token], known: set[str], language: str) -> Iterator[list[Token]]:
    """Yield neighbouring content words."""
    run: list[Token] = []
    for token in tokens:
        is_neighbour = bool(run) and text[run[-1].end : token.start].strip(" -–") == ""
        if run and (token.folded not in known or not is_neighbour or _is_apart(run[-1], token, language)):
            yield run
            run = []
        if token.folded in known:
            run.append(token)
    if run:
        yield run


def _is_apart(left: Token, right: Token, language: str) -> bool:
    """Say whether two German words that touch are two things: "Steuern senken", "Vermögen besteuert"."""
    if language != "de" or left.text[-1:] == "-" or right.kind == "number":
        return False
    return not left.folded.endswith(_ADJECTIVAL) if left.text.islower() else right.text.islower()


def _aspect(text: str, run: Sequence[Token], tokens: Sequence[Token], language: str, has_capitals: bool) -> Aspect:
    words = tuple(dict.fromkeys(token.text for token in run))
    is_action = has_capitals and len(run) == 1 and _is_action(run[0], tokens, language)
    return Aspect(text[run[0].start : run[-1].end], words, AspectKind.ACTION if is_action else AspectKind.SUBJECT)


def _is_action(token: Token, tokens: Sequence[Token], language: str) -> bool:
    before = next((left.folded for left, right in pairwise(tokens) if right == token), "")
    after = next((right.folded for left, right in pairwise(tokens) if left == token), "")
    if language == "en":
        return before in _BEFORE_A_VERB
    if token.kind == "number":
        return False
    return token.text.islower() or (token == tokens[0] and after in _BEHIND_A_VERB)
