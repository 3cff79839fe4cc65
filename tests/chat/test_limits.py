"""How often one may ask: friendly, by session and by network, under hashes that are gone the day after."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import F
from django.test import Client, RequestFactory
from django.urls import reverse

from apps.chat import limits
from apps.chat.limits import asked_too_often, counts_forget, network_of
from apps.chat.models import AskCount
from apps.querylog.models import DailyKey, Turn

pytestmark = pytest.mark.django_db(transaction=True)
HOME, OTHER = "9.9.9.9", "8.8.8.8"


def limit(settings, *, session=(0, 0), network=(0, 0)) -> None:
    settings.CHAT_LIMITS = {deed: {"session": session, "network": network} for deed in ("ask", "say")}


def request_from(address: str):
    return RequestFactory().get("/", REMOTE_ADDR=address)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        (HOME, HOME),
        ("::ffff:9.9.9.9", HOME),
        ("2620:fe::fe", "2620:fe::/64"),
        ("2620:fe::1:2:3:4", "2620:fe:0:0::/64"),
        # A proxy's, a container's, nobody's: all readers would share it.
        ("127.0.0.1", ""),
        ("10.1.2.3", ""),
        ("172.18.0.5", ""),
        ("::1", ""),
        ("", ""),
        ("unix:", ""),
    ],
)
def test_a_network_is_an_address_or_the_half_of_a_long_one(address, network):
    found = network_of(request_from(address))
    assert found == (str(limits.ipaddress.ip_network(network)) if "/" in network else network)


def test_a_session_may_ask_so_often_and_then_is_told_when_it_may_again(script, settings):
    limit(settings, session=(2, 0))
    client = Client(REMOTE_ADDR=HOME)
    data = {"question": "Wie wähle ich?", "conversation": ""}
    for _ in range(2):
        assert client.post(reverse("chat:ask"), data).status_code == 302
    refused = client.post(reverse("chat:ask"), data)
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert "Wie wähle ich?" in refused.text
    assert 'class="problem"' in client.post(reverse("chat:ask"), data, headers={"HX-Request": "true"}).text
    assert Turn.objects.count() == 2
    assert Client(REMOTE_ADDR=HOME).post(reverse("chat:ask"), data).status_code == 302


def test_a_network_is_limited_whoever_asks_in_it(settings):
    limit(settings, network=(3, 0))
    waits = [asked_too_often(request_from(HOME), f"token {number}") for number in range(4)]
    assert waits[:3] == [0, 0, 0]
    assert waits[3] > 0
    assert asked_too_often(request_from(OTHER), "token") == 0


def test_behind_an_unnamed_proxy_readers_do_not_share_a_limit(settings):
    limit(settings, network=(1, 0))
    assert [asked_too_often(request_from("10.0.0.1"), str(number)) for number in range(3)] == [0, 0, 0]
    assert not AskCount.objects.exists()


def test_asking_and_saying_are_counted_apart(settings):
    limit(settings, session=(1, 0))
    assert asked_too_often(request_from(HOME), "token") == 0
    assert asked_too_often(request_from(HOME), "token", deed="say") == 0
    assert asked_too_often(request_from(HOME), "token", deed="say") > 0


@pytest.mark.parametrize("second", [0, 15, 29, 30, 59])
@pytest.mark.parametrize("minute", [0, 1, 59])
def test_an_hour_and_its_minutes_never_share_a_row(minute, second):
    now = datetime(2026, 11, 30, 15, minute, second, 7, tzinfo=UTC)
    hour, begun = limits._begin(now, limits._HOUR), limits._begin(now, limits._MINUTE)
    assert hour != begun
    assert hour <= now < hour + timedelta(hours=1)
    assert begun <= now < begun + timedelta(minutes=1)


def test_nothing_that_is_stored_tells_the_network_and_it_goes(settings):
    limit(settings, session=(5, 5), network=(5, 5))
    asked_too_often(request_from(HOME), "token")
    assert AskCount.objects.count() == 4
    assert not [row for row in AskCount.objects.values_list("who", flat=True) if HOME in row or len(row) != 64]
    before = set(AskCount.objects.values_list("who", flat=True))
    DailyKey.objects.all().delete()
    asked_too_often(request_from(HOME), "token")
    assert not before & set(AskCount.objects.exclude(who__in=before).values_list("who", flat=True))
    assert counts_forget() == 0
    AskCount.objects.update(window=F("window") - timedelta(hours=3))
    assert counts_forget() == 8
