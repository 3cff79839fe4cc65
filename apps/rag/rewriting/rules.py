"""The rewriter that needs no model: knows how readers lean on earlier turns, and leaves the rest alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from apps.language.normalising import fold
from apps.rag.protocols import Offload
from apps.rag.rewriting import forms
from apps.rag.rewriting.accepting import accepted
from apps.rag.rewriting.checking import additions
from apps.rag.rewriting.completing import completed
from apps.rag.rewriting.decomposing import parts_of
from apps.rag.rewriting.making import as_is, asks_back, rewritten, tidy
from apps.rag.rewriting.parties_meant import some_of_them, with_those
from apps.rag.rewriting.referring import refers, resolved
from apps.rag.rewriting.returning import turn_about
from apps.rag.rewriting.subjects import content_tokens, subject_of
from apps.rag.rewriting.substituting import continued, put_in_place, with_parties
from apps.rag.rewriting.types import (
    CANNOT_WIDEN,
    MOST_QUERY_CHARACTERS,
    PastTurn,
    Reference,
    RewriteContext,
    Rewriting,
)
from apps.rag.routing import is_for_the_bot
from apps.rag.types import Decision
from apps.rag.understanding import ALL_PARTIES, PartyDirectory, asked_parties

# How "die anderen" and "wer von denen" are written out.
_ALL_OF_THEM: Final = "die Parteien außer, the parties other than"
_Form = Callable[[str, RewriteContext, PartyDirectory], "Rewriting | None"]


class RuleRewriter:
    """Implements ``rag.protocols.Rewriter`` by rules; ``offload`` moves the reading off the event loop."""

    def __init__(self, offload: Offload) -> None:
        self._offload = offload

    async def rewrite(self, question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting:
        """Return the decision; milliseconds of computing, nothing to wait for."""
        return await self._offload(lambda: rewrite(question, context, directory))


def rewrite(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting:
    """Return the question as it should be searched. Never raises; what no form fits stays as it is.

    Nothing is added that is in neither the question nor the turns used.
    """
    parts = parts_of(question, context.language)
    asked = tuple(part for part in parts if not is_for_the_bot(part)) if len(parts) > 1 else parts
    if 0 < len(asked) < len(parts):
        # "Bist du ein Mensch und was sagt die Auenpartei?": the second part is to be answered.
        parts = asked
    if len(parts) == 1 and parts[0] != question:
        one = _whole(tidy(parts[0]), context, directory)
        return replace(one, decision=Decision.REWRITE) if one.decision is Decision.SEARCH_AS_IS else one
    if len(parts) > 1 and (found := _decomposed(parts, question, context, directory)):
        return _checked(found, question, context, directory)
    return _whole(question, context, directory)


def _whole(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting:
    if not context.turns:
        return as_is(question, "first_turn")
    for form in _FORMS:
        found = form(question, context, directory)
        if found is not None:
            return _checked(found, question, context, directory)
    return as_is(question, "complete")


def _checked(found: Rewriting, question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting:
    """Let nothing through that nobody said; a choice may name a party by its own name."""
    used = [turn for turn in (*context.earlier, *context.turns) if turn.number in found.turns_used]
    said = [question, _ALL_OF_THEM]
    for turn in used:
        said += [turn.question, turn.query, turn.answer, *turn.offers, *turn.items]
        said += [party.name for party in directory.parties if party.slug in turn.parties]
    for text in (found.standalone_query, *found.sub_queries, *found.choices):
        if len(text) > MOST_QUERY_CHARACTERS or additions(text, said, context.language):
            return as_is(question, "would_add")
    return found


def _decomposed(
    parts: tuple[str, ...], question: str, context: RewriteContext, directory: PartyDirectory
) -> Rewriting | None:
    """Each part stands alone: the first by the turns before, the others by the first."""
    first = _whole(parts[0], context, directory)
    if first.decision is Decision.CLARIFY:
        return first
    head = tidy(first.standalone_query)
    slugs = tuple(party.slug for party in asked_parties(head, directory))
    around = replace(context, turns=(PastTurn(0, parts[0], head, parties=slugs),), earlier=())
    queries = [head]
    references = [*first.resolved_references]
    for part in parts[1:]:
        found = _referring(part, around, directory) or _with_subject(part, around, directory)
        if found is not None and found.decision is Decision.CLARIFY:
            return None
        queries.append(tidy(found.standalone_query if found else part))
        references += found.resolved_references if found else ()
    if any(not content_tokens(query, context.language) for query in queries):
        return None
    return Rewriting(
        Decision.DECOMPOSE,
        question,
        "several_questions",
        tuple(references),
        sub_queries=tuple(queries),
        turns_used=first.turns_used,
    )


def _widening(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Suche auch in den internen Notizen": the same again, in the sources that are open to readers."""
    match = forms.WIDEN.match(question)
    if match is None:
        return None
    last = context.turns[-1]
    return rewritten(last.query, CANNOT_WIDEN, last, [Reference(question.strip(), last.query, last.number)])


def _corrected(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Nein, ich meinte die SPD": the last query with something else in the same place."""
    match = forms.CORRECTION.match(question) or forms.SHORT_CORRECTION.match(question)
    if match is None or forms.THANKS.match(match["right"]):
        return None
    last, right = context.turns[-1], match["right"].strip()
    if forms.QUESTION_WORD.match(right) or len(right.split()) > 8:
        # A whole new question behind the "no".
        is_new = match.re is forms.CORRECTION
        leaning = _with_subject(right, context, directory) if is_new else None
        if leaning is not None and leaning.decision is Decision.REWRITE:
            return replace(leaning, reason="corrected")
        return (
            rewritten(right, "corrected", last, [Reference(question.strip(), right, last.number)]) if is_new else None
        )
    wrong = next((match.groupdict()[name] for name in ("wrong", "wrong_en") if match.groupdict().get(name)), "")
    query = put_in_place(last.query, right, context.language, directory, instead_of=wrong, now=context.now)
    if query is None:
        return None
    return rewritten(query, "corrected", last, [Reference(question.strip(), query, last.number)])


def _preferred(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Nee, lieber Mindestlohn": the last query about something else."""
    match = forms.RATHER.match(question)
    if match is None or forms.QUESTION_WORD.match(match["right"]):
        return None
    last = context.turns[-1]
    query = put_in_place(last.query, match["right"].strip(), context.language, directory, now=context.now)
    if query is None:
        return None
    return rewritten(query, "corrected", last, [Reference(question.strip(), query, last.number)])


def _returned(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Zurück zur Briefwahl: …": an earlier turn becomes the last one."""
    match = forms.RETURN.match(question)
    if match is None:
        return None
    topic = (match["idiom"] or match["topic"] or "").strip()
    turn = turn_about(topic, context, directory) if topic else None
    if turn is None:
        return None
    rest = (match["rest"] or "").strip()
    reference = Reference(topic, turn.query, turn.number)
    if not rest:
        return rewritten(turn.query, "returned", turn, [reference])
    again = replace(context, turns=(replace(turn, subject=topic),))
    inner = next((found for form in _LEANING if (found := form(rest, again, directory))), None)
    if inner is not None:
        return replace(inner, reason="returned", resolved_references=(reference, *inner.resolved_references))
    subject = subject_of(rest, context.language, directory)
    query = (
        rest
        if fold(topic) in fold(rest) or not subject_needed(rest, subject, context)
        else f"{rest.rstrip(' ?')} ({topic})"
    )
    return rewritten(query, "returned", turn, [reference])


def subject_needed(question: str, subject: str, context: RewriteContext) -> bool:
    """Say whether a question has too few words of its own to be searched."""
    return not subject or len(content_tokens(question, context.language)) < 2


def _continued(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Und die Grünen?", "Und in Bayern?", "Und ab wann gilt das?": the last query goes on."""
    plain = forms.WHAT_IF.sub("und ", forms.FILLER.sub("", question))
    match = forms.ALSO.match(plain)
    rest = (match["rest"] or match["other"]).strip() if match else plain.strip()
    if match is None and forms.BARE_QUESTION.match(rest):
        return _with_subject(rest.strip(" ?.!"), context, directory)
    if match is None and not _is_fragment(rest, directory):
        return None
    last = context.turns[-1]
    if forms.QUESTION_WORD.match(rest) or forms.VERB_FIRST.match(rest):
        return _with_subject(rest, context, directory) if match else None
    names_party_only = bool(re.fullmatch(r"(?:die|diese|the|that) (?:partei(?:en)?|part(?:y|ies))", fold(rest)))
    if names_party_only:
        return _which_party(question, rest, last, context, directory)
    if forms.OTHERS.match(rest.strip(" ?.!")):
        # Others than what? Nothing of the last query has an other.
        return None
    query = continued(last.query, rest, context.language, directory, context.now)
    if query is None or len(query.split()) <= len(rest.split()) - 1:
        return None
    return rewritten(query, "continued", last, [Reference(question.strip(), query, last.number)])


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
        return not re.sub(r"\W", "", forms.BESIDE_A_NAME.sub("", words))
    if ALL_PARTIES.search(bare):
        return not re.sub(r"\W", "", forms.BESIDE_A_NAME.sub("", ALL_PARTIES.sub("", bare)))
    return bool(forms.PLACE_OR_SO.match(bare)) and len(bare.split()) <= 4


def _which_party(
    question: str, said: str, last: PastTurn, context: RewriteContext, directory: PartyDirectory
) -> Rewriting | None:
    names = [party.name for party in directory.parties if party.slug in last.parties]
    if len(names) == 1:
        return rewritten(last.query, "continued", last, [Reference(said, names[0], last.number)])
    choices = [continued(last.query, name, context.language, directory) or name for name in names]
    return asks_back(question, "which_party", choices, last) if names else None


def _with_subject(rest: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    found = _referring(rest, context, directory)
    if found is not None:
        return found
    last = context.turns[-1]
    subject = subject_of(last.query, context.language, directory)
    if not subject or len(content_tokens(rest, context.language)) >= 3:
        return None
    if fold(subject) in fold(rest):
        return None
    query = with_parties(f"{rest.strip(' ?.!')} ({subject})", last, directory)
    return rewritten(query, "continued", last, [Reference(rest, subject, last.number)])


def _referring(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Was kostet das?", "Wann wurde sie gegründet?": a word stands for what was said before."""
    plain, those = with_those(forms.FILLER.sub("", question), context, directory)
    outcome = resolved(plain, context, directory) if refers(plain, context.language, directory) else None
    if outcome is None:
        return rewritten(plain, "referred", context.turns[-1], [those]) if those else None
    if outcome.choices:
        return asks_back(question, "which_party", outcome.choices, context.turns[-1])
    query = with_parties(outcome.query, outcome.turn, directory)
    found = rewritten(query, "referred", outcome.turn, outcome.references)
    if those is None:
        return found
    turns = tuple(dict.fromkeys((*found.turns_used, those.turn)))
    return replace(found, resolved_references=(those, *found.resolved_references), turns_used=turns)


_LEANING: Final[tuple[_Form, ...]] = (_continued, _referring)
_FORMS: Final[tuple[_Form, ...]] = (
    _widening,
    _returned,
    completed,
    some_of_them,
    accepted,
    _corrected,
    _preferred,
    *_LEANING,
)
