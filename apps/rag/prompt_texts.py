"""The wordings that a model is told: shipped files under version, or an editor's own, named by its content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

PROMPT_LANGUAGES: Final = ("de", "en")
# What a model writes when the sources do not answer.
UNSUPPORTED: Final = "[unsupported]"
MARKER_FORM: Final = "[doc:N#chunk:M]"

_FOLDER: Final = Path(__file__).parent / "prompts"
_ANSWER: Final = "answer_1"
_RETRY: Final = "retry_1"
_REWRITE: Final = "rewrite_2"
_OFFER: Final = "offer_1"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A wording and the name that a turn records for it."""

    version: str
    text: str

    def filled(self, **values: object) -> str:
        """Return the text with ``{name}`` replaced by each value; other braces are text like any other."""
        text = self.text
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text


@lru_cache
def shipped_prompt(name: str, language: str) -> Prompt:
    """Return a shipped wording; ``name`` is that of its file without language and ending."""
    return Prompt(name, (_FOLDER / f"{name}.{language}.md").read_text(encoding="utf-8"))


def own_prompt(text: str) -> Prompt:
    """Return an editor's wording, named by its content: the same words always have the same name."""
    return Prompt(f"own_{sha256(text.encode()).hexdigest()[:8]}", text)


def shipped_answer_prompt(language: str) -> Prompt:
    """Return the shipped rules for answers."""
    return shipped_prompt(_ANSWER, language)


def shipped_rewrite_prompt(language: str) -> Prompt:
    """Return the shipped rules for rewriting."""
    return shipped_prompt(_REWRITE, language)


def shipped_offer_prompt(language: str) -> Prompt:
    """Return the rules for follow-up questions; nobody but us changes them."""
    return shipped_prompt(_OFFER, language)


def retry_prompt(language: str) -> Prompt:
    """Return what is said after a rejected draft; nobody but us changes it."""
    return shipped_prompt(_RETRY, language)


@dataclass(frozen=True, slots=True)
class Prompts:
    """The wordings in force, by language; a language that has none is told in English."""

    answer: Mapping[str, Prompt] = field(
        default_factory=lambda: {language: shipped_answer_prompt(language) for language in PROMPT_LANGUAGES}
    )
    rewrite: Mapping[str, Prompt] = field(
        default_factory=lambda: {language: shipped_rewrite_prompt(language) for language in PROMPT_LANGUAGES}
    )

    @property
    def names(self) -> str:
        """Return the names of all wordings, for the record."""
        told = [
            f"{language}:{prompt.version}" for each in (self.answer, self.rewrite) for language, prompt in each.items()
        ]
        return " ".join(told)


def prompt_language(language: str) -> str:
    """Return the language in which a model is told what to do for a question in ``language``."""
    return language if language in PROMPT_LANGUAGES else "en"
