"""From the form for a new game to its end, by mouse and by typing; and two persons by a link."""

from contextlib import suppress
from itertools import count

import pytest
from served import click, game_of, serving, turns, until

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'"
)
pytestmark = [pytest.mark.process, pytest.mark.slow]


@pytest.fixture
def site(tmp_path):
    with serving("--games", tmp_path / "games", "--open", "8") as site:
        yield site


def answer(page, **chosen):
    """Fill in the form. chosen: values by the id of what asks for them, or by its name."""
    page.wait_for_selector("#new:not([hidden])")
    page.select_option("#game", chosen.pop("game"))
    page.fill("#name", chosen.pop("name", "ann"))
    for key, value in chosen.items():
        place = page.locator(f"#{key}, [name={key}]")
        if place.evaluate("each => each.tagName") == "SELECT":
            place.select_option(value)
        else:
            place.fill(value)


def middle(page, place):
    """Return where a place of the board is on the screen."""
    width = len(game_of(page)["columns"])
    return click(page, place % width, place // width)


def free_row(page):
    """Five places in a row of which the other side has none, those that are ours last: (places, width)."""
    game = game_of(page)
    width, height, signs = len(game["columns"]), len(game["rows"]), {}
    for frame in game["frames"]:
        changes = frame[0] if frame else []
        signs |= dict(zip(changes[::2], changes[1::2], strict=True))
    fives = [
        [row * width + left + step for step in range(5)] for row in range(height) for left in range(width - 4)
    ]
    open_rows = [
        [at for at in five if not signs.get(at)] for five in fives if "W" not in map(signs.get, five)
    ]
    return min(open_rows, key=len)


def name(page, place):
    game = game_of(page)
    width = len(game["columns"])
    return game["columns"][place % width] + game["rows"][place // width]


def by_mouse(page, place):
    page.mouse.click(*middle(page, place))


def by_typing(page, place):
    page.fill("#move", name(page, place))
    page.press("#move", "Enter")


def beat_at_gomoku(page, ways):
    """Win against somebody who sees nothing; move by one way after the other."""
    for number in count():
        until(lambda: page.locator(".asked").count() or is_over(page), "a question")
        if is_over(page):
            return
        before, way = turns(page), ways[number % len(ways)]

        def moves(way=way, before=before):
            if page.locator(".asked").count():
                way(page, free_row(page)[0])
            with suppress(playwright.TimeoutError):
                page.wait_for_selector("#board:not(.asked)", timeout=1000)
            return turns(page) > before

        until(moves, "the move")


def is_over(page):
    return page.get_attribute("#viewer", "data-live") == "false"


def test_a_person_begins_a_game_of_gomoku_wins_it_by_mouse_and_typing_and_plays_again(site, open_page):
    page = open_page(f"{site.address}/new")
    answer(page, game="gomoku", against="/narabe", strength="random moves")
    page.click("#begin")
    page.wait_for_selector("#who:has-text('ann')")
    beat_at_gomoku(page, (by_mouse, by_typing))
    page.wait_for_selector("#outcome:has-text('You won')")
    page.click("#again:not([hidden])")
    until(lambda: page.locator("#viewer[data-live=true][data-game='0_1']").count(), "another game")
    assert [seat["name"] for seat in game_of(page)["seats"]] == ["narabe-random-moves", "ann"]


def test_a_game_begins_from_a_position_that_is_drawn(site, open_page):
    page = open_page(f"{site.address}/new")
    answer(page, game="go", board_size="5", against="/kozo")
    page.click("#setup summary")
    page.locator("#drawing svg").scroll_into_view_if_needed()
    for column, row in ((1, 1), (3, 3)):
        at = click(page, column, row)
        before = page.locator("#drawing circle.black, #drawing circle.white").count()
        page.mouse.click(*at)
        until(
            lambda: page.locator("#drawing circle.black, #drawing circle.white").count() > before,  # noqa: B023
            "a stone",
        )
    assert page.input_value("#opening") == "AB B4 AW D2 PL B"
    page.fill("#opening", "AB B4 AW Z2")
    page.click("#begin")
    page.wait_for_selector("#problem:has-text('Z2')")
    page.wait_for_selector("#begin:enabled")
    page.fill("#opening", "AB B4 C4 AW D2 PL W")
    page.click("#begin")  # at once: before the server has read the position
    page.wait_for_selector("#board .black")
    until(lambda: turns(page) == 1, "white's move")
    assert len(game_of(page)["frames"][0][0]) == 6


def full_board():
    """Return a 9x9 board on which neither side has a move but into an eye; White lives in a corner."""
    white, eyes = ("A2", "B2", "C2", "D2", "D1", "B1"), ("A1", "C1", "J9", "G9")
    points = [f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 10)]
    black = [point for point in points if point not in (*white, *eyes)]
    return f"AB {' '.join(black)} AW {' '.join(white)} PL B"


def test_a_person_wins_at_go_by_the_count(site, open_page):
    page = open_page(f"{site.address}/new")
    answer(page, game="go", against="/kozo", strength="random moves")
    page.click("#setup summary")
    page.wait_for_selector("#drawing svg")
    page.fill("#opening", full_board())
    page.press("#opening", "Enter")
    page.wait_for_selector("#acting:has-text('black is to move')")
    until(lambda: page.locator("#drawing circle.black").count() == 71, "the position")
    page.click("#begin")
    page.wait_for_selector(".asked")
    page.fill("#move", "pass")
    page.press("#move", "Enter")
    page.click("#count-now")
    page.wait_for_selector("#banner:has-text('You won by'):has-text('B+')")


def begin_together(page, other, open_page):
    """Begin the game that the form describes; the page of the other person, by the link. Both are ready."""
    page.click("#begin")
    page.wait_for_selector(f"#begun:not([hidden]) #links b:has-text('{other}')")
    assert page.inner_text("#reach").startswith("These links work on this computer only")
    theirs = open_page(page.input_value("#links input"))
    theirs.wait_for_selector(f"#who:has-text('{other}')")
    page.click("#own")
    for each in (page, theirs):
        each.click("#ready")
    page.wait_for_selector(".asked")
    return theirs


def test_two_persons_play_by_a_link(site, open_page):
    ann = open_page(f"{site.address}/new")
    answer(ann, game="go", board_size="5", against="person", other="ben")
    ben = begin_together(ann, "ben", open_page)
    by_mouse(ann, 12)
    ben.wait_for_selector(".asked")
    ben.click("#resign")
    for page in (ann, ben):
        page.wait_for_selector("#how:has-text('B+R')")
    ben.click("#again:not([hidden])")
    ann.click("#ready")
    ben.wait_for_selector(".asked")


def test_persons_and_programs_share_the_teams_of_dig_here(site, open_page):
    ann = open_page(f"{site.address}/new")
    answer(ann, game="go")
    assert ann.is_hidden("#mates")
    ann.select_option("#game", "dighere")
    ann.select_option("#mate", label="horidashi, random plans")
    ann.select_option("#othermate", label="a person, by a link")
    dog = begin_together(ann, "horidashi (partner)", open_page)
    seats = [[seat["name"], seat["role"]] for seat in game_of(ann)["seats"]]
    assert seats == [[name, role] for role in ("samurai", "dog") for name in ("ann", "horidashi")]
    for page in (ann, dog):  # asked in turn
        page.click("#choices button:has-text('stay')")
    name = site.json("/status.json")["competitions"][0]["competition"]
    until(lambda: site.json(f"/api/v1/competitions/{name}/games/0_0")["count"], "the first step")


def test_nobody_but_the_organiser_sees_the_form_where_it_is_not_open(tmp_path, open_page):
    with serving("--games", tmp_path / "games") as site:
        page = open_page(f"{site.address}/new")
        page.wait_for_selector("#nobody:not([hidden])")
        page = open_page(site.organiser().replace("/#", "/new#"))
        page.wait_for_selector("#new:not([hidden])")
