"""The rules of this process: an index that is swapped as a whole when a release is published. No read per question."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import Count, Max, Sum

from apps.rules.index import RuleIndex, compile_index
from apps.rules.loading import protected_names, release_set, rule_set, rule_spec
from apps.rules.models import Release, Rule
from apps.rules.types import RuleSet, RuleSpec

logger = logging.getLogger(__name__)

# A new release is looked for at most so often; with the time to compile it, every worker has it within five seconds.
CHECK_SECONDS: Final = 3.0
# A release that could not be compiled is tried again after this long, or as soon as there is a newer one.
RETRY_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class LiveRules:
    """One compiled set of rules. ``release`` is its number, 0 for the draft; ``specs`` has each rule by its uid."""

    index: RuleIndex
    release: int
    specs: Mapping[str, RuleSpec]
    token_budget: int


def compiled(rules: RuleSet) -> LiveRules:
    """Return a set of rules ready to be asked."""
    return LiveRules(compile_index(rules), rules.release, {rule.uid: rule for rule in rules.rules}, rules.token_budget)


@dataclass(slots=True)
class ReleaseKeeper:
    """Holds the newest release that could be read. ``clock`` returns seconds that never go back.

    Whoever finds that it is time to look does so alone; all others go on with what is held. Only before anything was
    ever looked for do they wait: an answer without rules would be a wrong one.
    """

    clock: Callable[[], float] = time.monotonic
    _held: LiveRules | None = None
    _held_key: int = 0
    _failed_key: int = 0
    _failed_at: float = 0.0
    # None until somebody has looked once.
    _looked_at: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def current(self) -> LiveRules | None:
        """Return the live rules; None before the first release, or as long as none could ever be read."""
        looked_at = self._looked_at
        if looked_at is not None and self.clock() - looked_at < CHECK_SECONDS:
            return self._held
        if self._lock.acquire(blocking=looked_at is None):
            try:
                # Who has waited finds the work done.
                if looked_at == self._looked_at:
                    self._look()
                    self._looked_at = self.clock()
            finally:
                self._lock.release()
        return self._held

    def catch_up(self) -> LiveRules | None:
        """Look at once, and return the live rules."""
        with self._lock:
            self._look()
            self._looked_at = self.clock()
        return self._held

    def _look(self) -> None:
        release = None
        try:
            release = Release.objects.order_by("-number").first()
            if release is None:
                self._held, self._held_key = None, 0
            elif release.pk != self._held_key and not self._has_just_failed(release):
                self._held, self._held_key = compiled(release_set(release)), release.pk
                logger.info("Release %d of the rules is live: %d rules.", release.number, len(self._held.specs))
        except Exception as error:
            # Whatever it is, an old release is better than none. Without the message: it may quote rules.
            if release is not None:
                self._failed_key, self._failed_at = release.pk, self.clock()
            logger.error("The newest release could not be read; the one before stays: %s", type(error).__name__)

    def _has_just_failed(self, release: Release) -> bool:
        return release.pk == self._failed_key and self.clock() - self._failed_at < RETRY_SECONDS


@dataclass(frozen=True, slots=True)
class _Draft:
    """The compiled draft, what ``draft_state()`` was, and each rule's version and last change."""

    state: object
    stamps: Mapping[str, tuple[int, datetime]]
    rules: LiveRules


_keeper = ReleaseKeeper()
_draft_lock = threading.Lock()
_draft: _Draft | None = None


def current() -> LiveRules | None:
    """Return the rules that readers get now; None before the first release. Safe in every thread."""
    return _keeper.current()


def catch_up() -> int:
    """Hold the newest release from now on, not only within seconds; return the number of what is held, 0 for none."""
    rules = _keeper.catch_up()
    return rules.release if rules else 0


def draft_index() -> LiveRules:
    """Return what a release made now would be, for the back office. Cheap queries tell whether it has changed."""
    global _draft
    state = draft_state()
    with _draft_lock:
        if _draft is None or _draft.state != state:
            _draft = _read_draft(state, _draft)
        return _draft.rules


def _read_draft(state: object, old: _Draft | None) -> _Draft:
    """Read the rules that were saved since the last time: thousands take seconds, and mostly it is one."""
    rows = Rule.objects.releasable().values_list("uid", "version", "updated_at")
    stamps = {uid: (version, changed) for uid, version, changed in rows.iterator()}
    known = old.rules.specs if old else {}
    specs = {uid: known[uid] for uid, stamp in stamps.items() if old and uid in known and old.stamps.get(uid) == stamp}
    saved = Rule.objects.releasable().whole()
    if specs:
        saved = saved.filter(uid__in=stamps.keys() - specs.keys())
    specs |= {rule.uid: rule_spec(rule) for rule in saved}
    return _Draft(state, stamps, compiled(rule_set(specs.values())))


def forget() -> None:
    """Look at the database again at the next question: after the tables were replaced under a running process."""
    global _keeper, _draft
    _keeper, _draft = ReleaseKeeper(), None


def draft_state() -> object:
    """Return what is another value after every change of the draft. Three cheap queries."""
    # Every save raises a rule's version, also two within one tick of the clock.
    rules = Rule.objects.aggregate(count=Count("pk"), changed=Max("updated_at"), saves=Sum("version"))
    return (*rules.values(), protected_names(), settings.RULE_FUZZY_THRESHOLD, settings.RULE_TOKEN_BUDGET)
