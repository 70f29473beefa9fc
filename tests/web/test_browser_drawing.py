"""A field is drawn in a browser, by mouse and by keys, saved, and played."""

import pytest
from served import serving, started, until

pytestmark = [pytest.mark.process, pytest.mark.slow]

EVENT = """
competition = "playoff"
game = "dighere"
openings = "mine.dighere"
skip_player_checks = true
[players.ann]
command = "gyoji-horidashi"
[players.ben]
command = "gyoji-horidashi --random"
[[matchups]]
players = ["ann", "ben"]
number_of_games = 2
"""


def cell(page, x, y):
    """Return the middle of a cell on the screen."""
    return page.evaluate(
        "([x, y]) => { const at = new DOMPoint(7 + 10 * x + 5, 7 + 10 * y + 5)"
        ".matrixTransform(document.querySelector('#board svg').getScreenCTM()); return [at.x, at.y]; }",
        [x, y],
    )


def stroke(page, *cells):
    page.mouse.move(*cell(page, *cells[0]))
    page.mouse.down()
    for each in cells:
        page.mouse.move(*cell(page, *each))
    page.mouse.up()


def about(page, text):
    page.wait_for_selector(f"#about:has-text('{text}')")


def test_a_field_is_drawn_checked_saved_and_played(tmp_path, open_page):
    path = tmp_path / "event.toml"
    path.write_text(EVENT)
    (tmp_path / "mine.dighere").write_text("not yet")
    with serving(path) as site:
        page = open_page("about:blank")
        page.route("**/home.js", lambda script: script.abort())  # whoever is quick does not wait for it
        page.goto(site.organiser())
        page.click("a[href='/draw/dighere']")
        page.wait_for_selector("#board .team0")
        assert page.is_visible("#save")
        page.select_option("#symmetry", "half turn")
        stroke(page, (2, 2), (3, 2), (4, 2))
        about(page, "6 holes")
        stroke(page, (0, 0), (0, 3))  # the samurai is moved, and the other team's with it
        page.click("#tools [value=known]")
        page.fill("#amount", "15")
        page.mouse.click(*cell(page, 1, 5))
        page.wait_for_selector("#flaws .loss:has-text('expected an even amount from 2, got 15')")
        page.keyboard.press("Control+z")
        page.wait_for_selector("#verdict:has-text('The rules allow it.')")
        page.fill("#amount", "16")
        page.focus("#board")
        for key in ("Home", "u", "ArrowDown", "ArrowLeft", "Enter"):
            page.keyboard.press(key)
        about(page, "0 known and 2 hidden treasures of 32")
        page.wait_for_selector("#flaws:has-text('both teams have the same: symmetric by half a turn')")
        until(lambda: page.inner_text("#said") == "0, 6: hidden treasure of 16", "the words")
        page.fill("#number-steps", "40")
        page.press("#number-steps", "Enter")
        about(page, "40 steps")
        page.reload()
        about(page, "8x8, 40 steps, 6 holes, 0 known and 2 hidden treasures of 32")
        page.fill("#name", "mine")
        page.click("#save")
        page.wait_for_selector("#connection:has-text('mine.dighere is there already')")
        page.check("#replace")
        page.click("#save")
        page.wait_for_selector("#refused:has-text('saved: ')")
        with started("run", path, "-q", ends=False) as run:
            run.wait()
        page.click("#play")
        page.wait_for_selector("#drawing .hole >> nth=5")
        page.fill("#name", "ann")
        page.click("#begin")
        page.wait_for_selector("#board .hole >> nth=5", timeout=60_000)
        assert "play#" in page.url
        page.goto(f"{site.address}/c/event/games/0_0?move=0")
        page.wait_for_selector("#board .coin.buried >> nth=1")
        assert page.locator("#board .hole").count() == 6
