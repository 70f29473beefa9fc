"""An engine can reach neither the server, nor the run, nor what is secret: it tries all of them."""

import json
import sys
from itertools import takewhile
from pathlib import Path

import pytest
from served import paced, serving, started, until

pytestmark = pytest.mark.process

ENGINE = Path(__file__).with_name("prying_engine.py")


def prying(folder, level, port):
    """Return a control file of two engines that look around before they resign, and tell what they found."""
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
    assert found["server"] == "unreachable"
    assert found["through a child"] == found["server"]
    assert found["run"] == "unreachable"
    assert found["files"] == []


def organiser_ticket(site):
    _, _, text = site.ask("/api/v1/ticket", **site.run_control())
    return json.loads(text)["ticket"]


def test_while_an_engine_may_use_the_network_thoughts_are_told_to_holders_of_a_secret_alone(tmp_path):
    path, moves = paced(tmp_path)
    path.write_text(path.read_text().replace("[players.ann]", "[players.ann]\nnetwork = true"))
    api = "/api/v1/competitions/event"
    with serving(tmp_path) as site, started("run", path, "-q"):
        until(lambda: site.json("/status.json")["competitions"], "the event")
        game = until(lambda: site.json(api)["playing"], "a game")[0]
        topics = f"watch=event/{game}"
        public = site.events(topics)
        private = site.events(f"{topics}&organiser={organiser_ticket(site)}")
        forged = site.events(f"{topics}%20with%20thoughts&organiser=x&seat=x")
        assert next(public)[0] == next(private)[0] == next(forged)[0] == "hello"
        moves.play("ann", "c3", "SECRETPLAN")
        # What an engine thinks of its move may come after the move.
        until(lambda: "SECRETPLAN" in json.dumps(site.until_event(private, "move")), "the plan")
        _, _, text = site.ask(f"{api}/games/{game}")
        assert "SECRETPLAN" not in text
        assert json.loads(text)["thoughts"] is False
        _, _, text = site.ask(f"{api}/games/{game}", **site.run_control())
        assert "SECRETPLAN" in text
        assert site.ask(f"{api}/games/{game}/line?turn=0&seat=0")[0] == 403
        assert site.ask("/api/v1/ticket")[0] == 403
        moves.play("ben", "resign")
        heard = takewhile(lambda event: event[0] != "finished", public)
        told = [data for name, _, data in heard if name == "move"]
        assert {news["thoughts"] for news in told if news["turns"]} == {False}
        assert "SECRETPLAN" not in json.dumps(told)
        heard = (name for name, *_ in forged)
        assert "move" not in {*takewhile(lambda name: name != "finished", heard)}
    moves.close()
