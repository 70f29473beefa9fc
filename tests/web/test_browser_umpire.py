"""A person plays a game that an umpire decides: what the seat sees, its choices, and words."""

import shlex
import sys
from pathlib import Path

import pytest
from served import serving, started, type_move, until

pytestmark = [pytest.mark.process, pytest.mark.slow]

FOUR = Path(__file__).parents[2] / "examples" / "umpires" / "four.py"
EVENT = f"""
competition = "playoff"
game = "umpire"
clock = "10m"
[umpire]
command = "{shlex.quote(sys.executable)} four.py"
[players.ann]
human = true
[players.left]
command = ["sh", "-c", "while read last; do echo 0; done"]
[[matchups]]
players = ["ann", "left"]
number_of_games = 1
"""


def discs(page, number):
    """Wait until so many discs are on the board: two more after each turn, of the person and of the bot."""
    until(lambda: page.locator("#board .black, #board .white").count() == number, f"{number} discs")


def test_a_person_answers_an_umpire_by_button_key_and_words(tmp_path, open_page):
    path = tmp_path / "event.toml"
    path.write_text(EVENT)
    (tmp_path / "four.py").write_text(FOUR.read_text(encoding="utf-8"), encoding="utf-8")
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"))
        page.click("#ready")
        page.wait_for_selector("#choices button:has-text('6')")
        assert page.locator("#choices button").count() == 7
        page.click("#choices button:has-text('3')")
        discs(page, 2)
        page.keyboard.press("3")
        discs(page, 4)
        type_move(page, "3")
        discs(page, 6)
        type_move(page, "7")  # there is no such column
        page.wait_for_selector("#outcome:has-text('illegal')")
