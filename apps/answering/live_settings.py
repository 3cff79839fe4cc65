"""The settings that readers get now, held by this process and swapped as a whole when a version is activated."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from apps.answering.models import AnswerSettings
from apps.answering.settings_ranges import LIMITS, PIPELINE, THRESHOLDS, WRITER
from apps.answering.settings_versions import DRAFT, AnswerSettingsVersion, ModelChoice, ModelLimits
from apps.rag.generation import WriterSettings
from apps.rag.prompt_texts import (
    PROMPT_LANGUAGES,
    Prompt,
    Prompts,
    own_prompt,
    shipped_answer_prompt,
    shipped_rewrite_prompt,
)
from apps.rag.settings import PipelineSettings, Thresholds

logger = logging.getLogger(__name__)

# A new version is looked for at most so often: every process has it within five seconds.
CHECK_SECONDS: Final = 3.0


def settings_of(row: AnswerSettings) -> AnswerSettingsVersion:
    """Return what a row says, drafts too; what it leaves empty is as the product ships it."""
    given = {name: value for name in (*PIPELINE, *WRITER, *LIMITS) if (value := getattr(row, name)) is not None}
    minutes = row.cache_minutes
    shipped = AnswerSettingsVersion()
    return AnswerSettingsVersion(
        name=str(row.number) if row.number is not None else f"{DRAFT} {row.pk or 0}",
        model=ModelChoice(row.model),
        rewrites=row.rewrites,
        pipeline=PipelineSettings(
            **{name: given[name] for name in PIPELINE if name in given},
            thresholds=Thresholds(**{name: getattr(row, name) for name in THRESHOLDS}),
        ),
        writer=WriterSettings(
            **{field: given[name] for name, field in WRITER.items() if name in given}, prompts=_prompts(row)
        ),
        limits=ModelLimits(**{name: given[name] for name in LIMITS if name in given}),
        cache_seconds=shipped.cache_seconds if minutes is None else 60 * minutes,
    )


def _prompts(row: AnswerSettings) -> Prompts:
    def told(kind: str, language: str, shipped: Callable[[str], Prompt]) -> Prompt:
        text = getattr(row, f"{kind}_prompt_{language}")
        return own_prompt(text) if text else shipped(language)

    return Prompts(
        {language: told("answer", language, shipped_answer_prompt) for language in PROMPT_LANGUAGES},
        {language: told("rewrite", language, shipped_rewrite_prompt) for language in PROMPT_LANGUAGES},
    )


@dataclass(slots=True)
class SettingsKeeper:
    """Holds the version in force. ``clock`` returns seconds that never go back.

    Whoever finds that it is time to look does so alone; all others go on with what is held. When the database cannot be
    read, what was in force stays so.
    """

    clock: Callable[[], float] = time.monotonic
    _held: AnswerSettingsVersion = field(default_factory=AnswerSettingsVersion)
    # None until somebody has looked once.
    _looked_at: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def current(self) -> AnswerSettingsVersion:
        """Return the version in force; the shipped one before anything was activated."""
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

    def _look(self) -> None:
        try:
            row = AnswerSettings.objects.in_force()
            found = settings_of(row) if row else AnswerSettingsVersion()
        except Exception as error:
            logger.error("The settings of answers could not be read; those before stay: %s", type(error).__name__)
            return
        if found.name != self._held.name:
            logger.info("Version %s of the settings of answers is in force.", found.name)
        self._held = found


_keeper = SettingsKeeper()


def active_settings() -> AnswerSettingsVersion:
    """Return what readers get now. Safe in every thread; reads the database every few seconds."""
    return _keeper.current()


def forget() -> None:
    """Look at the database again at the next question: after the tables were replaced under a running process."""
    global _keeper
    _keeper = SettingsKeeper()
