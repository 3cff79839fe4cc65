"""The rules around those that are saved: just enough of them for the checks that refuse a save."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from apps.rules.keys import phrase_keys
from apps.rules.models import Rule, TriggerPhrase
from apps.rules.types import Phrase, RuleSpec, Status

_FEW: Final = 200
_CONTEXT: Final = ("languages", "audiences", "builder_choices")


def surroundings(specs: Collection[RuleSpec]) -> list[RuleSpec]:
    """Return all other rules with their place and limits, and with the phrases that these have too. Two queries."""
    phrases: dict[str, list[Phrase]] = {}
    for uid, text in _shared({key for spec in specs for phrase in spec.phrases for key in phrase_keys(phrase.text)}):
        phrases.setdefault(uid, []).append(Phrase(text))
    saved = {spec.uid for spec in specs}
    rows = Rule.objects.values_list("uid", "title", "parent__uid", "status", "valid_from", "valid_until", *_CONTEXT)
    return [
        RuleSpec(
            uid=uid,
            title=title,
            parent=parent,
            status=Status(status),
            valid_from=since,
            valid_until=until,
            languages=tuple(languages),
            audiences=tuple(audiences),
            builder_choices=tuple(choices),
            phrases=tuple(phrases.get(uid, ())),
        )
        for uid, title, parent, status, since, until, languages, audiences, choices in rows
        if uid not in saved
    ]


def _shared(keys: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the phrases in use that have one of these spellings, with their rules."""
    stored = TriggerPhrase.objects.values_list("rule__uid", "text", "keys")
    if not keys:
        return
    # The database compares each phrase with each spelling asked for: with thousands of both it is quicker here.
    few = len(keys) <= _FEW
    for uid, text, spellings in stored.filter(keys__overlap=sorted(keys)) if few else stored.iterator(chunk_size=2_000):
        if not keys.isdisjoint(spellings):
            yield uid, text
