"""Texts that anybody may have written are text on every page: nothing of them runs, and nothing is loaded."""

import json
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from hostile_engine import EVIL
from served import serving, started, until

pytestmark = [pytest.mark.process, pytest.mark.slow]

NAME = EVIL.replace("/", "\\")
"""A file's name has no slash."""


def hostile_event(folder):
    """Return a control file whose name and description are markup; a hostile engine plays a person."""
    words = [sys.executable, str(Path(__file__).with_name("hostile_engine.py"))]
    lines = [
        'competition = "playoff"',
        f"description = {json.dumps(EVIL)}",
        'game = "go"',
        "board_size = 5",
        "komi = 0.5",
        'scorer = "judge"',
        "skip_player_checks = true",
        "[players.evil]",
        f"command = {json.dumps(words)}",
        "evaluate = true",
        "[players.ann]",
        "human = true",
        "[[matchups]]",
        'players = ["evil", "ann"]',
        "number_of_games = 1",
    ]
    path = folder / f"{NAME}.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def is_ours(url, site):
    path = url.removeprefix(site.address)
    return path in ("/", "/status.json") or path.startswith(("/c/", "/api/v1/", "/static/", "/play", "data:"))


def test_nothing_that_somebody_wrote_runs_or_loads_anything_on_any_page(tmp_path, open_page):
    path = hostile_event(tmp_path)
    asked = []

    def visit(address, shows):
        page = open_page(address)
        page.on("request", lambda request: asked.append(request.url))
        page.reload()
        page.wait_for_selector(f"text={shows}")
        return page

    def check(page):
        assert page.evaluate("typeof ran") == "undefined"
        assert page.locator("img, main script, svg[onload]").count() == 0

    with serving(path) as site, started("run", path, "-q"):
        event = f"{site.address}/c/{quote(NAME, safe='')}"
        api = f"/api/v1/competitions/{quote(NAME, safe='')}"
        seat = visit(site.link("ann"), "ann")
        seat.click("#ready")
        seat.wait_for_selector(".asked")
        game = until(lambda: site.json(api)["playing"], "a game")[0]
        live = visit(f"{event}/games/{game}", EVIL)
        pages = [
            seat,
            live,
            visit(site.address, NAME),
            visit(event, EVIL),
            visit(f"{event}/wall", "ann"),
        ]
        seat.fill("#move", "pass")
        seat.press("#move", "Enter")
        until(lambda: site.json(api)["needs_ruling"], "the game")
        until(lambda: not site.json(api)["running"], "the end")
        judge = visit(site.organiser().replace("/#", f"{event.removeprefix(site.address)}/judge#"), game)
        judge.click("#cases button")
        judge.fill("#who", EVIL)
        judge.wait_for_selector("#verdict:has-text('Nothing is ruled yet')")
        judge.click("[data-say='draw']")
        judge.wait_for_selector("#verdict:has-text('evil')")
        judge.fill("#command", EVIL)
        judge.press("#command", "Enter")
        judge.wait_for_selector("#connection:has-text('no command')")
        judge.wait_for_selector("#claims:has-text('<img')")
        judge.fill("#reasons", EVIL)
        judge.click("#accept")
        judge.wait_for_selector("#cases button:has-text('ruled')")
        pages += [judge, visit(f"{event}/games/{game}", "<img"), visit(f"{event}/games?text={game}", game)]
        for page in pages:
            check(page)
        assert [url for url in asked if not is_ours(url, site)] == []
