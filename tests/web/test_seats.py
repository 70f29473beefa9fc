"""Persons of a competition, by what the server answers to programs that sit where they do."""

import subprocess
import sys

import pytest

pytest.importorskip("starlette", reason="gyoji[web] is not installed: pip install -e '.[dev]'")
from served import serving, started, until

pytestmark = [pytest.mark.process, pytest.mark.slow]


def event(folder, *lines):
    path = folder / "event.toml"
    text = ['competition = "playoff"', 'game = "go"', "board_size = 5", "komi = 0.5", *lines]
    text += ["[players.ann]", "human = true", "[players.ben]", "human = true"]
    text += ["[[matchups]]", 'players = ["ann", "ben"]', "number_of_games = 1"]
    path.write_text("\n".join(text) + "\n")
    return path


def authorization(site, player):
    return {"Authorization": f"Seat {site.link(player).partition('#')[2]}"}


def verified(path):
    return subprocess.run(
        [sys.executable, "-m", "gyoji", "verify", path], capture_output=True, text=True, check=False
    )


def test_who_does_not_show_up_has_lost_and_the_game_is_verified(tmp_path):
    path = event(tmp_path, 'show_up = "3s"')
    with started("run", path, "-q") as run, serving(path) as site:
        until(lambda: site.json("/api/v1/competitions/event")["running"], "the run")
        headers = authorization(site, "ann")
        site.link("ben")
        status, _ = site.post("/api/v1/seat/ready", {"ready": True}, **headers)
        assert status == 200
        run.wait()
        until(lambda: site.json("/api/v1/competitions/event")["finished"], "the result")
        (game,) = site.json("/api/v1/competitions/event/games")["games"]
    assert "forfeit by ben: did not show up within 3s" in game["detail"]
    assert (done := verified(path)).returncode == 0, done.stdout
