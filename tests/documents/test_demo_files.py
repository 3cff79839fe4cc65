"""The demo corpus keeps its promises: files, parties, topics with deliberate gaps, counts, gold snippets."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from apps.documents.parsing.formats import parse
from apps.documents.parsing.types import BlockKind, ParsedDocument

DEMO = Path(__file__).parents[2] / "apps" / "documents" / "demo"
ELECTION = date(2027, 2, 28)
NEWEST_NEWS = date(2026, 11, 27)
KINDS = {"programme", "news", "opinion", "explainer", "data"}
BINARY = {".pdf", ".docx", ".xlsx"}
DEADLINES = [
    "spätestens am zweiten Tag vor der Wahl um 15 Uhr bei der Gemeindebehörde",
    "bis zum Wahltag um 15 Uhr: bei nachgewiesener plötzlicher Erkrankung",
    "spätestens am Wahltag um 18 Uhr bei der Stelle sein",
    "spätestens am 21. Tag vor der Wahl bei der zuständigen Gemeinde",
]


def load(name: str) -> Any:
    return json.loads((DEMO / name).read_text(encoding="utf-8"))


MANIFEST = load("manifest.json")
DOCUMENTS: dict[str, dict[str, Any]] = {document["slug"]: document for document in MANIFEST["documents"]}
PARTIES: dict[str, dict[str, Any]] = {party["slug"]: party for party in load("parties.json")}
TOPICS: list[dict[str, Any]] = load("topics.json")
QUESTIONS: list[dict[str, Any]] = load("questions.json")
ANSWERED = [question for question in QUESTIONS if question["has_answer"]]
PROGRAMMES = {document["party"]: slug for slug, document in DOCUMENTS.items() if document["kind"] == "programme"}
GAPS = [(topic["slug"], party, topic) for topic in TOPICS for party in topic["silent"]]
STORIES = [document for document in DOCUMENTS.values() if document["kind"] == "news" and "items" not in document]
FEED_ITEMS = [item for document in DOCUMENTS.values() for item in document.get("items", [])]


@cache
def parsed(slug: str) -> ParsedDocument:
    path = DEMO / DOCUMENTS[slug]["path"]
    return parse(path.read_bytes(), name=path.name)


@cache
def text(slug: str) -> str:
    return " ".join(" ".join(block.text for block in parsed(slug).blocks).split())


@cache
def sections(slug: str) -> dict[str, str]:
    """Heading -> the text under it, as far as the next heading."""
    found: dict[str, list[str]] = {}
    under: list[str] = []
    for block in parsed(slug).blocks:
        if block.kind == BlockKind.HEADING:
            under = found.setdefault(" ".join(block.text.split()), [])
        else:
            under.append(block.text)
    return {heading: " ".join(" ".join(texts).split()) for heading, texts in found.items()}


def words(passage: str) -> int:
    return len(re.findall(r"\w[\w.,-]*", passage))


@pytest.mark.parametrize("slug", DOCUMENTS)
def test_every_document_has_a_file_and_its_labels(slug: str) -> None:
    document = DOCUMENTS[slug]
    assert (DEMO / document["path"]).is_file()
    assert document["kind"] in KINDS
    assert document["collection"] in {collection["slug"] for collection in MANIFEST["collections"]}
    assert document["party"] is None or document["party"] in PARTIES
    assert all(document[field] for field in ("title", "publisher", "aspects", "region"))
    assert document["address"].startswith("https://example.org/")
    assert date.fromisoformat(document["published"]) <= NEWEST_NEWS
    assert date.fromisoformat(document["valid_from"]) <= date.fromisoformat(document["published"])


def test_no_file_is_left_out_of_the_manifest() -> None:
    folders = {DEMO / Path(document["path"]).parent for document in DOCUMENTS.values()}
    on_disk = {str(file.relative_to(DEMO)) for folder in folders for file in folder.iterdir() if file.is_file()}
    assert on_disk == {document["path"] for document in DOCUMENTS.values()}


def test_the_guide_loads_first_then_the_programmes() -> None:
    assert next(iter(DOCUMENTS)) == "wahlleitfaden"
    assert [document["kind"] for document in list(DOCUMENTS.values())[1:6]] == ["programme"] * 5


def test_the_collections_say_how_to_treat_them() -> None:
    collections = {collection["slug"]: collection for collection in MANIFEST["collections"]}
    assert collections["nachrichten"]["recency_half_life_days"] == 14
    assert {collection["chunking"] for collection in collections.values()} == {"sections", "semantic"}
    assert [slug for slug, collection in collections.items() if collection["visibility"] == "desk"] == ["redaktion"]
    assert all(collection["lexical_weight"] > 0 and collection["name"] for collection in collections.values())


def test_the_committed_binaries_stay_small() -> None:
    assert sum(file.stat().st_size for file in DEMO.rglob("*") if file.suffix in BINARY) < 1_000_000


def test_the_formats_exercise_the_parsers() -> None:
    suffixes = {Path(document["path"]).suffix for document in DOCUMENTS.values()}
    assert suffixes == {".pdf", ".docx", ".html", ".md", ".xml", ".csv", ".xlsx"}
    assert sorted(Path(DOCUMENTS[slug]["path"]).suffix for slug in PROGRAMMES.values()) == [
        ".docx",
        ".html",
        ".md",
        ".pdf",
        ".pdf",
    ]


def test_parties_have_names_that_do_not_collide() -> None:
    assert [party["order"] for party in PARTIES.values()] == [1, 2, 3, 4, 5]
    claimed: list[str] = []
    for party in PARTIES.values():
        assert re.fullmatch(r"#[0-9A-F]{6}", party["colour"])
        assert len(party["aliases"]) >= 5
        claimed += [party["name"], party["short_name"], party["lead_candidate"], *party["aliases"]]
    folded = [name.casefold() for name in claimed]
    assert len(folded) == len(set(folded))


def test_each_lead_candidate_appears_in_the_party_programme() -> None:
    for slug, party in PARTIES.items():
        assert party["lead_candidate"] in text(PROGRAMMES[slug])


@pytest.mark.parametrize("party", PARTIES)
def test_a_programme_has_the_promised_size(party: str) -> None:
    slug = PROGRAMMES[party]
    bodies = [body for body in sections(slug).values() if words(body) >= 60]
    assert 15 <= len(bodies) <= 30
    assert 2_200 <= words(text(slug)) <= 3_500
    assert all(words(body) <= 210 for body in bodies)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic["slug"])
def test_every_party_speaks_on_a_topic_or_is_marked_silent(topic: dict[str, Any]) -> None:
    assert set(topic["sections"]) | set(topic["silent"]) == set(PARTIES)
    assert not set(topic["sections"]) & set(topic["silent"])
    for party, headings in topic["sections"].items():
        assert topic["aspect"] in DOCUMENTS[PROGRAMMES[party]]["aspects"]
        for heading in headings:
            body = sections(PROGRAMMES[party])[heading].casefold()
            assert re.search(r"\d", body), f"{heading} gives no figure"
        spoken = " ".join(sections(PROGRAMMES[party])[heading].casefold() for heading in headings)
        assert any(word in spoken for word in topic["words"]), f"{party} has no word of {topic['slug']}"


def test_there_are_twelve_topics_and_three_gaps() -> None:
    assert len(TOPICS) == 12
    assert [(topic, party) for topic, party, _ in GAPS] == [
        ("rente", "sternwarte"),
        ("verteidigung", "brueckenbund"),
        ("digitales", "fachwerk"),
    ]


@pytest.mark.parametrize(("slug", "party", "topic"), GAPS, ids=[gap[0] for gap in GAPS])
def test_a_silent_party_says_nothing_on_the_topic(slug: str, party: str, topic: dict[str, Any]) -> None:
    programme = text(PROGRAMMES[party]).casefold()
    assert [word for word in topic["words"] if re.search(rf"\b{word}", programme)] == []
    assert topic["aspect"] not in DOCUMENTS[PROGRAMMES[party]]["aspects"], slug


def test_there_are_twenty_news_and_two_opinions_of_the_promised_length() -> None:
    assert len(STORIES) + len(FEED_ITEMS) == 20
    opinions = [document for document in DOCUMENTS.values() if document["kind"] == "opinion"]
    assert len(opinions) == 2
    assert all(document["author"] for document in opinions)
    for document in STORIES + opinions:
        assert 120 <= words(text(document["slug"])) <= 240, document["slug"]


def test_news_dates_lie_before_the_election() -> None:
    dates = [date.fromisoformat(story["published"]) for story in STORIES + FEED_ITEMS]
    assert max(dates) == NEWEST_NEWS
    assert min(dates) > ELECTION - timedelta(weeks=26)
    assert MANIFEST["election"]["date"] == ELECTION.isoformat()
    assert ELECTION.isoweekday() == 7


def test_newer_news_name_the_story_they_replace() -> None:
    stories = {story["slug"]: story for story in STORIES + FEED_ITEMS}
    replaced = [(story, stories[story["supersedes"]]) for story in stories.values() if "supersedes" in story]
    assert len(replaced) >= 5
    assert all(newer["published"] > older["published"] for newer, older in replaced)


def test_every_poll_adds_up_to_one_hundred() -> None:
    _, *rows = (DEMO / "daten" / "umfragen.csv").read_text(encoding="utf-8").splitlines()
    for row in rows:
        assert sum(map(int, row.split(";")[3:9])) == 100, row


def test_the_latest_poll_says_the_same_in_the_table_and_in_the_news() -> None:
    shares = (DEMO / "daten" / "umfragen.csv").read_text(encoding="utf-8").splitlines()[-1].split(";")
    assert shares[0] == NEWEST_NEWS.isoformat()
    assert f"erreicht er {shares[3]} Prozent" in text("kurier-feed")
    assert f"kommt auf {shares[4]} Prozent" in text("kurier-feed")


@pytest.mark.parametrize("slug", ["wahlleitfaden", "voting-guide-en"])
def test_the_guide_is_dated_and_carries_its_legal_basis(slug: str) -> None:
    assert 1_500 <= words(text(slug)) <= 2_500
    assert "2025" in text(slug)[:500]
    law = r"§ \d+|Art\. \d+" if slug == "wahlleitfaden" else r"[Ss]ections? \d+|Article \d+"
    bodies = [body for body in sections(slug).values() if words(body) >= 60]
    assert all(re.search(law, body) for body in bodies)


def test_the_guide_gives_the_same_sections_of_law_in_both_languages() -> None:
    for law in ("BWahlG", "BWO", "WahlPrüfG", "StGB"):
        assert law in text("wahlleitfaden")
        assert law in text("voting-guide-en")
    german = set(re.findall(r"§ (\d+a?)", text("wahlleitfaden")))
    english = set(re.findall(r"(?:[Ss]ections? |, |and )(\d+a?) ?(?:\(|BW|St|Wa)", text("voting-guide-en")))
    assert english <= german
    assert len(german - english) <= 3


@pytest.mark.parametrize("sentence", DEADLINES)
def test_the_guide_states_the_deadlines(sentence: str) -> None:
    assert sentence in text("wahlleitfaden")


def test_there_are_enough_questions_of_each_sort() -> None:
    assert len(ANSWERED) >= 60
    assert len(QUESTIONS) - len(ANSWERED) == 20
    assert sum(question["language"] == "en" for question in ANSWERED) == 12
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)
    assert len({question["question"] for question in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize("question", ANSWERED, ids=lambda question: question["id"])
def test_the_gold_snippet_is_in_the_expected_document(question: dict[str, Any]) -> None:
    assert question["snippet"] in text(question["document"])
    assert question["party"] == DOCUMENTS[question["document"]]["party"]
    items = {item["slug"] for item in DOCUMENTS[question["document"]].get("items", [])}
    assert question.get("item") in items if items else "item" not in question


def test_questions_without_an_answer_say_why() -> None:
    unanswered = [question for question in QUESTIONS if not question["has_answer"]]
    assert {question["why"] for question in unanswered} == {"silent", "not_mentioned", "off_topic"}
    silent = {(question["topic"], question["party"]) for question in unanswered if question["why"] == "silent"}
    assert silent == {(topic, party) for topic, party, _ in GAPS}


def test_curated_links_point_to_known_parties_and_topics() -> None:
    links = load("curated_links.json")
    assert len({link["address"] for link in links}) == len(links) >= 8
    for link in links:
        assert link["title"]
        assert len(link["teaser"]) <= 300
        assert set(link["parties"]) <= set(PARTIES)
        assert set(link["topics"]) <= {topic["slug"] for topic in TOPICS} | {"wahlhilfe"}
