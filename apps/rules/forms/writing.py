"""How phrases and words are written in a text field, one a line, and read back. Pure; chips write the same signs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from apps.rules.types import ALTERNATIVES, Phrase, Slot, WordMode

# Before a phrase that only counts as it stands.
EXACT_SIGN: Final = "="
ENDING_SIGN: Final = "*"
QUOTES: Final = '"„“”»«'
# Between the headings of a section's path.
PATH_SIGN: Final = " › "


def phrases_text(phrases: Iterable[Phrase]) -> str:
    """Return phrases one a line; those without similar questions begin with ``=``."""
    lines = ((" ".join(phrase.text.split()).lstrip(f"{EXACT_SIGN} "), phrase.is_fuzzy) for phrase in phrases)
    return "\n".join(text if is_fuzzy else f"{EXACT_SIGN} {text}" for text, is_fuzzy in lines)


def phrases_read(text: str) -> tuple[Phrase, ...]:
    """Read what ``phrases_text`` wrote. Blank lines are dropped, runs of white space become one space."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return tuple(_phrase(line) for line in lines if line.lstrip(f"{EXACT_SIGN} "))


def _phrase(line: str) -> Phrase:
    if line.startswith(EXACT_SIGN):
        return Phrase(line.lstrip(f"{EXACT_SIGN} "), is_fuzzy=False)
    return Phrase(line)


def slots_text(slots: Iterable[Slot]) -> str:
    """Return slots one a line: ``word`` in any form, ``"word"`` exactly, ``word*`` starts, ``*word`` ends."""
    return "\n".join(_slot_text(slot) for slot in slots)


def _slot_text(slot: Slot) -> str:
    # Signs at the edges mean nothing to the engine, but another mode to this field.
    text = " ".join(slot.text.split()).strip(f"{QUOTES}{ENDING_SIGN} ")
    match slot.mode:
        case WordMode.EXACTLY:
            return f'"{text}"'
        case WordMode.STARTS:
            return f"{text}{ENDING_SIGN}"
        case WordMode.ENDS:
            return f"{ENDING_SIGN}{text}"
        case _:
            return text


def slots_read(text: str) -> tuple[Slot, ...]:
    """Read what ``slots_text`` wrote. The sign of the first alternative holds for the whole line."""
    slots = (_slot(" ".join(line.split())) for line in text.split("\n"))
    return tuple(slot for slot in slots if slot.text)


def _slot(line: str) -> Slot:
    words = [part.strip() for part in line.split(ALTERNATIVES)]
    bare = [word.strip(f"{QUOTES}{ENDING_SIGN} ") for word in words]
    said = f" {ALTERNATIVES} ".join(word for word in bare if word)
    first = next((word for word in words if word), "")
    if len(line) > 1 and line[0] in QUOTES and (line[-1] in QUOTES or first[-1] in QUOTES):
        return Slot(said, WordMode.EXACTLY)
    if first.startswith(ENDING_SIGN):
        return Slot(said, WordMode.ENDS)
    if first.endswith(ENDING_SIGN) or line.endswith(ENDING_SIGN):
        return Slot(said, WordMode.STARTS)
    return Slot(said)


def path_text(path: Iterable[str]) -> str:
    """Return a section's path as one line."""
    return PATH_SIGN.join(path)


def path_read(text: str) -> tuple[str, ...]:
    """Read what ``path_text`` wrote."""
    return tuple(part.strip() for part in text.split(PATH_SIGN.strip()) if part.strip())


def words_read(text: str) -> tuple[str, ...]:
    """Read words between commas, each once, in their order."""
    return tuple(dict.fromkeys(word for word in (part.strip() for part in text.replace(";", ",").split(",")) if word))
