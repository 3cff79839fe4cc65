"""Asks thousands of questions with canaries, lets the night come, looks for them everywhere; erases and looks again.

The database is one that nothing else is in: everything in it is deleted at the end.
"""

from __future__ import annotations

import io
import logging
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from celery import current_app
from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from apps.querylog import services
from apps.querylog.exporting import as_csv, as_xlsx
from apps.querylog.models import Conversation, Turn
from apps.querylog.ownership import new_token
from apps.querylog.privacy.canaries import Asked, conversations, tokens
from apps.querylog.privacy.searching import (
    Leak,
    leaks_in,
    leaks_in_files,
    leaks_in_queue,
    leaks_in_tables,
    rows_of,
    tables,
)
from apps.querylog.retention import conversation_delete
from apps.rag.events import Decided, Done, Notice
from apps.rag.types import Decision, NoticeKind, Outcome

# What runs at night, by name: an app that is not there is left out.
_NIGHT: Final = ("querylog.expire", "topics.place", "topics.night", "topics.gaps", "answering.cache_tidy")
# Every so many conversations go the whole way, as a reader's browser would.
_BY_PAGE: Final = 60
_PAGES: Final = 400


@dataclass(frozen=True, slots=True)
class Checked:
    """What was asked and searched, and what came to light."""

    conversations: int
    canaries: int
    planted: int
    tables: int
    pages: int
    nightly: tuple[str, ...]
    leaks: tuple[Leak, ...]
    left: tuple[Leak, ...]

    @property
    def masked_found(self) -> int:
        """Canaries that had to be masked, anywhere."""
        return sum(leak.count for leak in self.leaks if leak.is_masked_kind)

    @property
    def loose_found(self) -> int:
        """Loose canaries outside of the tables that keep readers' masked words."""
        return sum(leak.count for leak in self.leaks if not leak.is_masked_kind)

    @property
    def left_found(self) -> int:
        """Canaries of any kind after all conversations were erased."""
        return sum(leak.count for leak in self.left)

    @property
    def is_clean(self) -> bool:
        return not (self.leaks or self.left)


def privacy_check(count: int, planted: int, *, say: Callable[[str], None]) -> Checked:
    """Run the whole check on the current database, which must hold nothing that anybody needs."""
    asked = list(conversations(count, planted))
    masked, loose = tokens(asked)
    since = time.time() - 1
    with _logged() as log, _at_once():
        say(f"{len(asked)} conversations, {len(masked)} canaries to mask, {len(loose)} loose ones")
        _ask(asked)
        nightly = _night(say)
        say("Searching")
        pages = list(_pages())
        leaks = [
            *leaks_in_tables(masked, loose),
            *leaks_in_files(since, masked, loose),
            *leaks_in_queue(masked, loose),
            *(leak for name, text in pages for leak in leaks_in(f"page {name}", [text], masked, loose)),
            *_leaks_in_exports(masked),
        ]
        for conversation in Conversation.objects.all():
            conversation_delete(conversation=conversation)
        _night(say)
        left = [leak for table in tables() for leak in leaks_in(f"table {table}", rows_of(table), masked | loose, ())]
        leaks += leaks_in("log", [log.read_text(encoding="utf-8")], masked, loose)
    return Checked(
        len(asked),
        len(masked) + len(loose),
        planted,
        len(tables()),
        len(pages),
        nightly,
        tuple(leaks),
        tuple(left),
    )


@contextmanager
def _logged() -> Iterator[Path]:
    """Take down everything that is logged meanwhile, however chatty."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        handler = logging.FileHandler(path, encoding="utf-8")
        root = logging.getLogger()
        level = root.level
        root.addHandler(handler)
        root.setLevel(logging.DEBUG)
        try:
            yield path
        finally:
            root.setLevel(level)
            root.removeHandler(handler)
            handler.close()


@contextmanager
def _at_once() -> Iterator[None]:
    """Run tasks where they are queued, so that what they would do is done and searched."""
    before = current_app.conf.task_always_eager
    current_app.conf.task_always_eager = True
    try:
        yield
    finally:
        current_app.conf.task_always_eager = before


def _ask(asked: Sequence[Asked]) -> None:
    for number, each in enumerate(asked):
        if number % _BY_PAGE == 0:
            _ask_by_page(each)
        else:
            _ask_by_service(each)


def _ask_by_service(each: Asked) -> None:
    """Store the questions through the log's door, with an end that costs no search."""
    conversation = services.conversation_open(token=new_token(), language="de")
    for words in each.questions:
        turn = services.turn_start(conversation=conversation, words=words)
        services.turn_claim(turn_id=turn.pk)
        for event in (
            Decided(Decision.SEARCH_AS_IS, turn.question),
            Notice(NoticeKind.REFUSAL, "not_enough"),
            Done(Outcome.REFUSED),
        ):
            services.turn_record(turn=turn, event=event)


def _ask_by_page(each: Asked) -> None:
    """Go the way of a reader without scripts: ask, rate with words, hand over, share, export."""
    client = _browser()
    page = ""
    for words in each.questions:
        data = {"question": words, "conversation": page}
        answer = client.post(reverse("chat:ask"), data)
        page = answer["Location"].split("/conversations/")[-1].split("/")[0] if answer.status_code == 302 else page
    for turn in Turn.objects.filter(conversation__uuid=page) if page else ():
        key = [turn.uuid]
        client.post(
            reverse("chat:rate", args=key), {"verdict": "not_useful", "reasons": "wrong", "comment": each.comment}
        )
        client.post(reverse("chat:hand-over", args=key))
        client.post(reverse("chat:share", args=key))


def _browser() -> Client:
    host = next((host for host in settings.ALLOWED_HOSTS if host not in {"*", ""}), "localhost")
    # A page that breaks is searched like any other: what it says goes out.
    return Client(raise_request_exception=False, SERVER_NAME=host)


def _night(say: Callable[[str], None]) -> tuple[str, ...]:
    """Run what runs at night and return the names of what there was."""
    # A process that is no worker has not looked for the apps' tasks yet.
    current_app.loader.import_default_modules()
    names = tuple(name for name in _NIGHT if name in current_app.tasks)
    for name in names:
        say(f"Running {name}")
        current_app.tasks[name]()
    return names


def _pages() -> Iterator[tuple[str, str]]:
    """Every page that needs no number in its address: as a stranger, and as staff who may see all but words."""
    user = User.objects.create_user("privacy-check", is_staff=True)
    user.user_permissions.set(Permission.objects.exclude(codename__in=["view_question", "export_log"]))
    staff = _browser()
    staff.force_login(user)
    stranger = _browser()
    for route in sorted(set(_routes(get_resolver().url_patterns)))[:_PAGES]:
        for name, client in (("public", stranger), ("desk", staff)):
            if name == "public" and route.startswith("/admin"):
                continue
            response = client.get(route)
            if not response.streaming:
                yield f"{name} {route}", response.content.decode("utf-8", "ignore")
    user.delete()


def _routes(patterns: Iterable[Any], before: str = "/") -> Iterator[str]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from _routes(each.url_patterns, before + _fixed(each))
        elif isinstance(each, URLPattern) and not set("<(") & set(_fixed(each)) and "logout" not in _fixed(each):
            yield before + _fixed(each)


def _fixed(each: URLPattern | URLResolver) -> str:
    return str(each.pattern).removeprefix("^").removesuffix("$").replace("\\Z", "")


def _leaks_in_exports(masked: frozenset[str]) -> Iterator[Leak]:
    """What the desk may take away with words: the words are masked there too."""
    turns = list(Turn.objects.select_related("feedback"))
    for name, body in (("csv", as_csv(turns, with_words=True)), ("xlsx", as_xlsx(turns, with_words=True))):
        yield from leaks_in(f"export {name}", [_opened(body)], masked, ())


def _opened(body: bytes) -> str:
    if body[:2] != b"PK":
        return body.decode("utf-8", "ignore")
    with zipfile.ZipFile(io.BytesIO(body)) as packed:
        return " ".join(packed.read(name).decode("utf-8", "ignore") for name in packed.namelist())
