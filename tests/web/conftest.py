"""A browser without a window, and pages in it."""

import os
import shutil
import signal
from contextlib import suppress
from functools import partial

import pytest
from served import PATIENCE, until

import processes

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(autouse=True)
def ends_runs(tmp_path, monkeypatch):
    """Runs that a test has begun on a page go on when their server ends; with the test they end too."""
    monkeypatch.setenv(processes.MARK, str(tmp_path))
    yield
    runs = partial(processes.of_kind, str(tmp_path), " gyoji run ")
    for run in runs():
        with suppress(ProcessLookupError):
            os.kill(run, signal.SIGTERM)
    until(lambda: not runs(), "the end of runs that were begun on a page")


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'"
    )
    if BROWSER is None:
        pytest.skip("there is no chromium: apt install chromium")
    with playwright.sync_playwright() as made:
        browser = made.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    """Opens pages; what goes wrong in one fails the test."""
    contexts, troubles = [], []

    def open_page(address, **how):
        context = browser.new_context(**how)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda said: troubles.append(said.text) if "Security" in said.text else None)
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []
