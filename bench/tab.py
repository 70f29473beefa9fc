"""The cost of the wall of all boards, and of the first board of a game, in a tab of headless Chromium.

Figures of the wall are per update, an event with news of boards: ms of script, style and layout, by wall
time and by CPU time of the tab's thread (`cpu_`), which other work of this machine does not change. The
longest task is measured until the wall stood, and after that.
"""

import shutil
from typing import Any

_OBSERVED = """
window.updates = window.longest = 0;
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
}).observe({ entryTypes: ["longtask"] });
const add = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (name, heard) {
  return add.call(this, name, (event) => {
    if (name === "boards") window.updates += 1;
    return heard(event);
  });
};
"""
_KINDS = {"script": "ScriptDuration", "layout": "LayoutDuration", "style": "RecalcStyleDuration"}
_CLOCKS = {"": "timeTicks", "cpu_": "threadTicks"}


def measure_tab(address: str, seconds: float, size: str) -> dict[str, float]:
    """Measure a tab that shows the wall at `address`. `size` is that of the tab, as in 1600x1200."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not everybody has it

    width, _, height = size.partition("x")
    with sync_playwright() as tool:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = tool.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(bypass_csp=True, viewport={"width": int(width), "height": int(height)})
        page.set_default_timeout(300_000)
        page.add_init_script(_OBSERVED)
        page.goto(address)
        page.wait_for_function("window.updates > 10")
        figures = {"first_task_ms": page.evaluate("window.longest"), "longest_task_ms": 0.0}
        for prefix, domain in _CLOCKS.items():
            figures |= _updates(page, prefix, domain, seconds / len(_CLOCKS))
            figures["longest_task_ms"] = max(figures["longest_task_ms"], page.evaluate("window.longest"))
        browser.close()
    return figures


def measure_first_board(address: str) -> dict[str, float]:
    """Return how long a tab with an empty cache takes to show the board of the game at `address`, and how
    many KB it has fetched until then, as they come over the network.
    """
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not everybody has it

    with sync_playwright() as tool:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = tool.chromium.launch(executable_path=program, args=["--no-sandbox"])
        browser.new_page().close()  # the program itself has been read
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(_FIRST_BOARD)
        page.goto(address)
        page.wait_for_function("() => window.boardAt")
        seconds, size = page.evaluate("[window.boardAt / 1000, window.fetched / 1000]")
        browser.close()
    return {"first_board_s": seconds, "first_board_kb": size}


_FIRST_BOARD = """
new MutationObserver((_, observer) => {
  if (!document.querySelector("#board circle, #board path[class^=man]")) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => {  // it is painted
    window.boardAt = performance.now();
    const got = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    window.fetched = got.reduce((sum, each) => sum + each.transferSize, 0);
  }));
}).observe(document, { childList: true, subtree: true });
"""


def _updates(page: Any, prefix: str, domain: str, seconds: float) -> dict[str, float]:
    """Return the cost of one update over `seconds`, by a clock of the browser."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": domain})
    before, updates = _spent(session), page.evaluate("window.longest = 0, window.updates")
    page.wait_for_timeout(1000 * seconds)
    after, updates = _spent(session), page.evaluate("window.updates") - updates
    session.send("Performance.disable")
    session.detach()
    each = {
        f"{prefix}{kind}_ms": 1000 * (after[name] - before[name]) / updates for kind, name in _KINDS.items()
    }
    rate = {} if prefix else {"updates": updates / seconds}
    return rate | {f"{prefix}update_ms": sum(each.values())} | each


def _spent(session: Any) -> dict[str, float]:
    told = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return {name: told[name] for name in _KINDS.values()}
