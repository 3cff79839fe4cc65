"""Small talk against questions: how much of one is recognised, how many of the other are lost over it."""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from apps.core.suites import Figure, SuiteContext, SuiteResult, suite
from apps.rag.routing import route

_SMALL_TALK: Final = ("bot_", "user_", "greeting_", "cc_")
# Utterances were written and the threshold was chosen while looking at the first half of each set.
_SEEN, _UNSEEN = 0, 1
_QUOTED: Final = re.compile(r'^\s*(?:- )?\w+: "([^"]*\?)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Line:
    """One text; ``group`` is what a half keeps together (an intent, an article), ``source`` where it comes from."""

    text: str
    group: str
    source: str

    @property
    def half(self) -> int:
        """Return the half it is in, 0 or 1: by the group's checksum, so the same everywhere."""
        return zlib.crc32(self.group.encode()) % 2


@suite("routing")
def routing(context: SuiteContext) -> SuiteResult:
    """Utterances of chitchat-de against the questions of amt24, wahl-o-mat, xquad-de and wahlbrief-faq."""
    talk = list(small_talk_lines(context.folder("chitchat-de")))
    asked = list(question_lines(context.folder))
    routes = {line.text: route(line.text) for line in (*talk, *asked)}
    context.say(f"{len(talk)} utterances, {len(asked)} questions")
    lost = [line for line in asked if routes[line.text].code]
    found = [line for line in talk if routes[line.text].code]
    figures: dict[str, Figure] = {
        "questions_lost": len(lost) / len(asked),
        "small_talk_found": len(found) / len(talk),
        "questions_lost_seen": _share(lost, asked, _SEEN),
        "questions_lost_unseen": _share(lost, asked, _UNSEEN),
        "small_talk_found_seen": _share(found, talk, _SEEN),
        "small_talk_found_unseen": _share(found, talk, _UNSEEN),
        "questions_lost_count": len(lost),
    }
    sets = Counter(line.source for line in asked)
    lost_of = Counter(line.source for line in lost)
    notes = [f"{source}: {lost_of[source]} of {count} lost" for source, count in sets.items()]
    notes += [f"{by}: {count} utterances" for by, count in Counter(routes[line.text].by for line in talk).items()]
    return SuiteResult(n=len(talk) + len(asked), figures=figures, notes=notes)


def small_talk_lines(folder: Path) -> Iterator[Line]:
    """Yield the utterances whose intent is small talk."""
    for line in (folder / "utterances.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["intent"].startswith(_SMALL_TALK):
            yield Line(row["text"], row["intent"], "chitchat-de")


def question_lines(folder: Callable[[str], Path]) -> Iterator[Line]:
    """Yield the questions, and the theses and topics of 2025 as readers might type them."""
    for pair in json.loads((folder("amt24-sachsen") / "question_answer_pairs.json").read_text(encoding="utf-8")):
        yield Line(pair["question"], pair["question"], "amt24")
    articles = json.loads((folder("xquad-de") / "xquad.de.json").read_text(encoding="utf-8"))["data"]
    for article in articles:
        for paragraph in article["paragraphs"]:
            yield from (Line(entry["question"], article["title"], "xquad-de") for entry in paragraph["qas"])
    rows = (folder("wahl-o-mat") / "btw2025-flat.jsonl").read_text(encoding="utf-8").splitlines()
    theses = dict.fromkeys((row["thesis"], row["topic"]) for row in map(json.loads, rows))
    for thesis, topic in theses:
        yield Line(thesis, thesis, "wahl-o-mat")
        yield Line(topic, thesis, "wahl-o-mat")
    for language in ("de", "en"):
        text = (folder("wahlbrief-faq") / f"{language}.yml").read_text(encoding="utf-8")
        yield from (Line(asked, asked, "wahlbrief-faq") for asked in dict.fromkeys(_QUOTED.findall(text)))


def _share(part: list[Line], whole: list[Line], half: int) -> float:
    return sum(line.half == half for line in part) / max(1, sum(line.half == half for line in whole))
