"""How phrases and slots are spelled when two of them are compared. Pure; services, checks and triggers."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from apps.language.normalising import normalise, normalised_forms
from apps.language.tokenising import RULE_CHARACTERS, RULE_TOKENS
from apps.rules.types import ALTERNATIVES, Slot

# What an index entry of the database holds; reached only by characters that fold to many.
MOST_KEY_BYTES: Final = 2_000
MOST_SLOT_KEY: Final = 440


@lru_cache(maxsize=65_536)
def phrase_keys(text: str) -> tuple[str, ...]:
    """Return the spellings of a phrase, hyphens split and joined; empty if no word is in it.

    Two phrases are the same question where they share one: "Wahl-O-Mat" meets "wahlomat" and "Wahl O Mat".
    """
    return tuple(form for form in normalised_forms(text) if form)


def slot_alternatives(text: str) -> tuple[str, ...]:
    """Return the folded alternatives of a slot in their order, each once, without empty ones."""
    return tuple(dict.fromkeys(form for form in map(normalise, text.split(ALTERNATIVES)) if form))


def slot_key(slot: Slot) -> str:
    """Return what makes two slots the same: alternatives in any order, and the mode. Empty if no word is in it."""
    alternatives = ALTERNATIVES.join(sorted(slot_alternatives(slot.text)))
    return f"{slot.mode.value}:{alternatives}" if alternatives else ""


def is_askable(text: str) -> bool:
    """Say whether a question can be this long: only 512 characters and 64 words of one are ever matched."""
    keys = phrase_keys(text)
    words = max((len(key.split()) for key in keys), default=0)
    return (
        len(text) <= RULE_CHARACTERS
        and words <= RULE_TOKENS
        and sum(len(key.encode("utf-8", "replace")) for key in keys) <= MOST_KEY_BYTES
    )
