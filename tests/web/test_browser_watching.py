"""A game of each kind is watched in a browser from its first move to its end, and loaded again in between."""

import json

import pytest
from served import paced, serving, started, turns, until

pytestmark = [pytest.mark.process, pytest.mark.slow]

FIELD = {
    "size": 6,
    "steps": 3,
    "agents": [{"x": x, "y": y} for x, y in ((0, 0), (5, 5), (1, 0), (4, 5))],
    "known": [{"x": 0, "y": 1, "amount": 30}],
    "hidden": [{"x": 1, "y": 1, "amount": 8}, {"x": 5, "y": 0, "amount": 2}],
}


@pytest.fixture
def begun(tmp_path):
    """Begins an event of paced engines."""
    opened = []

    def begun(**how):
        path, moves = paced(tmp_path, **how)
        opened.append(moves)
        return path, moves

    yield begun
    for moves in opened:
        moves.close()


def game_address(site):
    game = until(lambda: site.json("/api/v1/competitions/event")["playing"], "a game")[0]
    return f"{site.address}/c/event/games/{game}"


def test_a_game_of_go(begun, open_page):
    path, moves = begun()
    with serving(path) as site, started("run", path, "-q"):
        page = open_page(game_address(site))
        page.wait_for_selector("#board svg")
        moves.play("ann", "C3")
        page.wait_for_selector("#board .black")
        page.reload()
        page.wait_for_selector("#board .black")
        moves.play("ben", "D3", "next to it")
        page.wait_for_selector("#board .white")
        page.click("#back")
        until(lambda: page.evaluate("location.search") == "?move=1", "the address")
        page.click("#last")
        page.wait_for_selector("text=next to it")
        moves.play("ann", "resign")
        page.wait_for_selector("#banner:has-text('White (ben) won by resignation'):has-text('W+R')")


def test_a_game_of_gomoku(begun, open_page):
    path, moves = begun(game="gomoku")
    with serving(path) as site, started("run", path, "-q"):
        page = open_page(game_address(site))
        page.wait_for_selector("#board svg")
        for column in range(4):
            moves.play("ann", f"{column},0", f"number {column}")
            moves.play("ben", f"{column},1")
        page.wait_for_selector("#board .white >> nth=3")
        page.reload()
        page.wait_for_selector("#board .white >> nth=3")
        assert page.locator("#board .black").count() == 4
        page.click("#back")
        page.wait_for_selector("text=number 3")
        page.click("#last")
        moves.play("ann", "4,0")
        page.wait_for_selector("#outcome:has-text('Black (ann) won by five')")
        assert page.locator("#board .black").count() == 5


def test_a_game_of_dig_here_whose_treasure_all_may_see(begun, open_page):
    path, moves = begun(game="dighere", more=f"spectators = \"all\"\nopening = '{json.dumps(FIELD)}'")
    with serving(path) as site, started("run", path, "-q"):
        page = open_page(game_address(site))
        page.wait_for_selector("#board .coin.buried")
        assert page.evaluate("getComputedStyle(document.querySelector('.coin.buried')).clipPath") == "none"
        step(moves, ann="8", ann_dog="0")  # digs what is below; the dog steps on what is hidden
        page.wait_for_selector("#board .coin:not(.buried)")
        page.wait_for_selector("#tally0:has-text('30')")
        page.wait_for_selector("#moves:has-text('dig (0,1)')")
        page.reload()
        page.wait_for_selector("#tally0:has-text('30')")
        step(moves, ann="0")  # there is a hole now
        page.wait_for_selector("#moves:has-text('a hole is there')")
        step(moves)
        page.wait_for_selector("#outcome:has-text('Team 0 (ann) won 30 to 0')")
        assert page.locator("#board .coin").count() == 2


def test_a_game_of_dig_here_that_is_shown_when_it_is_over(begun, open_page):
    path, moves = begun(game="dighere", more=f"opening = '{json.dumps(FIELD)}'")
    with serving(path) as site, started("run", path, "-q"):
        page = open_page(game_address(site))
        step(moves, ann="8")
        page.wait_for_selector("#missing:has-text('1 turn so far')")
        assert page.is_visible("#viewer.teams")
        assert page.is_hidden("#slider")
        page.reload()
        step(moves)
        until(lambda: site.json(f"/api/v1/competitions/event/games/{game_of(page)}")["count"] == 2, "step 2")
        assert page.locator("#board .coin, #board .team0").count() == 0
        step(moves)
        page.wait_for_selector("#outcome:has-text('Team 0 (ann) won 30 to 0')")
        page.wait_for_selector("#board .coin.buried")
        page.click("#first")
        page.wait_for_selector("#board .coin:not(.buried)")


def game_of(page):
    return page.url.rpartition("/")[2]


def step(moves, **plans):
    """The plans of all four agents; who has none stays."""
    for who in ("ann", "ben", "ann_dog", "ben_dog"):
        moves.play(who.replace("_", "-"), plans.get(who, "-1"))


def test_moves_are_tried_from_a_turn_and_the_address_shows_them_to_others(begun, open_page):
    path, moves = begun()
    with serving(path) as site, started("run", path, "-q"):
        page = open_page(game_address(site))
        moves.play("ann", "C3")
        page.wait_for_selector("#board .black")
        page.click("#try")
        page.fill("#trymove", "d3")
        page.press("#trymove", "Enter")
        page.wait_for_selector("#board .white")
        page.fill("#trymove", "d3")
        page.press("#trymove", "Enter")
        page.wait_for_selector("#connection:has-text('occupied')")
        until(lambda: page.evaluate("location.search") == "?move=1&play=d3", "the address")
        other = open_page(page.url)
        other.wait_for_selector("#tried:has-text('d3')")
        moves.play("ben", "B2")  # the game goes on, and the variation stays until it is left
        assert page.text_content("#title") == "Variation after turn 1"
        page.click("#try")
        until(lambda: turns(page) == 2, "the game itself")
        moves.play("ann", "resign")


CLOCKS = [  # left, main, period, periods, stones, move (s); s used; in words; for little room
    ((600, 600, 0, 0, 0, 0), 12, "9:48 left", "9:48"),
    ((0, 0, 0, 0, 0, 0), 0, "0.0s left", "0.0s"),
    ((30, 0, 0, 0, 0, 30), 7, "0:23 left for this move", "0:23"),
    ((30, 600, 0, 0, 0, 30), 7, "9:53 left, 0:23 for this move", "9:53"),
    ((690, 600, 30, 3, 0, 0), 10, "9:50 left, then 3 periods of 0:30", "9:50 + 3x30s"),
    ((690, 600, 30, 3, 0, 0), 607, "0:23 left and 2 more periods", "0:23 + 2x30s"),
    ((690, 600, 30, 3, 0, 0), 637, "0:23 left and 1 more period", "0:23 + 1x30s"),
    ((690, 600, 30, 3, 0, 0), 667, "0:23 left in the last period", "0:23"),
    ((690, 600, 30, 3, 0, 0), 700, "0.0s left in the last period", "0.0s"),
    ((60, 0, 30, 2, 0, 0), 25.5, "4.5s left and 1 more period", "4.5s + 1x30s"),
    ((900, 600, 300, 1, 25, 0), 10, "9:50 left, then 5:00 for 25 moves", "9:50 + 5:00/25"),
    ((900, 600, 300, 1, 25, 0), 610, "4:50 left for 25 moves", "4:50/25"),
    ((200, 0, 200, 1, 39, 0), 10, "3:10 left for 39 moves", "3:10/39"),
    ((20, 0, 20, 1, 1, 0), 5, "0:15 left for 1 move", "0:15/1"),
]


def test_clocks_are_shown_with_their_periods_and_run_on(begun, open_page):
    path, moves = begun(more='clock = "10m + 3x30s"')
    with serving(path) as site, started("run", path, "-q"):
        page = open_page(game_address(site))
        page.wait_for_selector("#time0:has-text('9:')")
        assert page.inner_text("#time0").endswith("+ 3x30s")
        assert page.inner_text("#time1").split() == ["10:00", "+", "3x30s"]
        assert page.get_attribute("#time1", "title") == "10:00 left, then 3 periods of 0:30"
        shown = page.evaluate(
            "async (clocks) => {"
            " const { clockSigns, clockWords } ="
            " await import(document.querySelector('link[href$=\"/clocks.js\"]').href);"
            " return clocks.map(([[left, main, period, periods, stones, move], used]) => {"
            " const clock = { left, main, period, periods, stones, move };"
            " for (const name of ['left', 'main', 'period', 'move']) clock[name] *= 1e3;"
            " return [clockWords(clock, used * 1e3), clockSigns(clock, used * 1e3)]; }); }",
            [each[:2] for each in CLOCKS],
        )
        assert shown == [list(each[2:]) for each in CLOCKS]
        page.goto(f"{site.address}/c/event/wall")
        page.wait_for_selector(".who .left:has-text('10:00 + 3x30s')")
        page.wait_for_selector(".who.acting .left:has-text('9:')")
        moves.play("ann", "C3")
        page.wait_for_selector(".who.acting:has-text('ben')")
        moves.play("ben", "resign")
