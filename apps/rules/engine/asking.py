"""One text asked of one index: which rules' own conditions hold at which stage, and which of them may count."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from apps.rules.engine.fuzzy import Similar, common_letters, is_comparable, reaches
from apps.rules.engine.ordering import Own, Standing
from apps.rules.engine.protecting import protected_terms
from apps.rules.engine.reading import read_written
from apps.rules.engine.tokens import EXCLUDE
from apps.rules.engine.words import Place, places
from apps.rules.index import RuleIndex, Shelf
from apps.rules.types import MatchContext, Outside, Stage


class Asked:
    """A question's text in its context. Everything is worked out once, and only when it is needed."""

    def __init__(self, text: str, context: MatchContext, index: RuleIndex) -> None:
        self.index = index
        self.context = context
        self.written = read_written(text)
        self.tokens = self.written.reading.tokens
        self.forms = tuple(form for form in self.written.reading.forms() if form)
        self._own: dict[int, Own | None] = {}
        self._found: dict[int, dict[int, int]] = {}
        self._words: dict[int, tuple[str, ...]] = {}
        self._counts: dict[int, int] = {}

    @cached_property
    def protected(self) -> tuple[str, ...]:
        """Return the protected terms of the question."""
        return protected_terms(self.tokens, self.index.names)

    def found(self, shelf: Shelf) -> dict[int, int]:
        """Return the slots that the question meets, with its tokens as bits."""
        if id(shelf) not in self._found:
            self._found[id(shelf)] = shelf.lists.slots.found(self._places)
        return self._found[id(shelf)]

    @cached_property
    def _places(self) -> tuple[Place, ...]:
        return places(self.written, self.context.language)

    def hits(self, stage: Stage, shelf: Shelf) -> dict[int, Own]:
        """Return the rules of a shelf whose phrases or lists hold at a stage, vetoed ones and such that may not count.

        A rule that already holds at an earlier stage may be among them.
        """
        if not self.forms:
            return {}
        match stage:
            case Stage.EXACT:
                numbers = dict.fromkeys(number for form in self.forms for number in shelf.equal(form))
                return {at: own for at in numbers if (own := self._exact(at))}
            case Stage.FUZZY:
                return self._best_similar(shelf.phrases.similar(self.forms))
            case Stage.TOKEN:
                return {at: own for at in shelf.lists.met(self.found(shelf)) if (own := self._token(at))}

    def own(self, number: int) -> Own | None:
        """Return how a rule's own condition holds at its first stage that does; None if at none."""
        if number not in self._own:
            self._own[number] = self._first_own(number) if self.forms else None
        return self._own[number]

    def is_vetoed(self, number: int) -> bool:
        """Say whether the exclude list of a rule is met."""
        shelf = self.index.shelf(number)
        return shelf.lists.has(number, EXCLUDE) and shelf.lists.is_met(number, EXCLUDE, self.found(shelf))

    def outside(self, number: int) -> Outside | None:
        """Return why a rule does not count for this reader now, its ancestors' limits included."""
        place = self.index.tree.places[number]
        return place.limits.outside(self.context) if place.is_live else Outside.STATUS

    def is_let_through(self, number: int) -> bool:
        """Say whether every ancestor's own condition holds; a folder's always does."""
        tree = self.index.tree
        if not tree.places[number].depth:
            return False
        return all(tree.is_folder(parent) or self.own(parent) for parent in tree.ancestors(number))

    def candidates(self, stage: Stage) -> list[Standing]:
        """Return the rules that may win at a stage, best first."""
        hits = self.hits(stage, self.index.live)
        able = [at for at in hits if self._may_count(at, stage)]
        return sorted((self.standing(at, hits[at]) for at in able), key=lambda standing: standing.key)

    def standing(self, number: int, own: Own) -> Standing:
        """Return what the total order compares of a rule."""
        rule, place = self.index.tree.rules[number], self.index.tree.places[number]
        width = place.limits.width
        return Standing(own.stage.rank, rule.priority, place.depth, own.words, own.score, width, rule.uid, number, own)

    def words_of(self, mask: int) -> tuple[str, ...]:
        """Return the question's words at tokens given as bits, as written."""
        # Rules that share names share masks: each is read once.
        if mask not in self._words:
            self._words[mask] = tuple(word for at, word in enumerate(self.written.words) if mask >> at & 1)
        return self._words[mask]

    def similarity(self, number: int, at: int) -> Similar | None:
        """Return how similar a phrase is at best, over the forms of both; None if it is too short to be compared."""
        keys = [key for key in self.index.phrase(number, at).forms() if is_comparable(key)]
        pairs = ((common_letters(key, form), len(key) + len(form)) for key in keys for form in self.forms)
        similar = [Similar(number, at, common, total) for common, total in pairs]
        return max(similar, key=lambda each: Fraction(each.common, each.total), default=None)

    def _may_count(self, number: int, stage: Stage) -> bool:
        if self.outside(number) is not None or not self.is_let_through(number):
            return False
        return stage is Stage.EXACT or not self.is_vetoed(number)

    def _first_own(self, number: int) -> Own | None:
        own = self._exact(number)
        if own:
            return own
        own = self.unvetoed(number)
        return None if own is None or self.is_vetoed(number) else own

    def unvetoed(self, number: int) -> Own | None:
        """Return how a rule's condition would hold at the fuzzy or the token stage without its exclude list."""
        threshold = self.index.tree.places[number].threshold
        able = [each for each in self.similar(number) if reaches(each.common, each.total, threshold)]
        return self._best_similar(able).get(number) or self._token(number)

    def similar(self, number: int) -> list[Similar]:
        """Return how similar the phrases of a rule are that may be compared."""
        phrases = self.index.tree.rules[number].phrases if self.forms else ()
        each = (self.similarity(number, at) for at, phrase in enumerate(phrases) if phrase.is_fuzzy)
        return [similar for similar in each if similar is not None]

    def _exact(self, number: int) -> Own | None:
        best = None
        for at in range(len(self.index.tree.rules[number].phrases)):
            reading = self.index.phrase(number, at)
            is_better = best is None or len(reading.tokens) > best.words
            if is_better and not set(self.forms).isdisjoint(form for form in reading.forms() if form):
                best = Own(Stage.EXACT, 1000, len(reading.tokens), at, -1)
        return best

    def _best_similar(self, similar: list[Similar]) -> dict[int, Own]:
        """The most similar phrase of each rule whose protected terms are the question's."""
        best: dict[int, Similar] = {}
        for each in similar:
            held = best.get(each.rule)
            is_better = held is None or self._is_better(each, held)
            if is_better and self.index.protected(each.rule, each.phrase) == self.protected:
                best[each.rule] = each
        return {
            number: Own(
                Stage.FUZZY, each.per_mille, len(self.index.phrase(number, each.phrase).tokens), each.phrase, -1
            )
            for number, each in best.items()
        }

    def _is_better(self, new: Similar, old: Similar) -> bool:
        left, right = new.common * old.total, old.common * new.total
        if left != right:
            return left > right
        words = [len(self.index.phrase(each.rule, each.phrase).tokens) for each in (new, old)]
        return (words[0], -new.phrase) > (words[1], -old.phrase)

    def _token(self, number: int) -> Own | None:
        shelf = self.index.shelf(number)
        result = shelf.lists.result(number, self.found(shelf))
        if result is None:
            return None
        score, mask = result
        if mask not in self._counts:
            self._counts[mask] = len({token for at, token in enumerate(self.tokens) if mask >> at & 1})
        return Own(Stage.TOKEN, score, self._counts[mask], -1, mask)
