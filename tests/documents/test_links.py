"""Curated links: alive or dead, small pictures of our own, and what the desk sees of it."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from apps.documents import tasks
from apps.documents.fetching import Fetched, FetchError
from apps.documents.link_pictures import LARGEST_FILE, PictureError, small_picture
from apps.documents.models import CuratedLink, Party
from apps.documents.services import links as module
from apps.documents.services.links import link_check

ADDRESS = "https://zeitung.example/a"
GONE = FetchError("status", "There is no page at this address.", status=404)
NIGHT = timedelta(days=1)

Web = Callable[..., list[str]]


@pytest.fixture
def link(db: None) -> CuratedLink:
    return CuratedLink.objects.create(title="Ratgeber", address=ADDRESS)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Web:
    """Return a function that sets what the site answers; it returns the list of what was asked."""
    asked: list[str] = []

    def set_answer(error: FetchError | None = None) -> list[str]:
        def fetch(address: str, *, is_probe: bool, **_: object) -> Fetched:
            assert is_probe
            asked.append(address)
            if error is not None:
                raise error
            return Fetched(b"", "text/html", address)

        monkeypatch.setattr(module, "fetch", fetch)
        return asked

    return set_answer


def check(link: CuratedLink, *, nights: int = 1) -> str:
    """Check once a night for so many nights; return the state after the last."""
    for _ in range(nights):
        CuratedLink.objects.filter(pk=link.pk, checked_at__isnull=False).update(checked_at=timezone.now() - NIGHT)
        link.refresh_from_db()
        link_check(link=link)
    link.refresh_from_db()
    return link.state


def test_a_page_that_answers_is_alive(link: CuratedLink, web: Web) -> None:
    asked = web()
    assert check(link) == "alive"
    assert asked == [ADDRESS]
    assert link.checked_at is not None
    assert (link.failures, link.reason) == (0, "")


@pytest.mark.parametrize(
    "error",
    [
        GONE,
        FetchError("status", "The page no longer exists.", status=410),
        FetchError("status", "The site answered with error 500.", permanent=False, status=500),
        FetchError("unresolved", "The host is not known.", permanent=False),
        FetchError("timeout", "It took too long.", permanent=False),
        FetchError("tls", "The certificate is not valid."),
    ],
    ids=lambda error: f"{error.code} {error.status or ''}".strip(),
)
def test_two_bad_nights_in_a_row_make_a_link_dead_and_a_good_one_revives_it(
    link: CuratedLink, web: Web, error: FetchError
) -> None:
    web(error)
    assert check(link) == "unknown"
    assert link.reason == error.reason
    assert check(link) == "dead"
    assert check(link) == "dead"
    assert CuratedLink.objects.filter(pk=link.pk).exists()
    web()
    assert check(link) == "alive"
    assert (link.failures, link.reason) == (0, "")
    web(error)
    assert check(link) == "unknown"


@pytest.mark.parametrize(
    "error",
    [
        FetchError("status", "The page refuses to be fetched.", status=403),
        FetchError("status", "The page asks for a password.", status=401),
        FetchError("status", "The site asks to be fetched less often.", permanent=False, status=429),
        FetchError("private", "It does not lead to the public internet and is not fetched."),
    ],
    ids=lambda error: f"{error.code} {error.status or ''}".strip(),
)
def test_a_site_that_shuts_out_programs_is_not_dead(link: CuratedLink, web: Web, error: FetchError) -> None:
    web(error)
    assert check(link, nights=5) == "unknown"
    assert (link.failures, link.reason) == (0, error.reason)


def test_a_second_delivery_in_one_night_is_no_second_night(link: CuratedLink, web: Web) -> None:
    web(GONE)
    assert check(link) == "unknown"
    for _ in range(3):
        link.refresh_from_db()
        link_check(link=link)
    link.refresh_from_db()
    assert (link.state, link.failures) == ("unknown", 1)


def test_a_check_does_not_overwrite_what_an_editor_saves_meanwhile(link: CuratedLink, web: Web) -> None:
    web(GONE)
    CuratedLink.objects.update(address="https://zeitung.example/neu", title="Neu")
    link_check(link=link)
    stored = CuratedLink.objects.get()
    assert (stored.title, stored.state, stored.checked_at) == ("Neu", "unknown", None)


def test_the_nightly_task_queues_what_is_or_will_be_shown(
    db: None, monkeypatch: pytest.MonkeyPatch, link: CuratedLink
) -> None:
    queued: list[int] = []
    monkeypatch.setattr(tasks.link_check, "delay_on_commit", queued.append)
    CuratedLink.objects.create(title="alt", address=f"{ADDRESS}1", valid_until=timezone.localdate() - NIGHT)
    coming = CuratedLink.objects.create(title="neu", address=f"{ADDRESS}2", valid_from=timezone.localdate() + NIGHT)
    assert tasks.links_check() == 2
    assert queued == [link.pk, coming.pk]


def test_a_task_for_a_link_that_is_gone_ends_quietly(link: CuratedLink, web: Web) -> None:
    web()
    assert tasks.link_check(link.pk) == "alive"
    link.delete()
    assert tasks.link_check(link.pk or 0) == "gone"


def test_the_check_is_in_the_timetable(settings: object) -> None:
    planned = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}  # type: ignore[attr-defined]
    assert tasks.links_check.name in planned


@pytest.mark.parametrize(
    ("fields", "is_shown"),
    [
        ({}, True),
        ({"valid_from": date(2026, 2, 1), "valid_until": date(2026, 2, 1)}, True),
        ({"valid_from": date(2026, 2, 2)}, False),
        ({"valid_until": date(2026, 1, 31)}, False),
        ({"state": "dead", "reason": "There is no page at this address."}, False),
        ({"state": "alive"}, True),
    ],
)
def test_readers_are_shown_what_holds_and_is_not_dead(
    link: CuratedLink, fields: dict[str, object], is_shown: bool
) -> None:
    CuratedLink.objects.update(**fields)
    assert CuratedLink.objects.shown(date(2026, 2, 1)).exists() is is_shown


# Pictures.


def picture(size: tuple[int, int] = (1200, 800), kind: str = "PNG", mode: str = "RGB", **options: object) -> bytes:
    packed = io.BytesIO()
    Image.new(mode, size, "red").save(packed, kind, **options)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("kind", "mode"), [("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P"), ("JPEG", "L"), ("WEBP", "RGB")]
)
def test_a_picture_is_made_small_and_plain(kind: str, mode: str) -> None:
    name, data = small_picture(picture(kind=kind, mode=mode))
    with Image.open(io.BytesIO(data)) as made:
        assert (made.format, made.size) == ("WEBP", (640, 427))
        assert not made.info.get("exif")
    assert name == small_picture(picture(kind=kind, mode=mode))[0]
    assert name.endswith(".webp")


def test_what_a_camera_wrote_into_it_is_gone() -> None:
    exif = Image.Exif()
    exif[0x010E] = "bei Familie Muster zu Hause"
    _, data = small_picture(picture(kind="JPEG", exif=exif))
    assert b"Muster" not in data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        picture(kind="GIF"),
        picture()[:200],
        b"x" * (LARGEST_FILE + 1),
        picture((8_000, 6_000), mode="1"),
    ],
    ids=["empty", "svg", "gif", "cut off", "too large", "too many pixels"],
)
def test_what_is_no_picture_of_ours_is_refused(data: bytes) -> None:
    with pytest.raises(PictureError):
        small_picture(data)


# On the desk and on the page.


@pytest.fixture
def desk(db: None, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setattr(tasks.link_check, "delay_on_commit", lambda _: None)
    client = Client()
    client.force_login(User.objects.create_superuser("chief", password="x"))
    client.cookies["wegweiser_language"] = "en"
    return client


def form(**changes: object) -> dict[str, object]:
    return {"title": "Ratgeber", "address": ADDRESS, "teaser": "", "valid_from": "", "valid_until": "", **changes}


def test_an_uploaded_picture_is_served_by_us(desk: Client, client: Client) -> None:
    upload = SimpleUploadedFile("bei uns zu Hause.png", picture(), "image/png")
    assert desk.post(reverse("admin:documents_curatedlink_add"), form(picture=upload)).status_code == 302
    made = CuratedLink.objects.get()
    response = client.get(made.picture_address)
    assert response.status_code == 200
    assert response["Content-Type"] == "image/webp"
    with Image.open(io.BytesIO(response.content)) as shown:
        assert shown.size == (640, 427)
    assert "Hause" not in made.picture_address
    assert client.get(made.picture_address.replace(".webp", "x.webp")).status_code == 404
    assert client.post(made.picture_address).status_code == 405
    before = made.picture_address
    made.picture.storage.delete(made.picture.name)
    assert client.get(before).status_code == 404


def test_a_replaced_picture_is_not_kept(desk: Client, django_capture_on_commit_callbacks: object) -> None:
    desk.post(reverse("admin:documents_curatedlink_add"), form(picture=SimpleUploadedFile("a.png", picture())))
    made = CuratedLink.objects.get()
    first = made.picture.name
    page = reverse("admin:documents_curatedlink_change", args=[made.pk])
    other = SimpleUploadedFile("b.png", picture((640, 640)))
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        desk.post(page, form(picture=other))
    made.refresh_from_db()
    assert made.picture.name != first
    assert not made.picture.storage.exists(first)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        desk.post(reverse("admin:documents_curatedlink_delete", args=[made.pk]), {"post": "yes"})
    assert not made.picture.storage.exists(made.picture.name)


def test_a_file_that_is_no_picture_is_told_at_the_field(desk: Client) -> None:
    upload = SimpleUploadedFile("a.png", b"<svg onload='alert(1)'/>", "image/png")
    response = desk.post(reverse("admin:documents_curatedlink_add"), form(picture=upload))
    assert response.status_code == 200
    assert "This is no picture that we can show." in response.text
    assert not CuratedLink.objects.exists()


def test_another_address_is_judged_anew(desk: Client, link: CuratedLink) -> None:
    CuratedLink.objects.update(
        state="dead",
        failures=2,
        reason="Gone.",
        reason_code="status",
        checked_at=datetime(2026, 1, 1, tzinfo=timezone.get_current_timezone()),
    )
    page = reverse("admin:documents_curatedlink_change", args=[link.pk])
    desk.post(page, form(title="Ratgeber neu"))
    link.refresh_from_db()
    assert (link.title, link.state) == ("Ratgeber neu", "dead")
    desk.post(page, form(address=f"{ADDRESS}-neu"))
    link.refresh_from_db()
    assert (link.state, link.failures, link.reason, link.checked_at) == ("unknown", 0, "", None)


def test_the_list_tells_of_dead_links_and_finds_them(desk: Client, link: CuratedLink) -> None:
    listed = reverse("admin:documents_curatedlink_changelist")
    assert "dead, and readers do not see" not in desk.get(listed).text
    dead = CuratedLink.objects.create(
        title="Verschwunden", address=f"{ADDRESS}-tot", state="dead", reason="There is no page at this address."
    )
    assert "1 link is dead, and readers do not see it." in desk.get(listed).text
    found = desk.get(listed, {"state__exact": "dead"}).text
    assert dead.title in found
    assert f">{link.title}<" not in found
    assert (
        "There is no page at this address."
        in desk.get(reverse("admin:documents_curatedlink_change", args=[dead.pk])).text
    )


def test_an_editor_can_have_links_checked_now(desk: Client, link: CuratedLink, monkeypatch: pytest.MonkeyPatch) -> None:
    queued: list[int] = []
    monkeypatch.setattr(tasks.link_check, "delay_on_commit", queued.append)
    data = {"action": "check_now", "_selected_action": [link.pk]}
    response = desk.post(reverse("admin:documents_curatedlink_changelist"), data, follow=True)
    assert queued == [link.pk]
    assert "1 link is being checked." in response.text


def test_of_several_parties_none_gets_more_links_than_another(db: None) -> None:
    parties = [Party.objects.create(slug=slug, name=slug, short_name=slug) for slug in ("a", "b")]
    for number in range(3):
        CuratedLink.objects.create(title=f"a{number}", address=f"{ADDRESS}a{number}").parties.add(parties[0])
    CuratedLink.objects.create(title="b0", address=f"{ADDRESS}b0").parties.add(parties[1])
    links = CuratedLink.objects.all()
    assert sorted(each.title for each in links.of_parties(("a", "b"), most=2)) == ["a2", "b0"]
    assert [each.title for each in links.of_parties(("a",), most=2)] == ["a2", "a1"]
    assert links.of_parties((), most=2) == []
    common = CuratedLink.objects.create(title="beide", address=f"{ADDRESS}beide")
    common.parties.set(parties)
    assert links.of_parties(("a", "b"), most=2) == [common]


def test_a_question_on_all_parties_brings_no_list_of_links_for_each(db: None) -> None:
    slugs = [f"p{number}" for number in range(5)]
    for slug in slugs:
        made = Party.objects.create(slug=slug, name=slug, short_name=slug)
        CuratedLink.objects.create(title=slug, address=f"{ADDRESS}{slug}").parties.add(made)
    links = CuratedLink.objects.all()
    assert len(links.of_parties(slugs[:4], most=2)) == 4
    assert links.of_parties(slugs, most=2) == []
