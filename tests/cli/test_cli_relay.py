"""A competition of a relay, from its check to its record, and a match."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.games.umpire.relay import REMARK

pytestmark = pytest.mark.process

EXAMPLES = Path(__file__).parents[2] / "examples"
RUNNER = "python umpires/runner.py {seed} {seat1} {seat2}"


def gyoji(*words):
    result = CliRunner().invoke(app, list(map(str, words)))
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("relay")
    (folder / "umpires").mkdir()
    shutil.copy(EXAMPLES / "umpires" / "runner.py", folder / "umpires")
    shutil.copy(EXAMPLES / "relay.toml", folder)
    status, output = gyoji("run", folder / "relay.toml", "--max-games", 1)
    assert status == 0, output
    status, output = gyoji("run", folder / "relay.toml")
    assert status == 0, output
    return folder / "relay.toml"


def test_a_run_that_goes_on_plays_the_rest(played):
    status, output = gyoji("export", "--to", "jsonl", played)
    assert status == 0, output
    games = [json.loads(line) for line in output.splitlines()]
    assert len(games) == 4
    for game in games:
        assert game["players"][game["points"].index(1)] == "paper"
        assert (game["moves"], game["clock"]) == ([], "none")
        assert len(game["umpire"]) == 3
    assert len({game["seed"] for game in games}) == 4


def test_a_game_is_shown_with_the_words_of_its_runner_and_what_nobody_knows(played):
    status, output = gyoji("show", played, "--game", "AvB_0")
    assert status == 0, output
    assert REMARK in output
    assert "round 2: stone paper" in output
    page = played.with_suffix(".html")
    status, output = gyoji("report", played, "--format", "html", "-o", page)
    assert status == 0, output
    text = page.read_text(encoding="utf-8")
    assert REMARK in text
    assert "round 2: stone paper" in text
    assert '"decided":true' in text  # so that the page offers no moves to try


def test_a_verification_says_what_it_cannot_verify(played):
    status, output = gyoji("verify", played)
    assert status == 0, output
    assert "4 games by a runner, whose results cannot be verified" in output
    assert json.loads(gyoji("verify", "--json", played)[1])["unverifiable"] == 4


def test_a_record_is_replayed_with_what_there_is(played):
    status, output = gyoji("replay", played.with_suffix(".games") / "AvB_0.relay")
    assert status == 0, output
    assert REMARK in output
    assert "round 2: stone paper" in output
    assert "the record says score, 0 to 1, the umpire score, 0 to 1" in output


def test_a_check_plays_a_game(played):
    status, output = gyoji("check", played)
    assert status == 0, output
    assert "relay: it has played a game: " in output
    wrong = played.with_name("wrong.toml")
    wrong.write_text(played.read_text(encoding="utf-8").replace("*.score", "*.rank"), encoding="utf-8")
    status, output = gyoji("check", wrong)
    assert status != 0
    assert "wrote JSON without anything at 'stats.*.rank'" in output
    assert gyoji("check", "--quick", wrong)[0] == 0


def test_a_match_needs_no_control_file(played, monkeypatch):
    monkeypatch.chdir(played.parent)
    result = ("--set", "relay.result.json=stats.*.score", "--set", "relay.result.means=points")
    bots = ["sh -c 'while read last; do echo stone; done'", "sh -c 'while read last; do echo paper; done'"]
    status, output = gyoji(
        "match", "--relay", RUNNER, *result, *bots, "--games", 2, "--name", "s", "--name", "p"
    )
    assert status == 0, output
    assert "game 0_1: p beat s" in output
    status, output = gyoji("match", "--relay", RUNNER, "--umpire", "x", *bots)
    assert status != 0
    assert "--umpire: has the game umpire, and --relay is given too" in output
    status, output = gyoji("match", "--relay", RUNNER.replace("runner", "missing"), *result, *bots)
    assert status != 0


def test_a_runner_that_is_not_there_is_found_before_a_run(played):
    missing = played.with_name("missing.toml")
    text = played.read_text(encoding="utf-8").replace("python umpires", "no-such-runner umpires")
    missing.write_text(text, encoding="utf-8")
    status, output = gyoji("run", missing)
    assert status != 0
    assert "relay: no program 'no-such-runner' on PATH" in output
