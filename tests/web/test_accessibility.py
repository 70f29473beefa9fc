"""Pages and what keeps people out of them: what axe-core finds, and what works by keyboard."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.routing import Route

from gyoji.web.app import application

axe = pytest.importorskip("axe_playwright_python", reason="axe is not installed: pip install -e '.[dev]'")
from served import PATIENCE, paced, serving, started, until  # noqa: E402
from test_browser_seat import GO, seated  # noqa: E402

pytestmark = [pytest.mark.process, pytest.mark.slow]

AXE = Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8")

SEEN = {
    "wide and light": {"viewport": {"width": 1280, "height": 900}},
    "phone and dark": {
        "viewport": {"width": 360, "height": 740},
        "has_touch": True,
        "is_mobile": True,
        "color_scheme": "dark",
    },
}
PAGES = {
    "all competitions": ("/", "#competitions progress"),
    "a competition": ("/c/event", "#parts table"),
    "a wall of all": ("/wall", "#wall canvas"),
    "its games": ("/c/event/games", "#games tr"),
    "its wall": ("/c/event/wall", "#wall canvas"),
    "a game in progress": ("/c/event/games/{live}", "#board svg"),
    "a game that is over": ("/c/event/games/{over}?move=3", "#board svg"),
    "the judge's table": ("/c/event/judge", "#cases li"),
    "a person's seat": ("/play", "#state"),
    "a remote player's link": ("/join#event/0", "#command"),
    "a field that is drawn": ("/draw/dighere", "#tools button"),
    "a form for a new game": ("/new#steer={steer}", "#fields label"),
    "links of people": ("/c/event/invitations#steer={steer}", "#invitations"),
}


NO_PAGES = ("/api/", "/static/", "/status.json", "/metrics", "/c/{name}/parts", "/c/{name}/leaders")
"""Beginnings of what a server has for scripts and for its own pages."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server of an event that has a game behind it and one before it, which stands after a move."""
    folder = tmp_path_factory.mktemp("seen")
    path, moves = paced(folder)
    path.write_text(path.read_text().replace("number_of_games = 1", "number_of_games = 2"))
    for black, white in (("C3", "D3"), ("C4", "D4"), ("C2", "resign")):
        moves.play("ann", f"{black} it is a good point")
        moves.play("ben", white)
    moves.play("ben", "A1")
    with serving(path) as site, started("run", path, "-q"):
        until(lambda: site.json("/api/v1/competitions/event")["finished"], "the first game")
        site.names = {
            "steer": site.organiser().rpartition("steer=")[2],
            "live": until(lambda: site.json("/api/v1/competitions/event")["playing"], "the second")[0],
            "over": site.json("/api/v1/competitions/event/games")["games"][0]["id"],
        }
        with started("report", path, "--format", "html", "-o", folder / "report.html", ends=False) as report:
            report.wait(PATIENCE)
        site.report = folder / "report.html"
        yield site
    moves.close()


def troubles(page):
    """Return what axe-core finds, in words; a page is no wider than the screen."""
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    said = [
        f"{each['id']}: {', '.join(' '.join(node['target']) for node in each['nodes'][:3])}" for each in found
    ]
    beside = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return said + ([f"{beside} px do not fit"] if beside > 0 else [])


def test_every_page_of_a_server_is_looked_at(tmp_path):
    names = {"steer": "0", "live": "0_0", "over": "0_1"}
    seen = [urlsplit(path.format(**names)).path for path, _ in PAGES.values()]
    for route in application([], (), games=tmp_path).routes:
        if isinstance(route, Route) and not route.path.startswith(NO_PAGES):
            assert any(route.path_regex.match(path) for path in seen), route.path


@pytest.mark.parametrize("how", SEEN)
def test_axe_finds_nothing_on_any_page_and_each_fits_its_screen(site, browser, how):
    context = browser.new_context(**SEEN[how], bypass_csp=True)
    context.set_default_timeout(PATIENCE * 1000)
    found = {}
    for name, (path, sign) in PAGES.items():
        page = context.new_page()
        page.goto(site.address + path.format(**site.names))
        page.wait_for_selector(sign, state="attached")
        found[name] = troubles(page)
        page.close()
    page = context.new_page()
    page.goto(site.report.as_uri())
    page.wait_for_selector("#board svg")
    page.click("#tab-more")
    page.click("#textform summary")
    found["the report"] = troubles(page)
    context.close()
    assert {name: said for name, said in found.items() if said} == {}


def test_axe_finds_nothing_in_the_middle_of_counting_and_chat(tmp_path, browser):
    rules = {"ruleset": '"chinese"', "dead_stones": '"agreement"', "scorer": '"internal"', "clock": '"5m"'}
    path = seated(tmp_path, "human = true", **GO, **rules)
    found = {}
    with started("run", path, "-q"), serving(path, "--chat", "players") as site:
        contexts = [browser.new_context(**how, bypass_csp=True) for how in SEEN.values()]
        pages = [context.new_page() for context in contexts]
        for page, player in zip(pages, ("ann", "other"), strict=True):
            page.set_default_timeout(PATIENCE * 1000)
            page.goto(site.link(player))
            page.click("#ready")
        for page, move in zip(pages * 2, ("c3", "b2", "pass", "pass"), strict=True):
            page.wait_for_selector(".asked")
            page.fill("#move", move)
            page.press("#move", "Enter")
        for page, how in zip(pages, SEEN, strict=True):
            page.wait_for_selector("#counting")
            found[f"counting, {how}"] = troubles(page)
            if page.is_visible("#tab-chat"):
                page.click("#tab-chat")
                found[f"chat, {how}"] = troubles(page)
        for context in contexts:
            context.close()
    assert {name: said for name, said in found.items() if said} == {}
    assert len(found) >= 3


def test_a_game_is_read_by_keyboard_and_told_in_words(site, browser):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{site.address}/c/event/games/{site.names['over']}")
    page.wait_for_selector("#board svg")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the first thing there leads past the rest
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#announce:has-text('Turn 1. ann: C3.')", state="attached")
    page.keyboard.press("t")
    page.wait_for_selector("#boardwords:has-text('black: C3')")
    assert page.text_content("#boardtext").splitlines()[3].split() == ["3", ".", ".", "X", ".", "."]
    page.keyboard.press("?")
    page.wait_for_selector("#keys:has-text('one turn on')")
    page.click("#keys input")  # no letters any more
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert not page.is_visible("#keys")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#announce:has-text('Turn 2. ben: D3.')", state="attached")
    page.close()


def test_a_judge_is_told_why_no_ruling_can_be_given_now(site, browser):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{site.address}/c/event/judge#steer={site.names['steer']}")
    page.wait_for_selector("#cases li")
    page.fill("#other-game", site.names["over"])
    page.press("#other-game", "Enter")
    page.wait_for_selector("#connection:has-text('rulings are given between runs')")
    assert page.is_hidden("#table")
    page.close()
