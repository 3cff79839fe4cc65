"""Many readers at once on the real page: time to the first sentence, a spike, readers who leave, what stays open."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from itertools import count
from typing import Final

import httpx2 as httpx
import numpy as np

from apps.answering.suites.serving import Site, serving
from apps.chat.suites.readers import Visit, visit
from apps.chat.suites.small_site import SLOW_MODEL, fill, questions
from apps.core.suites import SuiteContext, SuiteResult, bench
from apps.querylog.models import Turn

_SPIKE: Final = 5
_LEAVERS_AT_ONCE: Final = 25
_SETTLE_SECONDS: Final = 40.0


@bench("streams", needs_database=True)
def streams(context: SuiteContext) -> SuiteResult:
    """Readers who come steadily, a spike, readers who leave (--option seconds=60)."""
    told = {name: int(context.options.get(name, default)) for name, default in _DEFAULTS.items()}
    fill()
    with serving(model="scripted", prepare=SLOW_MODEL) as site:
        figures, notes, n = asyncio.run(_measure(site, told, context))
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return SuiteResult(n=n, figures=figures, notes=[*notes, f"Load of the machine (1, 5, 15 minutes): {load}"])


_DEFAULTS: Final = {"seconds": 180, "per_second": 5, "spike": 20, "leavers": 1_000}


async def _measure(
    site: Site, told: dict[str, int], context: SuiteContext
) -> tuple[dict[str, float | int], list[str], int]:
    limits = httpx.Limits(max_connections=2_000, max_keepalive_connections=0)
    async with httpx.AsyncClient(limits=limits, timeout=90) as client:
        await asyncio.gather(*(visit(client, site.base, question) for question in questions()[:4]))
        before = site.memory_mb()
        context.say(f"{told['per_second']} readers a second for {told['seconds']} s …")
        steady = await _come(client, site, told["per_second"], told["seconds"])
        memory = site.memory_mb()
        context.say(f"{_SPIKE} times as many for {told['spike']} s …")
        spike = await _come(client, site, _SPIKE * told["per_second"], told["spike"])
        recovered = await _recovered_after(client, site)
        context.say(f"{told['leavers']} readers who leave at once …")
        for _ in range(0, told["leavers"], _LEAVERS_AT_ONCE):
            asked = (questions() * 2)[:_LEAVERS_AT_ONCE]
            await asyncio.gather(*(visit(client, site.base, question, leaves=True) for question in asked))
    left_open = await _open_in_the_end()
    figures: dict[str, float | int] = {
        **_times("first", [each.first_ms for each in steady]),
        **_times("whole", [each.whole_ms for each in steady]),
        "stream_errors": sum(bool(each.problem) for each in steady),
        "spike_errors": sum(bool(each.problem) for each in spike),
        "recovered_s": round(recovered, 1),
        "memory_mb": round(memory, 1),
        "memory_growth": round(memory / before - 1, 3),
        "turns_open": left_open,
    }
    waited = sum(each.was_told_to_come_back for each in spike)
    problems = sorted({each.problem for each in (*steady, *spike) if each.problem})
    notes = [
        f"Of {len(spike)} readers of the spike {waited} were asked to come back.",
        *(f"Problem: {problem}" for problem in problems),
    ]
    return figures, notes, len(steady)


async def _come(client: httpx.AsyncClient, site: Site, per_second: int, seconds: int) -> list[Visit]:
    """Let readers come at an even pace, whether or not those before them have been answered."""
    asked, start = questions(), time.perf_counter()
    tasks = []
    for number in range(per_second * seconds):
        tasks.append(asyncio.create_task(visit(client, site.base, asked[number % len(asked)])))
        await asyncio.sleep(max(0.0, start + (number + 1) / per_second - time.perf_counter()))
    return list(await asyncio.gather(*tasks))


async def _recovered_after(client: httpx.AsyncClient, site: Site) -> float:
    """Return after how many seconds a reader gets the first sentence within three seconds again."""
    start = time.perf_counter()
    for number in count():
        made = await visit(client, site.base, questions()[number % 16])
        if (made.first_ms is not None and made.first_ms <= 3_000) or time.perf_counter() - start > 120:
            return time.perf_counter() - start
        await asyncio.sleep(0.5)
    raise AssertionError


async def _open_in_the_end() -> int:
    """Wait until nobody is answered any more, and return how many turns still claim to be."""
    from asgiref.sync import sync_to_async

    running = Turn.objects.filter(state=Turn.State.RUNNING)
    end = time.monotonic() + _SETTLE_SECONDS
    left = await sync_to_async(running.count)()
    while left and time.monotonic() < end:
        await asyncio.sleep(1)
        left = await sync_to_async(running.count)()
    return int(left)


def _times(name: str, values: Sequence[float | None]) -> dict[str, float]:
    known = [value for value in values if value is not None]
    if not known:
        return {}
    return {f"{name}_p{at}_ms": round(float(np.percentile(known, at)), 1) for at in (50, 95, 99)}
