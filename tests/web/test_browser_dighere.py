"""Persons play samurai and dogs in a browser: each sees what its own agent knows, and no more."""

import json

import pytest
from served import click, press, serving, started, type_move, until

pytestmark = [pytest.mark.process, pytest.mark.slow]

FIELD = {
    "size": 6,
    "steps": 2,
    "agents": [{"x": x, "y": y} for x, y in ((0, 0), (5, 5), (1, 0), (4, 5))],
    "known": [{"x": 0, "y": 1, "amount": 30}],
    "hidden": [{"x": 2, "y": 1, "amount": 8}],
}
EVENT = f"""
competition = "playoff"
game = "dighere"
clock = "10m"
spectators = "all"
opening = '{json.dumps(FIELD)}'
[players.ann]
human = true
partner = {{ human = true }}
[players.ben]
human = true
partner = "gyoji-horidashi --random"
[[matchups]]
players = ["ann", "ben"]
number_of_games = 1
"""


def test_three_persons_and_a_program_play_the_four_agents(tmp_path, open_page):
    path = tmp_path / "event.toml"
    path.write_text(EVENT)
    with started("run", path, "-q"), serving(path) as site:
        samurai, dog, other = (open_page(site.link(name)) for name in ("ann", "ann (partner)", "ben"))
        for page in (samurai, dog):
            page.click("#ready")
        press(other, "#ready")  # ben plays by keyboard alone
        for page in (samurai, dog, other):
            page.wait_for_selector(".asked")
        dog.wait_for_selector("#state:has-text('It is your turn for ann (dog).')")
        assert samurai.locator("#board .coin").count() == 1
        assert dog.locator("#board .coin.buried").count() == 1  # it senses what is beside it
        dig = samurai.locator("#choices button:has-text('dig (0,1)')")
        until(lambda: dig.count() or samurai.mouse.click(*click(samurai, 0, 1)), "the choices of a place")
        dig.click()
        dog.mouse.click(*click(dog, 2, 1))  # it can only go there, and barks
        other.keyboard.press("5")
        for page in (samurai, dog, other):
            page.wait_for_selector(".asked .hole")
            assert page.locator("#board .hole").count() == 1
            assert page.locator("#board .coin").count() == 1
        samurai.wait_for_selector("#tally0:has-text('30')")
        samurai.keyboard.press("5")
        dog.keyboard.press("5")
        type_move(other, "4")
        for page in (samurai, dog, other):
            page.wait_for_selector("#outcome:has-text('30 to ')")
