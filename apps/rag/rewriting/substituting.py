"""Puts something else in the place of its like: a party for a party, a year for a year, a subject for a subject."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from apps.language.parties import PartyMention
from apps.rag.rewriting import forms
from apps.rag.rewriting.agreeing import Gender, before_name, gender_of
from apps.rag.rewriting.subjects import content_tokens, subject_of
from apps.rag.rewriting.types import PastTurn
from apps.rag.time_frames import read_times
from apps.rag.understanding import ALL_PARTIES, PartyDirectory, all_but_span, asked_parties

_IN: Final = r"(?:im|in|am|vom|von|ab|seit|bis|on|from|since|until|by)"
# More are no subject but the whole field.
_MOST_PARTIES: Final = 3


def continued(
    query: str, rest: str, language: str, directory: PartyDirectory, now: datetime | None = None
) -> str | None:
    """Return the query as "und ``rest``?" goes on with it; None when nothing fits.

    ``now`` lets times be known by more than their commonest forms.
    """
    bare = rest.strip(" ?.!")
    return (
        _party(query, bare, directory)
        or _clause(query, bare)
        or _around(query, bare)
        or _time(query, bare, now)
        or _phrase(query, bare)
        or _subject(query, bare, language, directory)
    )


def put_in_place(
    query: str,
    right: str,
    language: str,
    directory: PartyDirectory,
    *,
    instead_of: str = "",
    now: datetime | None = None,
) -> str | None:
    """Return the query with ``right`` where its like stood, or where ``instead_of`` stood; None when nothing fits."""
    if instead_of:
        party = _party(query, right.strip(" ?.!"), directory) if directory.mentions(instead_of) else None
        if party and len(directory.mentions(query)) == 1:
            return party
        wrong = _without_article(instead_of)
        found = re.search(rf"\b{re.escape(wrong)}\w{{0,2}}\b", query, re.IGNORECASE)
        if found:
            return query[: found.start()] + _without_article(right) + query[found.end() :]
    return continued(query, right, language, directory, now)


def named_span(query: str, directory: PartyDirectory) -> tuple[int, int] | None:
    """Return where a query names its parties, with the "alle Parteien außer" before them; None where it names none."""
    mentions = directory.mentions(query)
    if not mentions:
        return None
    clause = all_but_span(query, directory)
    if clause is None:
        return mentions[0].start, mentions[-1].end
    every = next((each for each in ALL_PARTIES.finditer(query) if not query[each.end() : clause[0]].strip(" ,")), None)
    return (every.start() if every else clause[0]), max(clause[1], mentions[-1].end)


def with_parties(query: str, turn: PastTurn, directory: PartyDirectory) -> str:
    """Return the query with the parties that the turn was about, where it names none: "das" was a party's plan."""
    names = [party.name for party in directory.parties if party.slug in turn.parties]
    if not 0 < len(names) <= _MOST_PARTIES or asked_parties(query, directory):
        return query
    plain = query.rstrip()
    end = "?" if plain.endswith("?") else ""
    return f"{plain.rstrip('?')} ({', '.join(names)}){end}"


def _party(query: str, rest: str, directory: PartyDirectory) -> str | None:
    named = directory.mentions(rest)
    everyone = ALL_PARTIES.search(rest)
    if not named and not everyone:
        return None
    first, last = (named[0].start, named[-1].end) if named or not everyone else everyone.span()
    if re.sub(r"[\W_]", "", forms.BESIDE_A_NAME.sub("", f"{rest[:first]} {rest[last:]}")):
        return None
    name = rest[first:last]
    mentions, span = directory.mentions(query), named_span(query, directory)
    if span:
        before = query[: span[0]]
        if len(mentions) == 1 and len(named) == 1:
            before = _agreeing(before, mentions[0], named[0], rest[:first], directory)
        if before != _without_last_article(before):
            name = _without_article(name)
        return before + name + query[span[1] :]
    every = ALL_PARTIES.search(query)
    if every:
        return query[: every.start()] + name + query[every.end() :]
    return f"{query.rstrip(' ?.!')} ({name})"


def _agreeing(before: str, old: PartyMention, new: PartyMention, said: str, directory: PartyDirectory) -> str:
    """The words before a party's name with the article of the other party: by its names, or the reader's own."""
    own = re.search(r"\b(der|die|das)\s+$", said, re.IGNORECASE)

    def gender(mention: PartyMention) -> Gender | None:
        return gender_of((mention.text,)) or gender_of(directory.names.get(mention.key, ()))

    return before_name(before, gender(old), gender(new) or (Gender(own[1].lower()) if own else None))


def _without_last_article(text: str) -> str:
    return re.sub(r"\b(?:die|der|das|den|dem)\s+$", "", text, flags=re.IGNORECASE)


def _clause(query: str, rest: str) -> str | None:
    """ "wenn ich im Ausland lebe" comes last."""
    if not forms.CLAUSE.match(rest):
        return None
    return f"{query.rstrip(' ?.!')}, {rest}?"


def _around(query: str, rest: str) -> str | None:
    """ "Und danach?": what comes after instead of before."""
    if not forms.THEN.match(rest):
        return None
    side = {"davor": "vor", "vorher": "vor", "before": "before"}.get(rest.lower())
    side = side or ("after" if rest.lower().startswith(("after", "then")) else "nach")
    old = forms.AROUND.search(query)
    return query[: old.start()] + side + query[old.end() :] if old else f"{query.rstrip(' ?.!')}, {rest}?"


def _time(query: str, rest: str, now: datetime | None) -> str | None:
    if not forms.TIME.match(rest) and not _is_time(rest, now):
        return None
    year = re.search(r"(?:1[89]|20)\d\d", rest)
    old = forms.YEAR.search(query)
    if old:
        return query[: old.start()] + (year.group() if year else rest) + query[old.end() :]
    times = read_times(query, now) if now else ()
    if times:
        before = query[: times[0].start]
        if re.match(rf"{_IN}\s", rest, re.IGNORECASE):
            before = re.sub(rf"\b{_IN}\s+$", "", before, flags=re.IGNORECASE)
        return before + rest + query[times[0].end :]
    return f"{query.rstrip(' ?.!')} {f'im Jahr {year.group()}' if year and rest == year.group() else rest}?"


def _is_time(rest: str, now: datetime | None) -> bool:
    """Say whether it names a time and nothing else: "im Juli", "letzten Herbst"."""
    times = read_times(rest, now) if now else ()
    if len(times) != 1:
        return False
    around = rest[: times[0].start] + rest[times[0].end :]
    return not re.sub(rf"\b{_IN}\b|\W", "", around, flags=re.IGNORECASE)


def _phrase(query: str, rest: str) -> str | None:
    """ "in Bayern" takes the place of "in Hessen", or comes last."""
    match = forms.PLACE_OR_SO.match(rest)
    if match is None:
        return None
    preposition = match["preposition"]
    old = re.search(
        rf"\b{re.escape(preposition)}\s+(?:(?:der|dem|den|the)\s+)?[A-ZÄÖÜ][\w-]+(?:\s+[A-ZÄÖÜ][\w-]+)*", query
    )
    if old and old.start() > 0:
        return query[: old.start()] + rest + query[old.end() :]
    return f"{query.rstrip(' ?.!')} {rest}?"


def _subject(query: str, rest: str, language: str, directory: PartyDirectory) -> str | None:
    old = subject_of(query, language, directory)
    if not old or len(rest.split()) > 6:
        return None
    if old == old.lower() and len(content_tokens(query, language)) < 2:
        # Typed without capitals, or no noun at all: "wer hat da gewonnen".
        return None
    start = query.find(old)
    around = f"{query[:start]} {query[start + len(old) :]}"
    if not forms.QUESTION_WORD.match(around.strip()) and not content_tokens(around, language):
        # Nothing of the query would be left: "Deductions", then "What about FICA?".
        return None
    new = _without_article(rest)
    if language == "de" and re.fullmatch(r"[a-zäöüß]+e[nrs]?", new) and old != old.lower():
        # "Und die letzte?" is still about the same thing.
        new = f"{new} {old}"
    return query[:start] + new + query[start + len(old) :]


def _without_article(text: str) -> str:
    return re.sub(r"^(?:die|der|das|den|dem|des|the|eine?[mnrs]?|an?)\s+", "", text.strip(), flags=re.IGNORECASE)
