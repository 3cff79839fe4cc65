"""Phrases from real questions and templates, each with one protected term swapped or with one harmless change."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from apps.rules.suites.swap_words import ABOUT_LAWS, ABOUT_NAMES, ABOUT_NUMBERS, ABOUT_YEARS, HYPHENATED, PLURALS
from apps.rules.types import ProtectedName

# A name that fewer posts have is mostly a slip or a joke.
_FEWEST_POSTS: Final = 2
_LONGEST: Final = 300
_NEGATION: Final = re.compile(r"\b(?:nicht|keine|kein|keinen|not|no|never)\b ?", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d+")
_KEYS: Final = {"a": "s", "e": "r", "i": "o", "n": "m", "r": "t", "s": "d", "t": "z", "u": "i", "l": "k", "d": "f"}

Change = Callable[[str, Random], str | None]


@dataclass(frozen=True, slots=True)
class Pair:
    """A phrase and a question that says something else, or the same in another spelling."""

    kind: str
    phrase: str
    question: str


@dataclass(frozen=True, slots=True)
class Sources:
    """What pairs are made from: real questions and statements, topics, and names with their aliases."""

    texts: tuple[str, ...]
    topics: tuple[str, ...]
    names: tuple[ProtectedName, ...]


def read_sources(folder: Callable[[str], Path]) -> Sources:
    """Read the data sets; the same files give the same sources."""
    votes = folder("wahl-o-mat")
    theses = [_row(line)["text"] for line in _lines(votes / "theses-with-topics.jsonl")]
    topics = dict.fromkeys(_row(line)["topic"] for line in _lines(votes / "btw2025-flat.jsonl"))
    asked = json.loads((folder("amt24-sachsen") / "question_answer_pairs.json").read_text(encoding="utf-8"))
    texts = [*theses, *(pair["question"] for pair in asked)]
    for name in ("de.yml", "en.yml"):
        faq = (folder("wahlbrief-faq") / name).read_text(encoding="utf-8").split("\nquestions:", 1)[-1]
        texts += re.findall(r'- title: "([^"]+)"', faq)
    explained = folder("explainers-2025").rglob("*.md")
    for path in sorted(explained):
        texts += re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    kept = dict.fromkeys(text.strip() for text in texts if 12 <= len(text.strip()) <= _LONGEST)
    return Sources(tuple(kept), tuple(topics), _names(folder("party-mentions") / "mentions.tsv"))


def swapped_pairs(sources: Sources, count: int, seed: int = 1) -> list[Pair]:
    """Return pairs in which a name, number, year, § or negation differs, in equal parts."""
    random = Random(seed)
    kinds: Mapping[str, Callable[[Random], Pair | None]] = {
        "name": lambda each: _name_pair(sources, each),
        "number": lambda each: _number_pair(sources, each),
        "year": lambda each: _template_pair("year", ABOUT_YEARS, sources, each, _year),
        "section": lambda each: _template_pair("section", ABOUT_LAWS, sources, each, _section),
        "negation": lambda each: _negation_pair(sources, each),
    }
    return _drawn(kinds, count, random)


def harmless_pairs(sources: Sources, count: int, seed: int = 2) -> list[Pair]:
    """Return pairs that differ by a typo, umlauts, case, punctuation, a hyphen or a plural, in equal parts."""
    random = Random(seed)
    changes: Mapping[str, Change] = {
        "typo": _typo,
        "umlauts": _umlauts,
        "case": lambda text, each: each.choice((text.upper(), text.lower(), text.title())),
        "punctuation": _punctuation,
        "hyphen": _hyphen,
        "plural": _plural,
    }
    kinds = {name: _changed(name, change, sources) for name, change in changes.items()}
    return _drawn(kinds, count, random)


def _drawn(kinds: Mapping[str, Callable[[Random], Pair | None]], count: int, random: Random) -> list[Pair]:
    pairs: dict[Pair, None] = {}
    names = list(kinds)
    while len(pairs) < count:
        pair = kinds[names[len(pairs) % len(names)]](random)
        if pair is not None and pair.phrase != pair.question:
            pairs[pair] = None
    return list(pairs)


def _text(sources: Sources, random: Random) -> str:
    """A real text, or every third time one made from a template."""
    if random.random() < 2 / 3:
        return random.choice(sources.texts)
    template = random.choice((*ABOUT_NAMES, *ABOUT_YEARS, *ABOUT_NUMBERS, *ABOUT_LAWS, *HYPHENATED))
    return _filled(template, sources, random)


def _filled(template: str, sources: Sources, random: Random, **given: str) -> str:
    values = {
        "name": random.choice(random.choice(sources.names).aliases[:8]),
        "topic": random.choice(sources.topics),
        "year": str(random.randint(1998, 2029)),
        "number": str(random.randint(2, 250)),
        "section": f"§ {random.randint(1, 300)}",
    }
    return template.format(**(values | given))


def _name_pair(sources: Sources, random: Random) -> Pair | None:
    """Two aliases of two names in one sentence; the frequent aliases come first and are drawn as often as others."""
    first, second = random.sample(sources.names, 2)
    left, right = random.choice(first.aliases), random.choice(second.aliases)
    # Some aliases are said of two names ("Ampel"): no swap.
    if {left.casefold(), right.casefold()} & _shared(sources.names):
        return None
    state = random.getstate()
    template = random.choice(ABOUT_NAMES)
    phrase = _filled(template, sources, random, name=left)
    random.setstate(state)
    template = random.choice(ABOUT_NAMES)
    return Pair("name", phrase, _filled(template, sources, random, name=right))


def _shared(names: Sequence[ProtectedName]) -> set[str]:
    seen: set[str] = set()
    shared: set[str] = set()
    for name in names:
        aliases = {alias.casefold() for alias in name.aliases}
        shared |= aliases & seen
        seen |= aliases
    return shared


def _number_pair(sources: Sources, random: Random) -> Pair | None:
    text = random.choice(sources.texts) if random.random() < 0.7 else ""
    if not _NUMBER.search(text):
        text = _filled(random.choice(ABOUT_NUMBERS), sources, random)
    found = random.choice(list(_NUMBER.finditer(text)))
    other = str(int(found[0][:15]) + random.choice((-1, 1, 2, 5, 10, 100)))
    return Pair("number", text, text[: found.start()] + other.lstrip("-") + text[found.end() :])


def _template_pair(
    kind: str, templates: Sequence[str], sources: Sources, random: Random, change: Callable[[str, Random], str]
) -> Pair:
    text = _filled(random.choice(templates), sources, random)
    return Pair(kind, text, change(text, random))


def _year(text: str, random: Random) -> str:
    def other(match: re.Match[str]) -> str:
        return str(int(match[0]) + random.choice((-8, -4, -1, 1, 4)))

    return re.sub(r"\b(?:19|20)\d\d\b", other, text, count=1)


def _section(text: str, random: Random) -> str:
    number = re.search(r"§ (\d+)", text)
    if number is None:
        return text
    other = str(int(number[1]) + random.choice((1, -1, 10, 100)))
    change = random.choice((f"§ {other}", f"§{other}", f"Artikel {number[1]}", f"Paragraf {other}", number[1]))
    return text.replace(number[0], change)


def _negation_pair(sources: Sources, random: Random) -> Pair:
    """Take a negation out where there is one; else put one in before a word of the second half."""
    text = random.choice(sources.texts)
    found = _NEGATION.search(text)
    if found:
        return Pair("negation", text, (text[: found.start()] + text[found.end() :]).strip())
    words = text.split(" ")
    at = random.randint(len(words) // 2, max(len(words) // 2, len(words) - 1))
    denial = random.choice(("nicht", "nicht", "kein", "keine", "nie", "niemals"))
    question = " ".join([*words[:at], denial, *words[at:]])
    return Pair("negation", *random.sample((text, question), 2))


def _changed(name: str, change: Change, sources: Sources) -> Callable[[Random], Pair | None]:
    def make(random: Random) -> Pair | None:
        text = _text(sources, random)
        if name == "hyphen" and "-" not in text:
            text = _filled(random.choice(HYPHENATED), sources, random)
        question = change(text, random)
        return None if question is None else Pair(name, text, question)

    return make


def _typo(text: str, random: Random) -> str | None:
    """Two letters swapped, one left out, doubled or hit beside, somewhere in a word of five letters or more."""
    words = list(re.finditer(r"[^\W\d_]{5,}", text))
    if not words:
        return None
    word = random.choice(words)
    at = random.randint(word.start(), word.end() - 2)
    kind = random.choice(("swap", "drop", "double", "beside"))
    if kind == "swap":
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    if kind == "drop":
        return text[:at] + text[at + 1 :]
    if kind == "double":
        return text[:at] + text[at] + text[at:]
    return text[:at] + _KEYS.get(text[at], "x") + text[at + 1 :]


def _umlauts(text: str, random: Random) -> str | None:
    spelled = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}
    return "".join(spelled.get(letter, letter) for letter in text) if set(text) & set(spelled) else None


def _punctuation(text: str, random: Random) -> str:
    bare = text.rstrip(".?! ")
    return random.choice((bare, f"{bare}??", f"{bare} ?", f"„{bare}“", f"{bare} ...", bare.replace(",", "")))


def _hyphen(text: str, random: Random) -> str | None:
    return re.sub(r"(?<=\w)-(?=\w)", random.choice(("", " ", "\u2011")), text) if "-" in text else None


def _plural(text: str, random: Random) -> str | None:
    found = [(match, PLURALS[match[0]]) for match in re.finditer(r"[^\W\d_]+", text) if match[0] in PLURALS]
    if not found:
        return None
    match, other = random.choice(found)
    return text[: match.start()] + other + text[match.end() :]


def _names(path: Path) -> tuple[ProtectedName, ...]:
    aliases: dict[str, dict[str, None]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            is_name = row["mention_type"] == "plain" and re.search(r"[^\W\d_]{2}", row["surface"] or "")
            if is_name and row["entity"] and int(row["count"]) >= _FEWEST_POSTS:
                aliases.setdefault(row["entity"], {})[row["surface"]] = None
    return tuple(ProtectedName(key, tuple(found)) for key, found in sorted(aliases.items()))


def _lines(path: Path) -> Iterator[str]:
    yield from path.read_text(encoding="utf-8").splitlines()


def _row(line: str) -> Mapping[str, str]:
    row: Mapping[str, str] = json.loads(line)
    return row
