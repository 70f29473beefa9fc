"""Pages in a real browser: boards of games in progress, hostile words, a judge."""

from contextlib import closing
from urllib.parse import urlsplit

import pytest
from served import click, paced, serving, started, until

pytestmark = [pytest.mark.process, pytest.mark.slow]


@pytest.fixture
def event(tmp_path):
    path, moves = paced(tmp_path)
    yield path, moves
    moves.close()


def game_address(site):
    game = until(lambda: site.json("/api/v1/competitions/event")["playing"], "a game")[0]
    return f"{site.address}/c/event/games/{game}"


FAR_BELOW = """
window.painted = window.heard = 0;
const fill = CanvasRenderingContext2D.prototype.fill;
CanvasRenderingContext2D.prototype.fill = function (...given) {
  window.painted += 1;
  return fill.apply(this, given);
};
const add = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (name, work) {
  return add.call(this, name, (event) => {
    work(event);
    if (name === "boards") window.heard = JSON.parse(event.data)[0].count;
  });
};
document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("wall").style.marginTop = "3000px";
});
"""
"""Moves the boards out of sight, and counts turns that are heard of and shapes that are painted."""

IS_DARK = """([column, row]) => {
  const canvas = document.querySelector("#wall canvas"), { width, height } = canvas;
  const at = (number, length) => Math.round((9.5 + 10 * number) / 59 * length);
  const [red] = canvas.getContext("2d").getImageData(at(column, width), at(row, height), 1, 1).data;
  return red < 60;
}"""
"""Whether a stone of Black is on a point of a painted board of 5x5."""


def test_the_wall_shows_each_game_while_it_is_played(event, open_page):
    path, moves = event
    with serving(path) as site, started("run", path, "-q"):
        game_address(site)
        page = open_page(f"{site.address}/c/event/wall")
        page.wait_for_selector("#wall canvas")
        moves.play("ann", "B3")
        page.wait_for_function(IS_DARK, arg=[1, 2])
        assert not page.evaluate(IS_DARK, [3, 2])
        moves.play("ben", "resign")
        page.wait_for_selector("#nothing:not([hidden])")
        page.goto(f"{site.address}/c/event/games")
        page.wait_for_selector("text=ann beat ben B+R")


def test_a_board_out_of_sight_is_painted_when_it_is_seen(event, open_page):
    path, moves = event
    with serving(path) as site, started("run", path, "-q"):
        game_address(site)
        page = open_page(f"{site.address}/c/event/wall")
        page.wait_for_selector("#wall canvas")
        page.context.add_init_script(FAR_BELOW)
        page.reload()
        page.wait_for_selector("#wall canvas", state="attached")
        moves.play("ann", "B3")
        page.wait_for_function("() => window.heard === 1")
        assert page.evaluate("window.painted") == 0
        page.evaluate("document.querySelector('#wall').scrollIntoView()")
        page.wait_for_function(IS_DARK, arg=[1, 2])
        moves.play("ben", "resign")


def test_a_screen_on_a_wall_shows_one_board_large_and_nothing_else(event, open_page):
    path, moves = event
    with serving(path) as site, started("run", path, "-q"):
        game_address(site)
        page = open_page(f"{site.address}/c/event/wall?tv", viewport={"width": 1280, "height": 720})
        page.wait_for_selector("#wall li.on canvas")
        assert page.locator("#wall canvas.board").bounding_box()["height"] > 500
        assert not page.is_visible("header")
        moves.play("ann", "resign")


def test_what_an_engine_expected_is_shown_on_a_board_as_far_as_the_rules_play_it(tmp_path, open_page):
    path, moves = paced(tmp_path, game="gomoku")
    with closing(moves), serving(path) as site, started("run", path, "-q"):
        address = game_address(site)
        moves.play("ann", "4,4", "depth 3 ev 10 pv E5 F5 E6 E6 A1")
        moves.play("ben", "5,4")
        page = open_page(address)
        page.wait_for_selector("#count:has-text('2 / 2')")
        page.click("#back")
        page.click("#line")
        page.wait_for_selector("#board .over .line")
        assert page.locator("#board .over .line text").all_text_contents() == ["1", "2"]
        page.click("#forward")
        page.wait_for_selector("#board .over:not(:has(.line))", state="attached")
        line = f"{urlsplit(address).path.replace('/c/', '/api/v1/competitions/')}/line"
        told = site.json(f"{line}?turn=1&seat=0")
        assert (told["first"], [turn[0][1] for turn in told["turns"]]) == (0, ["e5", "f5", "e6"])
        assert site.ask(f"{line}?turn=2&seat=1")[0] == 409


def test_a_page_goes_on_when_its_server_is_killed_and_started_again(event, open_page):
    path, moves = event
    with started("run", path, "-q"):
        with serving(path) as site:
            page = open_page(game_address(site))
            moves.play("ann", "C3")
            page.wait_for_selector("#board .black")
            port = site.address.rpartition(":")[2]
        page.wait_for_selector("text=not connected")
        moves.play("ben", "D3")
        with started("serve", "--port", port, path):
            page.wait_for_selector("#board .white")


def test_what_engines_say_is_text_and_nothing_else(event, open_page):
    path, moves = event
    evil = "<img src=x onerror=alert(1)><script>document.title=1</script>"
    with serving(path) as site, started("run", path, "-q"):
        page = open_page(game_address(site))
        page.wait_for_selector("#board svg")
        moves.play("ann", "C3", evil)
        page.wait_for_selector(f"text={evil}")
        assert page.locator("img").count() == 0
        moves.play("ben", "resign")


def test_a_judge_marks_a_dead_group_and_rules(tmp_path, open_page):
    path, moves = paced(tmp_path, more='scorer = "judge"')
    for black, white in zip(
        ["B1", "B2", "B3", "B4", "B5", "E3"], ["D1", "D2", "D3", "D4", "D5", "C5"], strict=True
    ):
        moves.play("ann", black)
        moves.play("ben", white)
    moves.play("ann", "pass")
    moves.play("ben", "pass")
    with started("run", path, "-q", ends=False) as run:
        run.wait()
    with closing(moves), serving(path) as site:
        until(lambda: site.json("/api/v1/competitions/event")["needs_ruling"], "the game")
        page = open_page(site.organiser().replace("/#", "/c/event/judge#"))
        page.click("#cases button")
        page.wait_for_selector("#verdict:has-text('Nothing is ruled yet')")
        assert page.locator("#rows tr").all_inner_texts() == ["Black\t11\t0\t0\t11", "White\t6\t0\t0.5\t6.5"]
        assert page.locator("#claims tr").count() == 2  # a row for each player
        assert page.evaluate("document.documentElement.scrollHeight") < 1200
        page.mouse.click(*click(page, 4, 2))
        page.wait_for_selector("#board .faded")
        assert page.locator("#movelist li").last.inner_text().endswith("as marked")
        page.wait_for_selector("#verdict:has-text('ben beat ann W+1.5')")
        page.click("[data-say='count territory']")
        page.wait_for_selector("#columns:has-text('points of territory')")
        page.click("#claims button")
        page.wait_for_selector("#claims:has-text('says')")
        page.fill("#command", "nonsense")
        page.press("#command", "Enter")
        page.wait_for_selector("#connection:has-text('no command')")
        page.fill("#because", "it was told so")
        page.select_option("#loser", "ben")
        page.click("#forfeit")
        page.wait_for_selector("#verdict:has-text('B+F')")
        page.click("#back-one")
        page.fill("#reasons", "E3 cannot make two eyes")
        page.fill("#who", "carl")
        page.click("#accept")
        page.wait_for_selector("#cases button:has-text('ruled')")
        until(lambda: not site.json("/api/v1/competitions/event")["needs_ruling"], "the ruling")
        (game,) = site.json("/api/v1/competitions/event/games")["games"]
        assert "ruled by carl" in game["detail"]
        page = open_page(f"{site.address}/c/event/games/{game['id']}")
        page.wait_for_selector("text=Reasons: E3 cannot make two eyes")
