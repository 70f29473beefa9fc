"""Games that KataGo, GNU Go and Pachi have played are played again by engines that say what those said.

Each game is counted by the rules; KataGo's own `final_score` is in its transcript. See README.md for where
they come from.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gyoji.core.describe import result_code
from gyoji.games.go.rulesets import NAMED, TERRITORY
from gyoji.store.store import Store

HERE = Path(__file__).parent
FILES = ("itself", "gnugo", "pachi")


def games_of(name):
    """Return what stands at the head of each game: its settings, its players, its result."""
    lines = (HERE / f"{name}.txt").read_text().splitlines()
    return [json.loads(line.removeprefix("game ")) for line in lines if line.startswith("game ")]


def control_file(name):
    """Return a competition of these games in their order, its engines the scripted ones."""
    games = games_of(name)
    lines = [
        'competition = "playoff"',
        'scorer = "internal"',
        "skip_player_checks = true",
        "number_of_games = 1",
    ]
    for player in sorted({player for game in games for player in game["players"]}):
        command = [sys.executable, str(HERE / "scripted_engine.py"), str(HERE / f"{name}.txt"), player]
        lines += [f"[players.{player}]", f"command = {json.dumps(command)}", 'restart = "off"']
    for game in games:
        # as they were counted: what is on the board, after clean-up phases where there are any
        is_territory = NAMED[game["ruleset"]].scoring == TERRITORY
        settings = {key: value for key, value in game.items() if key != "result"}
        settings["dead_stones"] = "play" if is_territory else "alive"
        lines += ["[[matchups]]", *(f"{key} = {json.dumps(value)}" for key, value in settings.items())]
    return "\n".join(lines)


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_the_rules_count_as_katago_does(name, tmp_path):
    path = tmp_path / f"{name}.toml"
    path.write_text(control_file(name))
    run = subprocess.run(
        [sys.executable, "-m", "gyoji", "run", "-q", str(path)], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    with Store.read(path.with_suffix(".db")) as store:
        results = {result.pairing: result for result in store.results()}
    assert {name: result_code(result.outcome) for name, result in results.items()} == {
        game["id"]: game["result"] for game in games_of(name)
    }
    for result in results.values():
        said = [
            float(score[2:])
            for player, score in zip(result.players, result.scores, strict=True)
            if player.startswith("kata")
        ]
        assert said
        assert set(said) == {result.outcome.margin}
        assert result.warnings == ()


def test_each_ruleset_and_each_handicap_is_among_them():
    for name in FILES:
        games = games_of(name)
        assert sorted(game["ruleset"] for game in games) == sorted(NAMED)
        assert {game.get("handicap") for game in games} == {None, 2, 3, 4}
