"""An engine can reach neither the server, nor the run, nor what is secret: it tries all of them."""

import json
import sys
from pathlib import Path

import pytest
from served import serving, started, until

pytestmark = pytest.mark.process

ENGINE = Path(__file__).with_name("prying_engine.py")


def prying(folder, level, port):
    """A control file of two engines that look around before they resign, and tell what they found."""
    lines = ['competition = "playoff"', 'game = "go"', "board_size = 5", "komi = 0.5"]
    lines += [f'sandbox = "{level}"', "skip_player_checks = true"]
    for player in ("ann", "ben"):
        words = [sys.executable, str(ENGINE), str(port), str(folder / "event")]
        lines += [f"[players.{player}]", f"command = {json.dumps(words)}"]
    lines += ["[[matchups]]", 'players = ["ann", "ben"]', "number_of_games = 1"]
    path = folder / "event.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_an_engine_reaches_neither_server_nor_run_nor_secrets(tmp_path, level):
    (tmp_path / "other").mkdir()
    with serving(tmp_path) as site:
        path = prying(tmp_path, level, site.place.rpartition(":")[2])
        with started("run", path, "-q", ends=False) as run:
            run.wait()
        api = "/api/v1/competitions/event"
        until(lambda: site.json("/status.json")["competitions"], "the event")
        until(lambda: site.json(api)["finished"] == 1, "the game")
        (game,) = site.json(f"{api}/games")["games"]
        remarks = site.json(f"{api}/games/{game['id']}")["remarks"]
        found = json.loads(remarks[0][1])
    assert found["server"] in ("403 Engines are not answered.", "unreachable")
    assert found["server"] != "unreachable" or level == "strict"
    assert found["through a child"] == found["server"]
    assert found["run"] == "unreachable"
    assert found["files"] == []


def test_somebody_who_is_no_engine_is_answered_while_engines_play(tmp_path):
    with serving(tmp_path) as site:
        path = prying(tmp_path, "guarded", 1)
        path.write_text(path.read_text().replace("number_of_games = 1", "number_of_games = 40"))
        with started("run", path, "-q"):
            until(lambda: site.json("/status.json")["competitions"], "the event")
            until(lambda: site.json("/status.json")["competitions"][0]["playing"], "a game")
            for _ in range(20):
                assert site.ask("/status.json")[0] == 200
