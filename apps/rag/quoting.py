"""Which sentences of a passage can stand alone as a quotation, and the header row that a table row needs."""

from __future__ import annotations

import re
from typing import Final

from apps.language.normalising import normalise
from apps.rag.types import Passage

_FEWEST_WORDS: Final = 4
_MOST_WORDS: Final = 160
_BULLET: Final = re.compile(r"[•▪◦‣●■➔➢✓*–—-]\s+")
_CLOSED: Final = re.compile(r"[.!…][\"'“”’»«)\]]*(?:\s?\[[^\[\]]{1,40}\])*$|[\"“”»«)]$")
_ASKS: Final = re.compile(r"\?[\"'“”’»«)\]]*$")
_LOWER_WORD: Final = re.compile(r"(?:^|\s)[a-zäöüß]{2,}")
# Words that point at the sentence before. "Das" and "es" only where a verb follows, not as an article.
_DANGLING: Final = re.compile(
    r"[\"'„“»«(]*(?:(?:Dies|Diese|Dieser|Dieses|Diesen|Diesem|Jene[rsnm]?|Er|Deren|Dessen|Letztere[rsnm]?"
    r"|Dabei|Dadurch|Dafür|Dagegen|Daher|Dahinter|Damit|Daran|Darauf|Daraus|Darin|Darüber|Darum|Darunter"
    r"|Davon|Dazu|Deshalb|Deswegen|Demnach|Hierbei|Hierdurch|Hierfür|Hiermit|Hierzu|Infolgedessen|Stattdessen"
    r"|These|Those|They|He|She|Therefore|Thus|Hence)\b"
    # "Sie" with a singular verb; with a plural one it may be the reader who is addressed.
    r"|Sie\s(?!sind\b)\w*[^\Wn]\b"
    # "Das wollen wir" but not "Das neue Gesetz", "Das von uns geforderte Gesetz".
    r"|Das\s(?!(?:\w+e|von|in|im|für|zu|bei|auf|an|am|durch|mit|nach|vom|zum|zur|aus)\s)[a-zäöüß]+\b"
    r"|(?:Das|Es|It|This|That)\s(?:ist|sind|war|waren|wird|wurde|würde|hatte|heißt|bedeutet|gilt|führt|soll|sollte|könnte"
    r"|möchte|kann|muss|macht|schafft|stärkt|is|was|will|has|had|means|can|would)\b)"
)
_LEADS_ON: Final = re.compile(r"Es (?:ist|war|wird|soll|kann|muss)\b.*\b(?:dass|zu|ob)\b")


def quoted_span(passage: Passage, start: int, end: int) -> tuple[int, int]:
    """Return the span without blanks around it and without the bullet of a list item."""
    text = passage.text[start:end]
    start += len(text) - len(text.lstrip())
    end -= len(text) - len(text.rstrip())
    bullet = _BULLET.match(passage.text, start, end)
    return (bullet.end() if bullet else start), end


def is_row(text: str) -> bool:
    """Say whether the text is a row of a table."""
    return " | " in text


def leads_in(text: str) -> bool:
    """Say whether a sentence announces a list and can be understood without the one before it."""
    return text.endswith(":") and len(text.split()) > 1 and not points_back(text)


def is_quotable(passage: Passage, start: int, end: int, *, is_item: bool, is_led: bool = False) -> bool:
    """Say whether the span is a whole statement: no heading, no question, no fragment, no row without its header.

    An item that is shown after the sentence which leads it in (``is_led``) may be a fragment.
    """
    text = passage.text[start:end]
    words = text.split()
    if is_row(text):
        return bool(header_of(passage, start, end))
    if is_led:
        return 0 < len(words) <= _MOST_WORDS and not _ASKS.search(text) and not text.endswith(":")
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or _ASKS.search(text) or not _LOWER_WORD.search(text):
        return False
    if text.endswith(":") or not (_CLOSED.search(text) or is_item):
        return False
    return normalise(text) not in {normalise(heading) for heading in (*passage.heading_path, passage.source.title)}


def header_of(passage: Passage, start: int, end: int) -> str:
    """Return the header rows above the table row at ``start``, or "" when there are none (or it is one itself)."""
    row = passage.text[start:end].strip()
    headers = [line.strip() for line in passage.context.splitlines() if is_row(line)]
    if not headers:
        above = passage.text[:start].rstrip("\n").rsplit("\n\n", 1)[-1].splitlines()
        headers = [line.strip() for line in above if is_row(line)][:1]
    return "" if row in headers else "\n".join(headers)


def points_back(text: str) -> bool:
    """Say whether a sentence cannot be understood without the one before it."""
    return bool(_DANGLING.match(text)) and not _LEADS_ON.match(text)
