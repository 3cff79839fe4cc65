"""What of the rule list an editor sees: it stands in the address and is turned into conditions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q, TextField
from django.db.models.functions import Cast
from django.http import QueryDict

from apps.core.cleaning import clean_text
from apps.language.normalising import normalise
from apps.rules.listing import MOST_OPEN, MOST_SHOWN, changed_since
from apps.rules.models import Release, Rule, RuleHitDay, TriggerPhrase
from apps.rules.querysets import RuleQuerySet

# What is longer is no search for a rule.
_MOST_CHARACTERS: Final = 200
_MOST_WORDS: Final = 8
_MOST_PAGES: Final = 10_000
SLUG: Final = re.compile(r"[-\w]{1,80}", re.ASCII)
VALIDITIES: Final = ("now", "future", "expired")
ONLY: Final = ("warning", "unhit", "changed")


@dataclass(frozen=True, slots=True)
class TreeFilter:
    """What is left of the list. Empty fields set no limit; unknown choices count as none."""

    q: str = ""
    status: str = ""
    validity: str = ""
    tag: str = ""
    owner: str = ""
    only: str = ""

    @classmethod
    def read(cls, given: Mapping[str, Any], statuses: tuple[str, ...]) -> TreeFilter:
        """Read it from a query string. Never raises."""
        values = {
            field.name: clean_text(str(given.get(field.name) or "")).strip()[:_MOST_CHARACTERS] for field in fields(cls)
        }
        allowed = {"status": statuses, "validity": VALIDITIES, "only": ONLY}
        return cls(**{name: value if value in allowed.get(name, (value,)) else "" for name, value in values.items()})

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    def apply(self, rules: RuleQuerySet, *, now: datetime, live: Release | None) -> RuleQuerySet:
        """Return the rules that are left, but for the warnings, which no query knows."""
        rules = _searched(rules, self.q)
        if self.status:
            rules = rules.filter(status=self.status)
        if self.validity:
            rules = rules.filter(_validity(self.validity, now))
        if self.tag:
            rules = rules.filter(tags__contains=[self.tag])
        if self.owner:
            rules = rules.filter(owner__username=self.owner)
        if self.only == "unhit":
            rules = rules.filter(~Exists(RuleHitDay.objects.filter(uid=OuterRef("uid"))))
        if self.only == "changed":
            rules = changed_since(rules, live)
        return rules


@dataclass(frozen=True, slots=True)
class TreeState:
    """What of the list is shown; the whole of it stands in the address."""

    filter: TreeFilter
    opened: tuple[str, ...] = ()
    below: str = ""
    page: int = 1

    @classmethod
    def read(cls, given: QueryDict, opened: QueryDict | None = None) -> TreeState:
        """Read it from a query string; what is open may come from elsewhere. Never raises."""
        uids = [uid for uid in (opened or given).getlist("open") if SLUG.fullmatch(uid)]
        page, below = given.get("page", ""), given.get("below", "")
        return cls(
            TreeFilter.read(given.dict(), tuple(Rule.Status.values)),
            tuple(dict.fromkeys(uids))[:MOST_OPEN],
            below if SLUG.fullmatch(below) else "",
            min(int(page), _MOST_PAGES) if re.fullmatch("[1-9][0-9]{0,5}", page) else 1,
        )

    @property
    def offset(self) -> int:
        return (self.page - 1) * MOST_SHOWN

    def query(self, **changes: Any) -> str:
        """Return this state as a query string, with changes."""
        narrowed = {name: getattr(self.filter, name) for name in self.filter.__slots__}
        state = {**narrowed, "open": self.opened, "below": self.below, "page": self.page, **changes}
        if state["page"] == 1:
            state["page"] = ""
        return urlencode({name: value for name, value in state.items() if value}, doseq=True)

    def showing(self, uid: str) -> TreeState:
        """Return this state with what is below a rule in sight; empty for none. The newest stays where all is full."""
        if not uid or uid in self.opened or uid == self.below:
            return self
        return replace(self, opened=(*self.opened[: MOST_OPEN - 1], uid))

    def toggled(self, uid: str) -> str:
        """Return the query string with this rule opened or closed."""
        others = tuple(each for each in self.opened if each != uid)
        return self.query(open=others if uid in self.opened else (*self.opened, uid))


def _searched(rules: RuleQuerySet, text: str) -> RuleQuerySet:
    """Every word must stand somewhere in title, short name, tags or a phrase."""
    for word in text.split()[:_MOST_WORDS]:
        phrase = TriggerPhrase.objects.filter(rule=OuterRef("pk")).alias(spellings=Cast("keys", TextField()))
        # Keys spell umlauts out: "muenchen" finds "München". A word without letters has no key.
        spelled = Q(spellings__contains=normalise(word)) if normalise(word) else Q(pk__in=[])
        in_phrase = Exists(phrase.filter(Q(text__icontains=word) | spelled))
        rules = rules.alias(tag_words=Cast("tags", TextField())).filter(
            Q(title__icontains=word) | Q(uid__icontains=word) | Q(tag_words__icontains=word) | in_phrase
        )
    return rules


def _validity(kind: str, now: datetime) -> Q:
    has_begun = Q(valid_from__isnull=True) | Q(valid_from__lte=now)
    if kind == "future":
        return Q(valid_from__gt=now)
    if kind == "expired":
        return Q(valid_until__lte=now)
    return has_begun & (Q(valid_until__isnull=True) | Q(valid_until__gt=now))
