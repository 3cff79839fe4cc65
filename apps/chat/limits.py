"""How often one may ask: by session and by network, counted under hashes that mean nothing the day after."""

from __future__ import annotations

import ipaddress
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from apps.chat.models import AskCount
from apps.querylog.ownership import session_day

_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)
_COUNT: Final = (
    'INSERT INTO chat_askcount (who, "window", count) VALUES {rows} '
    'ON CONFLICT (who, "window") DO UPDATE SET count = chat_askcount.count + 1 RETURNING who, "window", count'
)


def network_of(request: HttpRequest) -> str:
    """Return the reader's network: an IPv4 address, or the /64 of an IPv6 one.

    Empty where it says nothing: an address that is not public is a proxy's, and all readers would share it.
    """
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if not address.is_global:
        return ""
    return str(address if address.version == 4 else ipaddress.ip_network((address, 64), strict=False))


def asked_too_often(request: HttpRequest, token: str, *, deed: str = "ask") -> int:
    """Count one deed of a reader and return after how many seconds it may be tried again; 0: it may be done now.

    ``deed`` is "ask" for questions, "say" for what readers say about answers and sources.
    """
    now = timezone.now()
    limits = settings.CHAT_LIMITS[deed]
    keys = {f"{deed} session {token}": limits["session"], f"{deed} network {network_of(request)}": limits["network"]}
    if not network_of(request):
        keys.popitem()
    today = timezone.localdate()
    most: dict[tuple[str, datetime], tuple[int, timedelta]] = {}
    for key, (a_minute, an_hour) in keys.items():
        who = session_day(key, today)
        for span, limit in ((_MINUTE, a_minute), (_HOUR, an_hour)):
            if limit:
                most[who, _begin(now, span)] = (limit, span)
    if not most:
        return 0
    over = [begin + most[who, begin][1] for who, begin, count in _count(list(most)) if count > most[who, begin][0]]
    return max(1, int((max(over) - now).total_seconds())) if over else 0


def _begin(now: datetime, span: timedelta) -> datetime:
    """Return when the window began; hours begin half a minute off, so that they never share a row with minutes."""
    if span == _MINUTE:
        return now.replace(second=0, microsecond=0)
    return now.replace(minute=0, second=30, microsecond=0) - (
        _HOUR if (now.minute, now.second) < (0, 30) else timedelta()
    )


def _count(rows: list[tuple[str, datetime]]) -> list[tuple[str, datetime, int]]:
    # In one order for everybody: two readers of one network must not wait for each other's rows crosswise.
    ordered = sorted(rows)
    values = ", ".join(["(%s, %s, 1)"] * len(ordered))
    with connection.cursor() as cursor:
        cursor.execute(_COUNT.format(rows=values), [value for row in ordered for value in row])
        found: list[tuple[str, datetime, int]] = cursor.fetchall()
    return found


def counts_forget() -> int:
    """Forget all windows that are over; return how many rows went."""
    gone, _ = AskCount.objects.filter(window__lt=timezone.now() - 2 * _HOUR).delete()
    return gone
