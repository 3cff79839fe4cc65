"""Who has the floor while a model writes about several parties: they are heard in their order, whatever it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from apps.rag.events import Sentence
from apps.rag.party_order import party_place
from apps.rag.types import Passage


def party_by_party(passages: Sequence[Passage], draw: str = "") -> list[Passage]:
    """Return the passages with those of parties in the parties' order; all others stay where they are.

    A model writes about sources in the order in which it was given them.
    """
    spoken = sorted((each for each in passages if each.source.party_name), key=lambda each: _place_of(each, draw))
    following = iter(spoken)
    return [next(following) if each.source.party_name else each for each in passages]


def _place_of(passage: Passage, draw: str) -> str:
    return party_place(passage.source.party_name, draw)


class Floor:
    """Lets the parties speak one after the other whatever order a model writes in: nothing that was shown moves.

    A sentence waits while a party before its own may still speak. One that comes too late, after another party had
    begun, goes behind "more". Who is no party never waits.
    """

    def __init__(self, passages: Sequence[Passage], draw: str = "") -> None:
        names = {passage.source.party_name for passage in passages} - {""}
        self._places = {name: at for at, name in enumerate(sorted(names, key=lambda name: party_place(name, draw)))}
        self._speaks = -1
        self._held: list[Sentence] = []
        self._late: list[Sentence] = []

    def hear(self, sentence: Sentence) -> list[Sentence]:
        """Return what may be shown now that this sentence has passed."""
        place = self._places.get(sentence.group)
        if place is None or place == self._speaks:
            return [sentence]
        if place < self._speaks:
            self._late.append(replace(sentence, is_more=True))
            return []
        self._held.append(sentence)
        if place > self._speaks + 1:
            return []
        self._speaks = place
        return self._take(lambda held: held.group == sentence.group)

    def close(self) -> list[Sentence]:
        """Return what waited, in the parties' order, and what came too late."""
        waited = sorted(self._take(lambda _: True), key=lambda sentence: self._places[sentence.group])
        late, self._late = self._late, []
        return waited + late

    def _take(self, claim: Callable[[Sentence], bool]) -> list[Sentence]:
        taken = [sentence for sentence in self._held if claim(sentence)]
        self._held = [sentence for sentence in self._held if not claim(sentence)]
        return taken
