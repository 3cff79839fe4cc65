"""Which follow-up questions come into question, and which of them a reader may press."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from apps.language.normalising import normalise
from apps.rag.events import Event, Notice, Sentence
from apps.rag.followup_texts import fits
from apps.rag.reading import question_coverage
from apps.rag.rewriting.rules import rewrite
from apps.rag.rewriting.types import PastTurn, RewriteContext
from apps.rag.routing import route
from apps.rag.types import Decision, NoticeKind, Passage
from apps.rag.understanding import PartyDirectory, PartyName, Understanding
from apps.rag.words import content_words

# So much of a subject, by the weight of its words, must stand in what is offered on it.
SAID: Final = 0.5


@dataclass(frozen=True, slots=True)
class Ending:
    """A turn that is about to end. ``past`` are the turns before it, ``own`` are follow-ups that a rule brings.

    ``passages`` are those that it found, ``shown`` what its reader sees.
    """

    query: str
    language: str
    past: RewriteContext
    understood: Understanding
    passages: tuple[Passage, ...]
    shown: tuple[Event, ...] = ()
    own: tuple[str, ...] = ()

    @property
    def sentences(self) -> list[Sentence]:
        return [event for event in self.shown if isinstance(event, Sentence)]

    @property
    def refusal(self) -> str:
        """The code of the refusal, "" when there is an answer."""
        notices = (event for event in self.shown if isinstance(event, Notice))
        return next((notice.code for notice in notices if notice.kind is NoticeKind.REFUSAL), "")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that might be offered. ``parties`` are those that could add something, ``path`` the section it names.

    The editors' own (``is_own``) may name whom they like.
    """

    text: str
    parties: tuple[PartyName, ...] = ()
    path: tuple[str, ...] = ()
    is_own: bool = False


def may_be_offered(text: str, ending: Ending, directory: PartyDirectory, *, names: bool = False) -> bool:
    """Say whether a question, whoever has worded it, is one that a reader may press.

    It is short, asks for no advice and is no small talk, names no party that was not asked about (unless it may:
    ``names``), and is searched as it stands after this turn.
    """
    if not fits(text) or "?" not in text[-2:]:
        return False
    named = set(directory.named_in(text))
    if not names and (named - set(ending.understood.parties) or len(named) > 1):
        return False
    spoken = [text[mention.start : mention.end] for mention in directory.mentions(text)]
    if route(text, names=spoken, before=ending.query).code:
        return False
    turns = (*ending.past.turns, PastTurn(len(ending.past.turns) + 1, ending.query, ending.query))
    again = rewrite(text, replace(ending.past, turns=turns), directory)
    return again.decision is Decision.SEARCH_AS_IS and again.standalone_query == text


def on_the_subject(ending: Ending) -> list[Passage]:
    """Return what was found beside the answer and speaks of the same subject, in its heading or its text."""
    understood = ending.understood
    coverage = question_coverage(understood.topic, understood.language, ending.passages, {})
    return [
        each
        for each in ending.passages
        if coverage.share(coverage.matches("\n".join((*each.heading_path[-1:], each.text)))) >= SAID
    ]


def adds(heading: str, ending: Ending) -> bool:
    """Say whether a heading names something that was not asked about."""
    asked = {word.stem for word in content_words(ending.query, ending.language)}
    return not {word.stem for word in content_words(heading, ending.language)} <= asked


def asked_before(ending: Ending) -> set[str]:
    """Everything that was asked or offered in this conversation."""
    turns = (*ending.past.earlier, *ending.past.turns)
    texts = [text for turn in turns for text in (turn.question, turn.query, *turn.offers)]
    return {normalise(text) for text in (*texts, ending.query)}
