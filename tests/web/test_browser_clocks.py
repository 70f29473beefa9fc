"""Clocks are right on every page, however late, often or with how many others it is opened."""

import time

import pytest
from served import serving, started, two_seats, until
from test_browser_seat import GO, say, seated

pytestmark = [pytest.mark.process, pytest.mark.slow]

GAME = "/c/event/games/0_0"
PLACES = (GAME, f"{GAME}?embed", "/c/event/wall", "/c/event/wall?tv", "/wall", "/")
"""Pages with a clock of a game in progress, besides the seats of its players."""

RUNNING = ".time.running, .acting .left"

CLOCK = """
async () => {
  const load = (name) => import(document.querySelector(`link[href$="/${name}.js"]`).href);
  const { clockSigns, seatClocks, sinceAsked } = await load("clocks");
  const told = await (await fetch("/api/v1/competitions/event/games/0_0")).json();
  const [{ clock }] = seatClocks(told, told.acting, 0);
  return () => {
    const since = sinceAsked(told);
    const plain = (text) => text.replace(/\\s/g, "");
    const shown = [...document.querySelectorAll("RUNNING")].map((each) => plain(each.textContent));
    const right = [since, since - 200].map((used) => plain(clockSigns(clock, used)));
    return { shown, right };
  };
}
""".replace("RUNNING", RUNNING)
"""Makes a function that returns the running clocks as shown, and what is right: now, and 0.2 s before."""

AS_TOLD = (
    "async () => { const load = (name) => import(document.querySelector(`link[href$='/${name}.js']`).href); \
 const [{ sinceAsked }, { state }] = [await load('clocks'), await load('state')]; \
 return Date.now() - sinceAsked(state.game); }"
)
"""When the seat to move was asked, in ms of this machine's clock, as a page has it."""


def seconds(page):
    """Return what the clock that runs shows, in s."""
    minutes, _, rest = page.inner_text(".time.running b, .acting .left").partition(":")
    return 60 * int(minutes) + int(rest.split()[0])


def agree(*pages):
    """Whether the clocks of pages are within 0.2 s, and look so."""
    asked = [page.evaluate(AS_TOLD) for page in pages if page.locator("#viewer").count()]
    assert max(asked) - min(asked) < 200, asked
    shown = [seconds(page) for page in pages]
    assert max(shown) - min(shown) <= 1, shown


def test_all_pages_of_a_game_show_one_time(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO, clock='"10m + 3x30s"')
    with started("run", path, "-q"), serving(path) as site:
        ann, other = two_seats(site, open_page)
        say(ann, "c3")
        other.wait_for_selector(".asked")
        say(other, "b2")
        ann.wait_for_selector(".asked")
        began = time.monotonic()
        watcher = open_page(f"{site.address}/c/event/games/0_0")
        watcher.wait_for_selector(".time.running")
        until(lambda: time.monotonic() - began > 2.5, "some time")
        late = open_page(site.link("ann"))  # while others watch
        wall = open_page(f"{site.address}/c/event/wall")
        late.wait_for_selector(".time.running")
        wall.wait_for_selector(".acting .left:has-text(':')")
        agree(ann, watcher, late, other, wall)
        for page in (ann, watcher):  # in turn
            page.reload()
            page.wait_for_selector(".time.running")
            agree(ann, watcher, late, other, wall)


def test_every_clock_is_drawn_within_a_fifth_of_a_second(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO, clock='"10m + 3x30s"')
    with started("run", path, "-q"), serving(path) as site:
        other = open_page(site.link("other"))
        other.click("#ready")
        late = open_page("about:blank")
        links = [site.link("ann"), *(f"{site.address}{each}" for each in PLACES)]
        for number, address in enumerate(links):
            page = late if not number else open_page("about:blank")
            page.clock.install()  # time goes on as the test lets it, whatever else the machine does
            page.goto(address)
            if not number:
                page.click("#ready")
            page.wait_for_selector(RUNNING)
            page.evaluate(f"async () => {{ window.read = await ({CLOCK})(); }}")
            page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 2)
            for _ in range(22):  # more than the second in which each digit is the same
                page.clock.run_for(50)
                told = page.evaluate("window.read()")
                assert told["shown"], address
                assert set(told["shown"]) <= set(told["right"]), (address, told)


def test_a_clock_says_that_it_is_short_and_the_page_that_it_has_run_out(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO, clock='"12s"')
    with started("run", path, "-q"), serving(path) as site:
        ann, other = two_seats(site, open_page)
        ann.wait_for_selector("#near .time.running.short")
        ann.wait_for_selector("#warning:has-text('seconds left')", state="attached")
        assert ann.evaluate("document.documentElement.dataset.sound") == "low"
        assert not other.locator("#near .time.short").count()
        ann.wait_for_selector("#outcome:has-text('You lost on time')")
        other.wait_for_selector("#outcome:has-text('You won on time')")
        assert ann.locator("#next-steps a:has-text('record')").count() == 1
        late = open_page(site.link("ann"))  # the game is shown, and what became of it
        late.wait_for_selector("#outcome:has-text('You lost on time')")
        assert late.locator("#board svg").count() == 1


def test_a_page_shows_the_time_as_it_is_when_the_clock_of_its_machine_is_set(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO, clock='"10m"')
    with started("run", path, "-q"), serving(path) as site:
        ann, other = two_seats(site, open_page)
        watcher = open_page("about:blank")
        watcher.clock.install()
        watcher.goto(f"{site.address}/c/event/games/0_0")
        watcher.wait_for_selector(".time.running")
        watcher.clock.set_system_time(watcher.evaluate("Date.now()") / 1000 + 3600)
        say(ann, "c3")
        for page in (watcher, other):
            page.wait_for_selector("#viewer[data-turns='1']")
        watcher.clock.run_for(200)
        assert abs(seconds(watcher) - seconds(other)) <= 1


def test_a_page_that_slept_shows_the_time_as_it_is(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO, clock='"10m"')
    with started("run", path, "-q"), serving(path) as site:
        ann, other = two_seats(site, open_page)
        watcher = open_page(f"{site.address}/c/event/games/0_0")
        watcher.wait_for_selector(".time.running")
        cdp = watcher.context.new_cdp_session(watcher)
        cdp.send("Page.setWebLifecycleState", {"state": "frozen"})
        say(ann, "c3")
        other.wait_for_selector(".asked")
        time.sleep(2)  # as long as the page sleeps: the message of the move waits in it
        cdp.send("Page.setWebLifecycleState", {"state": "active"})
        watcher.wait_for_selector("#viewer[data-turns='1']")
        agree(other, watcher, ann)
