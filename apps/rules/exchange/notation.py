"""How lists stand in one cell: an item per line, readable, and always read back as what was written. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from apps.rules.serialising import RuleFormatError, gettext_noop

Json = Any

_SCOPES: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], dict[str, Json]]], ...]] = (
    (re.compile(r"first (\d{1,9})"), lambda found: {"scope": "first", "last": int(found[1])}),
    (
        re.compile(r"passages (\d{1,9})-(\d{1,9})"),
        lambda found: {"scope": "range", "first": int(found[1]), "last": int(found[2])},
    ),
    (re.compile(r"section (.+)", re.DOTALL), lambda found: {"scope": "section", "path": found[1].split(" > ")}),
    (re.compile(r"at most (\d{1,9}) tokens"), lambda found: {"most_tokens": int(found[1])}),
)
_NEED: Final = re.compile(r"(?:at least |mindestens )?(\d{1,9})(?:\.0+)?\s?(%|percent|Prozent)?", re.IGNORECASE)
_WHOLE: Final[dict[str, Json]] = {
    "scope": "full",
    "first": None,
    "last": None,
    "path": [],
    "most_tokens": None,
    "title": "",
}


def write_lines(items: Sequence[Json], write: Callable[[Json], str], read: Callable[[str], Json]) -> str:
    """Return the items, one per line; an item that would not be read back as it is stands there as JSON."""
    return "\n".join(_line(item, write, read) for item in items)


def read_lines(cell: str, read: Callable[[str], Json]) -> list[Json]:
    """Return the items of a cell. Lines without text count for nothing."""
    return [_item(line.strip(), read) for line in cell.split("\n") if line.strip()]


def write_words(words: Sequence[str]) -> str:
    """Return short words with commas between them; one per line where a word holds a comma or a quotation mark."""
    joined = ", ".join(words)
    if read_words(joined) == list(words):
        return joined
    return "\n".join(json.dumps(word, ensure_ascii=False) for word in words)


def read_words(cell: str) -> list[str]:
    """Return words that commas or lines part. A line in double quotation marks is one word as JSON writes it."""
    words: list[str] = []
    for line in cell.split("\n"):
        quoted = _quoted(line.strip())
        words += [word.strip() for word in line.split(",") if word.strip()] if quoted is None else [quoted]
    return words


def write_phrase(phrase: Json) -> str:
    return phrase["text"] if phrase["fuzzy"] else f"only exactly: {phrase['text']}"


def read_phrase(line: str) -> Json:
    """Read ``text`` or ``only exactly: text``."""
    mark, text = _marked(line, ("only exactly",))
    return {"text": text, "fuzzy": not mark}


def write_slot(slot: Json) -> str:
    return slot["text"] if slot["mode"] == "form" else f"{slot['mode']}: {slot['text']}"


def read_slot(line: str) -> Json:
    """Read ``text``, or with ``exactly:``, ``starts:`` or ``ends:`` before it."""
    mark, text = _marked(line, ("exactly", "starts", "ends", "form"))
    return {"text": text, "mode": mark or "form"}


def write_example(example: Json) -> str:
    stage = f" ({example['stage']})" if example["stage"] else ""
    return f"{'yes' if example['must_match'] else 'no'}{stage}: {example['question']}"


def read_example(line: str) -> Json:
    """Read ``yes: question`` or ``no: question``, with a stage as in ``yes (exact): question``."""
    stages = ("", " (exact)", " (fuzzy)", " (token)")
    mark, text = _marked(line, tuple(f"{answer}{stage}" for answer in ("yes", "no") for stage in stages))
    answer, _, stage = mark.partition(" ")
    return {"question": text, "must_match": answer != "no", "stage": stage.strip("()") or None}


def write_document(document: Json) -> str:
    parts = [document["uuid"], document["title"]]
    if document["scope"] == "first":
        parts.append(f"first {document['last']}")
    elif document["scope"] == "range":
        parts.append(f"passages {document['first']}-{document['last']}")
    elif document["scope"] == "section":
        parts.append(f"section {' > '.join(document['path'])}")
    if document["most_tokens"] is not None:
        parts.append(f"at most {document['most_tokens']} tokens")
    return " | ".join(parts).removesuffix(" | ")


def read_document(line: str) -> Json:
    """Read ``uuid | title | first 3 | at most 2000 tokens``; all but the first may be missing."""
    uuid, *rest = [part.strip() for part in line.split("|")]
    document: dict[str, Json] = {"uuid": uuid, **_WHOLE, "title": rest[0] if rest else ""}
    for part in rest[1:]:
        for pattern, values in _SCOPES:
            if found := pattern.fullmatch(part):
                document |= values(found)
                break
        else:
            sentence = gettext_noop(
                "“%(text)s” says nothing about a document. Write, for example: first 3, passages 2-5, "
                "section Heading > Heading below, at most 2000 tokens."
            )
            raise RuleFormatError(sentence, text=part[:80])
    return document


def write_need(need: Json) -> str:
    """Return ``all``, ``any``, ``at least 2`` or ``at least 50 %``; JSON for what fits none; empty for no list."""
    if need is None:
        return ""
    texts = {"count": f"at least {need['amount']}", "percent": f"at least {need['amount']} %"}
    text = texts.get(need["need"], need["need"])
    return text if read_need(text) == need else json.dumps(need)


def read_need(cell: str) -> Json:
    """Return how many slots are needed; None for an empty cell. A share as spreadsheets keep it (0.5) is 50 %."""
    text = cell.strip()
    if not text:
        return None
    if text.startswith("{"):
        return _json(text)
    if text.lower() in ("all", "any"):
        return {"need": text.lower(), "amount": None}
    if found := _NEED.fullmatch(text):
        return {"need": "percent" if found[2] else "count", "amount": int(found[1])}
    if re.fullmatch(r"0[.,]\d{1,4}", text):
        return {"need": "percent", "amount": round(float(text.replace(",", ".")) * 100)}
    sentence = gettext_noop("“%(text)s” is no number of words. Write all, any, at least 2 or at least 50 %%.")
    raise RuleFormatError(sentence, text=text[:80])


def _line(item: Json, write: Callable[[Json], str], read: Callable[[str], Json]) -> str:
    text = write(item)
    is_plain = bool(text) and text == text.strip() and "\n" not in text and text[0] not in '"{'
    try:
        if is_plain and read(text) == item:
            return text
    except RuleFormatError:
        pass
    return json.dumps(item, ensure_ascii=False)


def _item(line: str, read: Callable[[str], Json]) -> Json:
    if line.startswith("{"):
        return _json(line)
    quoted = _quoted(line)
    return read(line if quoted is None else quoted)


def _quoted(line: str) -> str | None:
    """Return the text of a JSON string; None where the quotation mark at the beginning is just one."""
    if not line.startswith('"'):
        return None
    try:
        return str(json.loads(line))
    except ValueError:
        return None


def _json(line: str) -> Json:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        sentence = gettext_noop("“%(text)s” begins like JSON and is none. Leave out the brace at its beginning.")
        raise RuleFormatError(sentence, text=line[:80]) from error


def _marked(line: str, marks: Sequence[str]) -> tuple[str, str]:
    """Split ``mark: text``; the mark is empty where the line begins with none of them."""
    mark, colon, text = line.partition(":")
    if colon and mark.strip() in marks and text.strip():
        return mark.strip(), text.strip()
    return "", line
