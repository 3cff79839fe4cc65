"""Answers to what the bot has shown: "gerne", "ja, die erste", "die Auenpartei" after two were named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from apps.language.lemmas import lemma_set
from apps.language.normalising import fold
from apps.rag.rewriting import forms
from apps.rag.rewriting.making import asks_back, rewritten
from apps.rag.rewriting.parties_meant import parties_in_order
from apps.rag.rewriting.subjects import content_tokens, subject_of
from apps.rag.rewriting.types import CANNOT_WIDEN, PastTurn, Reference, RewriteContext, Rewriting
from apps.rag.understanding import PartyDirectory

_SAME_EVIDENCE: Final = frozenset({"accepted", "more", CANNOT_WIDEN})
_MOST_WORDS: Final = 6


def evidence_of(question: str, rewriting: Rewriting, context: RewriteContext) -> tuple[int, ...]:
    """Return the chunks that stay candidates: those behind the offer that was accepted, in words or by its button."""
    if context.turns and fold(question) in {fold(offer) for offer in context.turns[-1].offers}:
        return context.turns[-1].chunk_ids
    if rewriting.reason not in _SAME_EVIDENCE:
        return ()
    return tuple(chunk for turn in context.turns if turn.number in rewriting.turns_used for chunk in turn.chunk_ids)


def accepted(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Gerne." and "Ja, die erste": one of the offers of the last turn."""
    last = context.turns[-1]
    listed = () if last.was_asked_back else last.items or _several_parties(last, directory)
    lists = [each for each in (last.offers, listed) if each]
    pick = forms.PICK.match(question)
    if pick is not None:
        return _picked(question, pick, lists, last, context, directory)
    named = next((found for each in lists if (found := _named(question, each, context.language))), "")
    if named:
        return _taken(question.strip(" .!,"), named, last, context, directory)
    if not question.strip() or not forms.ACCEPTANCE.match(question):
        return None
    wants_more = forms.MORE.search(question)
    if len(last.offers) == 1 and not wants_more:
        return _taken(question.strip(" .!,"), last.offers[0], last, context, directory)
    if last.offers and not wants_more:
        return asks_back(question, "which_offer", last.offers, last)
    return rewritten(last.query, "more", last, [Reference(question.strip(" .!,"), last.query, last.number)])


def _picked(
    question: str,
    pick: re.Match[str],
    lists: Sequence[Sequence[str]],
    last: PastTurn,
    context: RewriteContext,
    directory: PartyDirectory,
) -> Rewriting | None:
    """ "Die erste": of the questions below the answer, or of what the answer lists. Where there are both, ask."""
    at = -1 if pick["last"] else next(at for at in range(4) if pick[f"n{at}"])
    meant = [listed[at] for listed in lists if at < len(listed)]
    if len(meant) == 1:
        return _taken(pick["which"], meant[0], last, context, directory)
    options = meant or (lists[0] if lists else ())
    return asks_back(question, "which_one", _questions(options, last, context, directory), last) if options else None


def _several_parties(last: PastTurn, directory: PartyDirectory) -> tuple[str, ...]:
    names = parties_in_order(last, directory)
    return names if len(names) > 1 else ()


def _named(question: str, listed: Sequence[str], language: str) -> str:
    """Return the only one of the list that all the reader's words are in: "zur Finanzierung bitte"."""
    plain = question.strip()
    if not listed or plain.endswith("?") or len(plain.split()) > _MOST_WORDS or forms.ALSO.match(plain):
        return ""
    if forms.QUESTION_WORD.match(plain) or forms.RETURN.match(plain) or forms.NO.match(plain):
        return ""
    words = [lemma_set(token.text, language) for token in content_tokens(plain, language)]
    fitting = [
        option
        for option in listed
        if words
        and all(
            any(word & lemma_set(token.text, language) for token in content_tokens(option, language)) for word in words
        )
    ]
    return fitting[0] if len(fitting) == 1 else ""


def _questions(listed: Sequence[str], last: PastTurn, context: RewriteContext, directory: PartyDirectory) -> list[str]:
    """Return what is listed as questions that stand alone: a reader presses them."""
    return [_taken("", option, last, context, directory).standalone_query for option in listed]


def _taken(said: str, offer: str, last: PastTurn, context: RewriteContext, directory: PartyDirectory) -> Rewriting:
    """An offer that is a question stands alone; an item of a list needs what it was listed for."""
    reference = Reference(said, offer, last.number)
    if offer.rstrip().endswith("?") or forms.QUESTION_WORD.match(offer) or forms.VERB_FIRST.match(offer):
        return rewritten(offer, "accepted", last, [reference])
    subject = subject_of(last.query, context.language, directory)
    query = offer if fold(subject) in fold(offer) else f"{offer} ({subject})" if subject else offer
    return rewritten(query, "accepted", last, [reference])
