"""Does an answer on one party quote what that party says on that subject, and nothing of another party's?

The corpus is the reasons that the parties of 2025 gave in the Wahl-O-Mat, each a document of its party.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from apps.answering.services import answer_stream
from apps.answering.suites.corpora import PROGRAMMES, index_text, own_files
from apps.core.suites import Figure, SuiteContext, SuiteResult, suite
from apps.documents.embedding import vectors_cached
from apps.documents.models import Collection, Document, Party
from apps.language.normalising import fold
from apps.rag.events import Done, Event, Failed, Sentence
from apps.rag.types import AnswerContext, Outcome, Question

_TITLE: Final = "Begründungen"
# Shorter ones are shouts and jokes ("Vallah, nein."): no sentence that could be quoted.
_FEWEST_WORDS: Final = 8
# Where the short name of the data is not what people say or the page has room for.
_SHORT: Final = {"Die Gerechtigkeitspartei - Team Todenhöfer": "Team Todenhöfer", "CDU / CSU": "CDU/CSU"}


@dataclass(frozen=True, slots=True)
class Position:
    """A party asked about a subject. ``reason`` is in its own words, empty where it gave none."""

    slug: str
    party: str
    thesis: int
    topic: str
    reason: str

    @property
    def question(self) -> str:
        """The question as a reader may put it."""
        return f"Was sagt {self.party} zum Thema {self.topic}?"


@suite("positions:wahl-o-mat", needs_database=True)
def positions_wahl_o_mat(context: SuiteContext) -> SuiteResult:
    """Each of 28 parties asked about each of 38 subjects: the right reason, and nobody else's words."""
    positions = read_positions(context)
    with own_files(), vectors_cached():
        uuids = index_positions(positions, context)
        asked = positions[: int(context.options.get("questions", len(positions)))]
        counts = asyncio.run(_asked(asked, positions, uuids, context))
    return SuiteResult(n=len(asked), figures=figures(counts))


def figures(counts: Mapping[str, int]) -> dict[str, Figure]:
    """Return the figures of a run. The halves are the theses with even and with odd numbers."""
    spoken, silent = max(1, counts["spoken"]), max(1, counts["silent"])
    return {
        "right_reason": counts["right_reason"] / spoken,
        "right_reason_even": counts["right_reason_even"] / max(1, counts["spoken_even"]),
        "right_reason_odd": counts["right_reason_odd"] / max(1, counts["spoken_odd"]),
        "right_first": counts["right_first"] / spoken,
        "refused": counts["refused"] / spoken,
        "wrong_party": counts["wrong_party"],
        "silent_refused": counts["silent_refused"] / silent,
        "failed": counts["failed"],
        "asked_with_reason": counts["spoken"],
        "asked_without": counts["silent"],
        "sentences": counts["sentences"],
    }


def read_positions(context: SuiteContext) -> list[Position]:
    """Return every party's position on every thesis, thesis after thesis."""
    path = context.folder("wahl-o-mat") / "btw2025-flat.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    parties = list(dict.fromkeys(row["party"] for row in rows))
    positions = [
        Position(
            f"party-{parties.index(row['party'])}",
            _SHORT.get(row["party"], row["party"]),
            row["thesis_id"],
            row["topic"],
            row["reason"].strip().removeprefix('"').removesuffix('"').strip(),
        )
        for row in rows
    ]
    return sorted(positions, key=lambda each: each.thesis)


def judged(
    position: Position, events: Sequence[Event], reasons: Mapping[str, Sequence[str]], uuid: str
) -> Counter[str]:
    """Count what one answer got right.

    ``reasons`` are each party's words by its printed name, ``uuid`` the document that should be quoted. Whose words a
    sentence is, the reasons say: not what it cites.
    """
    last = events[-1]
    half = "even" if position.thesis % 2 == 0 else "odd"
    if isinstance(last, Failed):
        return Counter(failed=1)
    sentences = [event for event in events if isinstance(event, Sentence)]
    answered = isinstance(last, Done) and last.outcome is Outcome.ANSWERED and bool(sentences)
    counts = Counter(
        sentences=len(sentences),
        wrong_party=sum(
            sentence.group != position.party or not any(sentence.text in own for own in reasons[position.party])
            for sentence in sentences
        ),
    )
    if not position.reason:
        return counts + Counter(silent=1, silent_refused=int(not answered))
    if len(position.reason.split()) < _FEWEST_WORDS:
        return counts
    cited = [{citation.source.uuid for citation in sentence.citations} for sentence in sentences]
    right = int(any(uuid in each for each in cited))
    return counts + Counter(
        {
            "spoken": 1,
            f"spoken_{half}": 1,
            "right_reason": right,
            f"right_reason_{half}": right,
            "right_first": int(bool(cited) and uuid in cited[0]),
            "refused": int(not answered),
        }
    )


def index_positions(positions: Sequence[Position], context: SuiteContext) -> dict[tuple[str, int], str]:
    """Index each reason as a document of its party; its title says nothing of the subject."""
    collection = Collection.objects.create(slug="positions", name="Positions")
    parties = {}
    for order, position in enumerate(dict.fromkeys((each.slug, each.party) for each in positions)):
        slug, name = position
        known = next((entry for entry in PROGRAMMES if fold(entry[1]) == fold(name)), None)
        aliases = [known[2], *known[3]] if known else []
        parties[slug] = Party.objects.create(slug=slug, name=name, short_name=name, aliases=aliases, order=order)
    uuids = {}
    for place, each in enumerate(positions, 1):
        if each.reason:
            uuid = index_text([each.reason], _TITLE, collection)
            Document.objects.filter(uuid=uuid).update(party=parties[each.slug], kind=Document.Kind.PROGRAMME)
            uuids[each.slug, each.thesis] = uuid
        if place % 100 == 0:
            context.say(f"{place} of {len(positions)} reasons indexed")
    return uuids


async def _asked(
    asked: Sequence[Position],
    positions: Sequence[Position],
    uuids: Mapping[tuple[str, int], str],
    context: SuiteContext,
) -> Counter[str]:
    reasons: dict[str, list[str]] = {}
    for each in positions:
        reasons.setdefault(each.party, []).append(each.reason)
    total: Counter[str] = Counter()
    for place, position in enumerate(asked, 1):
        now = AnswerContext(now=timezone.localtime())
        stream = answer_stream(question=Question(position.question), history=(), context=now)
        events = [event async for event in stream]
        counts = judged(position, events, reasons, uuids.get((position.slug, position.thesis), ""))
        if counts["wrong_party"] or (counts["spoken"] and not counts["right_reason"]):
            context.say(f"{position.question} {dict(counts)}")
        total += counts
        if place % 100 == 0:
            context.say(f"{place} of {len(asked)} questions")
    return total
