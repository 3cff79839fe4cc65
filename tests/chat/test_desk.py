"""What the desk says and recommends, labelled as such: in the stream, after a reload, without scripts, in refusals."""

from __future__ import annotations

import re
from datetime import date

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from django.urls import reverse

from apps.chat.display import shown_link
from apps.chat.runs import turn_events
from apps.chat.viewing import Viewer
from apps.querylog import services
from apps.querylog.models import Turn
from apps.querylog.ownership import new_token
from apps.rag.desk import DeskLink
from apps.rag.events import Decided, Done, Event, Notice, Restart, Retrieved, Sentence
from apps.rag.types import Decision, NoticeKind, Outcome

from .conftest import ANSWER, SOURCE, Script, cited

pytestmark = pytest.mark.django_db(transaction=True)

LINK = DeskLink("https://www.zeitung.example/briefwahl", "Briefwahl <b>einfach</b>", "Schritt für Schritt.")
PICTURED = DeskLink("https://zeitung.example/b", "Mit Bild", picture="/sources/links/3/abc.webp")
OWN_TEXT = Notice(
    NoticeKind.DESK,
    "desk_answer",
    "Wir raten, <i>früh</i> zu beantragen.\n\nDie Post braucht Zeit.",
    signed="Politikredaktion",
    as_of=date(2026, 11, 3),
)
READ_ON = Notice(NoticeKind.DESK, "read_on", links=(LINK, PICTURED))
DESK_ANSWER: tuple[Event, ...] = (*ANSWER[:2], OWN_TEXT, *ANSWER[2:-1], READ_ON, ANSWER[-1])
REFUSAL: tuple[Event, ...] = (
    Decided(Decision.SEARCH_AS_IS, "Frage"),
    Retrieved(()),
    Notice(NoticeKind.REFUSAL, "not_enough", links=(LINK,)),
    Done(Outcome.REFUSED),
)


def page_of(reader: Client) -> str:
    reader.cookies["wegweiser_language"] = "en"
    response = reader.post(reverse("chat:ask"), {"question": "Wie beantrage ich Briefwahl?", "conversation": ""})
    return reader.get(response["Location"]).text


def make_turn() -> Turn:
    try:
        conversation = services.conversation_open(token=new_token(), language="de")
        return services.turn_start(conversation=conversation, words="Wie beantrage ich Briefwahl?")
    finally:
        connection.close()


async def collect(turn: Turn) -> list[tuple[str, str]]:
    return [(event.event, event.data) async for event in turn_events(turn, Viewer("en"))]


def test_without_scripts_the_desks_words_are_labelled_signed_and_above_the_sources(
    reader: Client, script: Script
) -> None:
    script(DESK_ANSWER)
    page = page_of(reader)
    label, words, signed, quoted = (
        page.index(text) for text in ("From our desk", "Die Post braucht Zeit.", "Politikredaktion", "<q")
    )
    assert label < words < signed < quoted
    assert "Nov. 3, 2026" in page
    assert "&lt;i&gt;früh" in page
    assert 'class="notice notice-desk"' not in page


def test_the_desks_words_are_no_quotation_and_have_no_number(reader: Client, script: Script) -> None:
    script(DESK_ANSWER)
    [desk] = re.findall(r'<section class="desk">.*?</section>', page_of(reader), re.DOTALL)
    assert "<q" not in desk
    assert 'class="cite"' not in desk


def test_links_to_read_on_are_labelled_and_below_the_sources(reader: Client, script: Script) -> None:
    script(DESK_ANSWER)
    page = page_of(reader)
    sources, label = page.index('class="sources"'), page.index("Read on, recommended by our desk")
    assert sources < label
    assert f'href="{LINK.address}"' in page
    assert "Briefwahl &lt;b&gt;einfach" in page
    assert "Schritt für Schritt." in page
    assert "zeitung.example</span>" in page


def test_pictures_come_from_us_and_from_nobody_else(reader: Client, script: Script) -> None:
    script(DESK_ANSWER)
    assert re.findall(r'<img src="([^"]*)"', page_of(reader)) == [PICTURED.picture]


def test_a_refusal_leads_with_the_links(reader: Client, script: Script) -> None:
    script(
        (*REFUSAL[:2], Notice(NoticeKind.REFUSAL, "not_enough", links=(LINK,), nearest=ANSWER[1].passages), REFUSAL[3])
    )  # type: ignore[union-attr]
    page = page_of(reader)
    assert "notice-refusal" in page
    assert page.index(LINK.address) < page.index('class="nearest"')
    assert 'class="cite"' not in page
    assert page.count("Read on, recommended by our desk") == 1


async def test_in_the_stream_the_desk_speaks_before_the_sources(script: Script) -> None:
    script(DESK_ANSWER)
    turn = await sync_to_async(make_turn)()
    events = await collect(turn)
    assert [name for name, _ in events] == ["status", "sentence", "sentence", "sentence", "answer"]
    assert "Politikredaktion" in events[1][1]
    assert "Wir raten" in events[-1][1]
    assert LINK.address in events[-1][1]
    assert (await collect(turn)) == [events[-1]]


async def test_a_restart_leaves_the_desks_words_standing(script: Script) -> None:
    script([*ANSWER[:2], OWN_TEXT, cited("Falsch."), Restart(kept=0), *ANSWER[2:]])
    turn = await sync_to_async(make_turn)()
    events = await collect(turn)
    restart = dict(events)["restart"]
    assert "Politikredaktion" in restart
    assert "Falsch." not in restart
    assert "Falsch." not in events[-1][1]
    assert events[-1][1].count("Die Post braucht Zeit.") == 1


def test_an_answer_from_before_there_were_rules_is_still_shown(reader: Client, script: Script) -> None:
    script(REFUSAL)
    page_of(reader)
    turn = Turn.objects.get()
    for item in turn.shown:
        for name in ("links", "signed", "as_of"):
            item.pop(name)
    turn.save()
    page = reader.get(reverse("chat:conversation", args=[turn.conversation.uuid])).text
    assert "notice-refusal" in page
    assert "Read on" not in page


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "//zeitung.example", ""])
def test_a_link_that_is_no_web_address_leads_nowhere(address: str) -> None:
    shown = shown_link({"address": address, "title": "a", "teaser": "", "picture": ""})
    assert shown.href == ""


def test_the_desks_words_and_the_readers_page_agree_on_sources(reader: Client, script: Script) -> None:
    script(DESK_ANSWER)
    page = page_of(reader)
    assert page.count('class="cite"') == len([event for event in ANSWER if isinstance(event, Sentence)])
    assert SOURCE.uuid in page
