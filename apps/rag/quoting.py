"""Which sentences of a passage can stand alone as a quotation, and the header row that a table row needs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from apps.language.abbreviations import MONTHS
from apps.language.normalising import normalise
from apps.rag.types import Passage

# Sentences and headings that are kept as they are compared: many questions read the same ones.
_TEXTS_KEPT: Final = 12_000
_FEWEST_WORDS: Final = 4
_MOST_WORDS: Final = 160
_BULLET: Final = re.compile(r"[•▪◦‣●■➔➢✓*–—-]\s+")
# "5. Den Wahlbrief abschicken", but no date: "5. Januar".
_MONTH: Final = "|".join(sorted(MONTHS["de"] | MONTHS["en"], key=len, reverse=True))
_NUMBER: Final = re.compile(rf"\d{{1,2}}[.)]\s+(?!(?:{_MONTH})\b)(?=\S)", re.IGNORECASE)
_COUNTED: Final = re.compile(r"\d[.)]\s+\Z")
# What goes on behind the end of a page: "Auszubildende, Praktikanten und".
_UNFINISHED: Final = re.compile(
    r"(?:,|\b(?:und|oder|sowie|die|der|das|den|dem|des|ein|eine|einen|einem|einer|eines|in|im|mit|von|vom|für|zum|zur|bei"
    r"|durch|als|wie|dass|wenn|and|or|the|a|an|of|with|for|to|by))$"
)
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
_INTENT: Final = {
    "de": re.compile(
        r"\b[Ww]ir (?!sind\b|haben\b|leben\b|wissen\b|sehen\b|glauben\b|stehen\b|brauchen\b|waren\b|hatten\b|kennen\b)"
        r"|\b\w+(?:en|eln|ern) wir\b|\b(?:soll|sollen|muss|müssen|darf|dürfen)\b|\bmit uns\b"
        r"|\b(?:steigt|steigen|sinkt|sinken|bleibt|bleiben|entfällt|entfallen|erhält|erhalten|bekommt|bekommen|zahlt|zahlen)\b"
    ),
    "en": re.compile(r"\b(?:we|We) (?!are\b|have\b|know\b|see\b|believe\b|live\b)|\b(?:shall|should|must|will)\b"),
}
# "In der Umfrage erreicht er 26 Prozent": who that is, the sentence before says.
_HE: Final = re.compile(r"[^,;:–]*?\s(?:\w+t|\w+te|ist|war|wird|will|kann|soll|muss|darf) er\b")
_LEADS_ON: Final = re.compile(r"Es (?:ist|war|wird|soll|kann|muss)\b.*\b(?:dass|zu|ob)\b")


def quoted_span(passage: Passage, start: int, end: int) -> tuple[int, int]:
    """Return the span without blanks around it and without the bullet or number of a list item."""
    text = passage.text[start:end]
    start += len(text) - len(text.lstrip())
    end -= len(text) - len(text.rstrip())
    opens_line = not passage.text[:start].rstrip(" \t") or passage.text[:start].rstrip(" \t").endswith("\n")
    mark = _BULLET.match(passage.text, start, end) or (_NUMBER.match(passage.text, start, end) if opens_line else None)
    return (mark.end() if mark else start), end


def is_unfinished(text: str) -> bool:
    """Say whether a sentence goes on in what follows it, though a page or a paragraph ends there."""
    return len(text.split()) > 1 and bool(_UNFINISHED.search(text.rstrip()))


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
    if text[0].islower() and _COUNTED.search(passage.text, 0, start):
        return False
    return _plain(text) not in map(_plain, (*passage.heading_path, passage.source.title))


@lru_cache(maxsize=_TEXTS_KEPT)
def _plain(text: str) -> str:
    return normalise(text)


def header_of(passage: Passage, start: int, end: int) -> str:
    """Return the header rows above the table row at ``start``, or "" when there are none (or it is one itself)."""
    row = passage.text[start:end].strip()
    headers = [line.strip() for line in passage.context.splitlines() if is_row(line)]
    if not headers:
        above = passage.text[:start].rstrip("\n").rsplit("\n\n", 1)[-1].splitlines()
        headers = [line.strip() for line in above if is_row(line)][:1]
    return "" if row in headers else "\n".join(headers)


def states_intent(text: str, language: str) -> bool:
    """Say whether a sentence of a programme tells what shall be done, and not how things are."""
    pattern = _INTENT.get(language)
    return bool(pattern and pattern.search(text))


def points_back(text: str) -> bool:
    """Say whether a sentence cannot be understood without the one before it."""
    return bool(_DANGLING.match(text) or _HE.match(text)) and not _LEADS_ON.match(text)
