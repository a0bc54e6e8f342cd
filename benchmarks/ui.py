"""Measure in Chromium how long a person waits for the workbench.

    python -m benchmarks.ui --store FOLDER     # a store that is there; it is only read

Prints a table and a line of JSON. Times are those of the browser's own clock, from the key press
or the request until the last change of the page that the server's run brought about has been
painted; the median counts, with the slowest beside it. `sent` is when the browser sends the new
value: what lies before is Streamlit's slider, which waits a while for the next step of a drag.
`server_cpu` and `page_cpu` are the CPU times that the server and the page's main thread took for
one move, which hold on a busy machine; what a person waits is hardly more than their sum.

The Graph page is that of the largest expansion that the controls allow, of the largest Stripe
specification in the store, from the click on its link until the picture is painted. A cold first
page is the first request to a new server.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from playwright.sync_api import Browser, CDPSession, Page  # noqa: E402 - tests/ has just been put on the path
from support.browser import MISSING, chromium, chromium_path, served  # noqa: E402

Times = dict[str, list[float]]

SIZE = {"width": 1440, "height": 900}
QUESTION = "How do I create a subscription?"
SLIDERS = ("Max depth", "Max primary results", "Token limit")
LIMITS = {"slider_ms": 300, "graph_ms": 1500, "cold_ms": 4000}
DRAWN = "performance.getEntriesByName('specloupe picture')"
# Written into every page before its own scripts: what it needs is when things happened.
CLOCK = """() => {
  const seen = { key: 0, sent: 0, drawn: 0, over: 0 };
  window.clock = seen;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    if (seen.key && !seen.sent) seen.sent = performance.now();
    return send.call(this, data);
  };
  const begun = () => {
    Object.assign(seen, { key: performance.now(), sent: 0, drawn: 0, over: 0 });
  };
  for (const event of ["keydown", "pointerdown"]) window.addEventListener(event, begun, true);
  const app = () => document.querySelector("[data-testid=stApp]");
  const idle = () => app()?.getAttribute("data-test-script-state") === "notRunning";
  let ran = false;
  new MutationObserver((changes) => {
    const now = performance.now();
    // a short run may begin and end between two looks
    if (!idle() || changes.some((c) => c.attributeName === "data-test-script-state")) ran = true;
    const main = document.querySelector("[data-testid=stMain]");
    if (main && changes.some((change) => main.contains(change.target))) {
      requestAnimationFrame(() => { seen.drawn = Math.max(seen.drawn, performance.now()); });
    }
    if (ran && idle()) { seen.over = now; ran = false; }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}"""


def measure(browser: Browser, store: Path, rounds: int) -> Times:
    """Every time of one store in milliseconds, by name."""
    times: Times = {}
    for _ in range(max(1, rounds // 3)):
        with _server(store) as (url, _):
            times.setdefault("cold_ms", []).append(_cold(browser, url))
    with _server(store) as (url, cpu_ms):
        _cold(browser, url)
        for name in SLIDERS:
            for figure, values in _moved(browser, url, name, rounds, cpu_ms).items():
                times.setdefault(figure, []).extend(values)
        times["graph_ms"] = [_graph(browser, url, store) for _ in range(rounds)]
    return times


def _cold(browser: Browser, url: str) -> float:
    page = _opened(browser, f"{url}/?{urlencode({'q': QUESTION})}")
    page.locator(".sl-card").first.wait_for()
    return _last_change(page)


def _graph(browser: Browser, url: str, store: Path) -> float:
    """From the click on its link, on the Query page with the same question, to the picture."""
    page = _opened(browser, f"{url}/?{urlencode(_largest(store))}")
    page.locator(".sl-card").first.wait_for()
    page.wait_for_timeout(4000)  # a look at the answer
    page.get_by_role("link", name="Graph", exact=True).click()
    page.wait_for_function(f"{DRAWN}.length && clock.over > clock.key")
    ms: float = page.evaluate(f"{DRAWN}.at(-1).startTime - clock.key")
    page.context.close()
    return ms


def _moved(
    browser: Browser, url: str, slider: str, rounds: int, cpu_ms: Callable[[], float]
) -> Times:
    """One step of a slider at a time, until its results stand."""
    page = _opened(browser, f"{url}/?{urlencode({'q': QUESTION})}")
    page.locator(".sl-card").first.wait_for()
    page.get_by_role("slider", name=slider).focus()
    page.wait_for_timeout(6000)  # what the first look loads
    tasks = page.context.new_cdp_session(page)
    tasks.send("Performance.enable", {"timeDomain": "threadTicks"})
    times: Times = {"slider_ms": [], "sent_ms": [], "server_cpu_ms": [], "page_cpu_ms": []}
    for turn in range(rounds + 1):
        before, begun = cpu_ms(), _task_ms(tasks)
        page.keyboard.press("ArrowRight")  # to what has not been asked before
        page.wait_for_function("clock.over > clock.key && clock.sent > clock.key")
        page.wait_for_timeout(500)
        if turn:  # the first one also loads what a second does not
            key, sent, drawn = page.evaluate("[clock.key, clock.sent, clock.drawn]")
            times["slider_ms"].append(drawn - key)
            times["sent_ms"].append(sent - key)
            times["server_cpu_ms"].append(cpu_ms() - before)
            times["page_cpu_ms"].append(_task_ms(tasks) - begun)
    page.context.close()
    return times


def _task_ms(tasks: CDPSession) -> float:
    """The CPU time that the page's main thread has taken so far."""
    found = tasks.send("Performance.getMetrics")["metrics"]
    return next(1000 * metric["value"] for metric in found if metric["name"] == "TaskDuration")


def _opened(browser: Browser, url: str) -> Page:
    page = browser.new_context(viewport=SIZE).new_page()  # type: ignore[arg-type]
    page.add_init_script(f"({CLOCK})()")
    page.goto(url, wait_until="commit")
    return page


def _last_change(page: Page) -> float:
    """When the page was last drawn, counted from its request."""
    page.wait_for_function("clock.over > 0")
    page.wait_for_timeout(1000)
    drawn: float = page.evaluate("clock.drawn")
    page.context.close()
    return drawn


def _largest(store: Path) -> dict[str, str]:
    """The Graph page's address for as large a picture of Stripe as can be asked for."""
    specs = json.loads((store / "manifest.json").read_text("utf-8"))["specs"]
    stripe = [spec for spec in specs if "stripe" in spec["file_id"]]
    if not stripe:
        raise SystemExit(f"No Stripe specification is in {store}.")
    api = max(stripe, key=lambda spec: (spec["chunks"], spec["file_id"]))["file_id"]
    return {
        "q": QUESTION,
        "api": api,
        "max_depth": "10",
        "max_total_chunks": "200",
        "token_limit": "100000",
        "cuts": "show more",
    }


@contextmanager
def _server(store: Path) -> Iterator[tuple[str, Callable[[], float]]]:
    """A new server's URL, and what tells the CPU time that it has taken so far."""
    with TemporaryDirectory() as folder, served(store, Path(folder) / "log") as url:
        stat = next(
            file.with_name("stat")
            for file in Path("/proc").glob("[0-9]*/cmdline")
            if url.rpartition(":")[2].encode() in _words(file)
        )
        yield url, lambda: _cpu_ms(stat)


def _words(cmdline: Path) -> list[bytes]:
    try:
        return cmdline.read_bytes().split(b"\0")
    except OSError:  # it has ended since
        return []


def _cpu_ms(stat: Path) -> float:
    """Of `/proc/PID/stat`: the 14th and 15th field, in ticks."""
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return 1000 * (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def table(times: Mapping[str, list[float]]) -> str:
    """A row a figure, as Markdown."""
    return "| | median | slowest | required |\n|---|---:|---:|---:|\n" + "".join(
        f"| {name} | {median(values):,.0f} | {max(values):,.0f} | "
        f"{f'< {LIMITS[name]:,}' if name in LIMITS else ''} |\n"
        for name, values in times.items()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--store", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=6, help="moves of each slider (6)")
    options = parser.parse_args()
    path = chromium_path()
    if path is None:
        raise SystemExit(MISSING)
    with chromium(path) as browser:
        times = measure(browser, options.store, options.rounds)
    print(table(times))
    print(json.dumps({name: round(median(values), 1) for name, values in times.items()}))


if __name__ == "__main__":
    main()
