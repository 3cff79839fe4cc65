"""Whether a turn is answered without a search: small talk, or advice that is never given, however it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from apps.rag.rewriting.types import Rewriting
from apps.rag.routing import Route, RoutedBy, is_on_the_bot, route
from apps.rag.types import HistoryTurn, Question
from apps.rag.understanding import PartyDirectory

_ASIDE: Final = "aside"
_SEARCH: Final = Route("", RoutedBy.DOUBT)


def reply_route(
    question: Question, history: Sequence[HistoryTurn], rewriting: Rewriting, directory: PartyDirectory
) -> Route:
    """Return the code of the reply, "" for everything that shall be searched, and what decided.

    What leans on the conversation is no small talk, however short: "Warum?", "die erste". But what it then stands for
    may be a request for voting advice.
    """
    before = history[-1].question if history else ""
    found = _routed(question.text, directory, before)
    if found.by is RoutedBy.ADVICE:
        return found
    if not rewriting.turns_used or is_on_the_bot(found.code, question.text):
        # "Stimmt das?" chats at the beginning; behind an answer it may well ask about that.
        return _SEARCH if history and found.code == _ASIDE else found
    meant = (_routed(text, directory) for text in (rewriting.standalone_query, *rewriting.sub_queries))
    return next((each for each in meant if each.by is RoutedBy.ADVICE), _SEARCH)


def _routed(text: str, directory: PartyDirectory, before: str = "") -> Route:
    names = [text[mention.start : mention.end] for mention in directory.mentions(text)]
    return route(text, names=names, before=before)
