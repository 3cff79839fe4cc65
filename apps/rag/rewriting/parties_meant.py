"""Which of several parties a reader goes on with: "die anderen", "beide", "nur die ersten zwei", "wer von denen"."""

from __future__ import annotations

import re
from typing import Final

from apps.rag.party_order import party_place
from apps.rag.rewriting import forms
from apps.rag.rewriting.making import rewritten
from apps.rag.rewriting.subjects import subject_of
from apps.rag.rewriting.substituting import continued, named_span
from apps.rag.rewriting.types import MOST_CHOICES, PastTurn, Reference, RewriteContext, Rewriting
from apps.rag.understanding import PartyDirectory

_COUNTS: Final = {"beiden": 2, "zwei": 2, "two": 2, "drei": 3, "three": 3}
_DATIVE: Final = re.compile(
    r"\b(?P<preposition>beim|vom|zum|zur|bei|von|zu|mit|nach|laut)(?:\s+(?:der|dem|den|die|das))?\s+$", re.IGNORECASE
)
_PLAIN: Final = {"beim": "bei", "vom": "von", "zum": "zu", "zur": "zu"}
_ARTICLE: Final = re.compile(r"\b(?:die|der|das|den|dem|the)\s+$", re.IGNORECASE)


def parties_in_order(turn: PastTurn, directory: PartyDirectory) -> tuple[str, ...]:
    """Return the names of a turn's parties as the reader named them, else as pages list them."""
    names = {party.slug: party.name for party in directory.parties if party.slug in turn.parties}
    said = [mention.key for mention in directory.mentions(turn.query) if mention.key in names]
    rest = sorted(names, key=lambda slug: party_place(names[slug], ""))
    return tuple(names[slug] for slug in dict.fromkeys((*said, *rest)))


def some_of_them(question: str, context: RewriteContext, directory: PartyDirectory) -> Rewriting | None:
    """ "Und die anderen?", "Nur die ersten beiden", "Und welche dafür?": the last query with other parties."""
    last, language = context.turns[-1], context.language
    plain = forms.FILLER.sub("", question).strip(" ?.!")
    match = forms.ALSO.match(plain)
    rest = ((match["rest"] or match["other"]) if match else plain).strip(" ?.!")
    query = None
    if forms.OTHERS.match(rest):
        query = _without_those(last, language, directory)
    elif chosen := forms.SOME_OF_THEM.match(plain):
        names = parties_in_order(last, directory)
        count = _COUNTS[chosen["count"].lower()]
        part = names[:count] if chosen["end"].lower() in ("ersten", "first") else names[-count:]
        query = continued(last.query, _joined(part, language), language, directory) if len(names) > count else None
    elif (stand := forms.WHICH_STAND.match(rest)) and len(last.parties) > 1:
        subject = subject_of(last.query, language, directory)
        side = "für" if stand["stand"].lower() == "dafür" else "gegen"
        query = f"Welche Parteien sind {side} {subject}?" if subject else None
    if query is None:
        return None
    return rewritten(query, "continued", last, [Reference(question.strip(), query, last.number)])


def with_those(question: str, context: RewriteContext, directory: PartyDirectory) -> tuple[str, Reference | None]:
    """Put the parties of the last turn in the place of "beide" and "wer von denen", if the question has such words."""
    last = context.turns[-1]
    names = parties_in_order(last, directory)
    if len(names) < 2 or directory.mentions(question):
        return question, None
    meant = _joined(names, context.language)
    of_those = forms.OF_THOSE.match(question)
    if of_those:
        if len(names) > MOST_CHOICES:
            meant = "den Parteien" if context.language != "en" else "the parties"
        lead = "Who of" if context.language == "en" else "Wer von"
        return f"{lead} {meant}{question[of_those.end() :]}", Reference(of_those.group().strip(), meant, last.number)
    both = forms.BOTH.search(question)
    if both is None or len(names) != 2 or question.strip(" ?.!").casefold() == both.group().casefold():
        return question, None
    return question[: both.start()] + meant + question[both.end() :], Reference(both.group(), meant, last.number)


def _without_those(last: PastTurn, language: str, directory: PartyDirectory) -> str | None:
    """The last query with every party but those that it names."""
    span = named_span(last.query, directory)
    if span is None or not 0 < len(last.parties) < len(directory.parties):
        return None
    before, after = last.query[: span[0]], last.query[span[1] :]
    names = _joined(parties_in_order(last, directory), language)
    if language == "en":
        return f"{_ARTICLE.sub('', before)}the parties other than {names}{after}"
    dative = _DATIVE.search(before)
    if dative:
        said = dative["preposition"]
        return f"{before[: dative.start()]}{_PLAIN.get(said.lower(), said)} den Parteien außer {names}{after}"
    return f"{_ARTICLE.sub('', before)}die Parteien außer {names}{after}"


def _joined(names: tuple[str, ...], language: str) -> str:
    word = "and" if language == "en" else "und"
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), names[-1])))
