"""The token stage: which rules' lists are met by the slots that a question meets."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from apps.rules.engine.slot_index import SlotIndex
from apps.rules.engine.slots import needed
from apps.rules.types import RuleSpec, TokenList

# A list that a rule does not have.
ABSENT: Final = -1
CORE, ANCHOR, EXCLUDE = range(3)
_ROLES: Final = 3
# So many rules are looked at one by one; more of them all at once.
_FEW: Final = 48
# Far more slots than a list has; fits the array.
_MOST_NEEDED: Final = 1 << 30
Found = Mapping[int, int]


class TokenLists:
    """The token lists of many rules, and the index from slots to the rules that may be met by them."""

    def __init__(self, slots: SlotIndex, size: int) -> None:
        self.slots = slots
        self._needs = array("i", [ABSENT]) * (size * _ROLES)
        self._starts = array("I", [0]) * (size * _ROLES)
        self._ends = array("I", [0]) * (size * _ROLES)
        self._flat = array("I")
        self._offsets: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._rules: NDArray[np.int32] = np.zeros(0, dtype=np.int32)

    def add(self, number: int, rule: RuleSpec, languages: tuple[str, ...]) -> None:
        """Store the lists of one rule."""
        for role, tokens in ((CORE, rule.core), (ANCHOR, rule.anchor), (EXCLUDE, rule.exclude)):
            if tokens is not None:
                self._add(number * _ROLES + role, tokens, languages)

    def finish(self, numbers: Iterable[int]) -> None:
        """Build the index from slots to rules: of each rule only the rarest slots of its cheapest list.

        A list that needs k of n slots is met by one of its n - k + 1 rarest, whatever the other ones do.
        """
        used = np.bincount(np.frombuffer(self._flat, dtype=np.uint32), minlength=len(self.slots.tests)).tolist()
        slots, rules = array("I"), array("I")
        for number in numbers:
            signature = self._signature(number, used)
            slots.extend(signature)
            rules.extend([number] * len(signature))
        at = np.frombuffer(slots, dtype=np.uint32)
        order = np.argsort(at, kind="stable")
        self._rules = np.frombuffer(rules, dtype=np.uint32)[order].astype(np.int32)
        counts = np.bincount(at, minlength=len(self.slots.tests))
        self._offsets = np.concatenate(([0], np.cumsum(counts)))

    def met(self, found: Found) -> list[int]:
        """Return the rules whose core and anchor lists are met by the slots of a question, in no order, each once."""
        parts = [self._rules[self._offsets[slot] : self._offsets[slot + 1]] for slot in found]
        woken = np.concatenate(parts) if parts else self._rules[:0]
        if len(woken) > _FEW:
            return list(set(self._met_among(woken, found).tolist()))
        return [number for number in set(woken.tolist()) if self.result(number, found)]

    def _met_among(self, numbers: NDArray[np.int32], found: Found) -> NDArray[np.int32]:
        """Keep the rules whose lists are met, all at once."""
        is_found = np.zeros(len(self.slots.tests), dtype=np.bool_)
        is_found[list(found)] = True
        needs, starts, ends = np.asarray(self._needs), np.asarray(self._starts), np.asarray(self._ends)
        flat = np.asarray(self._flat)
        for role in (CORE, ANCHOR):
            at = numbers * _ROLES + role
            first, need = starts[at].astype(np.int64), needs[at]
            lengths = ends[at] - first
            behind = np.cumsum(lengths)
            before = behind - lengths
            places = np.arange(behind[-1] if len(behind) else 0) - np.repeat(before - first, lengths)
            sums = np.concatenate(([0], np.cumsum(is_found[flat[places]])))
            numbers = numbers[(need == ABSENT) | (sums[behind] - sums[before] >= need)]
        return numbers

    def need(self, number: int, role: int) -> int:
        """Return how many slots of a list are needed; ABSENT if the rule has no such list."""
        return self._needs[number * _ROLES + role]

    def slots_of(self, number: int, role: int) -> Sequence[int]:
        """Return the distinct slots of a list by number."""
        at = number * _ROLES + role
        return self._flat[self._starts[at] : self._ends[at]]

    def has(self, number: int, role: int) -> bool:
        """Say whether a rule has a list in a role."""
        return self._needs[number * _ROLES + role] != ABSENT

    def is_met(self, number: int, role: int, found: Found) -> bool:
        """Say whether enough slots of a list are found; a list that is absent is not met."""
        need = self.need(number, role)
        return need != ABSENT and sum(slot in found for slot in self.slots_of(number, role)) >= need

    def result(self, number: int, found: Found) -> tuple[int, int] | None:
        """Return score (per mille of all slots) and tokens as bits if core and anchor are met, exclude left aside."""
        hits = total = mask = 0
        for at in (number * _ROLES + CORE, number * _ROLES + ANCHOR):
            need = self._needs[at]
            if need == ABSENT:
                continue
            slots = self._flat[self._starts[at] : self._ends[at]]
            count = 0
            for slot in slots:
                if slot in found:
                    count += 1
                    mask |= found[slot]
            if count < need:
                return None
            hits += count
            total += len(slots)
        return (1000 * hits // total, mask) if total else None

    def missing(self, found: Found) -> dict[int, tuple[int, int]]:
        """Return how many slots are missing and needed for every rule that has some found in core or anchor."""
        offsets, at = self._all_lists
        parts = [at[offsets[slot] : offsets[slot + 1]] for slot in found]
        if not parts:
            return {}
        rules = np.unique(np.concatenate(parts) // _ROLES).tolist()
        return {number: self.missing_of(number, found) for number in rules}

    @cached_property
    def _all_lists(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """From every slot to all lists it is in, excluding ones left out: offsets, and places of lists."""
        starts, ends = (np.frombuffer(each, dtype=np.uint32).astype(np.int64) for each in (self._starts, self._ends))
        lists = np.flatnonzero((ends > starts) & (np.arange(len(starts)) % _ROLES != EXCLUDE))
        lengths = (ends - starts)[lists]
        at = np.repeat(lists, lengths)
        within = np.arange(len(at)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        slots = np.frombuffer(self._flat, dtype=np.uint32)[starts[at] + within]
        order = np.argsort(slots, kind="stable")
        counts = np.bincount(slots, minlength=len(self.slots.tests))
        return np.concatenate(([0], np.cumsum(counts))), at[order]

    def missing_of(self, number: int, found: Found) -> tuple[int, int]:
        """Return how many slots of core and anchor are missing, and how many are needed; (0, 0) without lists."""
        missing = total = 0
        for role in (CORE, ANCHOR):
            if self.has(number, role):
                need = self.need(number, role)
                total += need
                missing += max(0, need - sum(slot in found for slot in self.slots_of(number, role)))
        return missing, total

    def _add(self, at: int, tokens: TokenList, languages: tuple[str, ...]) -> None:
        slots = self.slots.distinct(tokens.slots, languages)
        self._needs[at] = min(needed(tokens, len(slots)), _MOST_NEEDED)
        self._starts[at] = len(self._flat)
        self._flat.extend(slots)
        self._ends[at] = len(self._flat)

    def _signature(self, number: int, used: Sequence[int]) -> Sequence[int]:
        best: Sequence[int] = ()
        cost = -1
        for at in (number * _ROLES + CORE, number * _ROLES + ANCHOR):
            need = self._needs[at]
            if need == ABSENT:
                continue
            slots = self._flat[self._starts[at] : self._ends[at]]
            spare = len(slots) - need
            if spare < 0:
                return ()
            rarest = _rarest(slots, spare + 1, used)
            price = sum([used[slot] for slot in rarest])
            if cost < 0 or price < cost:
                best, cost = rarest, price
        return best


def _rarest(slots: Sequence[int], amount: int, used: Sequence[int]) -> Sequence[int]:
    """Return so many of a list's slots, those first that the fewest lists have."""
    if amount == 1:
        return (min(slots, key=used.__getitem__),)
    return sorted(slots, key=used.__getitem__)[:amount]
