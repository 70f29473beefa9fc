"""A finished game is analysed by an engine of its event, one at a time, for whoever may ask."""

import json
import sys
from pathlib import Path

import pytest
from served import paced, serving, started, until

pytestmark = pytest.mark.process

ENGINE = Path(__file__).parent.parent / "cli" / "analysing_engine.py"
GAME = "/api/v1/competitions/event/games/0_0/analysis"


@pytest.fixture
def event(tmp_path):
    command = json.dumps([sys.executable, str(ENGINE), "lz-analyze"])
    path, moves = paced(tmp_path, more="")
    path.write_text(
        path.read_text().replace("[[matchups]]", f"[players.lz]\ncommand = {command}\n[[matchups]]")
    )
    for name, move in (("ann", "C3"), ("ben", "D3"), ("ann", "resign")):
        moves.play(name, move)
    with started("run", path, "-q") as run:
        run.wait()
    yield path
    moves.close()


def test_the_organiser_has_a_game_analysed_and_everybody_sees_it(event):
    with serving(event) as site:
        right = site.run_control()
        assert site.json(GAME)["players"] == []
        assert site.post(GAME, {"player": "lz"})[0] == 403
        assert json.loads(site.ask(GAME, **right)[2])["players"] == ["ann", "ben", "lz"]
        for wrong in ({"player": "cem"}, {"player": "lz", "seconds": 100}, {"player": "lz", "seconds": "x"}):
            assert site.post(GAME, wrong, **right)[0] == 400
        assert site.post(GAME.replace("0_0", "0_9"), {"player": "lz"}, **right)[0] == 404
        events = site.events("watch=event/0_0%20analysis")
        next(events)
        assert site.post(GAME, {"player": "lz", "seconds": 0.2}, **right)[0] == 200
        status, text = site.post(GAME, {"player": "ann", "seconds": 0.2}, **right)
        assert (status, text) == (409, "event/0_0 is being analysed: wait until that is done")
        assert [site.until_event(events, "analysed")["turn"] for _ in range(3)] == [0, 1, 2]
        assert site.until_event(events, "analysed") == {"game": "0_0", "done": True, "problem": ""}
        told = site.json(GAME)
        assert [each["lines"][0]["score"] for each in told["positions"]] == [0.5, 1.5, 2.5]
        assert (told["player"], told["running"]) == ("lz", "")


def test_anybody_has_games_analysed_where_that_is_allowed_and_is_told_what_fails(event):
    with serving(event, "--analysis") as site:
        assert site.json(GAME)["players"] == ["ann", "ben", "lz"]
        assert site.post(GAME, {"player": "ann"})[0] == 200
        told = until(lambda: (each := site.json(GAME))["problem"] and each, "the problem")
        assert told["problem"].endswith("ann: kata-analyze: tells no evaluation")
