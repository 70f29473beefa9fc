"""People at the page in a real browser: moves in advance, chat, links and messages."""

import json
import sys
from pathlib import Path

import pytest
from hands import PHONE
from served import click, overlay, serving, started, two_seats, until
from test_accessibility import troubles
from test_browser_seat import GO, KOZO, say, seated, stones

pytestmark = [pytest.mark.process, pytest.mark.slow]

ANALYST = Path(__file__).parent.parent / "cli" / "analysing_engine.py"


def state(page, text):
    page.wait_for_selector(f"#state:has-text({json.dumps(text)})")


def test_people_are_told_who_is_here_and_write_to_each_other(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO)
    with started("run", path, "-q"), serving(path, "--chat", "players", "--chat", "spectators") as site:
        ann, other = two_seats(site, open_page, other=PHONE)
        ann.wait_for_selector("#far .presence:has-text('is here')")
        ann.click("#tab-chat")
        ann.fill("[aria-label='your line']", "good luck <b>")
        ann.press("[aria-label='your line']", "Enter")
        other.wait_for_selector("#tab-chat.news")
        other.tap("#tab-chat")
        other.wait_for_selector(".lines p:has-text('ann good luck <b>')")
        other.fill("[aria-label='your line']", "to you, too")
        other.tap(".chat button >> text=send")
        ann.wait_for_selector(".lines p:has-text('other to you, too')")
        watcher = open_page(f"{site.address}/c/event/games/0_0")
        watcher.click("#tab-chat")
        assert watcher.locator(".lines p").count() == 0
        watcher.fill("[aria-label='your name']", "Jürg")
        watcher.fill("[aria-label='your line']", "hello")
        watcher.press("[aria-label='your line']", "Enter")
        watcher.wait_for_selector(".lines p:has-text('Jürg hello')")
        assert other.locator(".lines p").count() == 2
        ann.wait_for_selector("#watching:has-text('1 watching')")
        other.close()
        ann.wait_for_selector("#far .presence.away")


def test_a_seat_goes_on_at_a_telephone_by_its_code_and_its_link_is_copied(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO)
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"), **PHONE, permissions=["clipboard-read", "clipboard-write"])
        page.tap("#more-places >> text=copy")
        assert page.evaluate("navigator.clipboard.readText()") == site.link("ann")
        with page.expect_request("**/api/v1/qr") as asked:
            page.tap("#more-places >> text=QR code")
        assert asked.value.post_data_json == {"text": site.link("ann")}
        page.wait_for_selector("svg.qr path")
        size = page.locator("svg.qr").bounding_box()
        assert size["width"] == size["height"] > 100


def test_a_person_is_told_by_the_browser_when_it_is_to_move_and_the_page_is_out_of_sight(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO)
    with started("run", path, "-q"), serving(path) as site:
        ann, other = two_seats(site, open_page, ann={"permissions": ["notifications"]}, other=PHONE)
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
        ann, other = two_seats(site, open_page, other=PHONE)
        say(ann, "e4")
        state(ann, "The other side is to move.")
        for column, row in ((6, 7), (5, 5)):  # g1 f3, while other thinks
            ann.mouse.click(*click(ann, column, row))
        until(lambda: overlay(ann, "arrow"), "the move in advance")
        ann.wait_for_selector("#noticed:has-text('press Escape to forget it')")
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
