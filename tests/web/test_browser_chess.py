"""A person plays chess in a browser: from square to square, turned for Black, with a promotion."""

import pytest
from hands import PHONE
from served import click, serving, started, turns, until
from test_accessibility import troubles
from test_browser_seat import fits

pytestmark = [pytest.mark.process, pytest.mark.slow]

EVENT = """
competition = "playoff"
game = "chess"
clock = "10m"
hints = true
opening = "{opening}"
[players.ann]
human = true
[players.koma]
command = "gyoji-koma --random"
[[matchups]]
players = {players}
number_of_games = 1
"""


def event(folder, opening, players):
    path = folder / "event.toml"
    path.write_text(EVENT.format(opening=opening, players=players))
    return path


def square(page, name):
    """Return where a square is on the screen of a page, from whose side ever it is shown."""
    column, row = "abcdefgh".index(name[0]), 8 - int(name[1])
    if page.get_attribute("#viewer", "data-flipped") == "true":
        column, row = 7 - column, 7 - row
    return click(page, column, row)


def test_a_person_promotes_to_a_knight_by_mouse_and_wins_as_black_by_touch(tmp_path, open_page):
    path = event(tmp_path, "k7/8/8/8/8/5K2/4p3/6BR b - - 0 1", '["koma", "ann"]')
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"), viewport={"width": 1280, "height": 800})
        page.click("#ready")
        page.wait_for_selector(".asked")
        assert page.get_attribute("#viewer", "data-flipped") == "true"
        assert square(page, "e2")[1] < 300  # her pawns go down, as from behind the board
        assert fits(page)
        page.mouse.click(*square(page, "e2"))
        assert page.locator("#board .over .legal").count() == 1
        page.mouse.click(*square(page, "e1"))
        pieces = page.locator("#pieces button")
        assert pieces.all_inner_texts() == ["queen", "rook", "bishop", "knight", "cancel"]
        for cancel in (
            lambda: page.keyboard.press("Escape"),
            lambda: page.click("#pieces >> text=cancel"),
            lambda: page.click("#near"),  # beside the choice
        ):
            cancel()
            until(lambda: pieces.count() == 0, "no choice")
            page.mouse.click(*square(page, "e2"))
            page.mouse.click(*square(page, "e1"))
            until(lambda: pieces.count() == 5, "the choice")
        page.click("#pieces >> text=knight")  # and check
        page.wait_for_selector("#movelist >> text=e1=N+")
        until(lambda: turns(page) >= 2, "the answer")
        numbers = page.locator("#movelist .number").all_inner_texts()
        assert numbers[:2] == ["1…", "2."]  # Black began, and White's next move has the next number
        assert page.locator("#board .man1").count() == 2
        assert page.evaluate("document.body.scrollHeight") <= 800


def test_a_piece_is_drawn_to_its_square_and_moves_are_tried_in_the_finished_game(tmp_path, open_page):
    path = event(tmp_path, "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", '["ann", "koma"]')
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"), **PHONE)
        page.click("#ready")
        page.wait_for_selector(".asked")
        page.uncheck("#confirm", force=True) if page.is_visible("#confirm") else None
        page.mouse.move(*square(page, "a1"))
        page.mouse.down()
        page.mouse.move(*square(page, "a8"))
        page.mouse.up()
        page.mouse.click(*square(page, "a8"))  # a touch screen: once more, to confirm
        page.wait_for_selector("#outcome:has-text('You won by checkmate')")
        watcher = open_page(f"{site.address}/c/event/games/0_0", viewport={"width": 1280, "height": 800})
        watcher.wait_for_selector("#movelist >> text=Ra8#")
        watcher.click("#first")
        watcher.click("#try")
        watcher.fill("#trymove", "a9")
        watcher.press("#trymove", "Enter")
        watcher.wait_for_selector("#connection:has-text('a9')")  # refused; clicks still choose moves
        watcher.mouse.click(*square(watcher, "e1"))
        watcher.wait_for_selector("#board .over .legal >> nth=4", state="attached")
        watcher.mouse.click(*square(watcher, "c1"))
        watcher.wait_for_selector("#movelist .tried >> text=O-O-O")
        watcher.mouse.click(*square(watcher, "h7"))
        watcher.wait_for_selector("#board .over .legal", state="attached")
        watcher.mouse.click(*square(watcher, "h6"))
        watcher.wait_for_selector("#movelist .tried >> text=h6")
        watcher.click("#movelist .tried >> text=O-O-O")
        watcher.wait_for_selector("#tried:text-is('O-O-O')")
        assert fits(watcher)
        assert troubles(watcher) == []
        watcher.click("#leave")
        watcher.click("#last")
        watcher.wait_for_selector("#count:has-text('1 / 1')")
        assert turns(watcher) == 1
