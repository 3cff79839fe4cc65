"""No page mixes languages: words of the one interface never stand on a page of the other, Django's own included."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from lxml import html

from apps.chat.models import SharedAnswer
from apps.documents.models import Collection, Document, DocumentVersion
from apps.querylog.models import Turn
from apps.rag.events import Decided, Done, Notice
from apps.rag.types import Decision, NoticeKind, Outcome
from tests.test_translations import CATALOGUE, entries

from .conftest import ANSWER, REFUSAL, SOURCE

pytestmark = pytest.mark.django_db(transaction=True)
# Words of two languages, and those that both have.
PAIRS = [(key, text) for key, (texts, *_) in entries(CATALOGUE).items() for text in texts if text and text != key]
ENGLISH = {said for said, _ in PAIRS if "%" not in said} - {said for _, said in PAIRS}
GERMAN = {said for _, said in PAIRS if said and "%" not in said} - {said for said, _ in PAIRS}
MONTHS = {
    "de": re.compile(r"\b(?:January|February|March|May|June|July|October|December)\b|\b(?:Sept|Oct|Dec)\. \d"),
    "en": re.compile(r"\b(?:Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)\b"),
}
SPOKEN = ("aria-label", "title", "placeholder", "alt", "data-done", "data-failed")


def said(element: html.HtmlElement, language: str) -> Iterator[str]:
    """Yield everything that is read or shown in the page's own language; what is marked as another's is left out."""
    if not isinstance(element.tag, str) or element.tag in ("script", "style"):
        return
    if element.get("lang", language) != language:
        return
    for name in SPOKEN:
        yield " ".join(element.get(name, "").split())
    yield " ".join((element.text or "").split())
    for child in element:
        yield from said(child, language)
        yield " ".join((child.tail or "").split())


def mixed(page: str, language: str) -> list[str]:
    """Return what stands on a page in the other language."""
    root = html.fromstring(page)
    assert root.get("lang") == language
    words = set(said(root, language)) - {""}
    other = ENGLISH if language == "de" else GERMAN
    return sorted(words & other) + [text for text in words if MONTHS[language].search(text)]


def test_the_test_sees_a_word_of_the_other_language():
    page = '<p>Ask again</p><p lang="en">Ask again</p><b title="Sources"></b>Oct. 1, 2026'
    assert mixed(f'<html lang="de"><body>{page}</body></html>', "de") == ["Ask again", "Sources", "Oct. 1, 2026"]
    assert mixed('<html lang="en"><p>Quellen</p></html>', "en") == ["Quellen"]
    assert mixed('<html lang="en"><p>Sources</p><q lang="de">Quellen</q></html>', "en") == []


CLARIFY = (
    Decided(Decision.CLARIFY, "Frage"),
    Notice(NoticeKind.CLARIFICATION, "which_subject"),
    Done(Outcome.CLARIFIED),
)


def ask(client: Client, steps, script) -> Turn:
    script(steps)
    client.post(reverse("chat:ask"), {"question": "MLP?", "conversation": ""})
    return Turn.objects.latest("pk")


def pages(client: Client, script) -> Iterator[tuple[str, str]]:
    """Every page and state that a reader can come to."""
    shelf = Collection.objects.create(slug="shelf", name="X")
    document = Document.objects.create(uuid=SOURCE.uuid, title="X", collection=shelf, published=SOURCE.published)
    document.current_version = DocumentVersion.objects.create(document=document, number=2, text="15 €, 16 €.")
    document.status = Document.Status.READY
    document.save()
    call_command("demo_guide", verbosity=0)
    yield "home", client.get("/").text
    for name, steps in (("answer", ANSWER), ("refusal", REFUSAL), ("clarify", CLARIFY), ("failed", [])):
        turn = ask(client, steps, script)
        yield name, client.get(reverse("chat:conversation", args=[turn.conversation.uuid])).text
        if name == "answer":
            client.post(reverse("chat:rate", args=[turn.uuid]), {"verdict": "not_useful"})
            client.post(reverse("chat:share", args=[turn.uuid]))
            yield "said", client.get(reverse("chat:conversation", args=[turn.conversation.uuid])).text
            yield "shared", client.get(reverse("chat:shared", args=[SharedAnswer.objects.get().key])).text
    yield "guide", client.get(reverse("chat:how-it-works")).text
    yield "source", client.get(reverse("documents:passage", args=[SOURCE.uuid, 2, 0, 4])).text
    yield "nothing", client.get("/nothing/").text
    yield "empty question", client.post(reverse("chat:ask"), {"question": " "}).text
    yield "stale", client.get("/sources/x").text


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_page_mixes_languages(script, settings, language):
    # Words of the operator are the operator's.
    settings.EXAMPLE_QUESTIONS = {"de": ["MLP?"], "en": ["MLP?"]}
    client = Client(headers={"Accept-Language": language})
    found = {name: mixed(page, language) for name, page in pages(client, script)}
    assert len(found) == 12
    assert {name: words for name, words in found.items() if words} == {}
