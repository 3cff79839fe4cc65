"""The data sets of the retrieval suites as parsed documents and questions; read here, indexed like any source."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unicodedata import normalize

from apps.core.suites import SuiteContext
from apps.documents.parsing.markdown import parse_markdown
from apps.documents.parsing.types import Block, BlockKind, ParsedDocument


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """One source of a data set; ``key`` is unique in it, ``party_slug`` empty where no party speaks."""

    key: str
    title: str
    parsed: ParsedDocument
    party_slug: str = ""


@dataclass(frozen=True, slots=True)
class CorpusParty:
    """A party with the names that readers use."""

    slug: str
    short_name: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CorpusQuestion:
    """A question and the document that answers it; with a span, the passage must overlap it. ``group`` names a part."""

    text: str
    key: str
    span: tuple[int, int] | None = None
    group: str = ""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Everything a retrieval suite needs."""

    documents: tuple[CorpusDocument, ...]
    questions: tuple[CorpusQuestion, ...]
    parties: tuple[CorpusParty, ...] = ()


# The eight that stand first in the data set. BSW is not among them: most of its reasons are empty.
_PARTIES: Final = (
    ("CDU / CSU", CorpusParty("cdu-csu", "CDU/CSU", ("CDU", "CSU", "Union", "CDU und CSU", "Unionsparteien"))),
    ("AfD", CorpusParty("afd", "AfD", ("Alternative für Deutschland",))),
    ("SPD", CorpusParty("spd", "SPD", ("Sozialdemokraten", "Sozialdemokratische Partei Deutschlands"))),
    ("GRÜNE", CorpusParty("gruene", "Grüne", ("Grünen", "Bündnis 90/Die Grünen"))),
    ("Die Linke", CorpusParty("linke", "Die Linke", ("Linke", "Linkspartei"))),
    ("SSW", CorpusParty("ssw", "SSW", ("Südschleswigscher Wählerverband",))),
    ("FDP", CorpusParty("fdp", "FDP", ("Liberale", "Freie Demokraten"))),
    ("FREIE WÄHLER", CorpusParty("freie-waehler", "Freie Wähler", ("Freien Wähler",))),
)


def _paragraph(text: str) -> ParsedDocument:
    """One block and nothing else, so that the data set's offsets stay right."""
    return ParsedDocument(blocks=(Block(BlockKind.PARAGRAPH, text),), language="de")


def xquad(context: SuiteContext) -> Corpus:
    """Each paragraph of XQuAD a document under its article's title."""
    articles = json.loads((context.folder("xquad-de") / "xquad.de.json").read_text(encoding="utf-8"))["data"]
    documents, questions = [], []
    for article in articles:
        for number, paragraph in enumerate(article["paragraphs"]):
            key = f"{article['title']}-{number}"
            documents.append(CorpusDocument(key, "", _paragraph(paragraph["context"])))
            questions += [CorpusQuestion(asked["question"], key) for asked in paragraph["qas"]]
    return Corpus(tuple(documents), tuple(questions))


def amt24(context: SuiteContext) -> Corpus:
    """930 pages of a citizens' service; a page is found by its best chunk."""
    folder = context.folder("amt24-sachsen")
    pairs = json.loads((folder / "question_answer_pairs.json").read_text(encoding="utf-8"))
    documents = tuple(_page(path) for path in sorted((folder / "docs").glob("*.md")))
    # Some file systems split umlauts into letter and mark, the questions do not.
    questions = (CorpusQuestion(pair["question"], normalize("NFC", pair["source_document"])) for pair in pairs)
    return Corpus(documents, tuple(questions))


def _page(path: Path) -> CorpusDocument:
    parsed = parse_markdown(path.read_bytes(), name=path.name)
    return CorpusDocument(normalize("NFC", path.name), parsed.title or path.stem.replace("_", " "), parsed)


def legalquad(context: SuiteContext) -> Corpus:
    """200 long judgments; a passage must overlap the span of the answer."""
    entries = json.loads((context.folder("legalquad-de") / "LegalQuAD.json").read_text(encoding="utf-8"))["data"]
    documents, questions = [], []
    for number, entry in enumerate(entries):
        for paragraph in entry["paragraphs"]:
            key = f"{number}-{paragraph['document_id']}"
            documents.append(CorpusDocument(key, "", _paragraph(paragraph["context"])))
            for asked in paragraph["qas"]:
                start = asked["answers"][0]["answer_start"]
                span = (start, start + len(asked["answers"][0]["text"]))
                questions.append(CorpusQuestion(asked["question"], key, span))
    return Corpus(tuple(documents), tuple(questions))


def wahl_o_mat(context: SuiteContext) -> Corpus:
    """The reasons of eight large parties on 38 theses of 2025; the question names the party in words."""
    path = context.folder("wahl-o-mat") / "btw2025-flat.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    parties = dict(_PARTIES)
    documents, questions = [], []
    for row in rows:
        party = parties.get(row["party"])
        if party is None:
            continue
        key = f"{party.slug}-{row['thesis_id']}"
        documents.append(CorpusDocument(key, "", _paragraph(row["reason"]), party.slug))
        questions.append(CorpusQuestion(f"{party.short_name}: {row['thesis']}", key, group="thesis"))
        questions.append(CorpusQuestion(f"{party.short_name}: {row['topic']}", key, group="topic"))
    return Corpus(tuple(documents), tuple(questions), tuple(parties.values()))


READERS: Final[dict[str, Callable[[SuiteContext], Corpus]]] = {
    "xquad-de": xquad,
    "amt24": amt24,
    "legalquad": legalquad,
    "wahl-o-mat": wahl_o_mat,
}
