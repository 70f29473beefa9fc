"""People at the page in a real browser: counting, requests, moves in advance, chat, links and messages."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from served import click, serving, started, until
from test_accessibility import troubles
from test_browser_seat import GO, KOZO, PHONE, say, seated, stones

pytestmark = [pytest.mark.process, pytest.mark.slow]

GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
ANALYST = Path(__file__).parent.parent / "cli" / "analysing_engine.py"
TWO = {"take_backs": '"ask"', "draw_offers": "true"}


def two_seats(site, open_page, **how):
    """Return the pages of ann and other, who are ready; ann is to move."""
    pages = open_page(site.link("ann"), **how), open_page(site.link("other"))
    for page in pages:
        page.click("#ready")
    pages[0].wait_for_selector(".asked")
    return pages


def state(page, text):
    page.wait_for_selector(f"#state:has-text({json.dumps(text)})")


def overlay(page, kind):
    """Return how many signs of a kind are drawn over the board."""
    return page.locator(f"#board .over .{kind}").count()


@pytest.mark.skipif(GNUGO is None, reason="no gnugo: install Debian's package gnugo")
@pytest.mark.parametrize("how", [{}, PHONE], ids=["wide", "phone"])
def test_a_person_plays_gnugo_to_a_count_that_both_agree_on(tmp_path, open_page, how):
    rules = {"game": '"go"', "board_size": 7, "komi": 0.5, "ruleset": '"japanese"', "clock": '"10m"'}
    path = seated(tmp_path, f'command = "{GNUGO} --mode gtp --level 1"', **rules)
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"), **how)
        page.click("#ready")
        for move in ("d4", "a1"):
            say(page, move)
        while not page.locator("#counting").count():  # until GNU Go passes as well
            page.wait_for_selector(".asked, #counting")
            if page.locator(".asked").count():
                say(page, "pass")
                until(lambda: page.input_value("#move") == "", "the pass")
        # What GNU Go calls dead is marked, as agreed.
        assert "A1" in page.inner_text("#counting tr:has-text('dead for both')")
        assert (overlay(page, "agreed") > 0, overlay(page, "dead")) == (True, 0)
        before = page.inner_text("#counted")
        assert before.startswith("White wins by ")
        assert page.is_visible("#count-now")
        figures = page.locator("#counting .figures td").all_inner_texts()
        assert [name in figures for name in ("territory", "prisoners and dead stones", "komi", "sum")] == [
            True
        ] * 4
        lead = float(figures[-1]) - float(figures[-2])
        assert before == f"White wins by {lead:g} points"
        if how:
            page.touchscreen.tap(*click(page, 0, 6))
        else:
            page.mouse.click(*click(page, 0, 6))
        until(lambda: page.inner_text("#counted") != before, "another count")
        assert "A1" in page.inner_text("#counting tr:has-text('only for other')")
        assert "mark all dead stones first" in page.inner_text("#neutral")
        page.wait_for_selector("#count-now:has-text('although we differ')")
        page.fill("#move", "a1")  # typing does what a click does
        page.press("#move", "Enter")
        until(lambda: page.inner_text("#counted") == before, "the first count")
        page.click("#count-now:has-text('agree and count')")
        page.wait_for_selector("#banner:has-text('You lost')")
        assert page.inner_text("#how").endswith(f"W+{before.split()[3]}")
        assert page.locator("#beside .figures td").all_inner_texts() == figures


def test_two_persons_differ_about_dead_stones_are_told_so_play_on_and_agree(tmp_path, open_page):
    rules = {"ruleset": '"chinese"', "dead_stones": '"agreement"', "scorer": '"internal"'}
    path = seated(tmp_path, "human = true", **GO, **rules)
    with started("run", path, "-q"), serving(path) as site:
        ann, other = two_seats(site, open_page)
        for page, move in ((ann, "c3"), (other, "b2"), (ann, "pass"), (other, "pass")):
            say(page, move)
        ann.wait_for_selector("#counting")
        ann.mouse.click(*click(ann, 1, 3))
        ann.wait_for_selector("#counting tr:has-text('dead, as you marked'):has-text('B2')")
        until(lambda: overlay(ann, "dead") and overlay(ann, "owner0"), "the territory")
        ann.click("#count-now")
        ann.wait_for_selector("#state:has-text('Your count is sent. Waiting for the count of other')")
        other.click("#count-now:has-text('no stone is dead')")
        ann.wait_for_selector(
            "#said:has-text('You differ about B2: you call B2 dead, other calls none dead.')"
        )
        state(ann, "It is your turn. Play goes on: capture what is dead, then both pass.")
        watcher = open_page(f"{site.address}/c/event/games/0_0")
        watcher.wait_for_selector("#phase:has-text('playing on to capture dead stones')")
        state(other, "Play goes on. ann is to move.")
        ann.hover("#words >> text=take back")
        ann.mouse.down(click_count=2)  # the second click of a double click on another button
        ann.mouse.up(click_count=2)
        for move in ("b3", "a2", "c2", "b1", "pass"):
            say(ann, move)
            if move != "pass":
                say(other, "pass")
        ann.wait_for_selector("#moves:has-text('playing on to capture dead stones')", state="attached")
        assert watcher.locator("#movelist .phase").all_inner_texts() == ["playing on to capture dead stones"]
        for page in (ann, other):
            page.click("#count-now")
        ann.wait_for_selector("#banner:has-text('You won by 24.5 points'):has-text('B+24.5')")


def test_each_side_sees_what_is_pending_when_one_offers_a_draw_or_wants_a_move_back(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **{**GO, **TWO})
    with started("run", path, "-q"), serving(path) as site:
        ann, other = two_seats(site, open_page)
        say(ann, "c3")
        say(other, "b2")
        stones(ann, 2)
        ann.click("#words >> text=take back")
        state(ann, "Your wish to take back a move waits for other.")
        state(other, "ann (black) asks to take back a move. Do you agree?")
        ann.reload()
        state(ann, "Your wish to take back a move waits for other.")
        other.click("#choices >> text=no")
        ann.wait_for_selector("#said:has-text('other declines the take-back')")
        ann.click("#words >> text=take back")
        other.click("#choices >> text=yes")
        stones(ann, 0)
        say(ann, "c3")
        other.wait_for_selector(".asked")
        other.click("#words >> text=offer a draw")
        state(other, "Your offer of a draw waits for ann.")
        state(ann, "other (white) offers a draw. Do you accept?")
        assert ann.is_visible("#near .time") is False  # there is no clock here, and nothing else moved
        ann.click("#choices >> text=yes")
        other.wait_for_selector("#banner:not([hidden])")


def test_people_are_told_who_is_here_and_write_to_each_other(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO)
    with started("run", path, "-q"), serving(path, "--chat", "players", "--chat", "spectators") as site:
        ann, other = two_seats(site, open_page)
        ann.wait_for_selector("#far .presence:has-text('is here')")
        ann.click("#tab-chat")
        ann.fill("[aria-label='your line']", "good luck <b>")
        ann.press("[aria-label='your line']", "Enter")
        other.wait_for_selector("#tab-chat.news")
        other.click("#tab-chat")
        other.wait_for_selector(".lines p:has-text('ann good luck <b>')")
        watcher = open_page(f"{site.address}/c/event/games/0_0")
        watcher.click("#tab-chat")
        assert watcher.locator(".lines p").count() == 0
        watcher.fill("[aria-label='your name']", "Jürg")
        watcher.fill("[aria-label='your line']", "hello")
        watcher.press("[aria-label='your line']", "Enter")
        watcher.wait_for_selector(".lines p:has-text('Jürg hello')")
        assert other.locator(".lines p").count() == 1
        ann.wait_for_selector("#watching:has-text('1 watching')")
        other.close()
        ann.wait_for_selector("#far .presence.away")


def test_a_seat_goes_on_at_a_telephone_by_its_code_and_its_link_is_copied(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO)
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"), permissions=["clipboard-read", "clipboard-write"])
        page.click("#more-places >> text=copy")
        assert page.evaluate("navigator.clipboard.readText()") == site.link("ann")
        page.click("#more-places >> text=QR code")
        page.wait_for_selector("svg.qr path")
        size = page.locator("svg.qr").bounding_box()
        assert size["width"] == size["height"] > 100


def test_a_person_is_told_by_the_browser_when_it_is_to_move_and_the_page_is_out_of_sight(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO)
    with started("run", path, "-q"), serving(path) as site:
        ann, other = two_seats(site, open_page, permissions=["notifications"])
        ann.evaluate(
            "() => { window.told = []; class Told extends EventTarget {"
            " static permission = 'granted';"
            " static requestPermission() { return Promise.resolve('granted'); }"
            " constructor(title, { body }) { super(); window.told.push(`${title} ${body}`); } }"
            " window.Notification = Told; }"
        )
        ann.click("#tab-more")
        ann.check("#notify")
        say(ann, "c3")
        say(other, "b2")
        ann.wait_for_selector(".asked")
        assert ann.evaluate("window.told") == []  # the page is in sight
        say(ann, "c2")
        ann.evaluate("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })")
        say(other, "b3")
        until(lambda: ann.evaluate("window.told") == ["Your turn against other"], "the message")


def test_a_move_is_chosen_in_advance_and_played_if_it_is_one(tmp_path, open_page):
    (tmp_path / "start.fen").write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
    path = seated(
        tmp_path, "human = true", game='"chess"', clock='"1m"', openings='"start.fen"', draw_offers="true"
    )
    with started("run", path, "-q"), serving(path) as site:
        ann, other = two_seats(site, open_page)
        say(ann, "e4")
        state(ann, "The other side is to move.")
        for column, row in ((6, 7), (5, 5)):  # g1 f3, while other thinks
            ann.mouse.click(*click(ann, column, row))
        until(lambda: overlay(ann, "arrow"), "the move in advance")
        say(other, "e5")
        stones(ann, 3)
        state(ann, "The other side is to move.")
        for column, row in ((5, 5), (4, 3)):  # the knight takes e5
            ann.mouse.click(*click(ann, column, row))
        ann.keyboard.press("Escape")
        until(lambda: not overlay(ann, "arrow"), "no move in advance")
        for column, row in ((4, 3), (4, 4)):
            ann.mouse.click(*click(ann, column, row))
        say(other, "Nc6")
        ann.wait_for_selector("#noticed:has-text('is not possible')")
        say(ann, "d3")
        state(ann, "The other side is to move.")
        ann.wait_for_selector("#move:enabled:not([title*='when it is your turn'])")
        ann.fill("#move", "Be2")
        ann.press("#move", "Enter")
        ann.wait_for_selector("#noticed:has-text('Your move Be2 is played as soon as it is your turn.')")
        say(other, "d6")
        stones(ann, 7)
        say(other, "a6")
        ann.wait_for_selector(".asked")
        ann.click("#words >> text=offer a draw")
        other.click("#choices >> text=yes")
        ann.wait_for_selector("#banner:not([hidden])")


def test_a_finished_game_is_analysed_and_its_variations_are_stepped_through(tmp_path, open_page):
    path = seated(tmp_path, KOZO, **GO)
    command = json.dumps([sys.executable, str(ANALYST), "lz-analyze"])
    text = path.read_text().replace("[[matchups]]", f"[players.lz]\ncommand = {command}\n[[matchups]]")
    path.write_text(text)
    with started("run", path, "-q") as run, serving(path, "--analysis") as site:
        ann = open_page(site.link("ann"))
        ann.click("#ready")
        say(ann, "c3")
        stones(ann, 2)
        ann.wait_for_selector(".asked")
        ann.click("#resign")
        run.wait()
        page = open_page(f"{site.address}/c/event/games/0_0")
        page.click("#tab-analysis")
        page.select_option("[aria-label=engine]", "lz")
        page.fill("[aria-label='seconds for each position']", "0.2")
        page.click("#panel-analysis button.main")
        page.wait_for_selector("#panel-analysis:has-text('lz has analysed 3 positions.')")
        assert troubles(page) == []
        page.click("#first")
        page.wait_for_selector(".variations li:has-text('A1 B1')")
        until(lambda: overlay(page, "label") == 2, "the moves on the board")
        page.click(".variations button >> nth=0")
        page.wait_for_selector("#title:has-text('Variation after turn 0')")
        page.wait_for_selector("#count:has-text('2 / 2')")
