"""Persons of a competition, by what the server answers to programs that sit where they do."""

import subprocess
import sys

import pytest

pytest.importorskip("starlette", reason="gyoji[web] is not installed: pip install -e '.[dev]'")
from served import Chair, authorization, serving, started, until

from gyoji.core.record import Lag
from gyoji.store.store import Store

pytestmark = [pytest.mark.process, pytest.mark.slow]


def event(folder, *lines):
    path = folder / "event.toml"
    text = ['competition = "playoff"', 'game = "go"', "board_size = 5", "komi = 0.5", *lines]
    text += ["[players.ann]", "human = true", "[players.ben]", "human = true"]
    text += ["[[matchups]]", 'players = ["ann", "ben"]', "number_of_games = 1"]
    path.write_text("\n".join(text) + "\n")
    return path


def verified(path):
    return subprocess.run(
        [sys.executable, "-m", "gyoji", "verify", path], capture_output=True, text=True, check=False
    )


def test_who_does_not_show_up_has_lost_and_the_game_is_verified(tmp_path):
    path = event(tmp_path, 'show_up = "3s"')
    with started("run", path, "-q") as run, serving(path) as site:
        site.link("ben")
        headers = authorization(site, "ann")
        both = {"ann": "0_0", "ben": "0_0"}
        until(lambda: site.json("/api/v1/competitions/event")["awaited"] == both, "the game")
        status, _ = site.post("/api/v1/seat/ready", {"ready": True}, **headers)
        assert status == 200
        run.wait()
        until(lambda: site.json("/api/v1/competitions/event")["finished"], "the result")
        (game,) = site.json("/api/v1/competitions/event/games")["games"]
    assert "forfeit by ben: did not show up within 3s" in game["detail"]
    assert "did not show up" in (tmp_path / "event.games" / "0_0.sgf").read_text()
    assert (done := verified(path)).returncode == 0, done.stdout


def test_programs_play_at_the_seats_of_persons_and_network_time_is_in_the_record(tmp_path):
    path = event(tmp_path, 'clock = "10m"')
    with started("run", path, "-q") as run, serving(path) as site:
        until(lambda: site.json("/api/v1/competitions/event")["running"], "the run")
        ann, ben = Chair(site, "ann"), Chair(site, "ben")
        ann.ready()
        ben.ready()
        asked = ann.asked()
        assert ann.say(asked, move="C3", speed=1)[0] == 200
        refused = ann.next("refused")
        assert (refused["question"], refused["reason"]) == (
            asked["question"],
            "Object contains unknown field `speed`",
        )
        assert ann.say(asked, move="C3" * 3000)[0] == 400
        assert ann.say(asked, move="C3", lag=0.25)[0] == 200
        answered = ben.asked()
        assert answered["news"] == [[[0, "C3"]]]
        ben.say(answered, request="resign")
        run.wait()
    assert stored(path).lags == (Lag(0, 0, 250_000),)
    assert (done := verified(path)).returncode == 0, done.stdout


def stored(path):
    """Return the record of the first game."""
    with Store.read(path.with_suffix(".db")) as store:
        return store.as_played(1).record
