"""The first view in a real browser: bytes, requests, when it can be used, and whether anything moves."""

from __future__ import annotations

import shutil
import statistics
from typing import Any, Final

from apps.answering.suites.serving import serving
from apps.chat.suites.small_site import fill, questions
from apps.core.suites import MissingDataError, SuiteContext, SuiteResult, bench

_LOADS: Final = 5
_PHONE: Final = {"width": 390, "height": 800}
# A phone of five years ago on a slow 4G: 1.6 Mbit/s, 150 ms, a quarter of this machine's speed.
_SLOW: Final = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
_SLOWER: Final = 4
_SHIFTS: Final = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@bench("page", needs_database=True)
def page(context: SuiteContext) -> SuiteResult:
    """The first view on a slow phone, five cold loads, and an answer arriving on it."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise MissingDataError("This bench needs playwright: pip install -r requirements-dev.txt.") from error
    path = shutil.which("chromium")
    if path is None:
        raise MissingDataError("This bench needs Chromium (package chromium).")
    fill()
    with serving() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        loads = [_load(browser, site.base) for _ in range(_LOADS)]
        answer_shift = _answer_shift(browser, site.base)
        browser.close()
    return SuiteResult(
        n=_LOADS,
        figures={
            "first_view_bytes": int(max(load["bytes"] for load in loads)),
            "first_view_requests": int(max(load["requests"] for load in loads)),
            "foreign_requests": int(max(load["foreign"] for load in loads)),
            "interactive_p50_ms": round(statistics.median(load["interactive"] for load in loads), 1),
            "painted_p50_ms": round(statistics.median(load["painted"] for load in loads), 1),
            "layout_shift": round(max(load["shift"] for load in loads), 4),
            "answer_layout_shift": round(answer_shift, 4),
        },
        notes=["390 pixels wide, 1.6 Mbit/s, 150 ms, a quarter of this machine's speed, nothing cached."],
    )


def _load(browser: Any, base: str) -> dict[str, float]:
    context = browser.new_context(viewport=_PHONE, locale="de-DE")
    context.add_init_script(_SHIFTS)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    seen: dict[str, Any] = {"bytes": 0, "urls": []}
    wire.on("Network.loadingFinished", lambda event: seen.update(bytes=seen["bytes"] + event["encodedDataLength"]))
    wire.on("Network.requestWillBeSent", lambda event: seen["urls"].append(event["request"]["url"]))
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", _SLOW)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    page.goto(f"{base}/", wait_until="networkidle")
    # Deferred scripts have run before this event ends: from then on everything answers.
    interactive = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    shift = page.evaluate("window.shifts")
    context.close()
    urls = [url for url in seen["urls"] if not url.startswith("data:")]
    foreign = sum(not url.startswith(f"{base}/") for url in urls)
    return {
        "bytes": seen["bytes"],
        "requests": len(urls),
        "foreign": foreign,
        "interactive": interactive,
        "painted": painted,
        "shift": shift,
    }


def _answer_shift(browser: Any, base: str) -> float:
    """Ask and return what moved while the answer arrived, without what the reader's own key press moves."""
    context = browser.new_context(viewport=_PHONE, locale="de-DE")
    context.add_init_script(_SHIFTS)
    page = context.new_page()
    page.goto(f"{base}/", wait_until="networkidle")
    page.fill("#id_question", questions()[0])
    page.press("#id_question", "Enter")
    page.locator("article.turn .answer:not(.is-open)").first.wait_for(timeout=60_000)
    page.wait_for_timeout(500)
    shift: float = page.evaluate("window.shifts")
    context.close()
    return shift
