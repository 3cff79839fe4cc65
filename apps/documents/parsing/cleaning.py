"""One place where every parser's text loses invisible characters. Called by all parsers; pure."""

from __future__ import annotations

import re
import unicodedata

# Soft hyphen, zero-width and bidi marks, fillers, tags and variation selectors (they smuggle orders past an editor's
# eye), control characters but tab and newline, lone surrogates, non-characters.
_INVISIBLES = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84"
    "\x86-\x9f\ud800-\udfff"
)
_INVISIBLE = re.compile(f"[{_INVISIBLES}]")
# Joiners carry meaning in Arabic, Indic and Khmer writing and inside emoji; anywhere else they only hide.
_JOINER = re.compile("(?<![\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\ufb50-\ufdff])[\u200c]")
_ZWJ = re.compile(
    "(?<![\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\ufb50-\ufdff\u2190-\u2bff\ufe0f\U0001f000-\U0001faff])\u200d"
)
_EMOJI_STYLE = re.compile("(?<![0-9#*\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff])\ufe0f")
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
_MARK_PILE = re.compile(f"([{_MARKS}]{{4}})[{_MARKS}]+")
# Most text has none of all these: one search saves seven.
_SUSPECT = re.compile(f"[{_INVISIBLES}{_MARKS}\u200c\u200d\ufe0f\r\x85\u2028\u2029]")
_LINE_ENDS = re.compile("\r\n?|\x85|\u2028|\u2029")
_BLANKS = re.compile(r"[^\S\n]+")
_AROUND_NEWLINE = re.compile(r" *\n *")


def clean_text(text: str) -> str:
    """Return ``text`` in NFC without invisible characters; line ends become ``\\n``, nothing else moves."""
    if not _SUSPECT.search(text):
        return unicodedata.normalize("NFC", text)
    text = _LINE_ENDS.sub("\n", text)
    text = _INVISIBLE.sub("", text)
    text = _EMOJI_STYLE.sub("", _ZWJ.sub("", _JOINER.sub("", text)))
    return unicodedata.normalize("NFC", _MARK_PILE.sub(r"\1", text))


def squeeze(text: str, *, keep_lines: bool = False) -> str:
    """Return clean text with every run of blanks as one space, newlines too unless ``keep_lines``."""
    text = clean_text(text)
    if not keep_lines:
        return " ".join(text.split())
    return _AROUND_NEWLINE.sub("\n", _BLANKS.sub(" ", text)).strip()
