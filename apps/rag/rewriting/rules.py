"""The rewriter that needs no model: knows how readers lean on earlier turns, and leaves the rest alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from apps.language.normalising import fold
from apps.rag.rewriting import forms
from apps.rag.rewriting.checking import additions
from apps.rag.rewriting.referring import refers, resolved
from apps.rag.rewriting.returning import turn_about
from apps.rag.rewriting.subjects import content_tokens, subject_of
from apps.rag.rewriting.substituting import continued, put_in_place
from apps.rag.rewriting.types import (
    MOST_CHOICES,
    MOST_QUERY_CHARACTERS,
    PastTurn,
    Reference,
    RewriteContext,
    Rewriting,
)
from apps.rag.types import Decision
from apps.rag.understanding import PartyDirectory

_Form = Callable[[str, RewriteContext, PartyDirectory], "Rewriting | None"]


def rewrite(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting:
    """Return the question as it should be searched. Never raises; what no form fits stays as it is.

    Nothing is added that is in neither the question nor the turns used.
    """
    if not context.turns:
        return _as_is(question, "first_turn")
    for form in _FORMS:
        found = form(question, context, directory)
        if found is not None:
            return _checked(found, question, context)
    return _as_is(question, "complete")


def _checked(found: Rewriting, question: str, context: RewriteContext) -> Rewriting:
    used = [turn for turn in context.turns if turn.number in found.turns_used]
    said = [question, *(text for turn in used for text in (turn.question, turn.query, turn.answer, *turn.offers))]
    if additions(found.standalone_query, said, context.language):
        return _as_is(question, "would_add")
    return replace(found, standalone_query=found.standalone_query[:MOST_QUERY_CHARACTERS])


def _as_is(question: str, reason: str) -> Rewriting:
    return Rewriting(Decision.SEARCH_AS_IS, question, reason)


def _rewritten(
    query: str, reason: str, turn: PastTurn, references: Sequence[Reference] = (), others: Sequence[PastTurn] = ()
) -> Rewriting:
    used = tuple(dict.fromkeys(each.number for each in (turn, *others)))
    return Rewriting(Decision.REWRITE, _tidy(query), reason, tuple(references), turns_used=used)


def _tidy(query: str) -> str:
    query = re.sub(r"\s+", " ", query).strip(" ,;:–-")
    query = query[:1].upper() + query[1:]
    return query if query.endswith(("?", ".", "!")) or not forms.QUESTION_WORD.match(query) else f"{query}?"


def _accepted(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Gerne." and "Ja, die erste": one of the offers of the last turn."""
    last = context.turns[-1]
    pick = forms.PICK.match(question)
    if pick is None and not (question.strip() and forms.ACCEPTANCE.match(question)):
        return None
    listed = last.offers or last.items
    if pick is not None:
        at = -1 if pick["last"] else next(at for at in range(4) if pick[f"n{at}"])
        if not listed or at >= len(listed):
            return _asks_back("which_one", listed, last) if listed else None
        return _taken(pick["which"], listed[at], last, context, directory)
    if len(last.offers) == 1:
        return _taken(question.strip(" .!,"), last.offers[0], last, context, directory)
    if last.offers:
        return _asks_back("which_offer", last.offers, last)
    return _rewritten(last.query, "more", last, [Reference(question.strip(" .!,"), last.query, last.number)])


def _taken(said: str, offer: str, last: PastTurn, context: RewriteContext, directory: PartyDirectory) -> Rewriting:
    """An offer that is a question stands alone; an item of a list needs what it was listed for."""
    reference = Reference(said, offer, last.number)
    if forms.QUESTION_WORD.match(offer) or forms.VERB_FIRST.match(offer):
        return _rewritten(offer, "accepted", last, [reference])
    subject = subject_of(last.query, context.language, directory)
    query = offer if fold(subject) in fold(offer) else f"{offer} ({subject})" if subject else offer
    return _rewritten(query, "accepted", last, [reference])


def _asks_back(reason: str, choices: Sequence[str], last: PastTurn) -> Rewriting:
    return Rewriting(
        Decision.CLARIFY, last.query, reason, choices=tuple(choices)[:MOST_CHOICES], turns_used=(last.number,)
    )


def _corrected(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Nein, ich meinte die SPD": the last query with something else in the same place."""
    match = forms.CORRECTION.match(question) or forms.SHORT_CORRECTION.match(question)
    if match is None:
        return None
    last, right = context.turns[-1], match["right"].strip()
    if forms.QUESTION_WORD.match(right) or len(right.split()) > 8:
        # A whole new question behind the "no".
        return _rewritten(right, "corrected", last) if match.re is forms.CORRECTION else None
    wrong = next((match.groupdict()[name] for name in ("wrong", "wrong_en") if match.groupdict().get(name)), "")
    query = put_in_place(last.query, right, context.language, directory, instead_of=wrong)
    if query is None:
        return None
    return _rewritten(query, "corrected", last, [Reference(question.strip(), query, last.number)])


def _returned(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Zurück zur Briefwahl: …": an earlier turn becomes the last one."""
    match = forms.RETURN.match(question)
    if match is None:
        return None
    topic = (match["idiom"] or match["topic"] or "").strip()
    turn = turn_about(topic, context) if topic else None
    if turn is None:
        return None
    rest = (match["rest"] or "").strip()
    reference = Reference(topic, turn.query, turn.number)
    if not rest:
        return _rewritten(turn.query, "returned", turn, [reference])
    again = replace(context, turns=(turn,))
    inner = next((found for form in _LEANING if (found := form(rest, again, directory))), None)
    if inner is not None:
        return replace(inner, reason="returned", resolved_references=(reference, *inner.resolved_references))
    subject = subject_of(rest, context.language, directory)
    query = rest if fold(topic) in fold(rest) or not subject_needed(rest, subject, context) else f"{rest} ({topic})"
    return _rewritten(query, "returned", turn, [reference])


def subject_needed(question: str, subject: str, context: RewriteContext) -> bool:
    """Say whether a question has too few words of its own to be searched."""
    return not subject or len(content_tokens(question, context.language)) < 2


def _continued(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Und die Grünen?", "Und in Bayern?", "Und ab wann gilt das?": the last query goes on."""
    plain = forms.FILLER.sub("", question)
    match = forms.ALSO.match(plain)
    rest = (match["rest"] or match["other"]).strip() if match else plain.strip()
    if match is None and not _is_fragment(rest, directory):
        return None
    last = context.turns[-1]
    if forms.QUESTION_WORD.match(rest) or forms.VERB_FIRST.match(rest):
        return _with_subject(rest, context, directory) if match else None
    names_party_only = bool(re.fullmatch(r"(?:die|diese|the|that) (?:partei(?:en)?|part(?:y|ies))", fold(rest)))
    if names_party_only:
        return _which_party(rest, last, directory)
    query = continued(last.query, rest, context.language, directory)
    if query is None:
        return None
    return _rewritten(query, "continued", last, [Reference(question.strip(), query, last.number)])


def _is_fragment(text: str, directory: PartyDirectory) -> bool:
    """A party's name, a year or "in Bayern" with nothing else."""
    bare = text.strip(" ?.!")
    if forms.TIME.match(bare):
        return True
    mentions = directory.mentions(bare)
    if mentions:
        words = bare
        for mention in reversed(mentions):
            words = words[: mention.start] + words[mention.end :]
        return not re.sub(r"\b(?:die|der|den|das|bei|von|the|für|und|and|,)\b|[^\w]", "", words, flags=re.IGNORECASE)
    return bool(forms.PLACE_OR_SO.match(bare)) and len(bare.split()) <= 4


def _which_party(said: str, last: PastTurn, directory: PartyDirectory) -> Rewriting | None:
    names = [party.name for party in directory.parties if party.slug in last.parties]
    if len(names) == 1:
        return _rewritten(last.query, "continued", last, [Reference(said, names[0], last.number)])
    return _asks_back("which_party", names, last) if names else None


def _with_subject(rest: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    found = _referring(rest, context, directory)
    if found is not None:
        return found
    subject = subject_of(context.turns[-1].query, context.language, directory)
    if not subject or len(content_tokens(rest, context.language)) >= 3:
        return None
    if fold(subject) in fold(rest):
        return None
    last = context.turns[-1]
    return _rewritten(f"{rest} ({subject})", "continued", last, [Reference(rest, subject, last.number)])


def _referring(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Was kostet das?", "Wann wurde sie gegründet?": a word stands for what was said before."""
    plain = forms.FILLER.sub("", question)
    if not refers(plain, context.language, directory):
        return None
    outcome = resolved(plain, context, directory)
    if outcome is None:
        return None
    if outcome.choices:
        return _asks_back("which_party", outcome.choices, context.turns[-1])
    return _rewritten(outcome.query, "referred", outcome.turn, outcome.references)


_LEANING: Final[tuple[_Form, ...]] = (_continued, _referring)
_FORMS: Final[tuple[_Form, ...]] = (_accepted, _corrected, _returned, *_LEANING)
