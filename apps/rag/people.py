"""The people whom a question names: those on the desk's list, authors, and whoever sources call by a full name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from apps.language.given_names import find_named_by_given_name
from apps.language.parties import PartyRecogniser
from apps.language.stopwords import stop_words
from apps.language.tokenising import tokenise
from apps.rag.types import Passage
from apps.rag.understanding import PartyDirectory

_SHORTEST: Final = 3
# A full name is no longer than so many characters before the surname.
_REACH: Final = 40


@dataclass(frozen=True, slots=True)
class People:
    """``asked`` are the full names of those whom the question names; others are known, to tell them apart."""

    asked: tuple[str, ...]
    directory: PartyDirectory
    met: PartyRecogniser

    def spoken_of(self, text: str) -> tuple[str, ...]:
        """Return the full names of the people whom a text names."""
        met = (mention.key for mention in self.met.find(text))
        return tuple(dict.fromkeys((*self.directory.people_in(text), *met)))


def people_asked(question: str, passages: Sequence[Passage], directory: PartyDirectory, language: str) -> People:
    """Return the people whom a question names, by the desk's list and by what the passages call them.

    No list has everybody, and a surname such as Nordstern is a word of the dictionary: beside a given name in a source,
    or as that of an author, it is a name.
    """
    listed = directory.people_in(question)
    known = {word for name in listed for word in name.split()}
    met = {}
    for surname in _capitals(question, language):
        if surname not in known:
            full = next(_full_names(surname, passages), "")
            if full:
                met[full] = (full, surname)
    return People((*listed, *met), directory, PartyRecogniser(met))


def _capitals(question: str, language: str) -> list[str]:
    words = [token.text for token in tokenise(question) if token.kind == "word" and token.text[0].isupper()]
    return [word for word in words if len(word) >= _SHORTEST and word.casefold() not in stop_words(language)]


def _full_names(surname: str, passages: Sequence[Passage]) -> Iterator[str]:
    pattern = re.compile(rf"\b[A-ZÄÖÜ][\w.’'-]+\s(?:\w+\s)?{re.escape(surname)}\b")
    for passage in passages:
        if passage.source.author.split()[1:] and passage.source.author.split()[-1] == surname:
            yield passage.source.author
        for match in pattern.finditer(passage.text):
            text = passage.text[max(0, match.end() - _REACH - len(surname)) : match.end()]
            for start, end in find_named_by_given_name(text, []):
                if end == len(text) and start < len(text) - len(surname):
                    yield text[start:end]
