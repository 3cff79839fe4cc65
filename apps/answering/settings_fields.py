"""The fields of a version in the order an editor thinks, and how two versions differ in them, in words."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final

from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.answering.models import AnswerSettings
from apps.answering.settings_checks import numbers_as_shipped
from apps.answering.settings_ranges import RANGES
from apps.rag.prompt_texts import shipped_answer_prompt, shipped_rewrite_prompt


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields that are thought of together; ``is_model`` where they only matter with a model."""

    title: Promise | str
    names: tuple[str, ...]
    is_model: bool = False
    said: Promise | str = ""


PROMPTS: Final = ("answer_prompt_de", "answer_prompt_en", "rewrite_prompt_de", "rewrite_prompt_en")
GROUPS: Final = (
    FieldGroup(gettext_lazy("Who writes"), ("model", "rewrites")),
    FieldGroup(
        gettext_lazy("What is found and read"),
        (
            "turns",
            "top_k",
            "passages_read",
            "desk_passages_read",
            "parties_compared",
            "passages_nearest",
            "links_per_party",
            "search_seconds",
        ),
    ),
    FieldGroup(
        gettext_lazy("How long a quoted answer is"),
        ("sentences", "sentences_per_party", "shown_sentences", "shown_words"),
    ),
    FieldGroup(
        gettext_lazy("From when evidence counts"),
        ("sufficient", "on_topic", "other_language", "support_floor", "other_language_floor"),
        said=gettext_lazy("The shipped values were measured. Compare both versions on questions before you go live."),
    ),
    FieldGroup(
        gettext_lazy("Limits of the model"),
        (
            "model_passages",
            "model_sentences",
            "model_tokens",
            "first_token_seconds",
            "whole_seconds",
            "rewrite_seconds",
        ),
        is_model=True,
    ),
    FieldGroup(gettext_lazy("Frequent questions"), ("cache_minutes",)),
    FieldGroup(
        gettext_lazy("What the model is told"),
        PROMPTS,
        is_model=True,
        said=gettext_lazy(
            "Every sentence is checked, whatever they say. {language}, {sentences} and {unsupported} are filled in."
        ),
    ),
)
CONTENT: Final = tuple(name for group in GROUPS for name in group.names)


class LineKind(StrEnum):
    """What became of a line of a prompt."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a difference; CUT stands for lines that are left out."""

    kind: LineKind
    text: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One field that differs: its name for people, and both values in words; ``lines`` for a prompt."""

    label: str
    before: str = ""
    after: str = ""
    lines: tuple[Line, ...] = ()


def changes_between(before: AnswerSettings | None, after: AnswerSettings | None) -> list[Change]:
    """Return what differs for readers, in the order of the form; None is what the product ships."""
    old, new = before or AnswerSettings(), after or AnswerSettings()
    shipped = numbers_as_shipped()
    changes = []
    for name in CONTENT:
        if name in PROMPTS:
            was, now = prompt_text(old, name), prompt_text(new, name)
            if was != now:
                changes.append(Change(_label(name), lines=prompt_lines(was, now)))
        elif (was := _said(old, name, shipped)) != (now := _said(new, name, shipped)):
            changes.append(Change(_label(name), was, now))
    return changes


def state_of(row: AnswerSettings) -> str:
    """Return what names the content of a version: whoever looked at one state does not write over another."""
    said = [row.title, *(str(getattr(row, name)) for name in CONTENT)]
    return sha256(repr(said).encode("utf-8", "replace")).hexdigest()[:16]


def prompt_text(row: AnswerSettings, name: str) -> str:
    """Return the rules that a version tells a model: its own, or the shipped file."""
    text: str = getattr(row, name)
    return text or shipped_text(name)


def shipped_text(name: str) -> str:
    """Return the shipped rules for a field."""
    kind, _sep, language = name.rpartition("_prompt_")
    prompt = shipped_answer_prompt(language) if kind == "answer" else shipped_rewrite_prompt(language)
    return prompt.text


def prompt_lines(before: str, after: str) -> tuple[Line, ...]:
    """Return the lines that differ, each with two around it; what lies between is cut."""
    found: list[Line] = []
    for text in difflib.unified_diff(before.splitlines(), after.splitlines(), n=2, lineterm=""):
        if text.startswith(("---", "+++")):
            continue
        kind = {"+": LineKind.ADDED, "-": LineKind.REMOVED, "@": LineKind.CUT}.get(text[:1], LineKind.SAME)
        found.append(Line(kind, "" if kind is LineKind.CUT else text[1:]))
    return tuple(found[1:] if found and found[0].kind is LineKind.CUT else found)


def _label(name: str) -> str:
    return str(AnswerSettings._meta.get_field(name).verbose_name)  # type: ignore[union-attr]


def _said(row: AnswerSettings, name: str, shipped: dict[str, float | None]) -> str:
    """A value in words; where it is empty, the shipped one."""
    if name == "model":
        return str(row.get_model_display())
    value = getattr(row, name)
    if name == "rewrites":
        return _("on") if value else _("off")
    if value is not None:
        return number_text(value)
    held = shipped.get(name)
    return _("as measured") if held is None else _("%(value)s (as shipped)") % {"value": number_text(held)}


def number_text(value: float) -> str:
    """Return a number as people write it in their language."""
    return str(localize(int(value) if float(value).is_integer() else round(float(value), 4)))


def range_text(name: str) -> str:
    """Return from what to what a number may be."""
    limits = RANGES[name]
    return _("%(least)s to %(most)s") % {"least": number_text(limits.least), "most": number_text(limits.most)}


def changed_count(row: AnswerSettings, changes: Sequence[Change] | None = None) -> int:
    """Return in how many fields a version differs from what the product ships."""
    return len(changes_between(None, row) if changes is None else changes)
